"""What `dias convert` makes of a problem: the same with the types of a domain."""

from __future__ import annotations

from pathlib import Path

import click

from dias_cli.common import STDOUT, check_outputs, echo_json, is_given, write_result

PROBLEM = "problem"


def convert_problem(
    inputs: tuple[str, ...], output: str, domain: Path | None, as_json: bool
) -> None:
    """Write an untyped problem with the types of a domain, which its facts say: ``(ball b)``.

    Raises:
        UsageError: There are other inputs, or options that a problem does not have.
        PDDLInputError: The problem does not fit the domain, or some object has no type.
    """
    from dias.report.text import plural
    from dias.strips.pddl.reader import read_domain, read_problem
    from dias.strips.pddl.writer import format_problem
    from dias.strips.type_facts import check_all_typed

    for option, name in (
        ("target", "--to"), ("problems", "--problem"), ("labels", "--labels"),
        ("skip_bad_lines", "--skip-bad-lines"),
    ):  # fmt: skip
        if is_given(option):
            raise click.UsageError(f"{name} is about traces, and {inputs[0]} is a problem")
    if domain is None or len(inputs) != 1:
        raise click.UsageError("a problem is converted alone, with --domain: whose types it gets")
    [problem] = inputs
    check_outputs([output], [problem, domain])
    typed = read_domain(domain)
    instance = read_problem(problem, typed)
    check_all_typed(instance, typed, problem)
    write_result(output, format_problem(instance, typed))
    n_objects = len(instance.objects.keys() - typed.constants.keys())
    name = "standard output" if output == STDOUT else output
    said = f"{plural(n_objects, 'object')} with the types of domain {typed.name}"
    click.echo(f"{name}: {said}", err=True)
    if as_json:
        echo_json({"files": [output], "to": PROBLEM, "objects": n_objects, "domain": typed.name})
