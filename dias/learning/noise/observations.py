"""What was observed, as one table: every ground atom before and after every step.

An atom is seen twice in a transition, in s and in s′. The two sightings together are a *pair*:
0 false, false · 1 false, true · 2 true, false · 3 true, true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dias.arrays import distinct
from dias.learning.data.transitions import Example, Examples
from dias.learning.schema import LiftedAtom
from dias.limits import check
from dias.strips.codes import tuple_number

N_PAIRS = 4
"""Pairs of sightings; pair = 2·(true in s) + (true in s′)."""


@dataclass
class Observations:
    """The pairs of all atoms in all transitions.

    Attributes:
        arities: Relation to arity; types are relations too.
        examples: The T transitions, those of one segment in a row.
        actions: Action to the rows of its transitions.
        pairs: All pairs; transition t and atom c stand at ``start[t] + c``.
        start: ``[T]``.
        n_objects: ``[T]`` objects in the segment of each transition.
        offsets: Relation to the first code in each transition's segment: ``[T]``.
        blocks: Per segment its first example, and its pairs as a view ``[T_segment, n_codes]``.
        varies: Per segment whether an atom changes now and then: ``[n_codes]``; all do until the
            constant ones are known (`dias.learning.noise.constants`).
        segment: ``[T]`` place of each transition's segment in `blocks`.
    """

    arities: Mapping[str, int]
    examples: Sequence[Example]
    actions: Mapping[str, np.ndarray]
    pairs: np.ndarray
    start: np.ndarray
    n_objects: np.ndarray
    offsets: Mapping[str, np.ndarray]
    blocks: list[tuple[Example, np.ndarray]]
    varies: list[np.ndarray]
    segment: np.ndarray

    def of(self, row: int) -> np.ndarray:
        """The pairs of all atoms in one transition: a view ``[n_codes]``."""
        first = self.start[row]
        return self.pairs[first : first + self.examples[row].codes.n_codes]

    def look(self, rows: np.ndarray, bindings: np.ndarray, literal: LiftedAtom) -> np.ndarray:
        """The pairs of a lifted atom.

        Args:
            rows: ``[n]`` transitions.
            bindings: ``[n, V]`` object numbers.
            literal: A relation over variables.

        Returns:
            ``[n]`` pairs.
        """
        return self.pairs[self.start[rows] + self.code(rows, bindings, literal)]

    def code(self, rows: np.ndarray, bindings: np.ndarray, literal: LiftedAtom) -> np.ndarray:
        """The codes of a lifted atom under the bindings: ``[n]``."""
        objects = (bindings[:, variable] for variable in literal.variables)
        place = tuple_number(objects, self.n_objects[rows])
        return np.asarray(self.offsets[literal.relation][rows] + place)

    def is_varying(self, rows: np.ndarray, bindings: np.ndarray, literal: LiftedAtom) -> np.ndarray:
        """Whether the ground atom of a lifted one changes now and then: ``[n]``."""
        code, place = self.code(rows, bindings, literal), self.segment[rows]
        found = np.zeros(len(rows), dtype=bool)
        for number, varies in enumerate(self.varies):
            own = place == number
            found[own] = varies[code[own]]
        return found

    def varying(self, relation: str) -> Iterator[np.ndarray]:
        """Per segment the pairs of the relation's atoms that change now and then: ``[n, C]``."""
        for (example, view), varies in zip(self.blocks, self.varies, strict=True):
            check()
            own = example.codes.of(relation)
            yield view[:, own][:, varies[own]]


def observe(groups: Mapping[str, Examples]) -> Observations:
    """Lay out the transitions of all actions."""
    arities = next(iter(groups.values())).arities
    labelled = [(name, example) for name, group in groups.items() for example in group.examples]
    labelled.sort(key=lambda entry: entry[1].transition.segment)
    examples = [example for _, example in labelled]
    sizes = np.array([example.codes.n_codes for example in examples])
    start = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    pairs = np.zeros(int(sizes.sum()), dtype=np.uint8)
    for at, example in zip(start, examples, strict=True):
        check()
        for states, weight in ((example.state, 2), (example.next_state, 1)):
            pairs[at + np.fromiter(states, np.int64, len(states))] += weight
    segments = np.array([example.transition.segment for example in examples])
    blocks = []
    for segment in distinct(segments):
        check()
        rows = np.flatnonzero(segments == segment)
        first, size = rows[0], sizes[rows[0]]
        view = pairs[start[first] : start[first] + size * len(rows)].reshape(len(rows), size)
        blocks.append((examples[first], view))
    names = np.array([name for name, _ in labelled])
    offsets = {r: np.array([example.codes.offset[r] for example in examples]) for r in arities}
    return Observations(
        arities=arities,
        examples=examples,
        actions={name: np.flatnonzero(names == name) for name in groups},
        pairs=pairs,
        start=start,
        n_objects=np.array([len(example.codes.objects) for example in examples]),
        offsets=offsets,
        blocks=blocks,
        varies=[np.ones(view.shape[1], dtype=bool) for _, view in blocks],
        segment=np.searchsorted(distinct(segments), segments),
    )
