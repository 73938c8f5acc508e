"""A header line: what it says of the problem that the lines after it belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from dias.strips.model import OBJECT
from dias.traces.reading.fields import FieldError, describe, parse_array, parse_atom, parse_name
from dias.traces.record import LabelMode

VERSION = "trace/1"
"""The version of the format, as headers name it."""
STATES_VERSION = "states/1"
"""What the headers of a file of states have in its place (`dias.traces.writer.write_states`)."""

ParameterTypes = tuple[tuple[str, ...], ...]
"""Per parameter the alternatives of its type."""


@dataclass(frozen=True)
class Header:
    """One header line. None stands for a key that the line does not have.

    Attributes:
        line: The line number; 0 for the header that a file without one is read under.
        domain: The domain name.
        problem: The problem name.
        labels: What the action arguments are.
        types: Type to parent type.
        predicates: Predicate to parameter types.
        objects: Object to type.
        constants: The objects that are constants of the domain.
        actions: The names of all actions.
        static: The atoms that hold in every state, as predicate and objects.
        one_of: Groups of atoms of which exactly one holds in every state.
        unlisted: What an atom is that no state lists: one of `UNLISTED`.
        unknown: The keys that the format does not have.
    """

    line: int = field(default=0, compare=False)
    domain: str | None = None
    problem: str | None = None
    labels: LabelMode | None = None
    types: Mapping[str, str] | None = None
    predicates: Mapping[str, ParameterTypes] | None = None
    objects: Mapping[str, str] | None = None
    constants: tuple[str, ...] = ()
    actions: tuple[str, ...] | None = None
    static: tuple[tuple[str, ...], ...] = ()
    one_of: tuple[tuple[tuple[str, ...], ...], ...] = ()
    unlisted: str = "false"
    unknown: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Equal headers have equal hashes; that the keys of a table are in it will do."""
        tables = (self.types, self.predicates, self.objects)
        return hash((self.problem, self.static, *(frozenset(table or ()) for table in tables)))

    def type_names(self) -> set[str]:
        """All types that are named anywhere, but not the root."""
        names = {*(self.types or {}), *(self.types or {}).values(), *(self.objects or {}).values()}
        for parameters in (self.predicates or {}).values():
            names.update(*parameters)
        return names - {OBJECT}


UNLISTED = ("false", "unknown")

KEYS = {"dias"} | {entry.name.replace("_", "-") for entry in fields(Header)} - {"line", "unknown"}


def parse_header(record: Mapping[str, object], line: int) -> Header:
    """The header in a JSON object.

    Raises:
        FieldError: Another version of the format, or a value of the wrong kind.
    """
    if record["dias"] != VERSION:
        remedy = "A file of states holds no transitions" if record["dias"] == STATES_VERSION else ""
        raise FieldError("dias", f'"{VERSION}"', describe(record["dias"]), remedy)

    def name(key: str) -> str | None:
        return parse_name(record[key], key) if key in record else None

    labels = None
    if "labels" in record:
        labels = LabelMode(_word(record["labels"], "labels", [mode.value for mode in LabelMode]))

    objects = _type_table(record, "objects")
    types = _type_table(record, "types")
    if types is not None and types.pop(OBJECT, OBJECT) != OBJECT:
        raise FieldError("types.object", "no parent, since it is the root", "one")
    predicates = None
    if "predicates" in record:
        predicates = {
            key: _parameter_types(value, f"predicates.{key}")
            for key, value in _named_items(record["predicates"], "predicates")
        }
    return Header(
        line=line,
        domain=name("domain"),
        problem=name("problem"),
        labels=labels,
        types=types,
        predicates=predicates,
        objects=objects,
        constants=_name_list(record.get("constants", []), "constants"),
        actions=_name_list(record["actions"], "actions") if "actions" in record else None,
        static=_atoms(record.get("static", []), "static"),
        one_of=tuple(
            _atoms(group, f"one-of[{place}]")
            for place, group in enumerate(parse_array(record.get("one-of", []), "one-of", "groups"))
        ),
        unlisted=_word(record.get("unlisted", "false"), "unlisted", UNLISTED),
        unknown=tuple(sorted(record.keys() - KEYS)),
    )


def _word(value: object, key: str, words: Sequence[str]) -> str:
    if value not in words:
        expected, found = ", ".join(f'"{word}"' for word in words), describe(value)
        raise FieldError(key, f"one of {expected}", found, name=found, known=words)
    return str(value)


def _atoms(value: object, field: str) -> tuple[tuple[str, ...], ...]:
    items = enumerate(parse_array(value, field, "atoms"))
    return tuple(parse_atom(item, f"{field}[{place}]") for place, item in items)


def _named_items(value: object, place: str) -> list[tuple[str, object]]:
    """The entries of a JSON object, keys as names, sorted; the order in the file has no say."""
    if not isinstance(value, dict):
        raise FieldError(place, "an object (a mapping from names)", describe(value))
    items: dict[str, object] = {}
    for key, entry in value.items():
        name = parse_name(key, place)
        if items.setdefault(name, entry) != entry:
            raise FieldError(f"{place}.{name}", "one entry (names ignore case)", "two that differ")
    return sorted(items.items(), key=lambda item: item[0])


def _type_table(record: Mapping[str, object], key: str) -> dict[str, str] | None:
    if key not in record:
        return None
    items = _named_items(record[key], key)
    return {name: parse_name(value, f"{key}.{name}") for name, value in items}


def _parameter_types(value: object, place: str) -> ParameterTypes:
    """One entry a parameter: a type, or an array of alternatives (``either``)."""
    parameters = []
    for number, entry in enumerate(parse_array(value, place, "types")):
        where = f"{place}[{number}]"
        alternatives = entry if isinstance(entry, list) and entry else [entry]
        parameters.append(tuple(sorted({parse_name(name, where) for name in alternatives})))
    return tuple(parameters)


def _name_list(value: object, key: str) -> tuple[str, ...]:
    names = enumerate(parse_array(value, key, "names"))
    return tuple(sorted({parse_name(name, f"{key}[{place}]") for place, name in names}))
