"""Turns one action schema into a Python function that enumerates its applicable bindings.

The bindings of a schema in a state are the answer of a conjunctive query: one relation per
positive precondition, joined on shared variables. `compile_schema` orders the relations once
(cheapest first, static ones measured exactly), writes the nested loops as source text and
compiles it; negative preconditions, types and injectivity are tested as soon as their variables
are bound. A compiled loop is several times faster than an interpreted one, and this is the
innermost loop of sampling, evaluation and test-state generation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dias.strips.codes import AtomCodes, State
from dias.strips.model import ActionSchema, Atom


class Successor(NamedTuple):
    """One applicable ground action and what it changes.

    Attributes:
        action: Action name.
        binding: Object numbers, one per parameter, pairwise different.
        added: Codes that become true (false before).
        deleted: Codes that become false (true before).
    """

    action: str
    binding: tuple[int, ...]
    added: State
    deleted: State


class IndexKey(NamedTuple):
    """Which rows of a relation a loop needs: those of `predicate`, looked up at `positions`."""

    predicate: str
    positions: tuple[int, ...]


Rows = Mapping[Any, Sequence[Any]]
Expand = Callable[..., Iterator[Successor]]


class CompiledSchema(NamedTuple):
    """The enumeration of one schema: ``expand(state, *indexes)``, one index per `keys`."""

    expand: Expand
    keys: tuple[IndexKey, ...]


class Relations(NamedTuple):
    """What a schema is compiled against.

    Attributes:
        codes: The numbering of atoms and objects.
        static: Codes of the static atoms.
        fluents: Predicates whose atoms are in the states.
        fan_out: Expected number of rows of an index lookup.
        candidates: Object numbers that a parameter's type admits.
    """

    codes: AtomCodes
    static: State
    fluents: frozenset[str]
    fan_out: Callable[[IndexKey], float]
    candidates: Callable[[tuple[str, ...]], tuple[int, ...]]


def index_rows(rows: Sequence[tuple[int, ...]], positions: tuple[int, ...]) -> Rows:
    """Group the rows of a relation by the values at `positions`; what remains is the value.

    A single number stands for a one-element tuple, in keys and in values.

    >>> index_rows([(1, 2), (1, 3)], (0,))
    {1: [2, 3]}
    """
    grouped: dict[Any, list[Any]] = {}
    for row in rows:
        key = tuple(row[p] for p in positions)
        rest = tuple(row[p] for p in range(len(row)) if p not in positions)
        grouped.setdefault(key[0] if len(key) == 1 else key, []).append(
            rest[0] if len(rest) == 1 else rest
        )
    return grouped


def compile_schema(schema: ActionSchema, relations: Relations) -> CompiledSchema | None:
    """Compile `schema`; None if no injective binding can ever satisfy its (in)equalities."""
    writer = _Writer(schema, relations)
    if not writer.satisfiable:
        return None
    return writer.write()


class _Writer:
    """Writes the nested loops of one schema, outermost first."""

    def __init__(self, schema: ActionSchema, relations: Relations) -> None:
        self.schema = schema
        self.relations = relations
        self.bound: dict[str, str] = {}  # variable -> its name in the source text
        self.lines: list[str] = []
        self.keys: list[IndexKey] = []
        self.namespace: dict[str, Any] = {
            "static": relations.static,
            "Successor": Successor,
            "frozenset": frozenset,
        }
        self.satisfiable = True
        self.tests: list[tuple[set[str], str]] = []  # variables needed, condition to go on
        for atom in sorted(schema.preconditions):
            self._add_test(atom, "in")
        for atom in sorted(schema.negative_preconditions):
            self._add_test(atom, "not in")
        for pairs, equal in ((schema.equalities, True), (schema.inequalities, False)):
            for left, right in sorted(pairs):
                self._add_comparison(left, right, equal)

    def write(self) -> CompiledSchema:
        self._emit_tests()
        # Atoms whose variables get bound elsewhere are mere tests; the others drive the loops.
        while len(self.bound) < self.schema.arity:
            self._emit_loop()
        self._emit_successor()
        arguments = "".join(f", index{i}" for i in range(len(self.keys)))
        source = f"def expand(state{arguments}):\n" + "\n".join(self.lines) + "\n"
        exec(compile(source, f"<{self.schema.name}>", "exec"), self.namespace)
        return CompiledSchema(self.namespace["expand"], tuple(self.keys))

    def _emit(self, line: str) -> None:
        self.lines.append("    " * (self._depth + 1) + line)

    _depth = 0

    def _value(self, term: str) -> str:
        """Source text of a term: a bound variable or the number of a constant."""
        if term.startswith("?"):
            return f"v{self.schema.variables.index(term)}"
        return str(self.relations.codes.object_number[term])

    def _code(self, atom: Atom) -> str:
        """Source text of the code of a lifted atom, in Horner form."""
        codes = self.relations.codes
        text = ""
        for term in atom.terms:
            text = (
                f"({text}) * {len(codes.objects)} + {self._value(term)}"
                if text
                else (self._value(term))
            )
        offset = codes.offset[atom.predicate]
        return f"{offset} + {text}" if text else str(offset)

    def _add_test(self, atom: Atom, relation: str) -> None:
        where = "state" if atom.predicate in self.relations.fluents else "static"
        variables = {term for term in atom.terms if term.startswith("?")}
        self.tests.append((variables, f"{self._code(atom)} {relation} {where}"))

    def _add_comparison(self, left: str, right: str, equal: bool) -> None:
        variables = {term for term in (left, right) if term.startswith("?")}
        if len(variables) == 2 or left == right:
            # Injective binding: two parameters always differ; a term equals itself.
            self.satisfiable &= equal == (left == right)
        else:
            operator = "==" if equal else "!="
            self.tests.append((variables, f"{self._value(left)} {operator} {self._value(right)}"))

    def _emit_loop(self) -> None:
        """Open the loop that is expected to run the fewest times."""
        choices: list[tuple[float, int, Atom | None, str]] = []
        for number, atom in enumerate(sorted(self.schema.preconditions)):
            free = [t for t in atom.terms if t.startswith("?") and t not in self.bound]
            if free:
                cost = self.relations.fan_out(self._key(atom))
                choices.append((cost, number, atom, ""))
        for number, parameter in enumerate(self.schema.parameters):
            if parameter.name not in self.bound:
                cost = len(self.relations.candidates(parameter.types))
                choices.append((cost, len(choices) + number, None, parameter.name))
        _, _, atom, variable = min(choices, key=lambda choice: choice[:2])
        if atom is None:
            self._emit_candidates(variable)
        else:
            self._emit_rows(atom)
        self._emit_tests()

    def _key(self, atom: Atom) -> IndexKey:
        known = (p for p, t in enumerate(atom.terms) if not t.startswith("?") or t in self.bound)
        return IndexKey(atom.predicate, tuple(known))

    def _emit_candidates(self, variable: str) -> None:
        parameter = self.schema.parameters[self.schema.variables.index(variable)]
        name = f"candidates{len(self.namespace)}"
        self.namespace[name] = self.relations.candidates(parameter.types)
        self._emit(f"for {self._value(variable)} in {name}:")
        self._depth += 1
        self._bind(variable, typed=True)

    def _emit_rows(self, atom: Atom) -> None:
        key = self._key(atom)
        if key not in self.keys:
            self.keys.append(key)
        known = [self._value(atom.terms[p]) for p in key.positions]
        lookup = known[0] if len(known) == 1 else f"({', '.join(known)})"
        targets: list[str] = []
        fresh: list[str] = []
        repeats: list[str] = []
        for position, term in enumerate(atom.terms):
            if position in key.positions:
                continue
            if term in fresh:  # the same variable twice, as in (eq ?x ?x)
                targets.append(f"again{position}")
                repeats.append(f"if again{position} != {self._value(term)}: continue")
            else:
                targets.append(self._value(term))
                fresh.append(term)
        self._emit(f"for {', '.join(targets)} in index{self.keys.index(key)}.get({lookup}, ()):")
        self._depth += 1
        for line in repeats:
            self._emit(line)
        for variable in fresh:
            self._bind(variable, typed=False)

    def _bind(self, variable: str, typed: bool) -> None:
        """Note a variable as bound, after the tests of type and injectivity."""
        value = self._value(variable)
        parameter = self.schema.parameters[self.schema.variables.index(variable)]
        candidates = self.relations.candidates(parameter.types)
        if not typed and len(candidates) < len(self.relations.codes.objects):
            name = f"candidates{len(self.namespace)}"
            self.namespace[name] = frozenset(candidates)
            self._emit(f"if {value} not in {name}: continue")
        if self.bound:
            clash = " or ".join(f"{value} == {other}" for other in self.bound.values())
            self._emit(f"if {clash}: continue")
        self.bound[variable] = value

    def _emit_tests(self) -> None:
        """Write every test whose variables are all bound by now."""
        ready = [test for test in self.tests if test[0] <= set(self.bound)]
        self.tests = [test for test in self.tests if not test[0] <= set(self.bound)]
        for _, condition in ready:
            self._emit(f"if not ({condition}): {'continue' if self._depth else 'return'}")

    def _emit_successor(self) -> None:
        schema = self.schema
        added = [self._code(atom) for atom in sorted(schema.add_effects)]
        # An atom both added and deleted ends up true.
        deleted = [self._code(atom) for atom in sorted(schema.delete_effects - schema.add_effects)]
        binding = "".join(f"v{i}, " for i in range(schema.arity))
        self._emit(f"added = frozenset([c for c in [{', '.join(added)}] if c not in state])")
        self._emit(f"deleted = frozenset([c for c in [{', '.join(deleted)}] if c in state])")
        constants = [a for a in schema.add_effects if any(t[0] != "?" for t in a.terms)]
        constants += [a for a in schema.delete_effects if any(t[0] != "?" for t in a.terms)]
        if constants:  # only then can two different lifted effects meet in one ground atom
            self._emit(f"deleted -= frozenset([{', '.join(added)}])")
        self._emit(f"yield Successor({schema.name!r}, ({binding}), added, deleted)")
