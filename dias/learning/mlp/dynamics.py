"""What was learned with state-dependent effects, which gives successors as a domain does.

The R-GCN needs s′ and is not used: preconditions are read out of the network once, and the
successors in a problem come from `dias.learning.mlp.engine`.

Paper: ``app:mlp-effects``, paragraph "Evaluation".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from dias.learning.finish.assemble import action_schema
from dias.learning.mlp.engine import MLPEngine, PatternEffects
from dias.learning.train.extraction import THRESHOLD, thresholded_preconditions
from dias.limits import Check
from dias.nn.mlp_effects import MLPEffectsModel
from dias.strips.model import Domain, Predicate
from dias.strips.problem import CodedProblem
from dias.traces.record import Traces


@dataclass(frozen=True)
class MLPDynamics:
    """What was learned with state-dependent effects.

    Attributes:
        network: The network.
        preconditions: A domain of schemas without effects, over the active slots.
        threshold: Probability above which a literal counts.
    """

    network: MLPEffectsModel
    preconditions: Domain
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
    def name(self) -> str:
        """The domain's name."""
        return self.preconditions.name

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """The predicates of the traces."""
        return self.preconditions.predicates

    @property
    def constants(self) -> Mapping[str, str]:
        """None: constants are objects in traces."""
        return self.preconditions.constants

    @property
    def fluents(self) -> frozenset[str]:
        """All predicates: nobody knows what the network changes in a state not seen yet."""
        return frozenset(predicate.name for predicate in self.predicates)

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions."""
        return self.network.vocabulary.actions

    def restricted(self, action: str) -> MLPDynamics:
        """The same with one action only."""
        alone = replace(self.preconditions, actions=(self.preconditions.action(action),))
        return replace(self, preconditions=alone)

    def build(self, problem: CodedProblem, check: Check | None = None) -> MLPEngine:
        """The successors in one problem; see `dias.strips.engines.choice.build_engine`."""
        return MLPEngine(self, problem, check)

    @cached_property
    def effects(self) -> PatternEffects:
        """The network's effects, remembered over all problems."""
        return PatternEffects(self.network, self.threshold)
