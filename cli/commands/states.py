"""`dias states`: test states, breadth first or from random walks."""

from __future__ import annotations

from pathlib import Path

import click

from dias_cli.common import (
    FILE,
    SECONDS,
    STDOUT,
    check_outputs,
    output_option,
    seed_option,
    states_from_option,
)


@click.command("states")
@click.argument("domain", type=FILE)
@click.argument("problems", type=FILE, nargs=-1, required=True)
@output_option("File; .gz compresses.")
@click.option(
    "--states",
    "n_states",
    type=click.IntRange(1),
    default=1500,
    help="States in all, shared evenly between the problems.",
)
@states_from_option
@click.option(
    "--time-limit", type=SECONDS, help="Seconds in all; what was found by then is written."
)
@seed_option
def command(
    domain: Path,
    problems: tuple[Path, ...],
    output: str,
    n_states: int,
    states_from: str,
    time_limit: float | None,
    seed: int,
) -> None:
    """Write reachable states of PROBLEMS: the first in breadth-first order, or those of walks.

    These are the states that `dias evaluate` compares successors in. The output is JSON Lines:
    a header for each problem with its objects and static atoms, then a state a line.
    """
    from dias.evaluation.states import reachable_states
    from dias.limits import remaining_s, within
    from dias.report.text import plural
    from dias.strips.pddl.reader import read_domain, read_problem
    from dias.traces.writer import problem_header, write_states

    check_outputs([output], [domain, *problems])
    true = read_domain(domain)
    instances = [read_problem(path, true, needs_goal=False) for path in problems]
    with within(time_limit and time_limit / 2):  # to write a state takes no longer than to find it
        found = reachable_states(true, instances, n_states, states_from, seed)
        is_out_of_time = remaining_s() == 0
    n_written = write_states(
        output,
        [
            (
                problem_header(true, problem.instance, problem.static_atoms),
                map(problem.codes.decode_state, states),
            )
            for problem, states in found
        ],
    )
    name = "standard output" if output == STDOUT else output
    click.echo(f"{name}: {plural(n_written, 'state')}", err=True)
    if n_written < n_states and is_out_of_time:
        click.echo("note: the time limit ended the search", err=True)
    elif n_written < n_states:
        are = "is" if n_written == 1 else "are"
        how = "met by the walks" if states_from == "walk" else "reachable"
        click.echo(f"note: only {plural(n_written, 'state')} {are} {how}", err=True)
