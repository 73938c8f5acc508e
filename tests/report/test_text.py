"""Numbers that never look better than they are."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dias.report.text import N_SHOWN, number, percent, some, table


@given(st.integers(1, 10**8), st.data())
def test_a_share_is_cut_off_not_rounded(whole, data):
    part = data.draw(st.integers(0, whole))
    text = number(part / whole)
    assert 0 <= Fraction(part, whole) - Fraction(text) < Fraction(1, 100)
    assert (text == "1.00") == (part == whole)
    assert len(text) == 4


def test_numbers():
    assert [number(value) for value in (0, 0.29, 0.57, 0.999, 1 - 1e-9, 1)] == [
        "0.00", "0.29", "0.57", "0.99", "0.99", "1.00",
    ]  # fmt: skip


@given(st.integers(1, 10**8), st.data())
def test_percent_is_cut_off_and_full_only_when_nothing_is_missing(whole, data):
    part = data.draw(st.integers(0, whole))
    text = percent(part, whole)
    assert text.endswith(" %")
    assert 0 <= Fraction(100 * part, whole) - Fraction(text[:-2]) < Fraction(1, 10)
    assert (text == "100 %") == (part == whole)


def test_percents():
    cases = [(0, 7), (1, 3), (999, 1000), (99_999, 100_000), (7, 7), (0, 0)]
    assert [percent(*case) for case in cases] == [
        "0.0 %", "33.3 %", "99.9 %", "99.9 %", "100 %", "100 %",
    ]  # fmt: skip


def test_of_many_things_some_are_named():
    assert some([]) == "none"
    assert some(["a", "b"], " or ") == "a or b"
    letters = [f"x{number}" for number in range(N_SHOWN + 2)]
    assert some(letters[:N_SHOWN]) == ", ".join(letters[:N_SHOWN])
    assert some(letters) == f"{', '.join(letters[:N_SHOWN])} and 2 more"


def test_a_table_is_aligned():
    lines = table(["action", "recall"], [["go", "1.00"], ["unload-truck", "0.5"]])
    assert lines == ["action        recall", "go              1.00", "unload-truck     0.5"]


def test_a_table_without_rows_is_its_head():
    assert table(["action", "recall"], []) == ["action  recall"]


cells = st.text("ab-", min_size=1, max_size=9)


@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=5))
def test_every_cell_stands_in_its_column(rows):
    head = ["first", "second", "third"]
    lines = table(head, [list(row) for row in rows])
    assert [line.split() for line in lines] == [head, *map(list, rows)]
    ends = {tuple(_ends(line)[1:]) for line in lines}
    assert len(ends) == 1  # the columns after the first end at the same place
    assert all(not line.startswith(" ") for line in lines)


def _ends(line: str) -> list[int]:
    return [i + 1 for i, c in enumerate(line) if c != " " and line[i + 1 : i + 2] in ("", " ")]
