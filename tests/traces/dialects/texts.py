"""The same walk through a garden as each project would write it.

A tank n is opened, waters the rose, and is shut again; a pipe leads from it to the rose.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from dias.strips.model import Atom
from dias.traces.reading.reader import read_traces
from dias.traces.record import Traces

STATES = [
    ("(shut n)", "(dry rose)"),
    ("(open n)", "(dry rose)"),
    ("(open n)", "(wet rose)"),
    ("(shut n)", "(wet rose)"),
]
ACTIONS = ["(turn-on n)", "(water n rose)", "(turn-off n)"]
ATOMS = sorted({atom for state in STATES for atom in state})
PIPE = "(pipe n rose)"


def state(number: int, with_false: bool = False) -> str:
    """The literals of a state; those that do not hold too where that is wanted."""
    false = [f"(not {atom})" for atom in ATOMS if atom not in STATES[number]] * with_false
    return " ".join([*STATES[number], PIPE, *false])


def alternating(first: str, after: str, action: str, with_false: bool = False) -> str:
    """States and actions in turn, a line each, in the given forms."""
    lines = [first.format(state(0, with_false))]
    for number, text in enumerate(ACTIONS):
        lines += [action.format(text), after.format(state(number + 1, with_false))]
    return "\n".join(lines)


LISTED = "(:objects n - tank rose - bed)"
STATE, ACTION, OPERATOR = "(:state {})", "(:action {})", "(operator: {})"


def pddlgym(text: str) -> str:
    """The same literals as PDDLGym prints them."""
    literals = []
    for words in (part.strip("( )").split() for part in text.split(")") if part.strip()):
        arguments = [f"{name}:{'bed' if name == 'rose' else 'tank'}" for name in words[1:]]
        literals.append(f"{words[0]}({','.join(arguments)})")
    return ", ".join(literals)


PLANMINER = "New plan!!!\n\n##Tasks##\n"
PLANMINER += "[0, 2]: (TURN-ON N - TANK)\n[2, 5]: (WATER N - TANK ROSE - BED)\n"
PLANMINER += "[5, 6]: (TURN-OFF N - TANK)\n\n\n##States##\n"


def _typed(text: str) -> str:
    return text.replace(" n", " n - tank").replace(" rose", " rose - bed").upper()


for _time, _number in ((5, 2), (0, 0), (6, 3), (2, 1)):  # in no order
    PLANMINER += f"[{_time}]: {_typed(state(_number, True)).replace('(NOT', '(not')}\n\n"

TEXTS = {
    "amlgym": f"(:trajectory\n\n{alternating(STATE, STATE, ACTION)}\n)\n",
    "sam": f"({alternating('(:init {})', STATE, OPERATOR)}\n)\n",
    "l1": f"(trajectory\n{LISTED}\n{alternating('(:init {})', STATE, OPERATOR)}\n)\n",
    "nolam": (
        f"(trajectory\n{LISTED}\n"
        f"{alternating('(observation (:state {}))', '(observation (:state {}))', '(action {})')})"
    ),
    "offlam": f"(observation\n\n{alternating(STATE, STATE, ACTION, with_false=True)}\n\n)",
    "fama": (
        "(solution \n(:objects n -  tank rose -  bed )\n"
        + f"(:init {state(0)})\n"
        + alternating("(:observations {})", "(:observations {})", "{}")[::-1].replace(
            ":observations"[::-1], ":goal"[::-1], 1
        )[::-1]
        + ")\n"
    ),
    "planminer": PLANMINER,
    "pddlgym": "\n".join(
        line
        for number in range(4)
        for line in (
            f"frozenset({{{pddlgym(state(number))}}})",
            *(pddlgym(action) for action in ACTIONS[number : number + 1]),
        )
    ),
}
"""Dialect to a file of it."""
TYPED = ("l1", "nolam", "fama", "planminer", "pddlgym")
"""Those that give types."""


def read(text: str | bytes, name: str = "walk.txt", **options) -> Traces:
    """What the reader makes of a file with this content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_traces(path, **options)


def atoms(text: str) -> frozenset[Atom]:
    """The atoms in a text such as ``(a x) (b y)``."""
    parts = [part.strip("( ").split() for part in text.split(")") if part.strip()]
    return frozenset(Atom(words[0], tuple(words[1:])) for words in parts)


def walk() -> list[tuple[frozenset[Atom], str, frozenset[Atom]]]:
    """The steps that every file above holds."""
    return [
        (atoms(state(number)), action, atoms(state(number + 1)))
        for number, action in enumerate(ACTIONS)
    ]


def steps(traces: Traces) -> list[tuple[frozenset[Atom], str, frozenset[Atom]]]:
    """The steps of traces in which none is repeated."""
    return [(t.state, str(Atom(t.action, t.arguments)), t.next_state) for t in traces.transitions]
