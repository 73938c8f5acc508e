"""What the finished runs of a table come to, and where the figures are from."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..running.rawlines import Row
from ..running.runs import Run


@dataclass(frozen=True)
class Results:
    """The runs of a table and the rows of those that are finished, in the same order."""

    name: str
    runs: Sequence[Run]
    rows: dict[Run, Row]

    @property
    def failures(self) -> list[str]:
        """Each failed run and why."""
        return [f"{run}: {row['failure']}" for run, row in self.rows.items() if row["failure"]]

    @property
    def missing(self) -> list[Run]:
        """The runs that are not finished."""
        return [run for run in self.runs if run not in self.rows]

    def groups(self, *names: str) -> dict[tuple[Any, ...], list[Row]]:
        """The rows by the values of these fields of their runs; a group without rows is there.

        Raises:
            AttributeError: The runs have no such field.
        """
        found: dict[tuple[Any, ...], list[Row]] = {}
        for run in self.runs:
            own = found.setdefault(tuple(getattr(run, name) for name in names), [])
            if run in self.rows:
                own.append(self.rows[run])
        return found

    def figures(
        self, names: Sequence[str], of: Callable[[list[Row]], dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """The figures of each of the `groups` of these fields, after the values of the fields."""
        groups = self.groups(*names).items()
        return [dict(zip(names, key, strict=True)) | of(rows) for key, rows in groups]

    def provenance(self) -> dict[str, Any]:
        """How many runs there are, with which seeds, where and with what they were done."""
        rows = self.rows.values()
        work = [row[name] for run, row in self.rows.items() for name in run.timed if name in row]
        loads = [row["load"] for row in rows if "load" in row]
        return {
            "planned": len(self.runs),
            "done": len(self.rows),
            "failed": len(self.failures),
            "missing": len(self.missing),
            "seeds": sorted({seed for run in self.runs for seed in run.seeds}),
            "machines": _counted(row.get("machine") for row in rows),
            "versions": _counted(_versions(row) for row in rows),
            "at_a_time": _counted(row.get("workers") for row in rows),
            "work_s": round(sum(work), 1),
            "load": [min(loads), round(statistics.median(loads), 1), max(loads)] if loads else None,
            "failures": self.failures,
        }


def _versions(row: Row) -> str | None:
    if "versions" not in row:
        return None
    text = ", ".join(f"{name} {number}" for name, number in row["versions"].items())
    if "evaluated_with" in row:
        text += f", evaluated with dias {row['evaluated_with']['dias']}"
    return text


def _counted(values: Any) -> dict[str, int]:
    """How often each value occurs; what a row does not say is "not recorded"."""
    known = ("not recorded" if value is None else str(value) for value in values)
    return dict(sorted(Counter(known).items()))


def learning_figures(rows: Sequence[Row]) -> dict[str, Any]:
    """The columns of the paper, steps and times, over the runs of a group.

    Precision and recall are means over the runs of which some state was measured, None if there
    is none; a failed run, cut short for example, is neither sound nor complete. Times are of
    learning, in seconds.
    """
    measured = succeeded(rows)
    seen = [row for row in rows if row.get("precision") is not None]
    learned = [row for row in rows if "steps" in row]
    return {
        "runs": len(rows),
        "failed": len(rows) - len(measured),
        "precision": mean(row["precision"] for row in seen),
        "recall": mean(row["recall"] for row in seen),
        "is_bound": any(row.get("capped_states") for row in seen),
        "sound": sum(row["sound"] for row in measured),
        "complete": sum(row["complete"] for row in measured),
        "both": sum(row["sound"] and row["complete"] for row in measured),
        "out_of_time": sum(row.get("out_of_time", False) for row in rows),
        "steps": median(row["steps"] for row in learned),
        "learn_s": median(row["learn_s"] for row in learned),
        "learn_longest_s": max((row["learn_s"] for row in learned), default=None),
        "evaluate_s": median(row["evaluate_s"] for row in measured),
        "learn_mib": max((row["learn_mib"] for row in learned), default=None),
    }


def succeeded(rows: Iterable[Row]) -> list[Row]:
    """The rows of runs that did not fail."""
    return [row for row in rows if not row["failure"]]


def medians(rows: Sequence[Row], *names: str) -> dict[str, float | None]:
    """The median of each of these fields; None if no row has a value."""
    return {name: median(row[name] for row in rows if row[name] is not None) for name in names}


def mean(values: Iterable[float]) -> float | None:
    """The mean; None if there is no value."""
    known = list(values)
    return statistics.mean(known) if known else None


def median(values: Iterable[float]) -> float | None:
    """The median; None if there is no value."""
    known = list(values)
    return statistics.median(known) if known else None
