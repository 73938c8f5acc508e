"""Where the effects of a schema come from, and what is suspected to be missing."""

from __future__ import annotations

from typing import NamedTuple

from dias.learning.examples import LiftedAtom


class Origin(NamedTuple):
    """How the effects of one action came about.

    Attributes:
        source: ``network``; ``transitions`` (single ones, lifted: `dias.learning.symbolic`);
            ``arguments`` (all were given); ``nothing`` (nothing ever changed, so there is none).
        restart: Training run that proposed them, from 0; None without a network.
        step: Gradient steps done by then; None without a network.
        n_slots: M of that network; None without one.
        is_repaired: Whether single effects were added or dropped until they explained more.
        n_dropped: Effects dropped since all is explained without them.
        n_merged: Variables merged or dropped since fewer explain as much.
    """

    source: str
    restart: int | None = None
    step: int | None = None
    n_slots: int | None = None
    is_repaired: bool = False
    n_dropped: int = 0
    n_merged: int = 0


NETWORK = Origin("network")
"""Of schemas that are the network's own."""


class Hint(NamedTuple):
    """Further variables that the transitions speak for, but not loud enough.

    Attributes:
        query: What the new variables, those after the schema's own, would have to satisfy.
        n_new: How many they are.
        log_chance: Log of the chance that the steps obeyed it by accident.
    """

    query: tuple[LiftedAtom, ...]
    n_new: int
    log_chance: float
