"""Domains in a folder: which of its problems are for learning, which for judging."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dias.errors import PDDLInputError

N_TRAINING, N_TEST = 3, 2
DOMAIN_FILE = "domain.pddl"


class Problems(NamedTuple):
    """The files of a domain."""

    domain: Path
    training: Sequence[Path]
    test: Sequence[Path]


def domain_folders(folder: Path) -> list[Path]:
    """The folder itself if it has a domain, else those of its subfolders that have one, sorted.

    Raises:
        PDDLInputError: There is none, or one of them has fewer than two problems.
    """
    files = [*folder.glob(DOMAIN_FILE)] or sorted(folder.glob(f"*/{DOMAIN_FILE}"))
    found = [path.parent.resolve() for path in files]
    if not found:
        raise PDDLInputError(
            f"expected {DOMAIN_FILE}, here or in subfolders, found none",
            place=str(folder),
            remedy="Name the folder of a domain, or one of such folders",
        )
    for path in found:
        split_problems(path)
    return found


def split_problems(folder: Path) -> Problems:
    """The first three problems are for learning, the next two for judging; the last one at least.

    Args:
        folder: With ``domain.pddl`` and the problems ``p01.pddl``, ``p02.pddl``, …

    Raises:
        PDDLInputError: There are fewer than two problems.
    """
    problems = sorted(folder.glob("p[0-9]*.pddl"))
    if len(problems) < 2:
        raise PDDLInputError(
            f"expected p01.pddl, p02.pddl, … beside {DOMAIN_FILE}, found {len(problems)} of them",
            place=str(folder),
            remedy="At least one problem is for learning and one for judging",
        )
    n_training = min(N_TRAINING, len(problems) - 1)
    test = problems[n_training : n_training + N_TEST]
    return Problems(folder / DOMAIN_FILE, problems[:n_training], test)
