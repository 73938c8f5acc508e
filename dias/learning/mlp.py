"""From traces to a network with state-dependent effects: the paper's ablation.

Paper: ``app:mlp-effects``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import torch

from dias.config import LearningConfig
from dias.errors import InsufficientTracesError
from dias.learning.checkpoint import fingerprint, load_checkpoint, save_checkpoint
from dias.learning.mlp_certified import train_certified
from dias.learning.mlp_successors import MLPDynamics, MLPEngine
from dias.learning.mlp_trainer import MLPTrainer
from dias.learning.pipeline import ActionEvidence, LearningResult, check_same_types
from dias.learning.progress import LearningProgress
from dias.learning.search import check_arities, enough_slots
from dias.limits import Limits
from dias.nn.mlp_effects import MLPEffectsModel
from dias.strips.codes import AtomCodes, State
from dias.tensors import Vocabulary, build_tables
from dias.traces.record import Traces, Transition

MAX_GROUNDINGS = 20_000
"""Groundings of one action looked at per transition; a model that allows more says nothing."""


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
        config: How to learn. Method `neural` is the paper's; `hybrid` takes the selection and
            the preconditions from an exact pass.
        report: Called after every `check_every` steps.
        checkpoint: File to go on from, if it is there, and to keep the state of training in
            (method `neural`).
        validation: Transitions that are not learned from. The result says how many of them are
            explained.

    Returns:
        What was learned, and what the transitions say about it. The domain in the result holds
        the preconditions alone.

    Raises:
        InsufficientTracesError: There is no transition.
        TraceError: A predicate has too many arguments, or the validation transitions have other
            types.
        CheckpointError: The checkpoint is damaged, or of other traces or settings.
    """
    if not traces.transitions:
        raise InsufficientTracesError("no transitions to learn from", place=traces.source)
    if validation is not None:
        check_same_types(traces, validation)
    torch.set_num_threads(config.threads)
    check_arities(traces)
    started = time.perf_counter()
    if config.method == "hybrid":
        network, n_steps = train_certified(traces, config, report)
    else:
        network, n_steps = _train(traces, config, report, checkpoint)
    seconds = {"train": time.perf_counter() - started}
    started = time.perf_counter()
    dynamics = MLPDynamics.of(network, traces)
    evidence = tuple(_weigh(dynamics, action, traces) for action in dynamics.actions)
    validated = None
    if validation is not None:
        found = [_weigh(dynamics, action, validation) for action in dynamics.actions]
        validated = sum(own.n_explained for own in found), len(validation.transitions)
    seconds["replay"] = time.perf_counter() - started
    result = LearningResult(
        dynamics.preconditions,
        evidence,
        traces.unobserved,
        config.method,
        traces.labels,
        "learned",
        config.seed,
        n_steps,
        traces.n_steps,
        seconds,
        validated,
    )
    return dynamics, result


def _train(
    traces: Traces,
    config: LearningConfig,
    report: Callable[[LearningProgress], None] | None,
    checkpoint: Path | None,
) -> tuple[MLPEffectsModel, int]:
    """The paper's training, for a fixed number of steps."""
    tables = build_tables(traces, Vocabulary.of(traces))
    model_config = replace(config.model, n_slots=enough_slots(traces, config.model.n_slots))
    trainer = MLPTrainer(tables, model_config, config.training, config.seed)
    run = f"mlp {fingerprint(tables, config)}"
    saved = load_checkpoint(checkpoint, run) if checkpoint else None
    if saved is not None:
        trainer.load(saved)
    limits = Limits(config.time_limit_s)
    while not (trainer.is_finished or limits.is_out_of_time):
        trainer.advance(config.check_every)
        if checkpoint:
            save_checkpoint(checkpoint, run, trainer.state())
        if report:
            n_steps = config.training.n_steps
            report(LearningProgress(0, trainer.step, n_steps, trainer.main_loss, None))
    return trainer.model, trainer.step


def _weigh(dynamics: MLPDynamics, action: str, traces: Traces) -> ActionEvidence:
    """How many transitions ⟨s, a, s′⟩ of an action have s′ among the successors of a in s."""
    transitions = [t for t in traces.transitions if t.action == action]
    alone = dynamics.restricted(action)
    engines: dict[int, tuple[AtomCodes, State, MLPEngine]] = {}
    explanations = []
    for t in transitions:
        if t.segment not in engines:
            engines[t.segment] = _in_segment(alone, t.segment, traces)
        explanations.append(_n_explanations(t, *engines[t.segment]))
    return ActionEvidence(
        action,
        len(transitions),
        sum(n > 0 for n in explanations),
        sum(n > 1 for n in explanations),
        sum(t.state == t.next_state for t in transitions),
    )


def _in_segment(
    dynamics: MLPDynamics, number: int, traces: Traces
) -> tuple[AtomCodes, State, MLPEngine]:
    """The numbering in a segment, its static atoms, and the successors in it."""
    segment = traces.segments[number]
    codes = AtomCodes({p.name: p.arity for p in traces.predicates}, list(segment.objects))
    engine = MLPEngine(dynamics, segment.objects, codes, frozenset(), dynamics.fluents)
    return codes, codes.encode_state(segment.static), engine


def _n_explanations(t: Transition, codes: AtomCodes, static: State, engine: MLPEngine) -> int:
    """The groundings under which s′ is what the network predicts."""
    state, next_state = (codes.encode_state(atoms) | static for atoms in (t.state, t.next_state))
    change = next_state - state, state - next_state
    found = islice(engine.iterate(state), MAX_GROUNDINGS)
    return sum((successor.added, successor.deleted) == change for successor in found)
