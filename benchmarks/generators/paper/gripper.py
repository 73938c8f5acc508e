"""Gripper: every ball is to be carried to another room."""

from __future__ import annotations

import random

from ..problem import Problem, at_least, numbered


def generate(rng: random.Random, *, balls: int, rooms: int = 2, grippers: int = 2) -> Problem:
    """An instance with balls in random rooms, each bound for another room.

    Args:
        rng: Source of randomness.
        balls: Number of balls.
        rooms: Number of rooms.
        grippers: Number of grippers.
    """
    at_least(1, balls=balls, grippers=grippers)
    at_least(2, rooms=rooms)
    room_names = numbered("room", rooms)
    ball_names = numbered("ball", balls)
    gripper_names = numbered("gripper", grippers)
    # From where to where each ball goes: two different rooms.
    routes = {ball: rng.sample(room_names, 2) for ball in ball_names}
    return Problem(
        domain="gripper",
        objects={"object": [*room_names, *gripper_names, *ball_names]},
        init=[
            *(("room", room) for room in room_names),
            *(("eq", room, room) for room in room_names),
            *(("gripper", gripper) for gripper in gripper_names),
            *(("ball", ball) for ball in ball_names),
            ("at-robby", rng.choice(room_names)),
            *(("free", gripper) for gripper in gripper_names),
            *(("at", ball, source) for ball, (source, _) in routes.items()),
        ],
        goal=[("at", ball, target) for ball, (_, target) in routes.items()],
    )
