"""How much of a problem's state space a trace file has seen.

Paper: Section "Hanoi state-space coverage" (``app:hanoi-state-space``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dias.coverage.state_space import Edge, StateSpace, explore
from dias.errors import TraceError
from dias.limits import Attempts, check, within
from dias.strips.codes import State
from dias.strips.model import Atom, Domain, Instance
from dias.traces.record import Traces, Transition
from dias.traces.said_types import without_type_facts

EXPLORING = 0.5
"""Share of the time for a problem that may go into its state space; the traces are looked up in it.
"""


@dataclass(frozen=True)
class ActionCoverage:
    """One action's transitions in the state space.

    Attributes:
        name: The action name.
        n_reachable: Its transitions, (state, successor) pairs, between reachable states.
        n_seen: Those that the traces show.
        n_next: Those not seen whose state was visited: one step away.
    """

    name: str
    n_reachable: int
    n_seen: int
    n_next: int


@dataclass(frozen=True)
class Coverage:
    """What traces show of the state space of one problem.

    Attributes:
        space: The reachable states, or the first of them.
        visited: The numbers of the states that occur in the traces.
        seen: The transitions that occur in the traces.
        actions: By name, in the order of the domain.
        n_elsewhere: States in the traces that are not in `space`.
        impossible: Transitions in the traces that the domain does not have.
        missing_static: Predicate to the number of its static atoms that the traces lack.
    """

    space: StateSpace
    visited: frozenset[int]
    seen: frozenset[Edge]
    actions: tuple[ActionCoverage, ...]
    n_elsewhere: int
    impossible: tuple[Transition, ...]
    missing_static: Mapping[str, int]


def coverage(
    traces: Traces,
    domain: Domain,
    instances: Sequence[Instance],
    max_states: int,
    attempts: Attempts | None = None,
) -> list[Coverage]:
    """What traces show of the state space of each problem.

    A problem is compared with the segments of its name. If there are none, with those of no given
    problem's name: without a name if it has their objects, else if the objects are the same.

    Args:
        traces: The traces.
        domain: The domain that they come from.
        instances: Problems of the domain.
        max_states: Reachable states to compare with at most, in breadth-first order.
        attempts: Each problem is compared as one of these, and may be left out for want of time.

    Raises:
        TraceError: The traces have an action or a predicate that the domain does not have, or no
            segment fits a problem.
    """
    if domain.types:
        traces = without_type_facts(traces, domain)
    _check_vocabulary(traces, domain)
    matched = [_segments_of(instance, traces, instances) for instance in instances]
    attempts, found = attempts or Attempts(), []
    for n_done, (instance, segments) in enumerate(zip(instances, matched, strict=True)):
        own_share = 1 / (len(instances) - n_done)
        with attempts.at("state space", instance.name, own_share):
            with within(attempts.remaining_s * EXPLORING):
                space = explore(domain, instance, max_states)
            found.append(_cover(traces, domain, space, segments))
    return found


def _check_vocabulary(traces: Traces, domain: Domain) -> None:
    actions = sorted(action.name for action in domain.actions)
    arities = {predicate.name: predicate.arity for predicate in domain.predicates}
    known = ", ".join(f"{name}/{arity}" for name, arity in sorted(arities.items()))
    remedy = "Give the domain that the traces come from"
    for step in traces.transitions:
        if step.action not in actions:
            expected = f"an action of domain {domain.name} ({', '.join(actions)})"
            problem = f"expected {expected}, found {step.action}"
            raise TraceError(problem, place=traces.place(step.line), remedy=remedy)
    for name, arity in ((p.name, p.arity) for p in traces.predicates):
        if arities.get(name) != arity:
            expected = f"predicates of domain {domain.name} ({known})"
            problem = f"expected {expected}, found {name}/{arity}"
            raise TraceError(problem, place=traces.source, remedy=remedy)


def _segments_of(
    instance: Instance, traces: Traces, instances: Sequence[Instance]
) -> frozenset[int]:
    """The numbers of the segments to compare a problem with."""
    objects = instance.objects.keys()
    names = {other.name for other in instances}
    numbered = list(enumerate(traces.segments))
    named = [number for number, segment in numbered if segment.problem == instance.name]
    others = [number for number, segment in numbered if segment.problem not in names]
    found, misfit = set(), "those of other problems only"
    for number in named or others:
        segment = traces.segments[number]
        own = segment.objects.keys()
        if segment.problem in ("", instance.name):
            if own <= objects:
                found.add(number)
            else:
                misfit = f"the object {min(own - objects)}, which it does not have"
        elif own == objects:
            found.add(number)
        else:
            misfit = f"those of {segment.problem}, which has other objects"
    if not found:
        raise TraceError(
            f"expected traces of problem {instance.name}, found {misfit}",
            place=traces.source,
            remedy="Give the problem that the traces come from",
        )
    return frozenset(found)


def _cover(traces: Traces, domain: Domain, space: StateSpace, segments: frozenset[int]) -> Coverage:
    fluents = domain.fluents

    def encode(transition: Transition, state: frozenset[Atom]) -> State:
        atoms = state | traces.segments[transition.segment].static
        return space.problem.codes.encode_state(atom for atom in atoms if atom.predicate in fluents)

    edges = set(space.edges)
    states: set[State] = set()
    seen: set[Edge] = set()
    impossible: list[Transition] = []
    known: set[Atom] = set()
    for transition in traces.transitions:
        check()
        if transition.segment not in segments:
            continue
        state = encode(transition, transition.state)
        next_state = encode(transition, transition.next_state)
        states |= {state, next_state}
        known |= transition.state | traces.segments[transition.segment].static
        edge = Edge(
            space.number.get(state, -1), transition.action, space.number.get(next_state, -1)
        )
        change = next_state - state, state - next_state
        if edge in edges:
            seen.add(edge)
        elif transition.action not in space.engine.reached(state, [change]):
            impossible.append(transition)
    visited = frozenset(space.number[state] for state in states if state in space.number)
    reachable, shown, near = (
        Counter(edge.action for edge in chosen)
        for chosen in (edges, seen, (e for e in edges - seen if e.source in visited))
    )
    missing = space.problem.static_atoms - known
    return Coverage(
        space=space,
        visited=visited,
        seen=frozenset(seen),
        actions=tuple(
            ActionCoverage(a.name, reachable[a.name], shown[a.name], near[a.name])
            for a in domain.actions
        ),
        n_elsewhere=len(states) - len(visited),
        impossible=tuple(impossible),
        missing_static=dict(sorted(Counter(atom.predicate for atom in missing).items())),
    )
