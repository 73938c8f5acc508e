"""The stretch of a trace file under one header: reads its states and actions, checks each name.

Every distinct atom is parsed and checked once; after that it is one look-up in a table. This is
what makes reading fast, and what keeps one copy of each atom and state in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from dias.errors import TraceError
from dias.strips.model import OBJECT, Atom, is_subtype
from dias.traces.places import place_of
from dias.traces.reading.beliefs import Rules, Seen, check_group, is_pair, read_belief
from dias.traces.reading.fields import FieldError, describe, parse_action, parse_array, parse_atom
from dias.traces.reading.header import Header
from dias.traces.reading.masks import Listing, check_forms
from dias.traces.reading.vocabulary import ARITY, N_ARGUMENTS, Vocabulary, agree
from dias.traces.record import LabelMode

KEYS = frozenset(
    {"dias", "state", "action", "next", "applicable", "states", "actions", "trace", "step"}
    | {"unknown", "next-unknown"}
)
N_KEYS_SHOWN = 6
"""Keys of a line of no known kind that a message repeats."""


Pool = dict[Any, Any]
"""The one copy of each atom and state that a file's transitions share, by itself."""


class ActionLabel(NamedTuple):
    """An action as read: its name, the arguments that are kept, and all that were written."""

    name: str
    arguments: tuple[str, ...]
    written: tuple[str, ...]


CheckedStep = tuple[Seen, ActionLabel, Seen | None]
"""State, action and next state; None where the action was refused."""
CheckedMask = tuple[frozenset[Atom], Listing]
"""A state and the actions that are applicable in it."""


class CheckedLine(NamedTuple):
    """What a line says."""

    steps: list[CheckedStep]
    masks: list[CheckedMask]


