"""Numbers, tables and recurring words as text that never looks better than it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dias.traces.record import LabelMode

N_SHOWN = 8
"""Items of a list that a text names at most."""

LABELS = {
    LabelMode.NAMES: "action names only",
    LabelMode.STRIPS_PLUS: "some action arguments (STRIPS+)",
    LabelMode.FULL: "all action arguments",
}
"""Label modes in words."""


def number(value: float) -> str:
    """A share with two decimals that says 1.00 only when it is 1.

    >>> number(1.0), number(0.9999), number(0.005)
    ('1.00', '0.99', '0.00')
    """
    return f"{int(value * 100 + 1e-9) / 100:.2f}"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """Lines of a table: the first column to the left, the others to the right."""
    widths = [max(len(line[column]) for line in [head, *rows]) for column in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in [head, *rows]
    ]


def percent(part: int, whole: int) -> str:
    """A share that says 100 % only when nothing is missing.

    >>> percent(999, 1000), percent(1000, 1000), percent(99999, 100000)
    ('99.9 %', '100 %', '99.9 %')
    """
    if part == whole:
        return "100 %"
    return f"{min(1000 * part // whole, 999) / 10:.1f} %"


def plural(number: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "state"), plural(1200, "state")
    ('1 state', '1,200 states')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def some(items: Sequence[str], separator: str = ", ") -> str:
    """The first items, and how many more there are; "none" if there is none.

    >>> some([]), some(["a", "b"]), some(list("abcdefghijk"))
    ('none', 'a, b', 'a, b, c, d, e, f, g, h and 3 more')
    """
    shown = separator.join(items[:N_SHOWN]) or "none"
    return f"{shown} and {len(items) - N_SHOWN} more" if len(items) > N_SHOWN else shown


def undone_lines(undone: Mapping[str, Sequence[str]], is_whole: bool = False) -> list[str]:
    """What a time limit left undone, in a line; none if nothing.

    Args:
        undone: Part of the method to the actions that it was left undone for.
        is_whole: Whether all of these are listed, or the first ones and how many more there are.

    >>> undone_lines({"noise": [""], "odd steps": ["pick", "drop"]})
    ['The time limit left undone: noise; odd steps (pick, drop). Allow more time to have it done.']
    """
    if not undone:
        return []
    names = ", ".join if is_whole else some
    parts = (f"{part} ({names(own)})" if any(own) else part for part, own in undone.items())
    return [f"The time limit left undone: {'; '.join(parts)}. Allow more time to have it done."]
