"""What was seen along the walks, as log odds of each ground atom in each state.

The steps of a walk share their states: what one shows after its action, the next shows before.
Where the two say the same, they are one sighting; else they are two, and their log odds add up.
Steps that say no place in a walk have two states of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import log

import numpy as np

from dias.limits import check
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom, is_subtype
from dias.traces.record import HALF, Segment, Soft, Traces, Transition

CERTAIN = log(999)
"""Log odds of what is said to be certain: a sensor may still be wrong once in a thousand times."""

LEAST = 1e-3
"""Share of the atoms of a relation that are true, at least, before anything is seen."""


@dataclass(frozen=True)
class Sightings:
    """The states of one segment, those of each walk in a row.

    Attributes:
        segment: Index into `Traces.segments`.
        codes: The numbering of its atoms.
        firm: ``[R, C]`` log odds of the sightings that are said to be certain; 0 where none is.
        doubted: ``[R, C]`` log odds of the others; 0 says nothing.
        first: ``[R]`` whether a walk begins with the state.
        steps: The n transitions.
        rows: ``[n]`` the state before each; that after it is the next.
    """

    segment: int
    codes: AtomCodes
    firm: np.ndarray
    doubted: np.ndarray
    first: np.ndarray
    steps: Sequence[Transition]
    rows: np.ndarray

    @cached_property
    def log_odds(self) -> np.ndarray:
        """``[R, C]`` of each atom in each state, all sightings together."""
        return self.firm + self.doubted

    @cached_property
    def varies(self) -> np.ndarray:
        """``[C]`` whether an atom is seen true now and false then."""
        return np.logical_and((self.log_odds > 0).any(0), (self.log_odds < 0).any(0))

    def changing(self) -> frozenset[Atom]:
        """The atoms that are both, by sightings that are said to be certain."""
        both = (self.firm > 0).any(0) & (self.firm < 0).any(0)
        return self.codes.decode_state(np.flatnonzero(both).tolist())

    @cached_property
    def changes(self) -> set[tuple[str, bool]]:
        """Relations, and whether atoms of them become true or false, by certain sightings."""
        held = np.zeros((2, self.firm.shape[1]), dtype=bool)  # was seen false, true in this walk
        became = np.zeros_like(held)
        for row, first in zip(self.firm, self.first.tolist(), strict=True):
            if first:
                held[:] = False
            is_seen = np.array([row < 0, row > 0])
            became |= is_seen & held[::-1]
            held |= is_seen
        return {
            (relation, value)
            for relation in self.codes.arities
            for value in (False, True)
            if became[int(value), self.codes.of(relation)].any()
        }

    def prior(self) -> np.ndarray:
        """``[C]`` chance that an atom is true where a walk begins.

        One half, so that what an atom was before a step changed it, unseen, stays in doubt. Of an
        atom of which nothing is ever seen it is the share of the sightings of its relation that say
        true.
        """
        found = np.full(self.firm.shape[1], HALF, dtype=np.float32)
        is_seen = (self.log_odds != 0).any(0)
        for relation in self.codes.arities:
            codes = self.codes.of(relation)
            found[codes][~is_seen[codes]] = min(1 - LEAST, max(LEAST, self.share(relation)))
        return found

    def share(self, relation: str) -> float:
        """Share of the sightings of a relation that say true."""
        own = self.log_odds[:, self.codes.of(relation)]
        n_true, n_false = int((own > 0).sum()), int((own < 0).sum())
        return n_true / max(1, n_true + n_false)


def lay_out(traces: Traces) -> list[Sightings]:
    """The states of all segments that have any."""
    by_segment: dict[int, list[Transition]] = {}
    for t in traces.transitions:
        by_segment.setdefault(t.segment, []).append(t)
    return [_of_segment(number, own, traces) for number, own in sorted(by_segment.items())]


def _of_segment(number: int, steps: Sequence[Transition], traces: Traces) -> Sightings:
    segment, codes = traces.segments[number], traces.codes[number]
    ordered = sorted(
        enumerate(steps),
        key=lambda entry: (
            entry[1].walk is None or entry[1].step is None,
            str(entry[1].walk),
            entry[1].step or 0,
            entry[0],
        ),
    )
    unlisted = _unlisted(segment, codes, traces)
    views: dict[tuple[frozenset[Atom], Soft], np.ndarray] = {}

    def seen(state: frozenset[Atom], soft: Soft) -> np.ndarray:
        if (state, soft) not in views:
            views[state, soft] = _log_odds(state, soft, unlisted, codes)
        return views[state, soft]

    table: list[np.ndarray] = []
    first: list[bool] = []
    rows: list[int] = []
    last: Transition | None = None
    for _, t in ordered:
        check()
        before, after = seen(t.state, t.soft), seen(t.next_state, t.next_soft)
        goes_on = last is not None and last.walk is not None and last.walk == t.walk
        if last is not None and goes_on and None not in (last.step, t.step):
            goes_on = last.step + 1 == t.step  # type: ignore[operator]
        else:
            goes_on = False
        if not goes_on:
            first.append(True)
            table.append(before)
        elif last is not None and (last.next_state, last.next_soft) != (t.state, t.soft):
            table[-1] = table[-1] + before
        rows.append(len(table) - 1)
        first.append(False)
        table.append(after)
        last = t
    both = np.array(table, dtype=np.float32)
    return Sightings(
        number,
        codes,
        both[:, 0],
        both[:, 1],
        np.array(first),
        [t for _, t in ordered],
        np.array(rows),
    )


def _log_odds(
    state: frozenset[Atom], soft: Soft, unlisted: np.ndarray, codes: AtomCodes
) -> np.ndarray:
    """``[2, C]``: of what is said to be certain, and of the rest."""
    found = np.zeros((2, len(unlisted)), dtype=np.float32)
    found[0] = unlisted
    found[0, sorted(codes.encode_state(state))] = CERTAIN
    for atom, p in soft:
        code = codes.encode(atom)
        found[0, code] = 0 if p else -CERTAIN
        found[1, code] = min(CERTAIN, max(-CERTAIN, log(p / (1 - p)))) if p else 0
    return found


def _unlisted(segment: Segment, codes: AtomCodes, traces: Traces) -> np.ndarray:
    """``[C]`` log odds of what a state does not list: static atoms hold, others are false.

    In an open segment those of the right types are unknown, but for relations that are static: what
    the header lists of them is all.
    """
    found = np.full(codes.n_codes, -CERTAIN, dtype=np.float32)
    if segment.is_open:
        static = {atom.predicate for atom in segment.static}
        for name, types in traces.predicates:
            if name not in static:
                fitting = [
                    [
                        o
                        for o, kind in segment.objects.items()
                        if is_subtype(kind, own, traces.types)
                    ]
                    for own in types
                ]
                for words in product(*fitting):
                    found[codes.encode_words(name, words)] = 0
    found[sorted(codes.encode_state(segment.static))] = CERTAIN
    return found
