"""Learning where not every atom of every state is certain.

States are made certain, learned from as any others, and made certain anew by what was learned,
until nothing changes:

1. Nothing is known of the actions: an atom is taken to stay as it is. A step begins with what was
   seen up to it and ends with what is seen from then on. So no effect is missed, but where it is
   not seen when an atom changed, every step in question shows it: to learning that is noise. It
   asks for effects alone, and again of the states that 2 finds with them, a few times.
2. With the domain learned from that the states along each walk are those that most likely were
   (`smooth`), and how far sightings are to be believed is estimated (`calibration`).
3. Learned from these, with certificate and all; again from 2 while the domain changes.

Steps are then judged by what was seen: one is explained if its states, as they most likely were,
follow each other in the domain, and nothing that is said to be certain says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dias.diff.domains import diff_domains
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.replay import SchemaInTraces
from dias.learning.noise.constants import Changing
from dias.learning.result import LearningResult, Uncertainty
from dias.learning.soft.calibration import Trust, calibrate
from dias.learning.soft.first import first_of_arguments
from dias.learning.soft.sightings import CERTAIN, Sightings, lay_out
from dias.learning.soft.smooth import Smoothed, smooth, unguided
from dias.limits import OutOfTimeError, check, suspended
from dias.strips.model import Domain
from dias.traces.record import HALF, Soft, Traces, Transition

N_FIRST = 3
"""Times that a first domain is learned at most."""

N_ROUNDS = 5
"""Times that is learned at most from states that most likely were."""

MAX_DOUBT = 0.5
"""Atoms of a state that may be other than they most likely were, on the average, for what a step
did to be told."""

MAX_LEARNED = 0.05
"""The same in both states together for a step to be learned from: with a wrong one among them,
noise has to be looked for."""

MIN_KEPT, SHARE_KEPT = 20, 0.5
"""Steps of an action that are learned from at least, and share of them: those of which most is
known."""

NOTHING: Soft = frozenset()

Learn = Callable[[Traces, float], LearningResult]
"""Learns from certain states, in a share of the time that is left."""


@dataclass(frozen=True)
class _Found:
    """What a round came to: the answer, the states that it takes for true, and their trust.

    Settled: as much was learned in the round before, but for what must not hold. Such a literal is
    written if enough speaks for it, and where that is near the bar, a step more or less in the
    states decides.
    """

    result: LearningResult
    smoothed: list[Smoothed]
    trust: Mapping[str, Trust]
    n_rounds: int
    is_settled: bool


def learn_uncertain(
    traces: Traces, begin_with: Callable[[Traces, Changing], Domain], learn: Learn
) -> LearningResult:
    """Learn from states of which not all is certain.

    Args:
        traces: The transitions.
        begin_with: Learns a first domain from states that are guesses, and from which atoms
            were seen true now and false then by sightings that are certain.
        learn: Learns from states that are certain.

    Raises:
        OutOfTimeError: Nothing was learned in time.
    """
    sightings = lay_out(traces)
    changing = {own.segment: own.changing() for own in sightings}
    domain = first_of_arguments(sightings, traces)
    if domain is not None:
        smoothed = smooth(sightings, domain, traces)
    else:
        domain, smoothed = _guessed(sightings, traces, lambda own: begin_with(own, changing))
    found: _Found | None = None
    try:
        for number in range(1, N_ROUNDS + 1):
            check()
            trust = _temperatures(sightings, smoothed)
            result = learn(likeliest(traces, smoothed), HALF)
            is_settled = _is_same(result.domain, domain) or (
                number > 1 and _is_same(_positive(result.domain), _positive(domain))
            )
            domain = result.domain
            smoothed = smooth(sightings, domain, traces, trust)
            found = _Found(result, smoothed, trust, number, is_settled)
            if is_settled:
                break
        assert found is not None
        return _judged(found, traces)
    except OutOfTimeError:
        if found is None:
            raise
        undone = {**found.result.undone, "states that are not certain": [""]}
        with suspended():
            return _judged(replace(found, result=replace(found.result, undone=undone)), traces)


def _guessed(
    sightings: Sequence[Sightings], traces: Traces, begin_with: Callable[[Traces], Domain]
) -> tuple[Domain, list[Smoothed]]:
    """A first domain from guesses, again from the states that are found with it, and these."""
    guesses = [
        (seen, m.until[seen.rows] > HALF, m.since[seen.rows + 1] > HALF)
        for seen, m in zip(sightings, unguided(sightings), strict=True)
    ]
    # Every step counts: what is seen often is no mistake.
    domain = begin_with(certain(traces, guesses, merge=False))
    smoothed = smooth(sightings, domain, traces)
    for _ in range(N_FIRST - 1):
        trust = _temperatures(sightings, smoothed)
        before, domain = domain, begin_with(likeliest(traces, smoothed, merge=False))
        if _is_same(domain, before):
            break
        smoothed = smooth(sightings, domain, traces, trust)
    return domain, smoothed


def _temperatures(sightings: Sequence[Sightings], smoothed: Sequence[Smoothed]) -> dict[str, Trust]:
    """How far probabilities are to be believed; a wrong domain must not cast doubt on the rest."""
    found = calibrate(sightings, [own.messages for own in smoothed])
    return {name: own._replace(true=CERTAIN, false=CERTAIN) for name, own in found.items()}


def _is_same(one: Domain, other: Domain) -> bool:
    """Whether their actions differ in nothing but the names of parameters."""
    return all(action.is_equal for action in diff_domains(one, other).actions)


def _positive(domain: Domain) -> Domain:
    """The domain without what must not hold."""
    actions = (
        replace(own, negative_preconditions=frozenset(), inequalities=frozenset())
        for own in domain.actions
    )
    return replace(domain, actions=tuple(actions))


def _is_told(smoothed: Smoothed) -> np.ndarray:
    """``[n]`` whether both states of a step are known well enough."""
    return np.asarray((smoothed.doubts() < MAX_DOUBT).all(0))


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


class _Step(NamedTuple):
    """A step as it was seen, whether it is explained, whether enough was seen to tell."""

    transition: Transition
    is_explained: bool
    is_told: bool


def _judged(found: _Found, traces: Traces) -> LearningResult:
    """The answer with what the sightings say of it."""
    every: list[_Step] = []
    n_against = 0
    for own in found.smoothed:
        seen, holding, rows = own.sightings, own.holding(), own.sightings.rows
        wrong = ((seen.firm != 0) & ((seen.firm > 0) != holding)).sum(1)
        n_against += int(wrong.sum())
        states = certain(traces, [(seen, holding[rows], holding[rows + 1])], merge=False)
        coded = CodedStates(states)
        schemas = {s.name: SchemaInTraces(s, states, coded) for s in found.result.domain.actions}
        told, fits = _is_told(own), wrong[rows] + wrong[rows + 1] == 0
        for place, step in enumerate(states.transitions):
            check()
            is_made = step.action in schemas and schemas[step.action].reproduces(step)
            every.append(_Step(seen.steps[place], is_made and bool(fits[place]), bool(told[place])))
    evidence = []
    for one in found.result.evidence:
        steps = [step for step in every if step.transition.action == one.action]
        lines = tuple(sorted(s.transition.line for s in steps if not s.is_explained))
        support = one.support and replace(one.support, unexplained_lines=lines, unexplained=())
        evidence.append(
            replace(
                one,
                n_transitions=len(steps),
                n_explained=sum(step.is_explained for step in steps),
                support=support,
                causes=(),
            )
        )
    trust = calibrate([s.sightings for s in found.smoothed], [s.messages for s in found.smoothed])
    doubts = [p for t in traces.transitions for _, p in (*t.soft, *t.next_soft) if 0 < p < 1]
    return replace(
        found.result,
        evidence=tuple(evidence),
        unobserved=traces.unobserved,
        n_transitions=traces.n_steps,
        noise=None,
        uncertain=Uncertainty(
            n_doubted=len(doubts),
            n_unknown=doubts.count(HALF),
            temperatures={
                name: own.temperature for name, own in sorted(trust.items()) if own.n_doubted
            },
            n_against=n_against,
            n_rounds=found.n_rounds,
            n_transitions=len(every),
            n_untold=sum(not (step.is_explained or step.is_told) for step in every),
            is_unsettled=found.result.noise is not None or not found.is_settled,
        ),
    )
