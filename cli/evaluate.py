"""`dias evaluate`: how sound and how complete a learned domain is."""

from __future__ import annotations

from pathlib import Path

import click

from dias.errors import PDDLInputError, did_you_mean
from dias_cli.common import FILE, SECONDS, echo_json, json_option, problems_beside


@click.command("evaluate")
@click.argument("learned", type=FILE)
@click.option("--gt", type=FILE, required=True, help="The true domain to compare with.")
@click.option(
    "--problem",
    "problems",
    type=FILE,
    multiple=True,
    help="A problem to take test states from; repeatable. Default: those beside the true "
    "domain, without p01.",
)
@click.option(
    "--states",
    type=click.IntRange(1),
    default=1500,
    show_default=True,
    help="Test states in all, shared evenly between the problems.",
)
@click.option(
    "--engine",
    type=click.Choice(["lifted", "pyperplan"]),
    default="lifted",
    show_default=True,
    help="How successors are computed. Both give the same figures; lifted does not ground.",
)
@click.option("--time-limit", type=SECONDS, help="Seconds for the comparison.")
@json_option
def command(
    learned: Path,
    gt: Path,
    problems: tuple[Path, ...],
    states: int,
    engine: str,
    time_limit: float | None,
    as_json: bool,
) -> None:
    """Compare the successors of LEARNED with those of the true domain.

    Test states are the first reachable states in breadth-first order. "precision" and "recall"
    are over successor states, "pairs" over (action name, successor state). Sound means that no
    predicted successor is wrong, complete that none is missing.
    """
    from dias.evaluation import evaluate
    from dias.report.evaluation import evaluation_json, evaluation_text
    from dias.strips.reader import read_domain, read_problem

    true = read_domain(gt)
    learned_domain = read_domain(learned)
    paths = list(problems) or problems_beside(gt)
    if not problems:
        click.echo(f"problems: {', '.join(str(path) for path in paths)}", err=True)
    instances = [read_problem(path, true) for path in paths]
    try:
        evaluation = evaluate(learned_domain, true, instances, states, time_limit, engine)
    except PDDLInputError as error:
        error.place = error.place or str(learned)
        raise
    known = [action.name for action in true.actions]
    for action in learned_domain.actions:
        if action.name not in known:
            close = did_you_mean(action.name, known)
            finding = f"{learned}: {gt} has no action {action.name}. {close}".rstrip()
            click.echo(f"warning: {finding}", err=True)
    if as_json:
        echo_json(evaluation_json(evaluation))
    else:
        click.echo(evaluation_text(evaluation))
