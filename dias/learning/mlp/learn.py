"""From traces to a network with state-dependent effects: the paper's ablation.

Paper: ``app:mlp-effects``.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import torch
from torch import Tensor

from dias.config import LearningConfig
from dias.errors import InsufficientTracesError
from dias.learning.data.check import as_validation, check_arities, check_certain, check_traces
from dias.learning.mlp.dynamics import MLPDynamics, explains_all, weigh
from dias.learning.mlp.spare_slots import switch_off_spare_slots
from dias.learning.propose.network import enough_slots, prepare_torch, progress_of
from dias.learning.propose.unchanged import read_unchanged
from dias.learning.result import LearningResult
from dias.learning.schema import LiftedSchema
from dias.learning.train.checkpoint import fingerprint, load_checkpoint, save_checkpoint
from dias.learning.train.early_stop import Settling
from dias.learning.train.extraction import thresholded_preconditions
from dias.learning.train.progress import LearningProgress, timed
from dias.learning.train.trainer import TrainingRun
from dias.limits import Limits
from dias.nn.aux_loss import effect_loss, precondition_loss
from dias.nn.batches import Batch
from dias.nn.lifted import lifted_state
from dias.nn.mlp_effects import MLPEffectsModel
from dias.nn.model import Selection
from dias.nn.tables import Symbols, build_tables
from dias.traces.record import LabelMode, Traces


def learn_mlp(
    traces: Traces,
    config: LearningConfig,
    report: Callable[[LearningProgress], None] | None = None,
    checkpoint: Path | None = None,
    validation: Traces | None = None,
) -> tuple[MLPDynamics, LearningResult]:
    """Train a network with state-dependent effects, and check it against the transitions.

    Args:
        traces: The transitions; nothing else is looked at.
        config: How to learn.
        report: Called after every look, `LearningConfig.steps_per_look` steps apart.
        checkpoint: File to go on from, if it is there, and to keep the state of training in.
        validation: Transitions that are not learned from. The result says how many of them are
            explained.

    Returns:
        What was learned, and what the transitions say about it. The domain in the result holds
        the preconditions alone.

    Raises:
        InsufficientTracesError: There is no transition, or no fact in any state.
        TraceError: A predicate has too many arguments, or the validation transitions have other
            types.
        CheckpointError: The checkpoint is damaged, or of other traces or settings.
        DeviceError: The device is not there.
    """
    check_traces(traces)
    check_certain(traces)
    check_arities(traces)
    if not traces.predicates:
        raise InsufficientTracesError("no state has a fact to learn from", place=traces.source)
    if validation is not None:
        validation = as_validation(validation, traces)
    traces, validation, refused = read_unchanged(traces, config.reading_of_unchanged, validation)
    prepare_torch(config)
    seconds: dict[str, float] = {}
    with timed(seconds, "train"):
        network, n_steps = _train(traces, config, report, checkpoint, validation)
    dynamics = MLPDynamics.of(network, traces, config.threshold)
    with timed(seconds, "replay"):
        evidence = weigh(dynamics, traces)
    validated = None
    if validation is not None:
        with timed(seconds, "validate"):
            found = sum(own.n_explained for own in weigh(dynamics, validation))
            validated = found, len(validation.transitions)
    result = LearningResult(
        domain=dynamics.domain,
        evidence=evidence,
        unobserved=traces.unobserved,
        method=config.method,
        labels=traces.labels,
        preconditions="learned",
        seed=config.seed,
        n_steps=n_steps,
        n_transitions=traces.n_steps,
        files=traces.files,
        seconds=seconds,
        validation=validated,
        config=config,
        read_as_refused=refused,
        is_network=True,
    )
    return dynamics, result


def _train(
    traces: Traces,
    config: LearningConfig,
    report: Callable[[LearningProgress], None] | None,
    checkpoint: Path | None,
    validation: Traces | None,
) -> tuple[MLPEffectsModel, int]:
    """The paper's training, as far as the number of steps says or `early_stop` lets it."""
    tables = build_tables(traces, Symbols.of(traces))
    given = torch.tensor(tables.vocabulary.n_given)
    is_full = traces.labels is LabelMode.FULL
    # Paper: with all arguments given, M is the arity of each action.
    slots = max(1, int(given.max())) if is_full else enough_slots(traces, config.model)
    model_config = config.network(slots)
    trainer = MLPTrainer(tables, model_config, config.training, config.seed, config.device)
    if is_full:
        with torch.no_grad():
            unused = torch.arange(slots) >= given.unsqueeze(1)
            trainer.model.slot_logits[unused.to(config.device)] = -torch.inf
    run = f"mlp {fingerprint(tables, config)}"
    saved = load_checkpoint(checkpoint, run) if checkpoint else None
    settling = Settling(config.training.tau_steps)
    watched = [traces, validation] if validation else [traces]
    if saved is not None:
        trainer.load(saved["trainer"])
        settling.go_on(_preconditions(trainer.model, config), saved["settling"])
    limits = Limits(config.time_limit_s)
    while not (trainer.is_finished or settling.is_over or limits.is_out_of_time):
        trainer.advance(config.steps_per_look)
        if config.training.early_stop:
            settling.look(
                _preconditions(trainer.model, config),
                trainer.step,
                lambda: _explains_all(trainer.model, watched, config),
            )
        if checkpoint:
            state = {"trainer": trainer.state(), "settling": settling.state()}
            save_checkpoint(checkpoint, run, state)
        if report:
            report(progress_of(trainer, 0, 1, config))
    network = trainer.model.cpu()  # it is applied by the processor
    if not is_full:
        switch_off_spare_slots(network, traces, config.threshold)
    return network, trainer.step


def _preconditions(model: MLPEffectsModel, config: LearningConfig) -> tuple[LiftedSchema, ...]:
    """What of a network is the same in every state."""
    names = model.vocabulary.actions
    return tuple(thresholded_preconditions(model, name, config.threshold) for name in names)


def _explains_all(model: MLPEffectsModel, watched: list[Traces], config: LearningConfig) -> bool:
    """Whether all is explained without spare slots; the first transitions are learned from."""
    network = deepcopy(model).cpu()
    if watched[0].labels is not LabelMode.FULL:
        switch_off_spare_slots(network, watched[0], config.threshold)
    return all(
        explains_all(MLPDynamics.of(network, traces, config.threshold), traces)
        for traces in watched
    )


class MLPTrainer(TrainingRun[MLPEffectsModel]):
    """A training run of the ablation.

    L_main and PCGrad are those of the main model. P_no_eff differs from transition to transition,
    so L_eff is that of the transitions, averaged over the batch, which holds equally many of each
    action. It reaches the selection too, since the effects depend on it through Ã.
    """

    _network = MLPEffectsModel

    def _losses(self, batch: Batch, selection: Selection, tau: float) -> tuple[Tensor, Tensor]:
        model = self.model
        lifted = lifted_state(selection.selection, batch, model.n_relations)
        effects = model.effects(lifted, batch.action)
        wanted = precondition_loss(model.preconditions(), model.slot_logits)
        cost = effect_loss(effects) + wanted[batch.action]
        main = self._objective.main_loss(model, batch, selection, effects, tau, lifted)
        return main, self._objective.mean_loss(cost, model, batch)
