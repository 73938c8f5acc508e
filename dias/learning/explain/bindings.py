"""All argument bindings under which given effects reproduce an observed transition exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations

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
    r"""Every injective binding with s′ = (s \ Del) ∪ Add.

    Effects that change nothing are allowed: an added atom that was already true, a deleted one
    that was already false. First every changed atom is matched with an effect, then the
    remaining effects are matched with atoms that did not change. None if more than `MAX_CHANGES`
    atoms changed.
    """
    changed = example.changes
    if len(changed) > min(MAX_CHANGES, len(effects.add) + len(effects.delete)):
        return
    literals = [(True, atom) for atom in effects.add] + [(False, a) for a in effects.delete]
    known = dict(enumerate(example.arguments[: effects.n_given]))
    if len(set(known.values())) < len(known):
        return  # one object as two arguments: binding is injective
    for partial, idle in _cover(changed, literals, known):
        yield from _idle(idle, partial, effects.n_variables, example)


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
    """Extend a partial injective binding so that the variables name the objects."""
    extended = dict(partial)
    for variable, value in zip(variables, objects, strict=True):
        known = extended.get(variable)
        if known is None:
            if value in extended.values():
                return None
            extended[variable] = value
        elif known != value:
            return None
    return extended


def _idle(
    literals: list[tuple[bool, LiftedAtom]], partial: Partial, n_variables: int, example: Example
) -> Iterator[tuple[int, ...]]:
    """Complete a binding by effects that change nothing."""
    for place, (is_add, literal) in enumerate(literals):
        if is_add and any(v not in partial for v in literal.variables):
            # An atom that stays true binds variables; one that stays false says too little.
            rest = literals[:place] + literals[place + 1 :]
            for objects in _rows(example, literal.relation):
                extended = _unify(literal.variables, objects, partial)
                if extended is not None:
                    yield from _idle(rest, extended, n_variables, example)
            return
    free = [v for v in range(n_variables) if v not in partial]
    used = set(partial.values())
    others = [o for o in range(len(example.codes.objects)) if o not in used] if free else []
    for values in permutations(others, len(free)):
        binding = partial | dict(zip(free, values, strict=True))
        # What an effect changed is matched already, so here s and s′ say the same.
        if all(
            (ground_code(example, a, binding) in example.next_state) == add for add, a in literals
        ):
            yield tuple(binding[v] for v in range(n_variables))


def _rows(example: Example, relation: str) -> list[tuple[int, ...]]:
    """The atoms of a relation that are true before and after."""
    codes = example.codes
    own, kept = codes.of(relation), example.state & example.next_state
    return [codes.split(code)[1] for code in sorted(kept) if own.start <= code < own.stop]


def ground_code(
    example: Example, literal: LiftedAtom, binding: Mapping[int, int] | Sequence[int]
) -> int:
    """The code of the atom that a lifted one becomes when each variable is given its object."""
    objects, codes = map(binding.__getitem__, literal.variables), example.codes
    code: int = tuple_number(objects, len(codes.objects)) + codes.offset[literal.relation]
    return code
