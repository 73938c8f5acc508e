"""Whether traces are enough, what is odd about them, and which further samples help most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from dias.coverage.coverage import Coverage
from dias.report.text import percent, plural, some
from dias.traces.findings import FEW_SAMPLES
from dias.traces.inspect import ActionSamples, Inspection

USUAL, MIN_SHARE = 0.9, 0.05
"""Share of an action's changes that are one kind or a part of it, as where effects hold beforehand;
a STRIPS action changes nothing else. That kind is seen in so many of the changes: with noise nearly
every change is of its own kind, and some large one holds many others."""


def verdict(inspection: Inspection) -> str:
    """Whether there are enough samples of each action to learn from."""
    few = [f"{a.name} {_n_useful(a)}" for a in inspection.actions if _n_useful(a) < FEW_SAMPLES]
    useful = "distinct transitions that change something"
    if few:
        return f"not enough; fewer than {FEW_SAMPLES} {useful}: {some(few)}"
    return f"enough in number; every action has at least {FEW_SAMPLES} {useful}"


def _n_useful(action: ActionSamples) -> int:
    return sum(number for _, number in action.changes)


def notes(inspection: Inspection, coverages: Sequence[Coverage]) -> Iterator[str]:
    """What is no error but worth knowing: the reader's findings, and what else shows."""
    source = re.escape(inspection.traces.source)
    for finding in inspection.traces.findings:
        yield re.sub(
            f"^{source}:(?:(\\d+):)? ", lambda m: f"line {m[1]}: " if m[1] else "", finding
        )
    for action in _unsteady(inspection):
        yield (
            f"{action.name} changes the state in {len(action.changes)} ways;"
            f" {percent(_n_alike(action), _n_useful(action))} of its changes are one of them or a"
            " part of it: noise, or several actions under one name"
        )
    for coverage in coverages:
        name = coverage.space.problem.name
        if coverage.impossible:
            yield (
                f"line {coverage.impossible[0].line}: the domain has no such transition, and"
                f" {len(coverage.impossible)} of {name} like that in all: noise, or another domain"
            )
        if coverage.n_elsewhere and coverage.space.is_whole:
            yield (
                f"{plural(coverage.n_elsewhere, 'state')} that cannot be reached from the initial"
                f" state of {name}: noise, or another problem"
            )
        if coverage.missing_static:
            counts = some([f"{p} ({n})" for p, n in coverage.missing_static.items()])
            yield f"static atoms of {name} that the traces lack: {counts}"


def _unsteady(inspection: Inspection) -> list[ActionSamples]:
    """Actions that do not do one thing; what is not certain tells nothing of that."""
    if inspection.n_soft:
        return []
    return [a for a in inspection.actions if a.changes and _n_alike(a) < USUAL * _n_useful(a)]


def _n_alike(action: ActionSamples) -> int:
    """Changes that are of one kind, or a part of it; of the kind for which they are most."""
    every = [(Counter(dict(kind)), n) for kind, n in action.changes]
    whole = [kind for kind, n in every if n >= MIN_SHARE * _n_useful(action)]
    return max((sum(n for part, n in every if part <= kind) for kind in whole), default=0)


def advice(inspection: Inspection, coverages: Sequence[Coverage]) -> Iterator[str]:
    """What to sample next, the most urgent first."""
    if inspection.contradictions or _unsteady(inspection):
        yield "states that are observed without noise and show all that matters"
    for predicate in sorted({p for coverage in coverages for p in coverage.missing_static}):
        yield f'the static atoms of {predicate}, in each state or as "static" in the header'
    few = [action for action in inspection.actions if _n_useful(action) < FEW_SAMPLES]
    exhausted = [a.name for a in few if _is_exhausted(a, coverages)]
    needed = [
        f"{action.name} ({FEW_SAMPLES - _n_useful(action)})"
        for action in sorted(few, key=_n_useful)
        if action.name not in exhausted
    ]
    if needed:
        yield f"further distinct transitions that change something: {some(needed)}"
    if exhausted:
        yield f"a larger problem: in those given, every transition was seen of {some(exhausted)}"
    for action in inspection.actions:
        if action not in few and 2 * action.n_unchanged >= action.n_steps:
            yield (
                f"steps of {action.name} that change something;"
                f" {action.n_unchanged:,} of {action.n_steps:,} change nothing"
            )
    for coverage in coverages:
        unseen = [action for action in coverage.actions if action.n_seen < action.n_reachable]
        if unseen and coverage.space.is_whole:
            least = min(unseen, key=lambda action: action.n_seen / action.n_reachable)
            yield (
                f"{least.name} in {coverage.space.problem.name}: the fewest of its transitions"
                f" were seen ({percent(least.n_seen, least.n_reachable)}); {least.n_next:,} others"
                " begin in states that were visited"
            )


def _is_exhausted(action: ActionSamples, coverages: Sequence[Coverage]) -> bool:
    """Whether the problems that are known have no further transition of an action."""
    own = [a for coverage in coverages for a in coverage.actions if a.name == action.name]
    return (
        bool(coverages)
        and all(coverage.space.is_whole for coverage in coverages)
        and all(a.n_seen == a.n_reachable for a in own)
    )
