"""Walks as tables of log odds."""

from __future__ import annotations

from math import log

import pytest

from dias.learning.soft.sightings import CERTAIN, lay_out
from tests.traces.files import read, step

HEADER = {"dias": "trace/1", "static": ["(road a b)"]}


def odds(sightings, row, text):
    """Of an atom in a state."""
    predicate, *terms = text.split()
    return sightings.log_odds[row, sightings.codes.encode_words(predicate, terms)]


def laid_out(*lines):
    """The one segment of a file."""
    (found,) = lay_out(read(*lines, keep_walks=True))
    return found


def test_the_states_of_a_walk_are_shared():
    """Equal sightings of one state are one; others add up. The order of lines does not matter."""
    found = laid_out(
        HEADER,
        step(["(p b)", ["(p c)", 0.75]], next=["(p c)"], trace=0, step=1),
        step(["(p a)"], next=["(p b)", ["(p c)", 0.75]], trace=0, step=0),
        step([["(p c)", 0.75]], next=[], trace=0, step=2),
    )
    assert found.first.tolist() == [True, False, False, False]
    assert found.rows.tolist() == [0, 1, 2]
    assert [t.step for t in found.steps] == [0, 1, 2]
    assert odds(found, 1, "p c") == pytest.approx(log(3), abs=1e-5)
    assert odds(found, 2, "p c") == pytest.approx(CERTAIN + log(3), abs=1e-4)
    assert odds(found, 2, "p b") == pytest.approx(-2 * CERTAIN, abs=1e-4)


@pytest.mark.parametrize(
    "places",
    [
        ({}, {}),
        ({"trace": 0}, {"trace": 0}),
        ({"trace": 0, "step": 0}, {"trace": 0, "step": 2}),
        ({"trace": 0, "step": 0}, {"trace": 1, "step": 1}),
    ],
)
def test_steps_that_do_not_follow_each_other_share_nothing(places):
    one, other = places
    found = laid_out(step(["(p a)"], next=[], **one), step([], next=["(p b)"], **other))
    assert found.first.tolist() == [True, False, True, False]
    assert found.rows.tolist() == [0, 2]


def test_what_is_not_listed():
    """False; in an open segment unknown, but for static relations and wrong types."""
    steps = [step(["(p a)", ["(p b)", 0]], next=[])]
    closed, open_ = (laid_out(HEADER | more, *steps) for more in ({}, {"unlisted": "unknown"}))
    for found, unlisted in ((closed, -CERTAIN), (open_, 0)):
        assert odds(found, 1, "p a") == pytest.approx(unlisted)
        assert odds(found, 0, "p b") == pytest.approx(-CERTAIN)
        assert odds(found, 0, "road a b") == pytest.approx(CERTAIN)
        assert odds(found, 0, "road b a") == pytest.approx(-CERTAIN)


def test_types_are_heeded():
    typed = {
        "dias": "trace/1", "unlisted": "unknown", "types": {"car": "object", "bay": "object"},
        "objects": {"c": "car", "n": "bay"}, "predicates": {"at": ["car", "bay"]},
    }  # fmt: skip
    found = laid_out(typed, step(["(at c n)"], next=[]))
    assert (odds(found, 1, "at c n"), odds(found, 1, "at n c")) == (0, pytest.approx(-CERTAIN))


def test_where_a_walk_begins_nothing_is_known():
    """But of what is never seen; there the share of the relation's true sightings counts."""
    nothing = {"unknown": ["(p c)"], "next-unknown": ["(p c)"]}
    found = laid_out(step(["(p a)", "(p b)"], next=["(p a)"], **nothing))
    own = dict(zip("abc", (0.5, 0.5, 3 / 4), strict=True))
    for name, chance in own.items():
        code = found.codes.encode_words("p", [name])
        assert found.prior()[code] == pytest.approx(chance)


def test_what_atoms_are_seen_to_become():
    """Unseen in between or not, but within one walk, and by sightings that are certain."""
    found = laid_out(
        HEADER,
        step(["(p b)"], next=["(p b)"], unknown=["(q b)"], trace=0, step=0),
        step(["(p b)"], next=["(q b)"], **{"next-unknown": ["(p b)"]}, trace=0, step=1),
        step(["(q b)"], next=[], unknown=["(p b)"], trace=0, step=2),
        step(["(r a)"], next=["(r a)", ["(s a)", 0.9]], trace=1, step=0),
        step([], next=[["(s a)", 0.4]], trace=2, step=0),
    )
    # (q b) is seen false after the first step: then it is true, then false again.
    assert found.changes == {("p", False), ("q", True), ("q", False)}
