"""`dias validate` from the outside."""

from __future__ import annotations

import pytest

from tests.cli.helpers import GOOD_PLAN as PLAN
from tests.cli.helpers import PROBLEM, call, garden, is_one_error, strict_json, write


def validate(folder, plan, *options):
    garden(folder)
    write(folder, "plan.txt", plan)
    files = ("--domain", "domain.pddl", "--problem", "p.pddl")
    return call("validate", "plan.txt", *files, *options, cwd=folder)


def test_a_plan_that_is_right(tmp_path):
    outcome = validate(tmp_path, PLAN)
    assert outcome == (0, "plan.txt, 5 steps: valid: yes\n", "")


@pytest.mark.parametrize(
    "spell",
    [
        lambda number, step: f"{number}: ({step}) [1]",
        lambda number, step: f"{number}.00: ({step.upper()}) [1.0] ; as VAL has it",
        lambda number, step: f"step {number}: {step.upper()}",
    ],
)
def test_its_other_spellings(tmp_path, spell):
    steps = [line.strip("()") for line in PLAN.splitlines()]
    text = "\n".join(spell(number, step) for number, step in enumerate(steps))
    assert validate(tmp_path, text + "\n; cost = 5\n").status == 0


def test_our_own_plans_are_valid(tmp_path):
    garden(tmp_path)
    call("plan", "domain.pddl", "p.pddl", "-o", "found.txt", cwd=tmp_path)
    assert validate(tmp_path, (tmp_path / "found.txt").read_text("utf-8")).status == 0


def test_the_wrong_step_is_named_with_its_line_and_its_literals(tmp_path):
    outcome = validate(tmp_path, "; mine\n(turn-on north)\n(water south rose)\n(sun leek)\n")
    assert (outcome.status, outcome.err) == (4, "")
    assert outcome.out.splitlines() == [
        "plan.txt:3: step 2 (water south rose): (open south) does not hold",
        "plan.txt, 3 steps: valid: no",
    ]


def test_the_goal_that_is_missed_is_named(tmp_path):
    outcome = validate(tmp_path, "".join(PLAN.splitlines(keepends=True)[:3]))
    assert outcome.status == 4
    assert outcome.out.splitlines() == [
        "the goal does not hold at the end: (shut south), (wet leek)",
        "plan.txt, 3 steps: valid: no",
    ]


def test_names_of_another_domain(tmp_path):
    outcome = validate(tmp_path, "(turn-of north)\n")
    assert outcome.status == 4
    assert "step 1 (turn-of north): there is no such action. Did you mean" in outcome.out
    assert "there is no object nroth. Did you mean north?" in (
        validate(tmp_path, "(turn-on nroth)\n").out
    )


def test_json(tmp_path):
    value = strict_json(validate(tmp_path, PLAN, "--json").out)
    assert value == {
        "plan": "plan.txt", "steps": 5, "valid": True, "wrong_step": None, "unmet_goals": [],
    }  # fmt: skip
    outcome = validate(tmp_path, "(turn-on north)\n(turn-on north)\n", "--json")
    assert outcome.status == 4
    value = strict_json(outcome.out)
    assert value["valid"] is False
    assert value["unmet_goals"] is None
    assert value["wrong_step"] == {
        "step": 2, "line": 2, "action": "(turn-on north)", "faults": ["(shut north) does not hold"],
    }  # fmt: skip
    value = strict_json(validate(tmp_path, "; nothing\n", "--json").out)
    assert value["unmet_goals"] == ["(wet leek)", "(wet rose)"]


def test_what_is_no_plan(tmp_path):
    is_one_error(validate(tmp_path, "turn it on\n"), "plan.txt:1: expected a step", "remarks")
    is_one_error(validate(tmp_path, PROBLEM), "plan.txt:1: ", "found a PDDL problem")
    is_one_error(validate(tmp_path, ""), "plan.txt: ", "found an empty file")


def test_a_problem_without_a_goal(tmp_path):
    garden(tmp_path)
    write(tmp_path, "plan.txt", PLAN)
    write(tmp_path, "q.pddl", PROBLEM[: PROBLEM.index("(:goal")] + ")")
    files = ("--domain", "domain.pddl", "--problem", "q.pddl")
    is_one_error(call("validate", "plan.txt", *files, cwd=tmp_path), "q.pddl: expected a goal")


def test_both_files_are_needed(tmp_path):
    garden(tmp_path)
    outcome = call("validate", "plan.txt", "--domain", "domain.pddl", cwd=tmp_path)
    assert (outcome.status, "--problem" in outcome.err) == (2, True)
