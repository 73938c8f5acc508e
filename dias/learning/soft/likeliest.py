"""Traces in which all is certain: the states as they most likely were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dias.learning.soft.sightings import Sightings
from dias.learning.soft.smooth import Smoothed
from dias.limits import check
from dias.traces.record import HALF, Soft, Traces, Transition

MAX_LEARNED = 0.05
"""Atoms of both states together that may be other than they most likely were, for a step to be
learned from: with a wrong one among them, noise has to be looked for."""

MIN_KEPT, SHARE_KEPT = 20, 0.5
"""Steps of an action that are learned from at least, and share of them: those of which most is
known."""

NOTHING: Soft = frozenset()


def likeliest(traces: Traces, smoothed: Sequence[Smoothed], merge: bool = True) -> Traces:
    """The steps as they most likely were, but for those of which too much is in doubt."""
    doubts = [own.doubts().sum(0) for own in smoothed]
    actions = [np.array([t.action for t in own.sightings.steps]) for own in smoothed]
    every, named = np.concatenate(doubts), np.concatenate(actions)
    most = {action: _most_doubt(every[named == action]) for action in np.unique(named)}
    parts = []
    for own, doubt, names in zip(smoothed, doubts, actions, strict=True):
        rows = own.sightings.rows
        kept = doubt <= [most[name] for name in names]
        holding, before = own.holding(), own.holding()
        at, codes, value = own.does.made()
        open_ = abs(own.messages.whole()[at, codes] - HALF) < HALF - MAX_LEARNED
        before[at[open_], codes[open_]] = ~value[open_]  # an effect changes something
        chosen = replace(
            own.sightings,
            steps=[t for t, k in zip(own.sightings.steps, kept, strict=True) if k],
            rows=rows[kept],
        )
        parts.append((chosen, before[chosen.rows], holding[chosen.rows + 1]))
    return certain(traces, parts, merge)


def _most_doubt(doubts: np.ndarray) -> float:
    """The most doubt that a step may have which is learned from, of all those of its action."""
    n_kept = min(len(doubts), max(MIN_KEPT, int(SHARE_KEPT * len(doubts))))
    return max(MAX_LEARNED, float(np.sort(doubts)[n_kept - 1]))


def certain(
    traces: Traces, parts: Sequence[tuple[Sightings, np.ndarray, np.ndarray]], merge: bool = True
) -> Traces:
    """Traces in which all is certain.

    Args:
        traces: Where the steps are from. Of refused attempts and masks those stay whose state is
            certain.
        parts: Per segment the steps, and ``[n, C]`` which atoms hold before and after each.
        merge: Whether equal transitions become one.
    """
    merged: dict[object, Transition] = {}
    for seen, before, after in parts:
        static = traces.segments[seen.segment].static
        for place, t in enumerate(seen.steps):
            check()
            state, next_state = (
                seen.codes.decode_state(np.flatnonzero(own[place]).tolist()) - static
                for own in (before, after)
            )
            key = (t.segment, state, t.action, t.arguments, next_state) if merge else id(t)
            one = merged.get(key)
            step = replace(
                t, state=state, next_state=next_state, soft=NOTHING, next_soft=NOTHING, walk=None,
                step=None,
            )  # fmt: skip
            merged[key] = (
                step
                if one is None
                else replace(
                    one,
                    count=one.count + t.count,
                    line=min(one.line, t.line),
                    last_line=max(one.last_line, t.last_line),
                )
            )
    steps = sorted(merged.values(), key=lambda t: t.line) if merge else merged.values()
    open_ = {number for number, own in enumerate(traces.segments) if own.is_open}
    doubted = {(t.segment, t.state) for t in traces.transitions if t.soft}
    return replace(
        traces,
        segments=tuple(replace(own, is_open=False, one_of=()) for own in traces.segments),
        transitions=tuple(steps),
        refused=tuple(a for a in traces.refused if not a.soft and a.segment not in open_),
        masks=tuple(
            mask
            for mask in traces.masks
            if (mask.segment, mask.state) not in doubted and mask.segment not in open_
        ),
    )
