"""Learn a domain by watching a simulator: ``python examples/from_simulator.py``.

The robot of `warehouse.py` acts at random. What is written down of each step is the facts before,
the bare name of the action, and the facts after. Attempts that the simulator refuses are no steps.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from warehouse import MOVES, Warehouse

import dias
from dias.config import LearningConfig
from dias.strips.pddl.writer import format_domain

N_STEPS = 600


def watch(warehouse: Warehouse, rng: random.Random) -> Iterator[dict[str, object]]:
    """The lines of a trace file."""
    cells = {fact.split()[1].rstrip(")"): "cell" for fact in warehouse.map()}
    boxes = {f"box{box}": "box" for box in range(warehouse.n_boxes)}
    yield {
        "dias": "trace/1",
        "domain": "warehouse",
        "types": {"cell": "object", "box": "object"},
        "predicates": {
            "robot-at": ["cell"],
            "box-at": ["box", "cell"],
            "no-box": ["cell"],
            "hands-free": [],
            "carries": ["box"],
            "next-to": ["cell", "cell"],
        },
        "objects": {**cells, **boxes},
        "static": warehouse.map(),
    }
    for step in range(N_STEPS):
        if step % 100 == 0:
            warehouse.reset()
        before = warehouse.facts()
        action = rng.choice(["drive", "lift", "put"])
        if warehouse.step(action, rng.choice(list(MOVES))):
            yield {"state": before, "action": action, "next": warehouse.facts()}


def main() -> None:
    """Watch, learn, show."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "warehouse.jsonl"
        lines = watch(Warehouse(seed=1), random.Random(1))
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        traces = dias.read_traces(path)
    result = dias.learn(traces, LearningConfig(preconditions="minimal"))
    print(format_domain(result.domain))
    print(f"; explains {result.n_explained} of {result.n_distinct} distinct transitions")


if __name__ == "__main__":
    main()
