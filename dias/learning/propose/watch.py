"""What is looked at between gradient steps: what a network says so far, and whether that will do.

`Proposed` watches a network that is asked for effects, `Alone` one that is to say all of a schema.
Both see one training run after another, and say how many there may be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

from dias.config import LearningConfig
from dias.learning.data.replay import count_reproduced
from dias.learning.data.transitions import Examples
from dias.learning.finish.assemble import action_schema, learned_domain, with_written_deletions
from dias.learning.noise.signs import looks_noisy
from dias.learning.propose.proposals import Proposals
from dias.learning.schema import Effects, LiftedSchema, Origin, after_constants
from dias.learning.score import max_odd
from dias.learning.train.early_stop import Settling, schemas_explain
from dias.learning.train.extraction import proposed_effects, thresholded_schema
from dias.learning.train.noisy_slots import NoisySlots
from dias.learning.train.spare_slots import without_spare_slots
from dias.learning.train.trainer import Trainer
from dias.limits import OutOfTimeError
from dias.nn.model import DiasModel
from dias.traces.record import Traces


class Proposed:
    """Keeps the effects that networks propose where they explain more.

    Args:
        examples: The transitions by action.
        config: How to learn.
        best: What was proposed before.
    """

    def __init__(
        self, examples: Mapping[str, Examples], config: LearningConfig, best: Proposals
    ) -> None:
        self._examples, self._best = examples, best
        self._n_steps = sum(len(group.examples) for group in examples.values())
        self.n_runs = config.restarts
        self.schemas: tuple[LiftedSchema, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether every transition is explained."""
        return self._best.explain_everything

    @property
    def share(self) -> float:
        """Share of the distinct transitions that the best effects explain."""
        return self._best.n_explained / self._n_steps

    def look(self, trainer: Trainer, restart: int) -> None:
        """Ask for effects."""
        model = trainer.model
        proposed: dict[str, Effects] = {
            name: after_constants(proposed_effects(model, name), len(group.constants))
            for name, group in self._examples.items()
        }
        self._best.update(proposed, Origin("network", restart, trainer.step, model.config.n_slots))

    def end_run(self, trainer: Trainer, restart: int) -> None:
        """Nothing: what it proposed was kept as it came."""

    def state(self) -> dict[str, Any]:
        """The best effects."""
        return self._best.state()

    def go_on(self, state: Mapping[str, Any], model: DiasModel) -> None:
        """Go on with these effects."""
        self._best.load(state)


