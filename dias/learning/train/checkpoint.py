"""Keeps the state of a learning run in a file, so that a stopped run goes on."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

from dias.config import LearningConfig
from dias.errors import CheckpointError
from dias.learning.train.tensor_file import read_tensors, write_tensors
from dias.nn.tables import TransitionTables

FORMAT = "dias-checkpoint/2"


def fingerprint(tables: TransitionTables, config: LearningConfig) -> str:
    """What a checkpoint belongs to: the transitions and every setting that training depends on."""
    digest = hashlib.sha256(
        repr(
            replace(config, threads=1, device="cpu", preconditions="safe", time_limit_s=None)
        ).encode()
    )
    digest.update(repr((tables.vocabulary, tables.objects)).encode())
    for array in (tables.action, tables.segment, tables.given):
        digest.update(array.tobytes())
    for table in (tables.state, tables.added, tables.deleted, tables.static):
        for group in table.values():
            digest.update(group.start.tobytes() + group.rows.tobytes())
    return digest.hexdigest()


def save_checkpoint(path: Path, run: str, state: dict[str, Any]) -> None:
    """Write the state whole or not at all.

    Raises:
        CheckpointError: The file cannot be written.
    """
    write_tensors(path, {"format": FORMAT, "run": run, "state": state}, CheckpointError)


def load_checkpoint(path: Path, run: str) -> dict[str, Any] | None:
    """The state in the file; None if there is no such file.

    Raises:
        CheckpointError: The file is damaged, or belongs to another run.
    """
    if not path.exists():
        return None
    remedy = "Name another file, or delete this one to begin anew"
    saved = read_tensors(path, "a checkpoint", remedy)
    problem = ""
    if saved.get("format") != FORMAT:
        problem = f"expected a file in the format {FORMAT}, found another one"
    elif saved["run"] != run:
        problem = "expected the checkpoint of these traces and settings, found that of other ones"
    if problem:
        raise CheckpointError(problem, place=str(path), remedy=remedy)
    state: dict[str, Any] = saved["state"]
    return state
