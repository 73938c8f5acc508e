"""Types for traces that have none, from the static relations that divide their objects.

Where ``(ball b)`` and ``(room r)`` never change, and each object is a ball or a room and not both,
people declare types; where each truck and each airplane is a ``vehicle`` too, they declare these
as kinds of vehicles. `dias.learning.finish.types` writes what was learned with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from dias.strips.model import OBJECT, supertypes
from dias.strips.type_facts import OF_OBJECTS
from dias.traces.extents import Extents, Key, places, seen, static_extents
from dias.traces.record import Traces

Kinds = frozenset[frozenset[str]]
"""The sets of relations that hold of the same object, each once."""

MIN_DIVIDED, MIN_PLACED = 3, 2
"""Objects of one problem that a relation must hold of to be divided into subtypes, and to be a
subtype since they have a place of their own. That each of two objects has one of two marks is an
accident that happens often, and of a single one nobody can tell what it is from how it is."""


class Types(NamedTuple):
    """The types of the objects of traces.

    Attributes:
        parents: Type to parent type, sorted by name; empty if there are none.
        objects: Object to its type.
        relations: Relation to the type that it says: of the same name, or `OF_OBJECTS`.
        obstacle: Why there are none, as the rest of a sentence.
    """

    parents: Mapping[str, str] = {}
    objects: Mapping[Key, str] = {}
    relations: Mapping[str, str] = {}
    obstacle: str = ""

    @property
    def widest(self) -> frozenset[str]:
        """The relations that say types right below the root."""
        return frozenset(
            name for name, kind in self.relations.items() if self.parents[kind] == OBJECT
        )

    def of_all(self, kinds: Iterable[str]) -> str:
        """The narrowest type that has all of these below it; the root for none."""
        chains = [supertypes(kind, self.parents) for kind in sorted({*kinds})]
        shared = (kind for kind in (*chains, ())[0] if all(kind in own for own in chains))
        return next(shared, OBJECT)


def infer_types(traces: Traces, but: Collection[str] = ()) -> Types:
    """Static relations of one argument as types, if they divide the objects.

    Of each object of each segment exactly one of the widest types holds. Relations within a type
    are subtypes if they divide it in one way only, or if there are places in atoms that are filled
    by their objects alone (airplanes are at airports); those of the latter that overlap are none.
    Of several choices wide relations go first, of relations that hold of the same objects the one
    with the shortest name. That of a relation called `OBJECT`, as the root is, is called
    `OF_OBJECTS`; it is one only where the others do not divide the objects without it.

    Args:
        traces: The traces.
        but: Relations that are to stay such.
    """
    kept: dict[frozenset[str], Types] = vars(traces).setdefault("inferred_types", {})
    if (own := frozenset(but)) not in kept:
        kept[own] = _infer(traces, own)
    return kept[own]


def _infer(traces: Traces, but: Collection[str]) -> Types:
    """The types; see `infer_types`, which keeps them with the traces."""
    if traces.types:
        return Types(obstacle="the traces have types")
    whole = seen(traces)
    extents = static_extents(whole)
    filled = places(whole, extents)
    root = extents.pop(OBJECT, frozenset())
    relations = _one_for_each({name: own for name, own in extents.items() if name not in but})
    is_taken = any(atom.predicate == OF_OBJECTS for own in whole for atom in own.ever)
    every = frozenset(
        (number, name) for number, own in enumerate(traces.segments) for name in own.objects
    )
    widest = _division(_kinds(every, relations), relations)
    has_root = widest is None and OBJECT not in but and not is_taken and 0 < len(root) < len(every)
    if has_root:
        relations = relations | {OF_OBJECTS: root}
        widest = _division(_kinds(every, relations), relations)
    parents = dict(
        pair
        for top in sorted(widest or ())
        for pair in ((top, OBJECT), *_subtypes(top, relations[top], relations, filled))
    )
    if not parents:
        return Types(obstacle=_obstacle(every, relations, is_taken and bool(root), sorted({*but})))
    narrow_first = sorted(parents, key=lambda name: -len(supertypes(name, parents)))
    objects = {
        key: next(name for name in narrow_first if key in relations[name]) for key in sorted(every)
    }
    for (_, name), kind in objects.items():
        if name in traces.constants and kind != objects[0, name]:
            return Types(obstacle=f"the constant {name} is of two kinds")
    said_by = {OBJECT if has_root and kind == OF_OBJECTS else kind: kind for kind in parents}
    return Types(dict(sorted(parents.items())), objects, said_by)


def _subtypes(
    name: str, own: frozenset[Key], relations: Extents, filled: Collection[frozenset[Key]]
) -> Iterator[tuple[str, str]]:
    """The types below one, each with its parent; `own` are the objects of that one."""
    inside = {r: extent for r, extent in relations.items() if extent < own}
    found: Collection[str] = ()
    if _most_in_one_problem(own) >= MIN_DIVIDED:
        found = _only_division(_kinds(own, inside), inside)
    if not found:
        apart = {r: extent for r, extent in inside.items() if _has_a_place(extent, own, filled)}
        fits = {
            r
            for r, x in apart.items()
            if all(x <= y or y <= x or not x & y for y in apart.values())
        }
        found = [r for r in fits if not any(apart[r] < apart[other] for other in fits)]
    for below in sorted(found):
        yield below, name
        yield from _subtypes(below, relations[below], relations, filled)


def _has_a_place(
    extent: frozenset[Key], own: frozenset[Key], filled: Iterable[frozenset[Key]]
) -> bool:
    """Whether of some objects those of a relation alone stand somewhere, all of a problem's."""
    for there in filled:
        among = there & own
        if among <= extent:
            left_out = {number for number, _ in extent - among}
            if _most_in_one_problem({k for k in among if k[0] not in left_out}) >= MIN_PLACED:
                return True
    return False


