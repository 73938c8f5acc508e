"""The passes that all ways of learning share: from effects to a domain with its certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from dias.config import LearningConfig
from dias.learning.certificate.apart import apart_effects
from dias.learning.certificate.causes import causes
from dias.learning.certificate.count_support import support
from dias.learning.certificate.shown_states import States
from dias.learning.data.replay import count_reproduced
from dias.learning.data.transitions import Examples
from dias.learning.explain.full_labels import of_arguments
from dias.learning.explain.odd_steps import without_odd_steps
from dias.learning.extend.choice import Choice
from dias.learning.extend.keep_further import with_further
from dias.learning.extend.variables import complete
from dias.learning.finish.assemble import action_schema, learned_domain
from dias.learning.finish.parameter_names import kinds
from dias.learning.finish.shorten import SHORTEN
from dias.learning.propose.proposals import EFFECTS
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.schema import Effects, LiftedSchema, Origin
from dias.learning.train.progress import LearningProgress, timed
from dias.limits import Attempts, check, in_turn, remaining_s
from dias.traces.record import LabelMode, Traces

COMPLETING, SHORTENING = 0.7, 0.7
"""Share of the time that is left that may go into whole schemas, and into fewer preconditions."""


class Run(NamedTuple):
    """What one call of `learn` is about.

    Exact: its transitions are as they were seen, not put right.
    """

    traces: Traces
    examples: Mapping[str, Examples]
    config: LearningConfig
    variants: Mapping[str, tuple[str, ...]]
    seconds: dict[str, float]
    report: Callable[[LearningProgress], None] | None
    checkpoint: Path | None
    validation: Traces | None
    attempts: Attempts
    is_exact: bool = True

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
    run: Run, effects: Mapping[str, Effects], origins: Mapping[str, Origin]
) -> list[LiftedSchema]:
    """Whole schemas of the proposed effects; of the arguments where all are given."""
    with timed(run.seconds, "complete"):
        found = in_turn(
            run.examples,
            COMPLETING * remaining_s(),
            run.attempts,
            lambda name, attempts: _completed(effects[name], origins[name], name, run, attempts),
        )
    return [*found.values()]


def _completed(
    proposal: Effects, origin: Origin, name: str, run: Run, attempts: Attempts
) -> LiftedSchema:
    """The whole schema of an action."""
    group = run.examples[name]
    if run.is_full:
        return _of_arguments(proposal, group, run.traces, attempts)
    schema = complete(
        proposal, group, run.traces, run.config.without, origin, run.is_exact, attempts
    )
    if run.preconditions == "safe":
        with attempts.at("further parameters", name):
            check()
            schema = with_further(schema, group, run.traces)
    return schema


def _of_arguments(
    proposal: Effects, group: Examples, traces: Traces, attempts: Attempts
) -> LiftedSchema:
    """The schema over the arguments, all of which are given."""
    name = group.action
    schema = LiftedSchema(name, proposal, proposal.n_variables, constants=group.constants)
    with attempts.needed("preconditions" if any(proposal[1:3]) else EFFECTS, name):
        check()
        schema, found = of_arguments(group)
        with attempts.at("odd steps", name):
            check()
            schema, _ = without_odd_steps(schema, group, found, traces)
    return schema


def loosened(run: Run, schemas: list[LiftedSchema]) -> list[LiftedSchema]:
    """The schemas without the preconditions that masks refute; a network's stay as they are."""
    if not run.traces.masks or run.preconditions == "learned":
        return schemas
    from dias.learning.finish.loosen import loosened as loosen  # few traces need it

    with timed(run.seconds, "shorten"):
        shorten = SHORTEN.get(run.preconditions, SHORTEN["concise"])
        found = []
        for schema in schemas:
            with run.attempts.at("what masks refute", schema.action):
                check()
                schema = loosen(schema, run.examples[schema.action], run.traces, shorten)
            found.append(schema)
    return found


def shortened(run: Run, schemas: list[LiftedSchema]) -> list[LiftedSchema]:
    """The schemas with fewer preconditions, where these are of a kind that asks for it.

    A state that was put right may ask for a literal since it is still wrong. There a negative
    literal has to be worth its cost, too.
    """
    if run.preconditions not in SHORTEN:
        return schemas
    by_action = {schema.action: schema for schema in schemas}
    with timed(run.seconds, "shorten"):
        found = in_turn(
            by_action,
            SHORTENING * run.attempts.remaining_s,
            run.attempts,
            lambda name, attempts: _shorter(by_action[name], run, attempts),
        )
    return [*found.values()]


def _shorter(schema: LiftedSchema, run: Run, attempts: Attempts) -> LiftedSchema:
    """One of them."""
    with attempts.needed("fewer preconditions", schema.action):
        check()
        schema = SHORTEN[run.preconditions](schema, run.traces)
        if not run.is_exact:
            schema = Choice.among_all(run.examples[schema.action], run.traces).paid(schema)
    return schema


def certified(run: Run, schemas: list[LiftedSchema], whole: list[LiftedSchema]) -> LearningResult:
    """The schemas written as a domain, with what the transitions say about them.

    Args:
        run: What it is about.
        schemas: The schemas.
        whole: The same with all that never fails.
    """
    config, traces = run.config, run.traces
    domain, full = (
        learned_domain(traces, (action_schema(schema, traces) for schema in own))
        for own in (schemas, whole)
    )
    always = kinds(full, traces.changing_predicates)
    states = States.of(run.examples)
    with timed(run.seconds, "replay"):
        reproduced: Counter[str] = Counter()
        with run.attempts.needed("replay"):
            check()
            count_reproduced(domain, traces, counts=reproduced)
    with timed(run.seconds, "certify"):
        evidence = tuple(
            replace(
                _evidence(schema, safe, reproduced[schema.action], run, states),
                kinds=always[schema.action],
            )
            for schema, safe in zip(schemas, whole, strict=True)
        )
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
        files=traces.files,
        without=() if run.is_full else config.without,
        config=config,
        variants=run.variants,
        undone=run.attempts.undone,
    )


def _evidence(
    schema: LiftedSchema, safe: LiftedSchema, n_explained: int, run: Run, states: States
) -> ActionEvidence:
    """What the transitions say of a schema, with what may be behind those that it leaves."""
    group = run.examples[schema.action]
    evidence = ActionEvidence(
        action=schema.action,
        n_transitions=len(group.examples),
        n_explained=n_explained,
        n_ambiguous=schema.n_ambiguous,
        n_unchanged=group.n_unchanged,
        n_given=len(group.examples[0].arguments),
    )
    with run.attempts.at("certificate", schema.action):
        check()
        backed = support(schema, run.examples, run.traces, safe, states, run.is_exact)
        evidence = replace(evidence, support=backed)
        evidence = replace(evidence, apart=apart_effects(schema, run.traces))
        unexplained = evidence.support.unexplained if evidence.support else ()
        evidence = replace(evidence, causes=causes(group, unexplained, run.traces.labels))
    return evidence
