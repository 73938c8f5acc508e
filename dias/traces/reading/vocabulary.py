"""What the lines of a trace file say together of its domain; later lines must agree with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from dias.strips.model import OBJECT, Predicate
from dias.traces.reading.fields import FieldError
from dias.traces.reading.header import Header, ParameterTypes

T = TypeVar("T")
ARITY = "predicate {} of arity {}".format
N_ARGUMENTS = "action {} with {} argument(s)".format


def agree(
    said: dict[str, tuple[T, int]],
    name: str,
    value: T,
    line: int,
    show: Callable[[T], str],
    place: str = "",
) -> None:
    """Note what `line` says of `name`, unless an earlier line said otherwise.

    Args:
        said: Name to what was said of it and the line that said it first.
        name: The name.
        value: What the line says of it.
        line: The line number.
        show: Words for a value.
        place: The field of the line.

    Raises:
        FieldError: An earlier line said something else; the message names that line.
    """
    earlier, earlier_line = said.setdefault(name, (value, line))
    if earlier != value:
        raise FieldError(place, f"{show(earlier)} as in line {earlier_line}", show(value))


def _signature(predicate: str, parameters: ParameterTypes) -> str:
    return f"({' '.join((predicate, *('/'.join(either) for either in parameters)))})"


class Vocabulary:
    """What the lines of a file say together of domain, types, predicates, constants, actions.

    Attributes:
        domain: ``"domain"`` to the domain name and the line that gives it.
        types: Type to parent type and line, as the headers give them.
        predicates: Predicate to parameter types and line, as the headers give them.
        arities: Predicate to arity and line, those of atoms in untyped segments included.
        action_arities: Action to number of arguments and line.
        constants: Constant to type, as the headers give them; the root where none does.
        actions: The actions that headers list.
    """

    def __init__(self) -> None:
        self.domain: dict[str, tuple[str, int]] = {}
        self.types: dict[str, tuple[str, int]] = {}
        self.predicates: dict[str, tuple[ParameterTypes, int]] = {}
        self.arities: dict[str, tuple[int, int]] = {}
        self.action_arities: dict[str, tuple[int, int]] = {}
        self.constants: dict[str, str] = {}
        self.actions: set[str] = set()
        self._type_names: set[str] = set()
        self._object_types: dict[str, dict[str, int]] = {}  # object to type to its first line

    def add(self, header: Header) -> None:
        """Take in one header.

        Raises:
            FieldError: It contradicts an earlier line or itself.
        """
        line = header.line
        if header.domain is not None:
            agree(self.domain, "domain", header.domain, line, "domain {}".format)
        for name, parent in (header.types or {}).items():
            agree(self.types, name, parent, line, partial("type {} with parent {}".format, name))
        self._refuse_cycles()
        for name, types in (header.predicates or {}).items():
            agree(self.arities, name, len(types), line, partial(ARITY, name))
            agree(self.predicates, name, types, line, partial(_signature, name))
        if header.types is not None:
            self._refuse_undeclared_types(header)
        self._add_constants(header)
        self.actions.update(header.actions or ())
        self._type_names |= header.type_names()

    def parents(self) -> dict[str, str]:
        """Type to parent type, as the headers give them so far."""
        return {name: parent for name, (parent, _) in self.types.items()}

    def all_types(self) -> dict[str, str]:
        """Type to parent type, sorted; a type that is only used is a child of the root."""
        parents = self.parents()
        return {name: parents.get(name, OBJECT) for name in sorted(self._type_names)}

    def all_predicates(self, typed: bool) -> tuple[Predicate, ...]:
        """The declared and the seen predicates, sorted; with their types only if `typed`."""
        predicates = []
        for name, (arity, _) in sorted(self.arities.items()):
            types: ParameterTypes = ((OBJECT,),) * arity
            if typed and name in self.predicates:
                types = self.predicates[name][0]
            predicates.append(Predicate(name, types))
        return tuple(predicates)

    def _add_constants(self, header: Header) -> None:
        """A constant exists in every problem of the domain, so it has one type in all of them."""
        known = header.objects
        for name, type_ in (known or {}).items():
            self._object_types.setdefault(name, {}).setdefault(type_, header.line)
        for place, name in enumerate(header.constants):
            if known is not None and name not in known and name not in self.constants:
                field, remedy = f"constants[{place}]", 'Correct it, or add it to "objects"'
                raise FieldError(field, 'a name from "objects"', name, remedy, name, known)
        for name in sorted({*header.constants, *self.constants}):
            types = self._object_types.get(name, {OBJECT: header.line})
            if len(types) > 1:
                found = " and ".join(f"{type_} in line {line}" for type_, line in types.items())
                raise FieldError("constants", f"one type for {name} in all headers", found)
            self.constants[name] = next(iter(types))

    def _refuse_cycles(self) -> None:
        sound: set[str] = set()
        for name in self.types:
            chain: list[str] = []
            on_chain: set[str] = set()
            while name in self.types and name not in sound:
                if name in on_chain:
                    cycle = " - ".join((*chain[chain.index(name) :], name))
                    raise FieldError("types", "a hierarchy without cycles", cycle)
                chain.append(name)
                on_chain.add(name)
                name = self.types[name][0]
            sound.update(chain)

    def _refuse_undeclared_types(self, header: Header) -> None:
        declared = {OBJECT, *self.types, *(parent for parent, _ in self.types.values())}
        used: list[tuple[str, tuple[str, ...]]]
        used = [(f"objects.{name}", (type_,)) for name, type_ in (header.objects or {}).items()]
        for name, parameters in (header.predicates or {}).items():
            used += [(f"predicates.{name}[{i}]", either) for i, either in enumerate(parameters)]
        for place, alternatives in used:
            for type_ in alternatives:
                if type_ not in declared:
                    raise FieldError(
                        place, 'a type from "types"', type_, name=type_, known=declared
                    )
