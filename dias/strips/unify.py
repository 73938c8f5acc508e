"""Which terms and atoms of a schema may come out as one.

Two parameters may be the same object unless an inequality or their types forbid it. An action that
adds and deletes the same ground atom leaves it true, so where a deleted atom may coincide with an
added one, only the binding says what is deleted.
"""

from __future__ import annotations

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, is_subtype


class Unifier:
    """Tells what may be one and the same under some binding of a schema.

    Args:
        schema: The schema.
        domain: Its domain, for types and constants.
    """

    def __init__(self, schema: ActionSchema, domain: Domain) -> None:
        self._parents = domain.types
        self._types: dict[str, tuple[str, ...]] = dict(schema.parameters)
        self._types |= {name: (kind,) for name, kind in domain.constants.items()}
        self._unequal = {frozenset(pair) for pair in schema.inequalities}

    def may_be_one(self, left: str, right: str) -> bool:
        """Whether two terms may be the same object."""
        if left == right:
            return True
        if frozenset((left, right)) in self._unequal or not (left[0] == "?" or right[0] == "?"):
            return False
        return self._may_be(left, right) or self._may_be(right, left)

    def _may_be(self, term: str, variable: str) -> bool:
        """Whether an object of a type of `term` may be bound to `variable`."""
        wanted = self._types.get(variable, (OBJECT,))
        return variable[0] == "?" and any(
            is_subtype(kind, wanted, self._parents) for kind in self._types.get(term, (OBJECT,))
        )

    def may_unify(self, atom: Atom, other: Atom) -> bool:
        """Whether two atoms may become the same ground atom."""
        return atom.predicate == other.predicate and all(
            map(self.may_be_one, atom.terms, other.terms)
        )

    def overlap(self, atoms: frozenset[Atom], others: frozenset[Atom]) -> frozenset[Atom]:
        """Those of `atoms` that may become the same ground atom as one of `others`."""
        return frozenset(
            atom for atom in atoms if any(self.may_unify(atom, other) for other in others)
        )
