"""The reading table: how fast trace files are read, and in how much memory.

One walk is written in every form that a file may have, and each is read in a process of its own,
in one thread: first for the time and the resident memory, then with tracemalloc. What the unique
transitions need is what is still allocated when the reader has returned them; the peak is what was
allocated at most until then. The rate is by CPU time: reading waits for nothing.
"""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from dias.limits import resident_mb
from dias.strips.pddl.reader import read_domain

from ..generate import DOMAINS
from ..reports.report import Report
from ..reports.results import Results, medians, succeeded
from ..reports.table import Column, group_table
from ..running.rawlines import Row
from ..running.runs import Run, call, sample
from ..table_options import Size, several, table_command

SMALL, FULL = Size(1, ("blocks-3",)), Size(1, ("blocks-3",), is_full=True)
PROBLEM = "p02"
N_TRANSITIONS, SMALL_N_TRANSITIONS = 100_000, 10_000
MIB = 2**20
COLUMNS = (
    Column("domain", "problem"),
    Column("form", "form"),
    Column("file, MiB", "file_mib", "{:.1f}"),
    Column("transitions", "transitions", "{:,.0f}"),
    Column("distinct", "distinct", "{:,.0f}"),
    Column("s", "wall_s", "{:.1f}"),
    Column("CPU s", "cpu_s", "{:.1f}"),
    Column("transitions per CPU s", "rate", "{:,.0f}"),
    Column("unique need, MiB", "kept_mib", "{:.0f}"),
    Column("peak, MiB", "peak_mib", "{:.0f}"),
    Column("ratio", "ratio", "{:.2f}"),
    Column("resident, MiB", "resident_mib", "{:.0f}"),
)

Record = dict[str, Any]


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


FORMS: dict[str, Callable[[Iterable[Record]], Iterator[Record]]] = {
    "strings": iter,  # as the sampler writes them
    "gzip": iter,
    "arrays": arrays,
    "trajectories": trajectories,
}


def convert(source: Path, form: str) -> Path:
    """Write the file in another form, beside it."""
    target = source.with_name(f"{form}.jsonl{'.gz' if form == 'gzip' else ''}")
    opener: Callable[..., Any] = gzip.open if form == "gzip" else open
    with open(source, encoding="utf-8") as lines, opener(target, "wt", encoding="utf-8") as out:
        out.write(next(lines))
        for record in FORMS[form](map(json.loads, lines)):
            out.write(json.dumps(record, separators=(",", ":")) + "\n")
    return target


def read_twice(path: str) -> Row:
    """Read undisturbed, then count what is allocated: at most, and for the result alone."""
    from dias.traces.reading.reader import read_traces

    before = resident_mb()
    wall, cpu = time.perf_counter(), time.process_time()
    traces = read_traces(path)
    row = {
        "wall_s": time.perf_counter() - wall,
        "cpu_s": time.process_time() - cpu,
        "resident_mib": resident_mb() - before,
        "transitions": traces.n_steps,
        "distinct": len(traces.transitions),
        "file_mib": Path(path).stat().st_size / MIB,
    }
    del traces
    tracemalloc.start()
    kept_for_the_count = read_traces(path)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(kept_for_the_count.transitions) == row["distinct"]
    return row | {"kept_mib": kept / MIB, "peak_mib": peak / MIB}


@dataclass(frozen=True)
class ReadingRun(Run):
    """A file with about so many transitions of a problem, action names only, in one of `FORMS`."""

    domain: str
    form: str
    problem: str = PROBLEM
    n_transitions: int = N_TRANSITIONS
    seed: int = 0

    def measure(self, row: Row, place: Path) -> None:
        """Sample, change the form, read twice."""
        folder, source = DOMAINS / self.domain, place / "sampled.jsonl"
        n_each = -(-self.n_transitions // len(read_domain(folder / "domain.pddl").actions))
        problem = folder / f"{self.problem}.pddl"
        if sample(row, self.domain, problem, source, self.seed, (n_each, n_each)):
            call(row, read_twice, {"path": convert(source, self.form)})


def report(results: Results) -> Report:
    """A row for each domain and form: medians over the seeds."""
    groups = []
    for (domain, form), rows in results.groups("domain", "form").items():
        done = [
            row
            | {
                "rate": row["transitions"] / row["cpu_s"] if row["cpu_s"] else None,
                "ratio": row["peak_mib"] / row["kept_mib"],
            }
            for row in succeeded(rows)
        ]
        figures = medians(done, *(column.name for column in COLUMNS[2:]))
        groups.append({"problem": f"{domain} {PROBLEM}", "form": form, **figures})
    notes = [
        "Unique need: what the distinct transitions take in memory; peak: what was allocated at "
        "most while reading. The rate is by CPU time."
    ]
    table = group_table(groups, COLUMNS, 2)
    return Report("Reading trace files", results, [("", table)], groups, notes)


@table_command("reading", report, SMALL, FULL, n_workers=1)
@several("--form", "forms", type=click.Choice(list(FORMS)), default=list(FORMS))
def command(size: Size, forms: Sequence[str]) -> list[ReadingRun]:
    """How fast trace files are read and in how much memory, in every form that they may have.

    10,000 transitions of a walk in p02. --full: 100,000.
    """
    n_transitions = N_TRANSITIONS if size.is_full else SMALL_N_TRANSITIONS
    return [
        ReadingRun(domain, form, n_transitions=n_transitions, seed=seed)
        for seed in size.seeds
        for domain in size.domains
        for form in forms
    ]
