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
from dias.learning.data.replay import SchemaInTraces
from dias.learning.noise.constants import Changing
from dias.learning.result import LearningResult, Uncertainty
from dias.learning.soft.calibration import Trust, calibrate
from dias.learning.soft.first import first_of_arguments
from dias.learning.soft.likeliest import certain, likeliest
from dias.learning.soft.sightings import CERTAIN, Sightings, lay_out
from dias.learning.soft.smooth import Smoothed, smooth, unguided
from dias.limits import OutOfTimeError, check, suspended
from dias.strips.model import Domain
from dias.traces.record import HALF, Traces, Transition

N_FIRST = 3
"""Times that a first domain is learned at most."""

N_ROUNDS = 5
"""Times that is learned at most from states that most likely were."""

MAX_DOUBT = 0.5
"""Atoms of a state that may be other than they most likely were, on the average, for what a step
did to be told."""

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
        schemas = {s.name: SchemaInTraces(s, states) for s in found.result.domain.actions}
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
