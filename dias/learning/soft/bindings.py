"""The likeliest bindings of each step, given what is known of the states before and after it.

A literal of the schema speaks for a binding as far as what is known of its atom goes better with
what the action does to it than with an atom that is left alone. Where two literals come out as the
same atom, they speak once. Variables are bound one after another, and only the best partial
bindings are kept (a beam), for all steps at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from dias.learning.soft.messages import Messages
from dias.learning.soft.sightings import Sightings
from dias.limits import check
from dias.strips.codes import tuple_number
from dias.strips.model import ActionSchema, Atom, Domain, is_subtype
from dias.strips.unify import Unifier
from dias.traces.record import HALF, Segment

WIDTH = 32
"""Partial bindings kept per step, but at least one for each object."""

CHUNK = 1_000_000
"""Candidates scored at a time."""

SLIP = 1e-3
"""Share in which a step does to an atom what its schema does not say: anything. That is likelier
than that an atom changes which the step does not touch, so what a schema lacks shows in its own
steps."""

NOTHING = 1e-6
"""Chance, before a step is looked at, that it was none of what its schema says: touched nothing."""


def _table(requires: bool | None, makes: bool | None) -> np.ndarray:
    """``[2, 2]``: which value before goes with which after."""
    allowed = np.zeros((2, 2))
    for value in (False, True):
        if requires in (None, value):
            allowed[int(value), int(value if makes is None else makes)] = 1
    return allowed


MERGED = np.array(
    [
        [[[_table(None, x), _table(False, x)], [_table(True, x), np.zeros((2, 2))]] for x in made]
        for made in ((None, False), (True, True))
    ]
)
"""``[2, 2, 2, 2, 2, 2]`` the table of an atom that is added or not, deleted, asked to be true, and
to be false. What is added is true, even if it is deleted as well."""


class Touch(NamedTuple):
    """What an action does to an atom of its schema.

    Attributes:
        predicate: The relation.
        terms: Variables as their number, constants as the number of the object less O.
        requires: What it must be before; None if that is left open.
        makes: What it is afterwards; None if it stays as it is.
    """

    predicate: str
    terms: tuple[int, ...]
    requires: bool | None
    makes: bool | None

    @property
    def variables(self) -> set[int]:
        """Those that it needs."""
        return {term for term in self.terms if term >= 0}

    @property
    def said(self) -> tuple[bool, bool, bool, bool]:
        """Whether it adds, deletes, asks for what is true, and for what is false."""
        own = self.makes, self.requires
        return own[0] is True, own[0] is False, own[1] is True, own[1] is False

    def table(self) -> np.ndarray:
        """``[2, 2]``: which value before goes with which after."""
        return _table(self.requires, self.makes)


class Ranked(NamedTuple):
    """The best bindings of the n steps of an action.

    Attributes:
        bindings: ``[n, W, V]`` object numbers, best first.
        shares: ``[n, W]`` probability of each; what they lack of 1 is that of nothing.
        gains: ``[n]`` nats by which the step is likelier so than if it had touched nothing: log of
            the mean over all bindings; those that were not kept count as 0.
    """

    bindings: np.ndarray
    shares: np.ndarray
    gains: np.ndarray


def touches(schema: ActionSchema, objects: Sequence[str]) -> list[Touch]:
    """All that a schema says of atoms."""
    number = {name: place for place, name in enumerate(schema.variables)}
    number |= {name: place - len(objects) for place, name in enumerate(objects)}
    atoms = schema.preconditions | schema.negative_preconditions
    found = []
    for atom in sorted(atoms | schema.add_effects | schema.delete_effects):
        requires = atom in schema.preconditions
        is_asked = requires or atom in schema.negative_preconditions
        makes = atom in schema.add_effects
        is_changed = atom in schema.add_effects | schema.delete_effects
        found.append(
            Touch(
                atom.predicate,
                tuple(number[term] for term in atom.terms),
                requires if is_asked else None,
                makes if is_changed else None,
            )
        )
    return found


class Binder:
    """Binds the steps of one action in one segment.

    Args:
        schema: The schema.
        domain: Where it is from, for types.
        segment: The segment.
        sightings: What was seen there.
        messages: What is known of the states.
        rates: ``[C]`` chance that an atom changes in a step that does not touch it.
    """

    def __init__(
        self,
        schema: ActionSchema,
        domain: Domain,
        segment: Segment,
        sightings: Sightings,
        messages: Messages,
        rates: np.ndarray,
    ) -> None:
        self._schema, self._codes = schema, sightings.codes
        self._messages, self._rates = messages, rates
        self._objects = self._codes.objects
        self.touches = [
            own for own in touches(schema, self._objects) if own.predicate in self._codes.arities
        ]
        unifier = Unifier(schema, domain)
        every = [Atom(own.predicate, tuple(map(self._term, own.terms))) for own in self.touches]
        self._others = [
            [n for n, other in enumerate(every) if n != m and unifier.may_unify(own, other)]
            for m, own in enumerate(every)
        ]
        kinds = {**segment.objects, **domain.constants}
        self._fits = np.array(
            [
                [is_subtype(kinds[o], types, domain.types) for o in self._objects]
                for _, types in schema.parameters
            ],
            dtype=bool,
        ).reshape(schema.arity, len(self._objects))
        place = {name: number for number, name in enumerate(schema.variables)}
        place |= {name: n - len(self._objects) for n, name in enumerate(self._objects)}
        self._pairs = [
            (place[one], place[other], is_same)
            for pairs, is_same in ((schema.equalities, True), (schema.inequalities, False))
            for one, other in sorted(pairs)
        ]

    def rank(self, rows: np.ndarray, given: np.ndarray) -> Ranked:
        """The best bindings of steps.

        Args:
            rows: ``[n]`` the states that they begin in.
            given: ``[n, G]`` the objects of the leading parameters, as numbers.
        """
        step = max(1, CHUNK // (max(WIDTH, len(self._objects)) * len(self._objects)))
        parts = [
            self._beam(rows[at : at + step], given[at : at + step])
            for at in range(0, len(rows), step)
        ]
        width = max((scores.shape[1] for _, scores in parts), default=1)
        bindings = np.zeros((len(rows), width, self._schema.arity), np.int64)
        scores = np.full((len(rows), width), -np.inf)
        at = 0
        for own, own_scores in parts:
            n, w = own_scores.shape
            bindings[at : at + n, :w], scores[at : at + n, :w] = own, own_scores
            at += n
        best = scores.max(1, keepdims=True)
        weights = np.exp(scores - np.where(np.isfinite(best), best, 0))
        total = weights.sum(1, keepdims=True)
        free = self._fits[given.shape[1] :].sum(1)
        with np.errstate(divide="ignore"):
            gains = best[:, 0] + np.log(total[:, 0]) - np.log(np.maximum(free, 1)).sum()
        is_any = 1 / (1 + NOTHING / (1 - NOTHING) * np.exp(-np.clip(gains, -50, 50)))
        return Ranked(bindings, is_any[:, None] * weights / np.maximum(total, 1e-300), gains)

    def code(self, touch: Touch, bindings: np.ndarray) -> np.ndarray:
        """``[…]`` the atom that a touch means under bindings ``[…, V]``."""
        n_objects = len(self._objects)
        terms = (bindings[..., t] if t >= 0 else np.int64(t + n_objects) for t in touch.terms)
        place = tuple_number(terms, n_objects) + self._codes.offset[touch.predicate]
        return np.broadcast_to(place, bindings.shape[:-1])

    def _term(self, term: int) -> str:
        return self._schema.variables[term] if term >= 0 else self._objects[term]

    def touched(
        self, number: int, bindings: np.ndarray, bound: AbstractSet[int]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What comes of an atom by a touch, and by the others that mean the same atom.

        Args:
            number: That of the touch; its variables are bound.
            bindings: ``[…, V]`` object numbers.
            bound: The variables that are bound: other touches have no say.

        Returns:
            ``[…]`` the atom, ``[…, 2, 2]`` or ``[2, 2]`` which value before goes with which after,
            and ``[…]`` whether no earlier touch means the same atom: then it counts here.
        """
        own = self.touches[number]
        codes = self.code(own, bindings)
        is_first = np.ones(codes.shape, dtype=bool)
        others = [n for n in self._others[number] if self.touches[n].variables <= bound]
        if not others:
            return codes, own.table(), is_first
        said = [np.full(codes.shape, x) for x in own.said]
        for n in others:
            is_same = self.code(self.touches[n], bindings) == codes
            is_first &= ~is_same if n < number else True
            for known, is_said in zip(said, self.touches[n].said, strict=True):
                known |= is_same & is_said
        return codes, MERGED[tuple(own.astype(np.int64) for own in said)], is_first

    def _beam(self, rows: np.ndarray, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n, n_given = given.shape
        arity, n_objects = self._schema.arity, len(self._objects)
        bindings = np.full((n, 1, arity), -1, np.int64)
        bindings[:, 0, :n_given] = given
        scores = np.zeros((n, 1))
        bound = set(range(n_given))
        for variable in bound:
            scores[~self._fits[variable][given[:, variable]], 0] = -np.inf
        self._add(scores, rows, bindings, None, bound)
        for variable in self._order(bound):
            check()
            fitting = np.flatnonzero(self._fits[variable])
            wide = np.repeat(bindings, len(fitting), axis=1)
            wide[:, :, variable] = np.tile(fitting, bindings.shape[1])
            scores = np.repeat(scores, len(fitting), axis=1)
            earlier, bound = bound, bound | {variable}
            self._add(scores, rows, wide, earlier, bound)
            keep = min(max(WIDTH, n_objects), scores.shape[1])
            order = np.argsort(-scores, axis=1, kind="stable")[:, :keep]
            scores = np.take_along_axis(scores, order, axis=1)
            bindings = np.take_along_axis(wide, order[:, :, None], axis=1)
        return bindings, scores

    def _add(
        self,
        scores: np.ndarray,
        rows: np.ndarray,
        bindings: np.ndarray,
        earlier: set[int] | None,
        bound: set[int],
    ) -> None:
        """Add what the literals say that are bound now and were not earlier, in place."""
        for number, touch in enumerate(self.touches):
            if touch.variables <= bound:
                is_new = _is_new(touch.variables, earlier, bound)
                others = self._others[number] if earlier is not None else []
                if is_new or any(
                    _is_new(self.touches[n].variables, earlier, bound) for n in others
                ):
                    scores += self._said(number, rows, bindings, bound)
                    if earlier is not None and not is_new:
                        scores -= self._said(number, rows, bindings, earlier)
        for one, other, is_same in self._pairs:
            own = {term for term in (one, other) if term >= 0}
            if _is_new(own, earlier, bound):
                first, second = (
                    bindings[..., t] if t >= 0 else t + len(self._objects) for t in (one, other)
                )
                scores[(first == second) != is_same] = -np.inf

    def _said(
        self, number: int, rows: np.ndarray, bindings: np.ndarray, bound: AbstractSet[int]
    ) -> np.ndarray:
        """``[n, W]`` the `gain` of a touch, where no earlier one means the same atom."""
        codes, table, is_first = self.touched(number, bindings, bound)
        return np.where(is_first, self.gain(table, rows[:, None], codes), 0.0)

    def gain(self, table: np.ndarray, rows: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Log of how much better what is known goes with what is done to atoms than with nothing.

        Args:
            table: ``[2, 2]``, or one for each atom: which value before goes with which after.
            rows: The states before.
            codes: The atoms.
        """
        true = self._messages.until[rows, codes]
        later = self._messages.since[rows + 1, codes]
        rates = self._rates[codes]
        same = true * later + (1 - true) * (1 - later)
        idle = rates + (1 - 2 * rates) * same
        fits = (1 - true) * (table[..., 0, 0] * (1 - later) + table[..., 0, 1] * later)
        fits = fits + true * (table[..., 1, 0] * (1 - later) + table[..., 1, 1] * later)
        return np.asarray(np.log(((1 - SLIP) * fits + SLIP * HALF) / idle))

    def _order(self, bound: set[int]) -> list[int]:
        """The variables in the order in which literals tell most about them, effects first."""
        order: list[int] = []
        known = set(bound)

        def told(variable: int) -> tuple[int, int]:
            own = [t for t in self.touches if variable in t.variables]
            ready = [t for t in own if t.variables <= known | {variable}]
            return sum(2 if t.makes is not None else 1 for t in ready), len(own)

        while len(known) < self._schema.arity:
            best = max((v for v in range(self._schema.arity) if v not in known), key=told)
            order.append(best)
            known.add(best)
        return order


def _is_new(variables: set[int], earlier: set[int] | None, bound: set[int]) -> bool:
    """Whether all variables are bound now, and were not earlier (None: nothing was asked then)."""
    return variables <= bound and (earlier is None or not variables <= earlier)