def _only_division(kinds: Kinds, inside: Extents) -> frozenset[str]:
    """The relations of which exactly one is in each of the sets.

    None if there are none, or if others that overlap them do as well.
    """
    found = _division(kinds, inside) or frozenset()
    for name in inside.keys() - found:
        own = inside[name]
        is_nested = all(own <= x or x <= own or not own & x for x in map(inside.get, found) if x)
        if not is_nested and _division_with(name, kinds, inside) is not None:
            return frozenset()
    return found


def _division(kinds: Kinds, relations: Extents) -> frozenset[str] | None:
    """Relations of which exactly one is in each of the sets, wide ones first; None if none are."""
    if not kinds:
        return frozenset()
    fewest = min(kinds, key=lambda own: (len(own), sorted(own)))
    for name in sorted(fewest, key=lambda r: (-len(relations[r]), len(r), r)):
        found = _division_with(name, kinds, relations)
        if found is not None:
            return found
    return None


def _division_with(name: str, kinds: Kinds, relations: Extents) -> frozenset[str] | None:
    """The same with this relation among them."""
    overlapping = frozenset[str]().union(*(own for own in kinds if name in own))
    rest = frozenset(own - overlapping for own in kinds if name not in own)
    found = _division(rest, relations)
    return None if found is None else found | {name}


def _kinds(objects: frozenset[Key], relations: Extents) -> Kinds:
    return frozenset(
        frozenset(name for name, own in relations.items() if key in own) for key in objects
    )


def _most_in_one_problem(own: Collection[Key]) -> int:
    return max(Counter(number for number, _ in own).values(), default=0)


def _one_for_each(extents: Extents) -> Extents:
    """Of relations that hold of the same objects the one with the shortest name."""
    first = {extents[r]: r for r in sorted(extents, key=lambda r: (len(r), r), reverse=True)}
    return {name: own for own, name in first.items()}


def _obstacle(
    every: frozenset[Key], relations: Extents, is_taken: bool, but: Collection[str]
) -> str:
    """Why the relations do not divide the objects."""
    if but:
        return f"an action must not be applied to what is {' or '.join(but)}: types cannot say so"
    bare = min((name for _, name in every.difference(*relations.values())), default=None)
    if bare is not None:
        but_root = f" but {OBJECT}, whose type would be called like relation {OF_OBJECTS},"
        return f"no static relation of one argument{but_root * is_taken} says what {bare} is"
    names = sorted(OBJECT if name == OF_OBJECTS and not is_taken else name for name in relations)
    return f"the relations {', '.join(names)} overlap" if every else "it has no objects"
