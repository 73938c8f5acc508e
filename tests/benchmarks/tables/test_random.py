"""The random table: one real run, how outcomes are told apart, and what the table counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.generators.random_domains import random_domain
from benchmarks.judging.judge import (
    OUTCOMES,
    RIGHT,
    RIGHT_DOUBTED,
    WRONG_DOUBTED,
    WRONG_SILENT,
    WRONG_UNTESTED,
    outcome,
)
from benchmarks.judging.literals import VERDICTS
from benchmarks.judging.random_run import RandomRun
from benchmarks.reports.results import Results
from benchmarks.running import runs
from benchmarks.running.rawlines import read_rows
from benchmarks.tables import random
from dias.strips.pddl.reader import parse_domain
from tests.benchmarks.fakes import row
from tests.benchmarks.tables.helpers import cells, invoke, report


def test_one_run_and_its_row(tmp_path):
    options = ("--seeds", "1", "--first-seed", "1002", "--variant", "injective")
    invoke(random.command, tmp_path, *options)
    (one,) = read_rows(tmp_path / "random.jsonl")
    assert one["failure"] is None
    domain = random_domain(1002, "injective").domain
    assert one["domain"] == domain.name == "random-injective-1002"
    assert one["actions"].keys() == {action.name for action in domain.actions}
    assert one["transitions"] == 3 * 44 * len(domain.actions)
    assert {verdict for _, verdict in one["literals"]} <= {*VERDICTS}
    assert len(one["literals"]) > 3
    assert 200 <= one["states"] <= 300
    assert one["outcome"] in OUTCOMES
    assert ("disputes" in one) is bool(one["wrong"])
    learned = parse_domain((tmp_path / "learned" / one["learned"]).read_text())
    assert learned.name == domain.name
    before = (tmp_path / "random.jsonl").read_bytes()
    invoke(random.command, tmp_path, *options)
    assert (tmp_path / "random.jsonl").read_bytes() == before  # what is done is not done again


LEARNED = {
    "transitions": 60, "distinct_transitions": 40, "explained": 40, "gradient_steps": 0,
    "explains_everything": True, "unobserved": [], "undone": {}, "seconds": {},
    "weak_points": ["a1: thin"],
    "actions": {},
}  # fmt: skip
EVALUATED = {
    "failure": None, "sound": False, "complete": True, "states": 300, "capped_states": 0,
    "not_tested": [],
    "successor_states": {"precision": 0.5, "recall": 1.0},
    "actions": {
        "a1": {"precision": 1.0, "recall": 1.0, "false_positives": 0, "false_negatives": 0},
        "a11": {"precision": 0.5, "recall": 1.0, "false_positives": 1, "false_negatives": 0},
    },
}  # fmt: skip


@pytest.fixture
def typed(monkeypatch):
    """The commands that a run typed, as words, and what was disputed."""
    commands: list[list[str]] = []
    answers = {"sample": {"files": []}, "learn": LEARNED, "evaluate": EVALUATED}

    def run_dias(name, *arguments, time_limit_s):
        commands.append([name, *map(str, arguments)])
        if name in ("sample", "learn"):
            text = '{"dias":"trace/1"}\n' if name == "sample" else "(define (domain l))"
            Path(arguments[arguments.index("-o") + 1]).write_text(text)
        return {
            "status": 0,
            "json": answers[name],
            "message": "",
            "seconds": 1.5,
            "cpu_s": 1.0,
            "peak_mib": 30,
        }

    def run_function(function, arguments, **limits):
        commands.append([function.__name__, *arguments["actions"]])
        said = {"disputes": {"a11": {"true": -1.0, "learned": None, "data": "decided"}}}
        return {
            "status": 0,
            "json": said,
            "message": "",
            "seconds": 0.5,
            "cpu_s": 0.5,
            "peak_mib": 30,
        }

    monkeypatch.setattr(runs, "run_dias", run_dias)
    monkeypatch.setattr(runs, "run_function", run_function)
    return commands, answers


def test_what_a_run_types(typed):
    commands, answers = typed
    one = RandomRun(3, "pddl", labels="full", method="hybrid", preconditions="minimal").execute()
    assert [command[0] for command in commands] == ["sample", "learn", "evaluate", "dispute"]
    sample, learn, evaluate, disputed = (" ".join(command) for command in commands)
    assert sample.count("/p0") == 3
    assert "--labels full --min-per-action 44 --max-per-action 44 --seed 3" in sample
    assert "--method hybrid --seed 3 --preconditions minimal" in learn
    assert evaluate.count("--problem") == 2
    assert "p04.pddl" in evaluate
    assert "--states 300 --states-from both" in evaluate
    assert disputed == "dispute a11"
    assert "--applicable" not in sample
    del commands[4:]
    RandomRun(3, applicable="ground").execute()
    assert "--seed 3 --applicable ground" in " ".join(commands[4])
    del commands[4:]
    assert one["failure"] is None
    assert one["outcome"] == WRONG_DOUBTED
    assert one["disputes"]["a11"]["data"] == "decided"
    assert one["actions"] == {
        "a1": {"precision": 1.0, "recall": 1.0, "doubted": True, "untested": []},
        "a11": {"precision": 0.5, "recall": 1.0, "doubted": False, "untested": []},
    }
    del commands[:]
    answers["evaluate"] = EVALUATED | {"failure": "out of time"}
    assert RandomRun(3, "pddl").execute()["failure"] == "evaluate: out of time"
    assert "--preconditions" not in commands[1]
    assert len(commands) == 3  # what was cut short is not disputed


@pytest.mark.parametrize(
    ("wrong", "weak_points", "explains_everything", "expected"),
    [
        ([], [], True, RIGHT),
        ([], ["a1: thin"], True, RIGHT_DOUBTED),
        ([], [], False, RIGHT_DOUBTED),
        (["a1"], [], True, WRONG_SILENT),
        (["a1"], ["a2: thin"], True, WRONG_DOUBTED),
        (["a1"], [], False, WRONG_DOUBTED),
        (["a2"], [], True, WRONG_UNTESTED),
        (["a2"], ["a1: thin"], True, WRONG_DOUBTED),
        (["a1", "a2"], [], True, WRONG_SILENT),
    ],
)
def test_outcomes(wrong, weak_points, explains_everything, expected):
    found = {"wrong": wrong, "weak_points": weak_points, "explains_everything": explains_everything}
    found["actions"] = {"a1": {"untested": []}, "a2": {"untested": ["(p ?x1)"]}}
    assert outcome(found) == expected


def done(run: RandomRun, outcome: str, data: str = "", doubted: bool = False, **changes):
    """A row in which a1 is wrong, if the data say anything, and a2 is right."""
    wrong = {"a1": {"true": -20.0, "learned": -32.5, "data": data}} if data else {}
    shares = {"precision": 0.5, "recall": 1.0}
    found = {
        "outcome": outcome, "wrong": list(wrong), "disputes": wrong, **shares,
        "actions": {
            "a1": shares | {"doubted": doubted},
            "a2": {"precision": 1.0, "recall": 1.0, "doubted": doubted},
        },
    }  # fmt: skip
    return row(run, **(found | changes))


def test_the_table_counts(tmp_path):
    first, *rest = (RandomRun(seed) for seed in range(5))
    other = replace(first, variant="pddl")
    lost = {"a1": {"true": -20.0, "learned": None, "data": "decided"}}
    rows = [
        done(first, WRONG_SILENT, "decided"),
        done(rest[0], WRONG_DOUBTED, "rival", doubted=True, precision=0.75, learn_s=9.0),
        done(rest[1], RIGHT_DOUBTED, doubted=True),
        rest[2].key | {"failure": "learn: out of memory"},
        done(other, WRONG_DOUBTED, "decided") | {"disputes": lost},
    ]
    text = report(random.command, tmp_path, rows).output
    assert cells(text, "injective", "0") == [
        *("4", "1", "0", "1", "1", "0", "1", "1", "0", "1", "0"),
        *("0.583", "1.000", "3 of 4", "1 of 2", "1", "2.0", "9.0"),
    ]  # fmt: skip
    assert "| 0 | injective | 0 | wrong, silent | a1 | 12.5 | 0.50 | 1.00 |" in text
    assert "| 0 | pddl | 0 | wrong, doubted | a1 | – | 0.50 | 1.00 |" in text
    assert "| 1 | injective" not in text  # a rival is not decided
    assert "seeds 1000 to 1199" in text


def test_the_worst_action_counts():
    run = RandomRun(0)
    both = {
        "a1": {"true": -2.0, "learned": -2.0, "data": "rival"},
        "a2": {"true": -2.0, "learned": -2.0, "data": "unpaid"},
    }
    found = done(run, WRONG_SILENT, "rival") | {"disputes": both, "wrong": ["a1", "a2"]}
    (group,) = random.report(Results("random", [run], {run: found})).groups
    assert (group["unpaid"], group["rival"]) == (1, 0)


def test_what_the_steps_with_flips_decide(tmp_path):
    """Of two domains that the steps decide as they were, one is decided as they were seen."""
    first, second, clean = RandomRun(0, flips=1), RandomRun(1, flips=1), RandomRun(0)
    lost = {"true": -2.0, "learned": None, "data": "decided"}
    rows = [
        done(run, WRONG_DOUBTED, "decided") | {"disputes": {"a1": lost | {"as_seen": word}}}
        for run, word in ((first, "against"), (second, "decided"), (clean, "decided"))
    ]
    options = ("--flips", "0", "--flips", "1")
    text = report(random.command, tmp_path, rows, *options).output
    assert cells(text, "injective", "1")[-1] == "1"
    assert cells(text, "injective", "0")[-1] == "–"
    assert "decided as seen" not in report(random.command, tmp_path / "x", rows[2:]).output


def test_where_seeds_begin(tmp_path):
    options = ("--seeds", "3", "--first-seed", "1000", "--variant", "pddl", "--flips", "4")
    text = report(random.command, tmp_path, [], *options).output
    assert "Runs: 0 of 3 done" in text
    assert "Seeds: 1000–1002." in text
    assert "| pddl | 4 | 0 | 0 |" in text
