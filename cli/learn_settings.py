"""Which settings `dias learn` works with: those of the command line, of a file, of the method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from dias.config import LearningConfig, default_training
from dias.errors import SettingsError
from dias.methods import METHODS, method_named, own_methods
from dias.settings import learning_config, read_settings
from dias_cli.common import NearChoice, is_given

DEFAULT = LearningConfig()

_TRAINED = [name for name in METHODS if method_named(name).trains]
_ALONE = [name for name in _TRAINED if method_named(name).is_network_alone]
N_STEPS = {name: default_training(name, "lifted").n_steps for name in _TRAINED} | {
    f"{name} with --objective dense": default_training(name, "dense").n_steps for name in _ALONE
}
"""Gradient steps at most, where nothing is said about them."""


class MethodName(NearChoice):
    """The methods of this package, and those that others offer, which are looked for if asked."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is, where some package has a method of it."""
        if value not in self.choices and value in own_methods():
            return str(value)
        return super().convert(value, param, ctx)


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


def _idle(config: LearningConfig) -> tuple[str, ...]:
    """Options that would do nothing with these settings."""
    method = config.way
    if method.is_network_alone:
        return ("noise", *(() if config.may_restart else ("restarts",)))
    return (*(() if method.trains else _OF_TRAINING), *(("noise",) if method.proposer else ()))


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
    for option in _idle(config):
        if is_given(option):
            way = f"--effects {config.effects}"
            if option == "restarts" and config.way.trains:
                way = config.why_once
            name = f"--{option.replace('_', '-')}"
            with_method = f"{way} and --method {config.method}"
            raise click.UsageError(f"{name} would do nothing with {with_method}")
    return config


def _check_alone(settings: Mapping[str, Any], file: str) -> None:
    """Raise a SettingsError if the settings of the file contradict each other."""
    try:
        learning_config(settings)
    except ValueError as error:
        raise SettingsError(
            f"the settings contradict each other: {error}", place=file, remedy="Change one of them"
        ) from error
