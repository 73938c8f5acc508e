"""Turns one action schema into a Python function that enumerates its applicable bindings.

The bindings of a schema in a state are the answer of a conjunctive query: one relation per
positive precondition, joined on shared variables. `compile_schema` orders the relations once
(cheapest first, static ones measured exactly), writes the nested loops as source text and
compiles it; negative preconditions, types and (in)equalities are tested, and effects computed, as
soon as their variables are bound. A compiled loop is several times faster than an interpreted one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple

from dias.errors import UnsupportedPDDLError
from dias.limits import Check
from dias.strips.codes import State
from dias.strips.joins.loop_order import lookup_key, next_loop
from dias.strips.joins.relations import IndexKey, Relations
from dias.strips.joins.source_text import AtomText, variables_of
from dias.strips.model import ActionSchema, Atom, Domain
from dias.strips.symmetry import interchangeable
from dias.strips.unify import Unifier


class Successor(NamedTuple):
    """One applicable ground action and what it changes.

    Attributes:
        action: Action name.
        binding: Object numbers, one per parameter.
        added: Codes that become true (false before).
        deleted: Codes that become false (true before).
    """

    action: str
    binding: tuple[int, ...]
    added: State
    deleted: State

    def next_state(self, state: State) -> State:
        """s′, if `state` is s."""
        return (state - self.deleted) | self.added


MAX_LOOPS = 20
"""Python compiles no deeper nest of loops."""

Expand = Callable[..., Iterator[Successor]]


class CompiledSchema(NamedTuple):
    """The enumeration of one schema: ``expand(state, *indexes)``, one index of fluents per key."""

    expand: Expand
    keys: tuple[IndexKey, ...]


def compile_schema(
    schema: ActionSchema, domain: Domain, relations: Relations, distinct: bool, check: Check | None
) -> CompiledSchema | None:
    """Compile `schema`; None if it says that a term differs from itself, or two constants are one.

    Args:
        schema: The schema.
        domain: Its domain, for types and constants.
        relations: Where its atoms are looked up.
        distinct: Whether to enumerate one binding only of those that change the same. Variables
            that occur in no effect then come last, and are searched no further than to the first
            that fits; those that may be exchanged are bound in one order.
        check: Called again and again in loops that may run long; it may raise to end them. None:
            nothing is called.

    Raises:
        UnsupportedPDDLError: The schema has too many parameters.
    """
    writer = _Writer(schema, domain, relations, distinct, check)
    if not writer.satisfiable:
        return None
    return writer.write()


@lru_cache(maxsize=1000)
def _compiled(source: str, name: str) -> CodeType:
    """The code of a source text; learning asks for the same ones again and again."""
    return compile(source, f"<{name}>", "exec")


class _Writer:
    """Writes the nested loops of one schema, outermost first."""

    def __init__(
        self,
        schema: ActionSchema,
        domain: Domain,
        relations: Relations,
        distinct: bool,
        check: Check | None,
    ) -> None:
        self.schema = schema
        self.distinct = distinct
        self.relations = relations
        self.unifier = Unifier(schema, domain)
        self.text = AtomText(schema, relations.codes, self.unifier)
        self.candidates = {p.name: relations.candidates(p.types) for p in schema.parameters}
        self.bound: dict[str, str] = {}  # variable -> its name in the source text
        self.ahead: list[str] = []
        self.lines: list[str] = []
        self.keys: list[IndexKey] = []
        self.namespace: dict[str, Any] = {
            "static": relations.static,
            "Successor": Successor,
            "new": tuple.__new__,  # the constructor of a NamedTuple takes twice as long
            "check": check,
        }
        self.satisfiable = True
        self.tests: list[tuple[set[str], str]] = []  # variables needed, condition to go on
        for pairs, equal in ((schema.equalities, True), (schema.inequalities, False)):
            for left, right in sorted(pairs):
                self._add_comparison(left, right, equal)
        self.tests += (self._test(atom, "in") for atom in sorted(schema.preconditions))
        self.tests += (self._test(atom, "not in") for atom in sorted(schema.negative_preconditions))
        self.effects = self.text.effects()
        if distinct:
            self._add_orders()

    def write(self) -> CompiledSchema:
        if self.distinct:
            self._emit("seen = set()")
            self._emit_guards()
        self._emit_ready()
        # Atoms whose variables get bound elsewhere are mere tests; the others drive the loops.
        while len(self.bound) < self.schema.arity:
            self._emit_loop()
        if self._depth > MAX_LOOPS:
            raise UnsupportedPDDLError(
                f"action {self.schema.name} needs {self._depth} nested loops over its "
                f"{self.schema.arity} parameters, and {MAX_LOOPS} are possible",
                remedy="Split the action or drop parameters",
            )
        if self.distinct:
            self._emit("seen.add(change)")
        binding = "".join(f"v{i}, " for i in range(self.schema.arity))
        self._emit(f"yield new(Successor, ({self.schema.name!r}, ({binding}), added, deleted))")
        arguments = "".join(f", index{i}" for i in range(len(self.keys)))
        source = f"def expand(state{arguments}):\n" + "\n".join([*self.ahead, *self.lines]) + "\n"
        exec(_compiled(source, self.schema.name), self.namespace)
        return CompiledSchema(self.namespace["expand"], tuple(self.keys))

    def _emit_guards(self) -> None:
        """Leave at once where a relation is empty whose loop comes last."""
        for atom in sorted(self.schema.preconditions):
            variables = variables_of([atom])
            key = lookup_key(atom, ())
            if not key.positions and variables.isdisjoint(self._needed):
                self._emit(f"if not {self._index(key)}: return")

    @property
    def _needed(self) -> set[str]:
        """The variables of the effects that are not known yet."""
        return set().union(*(needed for needed, _ in self.effects.values()))

    def _emit(self, line: str) -> None:
        self.lines.append("    " * (self._depth + 1) + line)

    _depth = 0

    def _test(self, atom: Atom, relation: str) -> tuple[set[str], str]:
        where = "state" if atom.predicate in self.relations.fluents else "static"
        return variables_of([atom]), f"{self.text.code(atom)} {relation} {where}"

    def _add_comparison(self, left: str, right: str, equal: bool) -> None:
        variables = {term for term in (left, right) if term.startswith("?")}
        if left == right or not variables:
            self.satisfiable &= equal == (left == right)
        else:
            operator = "==" if equal else "!="
            condition = f"{self.text.value(left)} {operator} {self.text.value(right)}"
            self.tests.append((variables, condition))

    def _add_orders(self) -> None:
        """Bind parameters that may be exchanged in one order.

        Where they may be one object, only the first ones are: so each set of objects is bound once.
        """
        for names, must_differ, may_repeat in interchangeable(self.schema):
            values = [self.text.value(name) for name in names]
            if must_differ:  # the order says so
                self.tests = [t for t in self.tests if len(t[0].intersection(names)) < 2]
            for place in range(1, len(names)):
                left, right = values[place - 1 : place + 1]
                order = f"{left} {'<' if must_differ or may_repeat else '<='} {right}"
                if may_repeat:
                    order += f" or {values[0]} == {left} == {right}"
                own = {*names[place - 1 : place + 1]}
                self.tests.append((own | {names[0]} if may_repeat else own, order))

    def _emit_loop(self) -> None:
        """Open the loop that is expected to run the fewest times."""
        atom, variable = next_loop(
            self.schema,
            self.relations,
            self.candidates,
            self.bound,
            self._needed if self.distinct else None,
        )
        if atom is None:
            self._emit_candidates(variable)
        else:
            self._emit_rows(atom)
            self.tests.remove(self._test(atom, "in"))  # its rows are the atoms that hold
        self._emit_ready()

    def _emit_candidates(self, variable: str) -> None:
        name = f"candidates{len(self.namespace)}"
        self.namespace[name] = self.candidates[variable]
        idle = self._idle(variable) if self.distinct and self.schema.arity > 1 else ""
        if idle:
            name = self._write_few(variable, name, idle)
        self._open(f"for {self.text.value(variable)} in {name}:")
        self._bind(variable, typed=True)

    def _idle(self, variable: str) -> str:
        """The condition that it does not matter which of some objects a variable is bound to.

        Nothing changes for any of them, and no literal is about it and another variable. Empty if
        there is no such condition.
        """
        schema = self.schema
        adds, deletes = schema.add_effects, schema.delete_effects - schema.add_effects
        literals = schema.preconditions | schema.negative_preconditions | adds | deletes
        about = [variables_of([atom]) for atom in literals if variable in atom.terms]
        own = [[atom for atom in part if variable in atom.terms] for part in (adds, deletes)]
        is_kept = own[0] and self.unifier.overlap(deletes, adds)  # it may keep what another deletes
        is_compared = any(variable in pair for pair in schema.equalities)
        if is_kept or is_compared or not any(own) or any(len(names) > 1 for names in about):
            return ""
        conditions = [f"{self.text.code(atom)} in state" for atom in sorted(own[0])]
        conditions += [f"{self.text.code(atom)} not in state" for atom in sorted(own[1])]
        return " and ".join(conditions)

    def _write_few(self, variable: str, candidates: str, idle: str) -> str:
        """Write, ahead of all loops, a list of candidates with few idle ones; its name.

        As many as the objects that it must differ from, and one.
        """
        name, value = f"few{len(self.ahead)}", self.text.value(variable)
        n_idle = 1 + sum(variable in pair for pair in self.schema.inequalities)
        tests = [text for needed, text in self.tests if needed == {variable}]
        self.ahead += [
            f"    {name}, n_idle = [], 0",
            f"    for {value} in {candidates}:",
            *(f"        if not ({text}): continue" for text in tests),
            f"        if {idle}:",
            "            n_idle += 1",
            f"            if n_idle > {n_idle}: continue",
            f"        {name}.append({value})",
        ]
        return name

    def _emit_rows(self, atom: Atom) -> None:
        key = lookup_key(atom, self.bound)
        index = self._index(key)
        known = [self.text.value(atom.terms[p]) for p in key.positions]
        lookup = known[0] if len(known) == 1 else f"({', '.join(known)})"
        targets: list[str] = []
        fresh: list[str] = []
        repeats: list[str] = []
        for position, term in enumerate(atom.terms):
            if position in key.positions:
                continue
            if term in fresh:  # the same variable twice, as in (eq ?x ?x)
                targets.append(f"again{position}")
                repeats.append(f"if again{position} != {self.text.value(term)}: continue")
            else:
                targets.append(self.text.value(term))
                fresh.append(term)
        self._open(f"for {', '.join(targets)} in {index}.get({lookup}, ()):")
        for line in repeats:
            self._emit(line)
        for variable in fresh:
            self._bind(variable, typed=False)

    def _open(self, loop: str) -> None:
        if self.namespace["check"]:
            self._emit("check()")
        self._emit(loop)
        self._depth += 1
        if self.distinct and not self.effects:
            self._emit("if change in seen: break")

    def _index(self, key: IndexKey) -> str:
        """The name of an index in the source text: an argument, or a constant if it is static."""
        if key.predicate in self.relations.fluents:
            if key not in self.keys:
                self.keys.append(key)
            return f"index{self.keys.index(key)}"
        name = f"static{len(self.namespace)}"
        self.namespace[name] = self.relations.static_rows(key)
        return name

    def _bind(self, variable: str, typed: bool) -> None:
        """Note a variable as bound, after the test of its type."""
        value = self.text.value(variable)
        candidates = frozenset(self.candidates[variable])
        if not typed and len(candidates) < len(self.relations.codes.objects):
            name = f"candidates{len(self.namespace)}"
            self.namespace[name] = candidates
            self._emit(f"if {value} not in {name}: continue")
        self.bound[variable] = value

    def _emit_ready(self) -> None:
        """Write the tests, then the effects, whose variables are all bound by now."""
        bound = set(self.bound)
        ready = [test for test in self.tests if test[0] <= bound]
        self.tests = [test for test in self.tests if not test[0] <= bound]
        leave = "continue" if self._depth else "return"
        for _, condition in ready:
            self._emit(f"if not ({condition}): {leave}")
        known = [name for name, effect in self.effects.items() if effect[0] <= bound]
        for name in known:
            _, value = self.effects.pop(name)
            self._emit(f"{name} = {value}")
        if self.distinct and known and not self.effects:
            self._emit("change = added, deleted")
            self._emit(f"if change in seen: {leave}")
