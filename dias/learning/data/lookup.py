"""Which lifted atoms hold in the states that steps start from, or lead to, under bindings.

Every relation is a table of its own: a small one is looked up at once, and what never holds for the
objects that a variable stands for, such as a position for a piece, need not be looked up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import numpy as np

from dias.arrays import WORD, begins_anew, mask_of
from dias.learning.data.tables import Relation, relations
from dias.learning.schema import EQUAL, NOT, LiftedAtom
from dias.limits import check
from dias.strips.codes import AtomCodes, State

MAX_CELLS = 1_000_000
"""Literals times bindings that are looked up at once, about: it limits the memory."""

MAX_AT_ONCE = 2048
"""Bindings up to which all literals of a relation are looked up at once."""

MIN_LITERALS = 8
"""Literals below which it does not pay to ask first what may hold at all."""


class StepFacts:
    """The true atoms of the states of steps.

    Args:
        states: ``[2, n]`` the state that each step starts from, and the one that it leads to.
        problems: ``[n]`` the number of the problem of each step.
        codes: The numbering of the atoms of every problem.
        changing: The relations of which the states of a problem differ.
    """

    def __init__(
        self,
        states: tuple[Sequence[State], Sequence[State]],
        problems: np.ndarray,
        codes: Sequence[AtomCodes],
        changing: Collection[str],
    ) -> None:
        self._problems, self._n_problems = problems, len(codes)
        self._base = max(len(own.objects) for own in codes)
        place: dict[tuple[int, State], int] = {}
        own = [
            [place.setdefault(key, len(place)) for key in zip(problems.tolist(), part, strict=True)]
            for part in states
        ]
        self._states = np.array(own, dtype=np.int64)
        self._problem_of = np.array([problem for problem, _ in place], dtype=np.int64)
        every = [state for _, state in place]
        arities: Mapping[str, int] = codes[0].arities
        _, first = np.unique(problems, return_index=True)
        self._relations: dict[str, Relation] = {
            **relations(
                every, self._problem_of, codes, [r for r in arities if r in changing], False
            ),
            **relations(
                [states[0][number] for number in first],
                np.arange(len(codes)),
                codes,
                [r for r in arities if r not in changing],
                True,
            ),
        }

    def truth(
        self, owner: np.ndarray, bindings: np.ndarray, literals: Sequence[LiftedAtom], after: bool
    ) -> np.ndarray:
        """Truth of lifted atoms under bindings; see `Examples.truth`."""
        values = np.ascontiguousarray(bindings.T)
        problem, state = self._problems[owner], self._states[int(after)][owner]
        if len(owner) <= MAX_AT_ONCE:
            return self._truth(problem, state, values, literals).T
        table = np.zeros((len(literals), len(bindings)), dtype=bool)
        columns: dict[int, list[int]] = {}
        for column, literal in enumerate(literals):
            columns.setdefault(max(literal.variables, default=-1), []).append(column)
        # Bindings of more variables stand together: what is about the first ones is asked once.
        is_first = begins_anew(owner)
        for last in range(-1, len(values)):
            if last >= 0:
                is_first |= begins_anew(values[last])
            if own := columns.get(last):
                first = np.flatnonzero(is_first)
                asked = [literals[column] for column in own]
                if 2 * len(first) > len(owner):
                    table[own] = self._truth(problem, state, values, asked)
                else:
                    few = values[: last + 1, first]
                    holds = self._truth(problem[first], state[first], few, asked)
                    table[own] = np.repeat(holds, np.diff(first, append=len(owner)), axis=1)
        return table.T

    def _truth(
        self,
        problem: np.ndarray,
        state: np.ndarray,
        values: np.ndarray,
        literals: Sequence[LiftedAtom],
    ) -> np.ndarray:
        """``[L, n]`` truth of literals in states for the objects ``[V, n]`` of their variables."""
        table = np.zeros((len(literals), len(state)), dtype=bool)
        if len(state) > MAX_AT_ONCE:
            self._one_by_one(table, values, problem, state, literals)
            return table
        rows: dict[str, list[int]] = {}
        for row, literal in enumerate(literals):
            rows.setdefault(literal.relation, []).append(row)
        n_most = max(1, MAX_CELLS // max(1, len(state)))
        for relation, every in rows.items():
            for own in (every[first : first + n_most] for first in range(0, len(every), n_most)):
                check()
                variables = np.array([literals[row].variables for row in own], dtype=np.int64)
                name = relation.removeprefix(NOT)
                objects = values[variables.T]  # [arity, literals, bindings]
                if name == EQUAL:
                    holds = objects[0] == objects[1]
                else:
                    known = self._relations[name]
                    holds = known.contains(problem if known.is_static else state, objects)
                table[own] = holds == (name == relation)
        return table

    def _one_by_one(
        self,
        table: np.ndarray,
        values: np.ndarray,
        problem: np.ndarray,
        state: np.ndarray,
        literals: Sequence[LiftedAtom],
    ) -> None:
        """The same of many bindings, of which only those are looked up that may be true."""
        occurring: _Occurring | None = None
        if len(literals) >= MIN_LITERALS:
            occurring = _Occurring(*self._places, problem * self._base + values)
        for row, literal in zip(table, literals, strict=True):
            check()
            name = literal.relation.removeprefix(NOT)
            is_positive = name == literal.relation
            if name == EQUAL:
                one, other = (values[v] for v in literal.variables)
                row[:] = (one == other) == is_positive
                continue
            relation = self._relations[name]
            place = problem if relation.is_static else state
            rows: np.ndarray | slice = slice(None)
            asked = occurring is None or occurring.may_hold(name, literal.variables)
            row[:] = not is_positive
            if asked is False:
                continue
            if asked is not True and 2 * np.count_nonzero(asked) <= len(row):
                rows = np.flatnonzero(asked)
            holds = relation.contains(place[rows], [values[v][rows] for v in literal.variables])
            row[rows] = holds == is_positive

    @cached_property
    def _places(self) -> tuple[dict[tuple[str, int], int], np.ndarray]:
        """Where objects stand in true atoms.

        Returns:
            Relation and position to a bit; and ``[W, n]`` of each object of each problem the bits
            of where it stands, as words of 64.
        """
        bits: dict[tuple[str, int], int] = {}
        words = np.zeros((0, self._n_problems * self._base), np.uint64)
        for name, relation in self._relations.items():
            place, *columns = relation.columns
            problems = place if relation.is_static else self._problem_of[place]
            for position, objects in enumerate(columns):
                bit = bits[name, position] = len(bits)
                if bit % WORD == 0:
                    words = np.concatenate([words, np.zeros_like(words, shape=(1, words.shape[1]))])
                words[-1, problems * self._base + objects] |= np.uint64(1 << bit % WORD)
        return bits, words


class _Occurring:
    """Which objects stand where they would have to for an atom to be true in any state.

    Args:
        bits: Relation and position to a bit.
        words: ``[W, n]`` of each object of each problem the bits of where it stands.
        values: ``[V, n]`` the objects of each variable, with their problems.
    """

    def __init__(
        self, bits: dict[tuple[str, int], int], words: np.ndarray, values: np.ndarray
    ) -> None:
        self._bits, self._words, self._values = bits, words, values
        self._of_variable: dict[int, tuple[np.ndarray, int, int]] = {}
        self._known: dict[tuple[int, int], np.ndarray] = {}

    def may_hold(self, relation: str, variables: Sequence[int]) -> np.ndarray | bool:
        """``[n]`` which bindings an atom may be true under; True or False if all are alike."""
        asked: np.ndarray | None = None
        for position, variable in enumerate(variables):
            bit = self._bits[relation, position]
            words, of_some, of_all = self._at(variable)
            if not of_some >> bit & 1:
                return False
            if of_all >> bit & 1:
                continue
            key = variable, bit
            if key not in self._known:
                word, place = divmod(bit, WORD)
                self._known[key] = words[word] & np.uint64(1 << place) > 0
            asked = self._known[key] if asked is None else asked & self._known[key]
        if asked is None:
            return True
        return asked if asked.any() else False

    def _at(self, variable: int) -> tuple[np.ndarray, int, int]:
        """``[W, n]`` the bits of a variable's objects, those of any of them, and those of all."""
        if variable not in self._of_variable:
            words = self._words[:, self._values[variable]]
            of_some, of_all = (
                mask_of(own.reduce(words, axis=1).tolist())
                for own in (np.bitwise_or, np.bitwise_and)
            )
            self._of_variable[variable] = words, of_some, of_all
        return self._of_variable[variable]
