"""State-dependent effects learned from certified selections.

The paper's ablation learns selection, preconditions and effects at once, and it is the first two
that go wrong. Here an exact pass establishes them (`dias.learning.mlp.selections`), and the MLP
learns what is left: a function from hard lifted states to effects, by classification. Neither R-GCN
nor Sinkhorn is trained.

Departs: this is no part of the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product

import numpy as np
import torch
from torch.nn import functional

from dias.config import LearningConfig
from dias.learning.data.replay import CodedStates
from dias.learning.data.transitions import examples_by_action
from dias.learning.mlp.lifted_codes import NOTHING, LiftedCodes
from dias.learning.mlp.selections import Selections, certified_selections
from dias.learning.schema import LiftedAtom, type_relation
from dias.learning.train.adamw import AdamW
from dias.learning.train.extraction import active_slots
from dias.learning.train.progress import LearningProgress
from dias.limits import Limits
from dias.nn.mlp_effects import MLPEffectsModel
from dias.nn.model import NEGATIVE, NONE, POSITIVE
from dias.nn.tables import Symbols
from dias.traces.record import Traces

CERTAIN = 10.0
"""Logit of what is established."""

LOSS_REACHED = 1e-3
"""Cross-entropy of one lifted state, summed over its atoms, at which training ends."""


def train_certified(
    traces: Traces,
    config: LearningConfig,
    report: Callable[[LearningProgress], None] | None = None,
) -> tuple[MLPEffectsModel, int]:
    """A network whose selection and preconditions are established, and the steps that it took.

    An action whose arguments cannot be established has no effects and no preconditions.
    """
    vocabulary = Symbols.of(traces)
    found = {
        action: selections
        for action, examples in examples_by_action(traces).items()
        if (selections := certified_selections(examples, traces)) is not None
    }
    widest = max((own.schema.n_variables for own in found.values()), default=0)
    model_config = replace(config.model, n_slots=max(config.model.n_slots, widest))
    generator = torch.Generator().manual_seed(config.seed)
    network = MLPEffectsModel(vocabulary, model_config, generator)
    _establish(network, found)
    n_steps = _classify(network, _lifted_steps(network, found, traces), config, report)
    return network, n_steps


def _establish(network: MLPEffectsModel, found: Mapping[str, Selections]) -> None:
    """Set slots and preconditions to what is known."""
    place: dict[LiftedAtom, tuple[int, int, int]] = {}
    for k, relations in network.vocabulary.relations.items():
        tuples = list(product(range(network.config.n_slots), repeat=k))
        for r, relation in enumerate(relations):
            name = type_relation(relation.name) if relation.is_type else relation.name
            place |= {LiftedAtom(name, own): (k, r, column) for column, own in enumerate(tuples)}
    with torch.no_grad():
        network.slot_logits.fill_(-CERTAIN)
        for number, action in enumerate(network.vocabulary.actions):
            for logits in network.precondition_logits.values():
                logits[number, ..., NONE] = CERTAIN
            if action not in found:
                continue
            schema = found[action].schema
            network.slot_logits[number, : schema.n_variables] = CERTAIN
            for case, atoms in ((POSITIVE, schema.positive), (NEGATIVE, schema.negative)):
                for k, r, column in map(place.__getitem__, atoms):
                    own = network.precondition_logits[str(k)][number, r, column]
                    own[NONE], own[case] = 0, CERTAIN


def _lifted_steps(
    network: MLPEffectsModel, found: Mapping[str, Selections], traces: Traces
) -> np.ndarray:
    """The distinct steps over the slots: ``[n, 1 + 2·D]`` action, Ã, and the case of each atom."""
    coded = CodedStates(traces)
    pairs = list(zip(coded.codes, traces.segments, strict=True))
    static = [codes.encode_state(segment.static) for codes, segment in pairs]
    n_slots = network.config.n_slots
    lifted = [
        LiftedCodes(network.vocabulary, n_slots, codes, segment.objects, traces.types)
        for codes, segment in pairs
    ]
    rows = []
    for number, action in enumerate(network.vocabulary.actions):
        for t, binding in found[action].chosen if action in found else ():
            groundings = lifted[t.segment]
            filled = np.full((1, n_slots), NOTHING)
            filled[0, : len(binding)] = binding
            ground = groundings.codes(filled)
            states = (
                coded.encode(t.segment, s) | static[t.segment] for s in (t.state, t.next_state)
            )
            before, after = (
                groundings.truth(filled, ground, np.array(sorted(state)))[0] for state in states
            )
            case = np.where(before == after, NONE, np.where(after, POSITIVE, NEGATIVE))
            rows.append(np.concatenate([[number], before, case]))
    n_atoms = network.effect_weight[0].shape[0]
    return np.unique(np.array(rows, dtype=np.int64).reshape(len(rows), 1 + 2 * n_atoms), axis=0)


def _classify(
    network: MLPEffectsModel,
    steps: np.ndarray,
    config: LearningConfig,
    report: Callable[[LearningProgress], None] | None,
) -> int:
    """Train the MLP until it says of every lifted state what followed; the steps taken."""
    if not len(steps):
        return 0
    parameters = [*network.effect_weight, *network.effect_bias]
    training = config.training
    optimizer = AdamW(parameters, training.learning_rate, training.weight_decay)
    action, rest = torch.from_numpy(steps[:, 0].copy()), torch.from_numpy(steps[:, 1:].copy())
    lifted, case = rest.float().chunk(2, 1)
    case = case.long()
    active = {name: len(active_slots(network, name)) for name in network.vocabulary.actions}
    limits = Limits(config.time_limit_s)
    for step in range(1, training.n_steps + 1):
        logits = network.effect_logits(lifted, action)
        loss = functional.cross_entropy(logits.flatten(0, 1), case.flatten(), reduction="sum")
        loss = loss / len(steps)
        optimizer.step(list(torch.autograd.grad(loss, parameters)))
        if report and step % config.steps_per_look == 0:
            none = float("nan")
            report(
                LearningProgress(
                    0, 1, step, training.n_steps, loss.item(), none, none, active, explained=None
                )
            )
        if loss.item() < LOSS_REACHED or limits.is_out_of_time:
            return step
    return training.n_steps
