"""Where and with what a measurement is made."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

from .rawlines import Row


def surroundings() -> Row:
    """Where and with what a run is done."""
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}",
        "versions": {"dias": _dias_version(), "torch": version("torch")},
        "load": round(os.getloadavg()[0], 1),
    }


@cache
def _dias_version() -> str:
    """The version; in a checkout with the commit, ``-dirty`` if the code was changed since."""
    number = version("dias-planning")
    checkout = Path(__file__).parents[2]
    if not (checkout / ".git").exists() or not shutil.which("git"):
        return number
    git = ["git", "-C", str(checkout)]
    head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    code = ["dias", "cli", ":(glob)benchmarks/**/*.py"]
    is_changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", *code]).returncode
    return f"{number}+{head.stdout.strip()}" + ("-dirty" if is_changed else "")
