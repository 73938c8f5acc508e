"""What was learned with state-dependent effects, which gives successors as a domain does.

The R-GCN needs s′ and is not used: preconditions are read out of the network once, and the
successors in a problem come from `dias.learning.mlp.engine`. What those say of the transitions is
what the network explains.

Paper: ``app:mlp-effects``, paragraph "Evaluation".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice

from dias.learning.data.coded_states import CodedStates
from dias.learning.finish.assemble import action_schema, learned_domain
from dias.learning.mlp.engine import MLPEngine, PatternEffects
from dias.learning.result import ActionEvidence
from dias.learning.train.early_stop import are_explained
from dias.learning.train.extraction import THRESHOLD, thresholded_preconditions
from dias.limits import Check
from dias.nn.mlp_effects import MLPEffectsModel
from dias.strips.codes import State
from dias.strips.joins.successors import Change, Successor
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
        domain = learned_domain(traces, (action_schema(schema, traces) for schema in schemas))
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
    changes_of = changes(dynamics, traces)
    found = []
    for action in dynamics.network.vocabulary.actions:
        transitions = [t for t in traces.transitions if t.action == action]
        # One more than one is enough to know that there are several.
        explanations = [len(list(islice(_explanations(*changes_of(t)), 2))) for t in transitions]
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
    changes_of, known = changes(dynamics, traces), set(dynamics.network.vocabulary.actions)
    return are_explained(
        traces, lambda t: t.action not in known or any(True for _ in _explanations(*changes_of(t)))
    )


def _explanations(change: Change, groundings: Iterator[Successor]) -> Iterator[Successor]:
    """The groundings under which s′ is what the network predicts."""
    return (found for found in groundings if (found.added, found.deleted) == change)


def changes(
    dynamics: MLPDynamics, traces: Traces
) -> Callable[[Transition], tuple[Change, Iterator[Successor]]]:
    """A function that gives what a step changes, and what the network says of the same action.

    Of its groundings no more than `MAX_GROUNDINGS` are given.
    """
    coded = CodedStates.of(traces)

    @cache
    def segment(number: int) -> tuple[State, MLPEngine]:
        # All predicates are fluents, so what is static belongs to every state.
        problem = coded.problem(number, dynamics.fluents)
        return problem.init, dynamics.build(problem)

    def changes_of(t: Transition) -> tuple[Change, Iterator[Successor]]:
        static, engine = segment(t.segment)
        state, after = (coded.encode(t.segment, s) | static for s in (t.state, t.next_state))
        groundings = islice(engine.groundings(state, t.action), MAX_GROUNDINGS)
        return (after - state, state - after), groundings

    return changes_of
