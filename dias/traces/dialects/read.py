"""Finds out whose trace a text is, and reads it."""

from __future__ import annotations

import re
from pathlib import PurePath

from dias.errors import TraceError
from dias.file_kinds import LITERALS, PLAN_TRACE, TRAJECTORY
from dias.strips.pddl.text import Source
from dias.traces.dialects import literals, planminer
from dias.traces.dialects.entries import Entries, make_entries
from dias.traces.dialects.home import Home
from dias.traces.dialects.literals import PDDLGYM
from dias.traces.dialects.planminer import PLANMINER
from dias.traces.dialects.s_expressions import S_EXPRESSIONS, detect, groups_of, trajectories

NAMES = (*S_EXPRESSIONS, PLANMINER.name, PDDLGYM.name)
"""The dialects, by the words that ask for them."""


def read_dialect(
    text: str, name: str, kind: str, dialect: str | None = None, home: Home | None = None
) -> Entries:
    """What stands for the lines of a trace file in a text of another format.

    Args:
        text: The text.
        name: The file, as it is named in messages.
        kind: What the text looks like (`dias.file_kinds`).
        dialect: One of `NAMES`, whatever it looks like; None to find out.
        home: The domain, or the problem too, that the traces are of.

    Raises:
        TraceError: It breaks the dialect, or is nobody's.
        InsufficientTracesError: It holds no step.
    """
    stem = re.sub(r"[\s()?;,<>]+", "-", PurePath(name).name.partition(".")[0]).strip("-")
    stem = stem if stem.isprintable() and stem else "traces"
    if dialect == PLANMINER.name or (dialect is None and kind == PLAN_TRACE):
        return make_entries(planminer.trajectories(text, name), name, stem, PLANMINER, home)
    if dialect == PDDLGYM.name or (dialect is None and kind == LITERALS):
        return make_entries(literals.trajectories(text, name), name, stem, PDDLGYM, home)
    source = Source(text, name)
    groups = groups_of(source)
    own = S_EXPRESSIONS[dialect] if dialect else detect(groups)
    if own is None:
        raise TraceError(
            "expected a trace of AMLGym, SAM, L1, NOLAM, OffLAM or FAMA, found"
            f" {TRAJECTORY} of another form",
            place=f"{name}:{source.line(groups[0]) if groups else 1}",
            remedy="`dias convert -f DIALECT` says which it is",
        )
    return make_entries(trajectories(source, groups, own), name, stem, own, home)
