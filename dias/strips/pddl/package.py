"""The pddl package, which parses the formulas.

It does not check what they mean, and refuses many names (``object`` for a predicate, a leading
digit, anything but ASCII), upper-case keywords and conjunctions inside an effect. So it is handed
literals that are checked, as flat conjunctions, with a number in place of each name.

This is the only module that knows the package; it is loaded at the first call.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from dias.errors import PDDLInputError
from dias.strips.model import Atom
from dias.strips.pddl.text import Group, Source

REQUIREMENTS = ":strips :negative-preconditions"

Literals = Iterable[tuple[bool, Atom, Group]]
"""For each literal whether it is positive, its atom and its place."""


class Conjunction(NamedTuple):
    """The atoms of a conjunction of literals."""

    positive: frozenset[Atom] = frozenset()
    negative: frozenset[Atom] = frozenset()


def parse_formulas(
    condition: Literals, effect: Literals, source: Source
) -> tuple[Conjunction, Conjunction]:
    """The conjunctions of a condition and of an effect, as the package reads them.

    A goal is a condition as well, so that one grammar is enough.

    Raises:
        PDDLInputError: The package refuses them.
    """
    numbers: dict[str, int] = {}
    (action,) = _parse(
        f"(define (domain d) (:requirements {REQUIREMENTS}) (:action a :parameters ()"
        f" :precondition {_written(condition, numbers)}"
        f" :effect {_written(effect, numbers)}))",
        source,
    ).actions
    names = list(numbers)
    return _conjunction(action.precondition, names), _conjunction(action.effect, names)


def _written(literals: Literals, numbers: dict[str, int]) -> str:
    """The text of a conjunction; the names in it are added to `numbers`.

    Constants are written as variables, which the package does not want to see declared.
    """
    words = []
    for positive, (predicate, terms), _ in literals:
        head, *rest = (f"n{numbers.setdefault(name, len(numbers))}" for name in (predicate, *terms))
        atom = f"({' ?'.join([head, *rest])})"
        words.append(atom if positive else f"(not {atom})")
    return f"(and {' '.join(words)})"


def _conjunction(formula: Any, names: list[str]) -> Conjunction:
    """The conjunction, which to the package is a single literal where it has only one."""
    from pddl.logic.base import And, Not

    def atom(parsed: Any) -> Atom:
        predicate, *terms = (names[int(item.name[1:])] for item in (parsed, *parsed.terms))
        return Atom(predicate, tuple(terms))

    literals = formula.operands if isinstance(formula, And) else (formula,)
    return Conjunction(
        frozenset(atom(literal) for literal in literals if not isinstance(literal, Not)),
        frozenset(atom(literal.argument) for literal in literals if isinstance(literal, Not)),
    )


@cache  # building the grammar takes 70 ms, parsing an action with it 1 ms
def _parser() -> Any:
    from pddl.parser.domain import DomainParser

    return DomainParser()


@lru_cache(maxsize=200)
def _parsed(text: str) -> Any:
    """What the package makes of a text; without names, those of many actions are the same."""
    return _parser()(text)


def _parse(text: str, source: Source) -> Any:
    try:
        return _parsed(text)
    except Exception as error:  # of lark or pddl, of many classes without a common base
        # The parser keeps the state of the failed call, and the package switches tracebacks off.
        _parser.cache_clear()
        sys.tracebacklimit = None
        message = str(error).strip().splitlines() or [type(error).__name__]
        raise PDDLInputError(
            f"expected STRIPS in PDDL, found what the pddl package refuses: {message[0]}",
            place=source.name,
            remedy="Simplify the file step by step until it is read.",
        ) from error
