"""Files of plain values and tensors, as `torch.save` writes them: whole or not at all.

They are read without running anything that is in them. The same content gives the same bytes.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Mapping
from typing import Any

import torch

from dias.errors import CheckpointError, DiasError
from dias.files import open_atomically


def write_tensors(
    path: str | os.PathLike[str], content: Mapping[str, Any], error: type[DiasError] = DiasError
) -> None:
    """Write `content`; one of its values is its `format`.

    Raises:
        DiasError: (as `error`) The file cannot be written.
    """
    buffer = io.BytesIO()  # a path would end up in the file, and the bytes depend on it
    torch.save(dict(content), buffer)
    with open_atomically(path, error) as stream:
        stream.write(buffer.getvalue())


def read_tensors(path: str | os.PathLike[str], what: str, remedy: str) -> dict[str, Any]:
    """The content of a file, on the processor; no `format` in it if it is no table.

    Args:
        path: The file.
        what: What it should be, for the message.
        remedy: What the user can do if it is not.

    Raises:
        CheckpointError: The file cannot be read or is damaged.
    """
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        raise CheckpointError(
            f"expected {what}, found a damaged or foreign file",
            place=os.fspath(path),
            remedy=remedy,
        ) from error
    return content if isinstance(content, dict) else {}
