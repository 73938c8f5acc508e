"""All argument bindings under which given effects reproduce an observed transition exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from dias.learning.data.transitions import Example, Examples
from dias.learning.schema import Effects, LiftedAtom
from dias.strips.codes import tuple_number

Bindings = list[tuple[int, ...]]
Partial = dict[int, int]

MAX_CHANGES = 100
"""Atoms that one step changes at most; a step that changes more is not explained."""


MAX_BINDINGS = 1000
"""Explanations looked at per transition. More of them say next to nothing about any."""


def explaining_bindings(effects: Effects, example: Example) -> Iterator[tuple[int, ...]]:
    r"""Every binding with s′ = (s \ Del) ∪ Add. Two variables may be bound to one object.

    Effects that change nothing are allowed: an added atom that was already true, a deleted one
    that was already false or is added as well. First every changed atom is matched with an effect,
    then the remaining effects are matched with atoms that are true in s′. None if more than
    `MAX_CHANGES` atoms changed.
    """
    changed = example.changes
    if len(changed) > min(MAX_CHANGES, len(effects.add) + len(effects.delete)):
        return
    literals = [(True, atom) for atom in effects.add] + [(False, a) for a in effects.delete]
    known = dict(enumerate(example.given[: effects.n_given]))
    found: set[tuple[int, ...]] = set()  # effects that coincide can be matched in several ways
    for partial, idle in _cover(changed, literals, known):
        for binding in _idle(idle, partial, effects, example):
            if binding not in found:
                found.add(binding)
                yield binding


def bind(effects: Effects, examples: Examples) -> list[list[tuple[int, ...]]]:
    """Per transition the bindings of the effect variables that reproduce it.

    At most `MAX_BINDINGS`; none if the transition stays unexplained.
    """
    return [
        list(islice(explaining_bindings(effects, example), MAX_BINDINGS))
        for example in examples.examples
    ]


def count_explained(effects: Effects, examples: Examples) -> int:
    """Number of transitions that the effects reproduce under at least one binding."""
    return sum(is_explained(effects, example) for example in examples.examples)


def is_explained(effects: Effects, example: Example) -> bool:
    """Whether some binding makes the effects reproduce s′ exactly."""
    return next(explaining_bindings(effects, example), None) is not None


def _cover(
    changed: Sequence[tuple[bool, str, tuple[int, ...]]],
    literals: list[tuple[bool, LiftedAtom]],
    partial: Partial,
) -> Iterator[tuple[Partial, list[tuple[bool, LiftedAtom]]]]:
    """Match every changed atom with an effect of its own; the rest of the effects is left."""
    if not changed:
        yield partial, literals
        return
    (added, relation, objects), *rest = changed
    for place, (is_add, literal) in enumerate(literals):
        if is_add == added and literal.relation == relation:
            extended = _unify(literal.variables, objects, partial)
            if extended is not None:
                yield from _cover(rest, literals[:place] + literals[place + 1 :], extended)


def _unify(
    variables: tuple[int, ...], objects: tuple[int, ...], partial: Partial
) -> Partial | None:
    """Extend a partial binding so that the variables name the objects."""
    extended = dict(partial)
    for variable, value in zip(variables, objects, strict=True):
        if extended.setdefault(variable, value) != value:
            return None
    return extended


def _idle(
    literals: list[tuple[bool, LiftedAtom]], partial: Partial, effects: Effects, example: Example
) -> Iterator[tuple[int, ...]]:
    """Complete a binding by effects that change nothing."""
    for place, (is_add, literal) in enumerate(literals):
        if is_add and any(v not in partial for v in literal.variables):
            # An atom that is true binds variables; one that is false says too little.
            rest = literals[:place] + literals[place + 1 :]
            for objects in _rows(example, literal.relation):
                extended = _unify(literal.variables, objects, partial)
                if extended is not None:
                    yield from _idle(rest, extended, effects, example)
            return
    free = [v for v in range(effects.n_variables) if v not in partial]
    for values in product(range(len(example.codes.objects)), repeat=len(free)):
        binding = partial | dict(zip(free, values, strict=True))
        added = {ground_code(example, atom, binding) for atom in effects.add}
        # What an effect changed is matched already. A deleted atom may be there if it is added too.
        if added <= example.next_state and all(
            is_add
            or (code := ground_code(example, atom, binding)) not in example.next_state
            or code in added
            for is_add, atom in literals
        ):
            yield tuple(binding[v] for v in range(effects.n_variables))


def _rows(example: Example, relation: str) -> list[tuple[int, ...]]:
    """The atoms of a relation that are true in s′."""
    codes = example.codes
    own = codes.of(relation)
    return [
        codes.split(code)[1] for code in sorted(example.next_state) if own.start <= code < own.stop
    ]


def ground_code(
    example: Example, literal: LiftedAtom, binding: Mapping[int, int] | Sequence[int]
) -> int:
    """The code of the atom that a lifted one becomes when each variable is given its object."""
    objects, codes = map(binding.__getitem__, literal.variables), example.codes
    code: int = tuple_number(objects, len(codes.objects)) + codes.offset[literal.relation]
    return code
