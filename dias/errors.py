"""The exceptions of the library.

::

    DiasError
    ├── PDDLInputError           a domain or problem file that cannot be read
    │   └── UnsupportedPDDLError     … because it uses more than STRIPS
    ├── TraceError               a trace file that cannot be read
    │   └── InsufficientTracesError  … because it holds too little
    ├── TimeLimitError           a time limit that ended before there was anything to show
    ├── SettingsError            a file of settings that cannot be read, or a wrong setting
    ├── DeviceError              a device to train on that is not there
    ├── CheckpointError          a checkpoint that does not fit
    ├── ProposerError            a proposer of one's own that is not there, or proposes nonsense
    ├── GroundingError           more ground actions than can be listed
    ├── PlannerError             the planner could not be run
    └── PlanError                a plan file that cannot be read, or whose steps cannot be taken

Every message names the place, what was expected, what was found, and the way out.
"""

from __future__ import annotations

from collections.abc import Iterable


class DiasError(Exception):
    """Base of all errors that a user can cause and mend.

    Args:
        problem: What was expected and what was found.
        place: ``file``, ``file:line`` or ``file:line:column``; empty if there is none.
        remedy: What the user can do about it.
    """

    def __init__(self, problem: str, *, place: str = "", remedy: str = "") -> None:
        self.problem = problem
        self.place = place
        self.remedy = remedy
        super().__init__(problem)

    def __str__(self) -> str:
        text = f"{self.place}: {self.problem}" if self.place else self.problem
        return f"{text}. {self.remedy}" if self.remedy else text


class PDDLInputError(DiasError):
    """A PDDL file that cannot be read or that contradicts itself."""


class UnsupportedPDDLError(PDDLInputError):
    """A PDDL file that uses a construct outside STRIPS with typing and negation."""


class TraceError(DiasError):
    """A trace file that breaks the ``dias-trace/1`` format."""


class InsufficientTracesError(TraceError):
    """A trace file from which nothing can be learned."""


class TimeLimitError(DiasError):
    """A time limit that ended before there was anything to show."""


class SettingsError(DiasError):
    """A file of settings that cannot be read, or a setting that does not exist or cannot be met."""


class DeviceError(DiasError):
    """A device to train on that this machine, or this build of torch, does not have."""


class CheckpointError(DiasError):
    """A checkpoint file that is damaged or belongs to another run."""


class ProposerError(DiasError):
    """A proposer of one's own that cannot be loaded, or that proposes what cannot be."""


class GroundingError(DiasError):
    """A problem in which an action has more ground actions than can be listed."""


class PlannerError(DiasError):
    """The planner could not be run on this task."""


class PlanError(DiasError):
    """A plan file that cannot be read, or that has a step that is not applicable."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A remedy that names the closest of the known names; empty if none is close.

    >>> did_you_mean("lern", ["learn", "plan"])
    'Did you mean learn?'
    """
    from difflib import get_close_matches  # only where something is wrong already

    close = get_close_matches(name, sorted(known), n=1)
    return f"Did you mean {close[0]}?" if close else ""
