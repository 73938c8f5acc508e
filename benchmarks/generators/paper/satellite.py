"""Satellite: images of directions, each to be taken in a given mode."""

from __future__ import annotations

import random

from ..problem import Problem, at_least, numbered

MAX_MODES = 3
"""Most modes drawn for one instrument."""

MAX_TARGETS = 2
"""Most calibration targets of one instrument."""


def generate(
    rng: random.Random, *, satellites: int, instruments: int, modes: int, directions: int
) -> Problem:
    """An instance in which every mode has an instrument; half the directions are to be imaged.

    Args:
        rng: Source of randomness.
        satellites: Number of satellites.
        instruments: Number of instruments, at least one for each satellite.
        modes: Number of modes.
        directions: Number of directions.
    """
    at_least(1, satellites=satellites, modes=modes)
    at_least(2, directions=directions)
    at_least(satellites, instruments=instruments)
    satellite_names = numbered("satellite", satellites)
    instrument_names = numbered("instrument", instruments)
    mode_names = numbered("mode", modes)
    direction_names = numbered("direction", directions)

    carriers = [*satellite_names, *rng.choices(satellite_names, k=instruments - satellites)]
    supports = {
        (instrument, mode)
        for instrument in instrument_names
        for mode in rng.sample(mode_names, rng.randint(1, min(MAX_MODES, modes)))
    }
    for mode in mode_names:
        if all((instrument, mode) not in supports for instrument in instrument_names):
            supports.add((rng.choice(instrument_names), mode))
    wanted = set(rng.sample(direction_names, directions // 2))
    return Problem(
        domain="satellite",
        objects={
            "satellite": satellite_names,
            "instrument": instrument_names,
            "mode": mode_names,
            "direction": direction_names,
        },
        init=[
            *(("on_board", *pair) for pair in zip(instrument_names, carriers, strict=True)),
            *(
                ("supports", instrument, mode)
                for instrument in instrument_names
                for mode in mode_names
                if (instrument, mode) in supports
            ),
            *(
                ("calibration_target", instrument, direction)
                for instrument in instrument_names
                for direction in rng.sample(
                    direction_names, rng.randint(1, min(MAX_TARGETS, directions))
                )
            ),
            *(("power_avail", satellite) for satellite in satellite_names),
            *(
                ("pointing", satellite, rng.choice(direction_names))
                for satellite in satellite_names
            ),
        ],
        goal=[
            ("have_image", direction, rng.choice(mode_names))
            for direction in direction_names
            if direction in wanted
        ],
    )
