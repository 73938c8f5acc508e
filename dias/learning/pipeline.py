"""From traces to a domain: train, check against the transitions, complete, assemble."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dias.config import LearningConfig
from dias.errors import InsufficientTracesError, TraceError
from dias.learning.apply import count_reproduced
from dias.learning.assemble import action_schema, learned_domain
from dias.learning.certify import LiftedSchema
from dias.learning.conditional import divide_actions
from dias.learning.examples import Examples, examples_by_action
from dias.learning.extend import complete
from dias.learning.full_labels import learn_with_arguments
from dias.learning.minimal import minimal_preconditions
from dias.learning.progress import LearningProgress
from dias.learning.symbolic import propose
from dias.strips.model import Domain
from dias.traces.record import LabelMode, Traces


@dataclass(frozen=True)
class ActionEvidence:
    """What the transitions say about the learned schema of one action.

    Attributes:
        action: The action name.
        n_transitions: Distinct transitions.
        n_explained: Those that the finished schema reproduces (`dias.learning.apply`).
        n_ambiguous: Those that the schema explains under more than one binding.
        n_unchanged: Those that change nothing.
    """

    action: str
    n_transitions: int
    n_explained: int
    n_ambiguous: int
    n_unchanged: int


@dataclass(frozen=True)
class LearningResult:
    """A learned domain and what the transitions say about it.

    Attributes:
        domain: The domain.
        evidence: Per action the check against its transitions.
        unobserved: Actions that are declared but have no transition; no schema is written.
        method: ``hybrid``, ``symbolic``, ``neural`` or ``full`` (all arguments were given).
        labels: What the arguments in the traces are.
        preconditions: ``safe``, ``minimal``, or ``learned`` by the network.
        seed: The seed.
        n_steps: Gradient steps taken, all restarts together.
        n_transitions: Transitions in the traces, repeats counted.
        seconds: Stage to wall-clock time.
        validation: Explained and distinct validation transitions; None if there are none.
        variants: Action with state-dependent effects to the actions that stand for it.
    """

    domain: Domain
    evidence: tuple[ActionEvidence, ...]
    unobserved: tuple[str, ...]
    method: str
    labels: LabelMode
    preconditions: str
    seed: int
    n_steps: int
    n_transitions: int
    seconds: Mapping[str, float] = field(default_factory=dict)
    validation: tuple[int, int] | None = None
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def n_distinct(self) -> int:
        """Distinct transitions."""
        return sum(evidence.n_transitions for evidence in self.evidence)

    @property
    def n_explained(self) -> int:
        """Distinct transitions that the domain explains."""
        return sum(evidence.n_explained for evidence in self.evidence)

    @property
    def explains_everything(self) -> bool:
        """Whether every transition is explained and every declared action was seen."""
        return self.n_explained == self.n_distinct and not self.unobserved


def learn(
    traces: Traces,
    config: LearningConfig | None = None,
    report: Callable[[LearningProgress], None] | None = None,
    checkpoint: Path | None = None,
    validation: Traces | None = None,
) -> LearningResult:
    """Learn a domain from traces.

    Args:
        traces: The transitions; nothing else is looked at.
        config: How to learn.
        report: Called now and then while training.
        checkpoint: File to go on from, if it is there, and to keep the state of training in.
        validation: Transitions that are not learned from. The result says how many of them the
            domain explains.

    Raises:
        ValueError: The effects are `mlp`, for which there is no domain (`dias.learning.mlp`).
        InsufficientTracesError: There is no transition.
        TraceError: The validation transitions have other types.
        CheckpointError: The checkpoint is damaged, or of other traces or settings.
    """
    config = config or LearningConfig()
    if config.effects == "mlp":
        raise ValueError("with mlp effects there is no domain: use dias.learning.mlp.learn_mlp")
    if not traces.transitions:
        raise InsufficientTracesError("no transitions to learn from", place=traces.source)
    if validation is not None:
        check_same_types(traces, validation)
    variants: Mapping[str, tuple[str, ...]] = {}
    if config.effects == "conditional":
        traces, variants = divide_actions(traces)
    examples = examples_by_action(traces)
    started = time.perf_counter()
    if traces.labels is LabelMode.FULL:
        schemas = [learn_with_arguments(group) for group in examples.values()]
        method, n_steps, seconds = "full", 0, {"complete": time.perf_counter() - started}
    elif config.method == "symbolic":
        schemas = [complete(propose(group)[0], group, traces) for group in examples.values()]
        method, n_steps, seconds = "symbolic", 0, {"complete": time.perf_counter() - started}
    else:
        method = config.method
        from dias.learning.search import learn_schemas  # imports torch

        schemas, n_steps, seconds = learn_schemas(traces, examples, config, report, checkpoint)
    if config.preconditions == "minimal":
        started = time.perf_counter()
        schemas = [minimal_preconditions(schema, traces) for schema in schemas]
        seconds["shorten"] = time.perf_counter() - started
    started = time.perf_counter()
    domain = learned_domain(traces, (action_schema(schema, traces) for schema in schemas))
    evidence = weigh_schemas(schemas, domain, examples, traces)
    validated = None
    if validation is not None:
        reproduced = count_reproduced(domain, validation, variants)
        validated = sum(reproduced.values()), len(validation.transitions)
    seconds["replay"] = time.perf_counter() - started
    return LearningResult(
        domain,
        evidence,
        traces.unobserved,
        method,
        traces.labels,
        "learned" if method == "neural" else config.preconditions,
        config.seed,
        n_steps,
        traces.n_steps,
        seconds,
        validated,
        variants,
    )


def weigh_schemas(
    schemas: Sequence[LiftedSchema],
    domain: Domain,
    examples: Mapping[str, Examples],
    traces: Traces,
) -> tuple[ActionEvidence, ...]:
    """What the transitions say about the schemas, which `domain` consists of."""
    reproduced = count_reproduced(domain, traces)
    return tuple(
        ActionEvidence(
            schema.action,
            len(group.examples),
            reproduced[schema.action],
            schema.n_ambiguous,
            sum(example.state == example.next_state for example in group.examples),
        )
        for schema, group in zip(schemas, examples.values(), strict=True)
    )


def check_same_types(traces: Traces, validation: Traces) -> None:
    """Refuse validation transitions with other types.

    Raises:
        TraceError: They have.
    """
    if dict(traces.types) != dict(validation.types):
        wanted, found = (", ".join(t.types) or "none" for t in (traces, validation))
        raise TraceError(
            f"expected the types of {traces.source} ({wanted}), found {found}",
            place=validation.source,
            remedy="Give both files headers with the same types",
        )
