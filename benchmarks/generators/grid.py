"""Square grids of cells, which several domains stand on."""

from __future__ import annotations

from .problem import Atom

Cell = tuple[int, int]
"""Row and column, counted from 1 at the top left."""

UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
DIRECTIONS = (UP, DOWN, LEFT, RIGHT)


def grid(size: int) -> dict[Cell, str]:
    """The cells of a square of `size` by `size`, row by row, with their object names."""
    return {
        (row, column): f"c-{row}-{column}"
        for row in range(1, size + 1)
        for column in range(1, size + 1)
    }


def step(cell: Cell, direction: tuple[int, int], distance: int = 1) -> Cell:
    """The cell `distance` steps away, which may lie outside the grid."""
    return cell[0] + distance * direction[0], cell[1] + distance * direction[1]


def neighbours(cells: dict[Cell, str], predicate: str, distance: int = 1) -> list[Atom]:
    """An atom of `predicate` for each ordered pair of cells `distance` apart in a straight line."""
    return [
        (predicate, name, cells[other])
        for cell, name in cells.items()
        for direction in DIRECTIONS
        if (other := step(cell, direction, distance)) in cells
    ]
