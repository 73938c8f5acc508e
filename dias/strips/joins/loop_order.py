"""Which loop comes next in the enumeration of a schema's bindings."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sized

from dias.strips.joins.relations import IndexKey, Relations
from dias.strips.model import ActionSchema, Atom

Loop = tuple[Atom | None, str]
"""A loop over the rows of a precondition, or (None) over all objects of a parameter's types."""


def lookup_key(atom: Atom, bound: Container[str]) -> IndexKey:
    """How the rows of an atom are looked up where some variables are bound."""
    known = (p for p, t in enumerate(atom.terms) if not t.startswith("?") or t in bound)
    return IndexKey(atom.predicate, tuple(known))


def next_loop(
    schema: ActionSchema,
    relations: Relations,
    candidates: Mapping[str, Sized],
    bound: Container[str],
    needed: Collection[str] | None = None,
) -> Loop:
    """The loop that is expected to run the fewest times; of equal ones the first.

    Args:
        schema: The schema.
        relations: Where its atoms are looked up.
        candidates: Parameter to the objects that its types admit.
        bound: Variables bound by the loops around it; not all of them.
        needed: Variables that must be bound before what changes is known. A loop that only binds
            others, and depends on nothing, comes after theirs. None: all alike.
    """

    def can_wait(variables: Collection[str]) -> bool:
        return needed is not None and not any(variable in needed for variable in variables)

    def choices() -> Iterator[tuple[bool, float, int, Loop]]:
        preconditions = sorted(schema.preconditions)
        for place, atom in enumerate(preconditions):
            free = [t for t in atom.terms if t.startswith("?") and t not in bound]
            if free:
                key = lookup_key(atom, bound)
                waits = not key.positions and can_wait(free)
                yield waits, relations.fan_out(key), place, (atom, "")
        for place, name in enumerate(schema.variables, len(preconditions)):
            if name not in bound:
                yield can_wait([name]), len(candidates[name]), place, (None, name)

    return min(choices(), key=lambda choice: choice[:3])[-1]
