"""Probabilities, unknown atoms and one-of groups in trace files."""

from __future__ import annotations

import json

import pytest

from dias.errors import TraceError
from dias.traces.inspect import inspect_traces
from dias.traces.reading.reader import read_blocks, read_traces
from dias.traces.writer import write_traces
from tests.traces.files import atoms, read, step

GROUP = ["(at t1)", "(at t2)", "(at t3)"]
ONE_OF = {"dias": "trace/1", "one-of": [GROUP]}
OPEN = {"dias": "trace/1", "unlisted": "unknown", "static": ["(road a b)"]}


def soft(**probabilities):
    """Atoms of one argument with their probabilities, from names such as ``p_a``."""
    return frozenset(
        (next(iter(atoms(name.replace("_", " ")))), p) for name, p in probabilities.items()
    )


def only(*lines):
    """The one transition of a file."""
    (transition,) = read(*lines).transitions
    return transition


def test_pairs_and_unknown_atoms():
    """Of both forms of an atom; certain pairs are as if the atom stood there, or did not."""
    found = only(
        step(
            ["(p a)", ["(p b)", 0.83], [["p", "c"], 0.25], ["(p d)", 1], ["(p e)", 0]],
            next=[["(p a)", 0.5]],
            unknown=["(p f)"],
            **{"next-unknown": ["(p b)"]},
        )
    )
    assert found.state == atoms("p a", "p b", "p d")
    assert found.soft == soft(p_b=0.83, p_c=0.25, p_f=0.5)
    assert (found.next_state, found.next_soft) == (frozenset(), soft(p_a=0.5, p_b=0.5))


def test_what_is_certain_is_read_as_before():
    plain, pairs = (
        read(step(own, next=["(p b)"])) for own in (["(p a)"], [["(p a)", 1.0], ["(p b)", 0.0]])
    )
    assert plain.transitions == pairs.transitions
    assert not plain.is_soft and not pairs.is_soft


def test_equal_sightings_are_counted_apart_along_a_walk():
    line = step([["(p a)", 0.7]])
    once = read(*({**line, "trace": 1, "step": number} for number in range(3)))
    assert [(t.count, t.walk, t.step) for t in once.transitions] == [(1, 1, n) for n in range(3)]
    assert [t.count for t in read(line, line).transitions] == [2]


def test_a_trajectory_is_a_walk_of_its_own():
    states = [["(p a)"], [["(p a)", 0.4]], []]
    traces = read({"states": states, "actions": ["go", "go"], "unknown": [[], ["(p b)"], []]})
    assert [(t.step, t.soft, t.next_soft) for t in traces.transitions] == [
        (0, frozenset(), soft(p_a=0.4, p_b=0.5)),
        (1, soft(p_a=0.4, p_b=0.5), frozenset()),
    ]
    assert len({t.walk for t in traces.transitions}) == 1


def test_unlisted_atoms_may_be_unknown():
    traces = read(OPEN, step(["(p a)", ["(p b)", 0]], next=["(p b)"]))
    assert traces.segments[0].is_open and traces.is_soft
    (found,) = traces.transitions
    assert (found.state, found.soft, found.next_soft) == (atoms("p a"), soft(p_b=0.0), frozenset())


@pytest.mark.parametrize(
    ("state", "holding", "doubts"),
    [
        (["(at t2)"], ["at t2"], {}),
        ([["(at t1)", 0.4], ["(at t2)", 0.4], ["(at t3)", 0.8]], ["at t3"], (0.25, 0.25, 0.5)),
        ([["(at t1)", 0.4], ["(at t2)", 0.3], ["(at t3)", 0.3]], ["at t1"], (0.4, 0.3, 0.3)),
    ],
)
def test_exactly_one_of_a_group_holds(state, holding, doubts):
    """Probabilities are scaled, and the likeliest atom is the guess even where it is below 1/2."""
    found = only(ONE_OF, step(state, next=["(at t1)"]))
    assert found.state == atoms(*holding)
    expected = dict(zip(("at_t1", "at_t2", "at_t3"), doubts, strict=False))
    assert {a: round(p, 9) for a, p in found.soft} == dict(soft(**expected))


