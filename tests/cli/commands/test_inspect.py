"""`dias inspect`."""

from __future__ import annotations

import gzip
import os

import pytest

from tests.cli.helpers import (
    DOMAIN,
    HEADER,
    PIPES,
    PROBLEM,
    STEPS,
    call,
    garden,
    is_one_error,
    rehashed,
    step,
    strict_json,
    traces,
    write,
)

KNOWN = ("--domain", "domain.pddl", "--problem", "p.pddl")
PLOTTED = [
    {"dias": "trace/1", "static": ["(pipe north rose)", "(pipe south rose)", "(pipe south leek)"]},
    step("shut north, shut south, dry rose, dry leek", "turn-on",
         "open north, shut south, dry rose, dry leek"),
    step("open north, shut south, dry rose, dry leek", "water",
         "open north, shut south, wet rose, dry leek"),
]  # fmt: skip


def inspect(folder, *arguments):
    """The JSON result."""
    outcome = call("inspect", *arguments, "--json", cwd=folder)
    assert outcome.status == 0, outcome.err
    return strict_json(outcome.out)


def test_text(tmp_path):
    traces(tmp_path, HEADER | {"static": PIPES}, *STEPS)
    status, out, err = call("inspect", "t.jsonl", cwd=tmp_path)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "t.jsonl: 3 steps of garden, action names only"
    assert lines[4].split() == ["action", "steps", "distinct", "states", "no-op", "kinds"]
    assert "static predicates: pipe" in lines
    assert "states that no step leaves: 1, reached in line 4" in lines


def test_counts(tmp_path):
    """Five steps; one twice, one without effect, one refused."""
    idle = step("dry rose", "sun", "dry rose")
    refused = step("dry rose", "sun", "dry rose") | {"next": None}
    traces(tmp_path, HEADER | {"static": PIPES}, *STEPS, STEPS[0], idle, refused)
    value = inspect(tmp_path, "t.jsonl")
    assert (value["transitions"], value["distinct_transitions"], value["states"]) == (5, 4, 5)
    counts = {name: (a["transitions"], a["distinct_transitions"], a["unchanged"], a["refused"])
              for name, a in value["actions"].items()}  # fmt: skip
    assert counts == {
        "sun": (1, 1, 1, 1), "turn-off": (1, 1, 0, 0), "turn-on": (2, 1, 0, 0),
        "water": (1, 1, 0, 0),
    }  # fmt: skip


def test_labels_and_contradictions(tmp_path):
    lines = [step("p a", "(go a)", "q a"), step("p a", "(go a)", "q b")]
    traces(tmp_path, *lines)
    is_one_error(call("inspect", "t.jsonl", cwd=tmp_path), "t.jsonl:1", "--labels")
    value = inspect(tmp_path, "t.jsonl", "--labels", "full")
    assert value["contradictions"] == [{"action": "(go a)", "lines": [1, 2]}]
    assert inspect(tmp_path, "t.jsonl", "--labels", "names")["contradictions"] == []


def test_bad_lines(tmp_path):
    traces(tmp_path, step("p a", "go", "q a"), "{\n", step("q a", "go", "p a"))
    is_one_error(call("inspect", "t.jsonl", cwd=tmp_path), "t.jsonl:2")
    status, out, err = call("inspect", "t.jsonl", "--skip-bad-lines", "--json", cwd=tmp_path)
    assert (status, strict_json(out)["transitions"]) == (0, 2)
    assert "1 of 3 line(s) dropped" in err


def test_from_standard_input_and_compressed(tmp_path):
    path = traces(tmp_path, HEADER | {"static": PIPES}, *STEPS)
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    plain = inspect(tmp_path, "t.jsonl")
    assert inspect(tmp_path, "t.jsonl.gz") == plain | {"file": "t.jsonl.gz"}
    piped = call("inspect", "-", "--json", cwd=tmp_path, stdin=path.read_text("utf-8"))
    assert strict_json(piped.out) == plain | {"file": "<stdin>"}


