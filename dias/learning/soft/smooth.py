"""The states along walks as they most likely were, given a domain.

What each step did and what the states were is made out in turn: under the bindings the atoms are
chains, forward and backward along the walk (`messages`); under what is then known of the states
before and after a step its bindings are ranked (`bindings`). A few rounds settle both. The exact
posterior would be over all sequences of states; here atoms are independent given the bindings, and
bindings given what is known of the atoms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dias.learning.soft.bindings import Binder, Ranked, kernels
from dias.learning.soft.calibration import Trust, believed
from dias.learning.soft.messages import Messages, no_kernels, pass_messages
from dias.learning.soft.sightings import Sightings
from dias.limits import check
from dias.strips.model import Domain
from dias.traces.record import HALF, Segment, Traces

IDLE_RATE = 1e-4
"""Chance that an atom changes in a step that does not touch it, where the domain is known."""

FIRST_RATE = 0.02
"""The same where it is not: of the atoms that matter to a walk a few in a hundred change."""

N_ROUNDS = 6


@dataclass(frozen=True)
class Smoothed:
    """One segment.

    Attributes:
        sightings: What was seen.
        messages: What is known of the atoms.
        ranked: Action to the places of its steps, ``[n]``, and their bindings.
        groups: The codes of the atoms of each group of which exactly one holds.
    """

    sightings: Sightings
    messages: Messages
    ranked: Mapping[str, tuple[np.ndarray, Ranked]]
    groups: Sequence[list[int]] = ()

    def holding(self) -> np.ndarray:
        """``[R, C]`` the atoms that most likely hold: of a one-of group the likeliest."""
        whole = self.messages.whole()
        found = whole > HALF
        for group in self.groups:
            found[:, group] = False
            found[np.arange(len(found)), np.array(group)[whole[:, group].argmax(1)]] = True
        return np.asarray(found)


def unguided(sightings: Sequence[Sightings]) -> list[Messages]:
    """What is known of the atoms where nothing is known of the actions."""
    found = []
    for own in sightings:
        rates = np.full(own.log_odds.shape[1], FIRST_RATE)
        found.append(pass_messages(own, own.log_odds, no_kernels(own), rates))
    return found


def smooth(
    sightings: Sequence[Sightings],
    domain: Domain,
    traces: Traces,
    begin: Sequence[Messages],
    trust: Mapping[str, Trust] | None = None,
) -> list[Smoothed]:
    """The states of all segments, given a domain.

    Args:
        sightings: What was seen.
        domain: The domain; steps of actions that it lacks touch nothing.
        traces: Where it was seen.
        begin: What is known of the atoms before anything is known of the steps.
        trust: Relation to how far its sightings are believed; None: as they are.
    """
    return [
        _of_segment(own, domain, traces.segments[own.segment], believed(own, trust or {}), messages)
        for own, messages in zip(sightings, begin, strict=True)
    ]


def _of_segment(
    sightings: Sightings, domain: Domain, segment: Segment, odds: np.ndarray, messages: Messages
) -> Smoothed:
    number = sightings.codes.object_number
    groups: dict[str, list[int]] = {}
    for place, t in enumerate(sightings.steps):
        groups.setdefault(t.action, []).append(place)
    schemas = {schema.name: schema for schema in domain.actions}
    rates = np.full(odds.shape[1], IDLE_RATE)
    last: np.ndarray | None = None
    ranked: dict[str, tuple[np.ndarray, Ranked]] = {}
    for _ in range(N_ROUNDS):
        found, ranked = [], {}
        for name, places in groups.items():
            check()
            if name not in schemas:
                continue
            schema, own = schemas[name], np.array(places)
            binder = Binder(schema, domain, segment, sightings, messages, rates)
            given = np.array(
                [
                    [number[o] for o in sightings.steps[place].arguments[: schema.arity]]
                    for place in places
                ],
                dtype=np.int64,
            ).reshape(len(places), -1)
            rows = sightings.rows[own]
            best = binder.rank(rows, given)
            ranked[name] = own, best
            found.append((binder, rows, best))
        messages = pass_messages(sightings, odds, kernels(found, rates, len(odds)), rates)
        holds = messages.whole() > HALF
        if last is not None and np.array_equal(holds, last):
            break
        last = holds
    one_of = [[sightings.codes.encode(atom) for atom in group] for group in segment.one_of]
    return Smoothed(sightings, messages, ranked, one_of)
