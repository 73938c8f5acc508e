"""Trains networks until what they propose explains the transitions."""

from __future__ import annotations

import logging
from typing import Any

import torch

from dias.config import LearningConfig, ModelConfig
from dias.errors import DeviceError
from dias.learning.passes import Run
from dias.learning.propose.proposals import Proposals
from dias.learning.propose.watch import Alone, Proposed
from dias.learning.schema import LiftedSchema
from dias.learning.train.checkpoint import fingerprint, load_checkpoint, save_checkpoint
from dias.learning.train.extraction import active_slots
from dias.learning.train.progress import LearningProgress, timed
from dias.learning.train.trainer import Trainer, TrainingRun
from dias.limits import Limits
from dias.nn.tables import Symbols, build_tables
from dias.traces.record import Traces

log = logging.getLogger(__name__)

MAX_SLOTS = 10
"""Slots are added up to this number when the traces need them; the cost grows with M²."""


def train(run: Run, best: Proposals) -> tuple[tuple[LiftedSchema, ...], int]:
    """Train until what is proposed explains everything or, with `neural`, has settled.

    A run that ends before is followed by one that begins elsewhere, as long as there may be more.

    Args:
        run: What is learned from, and how. Its `report` is called after every look,
            `LearningConfig.steps_per_look` steps apart; its validation transitions have a say in
            when training ends early (`dias.learning.train.early_stop`).
        best: What was proposed before; with `hybrid`, what the network proposes is added.

    Returns:
        With `neural`, what the network says, in the order of the actions; and gradient steps taken.

    Raises:
        CheckpointError: The checkpoint is damaged, or of other traces or settings.
        DeviceError: The device is not there.
    """
    config, seconds, checkpoint = run.config, run.seconds, run.checkpoint
    prepare_torch(config)
    with timed(seconds, "prepare"):
        tables = build_tables(run.traces, Symbols.of(run.traces))
    model_config = config.network(enough_slots(run.traces, config.model))
    watch = (
        Proposed(run.examples, config, best)
        if config.way.asks_network
        else Alone(run.examples, config, run.traces, run.validation)
    )
    n_steps, first = 0, 0
    limits = Limits(config.time_limit_s)
    own = fingerprint(tables, config)
    saved = load_checkpoint(checkpoint, own) if checkpoint else None
    if saved is not None:
        n_steps, first = saved["n_steps"], saved["restart"]
        log.info("going on after %d steps", n_steps + saved["trainer"]["step"])
    for restart in range(first, watch.n_runs):
        with timed(seconds, "prepare"):
            seed = config.seed + restart
            trainer = Trainer(tables, model_config, config.training, seed, config.device)
        if saved is not None and restart == first:
            trainer.load(saved["trainer"])
            watch.go_on(saved["watch"], trainer.model)
        while not (trainer.is_finished or watch.is_over or limits.is_out_of_time):
            with timed(seconds, "train"):
                trainer.advance(config.steps_per_look)
            with timed(seconds, "check"):
                watch.look(trainer, restart)
            if checkpoint:
                state = {
                    "restart": restart,
                    "n_steps": n_steps,
                    "trainer": trainer.state(),
                    "watch": watch.state(),
                }
                save_checkpoint(checkpoint, own, state)
            if run.report:
                run.report(progress_of(trainer, restart, watch.n_runs, config, watch.share))
        with timed(seconds, "check"):
            watch.end_run(trainer, restart)
        n_steps += trainer.step
        if watch.is_over or limits.is_out_of_time or restart + 1 == watch.n_runs:
            break
        log.info("run %d left some transitions unexplained", restart + 1)
    return watch.schemas, n_steps


def progress_of(
    trainer: TrainingRun[Any],
    restart: int,
    n_runs: int,
    config: LearningConfig,
    explained: float | None = None,
) -> LearningProgress:
    """Where a training run stands.

    Args:
        trainer: The run.
        restart: Its number, from 0.
        n_runs: Runs that there may be.
        config: How to learn.
        explained: Share of the transitions explained, if it was looked at.
    """
    model = trainer.model
    return LearningProgress(
        restart=restart,
        n_restarts=n_runs,
        step=trainer.step,
        n_steps=config.training.n_steps,
        main_loss=trainer.main_loss,
        aux_loss=trainer.aux_loss,
        p_pre=trainer.p_pre,
        active_slots={name: len(active_slots(model, name)) for name in model.vocabulary.actions},
        explained=explained,
    )


def prepare_torch(config: LearningConfig) -> None:
    """Set the number of threads; refuse a device that is not there.

    Raises:
        DeviceError: There is no CUDA device.
    """
    torch.set_num_threads(config.threads)
    if config.device == "cuda" and not torch.cuda.is_available():
        raise DeviceError(
            "expected a CUDA device, found none",
            remedy="Train with --device cpu, or install a torch and a driver that know CUDA",
        )


def enough_slots(traces: Traces, model: ModelConfig) -> int:
    """Number of slots: at most as many as there are objects, and enough for every step.

    A step that changes atoms over n objects needs an action of n arguments at least. Given
    arguments have a slot each, even where one object is given twice; beyond them the number is
    that of `model` where it does not let it grow.
    """
    wanted = model.n_slots
    changed = max(
        len({o for atom in t.state ^ t.next_state for o in atom.terms} | set(t.arguments))
        for t in traces.transitions
    )
    available = max(len(segment.objects) for segment in traces.segments)
    n_given = max(len(t.arguments) for t in traces.transitions)
    if wanted < changed and not model.grow_slots:
        log.warning("%d slots are too few: some step concerns %d objects", wanted, changed)
    elif wanted < changed <= MAX_SLOTS:
        log.warning(
            "%d slots are too few: some step concerns %d objects; going on with %d slots",
            wanted, changed, changed,
        )  # fmt: skip
        wanted = changed
    elif wanted < changed:
        log.warning(
            "some step concerns %d objects; more than %d slots are not tried: it stays unexplained",
            changed, max(wanted, MAX_SLOTS),
        )  # fmt: skip
    return max(1, n_given, min(wanted, available))
