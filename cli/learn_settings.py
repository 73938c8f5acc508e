"""Which settings `dias learn` works with: those of the command line, of a file, of the method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from dias.config import LearningConfig, default_training
from dias.errors import SettingsError
from dias.settings import learning_config, read_settings
from dias_cli.common import is_given

DEFAULT = LearningConfig()

N_STEPS = {
    "hybrid": default_training("hybrid", "lifted").n_steps,
    "neural": default_training("neural", "lifted").n_steps,
    "neural with --objective dense": default_training("neural", "dense").n_steps,
}
"""Gradient steps at most, where nothing is said about them."""

_SETTINGS = {
    "alpha": "training.alpha",
    "device": "device",
    "effects": "effects",
    "method": "method",
    "noise": "noise",
    "objective": "training.objective",
    "preconditions": "preconditions",
    "restarts": "restarts",
    "seed": "seed",
    "slots": "model.n_slots",
    "steps": "training.n_steps",
    "threads": "threads",
    "time_limit": "time_limit_s",
    "unchanged": "unchanged",
    "without": "without",
}
"""Parameter of the command to the setting that it stands for."""

_OF_TRAINING = (
    "alpha",
    "checkpoint",
    "device",
    "objective",
    "restarts",
    "slots",
    "steps",
    "threads",
)

_IDLE = {"symbolic": _OF_TRAINING, "neural": ("noise", "restarts")}
"""Options that would do nothing with a method."""


def learning_settings(context: click.Context, file: str | None) -> LearningConfig:
    """The command line's settings, then those of the file, then the method's own.

    Raises:
        UsageError: Settings contradict each other, or an option would do nothing.
        SettingsError: The file cannot be read, holds what cannot be set, or contradicts itself.
    """
    given = {setting: context.params[name] for name, setting in _SETTINGS.items() if is_given(name)}
    settings = read_settings(file) if file else {}
    try:
        config = learning_config(settings | given)
    except ValueError as error:
        if file:
            _check_alone(settings, file)
        raise click.UsageError(str(error)) from error
    for option in _IDLE.get(config.method, ()):
        if is_given(option):
            raise click.UsageError(
                f"--{option.replace('_', '-')} would do nothing with --effects {config.effects} "
                f"--method {config.method}"
            )
    return config


def _check_alone(settings: Mapping[str, Any], file: str) -> None:
    """Raise a SettingsError if the settings of the file contradict each other."""
    try:
        learning_config(settings)
    except ValueError as error:
        raise SettingsError(
            f"the settings contradict each other: {error}", place=file, remedy="Change one of them"
        ) from error
