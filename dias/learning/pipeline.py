"""From traces to a domain: train, check against the transitions, complete, assemble."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dias.config import LearningConfig
from dias.errors import InsufficientTracesError
from dias.learning.apply import count_reproduced
from dias.learning.assemble import action_schema, learned_domain
from dias.learning.bindings import Effects
from dias.learning.certify import (
    LiftedSchema,
    bind,
    certify_bindings,
    count_explained,
    minimal_effects,
)
from dias.learning.examples import Examples, examples_by_action
from dias.learning.extend import add_precondition_variables
from dias.learning.full_labels import learn_with_arguments
from dias.strips.model import Domain
from dias.traces.record import LabelMode, Traces

if TYPE_CHECKING:
    from dias.nn.model import DiasModel

log = logging.getLogger(__name__)

MAX_SLOTS = 10
"""Slots are added up to this number when the traces need them; the cost grows with M²."""


@dataclass(frozen=True)
class LearningProgress:
    """Reported while learning: where training stands.

    Attributes:
        restart: Number of the training run, from 0.
        step: Gradient steps done in it.
        n_steps: Gradient steps it may take.
        main_loss: L_main of the last batch.
        explained: Share of the distinct transitions that the proposed effects reproduce; None
            when it was not looked at.
    """

    restart: int
    step: int
    n_steps: int
    main_loss: float
    explained: float | None


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
        method: ``hybrid``, ``neural`` or ``full`` (all arguments were given).
        labels: What the arguments in the traces are.
        seed: The seed.
        n_steps: Gradient steps taken, all restarts together.
        n_transitions: Transitions in the traces, repeats counted.
        seconds: Stage to wall-clock time.
    """

    domain: Domain
    evidence: tuple[ActionEvidence, ...]
    unobserved: tuple[str, ...]
    method: str
    labels: LabelMode
    seed: int
    n_steps: int
    n_transitions: int
    seconds: Mapping[str, float] = field(default_factory=dict)

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
) -> LearningResult:
    """Learn a domain from traces.

    Args:
        traces: The transitions; nothing else is looked at.
        config: How to learn.
        report: Called now and then while training.

    Raises:
        InsufficientTracesError: There is no transition.
    """
    config = config or LearningConfig()
    if not traces.transitions:
        raise InsufficientTracesError("no transitions to learn from", place=traces.source)
    examples = examples_by_action(traces)
    for name in traces.unobserved:
        log.warning("action %s is declared but has no transition: no schema is written", name)
    started = time.perf_counter()
    if traces.labels is LabelMode.FULL:
        schemas = [learn_with_arguments(group) for group in examples.values()]
        method, n_steps, seconds = "full", 0, {"complete": time.perf_counter() - started}
    else:
        method = config.method
        schemas, n_steps, seconds = _learn_names(traces, examples, config, report)
    started = time.perf_counter()
    domain = learned_domain(traces, (action_schema(schema, traces) for schema in schemas))
    reproduced = count_reproduced(domain, traces)
    evidence = tuple(
        ActionEvidence(
            schema.action,
            len(group.examples),
            reproduced[schema.action],
            schema.n_ambiguous,
            sum(example.state == example.next_state for example in group.examples),
        )
        for schema, group in zip(schemas, examples.values(), strict=True)
    )
    seconds["replay"] = time.perf_counter() - started
    return LearningResult(
        domain,
        evidence,
        traces.unobserved,
        method,
        traces.labels,
        config.seed,
        n_steps,
        traces.n_steps,
        seconds,
    )


def _learn_names(
    traces: Traces,
    examples: Mapping[str, Examples],
    config: LearningConfig,
    report: Callable[[LearningProgress], None] | None,
) -> tuple[list[LiftedSchema], int, dict[str, float]]:
    """Train until the proposed effects explain every transition, then complete the schemas."""
    import torch

    from dias.learning.extraction import thresholded_schema
    from dias.learning.trainer import Trainer
    from dias.tensors import Vocabulary, build_tables

    torch.set_num_threads(config.threads)
    tables = build_tables(traces, Vocabulary.of(traces))
    model_config = replace(config.model, n_slots=_slots(traces, config.model.n_slots))
    best = _Proposals(examples)
    seconds = {"train": 0.0, "check": 0.0}
    n_steps = 0
    for restart in range(config.restarts):
        trainer = Trainer(tables, model_config, config.training, config.seed + restart)
        while not trainer.is_finished and not best.explain_everything:
            started = time.perf_counter()
            trainer.advance(config.check_every)
            trained = time.perf_counter()
            if config.method == "hybrid":
                best.update(trainer.model)
            seconds["train"] += trained - started
            seconds["check"] += time.perf_counter() - trained
            if report:
                share = best.n_explained / len(tables) if config.method == "hybrid" else None
                report(
                    LearningProgress(
                        restart, trainer.step, config.training.n_steps, trainer.main_loss, share
                    )
                )
        n_steps += trainer.step
        if config.method == "neural" or best.explain_everything:
            break
        log.info("restart %d left some transitions unexplained", restart)
    started = time.perf_counter()
    if config.method == "neural":
        schemas = [thresholded_schema(trainer.model, name) for name in examples]
    else:
        schemas = [_complete(best.effects[name], group, traces) for name, group in examples.items()]
    seconds["complete"] = time.perf_counter() - started
    return schemas, n_steps, seconds


def _slots(traces: Traces, wanted: int) -> int:
    """Number of slots: at most as many as there are objects, and enough for every step.

    A step that changes atoms over n objects needs an action of n arguments at least.
    """
    changed = max(
        len({o for atom in t.state ^ t.next_state for o in atom.terms} | set(t.arguments))
        for t in traces.transitions
    )
    available = max(len(segment.objects) for segment in traces.segments)
    if wanted < changed <= MAX_SLOTS:
        log.warning(
            "%d slots are too few: some step concerns %d objects; going on with %d slots",
            wanted, changed, changed,
        )  # fmt: skip
        wanted = changed
    elif changed > MAX_SLOTS:
        log.warning(
            "some step concerns %d objects; more than %d slots are not tried: it stays unexplained",
            changed, MAX_SLOTS,
        )  # fmt: skip
    return max(1, min(wanted, available))


def _complete(proposal: Effects, examples: Examples, traces: Traces) -> LiftedSchema:
    """Effects to a whole schema: fewest effects, all preconditions, further variables."""
    effects = minimal_effects(proposal, examples)
    found = bind(effects, examples)
    schema = certify_bindings(effects, examples, found, effects.n_variables)
    return add_precondition_variables(schema, examples, found, traces)


class _Proposals:
    """The best effects proposed so far, action by action.

    Attributes:
        effects: Action name to effects.
        explained: Action name to number of distinct transitions that they reproduce.
    """

    def __init__(self, examples: Mapping[str, Examples]) -> None:
        self._examples = examples
        self.effects: dict[str, Effects] = {}
        self.explained = dict.fromkeys(examples, -1)

    def update(self, model: DiasModel) -> None:
        """Look at what the network proposes now; keep it where it explains more."""
        from dias.learning.extraction import proposed_effects

        for name, group in self._examples.items():
            if self.explained[name] == len(group.examples):
                continue
            proposal = proposed_effects(model, name)
            explained = count_explained(proposal, group)
            if explained > self.explained[name]:
                self.effects[name], self.explained[name] = proposal, explained

    @property
    def n_explained(self) -> int:
        """Distinct transitions explained, all actions together."""
        return sum(self.explained.values())

    @property
    def explain_everything(self) -> bool:
        """Whether no transition is left."""
        return all(self.explained[name] == len(g.examples) for name, g in self._examples.items())
