"""Keeps a network with state-dependent effects in a file: there is no PDDL for it.

The format is ``dias-mlp/1``; the same network gives the same bytes
(`dias.learning.train.tensor_file`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import torch

from dias.config import ModelConfig
from dias.errors import CheckpointError
from dias.learning.mlp.dynamics import MLPDynamics
from dias.learning.train.tensor_file import read_tensors, write_tensors
from dias.nn.mlp_effects import MLPEffectsModel
from dias.nn.tables import Symbols
from dias.strips.model import Predicate
from dias.traces.record import LabelMode, Traces

FORMAT = "dias-mlp/1"


def save_dynamics(path: str | os.PathLike[str], dynamics: MLPDynamics) -> None:
    """Write what was learned, whole or not at all.

    Raises:
        DiasError: The file cannot be written.
    """
    network, domain = dynamics.network, dynamics.domain
    config, vocabulary = network.config, network.vocabulary
    content = {
        "format": FORMAT,
        "domain": domain.name,
        "types": dict(domain.types),
        "predicates": {p.name: [list(types) for types in p.types] for p in domain.predicates},
        "actions": dict(zip(vocabulary.actions, vocabulary.n_given, strict=True)),
        "model": {"n_slots": config.n_slots, "dim": config.dim, "n_layers": config.n_layers},
        "threshold": dynamics.threshold,
        "weights": dict(network.state_dict()),
    }
    write_tensors(path, content)


def load_dynamics(path: str | os.PathLike[str]) -> MLPDynamics:
    """What `save_dynamics` wrote.

    Raises:
        CheckpointError: The file cannot be read, is damaged, or is something else.
    """
    remedy = "Name a file that dias learn --effects mlp has written"
    place = os.fspath(path)
    content = read_tensors(path, "a learned network", remedy)
    found = content.get("format")
    if found != FORMAT:
        raise CheckpointError(
            f"expected a learned network ({FORMAT}), found {found or 'something else'}",
            place=place,
            remedy=remedy,
        )
    try:
        return _dynamics(content, place)
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"expected the parts of a learned network ({FORMAT}), found some missing or misshapen",
            place=place,
            remedy=remedy,
        ) from error


def _dynamics(content: Mapping[str, Any], source: str) -> MLPDynamics:
    predicates = (
        Predicate(name, tuple(tuple(alternatives) for alternatives in types))
        for name, types in content["predicates"].items()
    )
    actions = content["actions"]
    header = Traces(
        source=source,
        domain=content["domain"],
        labels=LabelMode.STRIPS_PLUS if any(actions.values()) else LabelMode.NAMES,
        types=content["types"],
        predicates=tuple(predicates),
        actions=tuple(actions),
        segments=(),
        transitions=(),
    )
    vocabulary = Symbols.of_header(header, actions)
    network = MLPEffectsModel(vocabulary, ModelConfig(**content["model"]), torch.Generator())
    network.load_state_dict(content["weights"])
    return MLPDynamics.of(network, header, float(content["threshold"]))
