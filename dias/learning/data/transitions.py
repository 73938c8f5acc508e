"""The transitions of one action in a form that exact reasoning can query fast.

Relations are the predicates and, as unary relations, the object types. Atoms are integers
(`dias.strips.codes`); the atoms of all examples together are one set of numbers, so that a lifted
literal is tested under many bindings at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, product
from typing import NamedTuple

import numpy as np

from dias.arrays import ranges
from dias.learning.data.lookup import StepFacts
from dias.learning.schema import EQUAL, LiftedAtom
from dias.limits import check
from dias.strips.codes import AtomCodes, State, tuple_number
from dias.strips.model import Atom
from dias.traces.record import Transition

MAX_PAIRS = 1 << 24
"""Pairs of objects of all steps of an action of which it is kept whether they share atoms."""


Fitting = Mapping[tuple[str, int], frozenset[int]]
"""Relation and position to objects."""


@dataclass(frozen=True)
class Example:
    """One transition, coded.

    Attributes:
        transition: Where it comes from.
        codes: The numbering of its segment.
        state, next_state: All atoms, static ones and types included.
        constants: The objects that are constants of the domain, as numbers.
        fitting: Relation and position to the objects that may stand there by their types; not where
            any may.
    """

    transition: Transition
    codes: AtomCodes
    state: frozenset[int]
    next_state: frozenset[int]
    constants: tuple[int, ...] = ()
    fitting: Fitting = field(default_factory=dict, compare=False, repr=False)

    @property
    def added(self) -> frozenset[int]:
        """Atoms that became true."""
        return self.next_state - self.state

    @property
    def deleted(self) -> frozenset[int]:
        """Atoms that became false."""
        return self.state - self.next_state

    @cached_property
    def arguments(self) -> tuple[int, ...]:
        """The objects that the transition names, as numbers."""
        return tuple(map(self.codes.object_number.__getitem__, self.transition.arguments))

    @property
    def given(self) -> tuple[int, ...]:
        """What the first variables are bound to: the constants, then the arguments."""
        return self.constants + self.arguments

    @cached_property
    def rows_after(self) -> dict[str, list[tuple[int, ...]]]:
        """Relation to the objects of its atoms that are true in s′, in order."""
        rows: dict[str, list[tuple[int, ...]]] = {}
        for relation, objects in map(self.codes.split, sorted(self.next_state)):
            rows.setdefault(relation, []).append(objects)
        return rows

    @cached_property
    def changes(self) -> tuple[tuple[bool, str, tuple[int, ...]], ...]:
        """Whether each changed atom became true, its relation and objects; those added first."""
        split = self.codes.split
        added = [(True, *split(code)) for code in sorted(self.added)]
        return (*added, *((False, *split(code)) for code in sorted(self.deleted)))

    @cached_property
    def n_changes(self) -> Counter[tuple[bool, str]]:
        """How many atoms of each relation became true, and false."""
        return Counter((added, relation) for added, relation, _ in self.changes)


class BindingTable(NamedTuple):
    """Bindings of V variables in the transitions of one action, as arrays.

    Attributes:
        owner: ``[n]`` the number of the transition of each binding, ascending.
        rows: ``[n, V]`` object numbers.
    """

    owner: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, found: Sequence[Sequence[tuple[int, ...]]], n_variables: int) -> BindingTable:
        """The table of bindings that are listed per transition."""
        owner = np.repeat(np.arange(len(found)), [len(bindings) for bindings in found])
        flat = [binding for bindings in found for binding in bindings]
        return cls(owner, np.array(flat, dtype=np.int64).reshape(len(flat), n_variables))

    def where(self, kept: np.ndarray) -> BindingTable:
        """Those that a mask, numbers or a slice select."""
        return BindingTable(self.owner[kept], self.rows[kept])


@dataclass(frozen=True)
class Examples:
    """All transitions of one action.

    Attributes:
        action: The action name.
        arities: Relation to arity.
        examples: The transitions.
        constants: The constants of the domain: the first variables stand for them.
    """

    action: str
    arities: dict[str, int]
    examples: Sequence[Example]
    constants: tuple[str, ...] = ()

    @property
    def n_unchanged(self) -> int:
        """How many change nothing."""
        return sum(e.state == e.next_state for e in self.examples)

    @cached_property
    def kinds(self) -> dict[tuple[tuple[bool, str], ...], np.ndarray]:
        """The numbers of those that change as many atoms of each relation.

        A kind says of each changed atom whether it was deleted, and its relation; it is sorted.
        """
        found: dict[tuple[tuple[bool, str], ...], list[int]] = {}
        for number, example in enumerate(self.examples):
            kind = tuple(sorted([(not added, relation) for added, relation, _ in example.changes]))
            found.setdefault(kind, []).append(number)
        return {kind: np.array(numbers) for kind, numbers in found.items()}

    @cached_property
    def _stride(self) -> int:
        """One more than the largest code of any segment."""
        return max(e.codes.n_codes for e in self.examples) + 1

    @cached_property
    def _offsets(self) -> dict[str, np.ndarray]:
        """Relation to the offset of its codes in each example: ``[n]``."""
        codes = {id(e.codes): e.codes for e in self.examples}
        return {
            relation: np.array([c.offset[relation] for c in codes.values()])[self.problems]
            for relation in self.arities
        }

    @cached_property
    def problems(self) -> np.ndarray:
        """``[n]`` the number of the problem of each example, in the order in which they occur."""
        place: dict[int, int] = {}
        return np.array([place.setdefault(id(e.codes), len(place)) for e in self.examples])

    @cached_property
    def _changing(self) -> frozenset[str]:
        """The relations of which states differ; what never changes stands in the problem."""
        steps = [e.transition for e in self.examples]
        atoms = frozenset[Atom]().union(*(s for t in steps for s in (t.state, t.next_state)))
        return frozenset(atom.predicate for atom in atoms)

    @cached_property
    def n_objects(self) -> np.ndarray:
        """``[n]`` number of objects in each example."""
        return np.array([len(e.codes.objects) for e in self.examples])

    @cached_property
    def _facts(self) -> np.ndarray:
        """All that holds in s, example by example."""
        return numbered([e.state for e in self.examples], self._stride)

    @cached_property
    def _looked_up(self) -> StepFacts:
        """The states as tables, one for each relation."""
        codes = list({id(e.codes): e.codes for e in self.examples}.values())
        before, after = ([e.state for e in self.examples], [e.next_state for e in self.examples])
        return StepFacts((before, after), self.problems, codes, self._changing)

    @cached_property
    def shares(self) -> dict[str, float]:
        """Relation to the share of its ground atoms that are true in s, all examples together."""
        first = np.arange(len(self.examples)) * self._stride
        shares = {EQUAL: 1 / max(1.0, self.n_objects.mean())}
        for relation, arity in self.arities.items():
            begin, size = first + self._offsets[relation], self.n_objects**arity
            n_true = np.diff(np.searchsorted(self._facts, [begin, begin + size]), axis=0)
            shares[relation] = float(n_true.sum() / max(1, size.sum()))
        return shares

    def atom_codes(
        self, owner: np.ndarray, bindings: np.ndarray, literals: Sequence[LiftedAtom]
    ) -> np.ndarray:
        """``[n, L]`` the codes of lifted atoms under bindings; arguments as of `truth`."""
        n_objects, values = self.n_objects[owner], bindings.T
        table = np.zeros((len(bindings), len(literals)), dtype=np.int64)
        for column, (relation, variables) in enumerate(literals):
            place = tuple_number((values[v] for v in variables), n_objects)
            table[:, column] = self._offsets[relation][owner] + place
        return table

    def truth(
        self,
        owner: np.ndarray,
        bindings: np.ndarray,
        literals: Sequence[LiftedAtom],
        after: bool = False,
    ) -> np.ndarray:
        """Truth of lifted atoms under bindings.

        Args:
            owner: ``[n]`` the example of each binding.
            bindings: ``[n, V]`` object numbers.
            literals: L lifted atoms over the variables 0 … V-1, or with `NOT` that they are false.
            after: Look at s′ instead of s.

        Returns:
            ``[n, L]`` booleans.
        """
        return self._looked_up.truth(owner, bindings, literals, after)

    def may_stand(self, owner: np.ndarray, bindings: np.ndarray, atom: LiftedAtom) -> np.ndarray:
        """``[n]`` whether the objects of an atom may stand in it by their types.

        Other arguments are those of `truth`.
        """
        fits = np.ones(len(owner), dtype=bool)
        problems = self.problems[owner]
        _, first = np.unique(problems, return_index=True)
        for number, fitting in ((n, self.examples[owner[n]].fitting) for n in first.tolist()):
            for position, variable in enumerate(atom.variables):
                there = fitting.get((atom.relation, position))
                if there is not None:
                    stands = np.isin(bindings[:, variable], list(there))
                    fits &= stands | (problems != problems[number])
        return fits

    def neighbours(self, numbers: np.ndarray) -> np.ndarray:
        """Which objects share a true atom of s, itself included where there is one.

        Args:
            numbers: ``[n]`` examples, ascending and none twice.

        Returns:
            ``[n, O, O]`` booleans, O the largest number of objects of any of the examples.
        """
        if len(self.examples) * int(self.n_objects.max(initial=0)) ** 2 <= MAX_PAIRS:
            size = int(self.n_objects[numbers].max(initial=0))
            return np.asarray(self._neighbours[numbers, :size, :size])
        return self._linked(numbers)

    @cached_property
    def _neighbours(self) -> np.ndarray:
        """`neighbours` of all examples."""
        return self._linked(np.arange(len(self.examples)))

    def _linked(self, numbers: np.ndarray) -> np.ndarray:
        """`neighbours`, looked for."""
        size = int(self.n_objects[numbers].max(initial=0))
        shared = np.zeros((len(numbers), size, size), dtype=bool)
        first = numbers * self._stride
        facts = self._facts
        begin, end = np.searchsorted(facts, [first, first + self._stride])
        place = np.repeat(np.arange(len(numbers)), end - begin)
        codes = facts[ranges(begin, end - begin)] - first[place]
        n_objects = self.n_objects[numbers][place]
        for relation, arity in self.arities.items():
            check()
            if arity > 1:
                rest = codes - self._offsets[relation][numbers][place]
                own = (rest >= 0) & (rest < n_objects**arity)
                rest, base, example = rest[own], n_objects[own], place[own]
                terms = [rest // base**power % base for power in range(arity)]
                for one, other in product(terms, repeat=2):
                    shared[example, one, other] = True
        return shared


def numbered(states: Sequence[State], stride: int) -> np.ndarray:
    """The atoms of states, ascending; those of each begin `stride` after those before it."""
    owner = np.repeat(np.arange(len(states)), [len(state) for state in states])
    flat = np.fromiter(chain.from_iterable(states), np.int64, len(owner))
    return np.sort(owner * stride + flat)
