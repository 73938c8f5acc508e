"""Several planners side by side, with true and learned domains."""

from __future__ import annotations

from unittest.mock import patch

from benchmarks.running.rawlines import read_rows
from benchmarks.tables import planners
from benchmarks.tables.planners import PlannersRun
from tests.benchmarks.tables.helpers import cells, invoke, report


def test_a_domain_is_learned_and_planned_with(tmp_path, monkeypatch, in_this_process):
    monkeypatch.setattr(planners, "PROBLEMS", ("p02", "p03"))  # p04 takes a second to plan in
    options = ("--domain", "gripper", "--planner", "pyperplan")
    done = invoke(planners.command, tmp_path, *options)
    (row,) = read_rows(tmp_path / "planners.jsonl")
    found = [(own["problem"], own["used"], own["status"], own["valid"]) for own in row["plans"]]
    assert found == [
        ("p02", "true", "solved", None),
        ("p02", "learned", "solved", True),
        ("p03", "true", "solved", None),
        ("p03", "learned", "solved", True),
    ]
    assert (tmp_path / "learned" / row["learned"]).exists()
    steps = [str(own["steps"]) for own in row["plans"]]
    assert cells(done.output, "gripper", "p02")[1::2] == steps[:2]
    assert cells(done.output, "gripper", "p03")[1::2] == steps[2:]
    before = (tmp_path / "planners.jsonl").read_bytes()
    invoke(planners.command, tmp_path, *options)
    assert (tmp_path / "planners.jsonl").read_bytes() == before  # what is done is not done again


def plan(problem, used, cpu_s=1.0, **changes):
    row = {"problem": problem, "used": used, "status": "solved", "failure": None}
    row |= {"valid": True if used == "learned" else None, "steps": 5, "plan_cpu_s": cpu_s}
    return row | changes


def test_what_is_no_plan_is_said(tmp_path):
    late, failed = {"status": "out of time"}, {"status": "failed", "failure": "plan: lost"}
    rows = [
        PlannersRun("gripper", "pyperplan").key
        | {
            "plans": [
                plan("p03", "true"),
                plan("p03", "learned", 2.5, valid=False),
                plan("p04", "true", 60, **late),
                plan("p04", "learned", 1, **failed),
            ]
        },
        PlannersRun("gripper", "fast-downward").key | {"failure": "sample: lost"},
    ]
    text = report(planners.command, tmp_path, rows, "--domain", "gripper").output
    assert cells(text, "gripper", "p03") == ["1.0", "5", "2.5", "not valid", "–", "–", "–", "–"]
    assert cells(text, "gripper", "p04")[:4] == ["60.0", "out of time", "1.0", "failed"]
    assert "pyperplan: plans for 1 of 2 problems with the true domain, for 1 of 2 with" in text
    assert "of which 0 are valid in the true domain" in text
    assert "- gripper, p04, pyperplan, learned: plan: lost" in text
    assert "- gripper, planner fast-downward, seed 0: sample: lost" in text


def test_what_needs_longer_is_out_of_time(tmp_path):
    with patch.object(planners, "TIME_LIMIT_S", 1), patch.object(planners, "PROBLEMS", ["p04"]):
        row = PlannersRun("blocks-3", "pyperplan").execute()
    assert [own["status"] for own in row["plans"]] == ["out of time", "out of time"]
    assert row["failure"] is None