def test_what_a_group_leaves_is_shared_by_its_unknown_atoms():
    found = only(
        ONE_OF, step([["(at t1)", 0.4]], next=["(at t1)"], unknown=["(at t2)", "(at t3)"],
                     **{"next-unknown": ["(at t2)"]})
    )  # fmt: skip
    assert {(str(a), round(p, 9)) for a, p in found.soft} == {
        ("(at t1)", 0.4), ("(at t2)", 0.3), ("(at t3)", 0.3),
    }  # fmt: skip
    assert (found.next_state, found.next_soft) == (atoms("at t1"), frozenset())
    open_ = only(ONE_OF | {"unlisted": "unknown"}, step([["(at t1)", 0]], next=["(at t3)"]))
    assert dict(open_.soft) == dict(soft(at_t1=0.0, at_t2=0.5, at_t3=0.5))
    assert dict(open_.next_soft) == dict(soft(at_t1=0.0, at_t2=0.0))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([step([["(p a)", 1.2]])], r"t.jsonl:1: state\[0\]\[1\]: expected a probability .* 1.2"),
        ([step([["(p a)", -0.1]])], r"state\[0\]\[1\]: expected a probability .*, found -0.1"),
        ([b'{"state":[["(p a)",NaN]],"action":"go","next":[]}\n'], "t.jsonl:1: "),
        ([step([["(p a)", 0.2], "(p a)"])],
         r"state\[1\]: expected \(p a\) to be true with probability 0.2 as before .* found true"),
        ([step(["(p a)"], unknown=["(p a)"])],
         r"unknown\[0\]: expected \(p a\) to be true as before in this state, found unknown"),
        ([step(next=[], **{"next-unknown": ["(p a"]})], r"next-unknown\[0\]: expected a list"),
        ([step(unknown="(p b)")], "unknown: expected an array of atoms"),
        ([step(next=None, **{"next-unknown": []})], "next-unknown: expected nothing beside a ref"),
        ([{"states": [[], []], "actions": ["go"], "unknown": [[]]}], "unknown: expected 2 arrays"),
        ([{"states": [[], []], "actions": ["go"], "next-unknown": []}],
         'next-unknown: expected no such key beside "states"'),
        ([OPEN, step(unknown=["(road a b)"])],
         r'unknown\[0\]: expected nothing but certainty of \(road a b\), which is "static"'),
        ([ONE_OF, step(["(at t1)", "(at t3)"])],
         r't.jsonl:2: state: expected exactly one of the "one-of" group \(at t1\) \(at t2\) \(at'
         r" t3\), found \(at t1\) and \(at t3\)"),
        ([ONE_OF, step(["(at t1)"], next=[])], "next: expected exactly one .*, found none"),
        ([{"dias": "trace/1", "one-of": [["(p a)"]]}], r"one-of\[0\]: expected at least two atoms"),
        ([{"dias": "trace/1", "one-of": [["(p a)", "(p a)"]]}],
         r"one-of\[0\]\[1\]: expected each atom once"),
        ([{"dias": "trace/1", "one-of": [["(p a)", "(q a)"]], "static": ["(q a)"]}],
         r"one-of\[0\]\[1\]: expected atoms that do not always hold"),
        ([{"dias": "trace/1", "unlisted": "flase"}], 'unlisted: expected one of "false", '),
    ],
)  # fmt: skip
def test_what_is_refused(lines, message):
    with pytest.raises(TraceError, match=message):
        read(*lines)


def test_a_written_file_says_the_same(tmp_path):
    """Byte for byte, once it was written; and what was read is the same."""
    lines = [
        {**OPEN, "one-of": [GROUP]},
        step(["(p a)", ["(at t1)", 0.25], ["(p b)", 0]], unknown=["(p c)"], trace="w", step=0),
        step([["(at t2)", 1]], "try", None),
    ]
    first, second, third = (tmp_path / name for name in ("1.jsonl", "2.jsonl", "3.jsonl"))
    first.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for source, target in ((first, second), (second, third)):
        write_traces(target, read_blocks(source).blocks)
    assert second.read_bytes() == third.read_bytes()
    one, other = (read_traces(path) for path in (first, third))
    assert (one.segments[0].one_of, one.segments[0].is_open) == (
        other.segments[0].one_of,
        other.segments[0].is_open,
    )
    assert one.transitions == other.transitions and one.refused == other.refused


def test_inspect_counts_them():
    found = inspect_traces(read(OPEN, step([["(p a)", 0.7], ["(p b)", 0]], unknown=["(p c)"])))
    assert (found.n_soft, found.n_unknown) == (2, 1)
