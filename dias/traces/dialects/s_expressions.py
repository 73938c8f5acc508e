"""Traces as s-expressions: those of AMLGym, SAM, L1, NOLAM, OffLAM and FAMA.

They differ in the words that stand before a state or an action, and in what an atom is that a state
does not list.
"""

from __future__ import annotations

from collections.abc import Iterator

from dias.errors import PDDLInputError, TraceError
from dias.strips.pddl.text import Group, Node, Source, Word, read_groups
from dias.traces.dialects.seen import (
    EQUALITIES,
    NUMBERS,
    Dialect,
    SeenAction,
    SeenAtom,
    SeenState,
    Trajectory,
    error,
)
from dias.traces.reading.fields import describe

STATES = frozenset({":state", "state", ":init", "init"})
OBSERVATIONS = frozenset({":observation", "observation"})
ACTIONS = frozenset({":action", "action", "action:"})
OPERATORS = frozenset({":operator", "operator", "operator:"})
JOINT = frozenset({"operators:", ":operators", "operators"})
"""What stands before actions that several agents take together."""
STATUS = ":transition_status"
"""What stands before whether the action before it was a success or a failure."""


AMLGYM = Dialect("amlgym", "AMLGym", STATES, ACTIONS | OPERATORS)
SAM = Dialect("sam", "SAM", STATES, OPERATORS | ACTIONS)
L1 = Dialect("l1", "L1", STATES, OPERATORS | ACTIONS)
NOLAM = Dialect("nolam", "NOLAM", STATES | OBSERVATIONS, ACTIONS, unlisted_is_unknown=True)
OFFLAM = Dialect("offlam", "OffLAM", STATES | OBSERVATIONS, ACTIONS, unlisted_is_unknown=True)
FAMA = Dialect("fama", "FAMA", frozenset({":init", ":observations", ":goal"}), frozenset())
S_EXPRESSIONS = {dialect.name: dialect for dialect in (AMLGYM, SAM, L1, NOLAM, OFFLAM, FAMA)}


def detect(groups: list[Group]) -> Dialect | None:
    """Whose trace it is, by the first group and the words in it; None if nobody's.

    Files of L1 and NOLAM begin alike, and differ in what stands before an action.
    """
    if not groups:
        return None
    heads = {item.head for item in groups[0].items if isinstance(item, Group)}
    match groups[0].head:
        case ":trajectory":
            return AMLGYM
        case "trajectory":
            return NOLAM if heads & (OBSERVATIONS | ACTIONS) else L1
        case "observation" | ":observation":
            return OFFLAM
        case "solution":
            return FAMA
        case "" if heads & (STATES | {":objects"}):
            return SAM
    return None


def groups_of(source: Source, start: int = 0, end: int | None = None) -> list[Group]:
    """The top-level groups of a text, or of the part of it between two offsets.

    Raises:
        TraceError: Unbalanced parentheses, or text outside them.
    """
    try:
        return read_groups(source, start, end)
    except PDDLInputError as cause:
        raise TraceError(cause.problem, place=cause.place, remedy=cause.remedy) from cause


def trajectories(source: Source, groups: list[Group], dialect: Dialect) -> list[Trajectory]:
    """Each top-level group as a trajectory.

    Raises:
        TraceError: Something else than objects, states and actions.
    """
    return [_trajectory(source, group, dialect) for group in groups]


def _trajectory(source: Source, group: Group, dialect: Dialect) -> Trajectory:
    trajectory = Trajectory(source.line(group))
    items = group.items[1:] if group.head else group.items
    for node in items:
        head = node.head if isinstance(node, Group) else node.text
        if isinstance(node, Group) and head == ":objects":
            _read_objects(node, trajectory, source)
        elif isinstance(node, Group) and head in dialect.states:
            trajectory.items.append(_state(node, trajectory, source))
        elif isinstance(node, Group) and (
            head in dialect.actions or (not dialect.actions and head[:1] not in ("", ":"))
        ):
            trajectory.items.append(_action(node, dialect, source))
        elif head == STATUS and trajectory.items and isinstance(trajectory.items[-1], SeenAction):
            action = trajectory.items[-1]
            trajectory.items[-1] = action._replace(is_refused=_is_failure(node, source))
        else:
            wanted = sorted(dialect.states | dialect.actions)
            if head in JOINT:
                raise error(
                    source.name, source.line(node), "one action at a time",
                    f"joint actions of several agents (`{head}`)", "They cannot be read",
                )  # fmt: skip
            raise error(
                source.name, source.line(node),
                f"a state or an action as {dialect.title} writes them ({', '.join(wanted)})",
                f"`{head or '('}`",
                "Is it another dialect? `dias convert -f DIALECT` names it",
            )  # fmt: skip
    return trajectory


def _read_objects(group: Group, trajectory: Trajectory, source: Source) -> None:
    trajectory.lists_objects = True
    for name, type_, node in typed_names(group.items[1:], source):
        trajectory.add_object(name, type_, source.line(node))


