"""Source text of the atoms of an action schema, as `dias.strips.joins.join` writes it.

Parameter number i is the variable ``v<i>``, which holds an object number; the state is ``state``.
"""

from __future__ import annotations

from collections.abc import Iterable

from dias.strips.codes import AtomCodes
from dias.strips.model import ActionSchema, Atom
from dias.strips.unify import Unifier


class AtomText:
    """Writes the terms and atoms of one schema.

    Args:
        schema: The schema.
        codes: The numbering of atoms and objects.
        unifier: Which of its terms may be one object.
    """

    def __init__(self, schema: ActionSchema, codes: AtomCodes, unifier: Unifier) -> None:
        self._schema = schema
        self._unifier = unifier
        self._place = {variable: number for number, variable in enumerate(schema.variables)}
        self._codes = codes

    def value(self, term: str) -> str:
        """Of a term: a bound variable or the number of a constant."""
        if term.startswith("?"):
            return f"v{self._place[term]}"
        return str(self._codes.object_number[term])

    def code(self, atom: Atom) -> str:
        """Of the code of a lifted atom, in Horner form."""
        text = ""
        for term in atom.terms:
            higher = f"({text}) * {len(self._codes.objects)} + " if text else ""
            text = higher + self.value(term)
        offset = self._codes.offset[atom.predicate]
        return f"{offset} + {text}" if text else str(offset)

    def codes(self, atoms: Iterable[Atom]) -> str:
        """Of the set of the codes of lifted atoms."""
        return f"frozenset(({''.join(f'{self.code(atom)}, ' for atom in sorted(atoms))}))"

    def effects(self) -> dict[str, tuple[set[str], str]]:
        """Of the sets of what changes: name, variables needed, text."""
        schema = self._schema
        # An atom both added and deleted ends up true.
        delete_effects = schema.delete_effects - schema.add_effects
        added, deleted = self.codes(schema.add_effects), self.codes(delete_effects)
        needed = variables_of(delete_effects)
        if self._unifier.overlap(delete_effects, schema.add_effects):
            deleted = f"({deleted} - {added})"
            needed |= variables_of(schema.add_effects)
        # Only what the preconditions leave open needs a look at the state.
        if not schema.add_effects <= schema.negative_preconditions:
            added += " - state"
        if not delete_effects <= schema.preconditions:
            deleted += " & state"
        return {"added": (variables_of(schema.add_effects), added), "deleted": (needed, deleted)}


def variables_of(atoms: Iterable[Atom]) -> set[str]:
    """The variables that occur in the atoms."""
    return {term for atom in atoms for term in atom.terms if term.startswith("?")}
