"""`dias validate`: whether a plan is right, and where not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dias_cli.common import FILE, check_goal, echo_json, json_option

if TYPE_CHECKING:
    from dias.planning.plan_file import PlanStep
    from dias.planning.validate import Validation


@click.command("validate")
@click.argument("plan", type=FILE)
@click.option("--domain", type=FILE, required=True, help="The domain.")
@click.option("--problem", type=FILE, required=True, help="The problem that the plan is for.")
@json_option
def command(plan: Path, domain: Path, problem: Path, as_json: bool) -> int:
    """Say whether PLAN solves a problem, and if not which step and which literal is wrong.

    Each step is tried in the state that the steps before it lead to, then the goal. A plan may be
    spelled as planners and validators do: (op x y), 0: (op x y) [1], step 0: OP X Y. Exit status 4
    when it is not valid.
    """
    from dias.planning.plan_file import read_plan
    from dias.planning.validate import validate
    from dias.strips.pddl.reader import read_domain, read_problem

    true = read_domain(domain)
    instance = read_problem(problem, true)
    check_goal(instance, problem)
    steps = read_plan(plan)
    validation = validate([step.action for step in steps], true, instance)
    if as_json:
        echo_json(_json(validation, steps, plan))
    else:
        click.echo(_text(validation, steps, plan))
    return 0 if validation.valid else 4


def _wrong_step(validation: Validation, steps: list[PlanStep]) -> PlanStep | None:
    return steps[validation.n_applicable] if validation.faults else None


def _text(validation: Validation, steps: list[PlanStep], plan: Path) -> str:
    from dias.report.text import plural

    lines = []
    if wrong := _wrong_step(validation, steps):
        number = validation.n_applicable + 1
        reasons = "; ".join(validation.faults)
        lines.append(f"{plan}:{wrong.line}: step {number} {wrong.action}: {reasons}")
    if validation.unmet:
        lines.append(f"the goal does not hold at the end: {', '.join(validation.unmet)}")
    verdict = "yes" if validation.valid else "no"
    return "\n".join([*lines, f"{plan}, {plural(len(steps), 'step')}: valid: {verdict}"])


def _json(validation: Validation, steps: list[PlanStep], plan: Path) -> dict[str, object]:
    wrong = _wrong_step(validation, steps)
    return {
        "plan": str(plan),
        "steps": len(steps),
        "valid": validation.valid,
        "wrong_step": {
            "step": validation.n_applicable + 1,
            "line": wrong.line,
            "action": str(wrong.action),
            "faults": list(validation.faults),
        }
        if wrong
        else None,
        "unmet_goals": None if wrong else list(validation.unmet),
    }