def typed_names(items: list[Node], source: Source) -> Iterator[tuple[str, str, Word]]:
    """Names with their types, empty where none is given: ``a b - block c``.

    Raises:
        TraceError: A group among the names, or a ``-`` without a name or a type.
    """
    waiting: list[Word] = []
    words = iter(items)
    for node in words:
        if isinstance(node, Word) and node.text != "-":
            waiting.append(node)
            continue
        type_ = next(words, None) if isinstance(node, Word) else None
        if not waiting or not isinstance(type_, Word):
            raise error(
                source.name, source.line(node), "names with their types, as in `a b - block`",
                "a group" if isinstance(node, Group) else "a `-` without a name or a type",
                "Correct the list",
            )  # fmt: skip
        yield from ((word.text, type_.text, word) for word in waiting)
        waiting = []
    yield from ((word.text, "", word) for word in waiting)


def _action(group: Group, dialect: Dialect, source: Source) -> SeenAction:
    """``(operator: (op x y))``, ``(:action op x y)``, or FAMA's ``(op x y)``."""
    items: list[Node] = group.items
    if dialect.actions:
        items = group.items[1:]
        if len(items) == 1 and isinstance(items[0], Group):
            items = items[0].items
    return SeenAction(source.line(group), [plain(item) for item in items])


def _is_failure(node: Node, source: Source) -> bool:
    """What ``(:transition_status (failure))`` says."""
    words = node.items[1:] if isinstance(node, Group) else []
    if len(words) == 1 and isinstance(words[0], Group):
        words = words[0].items
    status = words[0].text if len(words) == 1 and isinstance(words[0], Word) else ""
    if status not in ("success", "failure"):
        raise error(
            source.name, source.line(node), "`success` or `failure`", f"`{status or '('}`",
            "Correct the status",
        )  # fmt: skip
    return status == "failure"


def _state(group: Group, trajectory: Trajectory, source: Source) -> SeenState:
    inner = group.items[1:]
    if group.head in OBSERVATIONS and len(inner) == 1 and isinstance(inner[0], Group):
        inner = inner[0].items[1:] if inner[0].head in STATES else inner
    return read_state(inner, source.line(group), trajectory, source)


def read_state(
    items: list[Node], line: int, trajectory: Trajectory, source: Source, typed: bool = False
) -> SeenState:
    """A state from its literals; equalities and numbers are left out.

    Args:
        items: The literals, in groups of ``and`` or not.
        line: Where the state stands.
        trajectory: Where what is left out, and types, are noted.
        source: The file.
        typed: Whether atoms give the types of their objects: ``(at t - truck p - place)``.
    """
    state = SeenState(line, [], [])
    waiting = list(reversed(items))
    while waiting:
        node = waiting.pop()
        positive = True
        if isinstance(node, Group) and node.head == "and" and _only_groups(node.items[1:]):
            waiting += reversed(node.items[1:])
            continue
        if isinstance(node, Group) and node.head == "not":
            if len(node.items) != 2:
                raise error(
                    source.name, source.line(node), "one atom in a `not`, as in (not (on a b))",
                    str(len(node.items) - 1), "Correct it",
                )  # fmt: skip
            node, positive = node.items[1], False
        at = source.line(node)
        if isinstance(node, Group) and node.head == "=":
            if len(node.items) != 3:
                raise error(
                    source.name, at, "two sides of a `=`", str(len(node.items) - 1), "Correct it"
                )
            is_plain = all(isinstance(item, Word) for item in node.items[1:])
            trajectory.left_out[EQUALITIES if is_plain else NUMBERS].append(at)
            continue
        if isinstance(node, Word) and not positive:
            raise error(
                source.name, at, "an atom in a `not`, as in (not (on a b))", f"`{node.text}`",
                "Put it in parentheses",
            )  # fmt: skip
        if typed and isinstance(node, Group) and node.items:
            node = _without_types(node, trajectory, source)
        (state.true if positive else state.false).append(SeenAtom(plain(node), at))
    true = [atom.value for atom in state.true] if state.false else []
    for atom in state.false:
        if atom.value in true:
            raise error(
                source.name, atom.line, "each atom to be true or false",
                f"{describe(atom.value)} to be both", "Remove one of the two",
            )  # fmt: skip
    return state


def _only_groups(items: list[Node]) -> bool:
    return all(isinstance(item, Group) for item in items)


def _without_types(group: Group, trajectory: Trajectory, source: Source) -> Group:
    """An atom or action without the types of its objects, which are noted."""
    words = list(typed_names(group.items[1:], source))
    for name, type_, word in words:
        trajectory.add_object(name, type_, source.line(word))
    return Group([group.items[0], *(word for _, _, word in words)], group.start)


def typed_action(group: Group, line: int, trajectory: Trajectory, source: Source) -> SeenAction:
    """An action that gives the types of its objects: ``(fly p - plane c - city)``."""
    return SeenAction(line, plain(_without_types(group, trajectory, source)))


def plain(node: Node) -> object:
    """A word as its text, a group as a list: what a trace line would hold."""
    if isinstance(node, Word):
        return node.text
    return [
        item.text if isinstance(item, Word) else [w.text for w in item.items if isinstance(w, Word)]
        for item in node.items
    ]
