"""Processes in which sets of strings have another order than here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def other_hash_seed() -> dict[str, str]:
    """The environment of such a process."""
    return {**os.environ, "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}


def printed_elsewhere(program: str) -> str:
    """What a program prints there."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[1],
        env=other_hash_seed(),
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()
