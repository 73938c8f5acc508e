"""A warehouse in Python that knows nothing of planning: a robot carries boxes between cells.

It is used as simulators are used everywhere: `reset` gives a state, `step` takes an action and
gives the next one. Its states are Python objects; `facts` says what an onlooker can see in one.
"""

from __future__ import annotations

import random

MOVES = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}


class Warehouse:
    """A grid with one robot and some boxes, at most one of them in a cell.

    Args:
        width: Cells from west to east.
        height: Cells from north to south.
        n_boxes: Boxes.
        seed: Where everything stands in the beginning.
    """

    def __init__(self, width: int = 4, height: int = 3, n_boxes: int = 3, seed: int = 0) -> None:
        self.cells = [(x, y) for x in range(width) for y in range(height)]
        self.n_boxes = n_boxes
        self.rng = random.Random(seed)
        self.reset()

    def reset(self) -> None:
        """Begin anew: everything at another place."""
        self.robot = self.rng.choice(self.cells)
        self.boxes = dict(enumerate(self.rng.sample(self.cells, self.n_boxes)))
        self.carried: int | None = None

    def step(self, action: str, direction: str = "") -> bool:
        """Do something, if it is possible; whether it was."""
        here = [box for box, cell in self.boxes.items() if cell == self.robot]
        if action == "drive":
            x, y = MOVES[direction]
            target = self.robot[0] + x, self.robot[1] + y
            if target not in self.cells:
                return False
            self.robot = target
        elif action == "lift" and here and self.carried is None:
            self.carried = here[0]
            del self.boxes[here[0]]
        elif action == "put" and not here and self.carried is not None:
            self.boxes[self.carried] = self.robot
            self.carried = None
        else:
            return False
        return True

    def facts(self) -> list[str]:
        """What an onlooker sees now."""
        occupied = set(self.boxes.values())
        seen = [f"(robot-at {name(self.robot)})"]
        seen += [f"(box-at box{box} {name(cell)})" for box, cell in self.boxes.items()]
        seen += [f"(no-box {name(cell)})" for cell in self.cells if cell not in occupied]
        seen += ["(hands-free)"] if self.carried is None else [f"(carries box{self.carried})"]
        return seen

    def map(self) -> list[str]:
        """What never changes: which cells are neighbours."""
        pairs = [(a, (a[0] + x, a[1] + y)) for a in self.cells for x, y in MOVES.values()]
        return [f"(next-to {name(a)} {name(b)})" for a, b in pairs if b in self.cells]


def name(cell: tuple[int, int]) -> str:
    """A cell as a word."""
    return f"c{cell[0]}-{cell[1]}"
