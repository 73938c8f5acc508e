import logging

import pytest

from dias.errors import PDDLInputError
from dias.strips.pddl.text import Group, Source, Word, read_tree


def tree(text: str) -> Group:
    return read_tree(Source(text, "f.pddl"))


def words(node) -> object:
    return node.text if isinstance(node, Word) else [words(item) for item in node.items]


def test_nested_groups_in_lower_case():
    assert words(tree("(a (B ?X) () :Key)")) == ["a", ["b", "?x"], [], ":key"]


def test_comments_may_hold_parentheses_and_need_no_newline():
    assert words(tree("; (\n(a;b)\nc ;)\n);(")) == ["a", "c"]


def test_question_mark_begins_a_word():
    assert words(tree("(on?x ?y)")) == ["on", "?x", "?y"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_positions_with_any_line_end(newline):
    source = Source(f"\ufeff(a{newline}  b)", "f.pddl")
    (_, second) = read_tree(source).items
    assert source.place(second) == "f.pddl:2:3"


@pytest.mark.parametrize(
    ("text", "place", "fragment"),
    [
        ("", "1:1", "no text"),
        ("; nothing", "1:1", "no text"),
        ("word", "1:1", "found `word`"),
        (")", "1:1", "found `)`"),
        ("(a))", "1:4", "end of the file"),
        ("(define (a))\n (b)", "2:2", "end of the file"),
        ("(a\n (b)", "1:1", "end of the file"),
        ("(a\n (b) (c (d)", "2:6", "end of the file"),
        ("(a north, mid)", "1:9", "comma"),
        ("(a b\u200bc)", "1:5", "U+200B"),
        ("(a \x00)", "1:4", "U+0000"),
    ],
)
def test_bad_text_is_refused_with_its_place(text, place, fragment):
    with pytest.raises(PDDLInputError) as caught:
        tree(text)
    assert caught.value.place == f"f.pddl:{place}"
    assert fragment in caught.value.problem
    assert caught.value.remedy


def test_missing_parenthesis_is_placed_where_a_keyword_follows():
    with pytest.raises(PDDLInputError) as caught:
        tree("(define (domain d)\n (:action a\n  :precondition (and (p)\n  :effect (q)))")
    assert caught.value.place == "f.pddl:3:17"
    assert "`:effect` in line 4" in caught.value.problem


def test_missing_parenthesis_before_a_section():
    with pytest.raises(PDDLInputError) as caught:
        tree("(define (domain d)\n (:action a\n (:action b))")
    assert caught.value.place == "f.pddl:2:2"


def test_depth_does_not_matter():
    depth = 100_000
    node = tree("(" * depth + ")" * depth)
    for _ in range(depth - 1):
        (node,) = node.items
    assert node.items == []


def test_the_same_warning_is_given_once(caplog):
    source = Source("(a b)", "f.pddl")
    with caplog.at_level(logging.WARNING):
        source.warn(0, "odd")
        source.warn(3, "odd")
    assert caplog.messages == ["f.pddl:1:1: odd"]


def test_messages_can_be_printed_whatever_stands_in_the_file():
    for text, place, fragment in [
        ("\U000f0000", "1:1", "the invisible character U+F0000"),
        ("(define (domain d)) \x85\x07", "1:22", "U+0007"),
        ("x" * 10_000, "1:1", "x" * 59 + "…"),
        ("(define (domain d) " + "y" * 10_000, "1:1", "end of the file"),
    ]:
        with pytest.raises(PDDLInputError) as caught:
            tree(text)
        assert caught.value.place == f"f.pddl:{place}"
        assert fragment in str(caught.value)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 200
