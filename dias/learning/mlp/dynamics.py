"""What was learned with state-dependent effects, which gives successors as a domain does.

The R-GCN needs s′ and is not used: preconditions are read out of the network once, and the
successors in a problem come from `dias.learning.mlp.engine`. What those say of the transitions is
what the network explains.

Paper: ``app:mlp-effects``, paragraph "Evaluation".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from dias.learning.data.replay import CodedStates
from dias.learning.finish.assemble import action_schema
from dias.learning.mlp.engine import MLPEngine, PatternEffects
from dias.learning.result import ActionEvidence
from dias.learning.train.early_stop import are_explained
from dias.learning.train.extraction import THRESHOLD, thresholded_preconditions
from dias.limits import Check
from dias.nn.mlp_effects import MLPEffectsModel
from dias.strips.codes import State
from dias.strips.joins.successors import Successor
from dias.strips.model import Domain
from dias.strips.problem import CodedProblem
from dias.traces.record import Traces, Transition

MAX_GROUNDINGS = 5_000
"""Groundings of one action looked at per transition; a network that allows more says nothing."""


@dataclass(frozen=True)
class MLPDynamics:
    """What was learned with state-dependent effects.

    Attributes:
        network: The network.
        domain: The predicates, and schemas without effects, over the active slots.
        threshold: Probability above which a literal counts.
    """

    network: MLPEffectsModel
    domain: Domain
    threshold: float = THRESHOLD

    @classmethod
    def of(
        cls, network: MLPEffectsModel, traces: Traces, threshold: float = THRESHOLD
    ) -> MLPDynamics:
        """Read the preconditions out of a trained network (``eq:schema-derivation``).

        Args:
            network: The network.
            traces: Predicates, types and domain name; the transitions are not looked at.
            threshold: For literals.
        """
        schemas = (
            thresholded_preconditions(network, name, threshold)
            for name in network.vocabulary.actions
        )
        domain = Domain(
            traces.domain or "learned",
            dict(traces.types),
            {},
            traces.predicates,
            tuple(action_schema(schema, traces) for schema in schemas),
        )
        return cls(network, domain, threshold)

    @property
    def fluents(self) -> frozenset[str]:
        """All predicates: nobody knows what the network changes in a state not seen yet."""
        return frozenset(predicate.name for predicate in self.domain.predicates)

    def build(self, problem: CodedProblem, check: Check | None = None) -> MLPEngine:
        """The successors in one problem; see `dias.strips.engines.choice.build_engine`."""
        return MLPEngine(self.domain, self.effects, problem, check)

    @cached_property
    def effects(self) -> PatternEffects:
        """The network's effects, remembered over all problems."""
        return PatternEffects(self.network, self.threshold)


def weigh(dynamics: MLPDynamics, traces: Traces) -> tuple[ActionEvidence, ...]:
    """Per action the transitions ⟨s, a, s′⟩ with s′ among the successors of a in s."""
    applied = _InTraces(dynamics, traces)
    found = []
    for action in dynamics.network.vocabulary.actions:
        transitions = [t for t in traces.transitions if t.action == action]
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
    applied, known = _InTraces(dynamics, traces), set(dynamics.network.vocabulary.actions)
    return are_explained(
        traces, lambda t: t.action not in known or any(True for _ in applied.explanations(t))
    )


class _InTraces:
    """A network, ready to be applied in the states of the traces.

    Args:
        dynamics: What was learned.
        traces: The traces, for states and problems.
    """

    def __init__(self, dynamics: MLPDynamics, traces: Traces) -> None:
        self._dynamics = dynamics
        self._coded = CodedStates(traces)
        self._segments: dict[int, tuple[State, MLPEngine]] = {}

    def explanations(self, t: Transition) -> Iterator[Successor]:
        """The groundings under which s′ is what the network predicts."""
        static, engine = self._segment(t.segment)
        state, after = (
            self._coded.encode(t.segment, atoms) | static for atoms in (t.state, t.next_state)
        )
        change = after - state, state - after
        groundings = islice(engine.groundings(state, t.action), MAX_GROUNDINGS)
        return (found for found in groundings if (found.added, found.deleted) == change)

    def _segment(self, number: int) -> tuple[State, MLPEngine]:
        """The static atoms and the successors in a segment."""
        if number not in self._segments:
            # All predicates are fluents, so what is static belongs to every state.
            problem = self._coded.problem(number, self._dynamics.fluents)
            self._segments[number] = problem.init, self._dynamics.build(problem)
        return self._segments[number]
