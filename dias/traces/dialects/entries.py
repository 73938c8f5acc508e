"""Trajectories as what stands for the lines of a trace file: a header each, then its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dias.errors import InsufficientTracesError
from dias.traces.dialects.home import Home, object_header
from dias.traces.dialects.seen import (
    LEFT_OUT,
    Dialect,
    Entry,
    SeenAction,
    SeenAtom,
    SeenState,
    Trajectory,
    error,
)
from dias.traces.reading.header import VERSION
from dias.traces.record import LabelMode

Pair = tuple[SeenState, SeenAction, SeenState]
"""A state, what was done in it, the next state."""


class Entries(NamedTuple):
    """What stands for the lines of a file, whose dialect it is, what is odd about it."""

    dialect: str
    entries: list[Entry]
    findings: list[str]


def make_entries(
    trajectories: Sequence[Trajectory], source: str, stem: str, dialect: Dialect, home: Home | None
) -> Entries:
    """Headers and steps of all trajectories.

    Args:
        trajectories: What the file holds.
        source: The file, as it is named in messages.
        stem: The problem's name where nothing else gives one.
        dialect: Which dialect it is.
        home: The domain, or the problem too, that the traces are of.

    Raises:
        TraceError: No state before or after an action.
        InsufficientTracesError: No step.
    """
    pairs = [list(_pairs(trajectory, source)) for trajectory in trajectories]
    if not any(pairs):
        raise InsufficientTracesError(
            "expected transitions, found no action between two states",
            place=source,
            remedy=f"It was read as {dialect.title}'s; `dias convert -f DIALECT` names another",
        )
    values = [action.value for steps in pairs for _, action, _ in steps]
    has_arguments = any(isinstance(value, list) and len(value) > 1 for value in values)
    labels = LabelMode.FULL if has_arguments else LabelMode.NAMES
    findings = [f"{source}: read as a trace of {dialect.title}", *_findings(trajectories, source)]
    entries: list[Entry] = []
    names: dict[frozenset[str], str] = {}
    for number, (trajectory, steps) in enumerate(zip(trajectories, pairs, strict=True)):
        if not steps:
            continue
        walk = f"{stem}-{number + 1}" if len(trajectories) > 1 else stem
        # Where the objects are others, it is another problem.
        things = _things(trajectory, steps)
        name = names.setdefault(things, f"{stem}-{len(names) + 1}" if names else stem)
        header: dict[str, object]
        header = {"dias": VERSION, "problem": name, "labels": labels.value}
        header |= object_header(trajectory, home, source)
        entries.append(Entry(header, trajectory.line))
        said = _said(trajectory) if dialect.unlisted_is_unknown else {}
        entries += (_entry(step, walk, place, said) for place, step in enumerate(steps))
    return Entries(dialect.name, entries, findings)


def _pairs(trajectory: Trajectory, source: str) -> Iterator[Pair]:
    """The steps: an action with the states beside it. Two states in a row are none."""
    state: SeenState | None = None
    action: SeenAction | None = None
    n_steps = 0
    for item in trajectory.items:
        if isinstance(item, SeenState):
            if state and action:
                n_steps += 1
                yield state, action, item
            state, action = item, None
            continue
        if state is None or action:
            found = f"the action of line {action.line}" if action else "none"
            number = n_steps + 1 + bool(action)
            raise error(
                source, item.line, f"a state before the action of step {number}", found,
                "States that were not seen cannot be read: leave the steps beside them out",
            )  # fmt: skip
        action = item
    if action:
        raise error(
            source, action.line, f"a state after the action of step {n_steps + 1}",
            "the end of the trajectory", "Was the program that writes it stopped?",
        )  # fmt: skip


def _said(trajectory: Trajectory) -> dict[tuple[str, ...], object]:
    """The atoms that some state speaks of, as words, with their values.

    Where another does not, they are unknown. None unless some atom is said to be false; else what a
    state does not list is false.
    """
    states = [item for item in trajectory.items if isinstance(item, SeenState)]
    if not any(state.false for state in states):
        return {}
    return {_words(a): a.value for state in states for a in (*state.true, *state.false)}


def _unknown(state: SeenState, said: Mapping[tuple[str, ...], object]) -> list[object]:
    """The atoms of `said` that a state does not speak of."""
    own = set(map(_words, (*state.true, *state.false)))
    return [value for words, value in said.items() if words not in own]


def _words(atom: SeenAtom) -> tuple[str, ...]:
    return tuple(map(str, atom.value)) if isinstance(atom.value, list) else (str(atom.value),)


def _findings(trajectories: Sequence[Trajectory], source: str) -> Iterator[str]:
    n_gaps, first_gap = 0, 0
    for trajectory in trajectories:
        last: SeenState | None = None
        for item in () if trajectory.jumps else trajectory.items:
            if isinstance(item, SeenState) and last and _atoms(last) != _atoms(item):
                first_gap = first_gap or item.line
                n_gaps += 1
            last = item if isinstance(item, SeenState) else None
    if n_gaps:
        yield (
            f"{source}:{first_gap}: {n_gaps} time(s) another state follows without an action;"
            " nothing is learned from what happens there"
        )
    for what in LEFT_OUT:
        if lines := [line for trajectory in trajectories for line in trajectory.left_out[what]]:
            yield f"{source}:{lines[0]}: {len(lines)} {what}"
    mixed = next((t.mixed_types for t in trajectories if t.mixed_types), "")
    if mixed:
        yield f"{source}: types are left out, since {mixed}"


def _atoms(state: SeenState) -> set[tuple[str, ...]]:
    return set(map(_words, state.true))


def _things(trajectory: Trajectory, steps: Sequence[Pair]) -> frozenset[str]:
    """The objects of a trajectory, listed or seen."""
    if trajectory.lists_objects:
        return frozenset(trajectory.objects)
    values = [action.value for _, action, _ in steps]
    values += [atom.value for step in steps for state in step[::2] for atom in state.true]
    return frozenset(str(word) for v in values if isinstance(v, list) for word in v[1:])


def _entry(step: Pair, walk: str, place: int, said: Mapping[tuple[str, ...], object]) -> Entry:
    state, action, after = step
    unknown = {"unknown": _unknown(state, said)}
    if not action.is_refused:
        unknown["next-unknown"] = _unknown(after, said)
    value = {
        "state": [atom.value for atom in state.true],
        "action": action.value,
        "next": None if action.is_refused else [atom.value for atom in after.true],
        "trace": walk,
        "step": place,
        **{key: values for key, values in unknown.items() if values},
    }
    lines = {
        "state": [state.line, *(atom.line for atom in state.true)],
        "next": [after.line, *(atom.line for atom in after.true)],
    }
    return Entry(value, action.line, place + 1, lines)
