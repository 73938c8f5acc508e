"""What a trace in the format of another project holds, before any of its names is checked.

A dialect makes `Trajectory` s of a text; `dias.traces.dialects.entries` makes of them what stands
for the lines of a trace file, and those go through the same checks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dias.errors import TraceError
from dias.traces.reading.fields import describe

UNTYPED = frozenset({"object", "default", "null"})
"""What other projects call the type of an object that has none."""

NUMBERS = "value(s) of numeric functions are left out"
EQUALITIES = "equality fact(s) are left out"  # names are unique
GAPS = "action(s) are left out, since the state before or after them is not recorded"
LEFT_OUT = (NUMBERS, EQUALITIES, GAPS)
"""What no trace line can hold, as messages say it after the number of such places."""


class Dialect(NamedTuple):
    """How a project writes traces.

    Attributes:
        name: What ``convert -f`` calls it.
        title: What messages call it.
        states: What stands before a state, in s-expressions.
        actions: What stands before an action, in s-expressions; empty where nothing does.
        unlisted_is_unknown: Whether a state may leave atoms out that are not known.
    """

    name: str
    title: str
    states: frozenset[str] = frozenset()
    actions: frozenset[str] = frozenset()
    unlisted_is_unknown: bool = False


class SeenAtom(NamedTuple):
    """An atom as a value of a trace line (a list of words, where it is right), and its line."""

    value: object
    line: int


class SeenState(NamedTuple):
    """A state: the atoms that are said to be true, and those that are said to be false."""

    line: int
    true: list[SeenAtom]
    false: list[SeenAtom]


class SeenAction(NamedTuple):
    """An action as a value of a trace line, its line, and whether it was refused."""

    line: int
    value: object
    is_refused: bool = False


@dataclass
class Trajectory:
    """States and actions in the order in which they were seen.

    Attributes:
        line: Where it begins.
        objects: Object to type, empty for none; of those that are listed or typed.
        lists_objects: Whether these are all.
        items: The states and actions.
        jumps: Whether states in a row are expected: each action has its own two.
        left_out: One of `LEFT_OUT` to the lines where it stands.
        mixed_types: What is wrong with the types of `objects`; empty if nothing is.
    """

    line: int
    objects: dict[str, str] = field(default_factory=dict)
    lists_objects: bool = False
    items: list[SeenState | SeenAction] = field(default_factory=list)
    jumps: bool = False
    left_out: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    mixed_types: str = ""

    def add_object(self, name: str, type_: str, line: int) -> None:
        """Note an object and its type; empty for none."""
        type_ = "" if type_ in UNTYPED else type_
        known = self.objects.setdefault(name, type_)
        if known != type_ and not self.mixed_types:
            one, other = (describe(word) if word else "untyped" for word in (known, type_))
            self.mixed_types = f"{describe(name)} is {one} first, and {other} in line {line}"


_PARTS = {"state": "state before", "next": "state after"}


class Entry(NamedTuple):
    """What stands for a line of a trace file.

    Attributes:
        value: The JSON object that the line would hold.
        line: Where it stands in the file.
        step: Its number in its trajectory, from 1; 0 for what is no step.
        lines: ``state`` and ``next`` to the line of the state and those of its atoms.
    """

    value: Mapping[str, object]
    line: int
    step: int = 0
    lines: Mapping[str, Sequence[int]] = {}

    def place(self, field: str) -> tuple[int, str]:
        """The line of a field such as ``next[2]``, and in words which part of the step it is in."""
        key, _, rest = field.partition("[")
        number = rest.partition("]")[0]
        lines = self.lines.get(key, [self.line])
        place = int(number) + 1 if number.isdigit() else 0
        return lines[min(place, len(lines) - 1)], _PARTS.get(key, "action")


def error(source: str, line: int, expected: str, found: str, remedy: str) -> TraceError:
    """The error to raise for what breaks a dialect."""
    return TraceError(
        f"expected {expected}, found {found}", place=f"{source}:{line}", remedy=remedy
    )
