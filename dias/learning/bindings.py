"""All argument bindings under which given effects reproduce an observed transition exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from dias.learning.examples import Example, LiftedAtom

Bindings = list[tuple[int, ...]]
Partial = dict[int, int]

MAX_CHANGES = 100
"""Atoms that one step changes at most; a step that changes more is not explained."""


class Effects(NamedTuple):
    """Lifted effects over the variables 0 … n_variables - 1.

    The first `n_given` variables are arguments that the transitions give; each of the others
    occurs in an effect.
    """

    n_variables: int
    add: tuple[LiftedAtom, ...]
    delete: tuple[LiftedAtom, ...]
    n_given: int = 0


def compact(add: list[LiftedAtom], delete: list[LiftedAtom], n_given: int = 0) -> Effects:
    """Renumber the variables that are given or occur to 0, 1, …, in the same order."""
    used = sorted({v for atom in add + delete for v in atom.variables} | set(range(n_given)))
    number = {variable: i for i, variable in enumerate(used)}

    def renamed(atoms: list[LiftedAtom]) -> tuple[LiftedAtom, ...]:
        return tuple(
            LiftedAtom(atom.relation, tuple(number[v] for v in atom.variables)) for atom in atoms
        )

    return Effects(len(used), renamed(add), renamed(delete), n_given)


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
    given = example.transition.arguments[: effects.n_given]
    known = {place: example.codes.object_number[name] for place, name in enumerate(given)}
    if len(set(known.values())) < len(known):
        return  # one object as two arguments: binding is injective
    for partial, idle in _cover(changed, literals, known):
        yield from _idle(idle, partial, effects.n_variables, example)


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
    first = codes.offset[relation]
    end = first + len(codes.objects) ** codes.arities[relation]
    kept = example.state & example.next_state
    return [codes.split(code)[1] for code in sorted(c for c in kept if first <= c < end)]


def ground_code(
    example: Example, literal: LiftedAtom, binding: Mapping[int, int] | Sequence[int]
) -> int:
    """The code of the atom that a lifted one becomes when each variable is given its object."""
    code = 0
    for variable in literal.variables:
        code = code * len(example.codes.objects) + binding[variable]
    return example.codes.offset[literal.relation] + code
