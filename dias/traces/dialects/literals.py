"""Traces of literals as PDDLGym prints them: ``on(a:block,b:block)``.

As text, in turn a state (in brackets of any kind, or all that PDDLGym prints of one) and an
action, a line each::

    frozenset({on(a:block,b:block), clear(a:block), handempty()})
    unstack(a:block,b:block)
    frozenset({holding(a:block), clear(b:block)})

or as JSON, with the keys of a trace line: ``{"state": ["on(a:block,b:block)"], "action": …}``. In
text a state after a state begins a new trajectory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from dias.errors import TraceError
from dias.traces.dialects.seen import Dialect, SeenAction, SeenAtom, SeenState, Trajectory, error
from dias.traces.reading.fields import describe

PDDLGYM = Dialect("pddlgym", "PDDLGym-like literals")
EXAMPLE = "a literal such as on(a:block,b:block)"

_LITERAL = re.compile(r"""([^\s(){}\[\],:"']+)\(([^(){}\[\]"']*)\)""")
_PREFIX = re.compile(r"[A-Za-z ]+[:=]\s+")
_STATE = re.compile(r"(?:State\()?(?:literals=)?(?:frozenset)?[\[{(]", re.IGNORECASE)
_OBJECTS = re.compile(r"objects=(?:frozenset\()?[\[{(]([^\]})]*)", re.IGNORECASE)
_JSON = re.compile(r'\s*(\{\s*"|\[\s*\{)')
_BETWEEN = re.compile(r"[\s,\[\]{}()'\"]*")


def trajectories(text: str, name: str) -> list[Trajectory]:
    """The trajectories of a file, text or JSON.

    Raises:
        TraceError: Something else than states and actions, or JSON without the keys of a line.
    """
    return list(_from_json(text, name) if _JSON.match(text) else _from_text(text, name))


def _from_text(text: str, name: str) -> Iterator[Trajectory]:
    current: Trajectory | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        content = _PREFIX.sub("", line.strip(), count=1)
        if not content or content[0] == "#":
            continue
        is_state = _STATE.match(content) is not None
        if current and is_state and isinstance(current.items[-1], SeenState):
            yield current
            current = None
        current = current or Trajectory(number)
        if is_state:
            current.items.append(_text_state(content, number, current, name))
            continue
        literal = _LITERAL.fullmatch(content.strip("'\" "))
        if literal is None:
            raise _no_literal(name, number, content)
        current.items.append(SeenAction(number, _words(literal, number, current)))
    if current:
        yield current


def _text_state(text: str, line: int, trajectory: Trajectory, name: str) -> SeenState:
    """The state in a line; the objects that PDDLGym lists after it are noted."""
    listed = _OBJECTS.search(text)
    trajectory.lists_objects = listed is not None
    for word in re.split(r"[\s,]+", listed[1]) if listed else []:
        if object_ := word.strip("'\""):
            _note(object_, line, trajectory)
    text = text.partition("objects=")[0].partition("goal=")[0]
    begin = _STATE.match(text)
    place = begin.end() if begin else len(text)
    atoms = []
    while between := _BETWEEN.match(text, place):
        place = between.end()
        if place == len(text):
            break
        literal = _LITERAL.match(text, place)
        if literal is None:
            raise _no_literal(name, line, text[place:])
        atoms.append(SeenAtom(_words(literal, line, trajectory), line))
        place = literal.end()
    return SeenState(line, atoms, [])


def _words(literal: re.Match[str], line: int, trajectory: Trajectory) -> list[str]:
    """Predicate and objects of a literal; the objects are noted with their types."""
    arguments = filter(None, (part.strip() for part in literal[2].split(",")))
    return [literal[1], *(_note(argument, line, trajectory) for argument in arguments)]


def _note(argument: str, line: int, trajectory: Trajectory) -> str:
    """The object in ``a:block``, which is noted with its type."""
    name, _, type_ = argument.lower().partition(":")
    trajectory.add_object(name, type_, line)
    return name


def _no_literal(name: str, line: int, found: str) -> TraceError:
    remedy = "Write a state in brackets on one line, the action on the next"
    return error(name, line, EXAMPLE, describe(found), remedy)


def _from_json(text: str, name: str) -> Iterator[Trajectory]:
    """A trajectory for each line that holds one, and one for all lines that hold a transition."""
    transitions: Trajectory | None = None
    for value, line in _records(text, name):
        is_whole = "states" in value
        for key in ("states", "actions") if is_whole else ("state", "action", "next"):
            if key not in value:
                found = ", ".join(map(describe, value)) or "no key"
                raise error(name, line, f'the key "{key}" beside the others', found, "Add it")
        if not is_whole:
            transitions = transitions or Trajectory(line, jumps=True)
            _add_steps(transitions, [value["state"], value["next"]], [value["action"]], line, name)
            continue
        states, actions = value["states"], value["actions"]
        if not isinstance(states, list) or not isinstance(actions, list):
            raise error(name, line, "arrays of states and of actions",
                        f"{describe(states)} and {describe(actions)}", "Write them so")  # fmt: skip
        if len(states) != len(actions) + 1:
            raise error(name, line, f"{len(actions) + 1} states for {len(actions)} action(s)",
                        str(len(states)), "Add what is missing")  # fmt: skip
        whole = Trajectory(line)
        _add_steps(whole, states, actions, line, name)
        yield whole
    if transitions:
        yield transitions


def _add_steps(
    trajectory: Trajectory, states: list[object], actions: list[object], line: int, name: str
) -> None:
    for number, state in enumerate(states):
        if not isinstance(state, list):
            raise error(name, line, "a state: an array of literals", describe(state), "Write it so")
        atoms = [SeenAtom(_json_literal(item, line, trajectory, name), line) for item in state]
        trajectory.items.append(SeenState(line, atoms, []))
        if number < len(actions):
            action = _json_literal(actions[number], line, trajectory, name)
            trajectory.items.append(SeenAction(line, action))


def _records(text: str, name: str) -> Iterator[tuple[dict[str, object], int]]:
    """The objects of a JSON Lines file, or of one array, with the lines where they begin."""
    decoder, place, line = json.JSONDecoder(), 0, 1
    while place < len(text):
        if text[place] in " \t\r\n,[]":
            line += text[place] == "\n"
            place += 1
            continue
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as cause:
            line += text.count("\n", place, getattr(cause, "pos", place))
            raise error(name, line, "JSON", getattr(cause, "msg", "a nesting too deep"),
                        "Write an object for each step") from None  # fmt: skip
        if not isinstance(value, dict):
            raise error(name, line, "an object with the keys of a trace line", describe(value),
                        "Write an object for each step")  # fmt: skip
        yield value, line
        line += text.count("\n", place, end)
        place = end


def _json_literal(value: object, line: int, trajectory: Trajectory, name: str) -> list[str]:
    literal = _LITERAL.fullmatch(value.strip()) if isinstance(value, str) else None
    if literal is None:
        raise error(name, line, EXAMPLE, describe(value), "Write literals as PDDLGym prints them")
    return _words(literal, line, trajectory)
