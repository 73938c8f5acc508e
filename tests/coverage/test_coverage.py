"""What traces show of a state space."""

from __future__ import annotations

import random
from functools import partial
from itertools import count

import pytest

from dias import limits
from dias.coverage.coverage import coverage
from dias.errors import TraceError
from dias.strips.pddl.reader import parse_problem
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.writer import write_traces
from tests.cli.helpers import PROBLEM
from tests.garden import BOTH, GARDEN, NAMED, OPEN, PIPES, PLOT, START, WALK
from tests.traces.files import read, step


def covered(*lines, instances=(PLOT,), max_states=100):
    """The coverage of the first problem by a file with these lines."""
    return coverage(read(*lines), GARDEN, instances, max_states)[0]


def counts(found):
    """Action to reachable, seen, and unseen transitions in visited states."""
    return {a.name: (a.n_reachable, a.n_seen, a.n_next) for a in found.actions}


def test_a_short_walk():
    """Each tank is turned in eight of the 16 states; three of the 16 states were visited."""
    found = covered(NAMED, *WALK)
    assert (len(found.visited), found.n_elsewhere, found.impossible) == (3, 0, ())
    assert 0 in found.visited
    assert counts(found) == {
        "turn-on": (16, 2, 1),
        "turn-off": (16, 1, 2),
        "water": (10, 0, 3),
        "sun": (16, 0, 0),
    }


def test_everything_was_seen(tmp_path):
    config = SamplingConfig(1000, 1000, "bfs")
    [[sample]] = sample_traces(GARDEN, [PLOT], [config], random.Random(0))
    write_traces(tmp_path / "t.jsonl", [trace_block(GARDEN, sample, LabelMode.NAMES)])
    [found] = coverage(read_traces(tmp_path / "t.jsonl"), GARDEN, [PLOT], 100)
    assert len(found.visited) == len(found.space.number) == 16
    assert found.seen == frozenset(found.space.edges)
    assert all(a.n_seen == a.n_reachable > 0 and a.n_next == 0 for a in found.actions)
    assert found.missing_static == {}


def test_only_the_first_states():
    found = covered(NAMED, *WALK, max_states=2)
    assert (len(found.space.number), found.space.is_whole) == (2, False)
    assert (len(found.visited), found.n_elsewhere, found.impossible) == (2, 1, ())
    assert counts(found)["turn-on"] == (1, 1, 0)


def test_steps_that_the_domain_does_not_have():
    """Another name, another effect; and a state that cannot be reached is told apart."""
    wet = ["(open north)", "(shut south)", "(wet rose)", "(dry leek)"]
    neither = ["(open north)", "(dry rose)", "(dry leek)"]
    found = covered(
        NAMED,
        WALK[0],
        step(START, "turn-off", OPEN),
        step(START, "turn-on", BOTH),
        step(neither, "water", [atom for atom in neither if "rose" not in atom] + ["(wet rose)"]),
        step(OPEN, "water", wet),
    )
    assert [transition.line for transition in found.impossible] == [3, 4]
    assert found.n_elsewhere == 2  # south is neither open nor shut: possible steps, other states
    assert counts(found)["turn-on"][1] == 1


def test_static_atoms_in_states_in_the_header_and_nowhere():
    in_states = [step(*([*s, *PIPES] for s in (START,)), "turn-on", [*OPEN, *PIPES])]
    assert covered({**NAMED, "static": []}, *in_states).missing_static == {}
    assert covered(NAMED, WALK[0]).missing_static == {}
    assert covered({**NAMED, "static": PIPES[:1]}, WALK[0]).missing_static == {"pipe": 2}


def test_which_segments_belong_to_a_problem():
    other = parse_problem(PROBLEM.replace("plot", "other"), GARDEN)
    both = [NAMED, WALK[0], {**NAMED, "problem": "other"}, *WALK[1:]]
    traces = read(*both)
    first, second = coverage(traces, GARDEN, [PLOT, other], 100)
    assert (len(first.visited), len(second.visited)) == (2, 2)
    assert len(covered(NAMED, *WALK, instances=[other]).visited) == 3  # the same objects
    unnamed = {key: value for key, value in NAMED.items() if key != "problem"}
    assert len(covered(unnamed, *WALK).visited) == 3
    mint = parse_problem(PROBLEM.replace("rose leek", "rose leek mint"), GARDEN)
    assert len(covered(NAMED, *WALK, instances=[mint]).visited) == 3  # unseen objects do no harm
    larger = parse_problem(
        PROBLEM.replace("plot", "large").replace("rose leek", "rose leek mint"), GARDEN
    )
    with pytest.raises(TraceError, match="problem large, found those of plot, which has other"):
        covered(NAMED, *WALK, instances=[larger])
    with pytest.raises(TraceError, match="problem plot, found those of other problems only"):
        coverage(read({**NAMED, "problem": "other"}, *WALK), GARDEN, [other, PLOT], 100)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (step(START, "dig", OPEN), "t.jsonl:2: expected an action of domain garden.*found dig"),
        (step(["(ripe rose)"], "sun", []), "expected predicates of domain garden.*found ripe/1"),
        (step(["(dry rose leek)"], "sun", []), "expected predicates.*found dry/2"),
        (step(["(dry mint)"], "sun", []), "found the object mint, which it does not have"),
    ],
)
def test_traces_of_something_else(line, message):
    with pytest.raises(TraceError, match=message):
        covered({"dias": "trace/1"}, line)


def test_whenever_the_time_is_up_what_was_seen_is_right_or_said_to_be_left_out(monkeypatch):
    """The clock jumps past the end when it is asked for the k-th time."""
    traces = read(NAMED, *WALK)
    whole = coverage(traces, GARDEN, [PLOT], 100)[0]
    outcomes = set()
    for n_before in range(120):
        asked = count()
        now = partial(lambda asked, n: 0.0 if next(asked) < n else 1e6, asked, n_before)
        monkeypatch.setattr(limits, "perf_counter", now)
        attempts = limits.Attempts(10)
        found = coverage(traces, GARDEN, [PLOT], 100, attempts)
        assert attempts.undone == ({} if found else {"state space": ["plot"]})
        for own in found:
            assert own.space.number.items() <= whole.space.number.items()
            assert own.space.is_whole == (len(own.space.edges) == len(whole.space.edges))
        outcomes.add(found[0].space.is_whole if found else None)
    assert None in outcomes
