"""All argument bindings under which given effects reproduce an observed transition exactly."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, count, islice

from dias.learning.data.transitions import Example
from dias.learning.schema import Effects, LiftedAtom
from dias.limits import check

Partial = dict[int, int]

MAX_CHANGES = 100
"""Atoms that one step changes at most; a step that changes more is not explained."""


MAX_PARTIAL = 5_000
"""Partial bindings of one step looked at; of one that needs more, those found by then
are all."""

MAX_BINDINGS = 1000
"""Explanations looked at per transition. More of them say next to nothing about any."""

MIN_ALIKE = 7
"""Variables that may be exchanged of which not all orders are looked at: 7! is beyond
`MAX_BINDINGS`."""


def explaining_bindings(effects: Effects, example: Example) -> Iterator[tuple[int, ...]]:
    r"""Every binding with s′ = (s \ Del) ∪ Add. Two variables may be bound to one object.

    Of bindings that differ in the order of many `alike` variables only one.

    Effects that change nothing are allowed: an added atom that was already true, a deleted one
    that was already false or is added as well. First every changed atom is matched with an effect,
    then the remaining effects are matched with atoms that are true in s′. None if more than
    `MAX_CHANGES` atoms changed.
    """
    check()
    changed = example.changes
    if len(changed) > min(MAX_CHANGES, len(effects.add) + len(effects.delete)):
        return
    literals = [(True, atom) for atom in effects.add] + [(False, a) for a in effects.delete]
    offered = [(is_added, atom.relation) for is_added, atom in literals]
    if any(offered.count(kind) < n for kind, n in example.n_changes.items()):
        return
    known = dict(enumerate(example.given[: effects.n_given]))
    found: set[tuple[int, ...]] = set()  # effects that coincide can be matched in several ways
    looked_at = count()
    same = alike(effects) if effects.n_variables >= MIN_ALIKE else {}
    for partial, idle in _cover(changed, literals, known, looked_at, same):
        for binding in _idle(idle, partial, effects, example, looked_at, same):
            if binding not in found:
                found.add(binding)
                yield binding


@lru_cache(maxsize=256)
def alike(effects: Effects) -> dict[int, int]:
    """Variables that may be exchanged, by the thousands of ways; each with the first of its kind.

    There are none where all the orders of them can be looked at.
    """
    adds, deletes, first = set(effects.add), set(effects.delete), dict[int, int]()
    for variable in range(effects.n_given, effects.n_variables):
        for other in dict.fromkeys(first.values()):
            place = [*range(effects.n_variables)]
            place[variable], place[other] = other, variable
            if all({atom.renamed(place) for atom in own} == own for own in (adds, deletes)):
                first[variable] = other
                break
        else:
            first[variable] = variable
    sizes = Counter(first.values())
    return {v: other for v, other in first.items() if sizes[other] >= MIN_ALIKE}


def is_explained(effects: Effects, example: Example) -> bool:
    """Whether some binding makes the effects reproduce s′ exactly."""
    return next(explaining_bindings(effects, example), None) is not None


def _cover(
    changed: Sequence[tuple[bool, str, tuple[int, ...]]],
    literals: list[tuple[bool, LiftedAtom]],
    partial: Partial,
    looked_at: Iterator[int],
    same: Mapping[int, int],
) -> Iterator[tuple[Partial, list[tuple[bool, LiftedAtom]]]]:
    """Match every changed atom with an effect of its own; the rest of the effects is left."""
    if next(looked_at) > MAX_PARTIAL:
        return
    if not changed:
        yield partial, literals
        return
    (added, relation, objects), *rest = changed
    tried: set[tuple[int, ...]] = set()
    for place, (is_add, literal) in enumerate(literals):
        if is_add == added and literal.relation == relation:
            if same:
                kind = tuple(v if v in partial else same.get(v, v) for v in literal.variables)
                if kind in tried:
                    continue
                tried.add(kind)
            extended = _unify(literal.variables, objects, partial)
            if extended is not None:
                left = literals[:place] + literals[place + 1 :]
                yield from _cover(rest, left, extended, looked_at, same)


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
    literals: list[tuple[bool, LiftedAtom]],
    partial: Partial,
    effects: Effects,
    example: Example,
    looked_at: Iterator[int],
    same: Mapping[int, int],
) -> Iterator[tuple[int, ...]]:
    """Complete a binding by effects that change nothing."""
    adds = [atom for is_add, atom in literals if is_add]
    deletes = [atom for is_add, atom in literals if not is_add]
    for binding in _added_already(adds, partial, example, looked_at):
        added = {ground_code(example, atom, binding) for atom in effects.add}
        n_variables = effects.n_variables
        for whole in _spared(deletes, binding, added, n_variables, example, looked_at, same):
            yield tuple(whole[v] for v in range(effects.n_variables))


def _added_already(
    adds: list[LiftedAtom], partial: Partial, example: Example, looked_at: Iterator[int]
) -> Iterator[Partial]:
    """Bind the variables of added atoms so that these are true in s′.

    An atom that is true binds variables; one that is false says too little.
    """
    if next(looked_at) > MAX_PARTIAL:
        return
    for place, atom in enumerate(adds):
        known = [(p, partial[v]) for p, v in enumerate(atom.variables) if v in partial]
        if len(known) == len(atom.variables):
            if ground_code(example, atom, partial) not in example.next_state:
                return
        else:
            rest = adds[:place] + adds[place + 1 :]
            for objects in example.rows_after.get(atom.relation, ()):
                for position, value in known:
                    if objects[position] != value:
                        break
                else:
                    extended = _unify(atom.variables, objects, partial)
                    if extended is not None:
                        yield from _added_already(rest, extended, example, looked_at)
            return
    yield partial


def _spared(
    deletes: list[LiftedAtom],
    partial: Partial,
    added: set[int],
    n_variables: int,
    example: Example,
    looked_at: Iterator[int],
    same: Mapping[int, int],
) -> Iterator[Partial]:
    """Bind the other variables, one after another, so that no deleted atom is there.

    It may be there if it is added, too. All objects of deleted atoms fit the types of these. What
    is yielded changes when more is asked for.
    """
    if next(looked_at) > MAX_PARTIAL:
        return
    for variable in {v for atom in deletes for v in atom.variables if v in partial}:
        if partial[variable] not in _fitting(variable, deletes, example):
            return
    whole, there = dict(partial), example.next_state
    free = [v for v in range(n_variables) if v not in partial]
    due: dict[int, list[LiftedAtom]] = {}  # deleted atoms by the last variable they wait for
    for atom in deletes:
        waiting = [v for v in atom.variables if v not in partial]
        if waiting:
            due.setdefault(max(waiting), []).append(atom)
        else:
            code = ground_code(example, atom, partial)
            if code in there and code not in added:
                return
    fitting = {v: _fitting(v, deletes, example) for v in free}
    hopeless: set[int] = set()  # variables that no object fits, whatever the others are

    def others(place: int) -> tuple[list[int], list[int]]:
        """What an `alike` variable may be bound to: larger than those before it, bound to no other.

        And what it is bound to if none of these fits: an object that another one is bound to.
        """
        group = [v for v in same if same[v] == same[free[place]]]
        bound = [whole[v] for v in group if v in partial or v in free[:place]]
        first = max((whole[v] + 1 for v in free[:place] if v in group), default=0)
        left = fitting[free[place]]
        return [o for o in left[bisect_left(left, first) :] if o not in bound], bound[:1]

    def bind_from(place: int) -> Iterator[Partial]:
        if place == len(free):
            yield whole
            return
        variable, own, lines = free[place], due.get(free[place], ()), []
        if variable in hopeless:
            deque(islice(looked_at, len(fitting[variable])), 0)
            return
        for atom in own:  # its code grows evenly with the object
            first, second = (ground_code(example, atom, {**whole, variable: o}) for o in (0, 1))
            lines.append((first, second - first))
        fits = False
        values, last = others(place) if variable in same else (fitting[variable], ())
        for value in chain(values, last):
            if fits and value in last:
                break
            if next(looked_at) > MAX_PARTIAL:
                return
            for first, step in lines:
                code = first + step * value
                if code in there and code not in added:
                    break
            else:
                fits, whole[variable] = True, value
                yield from bind_from(place + 1)
        if not fits and all(v == variable or v in partial for atom in own for v in atom.variables):
            hopeless.add(variable)

    yield from bind_from(0)


def _fitting(variable: int, atoms: Sequence[LiftedAtom], example: Example) -> Sequence[int]:
    """The objects that may stand wherever a variable does in some atoms, by their types."""
    found: Sequence[int] = range(len(example.codes.objects))
    for atom in atoms if example.fitting else ():
        for position, own in enumerate(atom.variables):
            there = example.fitting.get((atom.relation, position))
            if own == variable and there is not None:
                found = [number for number in found if number in there]
    return found


def ground_code(
    example: Example, literal: LiftedAtom, binding: Mapping[int, int] | Sequence[int]
) -> int:
    """The code of the atom that a lifted one becomes when each variable is given its object."""
    codes, place = example.codes, 0
    n_objects = len(codes.objects)
    for variable in literal.variables:  # as `tuple_number`, which takes arrays as well
        place = place * n_objects + binding[variable]
    return place + codes.offset[literal.relation]
