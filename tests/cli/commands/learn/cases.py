"""The garden's steps with and without their arguments, as lines of a trace file."""

from __future__ import annotations

from tests.cli.helpers import HEADER, PIPES, STEPS

LABELLED = {**HEADER, "labels": "full", "static": PIPES}
WITH_ARGUMENTS = [
    {**line, "action": action}
    for line, action in zip(STEPS, ["(turn-on n)", "(water n rose)", "(turn-off n)"], strict=True)
]
FULL = (LABELLED, *WITH_ARGUMENTS)
NAMES = ({**HEADER, "static": PIPES}, *STEPS)
