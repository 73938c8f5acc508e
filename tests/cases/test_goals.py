"""What stands in a goal matters to plans alone; everybody else reads the problem without it."""

from __future__ import annotations

import pytest

from tests.cases.commands import PLAN, PROBLEM_READERS, SAMPLE, put
from tests.cli.helpers import DOMAIN, PROBLEM, call, is_one_error

GOAL = "(:goal (and (wet rose) (wet leek) (shut south)))"
# What stands in place of the goal, and words of the planner's message.
GOALS = {
    "a false equality": ("(:goal (= rose leek))", ("p.pddl:5:10", "false equality")),
    "a disjunction": ("(:goal (or (wet rose) (wet leek)))", ("p.pddl:5:10", "`or`")),
    "an implication": ("(:goal (imply (wet rose) (dry leek)))", ("p.pddl:5:10", "`imply`")),
    "a quantifier": ("(:goal (forall (?b - bed) (wet ?b)))", ("p.pddl:5:10", "`forall`")),
    "a negated conjunction": ("(:goal (not (and (wet rose) (wet leek))))", ("p.pddl:5", "`not`")),
    "a preference": (
        "(:goal (and (wet rose) (preference first (wet leek))))\n"
        "  (:metric minimize (is-violated first))",
        ("p.pddl:6:3", "`:metric`"),
    ),
    "a preference without a metric": (
        "(:goal (preference first (wet leek)))", ("p.pddl:5:10", "`preference`"),
    ),
    "a metric": (f"{GOAL} (:metric minimize (total-time))", ("p.pddl:5", "`:metric`")),
    "a comparison of numbers": ("(:goal (>= (height rose) 3))", ("p.pddl:5:10", "`>=`")),
    "constraints": (
        f"{GOAL} (:constraints (always (wet rose)))", ("p.pddl:5", "`:constraints`"),
    ),
    "an unknown predicate": ("(:goal (ripe rose))", ("p.pddl:5:10", "`ripe`", "Did you mean")),
    "an unknown object": ("(:goal (wet kale))", ("p.pddl:5:15", "`kale`")),
    "an object of another type": ("(:goal (wet south))", ("p.pddl:5:15", "type bed")),
    "two formulas": ("(:goal (wet rose) (wet leek))", ("p.pddl:5:3", "one formula")),
}  # fmt: skip


@pytest.mark.parametrize("name", GOALS)
def test_only_those_who_plan_or_judge_plans_or_write_problems_refuse(tmp_path, name):
    goal, fragments = GOALS[name]
    assert GOAL in PROBLEM
    put(tmp_path, DOMAIN)
    plain = call(*SAMPLE, cwd=tmp_path).out
    put(tmp_path, DOMAIN, PROBLEM.replace(GOAL, goal))
    assert call(*SAMPLE, cwd=tmp_path).out == plain
    for reader, arguments in PROBLEM_READERS.items():
        outcome = call(*arguments, cwd=tmp_path)
        if reader in ("plan", "validate", "convert PROBLEM"):
            is_one_error(outcome, *fragments)
        else:
            assert (outcome.status, "warning" in outcome.err) == (0, False), (reader, outcome)
    call(*SAMPLE, "-o", "t.jsonl", cwd=tmp_path)
    seen = ("inspect", "t.jsonl", "--domain", "domain.pddl", "--problem", "p.pddl")
    assert call(*seen, cwd=tmp_path).status == 0
    is_one_error(call(*PLAN, "--gt", "domain.pddl", cwd=tmp_path), *fragments)


def test_brackets_are_closed_in_a_goal_too(tmp_path):
    put(tmp_path, DOMAIN, PROBLEM.replace("(shut south)))", "(shut south)"))
    for arguments in PROBLEM_READERS.values():
        is_one_error(call(*arguments, cwd=tmp_path), "p.pddl:")
