"""`dias evaluate`: how sound and how complete a learned domain is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dias.errors import PDDLInputError, did_you_mean
from dias_cli.common import (
    FILE,
    SECONDS,
    echo_json,
    json_option,
    problems_beside,
    seed_option,
    states_from_option,
    variants_option,
)

if TYPE_CHECKING:
    from dias.strips.engines.choice import Dynamics


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
    help="Test states in all, shared evenly between the problems.",
)
@states_from_option
@click.option(
    "--engine",
    type=click.Choice(["lifted", "pyperplan"]),
    default="lifted",
    help="How successors are computed. Both give the same figures; lifted does not ground.",
)
@click.option("--time-limit", type=SECONDS, help="Seconds for the comparison.")
@variants_option
@seed_option
@json_option
def command(
    learned: Path,
    gt: Path,
    problems: tuple[Path, ...],
    states: int,
    states_from: str,
    engine: str,
    time_limit: float | None,
    variants: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Compare the successors of LEARNED, a domain or a network, with those of the true domain.

    Test states are the first reachable states in breadth-first order, or those that random walks
    meet. "precision" and "recall" are over successor states, "pairs" over (action name, successor
    state). Sound means that no predicted successor is wrong, complete that none is missing, in the
    states tried; true actions that are applicable in none of them are named as not tested.
    """
    from dias.evaluation.evaluate import compare
    from dias.report.evaluation import evaluation_json, evaluation_text
    from dias.strips.engines.choice import StripsDynamics
    from dias.strips.pddl.reader import read_domain, read_problem
    from dias.strips.variants import common_name

    true = read_domain(gt)
    dynamics = _read_dynamics(learned, engine)
    paths = list(problems) or problems_beside(gt, true.name)
    if not problems:
        click.echo(f"problems: {', '.join(str(path) for path in paths)}", err=True)
    instances = [read_problem(path, true, needs_goal=False) for path in paths]
    try:
        evaluation = compare(
            dynamics,
            StripsDynamics(true, engine),
            instances,
            states,
            time_limit,
            variants,
            states_from,
            seed,
        )
    except PDDLInputError as error:
        error.place = error.place or str(learned)
        raise
    known = [action.name for action in true.actions]
    same = common_name if variants else str
    for name in (action.name for action in dynamics.domain.actions):
        if same(name) not in map(same, known):
            close = did_you_mean(name, known)
            finding = f"{learned}: {gt} has no action {name}. {close}".rstrip()
            click.echo(f"warning: {finding}", err=True)
    if as_json:
        echo_json(evaluation_json(evaluation))
    else:
        click.echo(evaluation_text(evaluation))


def _read_dynamics(path: Path, engine: str) -> Dynamics:
    """What is in a file, a domain or a network; its content says which."""
    if _begins_like_network(path):
        from dias.learning.mlp.checkpoint import load_dynamics  # imports torch

        return load_dynamics(path)
    from dias.strips.engines.choice import StripsDynamics
    from dias.strips.pddl.reader import read_domain

    return StripsDynamics(read_domain(path), engine)


def _begins_like_network(path: Path) -> bool:
    """Whether the file is of the kind that networks are kept in."""
    try:
        with path.open("rb") as stream:
            head = stream.read(256)  # an archive whose first entry is torch's data
            return head.startswith(b"PK\x03\x04") and b"/data.pkl" in head
    except (OSError, ValueError):
        return False  # what is wrong with it, the reader of domains says
