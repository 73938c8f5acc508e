"""Bar: cocktails to be mixed in shakers and served in some of the glasses."""

from __future__ import annotations

import random

from ..problem import Problem, at_least, numbered


def generate(
    rng: random.Random, *, glasses: int, shakers: int, taps: int, hands: int = 2
) -> Problem:
    """An instance with clean things on the bar; half the glasses are to be served.

    Args:
        rng: Source of randomness.
        glasses: Number of glasses.
        shakers: Number of shakers.
        taps: Number of taps, one for each drink; a cocktail needs two.
        hands: Number of hands; one holds the glass while another opens the tap.
    """
    at_least(1, glasses=glasses, shakers=shakers)
    at_least(2, taps=taps, hands=hands)
    glass_names = numbered("glass", glasses)
    shaker_names = numbered("shaker", shakers)
    tap_names = numbered("tap", taps)
    hand_names = numbered("hand", hands)
    wanted = set(rng.sample(glass_names, (glasses + 1) // 2))
    return Problem(
        domain="bar",
        objects={"object": [*hand_names, *glass_names, *shaker_names, *tap_names]},
        init=[
            *(("glass", glass) for glass in glass_names),
            *(("shaker", shaker) for shaker in shaker_names),
            *(("tap", tap) for tap in tap_names),
            *(("free", hand) for hand in hand_names),
            *(("on-bar", vessel) for vessel in (*glass_names, *shaker_names)),
        ],
        goal=[("served", glass) for glass in glass_names if glass in wanted],
    )
