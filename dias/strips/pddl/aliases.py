"""Stand-ins for the names of a PDDL file that every parser accepts."""

from __future__ import annotations

from collections.abc import Iterable

from dias.strips.model import Atom
from dias.strips.pddl.declarations import EQUALITY


class Aliases:
    """Names that the pddl package accepts: one letter for the role, and a running number."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self._aliases: dict[tuple[str, str], str] = {}

    def __call__(self, role: str, name: str) -> str:
        """The alias of a name; the same name in two roles has two."""
        if (role, name) not in self._aliases:
            alias = f"{role}{len(self.names)}"
            self._aliases[role, name] = alias
            self.names[alias] = name
        return self._aliases[role, name]

    def term(self, name: str) -> str:
        """The alias of a constant or, with its question mark, of a variable."""
        return f"?{self('v', name)}" if name.startswith("?") else self("o", name)

    def typed(self, name: str, types: Iterable[str]) -> str:
        """``name - type`` with the aliases of the types; `name` is one already."""
        kinds = [self("t", kind) for kind in types]
        return f"{name} - {kinds[0]}" if len(kinds) == 1 else f"{name} - (either {' '.join(kinds)})"

    def conjunction(self, literals: Iterable[tuple[bool, Atom]]) -> str:
        """The conjunction of literals (positive or not, atom) with the aliases of their names."""
        return f"(and {' '.join(self._literal(*literal) for literal in literals)})"

    def _literal(self, positive: bool, atom: Atom) -> str:
        predicate = EQUALITY if atom.predicate == EQUALITY else self("p", atom.predicate)
        text = f"({' '.join([predicate, *map(self.term, atom.terms)])})"
        return text if positive else f"(not {text})"