class Alone:
    """Waits until a network has settled; of runs that leave something, keeps the best.

    Without `TrainingConfig.early_stop` nothing is looked at, and there is one run.

    Args:
        examples: The transitions by action, in the order of the schemas.
        config: How to learn.
        traces: The transitions that are learned from.
        validation: Others, which must be explained, too.
    """

    share = None

    def __init__(
        self,
        examples: Mapping[str, Examples],
        config: LearningConfig,
        traces: Traces,
        validation: Traces | None = None,
    ) -> None:
        self._examples, self._config = examples, config
        self._traces, self._watched = traces, [traces, validation] if validation else [traces]
        self._settling = Settling(config.training.tau_steps)
        self._best: dict[str, Any] | None = None
        self._is_whole = False
        self.n_runs = config.restarts if config.may_restart else 1
        self.schemas: tuple[LiftedSchema, ...] = ()  # what a network says when its run has ended

    @property
    def is_over(self) -> bool:
        """Whether the schemas explain every transition, and have settled or come to their end."""
        return self._settling.is_over or self._is_whole

    def look(self, trainer: Trainer, restart: int) -> None:
        """Ask whether the schemas still change."""
        if self._config.training.early_stop:
            schemas = self._said(trainer.model)
            self._settling.look(schemas, trainer.step, lambda: self._explain(schemas))

    def end_run(self, trainer: Trainer, restart: int) -> None:
        """Keep the network, if no run before explained as much."""
        schemas = self._served(self._said(trainer.model))
        n_slots = trainer.model.config.n_slots
        origin = Origin("network", restart, trainer.step, n_slots)
        if self.n_runs > 1 and not self.is_over:
            n_explained = sum(
                self._n_explained(schemas, traces).total() for traces in self._watched
            )
            self._is_whole = n_explained == self._n_steps
            if self._best is not None and self._best["n_explained"] >= n_explained:
                trainer.model.load_state_dict(self._best["model"])
                schemas = self._served(self._said(trainer.model))
                origin = Origin(**self._best["origin"])
            else:
                model = trainer.state()["model"]
                self._best = {"n_explained": n_explained, "n_steps": self._n_steps}
                self._best |= {"model": model, "origin": origin._asdict()}
            self._settling = Settling(self._config.training.tau_steps)
        self.schemas = tuple(replace(schema, origin=origin) for schema in schemas)

    def state(self) -> dict[str, Any]:
        """How long the schemas have been the same, and the best network of the runs before."""
        return {"settling": self._settling.state(), "best": self._best}

    def go_on(self, state: Mapping[str, Any], model: DiasModel) -> None:
        """Go on from there; the schemas are those of `model`.

        What explained most of other validation transitions does not count any more.
        """
        best = state["best"]
        self._best = best if best is not None and best["n_steps"] == self._n_steps else None
        if self._config.training.early_stop:
            self._settling.go_on(self._said(model), state["settling"])

    def _said(self, model: DiasModel) -> tuple[LiftedSchema, ...]:
        threshold = self._config.threshold
        return tuple(thresholded_schema(model, name, threshold) for name in self._examples)

    def _served(self, schemas: tuple[LiftedSchema, ...]) -> tuple[LiftedSchema, ...]:
        """The same over the slots that serve something, as far as there is time to tell.

        What can hold of no objects of the parameters' types is no deletion of theirs.
        """
        with suppress(OutOfTimeError):
            schemas = self._without_spare_slots(schemas)
        return tuple(with_written_deletions(schema, self._traces) for schema in schemas)

    def _without_spare_slots(self, schemas: tuple[LiftedSchema, ...]) -> tuple[LiftedSchema, ...]:
        """The same over the slots that serve something.

        Where steps look noisy, and more of an action's are left than may be odd, likelihoods say
        what does (`dias.learning.train.noisy_slots`), else what is explained.
        """
        noisy = self._noisy
        counts = Counter[str]() if noisy is None else self._n_explained(schemas, self._traces)

        def served(schema: LiftedSchema) -> LiftedSchema:
            n_steps = len(self._examples[schema.action].examples)
            if noisy is not None and n_steps - counts[schema.action] > max_odd(n_steps):
                return noisy.needed(schema)
            return without_spare_slots(schema, self._traces)

        return tuple(map(served, schemas))

    @cached_property
    def _noisy(self) -> NoisySlots | None:
        """None where the steps do not look noisy."""
        is_noisy = self._config.noise == "auto" and looks_noisy(self._examples)
        return NoisySlots(self._examples) if is_noisy else None

    def _explain(self, schemas: tuple[LiftedSchema, ...]) -> bool:
        """Whether all is explained without spare slots."""
        schemas = self._without_spare_slots(schemas)
        return all(schemas_explain(schemas, traces) for traces in self._watched)

    @property
    def _n_steps(self) -> int:
        """Distinct transitions that can be explained: those of actions without a schema cannot."""
        steps = (step for traces in self._watched for step in traces.transitions)
        return sum(step.action in self._examples for step in steps)

    def _n_explained(self, schemas: Iterable[LiftedSchema], traces: Traces) -> Counter[str]:
        """Action to how many distinct transitions are explained, as far as time allows."""
        counts: Counter[str] = Counter()
        with suppress(OutOfTimeError):
            actions = (action_schema(schema, self._traces) for schema in schemas)
            domain = learned_domain(self._traces, actions)
            count_reproduced(domain, traces, counts=counts)
        return counts
