"""The search for further variables: which queries come into question, and what speaks for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import inf, log
from typing import NamedTuple

import numpy as np

from dias.arrays import different_rows, distinct, first_of_each, is_row_of
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.certify import certify_table
from dias.learning.extend.candidates import Candidates
from dias.learning.extend.choice import Choice
from dias.learning.extend.evidence import LOG_CHANCE, Evidence
from dias.learning.extend.idle import idle
from dias.learning.extend.queries import Query, common_queries
from dias.learning.extend.tolerant_queries import (
    exact_and_tolerant_queries,
    sampled,
    tolerant_queries,
)
from dias.learning.schema import (
    DIFFERENT,
    NOT,
    Hint,
    LiftedSchema,
    as_literal,
    atoms_over_new,
    preconditions,
    without_literals,
)
from dias.learning.score import MARGIN, ROUNDING, max_odd

LOG_CHANCE_REFUSED = log(0.01)
"""The same for a query that rules out a refused attempt: then something is missing for sure, and
what is asked is only what."""

LOG_HINT = log(0.05)
"""A query that is not believed is still a hint if its chance is below this."""

MAX_TRIED = 20
"""Queries whose evidence is weighed per round, largest first."""


class Extended(NamedTuple):
    """A schema with new variables, its nats above one without, and the bindings of all of them."""

    gain: float
    schema: LiftedSchema
    bindings: BindingTable


class Search(NamedTuple):
    """The search for new variables of one kind.

    Attributes:
        examples: The transitions.
        bindings: The bindings of the variables so far; transitions without any are not asked.
        schema: The schema so far.
        n_new: How many new variables.
        linked: Whether they are linked to the others (`dias.learning.extend.queries`).
        evidence: What tells which may be better than none.
        choice: What weighs these.
        is_exact: Whether the transitions are as they were seen, not put right.
        negative: Whether queries may say that atoms do not hold; all steps must satisfy these.
        may_be_odd: Whether a query may leave a few exact steps unexplained.
        satisfied: What all steps of a sample satisfy is kept here, if it is a list.
        excluding: Which of these exclude something, if all steps were asked, in a dictionary.
    """

    examples: Examples
    bindings: BindingTable
    schema: LiftedSchema
    n_new: int
    linked: bool
    evidence: Evidence
    choice: Choice
    is_exact: bool
    negative: bool = False
    may_be_odd: bool = True
    satisfied: list[Query] | None = None
    excluding: dict[Query, bool] | None = None

    def run(self) -> tuple[Extended | None, Hint | None]:
        """The best extension and a hint, as `best`.

        What every transition satisfies, those of a sample satisfy too, and a larger query rules
        out more: where the sample's largest say nothing, no other has to be looked at. For a query
        exact steps are called odd only if that is better by as much as `odd_steps` asks for. Of
        steps that were put right more are still wrong, and what all of them satisfy tells nothing.
        Of the many literals about known variables that do not hold some nearly pay by accident:
        they are no hint.
        """
        asked, kind = sampled(self.bindings), (self.n_new, self.linked)
        is_idle = idle(self.schema, self.n_new)
        if not self.is_exact:
            return self.best(tolerant_queries(self.examples, asked, *kind, is_idle))
        tolerant: list[Query] = []
        if self.negative or not self.may_be_odd:
            common = common_queries(self.examples, asked, *kind, negative=self.negative)
        else:
            common, tolerant = exact_and_tolerant_queries(self.examples, asked, *kind, is_idle)
        if self.satisfied is not None:
            self.satisfied[:] = common
        best, hint = None, None
        if asked is self.bindings:
            best, hint = self.best(common, excluding=self.excluding)
        elif self._replace(bindings=asked).best(common, at_least=True)[0]:
            best, hint = self.best(
                common_queries(self.examples, self.bindings, *kind, negative=self.negative)
            )
        other, _ = self.best(tolerant)
        at_least = best.gain if best else 0.0
        if other is not None and other.gain > at_least - LOG_CHANCE:
            best = other
        return best, None if self.linked and self.negative else hint

    def best(
        self,
        found: Iterable[Query],
        at_least: bool = False,
        excluding: dict[Query, bool] | None = None,
    ) -> tuple[Extended | None, Hint | None]:
        """The extension that is best, if it is better than none, and a hint at one that is not.

        Args:
            found: The queries, the largest first.
            at_least: The bindings are a sample's, so nothing can be weighed: the first extension
                that may be better is returned.
            excluding: Is told of each query whether it excludes something, though every step
                satisfies it.
        """
        best: Extended | None = None
        hint: Hint | None = None
        queries = idle(self.schema, self.n_new).passed(found)
        for query, extended in self._extended(islice(queries, MAX_TRIED)):
            weighed = extended.schema
            if self.evidence.has_masks and not at_least:
                if self.evidence.log_chance(weighed, at_least=True) >= LOG_HINT:
                    continue
                weighed, extended = self._fitted(extended)
            hinted = chance = self.evidence.log_chance(weighed, at_least)
            if not (at_least or self.evidence.is_said) and weighed is not extended.schema:
                hinted = min(chance, self.evidence.log_chance(extended.schema))
            if excluding is not None:
                excluding[query] = self.are_common(extended.bindings) and chance < -ROUNDING
            if hinted >= (-self._price if at_least else LOG_HINT):
                continue
            if at_least:
                return extended._replace(gain=-chance), None
            gain = self.gain_of(extended.schema, extended.bindings)
            if gain is None:
                gain = LOG_CHANCE - chance
            is_refuted = self.is_refuted_without(weighed, chance)
            if chance < LOG_HINT and (gain > ROUNDING or is_refuted):
                if best is None or gain > best.gain:
                    best = extended._replace(gain=gain)
                continue
            if gain > -MARGIN and (hint is None or hinted < hint.log_chance):
                hint = Hint(query, self.n_new, hinted)
        return best, hint

    def is_refuted_without(self, schema: LiftedSchema, log_chance: float) -> bool:
        """Whether it takes a schema to rule out what was refused, whatever that costs."""
        return log_chance < LOG_CHANCE_REFUSED and self.evidence.refuted_by(schema) > 0

    def gain_of(self, schema: LiftedSchema, bindings: BindingTable) -> float | None:
        """What a schema scores above the one so far; None if that allows too much to be weighed."""
        without = self.choice.score(self.schema, self.bindings)
        return self.choice.score(schema, bindings) - without if without > -inf else None

    def _fitted(self, extended: Extended) -> tuple[LiftedSchema, Extended]:
        """An extension without what masks refute, and its schema without what is not paid for.

        What every step satisfies may be more than what is meant, and rule out what is applicable.
        """
        paid = self.choice.paid(extended.schema)
        refuted = self.evidence.refuted(paid)
        paid, whole = (without_literals(own, refuted) for own in (paid, extended.schema))
        return paid, extended._replace(schema=whole)

    def untested(self) -> tuple[Query, ...]:
        """What every transition satisfies of the new variables, `MAX_TRIED` at most, largest first.

        That it is not in the schema says that too little speaks for it; nothing speaks against it.
        What is not linked to known variables says nothing but what state it is: only that is meant
        which came near to failing. Of two variables much is always satisfied: only what excludes
        something is, if they are linked. What does not hold of some object nearly always is: none.
        """
        if self.negative if self.linked else self.n_new > 1:
            return ()
        return tuple(query for query in self._untested() if not self._is_refuted(query))

    def _is_refuted(self, query: Query) -> bool:
        """Whether masks list what a query alone rules out."""
        if not self.evidence.has_masks:
            return False
        asked = {*preconditions(self.schema)}
        asked.update(map(as_literal, query))
        for _, extended in self._extended([query]):
            others = [x for x in preconditions(extended.schema) if x not in asked]
            if self.evidence.is_refuted(without_literals(extended.schema, others)):
                return True
        return False

    def _untested(self) -> tuple[Query, ...]:
        """The same, with those that masks refute."""
        kind = self.n_new, self.linked, self.negative
        is_known = self.n_new > 1 or sampled(self.bindings) is self.bindings
        if is_known and self.satisfied is not None:
            common: Iterable[Query] = self.satisfied
        else:
            common = common_queries(self.examples, self.bindings, *kind)
        found = islice(idle(self.schema, self.n_new).passed(common), MAX_TRIED)
        if self.n_new > 1:
            return tuple(self._excluding(found))
        is_linked = self.linked and self.schema.n_variables > 0
        return tuple(query for query in found if is_linked or self._may_fail(query))

    def _excluding(self, queries: Iterable[Query]) -> Iterator[Query]:
        """Those that every step satisfies, and that exclude something, though too little."""
        if self.excluding:  # all were looked at
            yield from (query for query in queries if self.excluding.get(query))
            return
        for query, extended in self._extended(queries):
            chance = self.evidence.log_chance(extended.schema)
            if self.are_common(extended.bindings) and chance < -ROUNDING:
                yield query

    def are_common(self, left: BindingTable) -> bool:
        """Whether every step has bindings left."""
        owners = (first_of_each(own.owner) for own in (self.bindings, left))
        return len(next(owners)) == len(next(owners))

    def _may_fail(self, query: Query) -> bool:
        """Whether a query that is not linked changes for an object, and once only one is left."""
        n_known = self.schema.n_variables
        said = [atom for atom in query if atom.relation != DIFFERENT]
        if any(min(atom.variables, default=n_known) < n_known for atom in said):
            return False
        own = tuple(atom for atom in said if atom.relation.startswith(NOT) == self.negative)
        met, changing = self._objects(query), self._objects(own)
        if not (np.unique(met[:, -1], return_counts=True)[1] == 1).any():
            return False
        objects, n_times = np.unique(changing[:, :-1], axis=0, return_counts=True)
        n_steps = np.bincount(self.examples.problems[distinct(self.bindings.owner)])
        sometimes = objects[n_times < n_steps[objects[:, 0]]]
        return bool(is_row_of(different_rows(met[:, :-1]), sometimes).any())

    def _objects(self, query: Query) -> np.ndarray:
        """``[n, n_new + 2]`` problem, objects and transition where they satisfy a query, once."""
        owner, rows = self.satisfying(query)
        new = rows[:, self.schema.n_variables :]
        return different_rows(np.column_stack([self.examples.problems[owner], new, owner]))

    def satisfying(self, query: Query) -> BindingTable:
        """The bindings, extended by all objects that satisfy a query."""
        linked = self.linked and not self.negative
        candidates = Candidates.of(self.examples, self.bindings, linked)
        return candidates.satisfying(query, self.n_new)

    @property
    def _price(self) -> float:
        """What it takes to say which atoms bind the new variables, in nats."""
        atoms = atoms_over_new(self.examples.arities, self.schema.n_variables, self.n_new)
        return self.n_new * log(max(1, len(atoms)))

    def _extended(self, queries: Iterable[Query]) -> Iterator[tuple[Query, Extended]]:
        """Each query and the schema with all that never fails once the new variables satisfy it.

        That includes what a query cannot say: what the new objects must not be (an anchor that
        nobody holds). Where a few steps that were put right alone lose such a literal, it is also
        tried without them. Of queries that the same bindings satisfy the first one stands for all.
        """
        seen: set[int] = set()
        for query in queries:
            rows = self.satisfying(query)
            digest = hash((rows.owner.tobytes(), rows.rows.tobytes()))
            if digest in seen:
                continue
            seen.add(digest)
            for own in (rows, None if self.is_exact else self._without_odd(rows)):
                if own is not None:
                    schema = certify_table(self.schema.effects, self.examples, own)
                    yield query, Extended(0.0, schema, own)

    def _without_odd(self, rows: BindingTable) -> BindingTable | None:
        """The bindings under which what nearly no step shows of new variables does not hold.

        None if no step has to be given up for it, or more than may be odd.
        """
        first = first_of_each(rows.owner)
        n_left = max_odd(len(distinct(self.bindings.owner)))
        n_left -= len(distinct(self.bindings.owner)) - len(first)
        atoms = atoms_over_new(self.examples.arities, self.schema.n_variables, self.n_new)
        fails = ~self.examples.truth(*rows, atoms) if n_left > 0 else np.zeros((0, 0), dtype=bool)
        kept, n_kept, is_odd = np.ones(len(rows.owner), dtype=bool), len(first), False
        for column in np.ascontiguousarray(fails.T):
            own = kept & column
            n_lost = n_kept - int(np.logical_or.reduceat(own, first).sum())
            if 0 < n_lost <= n_left:
                kept, n_left, n_kept, is_odd = own, n_left - n_lost, n_kept - n_lost, True
        return rows.where(kept) if is_odd else None
