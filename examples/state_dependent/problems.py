"""Problems of the two example domains.

``python examples/state_dependent/problems.py FOLDER`` writes p01 (to learn from) and p02 to p04
(larger, to measure and to plan in) of both domains under FOLDER, beside a copy of the domains.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from dias_benchmarks.generators.grid import grid, neighbours
from dias_benchmarks.generators.problem import Problem, numbered

HERE = Path(__file__).parent
SEED = 1


def lamps(rng: random.Random, n_rooms: int, n_lamps: int) -> Problem:
    """Rooms in a row with a few doors more; each switch in a random room; all lamps to be lit."""
    rooms, names = numbered("room", n_rooms), numbered("lamp", n_lamps)
    pairs = {(i, i + 1) for i in range(n_rooms - 1)}
    pairs |= {tuple(sorted(rng.sample(range(n_rooms), 2))) for _ in range(n_rooms // 2)}
    doors = [(rooms[i], rooms[j]) for i, j in sorted(pairs)]
    lit = rng.sample(names, n_lamps // 3)
    return Problem(
        domain="lamps",
        objects={"room": rooms, "lamp": names},
        init=[
            ("at", rng.choice(rooms)),
            *(("door", *pair) for door in doors for pair in (door, door[::-1])),
            *(("switch", name, rng.choice(rooms)) for name in names),
            *(("lit", name) for name in lit),
        ],
        goal=[("lit", name) for name in names],
    )


def harvest(rng: random.Random, size: int) -> Problem:
    """A square field, half of it ripe; all that is ripe is to be reaped."""
    cells = grid(size)
    names = list(cells.values())
    start, *others = rng.sample(names, len(names))
    ripe = sorted(others[: len(names) // 2])
    return Problem(
        domain="harvest",
        objects={"object": names},
        init=[("at", start), *neighbours(cells, "beside"), *(("ripe", name) for name in ripe)],
        goal=[("reaped", name) for name in ripe],
    )


PROBLEMS: dict[str, tuple[Callable[..., Problem], list[dict[str, int]]]] = {
    "lamps": (
        lamps,
        [{"n_rooms": n, "n_lamps": m} for n, m in ((4, 6), (6, 12), (10, 20), (16, 40))],
    ),
    "harvest": (harvest, [{"size": size} for size in (4, 5, 7, 9)]),
}


def write_problems(folder: Path) -> None:
    """Write domain and problems of both domains."""
    for name, (generate, sizes) in PROBLEMS.items():
        own = folder / name
        own.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / name / "domain.pddl", own)
        for number, size in enumerate(sizes, start=1):
            problem = generate(random.Random(SEED + number), **size)
            (own / f"p0{number}.pddl").write_text(problem.to_pddl(), encoding="utf-8")


if __name__ == "__main__":
    write_problems(Path(sys.argv[1]))
