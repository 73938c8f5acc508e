"""What the commands of the suite share: options, running, reporting."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from dias.files import write_text_atomically

from .generators import BENCHMARKS, SUITES
from .reports.report import Report
from .reports.results import Results
from .running.learning import Limits
from .running.runs import Run
from .running.suite import do_missing, rows_of

RESULTS = Path("bench-results")
"""Where raw lines and reports go, seen from the current folder."""


@dataclass(frozen=True)
class Size:
    """How much of a table is run.

    Attributes:
        n_seeds: Seeds, from 0.
        domains: Benchmark domains; empty where the table leaves no choice.
        limits: How long a run may take; zero where nothing is learned.
        is_full: Whether it is the paper's size.
    """

    n_seeds: int
    domains: Sequence[str] = ()
    limits: Limits = field(default=Limits(0, 0))
    is_full: bool = False

    @property
    def seeds(self) -> range:
        """The seeds."""
        return range(self.n_seeds)


def table_command(
    name: str,
    report: Callable[[Results], Report],
    small: Size,
    full: Size,
    n_workers: int | None = None,
) -> Callable[[Callable[..., Sequence[Run]]], click.Command]:
    """Make a command of a function that lists the runs of a table.

    The function gets `size` and the options that it declares itself; its docstring is the command's
    help. It is asked again when its runs are done, until it lists no others. The command does the
    missing runs, writes the report's files and plots beside the raw lines ``NAME.jsonl``, and
    prints the table.

    Args:
        name: Of the command and of its files.
        report: Makes the report of what is finished.
        small: The size unless ``--full`` is given.
        full: The size with ``--full``.
        n_workers: Runs at a time unless ``--workers`` is given; None: as many as there are cores.
    """

    def decorate(list_runs: Callable[..., Sequence[Run]]) -> click.Command:
        own_options = getattr(list_runs, "__click_params__", [])[::-1]

        def callback(
            output: Path,
            workers: int,
            scheduler: str | None,
            retry_failed: bool,
            report_only: bool,
            as_json: bool,
            **rest: Any,
        ) -> None:
            size = _size(full if rest["full"] else small, rest)
            own = {option.name: rest[option.name] for option in own_options}
            path = output / f"{name}.jsonl"
            runs: list[Run] = []
            while (listed := list(dict.fromkeys(list_runs(size=size, **own)))) != runs:
                new = [run for run in listed if run not in runs]
                runs = listed
                if not report_only:
                    do_missing(
                        name,
                        new,
                        path,
                        n_workers=workers,
                        scheduler=scheduler,
                        retry_failed=retry_failed,
                    )
            finished = report(Results(name, runs, rows_of(runs, path)))
            write_report(finished, output)
            click.echo(finished.json() if as_json else finished.markdown(), nl=False)

        return click.Command(
            name,
            callback=callback,
            params=[*own_options, *_size_options(small, full), *_shared_options(n_workers)],
            help=list_runs.__doc__,
        )

    return decorate


def several(*names: str, help: str = "", **settings: Any) -> Callable[..., Any]:
    """An option that may be given several times; arguments as of `click.option`."""
    text = f"{help} Repeatable.".lstrip()
    return click.option(*names, multiple=True, help=text, **settings)


def masks_option(list_runs: Callable[..., Any]) -> Callable[..., Any]:
    """The option that says what the traces tell of what is applicable; empty where nothing."""

    def nothing(_: click.Context, __: click.Parameter, given: Sequence[str]) -> list[str]:
        return ["" if name == "none" else name for name in given]

    return several(
        "--applicable",
        type=click.Choice(["none", "names", "ground"]),
        default=("none",),
        callback=nothing,
        help="What the traces say of what is applicable, as for dias sample.",
    )(list_runs)


def with_masks(name: str, applicable: str) -> str:
    """What a row of a table is called, by what its traces say of what is applicable."""
    return f"{name}, masks: {applicable}" if applicable else name


def _size(preset: Size, given: dict[str, Any]) -> Size:
    """The preset with what was asked for put in."""
    domains, suite = given.get("domains"), given.get("suite")
    if domains and suite:
        raise click.UsageError("Name either domains or a suite.")
    learn_s = given.get("time_limit") or preset.limits.learn_s
    return replace(
        preset,
        n_seeds=given["seeds"] or preset.n_seeds,
        domains=domains or (sorted(SUITES[suite]) if suite else preset.domains),
        limits=replace(preset.limits, learn_s=learn_s),
    )


def write_report(report: Report, folder: Path) -> None:
    """Write the report as Markdown, JSON, CSV and LaTeX, and its plots as PNG and SVG.

    Raises:
        DiasError: A file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = report.results.name
    for file, text in report.files().items():
        write_text_atomically(folder / file, text)
    if not report.figures:
        return
    from dias.report.figures import save_figure

    for ending, drawn in report.figures.items():
        for kind in ("png", "svg"):
            save_figure(drawn, folder / f"{name}-{ending}.{kind}")


def _size_options(small: Size, full: Size) -> list[click.Option]:
    options = [
        click.Option(["--full"], is_flag=True, help="The paper's size instead of a small one."),
        click.Option(
            ["--seeds"],
            type=click.IntRange(1),
            help=f"Number of seeds. Default: {small.n_seeds}; with --full {full.n_seeds}.",
        ),
    ]
    if small.domains:
        options += [
            click.Option(
                ["--domain", "domains"],
                type=click.Choice(sorted(BENCHMARKS)),
                multiple=True,
                help=f"Repeatable. Default: {', '.join(small.domains)}; "
                f"with --full {_short(full.domains)}.",
            ),
            click.Option(
                ["--suite"],
                type=click.Choice(list(SUITES)),
                help="A suite of domains instead of single ones.",
            ),
        ]
    if small.limits.learn_s:
        options += [
            click.Option(
                ["--time-limit"],
                type=click.FloatRange(0, min_open=True),
                help="Seconds of training of a run; the best domain found by then is measured. "
                f"Default: {small.limits.learn_s:.0f}; with --full {full.limits.learn_s:.0f}.",
            )
        ]
    return options


def _short(domains: Sequence[str]) -> str:
    return ", ".join(domains) if len(domains) <= 4 else f"{len(domains)} domains"


def _shared_options(n_workers: int | None) -> list[click.Option]:
    return [
        click.Option(
            ["-o", "--output"],
            type=click.Path(path_type=Path, file_okay=False),
            default=RESULTS,
            help="Folder of the raw lines and the reports.",
        ),
        click.Option(
            ["--workers"],
            type=click.IntRange(1),
            default=n_workers or _n_cores(),
            show_default=None if n_workers else "cores",
            help="Runs at a time, one thread each.",
        ),
        click.Option(
            ["--scheduler"],
            metavar="WHERE",
            help="Run on Dask: tcp://HOST:PORT for a scheduler that runs, slurm or local for a "
            "cluster of --workers jobs or processes.",
        ),
        click.Option(
            ["--retry-failed"],
            is_flag=True,
            help="Do failed runs again; domains that were kept are only evaluated again.",
        ),
        click.Option(["--report-only"], is_flag=True, help="Do no runs; report what there is."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the report as JSON."),
    ]


def _n_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
