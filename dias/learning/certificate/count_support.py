"""Counts what stands behind a finished schema, literal by literal.

The numbers come from replaying the finished schema, whatever method it comes from: which bindings
lead from s to s′, and what held and what changed under them.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import NamedTuple

from dias.arrays import spread
from dias.learning.certificate.coincidence import Group, groups_of_preconditions
from dias.learning.certificate.rivals import rivals
from dias.learning.certificate.support import Doubt, LiteralSupport, Support
from dias.learning.certificate.untested import States, left_out, untested
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.masks import check_masks
from dias.learning.data.refusals import count_refusals
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.transitions import Examples
from dias.learning.extend.queries import Query
from dias.learning.finish.assemble import action_schema, over_terms
from dias.learning.schema import (
    DIFFERENT,
    EQUAL,
    NOT,
    LiftedAtom,
    LiftedSchema,
    Literal,
    is_inequality,
    type_relation,
)
from dias.limits import Allowance, OutOfWorkError
from dias.strips.model import OBJECT, ActionSchema, Atom, is_subtype
from dias.traces.record import Traces, Transition

MAX_STATES = 500
"""Distinct states in which the successors are counted, spread evenly."""

CHUNK = 50
"""States of which they are counted together."""

MAX_CHECKS = 200_000
"""How long that may take, in successors and loops of the search for them. Only a schema whose
preconditions rule out next to nothing needs more; then only the first of the states are counted."""

MAX_DOUBTED = math.log(2)
"""Nats up to which a further parameter, whose price is paid, is named: with more it is twice as
likely there as not. Inequalities, which people mean unless something speaks against them, are
untested up to these, and decided above.
Measured on random domains. Seeds 1000 to 1099: two further parameters have less, of which one is
wrong; four have up to 3 nats, of which one is. Seeds 1100 to 1199: one and one, both right."""


def support(
    written: LiftedSchema,
    examples: Mapping[str, Examples],
    traces: Traces,
    safe: LiftedSchema | None = None,
    coded: CodedStates | None = None,
    states: States | None = None,
) -> Support:
    """Count what stands behind a schema.

    Args:
        written: The schema as it is written; it alone is counted.
        examples: The transitions of every action.
        traces: The same transitions, and the refused attempts.
        safe: The schema with every literal that never fails; None if nothing was left out.
        coded: The coded states of the traces, to be shared; None for new ones.
        states: Some of them (`States.of`), to be shared; None for new ones.
    """
    safe = safe or written
    transitions = [example.transition for example in examples[written.action].examples]
    schema = action_schema(written, traces)
    coded = coded or CodedStates(traces)
    applied = SchemaInTraces(schema, traces, coded)
    found = applied.explanations_of(transitions)
    groups = groups_of_preconditions(
        written, examples, [next(iter(own), None) for own in found], traces
    )
    groups = [group for group in groups if not _says_nothing(group)]
    named = [
        (tuple(literal_text(x, written.terms, traces) for x in group.literals), group)
        for group in groups
    ]
    unwritten = _unwritten_kinds(written, safe, traces)
    both = list(_literals(schema, applied, transitions, found, _chances(named), unwritten))
    literals, kinds = both[: len(both) - len(unwritten)], both[len(both) - len(unwritten) :]
    known = {literal.text for literal in literals if literal.role in ("type", "precondition")}
    weak: dict[tuple[str, ...], float] = {}  # of groups with the same literals left the weakest
    for every, group in named:
        texts = tuple(text for text in every if text in known)
        if group.is_weak and texts and not all(map(is_inequality, group.literals)):
            weak.setdefault(texts, math.exp(group.log_chance))
    doubtful = _doubtful(written, known, traces)
    if doubtful and -math.log(doubtful.chance) <= MAX_DOUBTED:
        weak.setdefault(doubtful.literals, doubtful.chance)
    doubts = [Doubt(texts, chance) for texts, chance in weak.items()]
    for own in rivals(written, safe, traces):
        kept, instead = (literal_text(x, written.terms, traces) for x in own[:2])
        doubts.append(Doubt((kept,), math.exp(min(0.0, own.log_chance)), (instead,)))
    for way in written.second_ways:
        lost, new = (
            tuple(literal_text(x, written.terms, traces) for x in own)
            for own in (way.lost, way.instead)
        )
        if gone := tuple(text for text in lost if text in known):
            doubts.append(Doubt(gone, math.exp(min(0.0, way.log_chance)), new))
    not_tested = untested(written, safe, examples, traces, coded, states)
    n_states, n_allowed, n_observed = _successors(schema, transitions, found, traces, coded)
    unexplained = tuple(place for place, own in enumerate(found) if not own)
    return Support(
        origin=written.origin,
        n_extra=written.n_variables - written.effects.n_variables,
        literals=tuple(literals),
        kinds=tuple(kinds),
        weak=tuple(sorted(doubts, key=lambda doubt: -doubt.chance)),
        missing=missing_variable(written, traces),
        refusals=count_refusals(schema, traces),
        masks=check_masks(schema, traces, coded),
        unexplained_lines=tuple(transitions[place].line for place in unexplained),
        n_states=n_states,
        n_allowed=n_allowed,
        n_observed=n_observed,
        fixed=tuple(_fixed(schema, applied, transitions, found, traces)),
        unexplained=unexplained,
        doubtful=doubtful,
        left_out=tuple(literal_text(x, written.terms, traces) for x in left_out(written, safe)),
        may_be_needed=tuple(literal_text(x, written.terms, traces) for x in not_tested.needed),
        implied=tuple(literal_text(x, written.terms, traces) for x in not_tested.implied),
        open=tuple(literal_text(x, written.terms, traces) for x in not_tested.open),
        further=tuple(_said(query, written, 2, traces) for query in written.further),
    )


def _says_nothing(group: Group) -> bool:
    """Whether what speaks for parameters to differ is as likely as not an accident."""
    return -group.log_chance <= MAX_DOUBTED and all(map(is_inequality, group.literals))


def _unwritten_kinds(written: LiftedSchema, safe: LiftedSchema, traces: Traces) -> list[Atom]:
    """The literals that say what a parameter is and were left out, though they never fail."""
    static = {p.name for p in traces.predicates if p.arity == 1} - traces.changing_predicates
    left = {atom for atom in safe.positive if atom.relation in static} - {*written.positive}
    constants = {*range(len(written.constants))}
    return sorted(
        over_terms(atom, written.terms) for atom in left if constants.isdisjoint(atom.variables)
    )


def _doubtful(written: LiftedSchema, known: Container[str], traces: Traces) -> Doubt | None:
    """What the last parameters satisfy, as far as it is known; None if nothing doubts them."""
    if written.doubtful is None:
        return None
    new = (Literal(atom, is_positive=True) for atom in written.doubtful.query)
    own = (literal_text(literal, written.terms, traces) for literal in new)
    texts = tuple(text for text in own if text in known)
    return Doubt(texts, math.exp(written.doubtful.log_chance)) if texts else None


def missing_variable(schema: LiftedSchema, traces: Traces) -> Doubt | None:
    """What a schema's hint says, as text; None if it has none."""
    if schema.hint is None:
        return None
    query, n_new, log_chance = schema.hint
    return Doubt(_said(query, schema, n_new, traces), math.exp(log_chance))


