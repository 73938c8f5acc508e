"""Sokoban: boxes on an open grid, to be pushed where random legal pushes brought them."""

from __future__ import annotations

import random

from ..grid import DIRECTIONS, Cell, grid, neighbours, step
from ..problem import Problem, SizeError, at_least

MOVES_PER_BOX = 3
"""How many random pushes (and pulls) lead to the goal, for each box; fewer at a dead end."""


def generate(rng: random.Random, *, size: int, boxes: int) -> Problem:
    """An instance whose boxes start away from the border, where they would be hard to move.

    Args:
        rng: Source of randomness.
        size: Number of cells along one side.
        boxes: Number of boxes.
    """
    return generate_boxes(rng, "sokoban", size, boxes, pulls=False)


def generate_boxes(
    rng: random.Random, domain: str, size: int, boxes: int, *, pulls: bool
) -> Problem:
    """An instance of Sokoban, or of its variant where the player also pulls."""
    at_least(3, size=size)
    at_least(1, boxes=boxes)
    inner = [cell for cell in grid(size) if all(1 < number < size for number in cell)]
    # With more boxes they could block each other from the start.
    most = (len(inner) + 1) // 2
    if boxes > most:
        raise SizeError(f"size {size} has room for 1 to {most} boxes, found {boxes}")
    cells = grid(size)
    start = target = frozenset[Cell]()
    while target == start:
        start = frozenset(rng.sample(inner, boxes))
        player = rng.choice([cell for cell in cells if cell not in start])
        target = shuffled(rng, cells, player, start, MOVES_PER_BOX * boxes, pulls)
    return Problem(
        domain=domain,
        objects={"object": list(cells.values())},
        init=[
            *neighbours(cells, "adjacent"),
            *neighbours(cells, "adjacent_2", distance=2),
            ("has_player", cells[player]),
            *(("has_box", cells[cell]) for cell in sorted(start)),
        ],
        goal=[("has_box", cells[cell]) for cell in sorted(target)],
    )


def shuffled(
    rng: random.Random,
    cells: dict[Cell, str],
    player: Cell,
    boxes: frozenset[Cell],
    moves: int,
    pulls: bool,
) -> frozenset[Cell]:
    """Where the boxes are after random legal pushes, and pulls if `pulls`."""
    for _ in range(moves):
        options: list[tuple[Cell, Cell, Cell]] = []  # box from, box to, player to
        for cell in reachable(cells, player, boxes):
            for direction in DIRECTIONS:
                box, beyond, behind = (step(cell, direction, n) for n in (1, 2, -1))
                if box in boxes:
                    if beyond in cells and beyond not in boxes:
                        options.append((box, beyond, box))
                    if pulls and behind in cells and behind not in boxes:
                        options.append((box, cell, behind))
        if not options:
            break
        source, target, player = rng.choice(options)
        boxes = boxes - {source} | {target}
    return boxes


def reachable(cells: dict[Cell, str], player: Cell, boxes: frozenset[Cell]) -> list[Cell]:
    """The cells that the player can walk to, in order."""
    found, frontier = {player}, [player]
    while frontier:
        cell = frontier.pop()
        ahead = {step(cell, direction) for direction in DIRECTIONS} & cells.keys()
        ahead -= boxes | found
        found |= ahead
        frontier.extend(ahead)
    return sorted(found)
