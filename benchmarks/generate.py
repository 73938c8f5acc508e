"""Write benchmark problems: one of any size, or again those kept in the repository.

``python -m benchmarks.generate logistics --cities 5 --locations 4 … [--seed N] [-o FILE]``
``python -m benchmarks.generate --all``
``python -m benchmarks.generate random --seed N --variant injective -o FOLDER``
"""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from dias.errors import DiasError
from dias.files import write_text_atomically

from .generators import BENCHMARKS
from .generators.problem import SizeError
from .generators.random_domains import INJECTIVE, VARIANTS, random_domain

DOMAINS = Path(__file__).parent / "domains"
"""One folder a domain."""


def problem_text(domain: str, sizes: Mapping[str, int], seed: int) -> str:
    """The PDDL of the problem with these sizes; its first line is the command that writes it.

    Raises:
        SizeError: There is no such problem.
    """
    problem = BENCHMARKS[domain].module.generate(random.Random(seed), **sizes)
    options = " ".join(f"--{size} {number}" for size, number in sizes.items())
    name = "-".join([domain, *map(str, sizes.values()), f"seed{seed}"])
    command = f"python -m benchmarks.generate {domain} {options} --seed {seed}"
    return str(replace(problem, name=name).to_pddl(command))


def write_all(folder: Path = DOMAINS) -> list[Path]:
    """Write the kept problems of every domain, p01, p02, …, and return their paths."""
    written = []
    for domain, benchmark in BENCHMARKS.items():
        for number, sizes in enumerate(benchmark.sizes):
            path = folder / domain / f"p{number + 1:02}.pddl"
            write(path, problem_text(domain, sizes, benchmark.seed + number))
            written.append(path)
    return written


def write(path: Path, text: str) -> None:
    """Write the file whole or not at all; a ClickException says why it cannot be written."""
    try:
        write_text_atomically(path, text)
    except DiasError as error:
        raise click.ClickException(str(error)) from error


@click.group(invoke_without_command=True)
@click.option("--all", "rewrite", is_flag=True, help="Rewrite p01 to p04 of every domain.")
@click.pass_context
def main(context: click.Context, rewrite: bool) -> None:
    """Write a problem of a benchmark domain to standard output or to a file."""
    if rewrite == (context.invoked_subcommand is not None):
        raise click.UsageError("Name either a domain or --all (--help lists the domains).")
    if rewrite:
        written = write_all()
        click.echo(f"wrote {len(written)} problems under {DOMAINS}", err=True)


@main.command("random", short_help="--seed --variant")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed.")
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    default=INJECTIVE,
    show_default=True,
    help="Whether all parameters differ.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for domain.pddl, p01 to p03 (training), p04 and p05 (test).",
)
def random_command(seed: int, variant: str, output: Path) -> None:
    """A random domain with its instances, as ``dias bench random`` draws it."""
    random_domain(seed, variant).write(output)


def domain_command(domain: str) -> click.Command:
    """The command of one domain; its options are the keywords of the domain's `generate`."""
    generate = BENCHMARKS[domain].module.generate
    sizes = {
        name: parameter
        for name, parameter in inspect.signature(generate).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    return click.Command(
        domain,
        callback=_run(domain),
        params=[
            *(
                click.Option([f"--{name}"], type=int, help=text, **_default(sizes[name]))
                for name, text in _argument_help(generate).items()
                if name in sizes
            ),
            click.Option(["--seed"], type=int, default=0, show_default=True, help="Seed."),
            click.Option(
                ["-o", "--output"],
                type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
                default="-",
                help="File to write instead of standard output.",
            ),
        ],
        help=(inspect.getdoc(generate) or "").partition("\n")[0],
        short_help=" ".join(f"--{name}" for name in sizes),
    )


def _run(domain: str) -> Callable[..., None]:
    def run(seed: int, output: Path, **sizes: int) -> None:
        try:
            text = problem_text(domain, sizes, seed)
        except SizeError as error:
            raise click.ClickException(f"{domain}: {error}") from error
        if output == Path("-"):
            click.echo(text, nl=False)
        else:
            write(output, text)

    return run


def _default(parameter: inspect.Parameter) -> dict[str, Any]:
    """How the option of that parameter falls back, as keywords of `click.Option`."""
    if parameter.default is parameter.empty:
        return {"required": True}
    return {"default": parameter.default, "show_default": True}


def _argument_help(function: Callable[..., object]) -> dict[str, str]:
    """The one-line descriptions under ``Args:`` in the docstring, by argument."""
    return dict(re.findall(r"^    (\w+): (.+)$", inspect.getdoc(function) or "", re.MULTILINE))


for _domain in BENCHMARKS:
    main.add_command(domain_command(_domain))

if __name__ == "__main__":
    main()
