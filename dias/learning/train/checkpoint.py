"""Keeps the state of a learning run in a file, so that a stopped run goes on."""

from __future__ import annotations

import hashlib
import io
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from dias.config import LearningConfig
from dias.errors import CheckpointError
from dias.files import write_bytes_atomically
from dias.nn.tables import TransitionTables

FORMAT = "dias-checkpoint/1"


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
    buffer = io.BytesIO()  # a path would end up in the file, and the bytes depend on it
    torch.save({"format": FORMAT, "run": run, "state": state}, buffer)
    write_bytes_atomically(path, buffer.getvalue(), CheckpointError)


def load_checkpoint(path: Path, run: str) -> dict[str, Any] | None:
    """The state in the file; None if there is no such file.

    Raises:
        CheckpointError: The file is damaged, or belongs to another run.
    """
    if not path.exists():
        return None
    remedy = "Name another file, or delete this one to begin anew"
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        raise CheckpointError(
            "expected a checkpoint, found a damaged or foreign file", place=str(path), remedy=remedy
        ) from error
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise CheckpointError(
            f"expected a file in the format {FORMAT}, found another one",
            place=str(path),
            remedy=remedy,
        )
    if saved["run"] != run:
        raise CheckpointError(
            "expected the checkpoint of these traces and settings, found that of other ones",
            place=str(path),
            remedy=remedy,
        )
    state: dict[str, Any] = saved["state"]
    return state