def _said(query: Query, schema: LiftedSchema, n_new: int, traces: Traces) -> tuple[str, ...]:
    """What further variables would have to satisfy, as text."""
    terms = replace(schema, n_variables=schema.n_variables + n_new).terms
    said = [
        Literal(
            atom._replace(relation=atom.relation.removeprefix(NOT)),
            not atom.relation.startswith(NOT),
        )
        for atom in query
        if atom.relation != DIFFERENT
    ]
    if not said:  # else inequalities, one for nearly each pair, say little
        said = [Literal(LiftedAtom(EQUAL, pair), False) for _, pair in query]
    return tuple(literal_text(literal, terms, traces) for literal in said)


def literal_text(literal: Literal, terms: Sequence[str], traces: Traces) -> str:
    """A lifted literal as in the domain file; one over a type like the type of a parameter."""
    (relation, variables), is_positive = literal
    own = tuple(terms[variable] for variable in variables)
    for name in traces.types:
        if relation == type_relation(name):
            return f"{own[0]} - {name}"
    return atom_text(Atom(relation, own), is_positive)


def atom_text(atom: Atom, is_positive: bool) -> str:
    """A literal over parameters as in the domain file."""
    return str(atom) if is_positive else f"(not {atom})"


class Chance(NamedTuple):
    """Chance of a literal, and whether it excludes something alone: else others would do."""

    chance: float | None = None
    is_alone: bool = False


def _chances(groups: Iterable[tuple[Sequence[str], Group]]) -> dict[str, Chance]:
    """Text of a literal to its chance: that of the weakest group that it is in."""
    chances: dict[str, Chance] = {}
    for texts, group in groups:
        own = Chance(math.exp(group.log_chance), len(texts) == 1)
        for text in texts:
            chances[text] = max(chances.get(text, own), own)
    return chances


