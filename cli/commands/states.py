"""`dias states`: test states, breadth first."""

from __future__ import annotations

from pathlib import Path

import click

from dias_cli.common import FILE, STDOUT, STREAM, check_outputs


@click.command("states")
@click.argument("domain", type=FILE)
@click.argument("problems", type=FILE, nargs=-1, required=True)
@click.option(
    "-o", "output", type=STREAM, default=STDOUT, help="File; .gz compresses. Default: stdout."
)
@click.option(
    "--states",
    "n_states",
    type=click.IntRange(1),
    default=1500,
    show_default=True,
    help="States in all, shared evenly between the problems.",
)
def command(domain: Path, problems: tuple[Path, ...], output: str, n_states: int) -> None:
    """Write the first reachable states of PROBLEMS in breadth-first order.

    These are the states that `dias evaluate` compares successors in. The output is JSON Lines:
    a header for each problem with its objects and static atoms, then a state a line.
    """
    from dias.evaluation.states import reachable_states
    from dias.report.text import plural
    from dias.strips.pddl.reader import read_domain, read_problem
    from dias.traces.sampling.sample import problem_header
    from dias.traces.writer import write_states

    check_outputs([output], [domain, *problems])
    true = read_domain(domain)
    instances = [read_problem(path, true) for path in problems]
    found = reachable_states(true, instances, n_states)
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
    if n_written < n_states:
        are = "is" if n_written == 1 else "are"
        click.echo(f"note: only {plural(n_written, 'state')} {are} reachable", err=True)
