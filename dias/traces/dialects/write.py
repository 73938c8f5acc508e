"""Steps as trajectories in the format of AMLGym or of SAM."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dias.errors import TraceError
from dias.strips.model import Atom
from dias.traces.writer import Block, Step

FORMATS = ("amlgym", "sam")
"""What can be written."""


class Written(NamedTuple):
    """What was made of steps.

    Attributes:
        texts: A trajectory each.
        n_refused: Refused attempts, which the formats do not have.
    """

    texts: list[str]
    n_refused: int


def write_trajectories(blocks: Iterable[Block], format_: str) -> Written:
    """The steps as texts, one for each stretch in which every step begins where the last one ended.

    Args:
        blocks: Headers with their steps.
        format_: One of `FORMATS`.

    Raises:
        TraceError: Some atom is not certain: neither format has a word for that.
    """
    texts: list[str] = []
    n_refused = 0
    for header, steps in blocks:
        kept: list[Step] = []
        is_open = header.get("unlisted") == "unknown"
        for number, step in enumerate(steps, start=1):
            if step.soft or step.next_soft or is_open:
                raise TraceError(
                    f"expected states in which every atom is certain for {format_}, found step"
                    f" {number} with others",
                    remedy="`dias denoise` writes the states as they most likely were",
                )
            if step.next_state is None:
                n_refused += 1
                continue
            if kept and (step.trace, step.state) != (kept[-1].trace, kept[-1].next_state):
                texts.append(_text(kept, header, format_))
                kept = []
            kept.append(step)
        if kept:
            texts.append(_text(kept, header, format_))
    return Written(texts, n_refused)


def _text(steps: Sequence[Step], header: Mapping[str, object], format_: str) -> str:
    static = header.get("static", [])
    always = {str(atom) for atom in static} if isinstance(static, list) else set()

    def state(keyword: str, atoms: Iterable[Atom] | None) -> str:
        return f"({keyword} {' '.join(sorted(always.union(map(str, atoms or ()))))})"

    is_sam = format_ == "sam"
    first, action = (":init", "operator:") if is_sam else (":state", ":action")
    lines = [state(first, steps[0].state)]
    for step in steps:
        lines.append(f"({action} {Atom(step.action, step.arguments)})")
        lines.append(state(":state", step.next_state))
    if is_sam:
        return "(" + "\n".join(lines) + "\n)\n"
    return "(:trajectory\n\n" + "\n\n".join(lines) + "\n\n)\n"
