"""Other names for the parameters of a result: in the domain and in all that is said about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from dias.learning.certificate.support import Doubt, LiteralSupport, Support, Trial
from dias.learning.finish.parameter_names import numbered, readable_names
from dias.learning.result import ActionEvidence, LearningResult
from dias.strips.model import ActionSchema, Atom, Parameter

_VARIABLE = re.compile(r"(?<![^\s(])\?[\w-]+")

_ROLES = ("type", "precondition", "add", "delete")


def with_readable_names(result: LearningResult) -> LearningResult:
    """The same with parameters that are called what they are, in the order of `readable_names`.

    This is the last step, after everything is decided: names cannot change what is learned.
    """
    evidence = {own.action: own for own in result.evidence}
    names = {}
    for schema in result.domain.actions:
        own = evidence[schema.name]
        names[schema.name] = readable_names(schema, own.kinds, own.n_given)
    return renamed(result, names)


def renamed(result: LearningResult, names: Mapping[str, Mapping[str, str]]) -> LearningResult:
    """The same with other names.

    Args:
        result: What was learned.
        names: Action to the new name of each variable, in the new order of the parameters; an
            action that is not there stays as it is.
    """
    actions = tuple(
        rename_schema(schema, names.get(schema.name, {v: v for v in schema.variables}))
        for schema in result.domain.actions
    )
    evidence = tuple(
        _evidence(own, names[own.action]) if own.action in names else own for own in result.evidence
    )
    return replace(result, domain=replace(result.domain, actions=actions), evidence=evidence)


def rename_schema(schema: ActionSchema, names: Mapping[str, str]) -> ActionSchema:
    """The schema with the new name of each variable, its parameters in the order of `names`."""
    types = dict(schema.parameters)

    def atoms(own: frozenset[Atom]) -> frozenset[Atom]:
        return frozenset(atom.substitute(names) for atom in own)

    def pairs(own: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        return frozenset((names.get(x, x), names.get(y, y)) for x, y in own)

    return ActionSchema(
        schema.name,
        tuple(Parameter(new, types[old]) for old, new in names.items()),
        atoms(schema.preconditions),
        atoms(schema.negative_preconditions),
        pairs(schema.equalities),
        pairs(schema.inequalities),
        atoms(schema.add_effects),
        atoms(schema.delete_effects),
    )


def free_names(variables: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Each variable to a name that is not taken: its own if possible, else with another number."""
    known = set(taken)
    found = {}
    for variable in variables:
        found[variable] = variable
        if variable in known:
            stem = variable[1:].rstrip("-0123456789")
            (found[variable],) = numbered([stem], {name[1:] for name in known})
        known.add(found[variable])
    return found


def _evidence(evidence: ActionEvidence, names: Mapping[str, str]) -> ActionEvidence:
    unknown = [*(evidence.missing.literals if evidence.missing else ())]
    unknown += [
        text for own in (evidence.support.further if evidence.support else ()) for text in own
    ]
    # Parameters that may be missing are none of the schema, and must not look like one of it.
    further = dict.fromkeys(v for v in _VARIABLE.findall(" ".join(unknown)) if v not in names)
    whole = {**names, **free_names(further, names.values())}

    def say(text: str) -> str:
        return _VARIABLE.sub(lambda found: whole.get(found[0], found[0]), text)

    return replace(
        evidence,
        kinds={names[variable]: kind for variable, kind in evidence.kinds.items()},
        support=evidence.support and _support(evidence.support, say, list(names.values())),
        apart=tuple(
            replace(pair, literals=(say(pair.literals[0]), say(pair.literals[1])))
            for pair in evidence.apart
        ),
    )


def _support(support: Support, say: Callable[[str], str], order: Sequence[str]) -> Support:
    def texts(own: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(say, own))

    def doubt(own: Doubt) -> Doubt:
        return Doubt(texts(own.literals), own.chance, texts(own.instead))

    def trial(own: Trial) -> Trial:
        objects = {say(variable): name for variable, name in own.objects}
        return Trial(texts(own.literals), own.line, tuple((v, objects[v]) for v in order))

    def place(own: LiteralSupport) -> tuple[int, bool, int, str]:
        """As in the file: types like the parameters, positive literals first."""
        variable = own.text.split()[0]
        rank = order.index(variable) if variable in order else len(order)
        return _ROLES.index(own.role), own.text.startswith("(not "), rank, own.text

    literals = (replace(own, text=say(own.text)) for own in support.literals)
    exceptions = support.exceptions
    return replace(
        support,
        literals=tuple(sorted(literals, key=place)),
        weak=tuple(map(doubt, support.weak)),
        missing=support.missing and doubt(support.missing),
        doubtful=support.doubtful and doubt(support.doubtful),
        either=support.either and doubt(support.either),
        for_all=support.for_all and doubt(support.for_all),
        fixed=tuple((say(variable), name) for variable, name in support.fixed),
        exceptions=exceptions and replace(exceptions, literals=texts(exceptions.literals)),
        left_out=texts(support.left_out),
        may_be_needed=texts(support.may_be_needed),
        implied=texts(support.implied),
        open=texts(support.open),
        of_type=texts(support.of_type),
        replaceable=tuple((say(own), say(other)) for own, other in support.replaceable),
        further=tuple(map(texts, support.further)),
        kinds=tuple(replace(own, text=say(own.text)) for own in support.kinds),
        trials=tuple(map(trial, support.trials)),
    )
