"""PDDL text as a tree of words and groups that know where they stand.

The pddl package gives positions only for the syntax errors that it finds itself. All other
findings (an undeclared predicate, a wrong arity, …) are made on this tree, so that each message
can name line and column. Nothing here recurses: nesting may be as deep as it likes.
"""

from __future__ import annotations

import logging
import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from sys import intern
from typing import NamedTuple

from dias.errors import PDDLInputError, UnsupportedPDDLError
from dias.file_kinds import DOMAIN, N_BYTES, PROBLEM, kind_of

log = logging.getLogger(__name__)

# As in other planners, a question mark begins a new word: (on?x ?y) is (on ?x ?y).
_TOKEN = re.compile(r"[()]|;[^\n]*|\?[^\s()?;,]*|[^\s()?;,]+|,")

_LONG_WORD = re.compile(r"\S{80,}")
NO_PDDL = "Is this a PDDL file?"


class Word(NamedTuple):
    """A name, variable or keyword in lower case, and where it begins."""

    text: str
    start: int


class Group(NamedTuple):
    """A parenthesised list, and where it begins."""

    items: list[Word | Group]
    start: int

    @property
    def head(self) -> str:
        """The first word, if the group begins with one."""
        return self.items[0].text if self.items and isinstance(self.items[0], Word) else ""


Node = Word | Group


class Source:
    """A PDDL text and the name that it goes by in messages.

    Args:
        text: The text; line ends of any system, with or without byte-order mark.
        name: The file name.
    """

    def __init__(self, text: str, name: str) -> None:
        text = text.removeprefix("\ufeff")
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.name = name
        self._warned: set[str] = set()

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line(self, at: Node | int) -> int:
        """The line number of a node or an offset, from 1."""
        return bisect_right(self._line_starts, at if isinstance(at, int) else at.start)

    def place(self, at: Node | int) -> str:
        """``file:line:column`` of a node or an offset."""
        line = self.line(at)
        start = at if isinstance(at, int) else at.start
        return f"{self.name}:{line}:{start - self._line_starts[line - 1] + 1}"

    def error(self, at: Node | int, problem: str, remedy: str = "") -> PDDLInputError:
        """The error to raise for a finding at a node or an offset."""
        return PDDLInputError(_shortened(problem), place=self.place(at), remedy=remedy)

    def unsupported(self, at: Node | int, construct: str, where: str = "") -> PDDLInputError:
        """The error to raise for a construct outside STRIPS."""
        problem = f"expected STRIPS, found {construct}{f' in {where}' if where else ''}"
        remedy = "Rewrite it with atoms, `and`, `not` and `=` only, or leave it out."
        return UnsupportedPDDLError(_shortened(problem), place=self.place(at), remedy=remedy)

    def warn(self, at: Node | int, finding: str) -> None:
        """Log a finding that does not stop the reading; the same words only once."""
        if finding not in self._warned:
            self._warned.add(finding)
            log.warning("%s: %s", self.place(at), finding)


def _shortened(problem: str) -> str:
    """A message without the rest of words that nobody wrote by hand."""
    return _LONG_WORD.sub(lambda match: f"{match[0][:60]}…", problem)


def read_tree(source: Source) -> Group:
    """The one top-level group of a PDDL file.

    Raises:
        PDDLInputError: No group, unbalanced parentheses, text outside the group, a comma, or a
            character that cannot be seen.
    """

    def refuse(token: str, start: int, top: Group) -> None:
        if top.items or token != "(":
            raise _outside(token, start, top, source)

    top, open_groups = _parse(source, 0, len(source.text), refuse)
    if open_groups:
        raise _unclosed(open_groups[0], open_groups[-1], source)
    if top.items and isinstance(top.items[0], Group):
        return top.items[0]
    raise source.error(0, "expected `(define …)`, found no text", NO_PDDL)