def _literals(
    schema: ActionSchema,
    applied: SchemaInTraces,
    transitions: Sequence[Transition],
    found: Sequence[Sequence[tuple[int, ...]]],
    chances: Mapping[str, Chance],
    unwritten: Iterable[Atom],
) -> Iterator[LiteralSupport]:
    """The support of every literal, in the order of the file, then of some that are not there."""
    explained = [(t, own) for t, own in zip(transitions, found, strict=True) if own]
    n_explained = len(explained)
    chosen = [(transition.segment, *bindings[0]) for transition, bindings in explained]
    place = {variable: number for number, variable in enumerate(schema.variables, start=1)}

    def instances(terms: Sequence[str]) -> int:
        # A constant is the same everywhere.
        return len(set(map(itemgetter(0, *(place[t] for t in terms if t in place)), chosen)))

    made = {
        True: [t.next_state - t.state for t, _ in explained],
        False: [t.state - t.next_state for t, _ in explained],
    }

    def changed(atom: Atom, is_added: bool) -> int:
        # A parameter that is not in the atom may have many values: what differs in it is one.
        terms = [(place.get(term, 0) - 1, term) for term in atom.terms]
        n_changed = 0
        for (t, own), atoms in zip(explained, made[is_added], strict=True):
            objects = applied.objects(t)
            ground = {tuple([term if i < 0 else objects[b[i]] for i, term in terms]) for b in own}
            n_changed += all(Atom(atom.predicate, named) in atoms for named in ground)
        return n_changed

    for name, types in schema.parameters:
        if types != (OBJECT,):
            kind = types[0] if len(types) == 1 else f"(either {' '.join(types)})"
            text = f"{name} - {kind}"
            yield LiteralSupport(
                "type", text, n_explained, None, instances([name]), *chances.get(text, Chance())
            )
    equal, unequal = (
        {Atom(EQUAL, pair) for pair in pairs} for pairs in (schema.equalities, schema.inequalities)
    )
    for is_positive, atoms in (
        (True, schema.preconditions | equal), (False, schema.negative_preconditions | unequal)
    ):  # fmt: skip
        for atom in sorted(atoms):
            text = atom_text(atom, is_positive)
            n_instances = instances(atom.terms)
            yield LiteralSupport(
                "precondition", text, n_explained, None, n_instances, *chances.get(text, Chance())
            )
    for role, atoms in (("add", schema.add_effects), ("delete", schema.delete_effects)):
        for atom in sorted(atoms):
            is_added, n_instances = role == "add", instances(atom.terms)
            text, n_changed = atom_text(atom, is_added), changed(atom, is_added)
            yield LiteralSupport(role, text, n_explained, n_changed, n_instances, None)
    for atom in unwritten:
        n_instances = instances(atom.terms)
        yield LiteralSupport("precondition", str(atom), n_explained, None, n_instances, None)


def _fixed(
    schema: ActionSchema,
    applied: SchemaInTraces,
    transitions: Sequence[Transition],
    found: Sequence[Sequence[tuple[int, ...]]],
    traces: Traces,
) -> Iterator[tuple[str, str]]:
    """The parameters that always were the same object, where there is a choice; see `Support`.

    Always means under all bindings that explain a transition: any of them may be the right one.
    """
    explained = [(t, own) for t, own in zip(transitions, found, strict=True) if own]
    for place, (name, types) in enumerate(schema.parameters if len(explained) > 1 else ()):
        if any(binding[place] != own[0][place] for _, own in explained for binding in own):
            continue
        objects = {applied.names(t, own[0])[name] for t, own in explained}
        others = (
            other
            for segment in {t.segment for t, _ in explained}
            for other, kind in traces.segments[segment].objects.items()
            if is_subtype(kind, types, traces.types)
        )
        if len(objects) == 1 and not objects.issuperset(others):
            yield name, objects.pop()


def _successors(
    schema: ActionSchema,
    transitions: Sequence[Transition],
    found: Sequence[Sequence[tuple[int, ...]]],
    traces: Traces,
    coded: CodedStates,
) -> tuple[int, int, int]:
    """Distinct states, successors allowed in them, and those of them that were observed."""
    applied = SchemaInTraces(schema, traces, coded, Allowance(MAX_CHECKS))
    by_state: dict[tuple[int, frozenset[Atom]], list[int]] = {}
    for number, transition in enumerate(transitions):
        by_state.setdefault((transition.segment, transition.state), []).append(number)
    states = spread(list(by_state.values()), MAX_STATES)
    n_states = n_allowed = n_observed = 0
    for steps in (states[first : first + CHUNK] for first in range(0, len(states), CHUNK)):
        try:
            n_changes = applied.n_changes([transitions[own[0]] for own in steps])
        except OutOfWorkError:
            break
        n_states += len(steps)
        n_allowed += int(n_changes.sum())
        explained = [[transitions[number] for number in own if found[number]] for own in steps]
        n_observed += sum(len({applied.change(t) for t in own}) for own in explained)
    return n_states, n_allowed, n_observed
