"""Trains networks until what they propose explains the transitions."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import torch

from dias.config import LearningConfig
from dias.errors import TraceError
from dias.learning.certify import LiftedSchema
from dias.learning.checkpoint import fingerprint, load_checkpoint, save_checkpoint
from dias.learning.examples import Examples
from dias.learning.extend import complete
from dias.learning.extraction import thresholded_schema
from dias.learning.progress import LearningProgress
from dias.learning.proposals import Proposals
from dias.learning.trainer import Trainer
from dias.limits import Limits
from dias.tensors import Vocabulary, build_tables
from dias.traces.record import Traces

log = logging.getLogger(__name__)

MAX_ARITY = 5
"""Arguments of a predicate at most: a relation of arity k has M^k lifted atoms."""

MAX_SLOTS = 10
"""Slots are added up to this number when the traces need them; the cost grows with M²."""


def learn_schemas(
    traces: Traces,
    examples: Mapping[str, Examples],
    config: LearningConfig,
    report: Callable[[LearningProgress], None] | None = None,
    checkpoint: Path | None = None,
) -> tuple[list[LiftedSchema], int, dict[str, float]]:
    """Learn a schema for every action whose arguments are not all known.

    Args:
        traces: The transitions.
        examples: The same by action, ready for exact reasoning.
        config: How to learn.
        report: Called after every `check_every` steps.
        checkpoint: File to go on from, if it is there, and to keep the state in.

    Returns:
        The schemas in the order of `examples`, gradient steps taken, seconds per stage.

    Raises:
        CheckpointError: The checkpoint is damaged, or of other traces or settings.
        TraceError: A predicate has more than `MAX_ARITY` arguments.
    """
    torch.set_num_threads(config.threads)
    check_arities(traces)
    tables = build_tables(traces, Vocabulary.of(traces))
    model_config = replace(config.model, n_slots=enough_slots(traces, config.model.n_slots))
    best = Proposals(examples)
    seconds = {"train": 0.0, "check": 0.0}
    n_steps, first = 0, 0
    limits = Limits(config.time_limit_s)
    run = fingerprint(tables, config)
    saved = load_checkpoint(checkpoint, run) if checkpoint else None
    if saved is not None:
        n_steps, first = saved["n_steps"], saved["restart"]
        best.load(saved["proposals"])
        log.info("going on after %d steps", n_steps + saved["trainer"]["step"])
    for restart in range(first, config.restarts):
        trainer = Trainer(tables, model_config, config.training, config.seed + restart)
        if saved is not None and restart == first:
            trainer.load(saved["trainer"])
        while not (trainer.is_finished or best.explain_everything or limits.is_out_of_time):
            started = time.perf_counter()
            trainer.advance(config.check_every)
            trained = time.perf_counter()
            if config.method == "hybrid":
                best.update(trainer.model)
            seconds["train"] += trained - started
            seconds["check"] += time.perf_counter() - trained
            if checkpoint:
                state = {"restart": restart, "n_steps": n_steps, "trainer": trainer.state()}
                save_checkpoint(checkpoint, run, state | {"proposals": best.state()})
            if report:
                share = best.n_explained / len(tables) if config.method == "hybrid" else None
                report(
                    LearningProgress(
                        restart, trainer.step, config.training.n_steps, trainer.main_loss, share
                    )
                )
        if config.method == "neural" or best.explain_everything or limits.is_out_of_time:
            break
        if restart + 1 < config.restarts:
            log.info("run %d left some transitions unexplained", restart + 1)
            n_steps += trainer.step
    started = time.perf_counter()
    if config.method == "hybrid":
        best.fall_back()
    if config.method == "neural":
        schemas = [thresholded_schema(trainer.model, name) for name in examples]
    else:
        schemas = [complete(best.effects[name], group, traces) for name, group in examples.items()]
    seconds["complete"] = time.perf_counter() - started
    return schemas, n_steps + trainer.step, seconds


def check_arities(traces: Traces) -> None:
    """Refuse predicates with more than `MAX_ARITY` arguments.

    Raises:
        TraceError: There is one.
    """
    wide = [f"{p.name}/{p.arity}" for p in traces.predicates if p.arity > MAX_ARITY]
    if wide:
        raise TraceError(
            f"expected predicates of at most {MAX_ARITY} arguments, found {', '.join(wide)}",
            place=traces.source,
            remedy="Record the action arguments (labels: full), or split the predicates",
        )


def enough_slots(traces: Traces, wanted: int) -> int:
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
