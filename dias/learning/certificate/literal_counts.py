"""How often each literal of a finished schema was observed, and the chance that it is none."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from dias.learning.certificate.allowed import Allowed
from dias.learning.certificate.coincidence import Group, log_tail
from dias.learning.certificate.support import LiteralSupport
from dias.learning.data.replay import SchemaInTraces
from dias.learning.schema import EQUAL
from dias.strips.model import OBJECT, ActionSchema, Atom, is_subtype, typed
from dias.traces.record import Traces, Transition


class Chance(NamedTuple):
    """Chance of a literal, and whether it excludes something alone: else others would do."""

    chance: float | None = None
    is_alone: bool = False


def chances_of(groups: Iterable[tuple[Sequence[str], Group]]) -> dict[str, Chance]:
    """Text of a literal to its chance: that of the weakest group that it is in."""
    chances: dict[str, Chance] = {}
    for texts, group in groups:
        own = Chance(math.exp(group.log_chance), len(texts) == 1)
        for text in texts:
            chances[text] = max(chances.get(text, own), own)
    return chances


def literals_of(
    schema: ActionSchema,
    applied: SchemaInTraces,
    transitions: Sequence[Transition],
    found: Sequence[Sequence[tuple[int, ...]]],
    chances: Mapping[str, Chance],
    unwritten: Iterable[Atom],
    narrow: Container[str] = (),
    allowed: Allowed | None = None,
) -> Iterator[LiteralSupport]:
    """The support of every literal, in the order of the file, then of some that are not there."""
    explained = [(t, own) for t, own in zip(transitions, found, strict=True) if own]
    n_explained, steps = len(explained), [t for t, _ in explained]
    chosen = [(transition.segment, *bindings[0]) for transition, bindings in explained]
    place = {variable: number for number, variable in enumerate(schema.variables, start=1)}

    def instances(terms: Sequence[str]) -> int:
        # A constant is the same everywhere.
        return len(set(map(itemgetter(0, *(place[t] for t in terms if t in place)), chosen)))

    made = {
        True: [t.next_state - t.state for t, _ in explained],
        False: [t.state - t.next_state for t, _ in explained],
    }

    def changed(atom: Atom, is_added: bool) -> tuple[int, int]:
        # A parameter that is not in the atom may have many values: what differs in it is one.
        terms = [(place.get(term, 0) - 1, term) for term in atom.terms]
        n_changed = n_perhaps = 0
        for (t, own), atoms in zip(explained, made[is_added], strict=True):
            objects = applied.objects(t)
            ground = {tuple([term if i < 0 else objects[b[i]] for i, term in terms]) for b in own}
            is_made = [Atom(atom.predicate, named) in atoms for named in ground]
            n_changed, n_perhaps = n_changed + all(is_made), n_perhaps + any(is_made)
        return n_changed, n_perhaps

    for name, types in schema.parameters:
        if types != (OBJECT,):
            text = typed(name, types)
            yield LiteralSupport(
                "type", text, n_explained, None, instances([name]), *chances.get(text, Chance()),
                is_narrow=name in narrow,
            )  # fmt: skip
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
            text, (n_changed, n_perhaps) = atom_text(atom, is_added), changed(atom, is_added)
            expected = allowed.n_expected(atom, is_added, steps) if allowed else 0.0
            log_few = log_tail(n_perhaps, n_explained, expected)
            yield LiteralSupport(
                role, text, n_explained, n_changed, n_instances, None, log_few=log_few
            )
    for atom in unwritten:
        n_instances = instances(atom.terms)
        yield LiteralSupport("precondition", str(atom), n_explained, None, n_instances, None)


def fixed_parameters(
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
        first = applied.objects(explained[0][0])[explained[0][1][0][place]]
        if any(applied.objects(t)[own[0][place]] != first for t, own in explained):
            continue
        others = (
            other
            for segment in {t.segment for t, _ in explained}
            for other, kind in traces.segments[segment].objects.items()
            if is_subtype(kind, types, traces.types)
        )
        if any(other != first for other in others):
            yield name, first


def atom_text(atom: Atom, is_positive: bool) -> str:
    """A literal over parameters as in the domain file."""
    return str(atom) if is_positive else f"(not {atom})"
