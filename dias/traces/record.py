"""What a trace file holds: segments, transitions, refused attempts, masks, as plain values."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from dias.strips.codes import AtomCodes, State
from dias.strips.model import Atom, Predicate
from dias.traces.places import place_of

Soft = frozenset[tuple[Atom, float]]
"""Atoms of a state that are not certain, with their probabilities; unknown is `HALF`."""

HALF = 0.5
"""The probability of an atom of which nothing is known."""


class LabelMode(enum.Enum):
    """What the action arguments in a trace are; the value is the word in the file.

    Paper: Section "Problem formulation" (``sec:problem-formulation``).
    """

    FULL = "full"
    """All arguments, in the order of the schema."""
    STRIPS_PLUS = "partial"
    """The leading arguments, those that are given explicitly in STRIPS+."""
    NAMES = "names"
    """None: the action name alone."""


@dataclass(frozen=True)
class Segment:
    """The problem that a stretch of the file belongs to.

    Attributes:
        problem: The problem name, empty if the file gives none.
        objects: Object to type, sorted by name.
        static: The atoms that hold in every state; no state contains them.
        one_of: Groups of atoms of which exactly one holds in every state.
        is_open: Whether atoms that a state does not list are unknown there; else they are false.
    """

    problem: str
    objects: Mapping[str, str]
    static: frozenset[Atom]
    one_of: tuple[tuple[Atom, ...], ...] = ()
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Transition:
    """One distinct transition (s, a, s′).

    Attributes:
        segment: Index into `Traces.segments`.
        state: The atoms true in s, without the static ones.
        action: The action name.
        arguments: The arguments that the label mode lets through; empty for `LabelMode.NAMES`.
        next_state: The atoms true in s′, without the static ones.
        count: How often the transition occurs, at least 1.
        line: The line where it occurs first (of several files a `dias.traces.places.Line`).
        last_line: The line where it occurs last.
        soft: What of s is not certain; `state` then holds the atoms that rather hold than not. In
            an open segment the atoms that are false for sure are listed, too.
        next_soft: The same of s′.
        walk: The walk in which it occurs, or occurs first: what is seen before and after says what
            was not seen, or was seen wrong. None if nothing says.
        step: Its place in the walk.
    """

    segment: int
    state: frozenset[Atom]
    action: str
    arguments: tuple[str, ...]
    next_state: frozenset[Atom]
    count: int
    line: int
    last_line: int
    soft: Soft = frozenset()
    next_soft: Soft = frozenset()
    walk: str | int | None = None
    step: int | None = None

    def steps_until(self, line: int) -> int:
        """How many of its occurrences stand in the lines up to this one.

        Lines in between are not kept, so they are taken to be spread evenly.
        """
        if line < self.line:
            return 0
        if line >= self.last_line:
            return self.count
        return 1 + (self.count - 1) * (line - self.line) // (self.last_line - self.line)


@dataclass(frozen=True, slots=True)
class RefusedAction:
    """An action that was tried in a state and refused: a negative example.

    Attributes are those of `Transition`, but for the next state, the last line and the walk.
    """

    segment: int
    state: frozenset[Atom]
    action: str
    arguments: tuple[str, ...]
    count: int
    line: int
    soft: Soft = frozenset()


@dataclass(frozen=True, slots=True)
class Mask:
    """Which actions are applicable in a state, as an action mask gives it; all else is refused.

    Attributes:
        segment: Index into `Traces.segments`.
        state: The atoms true in it, without the static ones.
        listed: Action names, each with the arguments that the label mode lets through; without
            any where the name alone is given: some ground action of that name is applicable.
        line: The first line that gives it.
        unclear: Actions of which the file says different things in this state.
    """

    segment: int
    state: frozenset[Atom]
    listed: frozenset[tuple[str, tuple[str, ...]]]
    line: int
    unclear: frozenset[str] = frozenset()

    def arguments(self, action: str) -> frozenset[tuple[str, ...]]:
        """What is listed of an action; nothing if it is refused altogether."""
        return frozenset(arguments for name, arguments in self.listed if name == action)

    def refuses(self, action: str, arguments: tuple[str, ...]) -> bool:
        """Whether no ground action of that name that begins with the arguments is applicable."""
        is_listed = not self.listed.isdisjoint([(action, ()), (action, arguments)])
        return not is_listed and action not in self.unclear


@dataclass(frozen=True, slots=True)
class ActionMask:
    """What a mask says of one action.

    Attributes:
        mask: The mask.
        listed: The first arguments of each applicable ground action, as object numbers; none if the
            action is refused.
        n_known: How many of the arguments are said; 0 where the name alone is listed, or nothing.
    """

    mask: Mask
    listed: frozenset[tuple[int, ...]]
    n_known: int


@dataclass(frozen=True)
class Traces:
    """The content of a trace file, or of several as if one held all.

    Attributes:
        source: The file or files, as messages name them.
        domain: The domain name, empty if the file gives none.
        labels: What the arguments are.
        types: Type to parent type, sorted by name; the root ``object`` is implied.
        predicates: Declared and seen predicates, sorted by name.
        actions: Declared and seen action names, sorted.
        segments: In order of first use.
        transitions: The distinct transitions, in order of first appearance.
        refused: The distinct refused attempts, in order of first appearance.
        findings: What is no error but worth knowing, one line each.
        constants: Constant of the domain to type, sorted by name; each is an object of every
            segment.
        masks: What is applicable in states, one for each that the file says it of, in order of
            first appearance.
        files: The files, if there are several; each line then says its own.
    """

    source: str
    domain: str
    labels: LabelMode
    types: Mapping[str, str]
    predicates: tuple[Predicate, ...]
    actions: tuple[str, ...]
    segments: tuple[Segment, ...]
    transitions: tuple[Transition, ...]
    refused: tuple[RefusedAction, ...] = ()
    findings: tuple[str, ...] = ()
    constants: Mapping[str, str] = field(default_factory=dict)
    masks: tuple[Mask, ...] = ()
    files: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Without what is kept with them, such as the codes: a copy makes its own."""
        return {own.name: getattr(self, own.name) for own in fields(self)}

    def place(self, line: int) -> str:
        """File and line, as messages name them."""
        return place_of(self.source, line)

    @cached_property
    def codes(self) -> tuple[AtomCodes, ...]:
        """Per segment the numbering of its ground atoms."""
        arities = {predicate.name: predicate.arity for predicate in self.predicates}
        return tuple(AtomCodes(arities, list(segment.objects)) for segment in self.segments)

    def encode(self, segment: int, state: frozenset[Atom]) -> State:
        """The codes of a state of a segment; each state is coded once."""
        known = self._coded[segment]
        if state not in known:
            known[state] = self.codes[segment].encode_state(state)
        return known[state]

    @cached_property
    def _coded(self) -> tuple[dict[frozenset[Atom], State], ...]:
        return tuple({} for _ in self.segments)

    def masks_of(self, action: str) -> tuple[ActionMask, ...]:
        """What the masks say of an action, but where that is unclear."""
        return self._masks_of.get(action, ())

    @cached_property
    def _masks_of(self) -> dict[str, tuple[ActionMask, ...]]:
        found: dict[str, list[ActionMask]] = {action: [] for action in self.actions}
        for mask in self.masks:
            number = self.codes[mask.segment].object_number
            listed: dict[str, set[tuple[int, ...]]] = {}
            for action, arguments in mask.listed:
                own = tuple(number[name] for name in arguments)
                listed.setdefault(action, set()).add(own)
            for action in found.keys() - mask.unclear:
                rows = frozenset(listed.get(action, ()))
                n_known = len(next(iter(rows), ()))
                found[action].append(ActionMask(mask, rows, n_known))
        return {action: tuple(own) for action, own in found.items()}

    def is_unchanged(self, t: Transition) -> bool:
        """Whether it is certain that a transition changes nothing."""
        is_open = self.segments[t.segment].is_open
        return t.state == t.next_state and not (t.soft or t.next_soft or is_open)

    @cached_property
    def is_soft(self) -> bool:
        """Whether some atom of some state is not certain."""
        return (
            any(segment.is_open for segment in self.segments)
            or any(t.soft or t.next_soft for t in self.transitions)
            or any(attempt.soft for attempt in self.refused)
        )

    @property
    def n_steps(self) -> int:
        """Number of transitions, repeats counted."""
        return sum(transition.count for transition in self.transitions)

    @cached_property
    def object_types(self) -> frozenset[str]:
        """The types that objects are declared to be of, without those above."""
        return frozenset().union(*(segment.objects.values() for segment in self.segments))

    @cached_property
    def changing_predicates(self) -> frozenset[str]:
        """The predicates of the atoms that some transition changes."""
        changed = (atom for t in self.transitions for atom in t.state ^ t.next_state)
        return frozenset(atom.predicate for atom in changed)

    @cached_property
    def differing_atoms(self) -> frozenset[Atom]:
        """The atoms that hold in some states and not in others, static ones included."""
        states = {(t.segment, s) for t in self.transitions for s in (t.state, t.next_state)}
        states |= {(refused.segment, refused.state) for refused in self.refused}
        whole = [self.segments[number].static | state for number, state in states]
        return frozenset().union(*whole).difference(frozenset.intersection(*whole) if whole else ())

    @cached_property
    def state_predicates(self) -> tuple[frozenset[str], ...]:
        """Per segment the predicates that occur in its states, static atoms not counted."""
        found: list[set[str]] = [set() for _ in self.segments]
        states = {(t.segment, s) for t in self.transitions for s in (t.state, t.next_state)}
        states |= {(refused.segment, refused.state) for refused in self.refused}
        for segment, state in states:
            found[segment].update(atom.predicate for atom in state)
        return tuple(map(frozenset, found))

    @property
    def unobserved(self) -> tuple[str, ...]:
        """The actions without a transition, sorted."""
        observed = {transition.action for transition in self.transitions}
        return tuple(name for name in self.actions if name not in observed)
