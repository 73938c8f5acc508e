"""Transitions explained by a network with state-dependent effects."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from dias.learning.data.replay import CodedStates
from dias.learning.mlp.dynamics import MLPDynamics
from dias.learning.mlp.engine import MLPEngine
from dias.learning.result import ActionEvidence
from dias.learning.train.early_stop import are_explained
from dias.strips.codes import State
from dias.strips.joins.successors import Successor
from dias.traces.record import Traces, Transition

MAX_GROUNDINGS = 5_000
"""Groundings of one action looked at per transition; a network that allows more says nothing."""


class ActionInTraces:
    """One action of a network, ready to be applied in the states of the traces.

    Args:
        dynamics: What was learned.
        action: The action.
        coded: The coded states of the traces, to be shared among actions.
    """

    def __init__(self, dynamics: MLPDynamics, action: str, coded: CodedStates) -> None:
        self._alone = dynamics.restricted(action)
        self._coded = coded
        self._segments: dict[int, tuple[State, MLPEngine]] = {}

    def explanations(self, t: Transition) -> Iterator[Successor]:
        """The groundings under which s′ is what the network predicts."""
        static, engine = self._segment(t.segment)
        state, after = (
            self._coded.encode(t.segment, atoms) | static for atoms in (t.state, t.next_state)
        )
        change = after - state, state - after
        groundings = islice(engine.groundings(state), MAX_GROUNDINGS)
        return (found for found in groundings if (found.added, found.deleted) == change)

    def _segment(self, number: int) -> tuple[State, MLPEngine]:
        """The static atoms and the successors in a segment."""
        if number not in self._segments:
            # All predicates are fluents, so what is static belongs to every state.
            problem = self._coded.problem(number, self._alone.fluents)
            self._segments[number] = problem.init, MLPEngine(self._alone, problem)
        return self._segments[number]


def weigh(dynamics: MLPDynamics, traces: Traces) -> tuple[ActionEvidence, ...]:
    """Per action the transitions ⟨s, a, s′⟩ with s′ among the successors of a in s."""
    coded = CodedStates(traces)
    found = []
    for action in dynamics.actions:
        transitions = [t for t in traces.transitions if t.action == action]
        applied = ActionInTraces(dynamics, action, coded)
        # One more than one is enough to know that there are several.
        explanations = [len(list(islice(applied.explanations(t), 2))) for t in transitions]
        evidence = ActionEvidence(
            action=action,
            n_transitions=len(transitions),
            n_explained=sum(n > 0 for n in explanations),
            n_ambiguous=sum(n > 1 for n in explanations),
            n_unchanged=sum(t.state == t.next_state for t in transitions),
        )
        found.append(evidence)
    return tuple(found)


def explains_all(dynamics: MLPDynamics, traces: Traces) -> bool:
    """Whether s′ is always among the successors; ends at the first transition where it is not."""
    coded = CodedStates(traces)
    actions = {name: ActionInTraces(dynamics, name, coded) for name in dynamics.actions}
    return are_explained(
        traces,
        lambda t: t.action not in actions or any(True for _ in actions[t.action].explanations(t)),
    )
