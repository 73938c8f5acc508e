"""``python -m examples.pictures``: two worlds, three ways, rows and a figure."""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path

from examples.pictures.figure import draw
from examples.pictures.measure import WAYS, WORLDS, in_words, measured


def main() -> None:
    """Measure all, print a line for each run, write rows and a figure."""
    parser = argparse.ArgumentParser(prog="python -m examples.pictures", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("pictures_out"))
    parser.add_argument("--labels", type=int, nargs="+", default=[1, 2, 5, 10, 20])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS))
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    runs = list(product(given.worlds, given.labels, given.seeds, given.ways))
    rows = []
    with (given.output / "rows.jsonl").open("w", encoding="utf-8") as file:
        for row in measured(runs, given.jobs):
            rows.append(row)
            print(json.dumps(row), file=file, flush=True)
            print(in_words(row), flush=True)
    draw(rows, given.output / "pictures.png")


if __name__ == "__main__":
    main()
