"""Turn a log of events and facts into traces: ``python examples/from_csv.py LOG.csv > t.jsonl``.

The log has three columns. ``event`` is something that was done; ``true`` and ``false`` say that a
fact began or ceased to hold, as in ``in part3 mill``. What changes between two events is what the
first of them did.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator


def transitions(rows: Iterable[dict[str, str]]) -> Iterator[dict[str, object]]:
    """The lines of a trace file, from the rows of a log in the order of time."""
    facts: set[str] = set()
    before: list[str] = []
    action = ""
    for row in rows:
        if row["kind"] == "event":
            if action:
                yield {"state": before, "action": action, "next": sorted(facts)}
            before, action = sorted(facts), row["what"]
        elif row["kind"] == "true":
            facts.add(f"({row['what']})")
        else:
            facts.discard(f"({row['what']})")
    if action:
        yield {"state": before, "action": action, "next": sorted(facts)}


def main() -> None:
    """Read the log that is named, write the traces to standard output."""
    with open(sys.argv[1], encoding="utf-8", newline="") as log:
        for line in transitions(csv.DictReader(log)):
            print(json.dumps(line))


if __name__ == "__main__":
    main()
