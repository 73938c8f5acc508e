"""Which settings of `dias learn` go together, and what the method makes of them."""

from __future__ import annotations

from dataclasses import replace

import click
from click.core import ParameterSource

from dias.config import PAPER_ALPHA, LearningConfig, TrainingConfig, mlp_training, paper_training

DEFAULT = LearningConfig()
TRAINING = {"hybrid": TrainingConfig(), "neural": paper_training(), "mlp": mlp_training()}
"""By method; `mlp` where --effects mlp is trained by --method neural."""

_IDLE = {
    ("mlp", "neural"): ("restarts",),
    ("mlp", "hybrid"): ("restarts", "objective", "alpha", "checkpoint"),
}
"""Options that would do nothing with these effects and method."""


def refuse_idle(context: click.Context, effects: str, method: str) -> None:
    """Refuse options that would do nothing.

    Raises:
        UsageError: There is one.
    """
    for option in _IDLE.get((effects, method), ()):
        if context.get_parameter_source(option) is not ParameterSource.DEFAULT:
            raise click.UsageError(
                f"--{option} would do nothing with --effects {effects} --method {method}"
            )


def training(
    method: str,
    objective: str,
    alpha: float | None,
    steps: int | None,
    effects: str = DEFAULT.effects,
) -> TrainingConfig:
    """The settings of the method, with what was asked for put in.

    Raises:
        UsageError: They do not go together.
    """
    own = TRAINING.get(method, TRAINING["hybrid"])  # symbolic trains nothing
    if (method, effects, objective) == ("neural", "mlp", "lifted"):
        own = TRAINING["mlp"]
    if alpha is None and method == "neural" and (objective == "dense" or effects == "mlp"):
        alpha = PAPER_ALPHA
    n_steps = own.n_steps if steps is None else steps
    try:
        return replace(own, objective=objective, alpha=alpha, n_steps=n_steps)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
