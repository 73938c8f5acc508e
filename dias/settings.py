"""Settings of learning from a TOML file.

Keys are the fields of `dias.config.LearningConfig`; those of `ModelConfig` and `TrainingConfig`
stand in the tables ``[model]`` and ``[training]``. Names, types and ranges are read off the
dataclasses, so a field that is added there can be set here.

The ``dias.toml`` of a benchmark domain can be given as well. Its table ``[sample]`` is meant for
sampling and passed over; ``[learn]`` holds α for the paper's own mode, the neural method with the
dense objective, and says nothing about any other.
"""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Mapping
from typing import Any, get_args, get_origin, get_type_hints

from dias.config import (
    LearningConfig,
    ModelConfig,
    TrainingConfig,
    default_training,
    takes_paper_alpha,
)
from dias.errors import SettingsError, did_you_mean
from dias.files import read_text
from dias.methods import default_method

TABLES = {"": LearningConfig, "model": ModelConfig, "training": TrainingConfig}
"""Table to the dataclass whose fields it holds; the first is the top of the file."""

PASSED_OVER = "sample"
"""A table that others read."""

_TYPES: dict[type, tuple[str, type | tuple[type, ...]]] = {
    bool: ("true or false", bool),
    int: ("a whole number", int),
    float: ("a finite number", (int, float)),
    str: ("a text in quotes", str),
    tuple: ("a list of texts in quotes", list),
}


def read_settings(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The settings in a file: ``restarts``, ``model.dim``, ``training.alpha`` and so on to values.

    Raises:
        SettingsError: The file cannot be read, or a key or a value is not what can be set.
    """
    text, place = read_text(path, SettingsError), os.fspath(path)
    import tomllib  # few commands read settings from a file

    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"\(at line (\d+)", str(error))
        raise SettingsError(
            f"expected TOML, found something else: {error}",
            place=f"{place}:{line[1]}" if line else place,
            remedy='A line reads `key = value` or `[table]`; texts stand in "quotes"',
        ) from error
    tables = {name: value for name, value in content.items() if isinstance(value, dict)}
    top = {key: value for key, value in content.items() if key not in tables}
    tables.pop(PASSED_OVER, None)
    found = {}
    table, key = "", None
    try:
        for table in tables:
            _check_table(table)
        for table, values in ("", top), *tables.items():
            for key, value in values.items():
                shown = f"{table}.{key}" if table else key
                found[shown] = _checked(table, key, shown, value)
    except SettingsError as error:
        error.place = _place(text, place, table, key)
        raise
    return found


def learning_config(settings: Mapping[str, Any]) -> LearningConfig:
    """The configuration with these settings, all others as the method has them.

    Args:
        settings: Keys as `read_settings` gives them.

    Raises:
        ValueError: Settings contradict each other, or a value is out of its range.
    """
    own: dict[str, dict[str, Any]] = {table: {} for table in (*TABLES, "learn")}
    for key, value in settings.items():
        table, _, name = key.rpartition(".")
        own[table][name] = value
    effects = own[""].get("effects", LearningConfig.effects)
    method = own[""].setdefault("method", default_method(effects))
    objective = own["training"].get("objective", TrainingConfig.objective)
    training = default_training(method, objective)
    if takes_paper_alpha(method, objective, effects):
        training = dataclasses.replace(training, **own["learn"])
    if "aux_weight" in own["training"]:
        if "alpha" in own["training"]:
            raise ValueError("aux_weight adds the losses up and alpha is PCGrad's: give one")
        training = dataclasses.replace(training, alpha=None)
    return LearningConfig(
        **own[""],
        model=ModelConfig(**own["model"]),
        training=dataclasses.replace(training, **own["training"]),
    )


def known_settings() -> dict[str, dict[str, type]]:
    """Table to key to type of everything that can be set."""
    known = {
        table: {
            name: _kind(hint) for name, hint in get_type_hints(fields).items() if name not in TABLES
        }
        for table, fields in TABLES.items()
    }
    return known | {"learn": {"alpha": known["training"]["alpha"]}}


def _kind(hint: Any) -> type:
    """T of T and of T | None; tuple of tuple[T, ...]."""
    return tuple if get_origin(hint) is tuple else (*get_args(hint), hint)[0]


def _check_table(table: str) -> None:
    known = [name for name in known_settings() if name]
    if table not in known:
        names = ", ".join(f"[{name}]" for name in known)
        raise SettingsError(
            f"expected one of the tables {names}, found [{table}]",
            remedy=did_you_mean(table, known) or "Remove it",
        )


def _checked(table: str, key: str, shown: str, value: Any) -> Any:
    """The value, if it is one that the key can have."""
    known = known_settings()
    if key not in known[table]:
        remedy = did_you_mean(key, known[table]) or "Remove it"
        for home in TABLES:  # a name stands in one table at most
            if key in known[home]:
                remedy = f"It belongs in [{home}]" if home else "It belongs above all tables"
        raise SettingsError(
            f"expected a setting {f'of [{table}]' if table else 'or a table'} "
            f"({', '.join(known[table])}), found {key}",
            remedy=remedy,
        )
    kind = known[table][key]
    expected, types = _TYPES[kind]
    is_right = isinstance(value, types) and isinstance(value, bool) == (kind is bool)
    if is_right and kind is tuple:
        is_right, value = all(isinstance(part, str) for part in value), tuple(value)
    if not is_right or (isinstance(value, float) and not math.isfinite(value)):
        problem = f"expected {expected} for {shown}, found {_toml(value)}"
        raise SettingsError(problem, remedy="Correct the value")
    value = kind(value)
    try:
        learning_config({f"training.{key}" if table == "learn" else shown: value})
    except ValueError as error:
        problem = f"{error}, found {shown} = {_toml(value)}"
        raise SettingsError(problem, remedy="Correct the value") from error
    return value


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _place(text: str, place: str, table: str, key: str | None = None) -> str:
    """``file:line`` of a key, or of a table, as far as the beginnings of lines tell."""
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
            current = header[1]
            is_it = key is None and current.partition(".")[0] == table
        else:
            begins = key and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line)
            is_it = current == table and bool(begins)
        if is_it:
            return f"{place}:{number}"
    return place
