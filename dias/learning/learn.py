"""From traces to a domain: propose, check against the transitions, complete, assemble."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from dias.config import LearningConfig
from dias.learning.certificate.apart import apart_effects
from dias.learning.certificate.causes import causes
from dias.learning.certificate.count_support import missing_variable, support
from dias.learning.data.check import as_validation, check_arities, check_traces
from dias.learning.data.refusals import count_refusals
from dias.learning.data.replay import CodedStates, count_reproduced
from dias.learning.data.transitions import Examples, examples_by_action
from dias.learning.explain.full_labels import learn_with_arguments
from dias.learning.extend.variables import complete
from dias.learning.finish.assemble import action_schema, learned_domain
from dias.learning.finish.shorten import SHORTEN
from dias.learning.noise.learner import learn_with_noise
from dias.learning.noise.signs import is_measurable, looks_noisy
from dias.learning.propose.proposals import Proposals
from dias.learning.propose.unchanged import read_unchanged
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.schema import LiftedSchema
from dias.learning.score import score
from dias.learning.state_dependent.conditional import divide_actions
from dias.learning.train.progress import LearningProgress, timed
from dias.strips.model import Domain
from dias.traces.record import LabelMode, Traces

log = logging.getLogger(__name__)

MAX_WIDER = 3
"""Variables that exact effects may have beyond the parameters of what was learned under noise: with
more they cover noise, and have too many ground actions."""

MIN_SHOWN = 3
"""Steps that must show a change set before it is lifted where states look seen wrong: what fewer
show covers noise, and is too large to be weighed."""


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
            domain explains; with `neural`, they have a say in when training ends early.

    Raises:
        ValueError: The effects are `mlp`, for which there is no domain (`dias.learning.mlp.learn`).
        InsufficientTracesError: There is no transition.
        TraceError: A predicate has too many arguments where those of actions are not all known,
            or the validation transitions have other types, arities or labels.
        DeviceError: The device to train on is not there.
        CheckpointError: The checkpoint is damaged, or of other traces or settings.

    Examples:
        Without a network, whatever is left unexplained; leave `config` out for the default.

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
    if config.effects == "mlp":
        raise ValueError(
            "with mlp effects there is no domain: use dias.learning.mlp.learn.learn_mlp"
        )
    check_traces(traces)
    if traces.labels is not LabelMode.FULL:
        check_arities(traces)
    if validation is not None:
        validation = as_validation(validation, traces)
    seconds: dict[str, float] = {}
    with timed(seconds, "prepare"):
        reading = config.reading_of_unchanged
        is_asked = reading == "auto" and any(t.state == t.next_state for t in traces.transitions)
        if is_asked and looks_noisy(examples_by_action(traces)):
            reading = "happened"  # where states are seen wrong, no effects cover all the steps
        traces, validation, refused = read_unchanged(traces, reading, validation)
    result = _learn(traces, config, report, checkpoint, validation, seconds)
    return replace(result, seconds=dict(seconds), read_as_refused=refused)


def _learn(
    traces: Traces,
    config: LearningConfig,
    report: Callable[[LearningProgress], None] | None,
    checkpoint: Path | None,
    validation: Traces | None,
    seconds: dict[str, float],
) -> LearningResult:
    """Learn exactly, and under noise where it looks so or steps are left; the score decides."""
    tolerant = None
    variants: Mapping[str, tuple[str, ...]] = {}
    with timed(seconds, "prepare"):
        if config.effects == "conditional":
            traces, variants = divide_actions(traces)
        examples = examples_by_action(traces)
        # Dividing actions takes every change at its word, so there noise is not looked for.
        may_be_noisy = config.method != "neural" and config.effects == "strips"
        is_noisy = may_be_noisy and looks_noisy(examples)
        is_full = traces.labels is LabelMode.FULL
        best = Proposals(examples, mend="repair" not in config.without)
    if config.method != "neural" and "fallback" not in config.without and not is_full:
        with timed(seconds, "complete"):
            best.look_at_steps(MIN_SHOWN if is_noisy else 1)
    uses_network = config.method == "neural" or (config.method == "hybrid" and best.leave_many)
    if is_noisy:
        tolerant = _learn_with_noise(traces, examples, config, validation, seconds)
        is_noise = tolerant.noise is not None and tolerant.noise.is_any
        if is_full:
            best.look_at_arguments()
        is_hopeless = best.leave_most or _are_overgrown(best, tolerant)
        if is_hopeless and is_noise and _keeps_to_arguments(tolerant, examples):
            return tolerant
        uses_network &= not is_noise  # no network explains what was seen wrong
    result = _learn_exactly(
        traces, examples, config, best, uses_network, report, checkpoint, validation, variants,
        seconds,
    )  # fmt: skip
    may_fall_back = tolerant is None and may_be_noisy and "fallback" not in config.without
    if may_fall_back and result.n_explained < result.n_distinct and is_measurable(examples):
        tolerant = _learn_with_noise(traces, examples, config, validation, seconds)
    if tolerant is not None and _is_better(tolerant, result, traces, examples):
        return tolerant
    return result


def _is_better(
    tolerant: LearningResult,
    exact: LearningResult,
    traces: Traces,
    examples: Mapping[str, Examples],
) -> bool:
    """Whether what was learned under noise scores better than what was learned without.

    Without noise, effects that hardly any step shows together explain nothing.
    """
    is_noise = tolerant.noise is not None and tolerant.noise.is_any
    is_pretext = not is_noise and any(one.apart for one in tolerant.evidence)
    if is_pretext or not _keeps_to_arguments(tolerant, examples):
        return False
    coded = CodedStates(traces)
    with_noise, without = (
        sum(score(action, traces, coded) for action in result.domain.actions)
        for result in (tolerant, exact)
    )
    return with_noise > without


def _are_overgrown(best: Proposals, tolerant: LearningResult) -> bool:
    """Whether exact effects are over so many more variables that nobody could weigh them."""
    return any(
        best.effects[action.name].n_variables > action.arity + MAX_WIDER
        for action in tolerant.domain.actions
        if action.name in best.effects
    )


def _keeps_to_arguments(result: LearningResult, examples: Mapping[str, Examples]) -> bool:
    """Whether no schema has more parameters than the arguments that full labels say are all."""
    return result.labels is not LabelMode.FULL or all(
        action.arity <= len(examples[action.name].examples[0].transition.arguments)
        for action in result.domain.actions
    )


def _learn_exactly(
    traces: Traces,
    examples: Mapping[str, Examples],
    config: LearningConfig,
    best: Proposals,
    uses_network: bool,
    report: Callable[[LearningProgress], None] | None,
    checkpoint: Path | None,
    validation: Traces | None,
    variants: Mapping[str, tuple[str, ...]],
    seconds: dict[str, float],
) -> LearningResult:
    """Learn from transitions that are taken as exact."""
    method, n_steps = config.method, 0
    if traces.labels is LabelMode.FULL:
        method = "full"
        with timed(seconds, "complete"):
            schemas = [learn_with_arguments(group, traces) for group in examples.values()]
    else:
        if uses_network:
            with timed(seconds, "import"):
                from dias.learning.propose.network import train  # imports torch
            said, n_steps = train(
                traces, examples, config, best, seconds, report, checkpoint, validation
            )
            schemas = list(said)
        if method != "neural":
            with timed(seconds, "complete"):
                schemas = [
                    complete(best.effects[name], group, traces, config.without, best.origins[name])
                    for name, group in examples.items()
                ]
    kind = "learned" if method == "neural" else config.preconditions
    schemas, domain = _shortened(schemas, traces, traces, kind, seconds)
    with timed(seconds, "replay"):
        reproduced = count_reproduced(domain, traces)
    with timed(seconds, "certify"):
        evidence = tuple(
            ActionEvidence(
                action=schema.action,
                n_transitions=len(examples[schema.action].examples),
                n_explained=reproduced[schema.action],
                n_ambiguous=schema.n_ambiguous,
                n_unchanged=examples[schema.action].n_unchanged,
                support=support(schema, examples, traces),
                apart=apart_effects(schema, traces),
            )
            for schema in schemas
        )
        evidence = tuple(_with_causes(own, examples[own.action], traces) for own in evidence)
    validated = None
    if validation is not None:
        with timed(seconds, "validate"):
            explained = count_reproduced(domain, validation, variants)
            validated = sum(explained.values()), len(validation.transitions)
    return LearningResult(
        domain=domain,
        evidence=evidence,
        unobserved=traces.unobserved,
        method=method,
        labels=traces.labels,
        preconditions=kind,
        seed=config.seed,
        n_steps=n_steps,
        n_transitions=traces.n_steps,
        seconds=dict(seconds),
        validation=validated,
        without=() if method == "full" else config.without,
        config=config,
        variants=variants,
    )


def _with_causes(evidence: ActionEvidence, group: Examples, traces: Traces) -> ActionEvidence:
    """The evidence with what may be behind the steps that stay unexplained."""
    unexplained = evidence.support.unexplained if evidence.support else ()
    return replace(evidence, causes=causes(group, unexplained, traces.labels))


def _learn_with_noise(
    traces: Traces,
    examples: Mapping[str, Examples],
    config: LearningConfig,
    validation: Traces | None,
    seconds: dict[str, float],
) -> LearningResult:
    """Learn from transitions that were observed with errors."""
    kept_out = set(config.without) & {"extra-variables"}
    if idle := [part for part in config.without if part not in kept_out]:
        log.warning("noise was found; no %s to leave out where there is some", ", ".join(idle))
    with timed(seconds, "complete"):
        found = learn_with_noise(traces, examples, finds_variables=not kept_out)
    schemas, domain = _shortened(found.schemas, traces, found.traces, config.preconditions, seconds)
    evidence = tuple(
        ActionEvidence(
            action=schema.action,
            n_transitions=len(examples[schema.action].examples),
            n_explained=found.n_explained[schema.action],
            n_ambiguous=schema.n_ambiguous,
            n_unchanged=examples[schema.action].n_unchanged,
            suspected=missing_variable(schema, traces),
            refused=count_refusals(domain.action(schema.action), traces),
            apart=apart_effects(schema, found.traces),
        )
        for schema in schemas
    )
    validated = None
    if validation is not None:
        with timed(seconds, "validate"):
            explained = found.count_explained(examples_by_action(validation))
            validated = explained, len(validation.transitions)
    return LearningResult(
        domain=domain,
        evidence=evidence,
        unobserved=traces.unobserved,
        method="full" if traces.labels is LabelMode.FULL else config.method,
        labels=traces.labels,
        preconditions=config.preconditions,
        seed=config.seed,
        n_steps=0,
        n_transitions=traces.n_steps,
        seconds=dict(seconds),
        validation=validated,
        without=tuple(kept_out),
        config=config,
        noise=found.noise,
    )


def _shortened(
    schemas: list[LiftedSchema],
    traces: Traces,
    visited: Traces,
    kind: str,
    seconds: dict[str, float],
) -> tuple[list[LiftedSchema], Domain]:
    """The schemas and their domain, with fewer preconditions where the kind asks for that.

    Args:
        schemas: The schemas.
        traces: What was learned from.
        visited: The same with the states in which preconditions matter.
        kind: One of `dias.config.PRECONDITIONS`, or ``learned``.
        seconds: Where the time that this takes is put.
    """
    if kind in SHORTEN:
        with timed(seconds, "shorten"):
            schemas = [SHORTEN[kind](schema, visited) for schema in schemas]
    return schemas, learned_domain(traces, (action_schema(s, traces) for s in schemas))
