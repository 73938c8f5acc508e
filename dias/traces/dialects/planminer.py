"""PlanMiner's traces (``.pts``): plans, each with a section of timed actions and one of states.

::

    New plan!!!
    ##Tasks##
    [0, 10]: (FLY P1 - PLANE C1 - CITY C2 - CITY)
    ##States##
    [0]: (AT P1 - PLANE C1 - CITY) (not (AT P1 - PLANE C2 - CITY))
    [10]: (AT P1 - PLANE C2 - CITY) (not (AT P1 - PLANE C1 - CITY))

States come in any order. An action that begins at one time and ends at another leads from the state
of the one to that of the other; one with a single number leads to the next state.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from dias.strips.pddl.text import Group, Source
from dias.traces.dialects.s_expressions import groups_of, read_state, typed_action
from dias.traces.dialects.seen import GAPS, Dialect, SeenAction, SeenState, Trajectory, error
from dias.traces.reading.fields import describe

PLANMINER = Dialect("planminer", "PlanMiner", unlisted_is_unknown=True)

_PLAN = re.compile(r"new plan\b.*", re.IGNORECASE)
_SECTION = re.compile(r"#+\s*(tasks|actions|states)\b.*", re.IGNORECASE)
_TIMED = re.compile(r"\[?\s*(\d+(?:\.\d+)?)\s*(?:,\s*(\d+(?:\.\d+)?)\s*)?\]?\s*:")
_FORMAT = "a section (##Tasks##, ##States##) or a timed line such as [0, 10]: (op x y)"


class _Timed(NamedTuple):
    """A line: from when, until when (None where one number is given), what, and where."""

    start: float
    end: float | None
    seen: SeenAction | SeenState
    line: int


class _Plan(NamedTuple):
    trajectory: Trajectory
    actions: list[_Timed]
    states: list[_Timed]


def trajectories(text: str, name: str) -> list[Trajectory]:
    """Each plan as a trajectory; an action whose states are not recorded is left out.

    Raises:
        TraceError: A line that is neither a section nor timed, two actions at once, two states of
            one time.
    """
    source = Source(text, name)
    plans: list[_Plan] = []
    section, offset = "", 0
    for number, line in enumerate(source.text.split("\n"), start=1):
        start, offset = offset, offset + len(line) + 1
        content = line.strip()
        if _PLAN.fullmatch(content) or not plans:
            plans.append(_Plan(Trajectory(number), [], []))
        if not content or content[0] == ";" or _PLAN.fullmatch(content):
            continue
        header, timed = _SECTION.fullmatch(content), _TIMED.match(line.lstrip())
        if header:
            section = header[1].lower()
        elif timed and section:
            begin = start + len(line) - len(line.lstrip()) + timed.end()
            groups = groups_of(source, begin, start + len(line))
            entry = _timed(timed, groups, section == "states", number, plans[-1], source)
            (plans[-1].states if section == "states" else plans[-1].actions).append(entry)
        else:
            raise error(name, number, _FORMAT, describe(content), "Begin remarks with ;")
    return [_in_order(plan, name) for plan in plans if plan.actions or plan.states]


def _timed(
    times: re.Match[str],
    groups: list[Group],
    is_state: bool,
    line: int,
    plan: _Plan,
    source: Source,
) -> _Timed:
    seen: SeenAction | SeenState
    if is_state:
        seen = read_state(list(groups), line, plan.trajectory, source, typed=True)
    elif len(groups) == 1 and groups[0].items:
        seen = typed_action(groups[0], line, plan.trajectory, source)
    else:
        raise error(source.name, line, "one action, as in [0, 10]: (op x y)", str(len(groups)),
                    "Write one a line")  # fmt: skip
    return _Timed(float(times[1]), float(times[2]) if times[2] else None, seen, line)


def _in_order(plan: _Plan, name: str) -> Trajectory:
    """Each action with the states before and after it, as far as they are recorded."""
    states = sorted(plan.states, key=lambda entry: entry.start)
    for one, other in pairwise(states):
        if one.start == other.start:
            found = f"another one of {one.start:g} in line {one.line}"
            raise error(name, other.line, "one state of each time", found, "Remove one")
    times = {state.start: number for number, state in enumerate(states)}
    trajectory = plan.trajectory
    trajectory.jumps = True
    last: _Timed | None = None
    for action in sorted(plan.actions, key=lambda entry: entry.start):
        if last and (action.start == last.start or (last.end or 0.0) > action.start):
            raise error(name, action.line, "one action after the other",
                        f"it at the time of the one in line {last.line}",
                        "Actions at the same time cannot be read")  # fmt: skip
        last = action
        before = times.get(action.start, len(states))
        after = before + 1
        if action.end is not None and action.end != action.start:
            after = times.get(action.end, len(states))
        if max(before, after) >= len(states):
            trajectory.left_out[GAPS].append(action.line)
            continue
        trajectory.items += (states[before].seen, action.seen, states[after].seen)
    return trajectory
