"""A generated problem, and its PDDL text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

Atom = tuple[str, ...]
"""A predicate name followed by object names."""

WIDTH = 100
"""Longest line written."""


class SizeError(ValueError):
    """Sizes for which the domain has no solvable instance with something to do."""


@dataclass(frozen=True)
class Problem:
    """One problem of a benchmark domain.

    Attributes:
        domain: Name of the domain.
        objects: Type to its objects, in the order written; `object` in untyped domains.
        init: The atoms true at the start, each predicate's together.
        goal: The atoms that must hold at the end.
        name: Name of the problem.
    """

    domain: str
    objects: Mapping[str, Sequence[str]]
    init: Sequence[Atom]
    goal: Sequence[Atom]
    name: str = "problem"

    def to_pddl(self, comment: str = "") -> str:
        """The text of the problem file, with `comment` as its first line if there is one."""
        objects = [
            line
            for type_name, names in self.objects.items()
            for line in _fill([*names] if type_name == "object" else [*names, f"- {type_name}"])
        ]
        lines = [
            *([f"; {comment}"] if comment else []),
            f"(define (problem {self.name})",
            f"  (:domain {self.domain})",
            "  (:objects",
            *objects,
            "  )",
            "  (:init",
            *_atom_lines(self.init),
            "  )",
            "  (:goal (and",
            *_atom_lines(self.goal),
            "  )))",
        ]
        return "\n".join(lines) + "\n"


def at_least(minimum: int, **sizes: int) -> None:
    """Check the sizes given by keyword; SizeError names the first one below `minimum`."""
    for name, size in sizes.items():
        if size < minimum:
            raise SizeError(f"{name} must be at least {minimum}, found {size}")


def numbered(prefix: str, count: int) -> list[str]:
    """The object names prefix1, prefix2, …, `count` of them."""
    return [f"{prefix}{number}" for number in range(1, count + 1)]


def _atom_lines(atoms: Iterable[Atom]) -> list[str]:
    """The atoms on as few lines as they need, each predicate beginning on a line of its own."""
    return [
        line
        for _, group in groupby(atoms, key=lambda atom: atom[0])
        for line in _fill([f"({' '.join(atom)})" for atom in group])
    ]


def _fill(words: Iterable[str], indent: str = "    ") -> list[str]:
    """Set `words`, which may hold spaces, in lines of at most `WIDTH` characters."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word)
    return lines
