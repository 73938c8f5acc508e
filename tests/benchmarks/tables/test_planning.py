"""Which learned domains are planned with, and what the table says of them."""

from __future__ import annotations

import json

from click.testing import CliRunner

from benchmarks.generate import DOMAINS
from benchmarks.reports.results import Results
from benchmarks.running.rawlines import read_rows
from benchmarks.tables import planning
from benchmarks.tables.planning import TRUE, PlanRun
from tests.benchmarks.tables.helpers import invoke

GRIPPER = {"domain": "gripper", "method": "hybrid", "learned": "gripper-1.pddl"}


def write_main(folder, rows):
    (folder / "main.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_runs_with_the_same_domain_share_a_plan(tmp_path, in_this_process):
    (tmp_path / "learned").mkdir()
    text = (DOMAINS / "gripper" / "domain.pddl").read_text()
    (tmp_path / "learned" / "gripper-1.pddl").write_text(text)
    rows = [GRIPPER | {"seed": seed} for seed in (0, 1, 2)]
    rows += [{"domain": "gripper", "method": "hybrid", "labels": "full", "failure": "learn: lost"}]
    rows += [GRIPPER | {"method": "neural", "learned": "gripper-2.pddl"}]
    write_main(tmp_path, rows)
    done = invoke(planning.command, tmp_path)  # two seeds
    plans = read_rows(tmp_path / "planning.jsonl")
    assert [(row["problem"], row["used"], row["status"], row["valid"]) for row in plans] == [
        ("p01", "true", "solved", None),
        ("p02", "true", "solved", None),
        ("p01", "gripper-1.pddl", "solved", True),
        ("p02", "gripper-1.pddl", "solved", True),
    ]
    assert "Runs: 4 of 4 done, 0 failed. Seeds: 0–1." in done.output
    assert "true domain solves the problem: 4 of 4 plans valid" in done.output
    before = (tmp_path / "planning.jsonl").read_bytes()
    invoke(planning.command, tmp_path)
    assert (tmp_path / "planning.jsonl").read_bytes() == before  # what is done is not done again


def test_a_plan_that_is_not_valid_is_a_result(tmp_path, in_this_process):
    """It ends with another status, and is no failure of the run."""
    (tmp_path / "learned").mkdir()
    text = (DOMAINS / "gripper" / "domain.pddl").read_text()
    wrong = text.replace("(carry ?o ?h) (at-robby ?r))", "(carry ?o ?h))")  # it drops anywhere
    assert wrong != text
    (tmp_path / "learned" / "gripper-1.pddl").write_text(wrong)
    write_main(tmp_path, [GRIPPER | {"seed": 0}])
    done = invoke(planning.command, tmp_path)
    learned = [row for row in read_rows(tmp_path / "planning.jsonl") if row["used"] != TRUE]
    found = [(row["status"], row["valid"], row["failure"]) for row in learned]
    assert ("solved", False, None) in found
    assert "0 failed" in done.output


def test_what_is_not_there_is_no_result(tmp_path):
    """Neither an empty table nor a row that says a plan was not found."""
    nothing = CliRunner().invoke(planning.command, ["-o", str(tmp_path)])
    assert nothing.exit_code == 2
    assert "has no domains that hybrid learned" in nothing.output
    write_main(tmp_path, [GRIPPER])
    plan = {"domain": "gripper", "problem": "p01", "used": "true", "status": "solved", "steps": 9}
    rows = [plan | {"seconds": 1.0, "mib": 40}, plan | {"problem": "p02", "status": "out of time"}]
    rows[1] |= {"seconds": 60.0, "mib": 40}
    (tmp_path / "planning.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lost = invoke(planning.command, tmp_path)
    row = read_rows(tmp_path / "planning.jsonl")[-1]
    assert (row["problem"], row["used"]) == ("p01", "gripper-1.pddl")
    assert row["failure"].startswith("plan: ")
    assert "gripper-1.pddl: expected a file" in row["failure"]
    assert "status" not in row
    assert f"used gripper-1.pddl: {row['failure']}" in lost.output
    assert "true domain solves the problem: 0 of 1 plans valid" in lost.output


def plan(used: str, n_runs: int, problem: str = "p01", n_domains: int = 1, **changes):
    row = {"domain": "d", "problem": problem, "used": used, "status": "solved", "steps": 5}
    row |= {"failure": None, "valid": None if used == TRUE else True, "seconds": 1.0}
    return PlanRun("d", problem, used, range(n_runs), n_domains), row | changes


def test_runs_are_counted_not_domains():
    """A plan that the true domain refuses, one that is not found, problems too hard or not done."""
    rows = dict(
        [
            plan(TRUE, 8, n_domains=3), plan("a", 5),
            plan("b", 2, valid=False, seconds=3.0, steps=2), plan("c", 1, status="unsolvable"),
            plan(TRUE, 8, "p02", n_domains=3, status="out of time"),
        ]
    )  # fmt: skip
    not_done, _ = plan(TRUE, 8, "p03", n_domains=3)
    report = planning.report(Results("planning", [*rows, not_done], rows))
    ((_, table),) = report.tables
    assert table.markdown()[2:] == [
        "| d | p01 | 1.0 | 5 | 8 | 3 | 7 | 5 | 1.0–3.0 | 2–5 | 2.00 |",
        "| d | p02 | 1.0 | out of time | 8 | 3 | – | – | – | – | – |",
        "| d | p03 | – | – | 8 | 3 | – | – | – | – | – |",
    ]
    assert report.notes == [
        "Where the true domain solves the problem: 5 of 8 plans valid.",
        "Problems that the true domain does not solve in time: 1.",
        "Median ratio 2.00, largest 2.00.",
    ]


def test_rows_of_before_there_were_failures_count(tmp_path):
    """The kept raw lines; their times are what the table is made of."""
    write_main(tmp_path, [GRIPPER])
    row = {"domain": "gripper", "problem": "p01", "used": "true", "status": "unsolvable"}
    row |= {"steps": 0, "valid": None, "operators": 6, "seconds": 90.0, "mib": 41}
    (tmp_path / "planning.jsonl").write_text(json.dumps(row) + "\n")
    text = invoke(planning.command, tmp_path, "--report-only").output
    assert "Runs: 1 of 2 done, 1 not done yet, 0 failed." in text
    assert "One after the other they would take 1.5 min." in text
    assert "| gripper | p01 | 90.0 | unsolvable | 1 | 1 |" in text