def read_groups(source: Source, start: int = 0, end: int | None = None) -> list[Group]:
    """The top-level groups of a text that is no PDDL, or of a part of it.

    Args:
        source: The text.
        start: The offset where the part begins.
        end: The offset where it ends.

    Raises:
        PDDLInputError: As for `read_tree`, but that there may be any number of groups.
    """

    def refuse(token: str, start: int, top: Group) -> None:
        if token != "(":
            raise source.error(start, f"expected a `(`, found `{token}`", "Remove it.")

    top, open_groups = _parse(source, start, len(source.text) if end is None else end, refuse)
    if open_groups:
        raise source.error(
            open_groups[-1], "expected a `)` for this `(`, found the end of the text", "Close it."
        )
    return [group for group in top.items if isinstance(group, Group)]


def _parse(
    source: Source, start: int, end: int, refuse: Callable[[str, int, Group], None]
) -> tuple[Group, list[Group]]:
    """The top level as a group, and the groups that are still open at the end, outermost first.

    Args:
        source: The text.
        start: Where to begin.
        end: Where to end.
        refuse: Called with each token of the top level, its offset and what stands before it; it
            may raise.
    """
    top = Group([], start)
    open_groups = [top]
    for match in _TOKEN.finditer(source.text, start, end):
        token, at = match.group(), match.start()
        if token[0] == ";":
            continue
        if not token.isprintable():
            raise _invisible_character(token, at, source)
        if len(open_groups) == 1:
            refuse(token, at, top)
        if token == "(":
            group = Group([], at)
            open_groups[-1].items.append(group)
            open_groups.append(group)
        elif token == ")":
            open_groups.pop()
        elif token == ",":
            raise source.error(
                at, "expected a blank, found a comma", "PDDL separates names by blanks."
            )
        else:  # intern: in a large file each name occurs many times
            open_groups[-1].items.append(Word(intern(token.lower()), at))
    return top, open_groups[1:]


def other_kind(source: Source) -> str:
    """What the text is if it is no PDDL, in words; empty if that cannot be told."""
    kind = kind_of(source.text[:N_BYTES].encode(errors="replace"))
    return "" if kind in (DOMAIN, PROBLEM) else kind


def _outside(token: str, start: int, top: Group, source: Source) -> PDDLInputError:
    kind = other_kind(source)
    if not top.items or kind:
        found = kind or f"`{token}`"
        return source.error(start, f"expected `(define …)`, found {found}", NO_PDDL)
    return source.error(
        start,
        f"expected the end of the file after `(define …)`, found `{token}`",
        "Remove it; if it belongs to the definition, a `)` before it is one too many.",
    )


def _invisible_character(token: str, start: int, source: Source) -> PDDLInputError:
    position = next(i for i, character in enumerate(token) if not character.isprintable())
    return source.error(
        start + position,
        f"expected text, found the invisible character U+{ord(token[position]):04X}",
        "Remove it.",
    )


def _unclosed(define: Group, innermost: Group, source: Source) -> PDDLInputError:
    """The most telling place of a missing parenthesis: where a keyword stands inside a formula."""
    groups = [item for item in define.items if isinstance(item, Group)]
    misplaced: list[tuple[int, str, Group]] = []
    while groups:
        parent = groups.pop()
        in_formula = not parent.head.startswith(":")
        for child in parent.items:
            if isinstance(child, Group):
                groups.append(child)
                if child.head.startswith(":"):
                    misplaced.append((child.start, child.head, parent))
            elif in_formula and child.text.startswith(":"):
                misplaced.append((child.start, child.text, parent))
    if not misplaced:
        return source.error(
            innermost, "expected a `)` for this `(`, found the end of the file", "Close it."
        )
    start, keyword, parent = min(misplaced, key=lambda entry: entry[0])
    return source.error(
        parent,
        f"expected a `)` for this `(`, found `{keyword}` in line {source.line(start)} first",
        "Close it.",
    )