def test_the_state_space(tmp_path):
    garden(tmp_path)
    traces(tmp_path, *PLOTTED)
    [space] = inspect(tmp_path, "t.jsonl", *KNOWN)["state_spaces"]
    assert (space["problem"], space["reachable_states"], space["visited_states"]) == ("plot", 16, 3)
    assert space["all_reachable_states"]
    assert space["actions"]["water"] == {
        "reachable_transitions": 10, "seen": 1, "unseen_in_visited_states": 0,
    }  # fmt: skip
    out = call("inspect", "t.jsonl", *KNOWN, cwd=tmp_path).out
    assert "State space of plot: 3 of 16 reachable states visited (18.7 %)" in out
    [cut] = inspect(tmp_path, "t.jsonl", *KNOWN, "--states", 2)["state_spaces"]
    assert (cut["reachable_states"], cut["all_reachable_states"], cut["other_states"]) == (
        2, False, 1,
    )  # fmt: skip


def test_what_the_sampler_writes(tmp_path):
    garden(tmp_path)
    write(tmp_path, "q.pddl", PROBLEM.replace("plot", "other"))
    call("sample", "domain.pddl", "p.pddl", "q.pddl", "-o", "t.jsonl", cwd=tmp_path)
    value = inspect(tmp_path, "t.jsonl", *KNOWN, "--problem", "q.pddl")
    assert [problem["problem"] for problem in value["problems"]] == ["plot", "other"]
    for space in value["state_spaces"]:
        assert space["impossible_transitions"] == []
        assert space["missing_static_atoms"] == {}
        assert space["other_states"] == 0
        assert space["visited_states"] > 10


@pytest.mark.parametrize(("name", "start"), [("p.png", b"\x89PNG"), ("p.SVG", b"<?xml")])
def test_plot(tmp_path, name, start):
    garden(tmp_path)
    traces(tmp_path, *PLOTTED)
    plain = call("inspect", "t.jsonl", *KNOWN, cwd=tmp_path)
    assert call("inspect", "t.jsonl", *KNOWN, "--plot", name, cwd=tmp_path) == plain
    assert (tmp_path / name).read_bytes().startswith(start)
    call("inspect", "t.jsonl", "--plot", f"bars-{name}", cwd=tmp_path)
    assert (tmp_path / f"bars-{name}").stat().st_size < (tmp_path / name).stat().st_size


def test_what_is_too_large_to_draw_is_said(tmp_path):
    garden(tmp_path)
    traces(tmp_path, *PLOTTED)
    arguments = ("inspect", "t.jsonl", *KNOWN, "--states", 9, "--plot", "p.svg")
    status, _, err = call(*arguments, cwd=tmp_path)
    assert status == 0
    assert err == ("note: the state space of plot is not drawn, since it has more than 9 states\n")


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["t.jsonl", "--domain", "domain.pddl"], ["t.jsonl", "--problem", "p.pddl"],
        ["t.jsonl", *KNOWN, "--states", 0], ["t.jsonl", "--states", 9],
        ["t.jsonl", "--labels", "some"],
        ["t.jsonl", "--plot", "t.pdf"], ["t.jsonl", "--plot", "picture"],
        ["same.png", "--plot", "same.png"],
    ],
)  # fmt: skip
def test_wrong_usage(tmp_path, arguments):
    garden(tmp_path)
    traces(tmp_path, *PLOTTED)
    traces(tmp_path, *PLOTTED, name="same.png")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    status, out, err = call("inspect", *arguments, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: dias inspect")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    "content", [None, "", '{"dias":"trace/1"}\n', "hello\n", "[1]\n", DOMAIN, PROBLEM]
)
def test_a_file_that_holds_no_traces(tmp_path, content):
    if content is not None:
        write(tmp_path, "bad", content)
    is_one_error(call("inspect", "bad", "--plot", "p.png", cwd=tmp_path), "error: bad", "expected")
    assert "p.png" not in os.listdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["--domain", "t.jsonl", "--problem", "p.pddl"], ["t.jsonl:1:1", "(define"]),
        (["--domain", "p.pddl", "--problem", "p.pddl"], ["p.pddl:1:9", "found a problem"]),
        (["--domain", "domain.pddl", "--problem", "domain.pddl"], ["domain.pddl", "expected"]),
        (["--domain", "domain.pddl", "--problem", "none.pddl"], ["none.pddl", "found nothing"]),
        (["--domain", "other.pddl", "--problem", "q.pddl"],
         ["t.jsonl:2", "an action of domain other", "found turn-on", "Give the domain"]),
        (["--domain", "domain.pddl", "--problem", "small.pddl"],
         ["t.jsonl", "traces of problem plot", "the object leek", "Give the problem"]),
    ],
)  # fmt: skip
def test_a_domain_or_problem_that_does_not_fit(tmp_path, arguments, fragments):
    garden(tmp_path)
    traces(tmp_path, *PLOTTED)
    write(tmp_path, "other.pddl", "(define (domain other) (:action go :parameters () :effect ()))")
    write(tmp_path, "q.pddl", "(define (problem q) (:domain other) (:init) (:goal (and)))")
    small = PROBLEM.replace(" leek", "").replace("(dry)", "").replace("(pipe south)", "")
    write(tmp_path, "small.pddl", small.replace("(wet)", ""))
    is_one_error(call("inspect", "t.jsonl", *arguments, cwd=tmp_path), *fragments)


