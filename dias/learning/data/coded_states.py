"""The states of the traces as integers, and what is asked of all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np

from dias.learning.data.matches import matches
from dias.learning.data.transitions import BindingTable
from dias.learning.data.visited import Spend, Visit, VisitedStates
from dias.limits import Allowance, OutOfWorkError
from dias.strips.joins.relations import StaticRelations
from dias.strips.joins.successors import Change
from dias.strips.model import ActionSchema, Atom, Instance
from dias.strips.problem import CodedProblem, split_static
from dias.traces.record import Traces

MAX_ANSWERS = 200
"""Schemas of which it is remembered what was found in all states: a search often comes back."""

MAX_MATCHES = 16
"""Schemas and steps of which the bindings are remembered: several ask for them in the end."""

Found = TypeVar("Found")

Asked = Callable[[VisitedStates, ActionSchema, Spend, np.ndarray], np.ndarray]
"""What is asked about a schema in all visited states at once."""


class CodedStates:
    """The states of the traces as integers, with the static atoms once for all schemas.

    Those that change the same predicates share their problems. Whoever asks `of` traces shares all.

    Args:
        traces: The traces, for predicates and objects.
    """

    @classmethod
    def of(cls, traces: Traces) -> CodedStates:
        """Those of the traces; they are kept with these."""
        kept = vars(traces)
        if "coded_states" not in kept:
            kept["coded_states"] = cls(traces)
        found: CodedStates = kept["coded_states"]
        return found

    def __init__(self, traces: Traces) -> None:
        self.codes, self.encode = traces.codes, traces.encode
        self._traces = traces
        self._problems: dict[tuple[int, frozenset[str]], CodedProblem] = {}
        self.answer = lru_cache(maxsize=MAX_ANSWERS)(self._answer)
        self.matches = lru_cache(maxsize=MAX_MATCHES)(self._matches)

    def problem(self, segment: int, changed: frozenset[str]) -> CodedProblem:
        """A segment for schemas that change some predicates; its `init` belongs to every state."""
        key = segment, changed
        if key not in self._problems:
            own, codes = self._traces.segments[segment], self.codes[segment]
            # A predicate that the header lists as static may occur in states as well.
            listed = self._traces.state_predicates[segment] | changed
            fluents = codes.arities.keys() - ({atom.predicate for atom in own.static} - listed)
            static, always = split_static(own.static, codes, fluents)
            self._problems[key] = CodedProblem(
                Instance(own.problem, self._traces.domain, own.objects, own.static),
                codes,
                StaticRelations(codes, static),
                frozenset(fluents),
                always,
            )
        return self._problems[key]

    @cached_property
    def visited(self) -> VisitedStates:
        """The states that steps start from, in the order of `numbers`."""
        return VisitedStates(list(self._visits.values()), self._traces)

    def _answer(
        self, asked: Asked, schema: ActionSchema, states: bytes, n_most: int
    ) -> tuple[np.ndarray | None, int]:
        """What is found in some states, and in how many rows; None if they are more than n_most."""
        numbers = np.frombuffer(states, np.int64)
        return self.joined(lambda visited, spend: asked(visited, schema, spend, numbers), n_most)

    def _matches(
        self, schema: ActionSchema, states: bytes, changes: tuple[Change, ...], n_most: int
    ) -> tuple[BindingTable | None, int]:
        """The bindings that make changes in some states; and how many rows, as of `joined`."""
        numbers = np.frombuffer(states, np.int64)
        return self.joined(
            lambda visited, spend: matches(schema, visited, numbers, changes, spend), n_most
        )

    def joined(
        self, ask: Callable[[VisitedStates, Spend], Found], n_most: int
    ) -> tuple[Found | None, int]:
        """What joins of all states find, and in how many rows; None if they are more than n_most.

        Args:
            ask: Called with the states, and with what each join is to be told to.
            n_most: Rows at most.
        """
        allowance = Allowance(n_most)
        try:
            return ask(self.visited, allowance.check), allowance.n_done
        except OutOfWorkError:
            return None, allowance.n_done

    def numbers(self, visits: Sequence[Visit]) -> np.ndarray:
        """``[n]`` the places of some of these states."""
        return np.array([self._number[visit.segment, visit.state] for visit in visits], np.int64)

    @cached_property
    def _visits(self) -> dict[tuple[int, frozenset[Atom]], Visit]:
        return {(t.segment, t.state): t for t in self._traces.transitions}

    @cached_property
    def _number(self) -> dict[tuple[int, frozenset[Atom]], int]:
        return {key: number for number, key in enumerate(self._visits)}
