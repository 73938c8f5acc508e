"""The passes that all ways of learning share: from effects to a domain with its certificate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from dias.config import LearningConfig
from dias.learning.certificate.apart import apart_effects
from dias.learning.certificate.causes import causes
from dias.learning.certificate.count_support import support
from dias.learning.data.replay import count_reproduced
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.full_labels import learn_with_arguments
from dias.learning.extend.choice import Choice
from dias.learning.extend.variables import complete
from dias.learning.finish.assemble import action_schema, learned_domain
from dias.learning.finish.parameter_names import kinds
from dias.learning.finish.shorten import SHORTEN
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.schema import Effects, LiftedSchema, Origin
from dias.learning.train.progress import LearningProgress, timed
from dias.traces.record import LabelMode, Traces


class Run(NamedTuple):
    """What one call of `learn` is about."""

    traces: Traces
    examples: Mapping[str, Examples]
    config: LearningConfig
    variants: Mapping[str, tuple[str, ...]]
    seconds: dict[str, float]
    report: Callable[[LearningProgress], None] | None
    checkpoint: Path | None
    validation: Traces | None

    @property
    def is_full(self) -> bool:
        """Whether all arguments are given."""
        return self.traces.labels is LabelMode.FULL

    @property
    def preconditions(self) -> str:
        """How they are chosen (`dias.config.PRECONDITIONS`); ``learned``: by the network."""
        is_network = self.config.way.is_network_alone and not self.is_full
        return "learned" if is_network else self.config.preconditions


def completed(
    run: Run, effects: Mapping[str, Effects], origins: Mapping[str, Origin], is_exact: bool = True
) -> list[LiftedSchema]:
    """Whole schemas of the proposed effects; of the arguments where all are given."""
    with timed(run.seconds, "complete"):
        if run.is_full:
            return [learn_with_arguments(group, run.traces) for group in run.examples.values()]
        return [
            complete(effects[name], group, run.traces, run.config.without, origins[name], is_exact)
            for name, group in run.examples.items()
        ]


def shortened(run: Run, schemas: list[LiftedSchema], is_exact: bool = True) -> list[LiftedSchema]:
    """The schemas with fewer preconditions, where these are of a kind that asks for it.

    A state that was put right may ask for a literal since it is still wrong. There a negative
    literal has to be worth its cost, too.
    """
    if run.preconditions not in SHORTEN:
        return schemas
    with timed(run.seconds, "shorten"):
        schemas = [SHORTEN[run.preconditions](schema, run.traces) for schema in schemas]
        return schemas if is_exact else [_paid(schema, run) for schema in schemas]


def _paid(schema: LiftedSchema, run: Run) -> LiftedSchema:
    """The schema without negative literals that are not worth their cost."""
    group = run.examples[schema.action]
    every = BindingTable.of([[()]] * len(group.examples), 0)
    return Choice(group, every, run.traces).paid(schema)


def certified(run: Run, schemas: list[LiftedSchema], whole: list[LiftedSchema]) -> LearningResult:
    """The schemas written as a domain, with what the transitions say about them.

    Args:
        run: What it is about.
        schemas: The schemas.
        whole: The same with all that never fails.
    """
    config, traces, examples = run.config, run.traces, run.examples
    domain, full = (
        learned_domain(traces, (action_schema(schema, traces) for schema in own))
        for own in (schemas, whole)
    )
    always = kinds(full, traces.changing_predicates)
    with timed(run.seconds, "replay"):
        reproduced = count_reproduced(domain, traces)
    with timed(run.seconds, "certify"):
        evidence = tuple(
            ActionEvidence(
                action=schema.action,
                n_transitions=len(examples[schema.action].examples),
                n_explained=reproduced[schema.action],
                n_ambiguous=schema.n_ambiguous,
                n_unchanged=examples[schema.action].n_unchanged,
                support=support(schema, examples, traces, safe),
                apart=apart_effects(schema, traces),
                n_given=len(examples[schema.action].examples[0].arguments),
                kinds=always[schema.action],
            )
            for schema, safe in zip(schemas, whole, strict=True)
        )
        evidence = tuple(_with_causes(own, examples[own.action], traces) for own in evidence)
    return LearningResult(
        domain=domain,
        evidence=evidence,
        unobserved=traces.unobserved,
        method="full" if run.is_full else config.method,
        labels=traces.labels,
        preconditions=run.preconditions,
        seed=config.seed,
        n_steps=0,
        n_transitions=traces.n_steps,
        without=() if run.is_full else config.without,
        config=config,
        variants=run.variants,
    )


def _with_causes(evidence: ActionEvidence, group: Examples, traces: Traces) -> ActionEvidence:
    """The evidence with what may be behind the steps that stay unexplained."""
    unexplained = evidence.support.unexplained if evidence.support else ()
    return replace(evidence, causes=causes(group, unexplained, traces.labels))
