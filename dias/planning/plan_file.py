"""Plan files, as planners and validators write them.

A step a line: ``(op x y)`` (IPC), ``0: (op x y) [1]`` or ``0.00: (op x y) [1.0]`` (VAL, temporal),
``step 0: OP X Y`` (FF), ``op x y (1)`` (the log of Fast Downward), ``op(x, y)`` after
``SequentialPlan:`` (unified-planning). What follows a ``;`` is a remark. Of the output of FF the
plan is taken.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from dias.errors import PlanError
from dias.file_kinds import PLAN, kind_of
from dias.files import read_text
from dias.strips.grounding import GroundAction
from dias.traces.reading.fields import NAME, describe

_STEP = re.compile(
    r"(?:(?:step\s+)?(?P<time>\d+(?:\.\d+)?)\s*:\s*)?"
    r"(?:\((?P<group>[^()]*)\)|(?P<words>[^()\[\]:]+))\s*(?:\[[^\]]*\]?|(?P<cost>\(\d+\)))?"
)
_CALL = re.compile(r"(?P<name>[^\s(),]+)(?:\((?P<arguments>[^()]*)\))?")
_FF = re.compile(r"found legal plan as follows")
_UP = re.compile(r"SequentialPlan:")
EXAMPLES = "`(op x y)`, `0: (op x y) [1]` or `step 0: OP X Y`"


class PlanStep(NamedTuple):
    """A step of a plan, and the line that it stands in."""

    line: int
    action: GroundAction


def read_plan(path: str | os.PathLike[str]) -> list[PlanStep]:
    """The steps of a plan file, in the order in which they happen.

    Raises:
        PlanError: The file cannot be read, or holds a line that is no step.
    """
    return parse_plan(read_text(path, PlanError), os.fspath(path))


def parse_plan(text: str, source: str = "<string>") -> list[PlanStep]:
    """The steps in a text; `source` names it in messages. Errors as `read_plan`.

    Where all steps have a time they are sorted by it; steps of the same time stay as they stand.
    """
    lines = list(enumerate(text.splitlines(), start=1))
    start = next((number for number, line in lines if _FF.search(line)), 0)
    calls = next((number for number, line in lines if _UP.fullmatch(line.strip())), 0)
    if calls:
        return [
            PlanStep(number, _call(line, source, number))
            for number, line in lines[calls:]
            if line.strip()
        ]
    timed: list[tuple[float | None, PlanStep]] = []
    for number, line in lines[start:]:
        content = line.partition(";")[0].strip()
        if not content:
            continue
        match = _STEP.fullmatch(content)
        words = _words(match) if match else []
        if match and words:
            time = None if match["time"] is None else float(match["time"])
            timed.append((time, PlanStep(number, GroundAction(words[0], tuple(words[1:])))))
        elif start:
            break  # FF goes on with what it took
        else:
            raise _no_step(content, text, f"{source}:{number}")
    if any(time is None for time, _ in timed):
        return [step for _, step in timed]
    return [step for _, step in sorted(timed, key=lambda entry: entry[0] or 0.0)]


def _words(match: re.Match[str]) -> list[str]:
    """The names in a step; none if something in it is no name, or nothing marks it as a step."""
    if match["group"] is None and match["time"] is None and match["cost"] is None:
        return []
    words = (match["group"] or match["words"] or "").lower().split()
    return words if all(NAME.fullmatch(word) and word.isprintable() for word in words) else []


def _call(line: str, source: str, number: int) -> GroundAction:
    """A step of unified-planning's: a name, with arguments where there are any."""
    match = _CALL.fullmatch(line.strip())
    if match is None:
        raise _no_step(line.strip(), line, f"{source}:{number}")
    arguments = (match["arguments"] or "").lower().replace(",", " ").split()
    return GroundAction(match["name"].lower(), tuple(arguments))


def _no_step(content: str, text: str, place: str) -> PlanError:
    kind = kind_of(text.encode(errors="replace"))
    found = describe(content) if kind in ("", PLAN) else kind
    remedy = "Begin remarks with ;" if kind in ("", PLAN) else "Is it the right file?"
    return PlanError(
        f"expected a step such as {EXAMPLES}, found {found}", place=place, remedy=remedy
    )
