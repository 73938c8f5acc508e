"""Two domains as rows of text: what stands beside what.

Paper: Figure "Original Blocks-3 operators versus the operators learned" (``fig:blocks-3-diff``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dias.diff.domains import ActionDiff, DomainDiff, Pair
from dias.diff.literals import EFFECT, PRECONDITION, PlacedLiteral
from dias.report.diff.words import NO_WORDS, Words, remark
from dias.strips.model import Parameter, Predicate, typed

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


Remarks = tuple[Mapping[str, str], Mapping[str, str]]
"""Of the left and of the right schema: text to word."""

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


def rows_of(diff: DomainDiff, words: tuple[Words, Words] = NO_WORDS) -> Iterator[Row]:
    """Declarations where they differ, then every action; an empty row before each block.

    Args:
        diff: The comparison.
        words: Of the left and of the right domain; what is not decided has its word as a remark.
    """
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
        yield from _action_rows(action, to_left, words)


def predicate_text(predicate: Predicate) -> str:
    """The declaration of a predicate."""
    terms = [typed(f"?x{number}", types) for number, types in enumerate(predicate.types, start=1)]
    return f"({' '.join([predicate.name, *terms])})"


def _action_rows(
    action: ActionDiff, predicates: Mapping[str, str], words: tuple[Words, Words]
) -> Iterator[Row]:
    """The heading, the parameters, and the literals part by part.

    Args:
        action: Two schemas compared.
        predicates: Right to left predicate.
        words: Of both domains.
    """
    left, right = action.left, action.right
    own = words_of(action, words)

    def heading(text: str, other: str, style: str = PLAIN) -> Row:
        if left and right and text == other:
            return _same(text, other, style=style)
        return differing(text if left else None, other if right else None)

    names = [schema.name if schema else "" for schema in (left, right)]
    yield heading(f"(:action {names[0]}", f"(:action {names[1]}", TITLE)
    if action.parameters:
        yield heading("  :parameters", "  :parameters")
    for parameters in action.parameters:
        yield _parameter_row(parameters, action.to_left, own)
    for part in (PRECONDITION, EFFECT):
        pairs = [pair for pair in action.literals if either(pair).part == part]
        if pairs:
            yield heading(f"  :{part}", f"  :{part}")
        for pair in pairs:
            yield _literal_row(pair, action.to_left, predicates, own)


def words_of(action: ActionDiff, words: tuple[Words, Words]) -> Remarks:
    """Those of the left and of the right schema."""
    left, right = (
        own.get(schema.name, {}) if schema else {}
        for schema, own in zip((action.left, action.right), words, strict=True)
    )
    return left, right


def _parameter_row(pair: Pair[Parameter], to_left: Mapping[str, str], words: Remarks) -> Row:
    left, right = (p and typed(*p) for p in (pair.left, pair.right))
    name = to_left[pair.right.name] if pair.right else ""
    if pair.left and pair.right and name != pair.right.name:
        name = f"{name} = {pair.right.name}"
    elif pair.left:
        name = pair.left.name
    types = [p.types if p else () for p in (pair.left, pair.right)]
    return _row((left, right), [typed(name, own) for own in types], pair.is_equal, words)


def _literal_row(
    pair: Pair[PlacedLiteral],
    to_left: Mapping[str, str],
    predicates: Mapping[str, str],
    words: Remarks,
) -> Row:
    left, right = (x and str(x) for x in (pair.left, pair.right))
    renamed = pair.right.rename(to_left, predicates) if pair.right else ""
    return _row((left, right), (left or "", str(renamed)), pair.is_equal, words)


def _row(
    sides: tuple[str | None, str | None], single: Sequence[str], is_equal: bool, words: Remarks
) -> Row:
    """What stands in a part of a schema, with remarks; see `differing`."""
    remarks = [remark(own, text) for own, text in zip(words, sides, strict=True)]
    left, right = (text and f"    {text}{said}" for text, said in zip(sides, remarks, strict=True))
    lines = [f"    {text}{said}" for text, said in zip(single, remarks, strict=True)]
    if is_equal and left and right:
        return _same(left, right, f"    {single[0]}{remarks[0] or remarks[1]}")
    return differing(left, right, (lines[0], lines[1]))


def either(pair: Pair[PlacedLiteral]) -> PlacedLiteral:
    """The literal of the side that has one, the left one if both have."""
    found = pair.left or pair.right
    assert found is not None
    return found
