"""From traces to a domain: train, check against the transitions, complete, assemble."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dias.config import LearningConfig
from dias.errors import InsufficientTracesError, TraceError
from dias.learning.apply import count_reproduced
from dias.learning.assemble import action_schema, learned_domain
from dias.learning.certify import LiftedSchema
from dias.learning.examples import Examples, examples_by_action
from dias.learning.extend import complete
from dias.learning.full_labels import learn_with_arguments
from dias.learning.minimal import minimal_preconditions
from dias.learning.origin import Origin
from dias.learning.progress import LearningProgress, timed
from dias.learning.support import Support, support
from dias.learning.symbolic import is_shown, propose
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
        support: What stands behind the schema, literal by literal.
    """

    action: str
    n_transitions: int
    n_explained: int
    n_ambiguous: int
    n_unchanged: int
    support: Support | None = None


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
        without: The parts of the method that were left out (`dias.config.PARTS`).
        config: The settings; with full labels only some of them matter.
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
    without: tuple[str, ...] = ()
    config: LearningConfig = field(default_factory=LearningConfig)

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
        """Whether all that was seen fits the domain.

        Every transition is explained, no refused attempt is allowed, and every declared action
        was seen.
        """
        is_explained = self.n_explained == self.n_distinct and not self.n_wrongly_allowed
        return is_explained and not self.unobserved

    @property
    def n_wrongly_allowed(self) -> int:
        """Refused attempts that the domain allows."""
        supports = (evidence.support for evidence in self.evidence)
        return sum(own.refusals.n_allowed for own in supports if own)

    @property
    def is_weak(self) -> bool:
        """Whether the transitions leave doubts about some schema, few samples not counted."""
        return any(own.support and own.support.has_doubts for own in self.evidence)


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
        InsufficientTracesError: There is no transition.
        TraceError: The validation transitions have other types.
        CheckpointError: The checkpoint is damaged, or of other traces or settings.

    Examples:
        Without a network, which is faster; leave `config` out for the default.

        >>> import dias
        >>> domain = dias.read_domain("benchmarks/domains/gripper/domain.pddl")
        >>> problem = dias.read_problem("benchmarks/domains/gripper/p01.pddl", domain)
        >>> traces = dias.sample(domain, [problem], seed=1)
        >>> result = dias.learn(traces, LearningConfig(method="symbolic"))
        >>> result.n_explained, result.n_distinct
        (267, 267)
        >>> [(action.name, action.arity) for action in result.domain.actions]
        [('drop', 3), ('move', 2), ('pick', 3)]
    """
    config = config or LearningConfig()
    if not traces.transitions:
        raise InsufficientTracesError("no transitions to learn from", place=traces.source)
    if validation is not None:
        _check_same_types(traces, validation)
    seconds: dict[str, float] = {}
    method, n_steps = config.method, 0
    with timed(seconds, "prepare"):
        examples = examples_by_action(traces)
    if traces.labels is LabelMode.FULL:
        method = "full"
        with timed(seconds, "complete"):
            schemas = [learn_with_arguments(group) for group in examples.values()]
    elif method == "symbolic":
        with timed(seconds, "complete"):
            schemas = [_lifted(group, traces, config) for group in examples.values()]
    else:
        with timed(seconds, "import"):
            from dias.learning.search import learn_schemas  # imports torch
        schemas, n_steps, own = learn_schemas(traces, examples, config, report, checkpoint)
        seconds |= own | {"prepare": seconds["prepare"] + own["prepare"]}
    whole = schemas
    if config.preconditions == "minimal":
        with timed(seconds, "shorten"):
            schemas = [minimal_preconditions(schema, traces) for schema in schemas]
    with timed(seconds, "replay"):
        domain = learned_domain(traces, (action_schema(schema, traces) for schema in schemas))
        reproduced = count_reproduced(domain, traces)
    with timed(seconds, "certify"):
        evidence = tuple(
            ActionEvidence(
                schema.action,
                len(group.examples),
                reproduced[schema.action],
                schema.n_ambiguous,
                sum(example.state == example.next_state for example in group.examples),
                support(schema, full, examples, traces),
            )
            for schema, full, group in zip(schemas, whole, examples.values(), strict=True)
        )
    validated = None
    if validation is not None:
        with timed(seconds, "validate"):
            explained = count_reproduced(domain, validation)
            validated = sum(explained.values()), len(validation.transitions)
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
        () if method == "full" else config.without,
        config,
    )


def _lifted(group: Examples, traces: Traces, config: LearningConfig) -> LiftedSchema:
    """The schema of an action from single transitions, without a network."""
    effects, _ = propose(group, mend="repair" not in config.without)
    origin = Origin("transitions", is_repaired=not is_shown(effects, group))
    return complete(effects, group, traces, config.without, origin)


def _check_same_types(traces: Traces, validation: Traces) -> None:
    if dict(traces.types) != dict(validation.types):
        wanted, found = (", ".join(t.types) or "none" for t in (traces, validation))
        raise TraceError(
            f"expected the types of {traces.source} ({wanted}), found {found}",
            place=validation.source,
            remedy="Give both files headers with the same types",
        )
