"""Two domains as rows of text: what stands beside what.

Paper: Figure "Original Blocks-3 operators versus the operators learned" (``fig:blocks-3-diff``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dias.diff.domains import ActionDiff, DomainDiff, Pair
from dias.diff.literals import EFFECT, PRECONDITION, PlacedLiteral
from dias.report.text import typed
from dias.strips.model import Parameter, Predicate

PLAIN, TITLE, LEFT, RIGHT = "plain", "title", "left", "right"
"""Styles: on both sides, a heading, on the left or the right side only."""

Piece = tuple[str, str]
"""A text and its style."""


class Row(NamedTuple):
    """What stands side by side, and what stands for it where there is one column only.

    Attributes:
        left: The left text and its style.
        right: The right text and its style.
        single: The lines in one column, in the names of the left side.
    """

    left: Piece
    right: Piece
    single: tuple[Piece, ...]


NOTHING: Piece = ("", PLAIN)


def _same(left: str, right: str, single: str | None = None, style: str = PLAIN) -> Row:
    """What is equal; in one column it is shown once, as the left text unless `single` is given."""
    return Row((left, style), (right, style), ((left if single is None else single, style),))


def differing(left: str | None, right: str | None, single: tuple[str, str] | None = None) -> Row:
    """What stands on one side only, or two different things; `single` is what one column says."""
    texts = single or (left or "", right or "")
    lines = [
        (text, style)
        for text, own, style in zip(texts, (left, right), (LEFT, RIGHT), strict=True)
        if own is not None
    ]
    return Row(
        NOTHING if left is None else (left, LEFT),
        NOTHING if right is None else (right, RIGHT),
        tuple(lines),
    )


def rows_of(diff: DomainDiff) -> Iterator[Row]:
    """Declarations where they differ, then every action; an empty row before each block."""
    predicates = [
        Pair(p.left and predicate_text(p.left), p.right and predicate_text(p.right), p.is_equal)
        for p in diff.predicates
    ]
    for keyword, pairs in (
        (":types", diff.types),
        (":constants", diff.constants),
        (":predicates", predicates),
    ):
        shown = [pair for pair in pairs if pair.left != pair.right]
        if shown:
            yield from (_same("", ""), _same(f"({keyword}", f"({keyword}", style=TITLE))
        for pair in shown:
            left, right = (text and f"  {text}" for text in (pair.left, pair.right))
            if pair.is_equal and left and right:  # predicates of different names
                yield _same(left, right, f"{left} = {pair.right}")
            else:
                yield differing(left, right)
    to_left = {p.right.name: p.left.name for p in diff.predicates if p.left and p.right}
    for action in diff.actions:
        yield _same("", "")
        yield from _action_rows(action, to_left)


def predicate_text(predicate: Predicate) -> str:
    """The declaration of a predicate."""
    terms = [typed(f"?x{number}", types) for number, types in enumerate(predicate.types, start=1)]
    return f"({' '.join([predicate.name, *terms])})"


def _action_rows(action: ActionDiff, predicates: Mapping[str, str]) -> Iterator[Row]:
    """The heading, the parameters, and the literals part by part.

    Args:
        action: Two schemas compared.
        predicates: Right to left predicate.
    """
    left, right = action.left, action.right

    def heading(text: str, other: str, style: str = PLAIN) -> Row:
        if left and right and text == other:
            return _same(text, other, style=style)
        return differing(text if left else None, other if right else None)

    names = [schema.name if schema else "" for schema in (left, right)]
    yield heading(f"(:action {names[0]}", f"(:action {names[1]}", TITLE)
    if action.parameters:
        yield heading("  :parameters", "  :parameters")
    for parameters in action.parameters:
        yield _parameter_row(parameters, action.to_left)
    for part in (PRECONDITION, EFFECT):
        pairs = [pair for pair in action.literals if either(pair).part == part]
        if pairs:
            yield heading(f"  :{part}", f"  :{part}")
        for pair in pairs:
            yield _literal_row(pair, action.to_left, predicates)


def _parameter_row(pair: Pair[Parameter], to_left: Mapping[str, str]) -> Row:
    left, right = (p and f"    {typed(*p)}" for p in (pair.left, pair.right))
    name = to_left[pair.right.name] if pair.right else ""
    if pair.left and pair.right and name != pair.right.name:
        name = f"{name} = {pair.right.name}"
    elif pair.left:
        name = pair.left.name
    types = [p.types if p else () for p in (pair.left, pair.right)]
    single = f"    {typed(name, types[0])}", f"    {typed(name, types[1])}"
    if pair.is_equal and left and right:
        return _same(left, right, single[0])
    return differing(left, right, single)


def _literal_row(
    pair: Pair[PlacedLiteral], to_left: Mapping[str, str], predicates: Mapping[str, str]
) -> Row:
    left, right = (None if x is None else f"    {x}" for x in (pair.left, pair.right))
    if left and right:
        return _same(left, right)
    renamed = pair.right.rename(to_left, predicates) if pair.right else ""
    return differing(left, right, (left or "", f"    {renamed}"))


def either(pair: Pair[PlacedLiteral]) -> PlacedLiteral:
    """The literal of the side that has one, the left one if both have."""
    found = pair.left or pair.right
    assert found is not None
    return found
