"""N-Puzzle: a shuffled board, of the half of all boards that can be sorted."""

from __future__ import annotations

import random
from itertools import combinations

from ..grid import RIGHT, UP, grid, step
from ..problem import Problem, at_least, numbered


def generate(rng: random.Random, *, size: int) -> Problem:
    """An instance whose tiles are to be sorted row by row, the blank last.

    Args:
        rng: Source of randomness.
        size: Number of cells along one side.
    """
    at_least(2, size=size)
    cells = grid(size)
    tiles = numbered("t", size * size - 1)
    blank = len(tiles)
    board = list(range(size * size))  # the tile on each cell
    while board == sorted(board):
        rng.shuffle(board)
        if not sortable(board, size):
            first, second, *_ = (place for place in range(3) if board[place] != blank)
            board[first], board[second] = board[second], board[first]

    names = list(cells.values())
    return Problem(
        domain="n-puzzle",
        objects={"object": [*names, *tiles]},
        init=[
            *(("cell", name) for name in names),
            *(("tile", tile) for tile in tiles),
            *(
                (predicate, cells[other], name)
                for predicate, direction in (("above", UP), ("right", RIGHT))
                for cell, name in cells.items()
                if (other := step(cell, direction)) in cells
            ),
            ("blank", names[board.index(blank)]),
            *(("at", tile, names[board.index(number)]) for number, tile in enumerate(tiles)),
        ],
        goal=[("at", tile, name) for tile, name in zip(tiles, names[:-1], strict=True)],
    )


def sortable(board: list[int], size: int) -> bool:
    """Whether the board is as odd a permutation as the number of steps its blank is from home.

    Each move swaps the blank with a tile and takes it one step, so the two parities stay equal.
    """
    inversions = sum(first > second for first, second in combinations(board, 2))
    row, column = divmod(board.index(len(board) - 1), size)
    return (inversions + (size - 1 - row) + (size - 1 - column)) % 2 == 0
