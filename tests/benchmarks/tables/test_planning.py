"""Which learned domains are planned with, and what the table says of them."""

from __future__ import annotations

import json
from collections import Counter

from click.testing import CliRunner

from benchmarks.generate import DOMAINS
from benchmarks.running.rawlines import read_rows
from benchmarks.tables import planning
from dias.errors import DiasError


def test_runs_with_the_same_domain_share_a_plan(tmp_path):
    folder, output = tmp_path / "bench", tmp_path / "planning.jsonl"
    (folder / "learned").mkdir(parents=True)
    text = (DOMAINS / "gripper" / "domain.pddl").read_text()
    (folder / "learned" / "gripper-1.pddl").write_text(text)
    gripper = {"domain": "gripper", "method": "hybrid", "learned": "gripper-1.pddl"}
    rows = [gripper | {"seed": seed} for seed in (0, 1)]
    rows += [{"domain": "gripper", "method": "hybrid", "seed": 2, "failure": "learn: lost"}]
    rows += [gripper | {"method": "neural", "learned": "gripper-2.pddl"}]
    (folder / "main.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ["--learned", str(folder), "-o", str(output)]
    outcome = CliRunner().invoke(planning.main, arguments)
    assert outcome.exit_code == 0, outcome.output
    plans = read_rows(output)
    assert [(row["problem"], row["used"], row["status"], row["valid"]) for row in plans] == [
        ("p01", "true", "solved", None),
        ("p02", "true", "solved", None),
        ("p01", "gripper-1.pddl", "solved", True),
        ("p02", "gripper-1.pddl", "solved", True),
    ]
    assert "true domain solves the problem: 4 of 4 plans valid" in outcome.output
    before = output.read_bytes()
    again = CliRunner().invoke(planning.main, arguments)
    assert again.exit_code == 0
    assert output.read_bytes() == before  # what is done is not done again


def test_what_is_not_there_is_no_result(tmp_path):
    """Neither an empty table nor a row that says a plan was not found."""
    output = tmp_path / "planning.jsonl"
    arguments = ["--learned", str(tmp_path), "-o", str(output)]
    nothing = CliRunner().invoke(planning.main, arguments)
    assert nothing.exit_code == 2
    assert "has no domains that hybrid learned" in nothing.output
    row = {"domain": "gripper", "method": "hybrid", "learned": "gripper-1.pddl"}
    (tmp_path / "main.jsonl").write_text(json.dumps(row) + "\n")
    lost = CliRunner().invoke(planning.main, arguments)
    assert isinstance(lost.exception, DiasError)
    assert "gripper-1.pddl: expected a learned domain" in str(lost.exception)
    assert {row["used"] for row in read_rows(output)} == {"true"}


def plan(used: str, problem: str = "p01", **changes) -> dict:
    row = {"domain": "d", "problem": problem, "used": used, "status": "solved", "steps": 5}
    return row | {"valid": None if used == "true" else True, "seconds": 1.0} | changes


def test_runs_are_counted_not_domains():
    """A plan that the true domain refuses, one that is not found, a problem too hard for all."""
    rows = [
        plan("true"), plan("a"), plan("b", valid=False, seconds=3.0, steps=2),
        plan("c", status="unsolvable"),
        plan("true", "p02", status="out of time"),
    ]  # fmt: skip
    table = planning.markdown(rows, {"d": Counter(a=5, b=2, c=1)}).splitlines()
    assert table[2] == "| d | p01 | 1.0 | 5 | 8 | 3 | 7 | 5 | 1.0–3.0 | 2–5 | 2.00 |"
    assert table[3] == "| d | p02 | 1.0 | out of time | 8 | 3 |  |  |  |  |  |"
    assert "Where the true domain solves the problem: 5 of 8 plans valid." in table
    assert "Problems that the true domain does not solve in time: 1." in table