class Scope:
    """Reads the lines under one header.

    Args:
        header: The header.
        vocabulary: What the file has said so far; grows with new predicates and actions.
        pool: The shared copies.
        labels: What the arguments are, by the caller or the header; None if neither says.
        source: The file, for messages.

    Attributes:
        index: The segment's number, None until it has a transition or a refused attempt.
        static: The static atoms.
        rules: What the header says of all states.

    Raises:
        FieldError: A static atom or a group does not fit the header.
    """

    def __init__(
        self,
        header: Header,
        vocabulary: Vocabulary,
        pool: Pool,
        labels: LabelMode | None,
        source: str,
    ) -> None:
        self.header = header
        self.index: int | None = None
        self._labels = labels
        self._pool = pool
        self._source = source
        self._parents = vocabulary.parents()
        self._constants = vocabulary.constants
        self._arities = vocabulary.arities
        self._action_arities = vocabulary.action_arities
        self._atoms: dict[object, Atom] = {}
        self._actions: dict[object, ActionLabel] = {}
        self._listed: dict[object, ActionLabel] = {}
        for place, words in enumerate(header.static):
            self._atoms[words] = self._checked_atom(words, f"static[{place}]", header.line)
        self.static = frozenset(self._atoms.values())
        groups = []
        for place, group in enumerate(header.one_of):
            field = f"one-of[{place}]"
            atoms = [self._checked_atom(own, field, header.line) for own in group]
            check_group(atoms, self.static, field)
            groups.append(tuple(atoms))
        self.rules = Rules(self.static, tuple(groups), header.unlisted == "unknown")

    @property
    def mode(self) -> LabelMode:
        """What the arguments are; where nothing says so, there must be none."""
        return self._labels or LabelMode.NAMES

    def steps(
        self, record: Mapping[str, object], line: int, lines: Mapping[str, int] | None = None
    ) -> CheckedLine:
        """The steps of a transition line or a trajectory line, and what is applicable there.

        Args:
            record: The JSON object of the line.
            line: The line number.
            lines: Those of ``state`` and ``next``, where they stand in lines of their own.

        Raises:
            FieldError: The line breaks the format. What it says of names is then forgotten.
            TraceError: An action has arguments, and nothing says what they are.
        """
        tables: list[dict[Any, Any]]
        tables = [
            *(self._atoms, self._actions, self._listed),
            *(self._arities, self._action_arities),
        ]
        sizes = [len(table) for table in tables]
        try:
            if "states" in record:
                if "state" not in record and "next" not in record and "actions" in record:
                    return self._trajectory(record, line)
            elif "state" in record and "action" in record and "next" in record:
                own = lines or {}
                state = self._state(record, "state", own.get("state", line), "unknown")
                label = self._action(record["action"], "action", line)
                next_state = None
                if record["next"] is not None:
                    after = own.get("next", line)
                    next_state = self._state(record, "next", after, "next-unknown")
                elif "next-unknown" in record:
                    expected = "nothing beside a refused action"
                    raise FieldError("next-unknown", expected, "atoms")
                masks = []
                if "applicable" in record:
                    listing = self._listing(record["applicable"], "applicable", line)
                    masks.append((state.atoms, listing))
                return CheckedLine([(state, label, next_state)], masks)
            keys = [describe(key) for key in sorted(record)]
            odd = next((key for key in sorted(record) if key not in KEYS), "")
            more = ", …" if len(keys) > N_KEYS_SHOWN else ""
            raise FieldError(
                "",
                'the keys of a transition ("state", "action", "next"), a trajectory ("states",'
                ' "actions") or a header ("dias")',
                ", ".join(keys[:N_KEYS_SHOWN]) + more if keys else "no key",
                name=odd,
                known=KEYS.difference(record),
            )
        except FieldError:
            for table, size in zip(tables, sizes, strict=True):
                while len(table) > size:
                    table.popitem()  # the newest entry
            raise

    def objects(self) -> dict[str, str]:
        """Object to type, sorted: the file's constants and those of the header, or all seen ones.

        Those that were only seen are untyped.
        """
        objects = self.header.objects
        if objects is None:
            listed = chain(self._atoms.values(), *self.rules.one_of)
            seen = {term for atom in listed for term in atom.terms}
            seen.update(term for label in self.labels() for term in label.written)
            objects = dict.fromkeys(seen, OBJECT)
        return dict(sorted({**objects, **self._constants}.items()))

    def labels(self) -> set[ActionLabel]:
        """The distinct actions that were seen, as steps or as what is applicable."""
        return {*self._actions.values(), *self._listed.values()}

    def _trajectory(self, record: Mapping[str, object], line: int) -> CheckedLine:
        states = parse_array(record["states"], "states", "states")
        actions = parse_array(record["actions"], "actions", "actions")
        n = len(actions)
        if len(states) != n + 1:
            raise FieldError("states", f"{n + 1} states for {n} action(s)", str(len(states)))
        unknown: list[object] = [[]] * (n + 1)
        if "next-unknown" in record:
            remedy = 'Say with "unknown" what is unknown of each state'
            raise FieldError("next-unknown", 'no such key beside "states"', "it", remedy)
        if "unknown" in record:
            unknown = parse_array(record["unknown"], "unknown", "arrays, one for each state")
            if len(unknown) != n + 1:
                wanted = f"{n + 1} arrays for {n + 1} states"
                raise FieldError("unknown", wanted, str(len(unknown)))
        read = [
            self._read_state(value, f"states[{i}]", line, unknown[i], f"unknown[{i}]")
            for i, value in enumerate(states)
        ]
        labels = [self._action(value, f"actions[{i}]", line) for i, value in enumerate(actions)]
        listings = []
        if "applicable" in record:
            given = parse_array(record["applicable"], "applicable", "arrays, one for each state")
            if len(given) not in (n, n + 1):
                wanted = f"{n} or {n + 1} arrays for {n} action(s)"
                raise FieldError("applicable", wanted, str(len(given)))
            listings = [self._listing(v, f"applicable[{i}]", line) for i, v in enumerate(given)]
        return CheckedLine(
            list(zip(read, labels, read[1:], strict=False)),
            [(seen.atoms, listing) for seen, listing in zip(read, listings, strict=False)],
        )

    def _state(self, record: Mapping[str, object], key: str, line: int, unknown: str) -> Seen:
        return self._read_state(record[key], key, line, record.get(unknown, []), unknown)

    def _read_state(
        self, value: object, field: str, line: int, unknown: object, unknown_field: str
    ) -> Seen:
        items = parse_array(value, field, "atoms")
        if unknown or self.rules.is_any:
            return self._belief(items, field, line, unknown, unknown_field)
        known = self._atoms
        try:
            atoms = [known[tuple(item) if item.__class__ is list else item] for item in items]
        except (KeyError, TypeError):  # an atom not met before, a probability, or no atom at all
            if any(map(is_pair, items)):
                return self._belief(items, field, line, unknown, unknown_field)
            atoms = [self._atom(item, f"{field}[{i}]", line) for i, item in enumerate(items)]
        state = frozenset(atoms)
        if not self.static.isdisjoint(state):
            state -= self.static
        return Seen(self._pool.setdefault(state, state))

    def _belief(
        self, items: list[object], field: str, line: int, unknown: object, unknown_field: str
    ) -> Seen:
        """A state that is not certain; states and pairs that are alike are kept once."""
        seen = read_belief(
            items,
            field,
            parse_array(unknown, unknown_field, "atoms"),
            unknown_field,
            lambda value, where: self._atom(value, where, line),
            self.rules,
        )
        keep = self._pool.setdefault
        soft = frozenset(keep(pair, pair) for pair in seen.soft)
        return Seen(keep(seen.atoms, seen.atoms), keep(soft, soft))

    def _atom(self, value: object, field: str, line: int) -> Atom:
        key = _key(value)
        atom = self._atoms.get(key)
        if atom is None:
            atom = self._checked_atom(parse_atom(value, field), field, line)
            self._atoms[key] = atom
        return atom

    def _checked_atom(self, words: tuple[str, ...], field: str, line: int) -> Atom:
        name, terms = words[0], words[1:]
        types = None
        if self.header.predicates is not None:
            types = self.header.predicates.get(name)
            if types is None:
                raise self._undeclared(field, name, "predicates", self.header.predicates)
        agree(self._arities, name, len(terms), line, partial(ARITY, name), field)
        for place, term in enumerate(terms):
            self._check_object(term, field, types[place] if types else None)
        atom = Atom(name, terms)
        shared: Atom = self._pool.setdefault(atom, atom)
        return shared

    def _listing(self, value: object, field: str, line: int) -> Listing:
        """The actions that are applicable in a state."""
        found: set[tuple[str, tuple[str, ...]]] = set()
        for place, item in enumerate(parse_array(value, field, "actions")):
            label = self._listed.get(_key(item))
            if label is None:
                where = f"{field}[{place}]"
                words = parse_action(item, where)
                known = self.header.actions
                if known is not None and words[0] not in known:
                    raise self._undeclared(where, words[0], "actions", known)
                label = self._checked_action(words, where, line, may_be_name=True)
                self._listed[_key(item)] = label
            found.add((label.name, label.arguments))
        check_forms(found, field)
        shared: Listing = self._pool.setdefault(frozenset(found), frozenset(found))
        return shared

    def _action(self, value: object, field: str, line: int) -> ActionLabel:
        key = _key(value)
        label = self._actions.get(key)
        if label is None:
            label = self._checked_action(parse_action(value, field), field, line)
            self._actions[key] = label
        return label

    def _checked_action(
        self, words: tuple[str, ...], field: str, line: int, may_be_name: bool = False
    ) -> ActionLabel:
        """`may_be_name`: without arguments it is any ground action of the name."""
        name, written = words[0], words[1:]
        for term in written:
            self._check_object(term, field)
        if written and self._labels is None:
            raise TraceError(
                f"{field}: expected a name without arguments, since no header says what arguments"
                f" are, found ({' '.join(words)})",
                place=place_of(self._source, line),
                remedy='Add "labels": "full", "partial" or "names" to the header or pass --labels',
            )
        arguments = () if self.mode is LabelMode.NAMES else written
        if arguments or not may_be_name:
            n = len(arguments)
            agree(self._action_arities, name, n, line, partial(N_ARGUMENTS, name), field)
        return ActionLabel(name, arguments, written)

    def _check_object(self, name: str, field: str, types: tuple[str, ...] | None = None) -> None:
        if self.header.objects is None:
            return
        type_ = self.header.objects.get(name) or self._constants.get(name)
        if type_ is None:
            raise self._undeclared(field, name, "objects", self.header.objects)
        if types and not is_subtype(type_, types, self._parents):
            wanted = " or ".join(types)
            raise FieldError(field, f"an object of type {wanted}", f"{name} of type {type_}")

    def _undeclared(self, field: str, name: str, key: str, known: Collection[str]) -> FieldError:
        remedy = f"Correct the name, or add it to the header in line {self.header.line}"
        return FieldError(field, f'a name from "{key}"', name, remedy, name, known)


def _key(value: object) -> object:
    """What the tables know a string or an array of strings by; None for any other value."""
    if isinstance(value, list):
        return tuple(value) if all(isinstance(word, str) for word in value) else None
    return value if isinstance(value, str) else None
