"""The literals of action schemas: what a comparison counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dias.strips.model import ActionSchema, Atom
from dias.strips.pddl.declarations import EQUALITY

PRECONDITION, EFFECT = "precondition", "effect"


class PlacedLiteral(NamedTuple):
    """An atom or its negation in the precondition or the effect of a schema.

    Attributes:
        part: `PRECONDITION` or `EFFECT`.
        positive: False for a negation.
        atom: The atom; an equality has the predicate ``=`` and its terms in order of name.
    """

    part: str
    positive: bool
    atom: Atom

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"

    def rename(self, terms: Mapping[str, str], predicates: Mapping[str, str]) -> PlacedLiteral:
        """The literal in other names; what is not mapped stays."""
        predicate, own = self.atom
        renamed = tuple(terms.get(term, term) for term in own)
        if predicate == EQUALITY:
            return self._replace(atom=Atom(predicate, tuple(sorted(renamed))))
        return self._replace(atom=Atom(predicates.get(predicate, predicate), renamed))


def literals(schema: ActionSchema) -> list[PlacedLiteral]:
    """The literals of a schema: preconditions, then effects, positive ones first, sorted."""

    def equalities(pairs: frozenset[tuple[str, str]]) -> set[Atom]:
        return {Atom(EQUALITY, tuple(sorted(pair))) for pair in pairs}

    return [
        PlacedLiteral(part, positive, atom)
        for part, positive, atoms in (
            (PRECONDITION, True, schema.preconditions),
            (PRECONDITION, True, equalities(schema.equalities)),
            (PRECONDITION, False, schema.negative_preconditions),
            (PRECONDITION, False, equalities(schema.inequalities)),
            (EFFECT, True, schema.add_effects),
            (EFFECT, False, schema.delete_effects),
        )
        for atom in sorted(atoms)
    ]
