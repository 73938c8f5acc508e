"""A comparison of two domains as styled lines for people and as plain values for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from dias.diff.domains import DomainDiff, Pair
from dias.diff.literals import EFFECT, PRECONDITION
from dias.report.diff.rows import (
    LEFT,
    NOTHING,
    PLAIN,
    RIGHT,
    TITLE,
    Piece,
    Row,
    differing,
    either,
    predicate_text,
    rows_of,
    words_of,
)
from dias.report.diff.words import NO_WORDS, Words
from dias.report.text import plural, table
from dias.strips.model import typed

MARKS = {PLAIN: "  ", TITLE: "  ", LEFT: "- ", RIGHT: "+ "}
"""What stands in front of a text, so that its style shows without colours too."""

BAR = " | "
MIN_WIDTH = 20
"""Columns of a side at least, for the file names."""


def diff_lines(
    diff: DomainDiff, left: str, right: str, width: int, words: tuple[Words, Words] = NO_WORDS
) -> list[list[Piece]]:
    """The comparison as lines of pieces: side by side if `width` allows it, else in one column.

    Args:
        diff: The comparison.
        left: What to call the left domain: its file.
        right: What to call the right domain.
        width: Columns that a line may have.
        words: What is known of the literals of the left and of the right domain.
    """
    rows = list(rows_of(diff, words))
    widths = [max([MIN_WIDTH, *(len(row[side][0]) for row in rows)]) for side in (0, 1)]
    spare = width - sum(widths) - len("- " + BAR + "+ ")
    if spare >= 0:
        own = min(max(widths[0], len(left)), widths[0] + spare)  # room for the whole name
        widths = [own, widths[1] + spare - (own - widths[0])]
        rows.insert(0, differing(_shorten(left, widths[0]), _shorten(right, widths[1])))
        lines = [_beside(row, widths[0]) for row in rows]
    else:
        rows.insert(0, differing(left, right))
        lines = [[(_marked(piece), piece[1])] for row in rows for piece in row.single]
    return [*lines, [NOTHING], *([(line, PLAIN)] for line in _summary(diff, left, right, width))]


def _shorten(name: str, width: int) -> str:
    """A file name that fits, its end kept."""
    return name if len(name) <= width else f"...{name[3 - width :]}"


def _beside(row: Row, width: int) -> list[Piece]:
    (_, style), (_, other) = row.left, row.right
    left = _marked(row.left).ljust(len("- ") + width)
    return [(left, style), (BAR, PLAIN), (_marked(row.right), other)]


def _marked(piece: Piece) -> str:
    return (MARKS[piece[1]] + piece[0]).rstrip()


def _summary(diff: DomainDiff, left: str, right: str, width: int) -> Iterator[str]:
    """The counts per action, and whether the domains are equal."""
    rows, totals = [], [0] * 4
    for action in diff.actions:
        arities = [str(schema.arity) if schema else "-" for schema in (action.left, action.right)]
        counts = [
            sum(literal.part == part for literal in literals)
            for literals in (action.only_left, action.only_right)
            for part in (PRECONDITION, EFFECT)
        ]
        rows.append([action.name, ":".join(dict.fromkeys(arities)), *map(str, counts)])
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
    yield from table(["action", "arity", "-pre", "-eff", "+pre", "+eff"], rows)
    yield ""
    notes = []
    if not diff.is_equal:
        notes = [
            f"Only in {name} ({mark}): {plural(n_pre, PRECONDITION)}, {plural(n_eff, EFFECT)}."
            for name, mark, (n_pre, n_eff) in ((left, "-", totals[:2]), (right, "+", totals[2:]))
        ]
    for sentence in [*notes, *_constants(diff, left, right), *_verdict(diff)]:
        yield from wrap(sentence, width, break_long_words=False, break_on_hyphens=False)


def _constants(diff: DomainDiff, left: str, right: str) -> Iterator[str]:
    """Which parameters stand where the other side has a constant."""
    for action in diff.actions:
        for own, other in action.constants:
            files = left, right
            if not own.startswith("?"):
                own, other, files = other, own, (right, left)
            yield (
                f"{action.name}: {own} of {files[0]} stands where {files[1]} has the constant"
                f" {other}."
            )


def _verdict(diff: DomainDiff) -> Iterator[str]:
    unsure = [action.name for action in diff.actions if not action.is_best]
    if unsure:
        yield f"A better match of parameters may exist, the search gave up: {', '.join(unsure)}."
    if diff.is_equal:
        renamed = any(p.left and p.right and p.left.name != p.right.name for p in diff.predicates)
        yield f"Equal up to the names of parameters{' and predicates' if renamed else ''}."
        return
    different = [
        name
        for name, pairs in (
            ("types", diff.types), ("constants", diff.constants), ("predicates", diff.predicates),
        )
        if not all(pair.is_equal for pair in pairs)
    ]  # fmt: skip
    n_different = sum(not action.is_equal for action in diff.actions)
    if n_different:
        different.append(f"{n_different} of {len(diff.actions)} actions")
    yield f"Not equal: {', '.join(different)} differ."
    if n_different and diff.has_same_effects:
        yield "All effects are the same."


def diff_json(
    diff: DomainDiff, left: str, right: str, words: tuple[Words, Words] = NO_WORDS
) -> dict[str, Any]:
    """The comparison as plain values; a thing that a side lacks is None.

    A literal or parameter has a ``word`` where one is known; arguments as of `diff_lines`.
    """

    def pairs(
        found: Sequence[Pair[Any]],
        show: Callable[[Any], str],
        own: Sequence[Mapping[str, str]] = ({}, {}),
    ) -> list[dict[str, Any]]:
        values = []
        for pair in found:
            texts = [None if x is None else show(x) for x in (pair.left, pair.right)]
            value = {"left": texts[0], "right": texts[1], "equal": pair.is_equal}
            said = [
                side[text] for side, text in zip(own, texts, strict=True) if text and text in side
            ]
            values.append(value | ({"word": said[0]} if said else {}))
        return values

    return {
        "left": left,
        "right": right,
        "equal": diff.is_equal,
        "types": pairs(diff.types, str),
        "constants": pairs(diff.constants, str),
        "predicates": pairs(diff.predicates, predicate_text),
        "actions": [
            {
                "left": action.left and action.left.name,
                "right": action.right and action.right.name,
                "equal": action.is_equal,
                "best_match": action.is_best,
                "constants": [{"left": own, "right": other} for own, other in action.constants],
                "parameters": pairs(
                    action.parameters, lambda parameter: typed(*parameter), words_of(action, words)
                ),
                **{
                    part: pairs(
                        [p for p in action.literals if either(p).part == part],
                        str,
                        words_of(action, words),
                    )
                    for part in (PRECONDITION, EFFECT)
                },
            }
            for action in diff.actions
        ],
    }
