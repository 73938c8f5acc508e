"""`dias plan`: a plan in a domain, true or learned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dias_cli.common import (
    FILE,
    SECONDS,
    STDOUT,
    check_goal,
    check_outputs,
    echo_json,
    is_given,
    json_option,
    output_option,
    variants_option,
    write_result,
)

if TYPE_CHECKING:
    from dias.planning.replay import ReplayedStep, ReplayResult

SEARCHES = ("astar", "bfs", "ehs", "gbf", "ids", "lazy", "wastar")
UNINFORMED = ("bfs", "ids")
HEURISTICS = ("blind", "hadd", "hff", "hmax", "hsa", "landmark", "lmcut")


@click.command("plan")
@click.argument("domain", type=FILE)
@click.argument("problem", type=FILE)
@output_option("Plan file.")
@click.option(
    "--planner",
    default="pyperplan",
    help="pyperplan, or one that unified-planning knows, such as fast-downward; those need the "
    "extra: pip install 'dias-planning[planners]'.",
)
@click.option(
    "--search",
    type=click.Choice(SEARCHES),
    default="lazy",
    help="lazy is greedy and fast; the others are pyperplan's, astar with lmcut or hmax optimal.",
)
@click.option(
    "--heuristic",
    type=click.Choice(HEURISTICS),
    default="hff",
    help="What guides it; bfs and ids use none.",
)
@click.option("--time-limit", type=SECONDS, help="Seconds to ground and search.")
@click.option(
    "--gt",
    type=FILE,
    help="Also run the plan in this true domain and say whether each step is a true transition; "
    "the problem may name its constants.",
)
@variants_option
@json_option
def command(
    domain: Path,
    problem: Path,
    output: str,
    planner: str,
    search: str,
    heuristic: str,
    time_limit: float | None,
    gt: Path | None,
    variants: bool,
    as_json: bool,
) -> int:
    """Plan in DOMAIN for PROBLEM and print the plan.

    Exit status 3 when there is no plan, or none was found within the limits; the message says
    which. 4 when the plan is not valid in the true domain (--gt): steps and literals are named.
    """
    from dias.planning.plan import PlanStatus, format_plan, plan
    from dias.planning.replay import replay
    from dias.strips.pddl.reader import read_domain, read_problem

    for option in ("search", "heuristic"):
        if planner != "pyperplan" and is_given(option):
            raise click.UsageError(f"--{option} is for --planner pyperplan, not for {planner}")
    if search in UNINFORMED and is_given("heuristic"):
        raise click.UsageError(f"--heuristic would do nothing with --search {search}")
    if variants and gt is None:
        raise click.UsageError("--variants says how names are compared with those of --gt")
    check_outputs([output], [domain, problem, *([gt] if gt else [])])
    learned = read_domain(domain)
    true = read_domain(gt) if gt else None
    # Read in the true domain too, for its types; the problem may name constants that only it has.
    true_instance = read_problem(problem, true) if true else None
    if true:
        learned = learned.with_constants_of(true)
    instance = read_problem(problem, learned)
    check_goal(instance, problem)
    result = plan(
        learned,
        instance,
        planner=planner,
        search=search,
        heuristic=heuristic,
        time_limit_s=time_limit,
    )
    solved = result.status is PlanStatus.SOLVED
    replayed = None
    if solved and true and true_instance:
        replayed = replay(result.steps, learned, true, true_instance, variants)
    if solved and not (as_json and output == STDOUT):
        write_result(output, format_plan(result))
    if as_json:
        echo_json(
            {
                "status": result.status.value,
                "message": result.message,
                "plan": [str(step) for step in result.steps],
                "operators": result.n_operators,
                "grounding_s": round(result.grounding_s, 3),
                "search_s": round(result.search_s, 3),
                "valid": replayed.valid if replayed else None,
                "unmet_goals": list(replayed.unmet) if replayed else None,
                "steps": _steps(replayed) if replayed else None,
            }
        )
    click.echo(result.message, err=True)
    if replayed and not as_json:
        click.echo(_verdict(replayed), err=output == STDOUT)
    if not solved:
        return 3
    return 0 if replayed is None or replayed.valid else 4


def _steps(replayed: ReplayResult) -> list[dict[str, object]]:
    return [
        {
            "step": str(step.step),
            "verdict": step.verdict.value,
            "true_action": str(step.true_action) if step.true_action else None,
            "nearest": str(step.nearest.action) if step.nearest else None,
            "faults": list(step.nearest.faults) if step.nearest else [],
        }
        for step in replayed.steps
    ]


def _verdict(replayed: ReplayResult) -> str:
    """Whether the plan is valid; every step that is not a true transition, and why it is not."""
    lines = [
        f"step {number} {step.step}: {_fault(step)}"
        for number, step in enumerate(replayed.steps, start=1)
        if step.verdict.value != "valid"
    ]
    if replayed.unmet:
        lines.append(f"the goal does not hold at the end: {', '.join(replayed.unmet)}")
    lines.append(f"valid in the true domain: {'yes' if replayed.valid else 'no'}")
    return "\n".join(lines)


def _fault(step: ReplayedStep) -> str:
    """What is wrong with a step that is not valid."""
    if step.true_action:
        return f"really {step.true_action}"
    if step.nearest is None:
        return f"not a true transition: there is no true action {step.step.name} of these objects"
    near = "" if step.nearest.action == step.step else f"nearest is {step.nearest.action}, but "
    return f"not a true transition: {near}{'; '.join(step.nearest.faults)}"
