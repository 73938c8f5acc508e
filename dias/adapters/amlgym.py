"""A learner for AMLGym, the benchmark of learners that are given all arguments of actions.

AMLGym is no dependency: it asks of a learner a class with a method ``learn`` and nothing else.
`register` makes this one known to it by name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dias.config import LearningConfig
from dias.errors import PlannerError
from dias.learning.learn import learn
from dias.strips.pddl.reader import read_domain
from dias.strips.pddl.writer import format_domain
from dias.traces.dialects.home import Home
from dias.traces.reading.reader import collect_traces, read_blocks


@dataclass
class DIAS:
    """This learner as AMLGym's ``PassiveAlgorithmAdapter`` has it.

    Attributes:
        method: One of `dias.config.METHODS`.
        preconditions: One of `dias.config.PRECONDITIONS`.
        seed: Fixes everything that chance decides.
        time_limit_s: Seconds of training at most; None for no limit.

    Examples:
        >>> from dias.adapters.amlgym import DIAS
        >>> DIAS(preconditions="safe")
        DIAS(method='hybrid', preconditions='safe', seed=0, time_limit_s=None)
    """

    _reference: ClassVar[dict[str, object]] = {
        "Authors": "J. Reiter, J. Gebler and H. Geffner",
        "Title": "Differentiable Learning of Lifted Action Schemas for Classical Planning",
    }

    method: str = LearningConfig.method
    preconditions: str = LearningConfig.preconditions
    seed: int = LearningConfig.seed
    time_limit_s: float | None = None

    def learn(self, domain_path: str, trajectory_paths: Sequence[str]) -> str:
        """Learn a domain from trajectories.

        Args:
            domain_path: A domain whose types and predicates are taken; its actions are not read.
            trajectory_paths: Files in AMLGym's format, or in any other that `dias convert` reads.

        Returns:
            The learned domain as PDDL. Parameters are in the order of the trajectories. Actions
            that they do not show are not in it.

        Raises:
            PDDLInputError: The domain cannot be read.
            TraceError: A trajectory cannot be read.
        """
        home = Home(read_domain(domain_path, needs_actions=False))
        blocks = [
            block
            for path in trajectory_paths
            for block in read_blocks(os.fspath(path), home=home).blocks
        ]
        config = LearningConfig(
            method=self.method,
            preconditions=self.preconditions,
            seed=self.seed,
            time_limit_s=self.time_limit_s,
        )
        result = learn(collect_traces(blocks, "the trajectories"), config)
        return format_domain(result.domain)


def register() -> None:
    """Make ``amlgym.algorithms.get_algorithm("dias")`` know this learner.

    Raises:
        PlannerError: AMLGym is not installed, or is too old.
    """
    try:
        from amlgym.algorithms import registry
        from amlgym.algorithms.PassiveAlgorithmAdapter import PassiveAlgorithmAdapter
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "amlgym":
            raise
        found = "an older one" if sys.modules.get("amlgym") else "that it is not installed"
        raise PlannerError(
            f"expected the package amlgym, 1.0.13 or newer, found {found}",
            remedy="Install it, best into an environment of its own: pip install amlgym",
        ) from None
    PassiveAlgorithmAdapter.register(DIAS)
    registry["dias"] = DIAS