def test_same_input_same_bytes(tmp_path):
    garden(tmp_path)
    traces(tmp_path, *PLOTTED)
    outcomes = []
    for run in (call, rehashed):
        outcome = run("inspect", "t.jsonl", *KNOWN, "--plot", "p.svg", cwd=tmp_path)
        outcomes.append((outcome, (tmp_path / "p.svg").read_bytes()))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0].status == 0


def test_a_time_limit_that_leaves_nothing_to_show_is_one_error(tmp_path):
    traces(tmp_path, HEADER, *STEPS)
    outcome = call("inspect", "t.jsonl", "--time-limit", 1e-9, cwd=tmp_path)
    is_one_error(outcome, "t.jsonl:2: the time limit ended before the file was read")


def test_enough_time_changes_nothing(tmp_path):
    garden(tmp_path)
    traces(tmp_path, *PLOTTED)
    limited = inspect(tmp_path, "t.jsonl", *KNOWN, "--time-limit", 1000)
    assert limited == inspect(tmp_path, "t.jsonl", *KNOWN)


def test_several_files(tmp_path):
    """Two walks that end in states of their own."""
    head = HEADER | {"static": PIPES}
    traces(tmp_path, head, *STEPS)
    traces(tmp_path, "\n", head, STEPS[0], STEPS[0], name="u.jsonl")
    value = inspect(tmp_path, "u.jsonl", "t.jsonl")
    assert (value["sources"], value["transitions"]) == (["u.jsonl", "t.jsonl"], 5)
    assert (value["file"], value["distinct_transitions"]) == ("u.jsonl, t.jsonl", 3)
    assert [end["line"] for end in value["dead_ends"]] == ["t.jsonl:4"]
    assert value["notes"][0].startswith("u.jsonl:3: 2 of 5 transitions repeat another one")
    assert value["notes"][1].startswith("actions with fewer than 20 transitions")
    text = call("inspect", "u.jsonl", "t.jsonl", cwd=tmp_path).out
    assert "states that no step leaves: 1, reached in line t.jsonl:4" in text
    alone = inspect(tmp_path, "t.jsonl")
    assert ("sources" in alone, alone["dead_ends"][0]["line"]) == (False, 4)


def test_a_picture_may_not_be_written_over_any_of_the_files(tmp_path):
    traces(tmp_path, HEADER, *STEPS)
    traces(tmp_path, HEADER, *STEPS, name="u.png")
    outcome = call("inspect", "t.jsonl", "u.png", "--plot", "u.png", cwd=tmp_path)
    assert (outcome.status, "u.png is given twice" in outcome.err) == (2, True)


def test_what_is_not_certain(tmp_path):
    """It is counted; such states are not compared with a state space."""
    garden(tmp_path)
    head = HEADER | {"static": PIPES, "unlisted": "unknown"}
    first = {**STEPS[0], "state": [*STEPS[0]["state"], ["(wet rose)", 0.25]]}
    traces(tmp_path, head, {**first, "next-unknown": ["(wet rose)", "(shut n)"]})
    out = call("inspect", "t.jsonl", cwd=tmp_path).out
    assert "atoms a state that are not certain: 1.5, 1.0 of them unknown" in out
    assert "what a state does not list is unknown" in out
    assert inspect(tmp_path, "t.jsonl")["uncertain"] == {
        "sightings": 3, "unknown": 2, "unlisted": "unknown", "one-of": 0,
    }  # fmt: skip
    outcome = call("inspect", "t.jsonl", *KNOWN, cwd=tmp_path)
    is_one_error(outcome, "t.jsonl: ", "every atom is certain", "dias denoise")
