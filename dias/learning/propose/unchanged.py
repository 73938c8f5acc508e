"""Steps that change nothing: did the action happen, or was it refused?

Many simulators answer an action that is not applicable with the state as it was. Where an action
has steps that change something and steps that do not, and no effects cover both, the latter are
read as refused attempts, if that leaves nothing unexplained. One simulator answers all actions
alike, so then this holds for every action that has both kinds of steps.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from dias.learning.data.transitions import Examples, examples_by_action
from dias.learning.propose.single_steps import propose
from dias.traces.record import RefusedAction, Traces


def read_unchanged(traces: Traces, reading: str) -> tuple[Traces, dict[str, int]]:
    """The traces with the steps that change nothing read as they are to be read.

    Args:
        traces: The traces.
        reading: One of `dias.config.UNCHANGED`. With `refused` those of every action are refused
            attempts, also where the action never changed anything.

    Returns:
        The traces, and per action the distinct steps that became refused attempts.
    """
    groups = examples_by_action(traces)
    if reading == "auto":
        actions = _refusing(groups)
    else:
        actions = set(groups) if reading == "refused" else set()
    found = {name: groups[name].n_unchanged for name in sorted(actions)}
    found = {name: number for name, number in found.items() if number}
    return as_refused(traces, found), found


def _refusing(groups: dict[str, Examples]) -> set[str]:
    """The actions with steps of both kinds, if some are not covered and refusals explain that."""
    mixed = [g for g in groups.values() if 0 < g.n_unchanged < len(g.examples)]
    if all(map(_is_covered, mixed)):
        return set()
    changing = [
        replace(group, examples=[e for e in group.examples if e.state != e.next_state])
        for group in mixed
    ]
    return {group.action for group in mixed} if all(map(_is_covered, changing)) else set()


def _is_covered(group: Examples) -> bool:
    """Whether some effects explain all the steps."""
    return propose(group)[1] == len(group.examples)


def as_refused(traces: Traces, actions: Collection[str]) -> Traces:
    """The traces with the steps of some actions that change nothing as refused attempts."""
    if not actions:
        return traces
    kept = []
    refused = {(a.segment, a.state, a.action, a.arguments): a for a in traces.refused}
    for t in traces.transitions:
        if t.action not in actions or t.state != t.next_state:
            kept.append(t)
            continue
        key = t.segment, t.state, t.action, t.arguments
        known = refused.get(key, RefusedAction(*key, count=0, line=t.line))
        line = min(known.line, t.line)
        refused[key] = replace(known, count=known.count + t.count, line=line)
    return replace(traces, transitions=tuple(kept), refused=tuple(refused.values()))
