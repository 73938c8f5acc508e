"""What a trace file holds, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from dias.strips.model import Atom
from dias.traces.findings import contradictions
from dias.traces.record import HALF, Traces, Transition

ChangeCounts = tuple[tuple[str, int], ...]
"""What a step does by predicate: ``+p`` or ``-p`` and the number of atoms that change so."""


@dataclass(frozen=True)
class ActionSamples:
    """The samples of one action.

    Attributes:
        name: The action name.
        n_steps: Transitions, repeats counted.
        n_distinct: Distinct transitions.
        n_states: Distinct states that it was taken in.
        n_unchanged: Transitions, repeats counted, whose two states are certainly the same.
        n_refused: Distinct refused attempts.
        n_listed: States whose mask lists it, or a ground action of it.
        n_unlisted: States whose mask does not: it is refused there.
        changes: Kinds of change and in how many distinct transitions, the commonest first. An
            action whose effects never hold beforehand has one.
        same_arguments: Place, counted from 1, and object of the arguments that were one and the
            same object in all transitions; of at least two distinct ones.
    """

    name: str
    n_steps: int
    n_distinct: int
    n_states: int
    n_unchanged: int
    n_refused: int
    n_listed: int
    n_unlisted: int
    changes: tuple[tuple[ChangeCounts, int], ...]
    same_arguments: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class DeadEnd:
    """A state that a transition leads to and from which none was seen.

    Attributes:
        segment: Index into `Traces.segments`.
        state: The atoms true in it, without the static ones.
        line: The first line that leads to it.
    """

    segment: int
    state: frozenset[Atom]
    line: int


@dataclass(frozen=True)
class Inspection:
    """What a trace file holds.

    Attributes:
        traces: The content of the file.
        n_states: Distinct states, each problem's counted apart.
        actions: The samples of each action, by name; those without a transition too.
        changing: Predicates with an atom that some transition adds or deletes, sorted.
        static: Predicates that hold of something, and of the same in all states of a problem.
        never_true: Declared predicates that never hold.
        contradictions: Transitions that begin alike and end differently (`contradictions`).
        dead_ends: In the order of the file.
        n_soft: Atoms that are not certain in the two states of the transitions, all together.
        n_unknown: Those of them of which nothing is known.
    """

    traces: Traces
    n_states: int
    actions: tuple[ActionSamples, ...]
    changing: tuple[str, ...]
    static: tuple[str, ...]
    never_true: tuple[str, ...]
    contradictions: tuple[tuple[Transition, ...], ...]
    dead_ends: tuple[DeadEnd, ...]
    n_soft: int
    n_unknown: int


def inspect_traces(traces: Traces) -> Inspection:
    """Count what is in a trace file."""
    transitions = traces.transitions
    left = {(transition.segment, transition.state) for transition in transitions}
    reached: dict[tuple[int, frozenset[Atom]], int] = {}
    for transition in transitions:
        reached.setdefault((transition.segment, transition.next_state), transition.line)
    changed = {atom.predicate for t in transitions for atom in t.state ^ t.next_state}
    holding = {atom.predicate for _, state in left | reached.keys() for atom in state}
    holding.update(atom.predicate for segment in traces.segments for atom in segment.static)
    doubts = [
        p for t in transitions for soft in (t.soft, t.next_soft) for _, p in soft if 0 < p < 1
    ]
    names = [predicate.name for predicate in traces.predicates]
    return Inspection(
        traces=traces,
        n_states=len(left | reached.keys()),
        actions=tuple(_samples(traces, name) for name in traces.actions),
        changing=tuple(name for name in names if name in changed),
        static=tuple(name for name in names if name in holding - changed),
        never_true=tuple(name for name in names if name not in holding),
        contradictions=tuple(map(tuple, contradictions(traces))),
        dead_ends=tuple(
            DeadEnd(*state, line) for state, line in reached.items() if state not in left
        ),
        n_soft=len(doubts),
        n_unknown=doubts.count(HALF),
    )


def _samples(traces: Traces, name: str) -> ActionSamples:
    own = [transition for transition in traces.transitions if transition.action == name]
    refused = [attempt for attempt in traces.refused if attempt.action == name]
    masks = [mask for mask in traces.masks if name not in mask.unclear]
    n_listed = sum(bool(mask.arguments(name)) for mask in masks)
    changes = Counter(_change(t) for t in own if t.state != t.next_state)
    return ActionSamples(
        name=name,
        n_steps=sum(transition.count for transition in own),
        n_distinct=len(own),
        n_states=len({(transition.segment, transition.state) for transition in own}),
        n_unchanged=sum(t.count for t in own if traces.is_unchanged(t)),
        n_refused=len(refused),
        n_listed=n_listed,
        n_unlisted=len(masks) - n_listed,
        changes=tuple(sorted(changes.items(), key=lambda item: (-item[1], item[0]))),
        same_arguments=_same_arguments(own) if len(own) > 1 else (),
    )


def _same_arguments(transitions: Iterable[Transition]) -> tuple[tuple[int, str], ...]:
    columns = zip(*(transition.arguments for transition in transitions), strict=True)
    return tuple(
        (place, column[0]) for place, column in enumerate(columns, 1) if len(set(column)) == 1
    )


def _change(transition: Transition) -> ChangeCounts:
    def count(sign: str, atoms: Iterable[Atom]) -> list[tuple[str, int]]:
        return sorted(Counter(f"{sign}{atom.predicate}" for atom in atoms).items())

    state, next_state = transition.state, transition.next_state
    return (*count("+", next_state - state), *count("-", state - next_state))
