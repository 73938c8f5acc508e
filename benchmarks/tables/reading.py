"""How fast trace files are read, and in how much memory.

``python -m benchmarks.tables.reading [--domain NAME] [--problem NAME] [--transitions N]
[--form NAME]… [-o RESULTS.jsonl]``

One walk is written in every form that a file may have, and each is read in a process of its own,
in one thread: once for the time and the resident memory, once with tracemalloc. What the unique
transitions need is what is still allocated when the reader has returned them; the peak is what was
allocated at most until then. The rate is by CPU time: reading waits for nothing.
"""

from __future__ import annotations

import gzip
import json
import multiprocessing
import platform
import random
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import click

from dias.limits import resident_mb
from dias.strips.pddl.reader import read_domain, read_problem
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.writer import write_traces

from ..generate import DOMAINS
from ..generators import BENCHMARKS
from ..running.rawlines import add_rows

RESULTS = Path(__file__).parents[1] / "results" / "reading.jsonl"
MIB = 2**20

Run = dict[str, Any]
Record = dict[str, Any]


def sample(domain: str, problem: str, n_transitions: int, path: Path) -> None:
    """Write a balanced walk, about as long as asked for, action names only."""
    true = read_domain(DOMAINS / domain / "domain.pddl")
    instance = read_problem(DOMAINS / domain / f"{problem}.pddl", true)
    n = -(-n_transitions // len(true.actions))
    walks = sample_traces(true, [instance], [SamplingConfig(n, n)], random.Random(0))
    write_traces(path, [trace_block(true, walk, LabelMode.NAMES) for [walk] in walks])


def arrays(records: Iterable[Record]) -> Iterator[Record]:
    """Atoms as arrays of strings."""
    for record in records:
        states = {key: [atom[1:-1].split() for atom in record[key]] for key in ("state", "next")}
        yield record | states


def trajectories(records: Iterable[Record], longest: int = 200) -> Iterator[Record]:
    """Consecutive transitions on one line."""
    states: list[Any] = []
    actions: list[Any] = []
    for record in records:
        if not states or states[-1] != record["state"] or len(actions) == longest:
            if actions:
                yield {"states": states, "actions": actions}
            states, actions = [record["state"]], []
        states.append(record["next"])
        actions.append(record["action"])
    yield {"states": states, "actions": actions}


def same(records: Iterable[Record]) -> Iterable[Record]:
    """As the sampler writes them."""
    return records


FORMS: dict[str, tuple[str, Callable[[Iterable[Record]], Iterable[Record]]]] = {
    "strings": ("strings.jsonl", same),
    "gzip": ("strings.jsonl.gz", same),
    "arrays": ("arrays.jsonl", arrays),
    "trajectories": ("trajectories.jsonl", trajectories),
}


def convert(source: Path, form: str) -> Path:
    """Write the file in another form, beside it."""
    name, change = FORMS[form]
    target = source.with_name(name)
    opener: Callable[..., Any] = gzip.open if target.suffix == ".gz" else open
    with open(source, encoding="utf-8") as lines, opener(target, "wt", encoding="utf-8") as out:
        out.write(next(lines))
        for record in change(map(json.loads, lines)):
            out.write(json.dumps(record, separators=(",", ":")) + "\n")
    return target


def timed(path: Path) -> Run:
    """Read once, undisturbed."""
    before = resident_mb()
    wall, cpu = time.perf_counter(), time.process_time()
    traces = read_traces(path)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "transitions": traces.n_steps,
        "distinct": len(traces.transitions),
        "file_mib": path.stat().st_size / MIB,
        "wall_s": wall,
        "cpu_s": cpu,
        "resident_mib": resident_mb() - before,
    }


def allocated(path: Path) -> Run:
    """Read once and count what is allocated: at most, and for the result alone."""
    tracemalloc.start()
    traces = read_traces(path)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert traces.transitions
    return {"kept_mib": kept / MIB, "peak_mib": peak / MIB}


def measure(path: Path) -> Run:
    """Both readings, each in a fresh process."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as pool:
        return pool.submit(timed, path).result() | pool.submit(allocated, path).result()


def table(runs: Iterable[Run]) -> str:
    """The runs as a Markdown table."""
    lines = [
        "| domain | form | file, MiB | transitions | distinct | s | CPU s |"
        " transitions per CPU s | unique need, MiB | peak, MiB | ratio | resident, MiB |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {run['domain']} {run['problem']} | {run['form']} | {run['file_mib']:.1f} "
        f"| {run['transitions']:,} | {run['distinct']:,} | {run['wall_s']:.1f} "
        f"| {run['cpu_s']:.1f} | {run['transitions'] / run['cpu_s']:,.0f} | {run['kept_mib']:.0f} "
        f"| {run['peak_mib']:.0f} | {run['peak_mib'] / run['kept_mib']:.2f} "
        f"| {run['resident_mib']:.0f} |"
        for run in runs
    ]
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option(
    "--domain", type=click.Choice(sorted(BENCHMARKS)), default="blocks-3", show_default=True
)
@click.option("--problem", default="p02", show_default=True)
@click.option(
    "--transitions", "n_transitions", type=click.IntRange(1), default=100_000, show_default=True
)
@click.option(
    "--form", "forms", type=click.Choice(list(FORMS)), multiple=True, default=list(FORMS),
    show_default=True, help="Repeatable.",
)  # fmt: skip
@click.option("-o", "output", type=click.Path(path_type=Path), default=RESULTS)
def main(domain: str, problem: str, n_transitions: int, forms: Sequence[str], output: Path) -> None:
    """Read every form, add a line for each to the file, and print the table of all lines."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "sampled.jsonl"
        sample(domain, problem, n_transitions, source)
        place = {"python": platform.python_version(), "machine": platform.machine()}
        rows = (
            {"domain": domain, "problem": problem, "form": form}
            | measure(convert(source, form))
            | place
            for form in forms
        )
        click.echo(table(add_rows(output, rows)))


if __name__ == "__main__":
    main()
