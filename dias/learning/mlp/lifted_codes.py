"""Hard lifted states: which atoms the slots of a binding stand for, and whether they hold.

With a hard selection the lifted state Ã is a pattern of zeros and ones. Its entries stand in the
order in which the network reads them: arity by arity, relation by relation, tuple of slots by
tuple of slots.

Paper: Ã of ``eq:state-dependent-effects`` for a one-hot selection.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from dias.nn.tables import Symbols
from dias.strips.codes import AtomCodes
from dias.strips.model import OBJECT, supertypes

NOTHING = -1
"""In place of an object: the slot is empty. In place of a code: no atom that can change."""


class LiftedCodes:
    """The D lifted atoms over M slots, ground by ground.

    Args:
        vocabulary: The relations.
        n_slots: M.
        codes: The numbering of atoms and objects.
        object_types: Object to type.
        types: Type to parent type.
    """

    def __init__(
        self,
        vocabulary: Symbols,
        n_slots: int,
        codes: AtomCodes,
        object_types: Mapping[str, str],
        types: Mapping[str, str],
    ) -> None:
        self.n_slots = n_slots
        self._n_objects = len(codes.objects)
        # Per arity k: the tuples of slots [M^k, k], and the first code of each relation [R_k].
        self._groups = [
            (
                np.array(list(product(range(n_slots), repeat=k)), dtype=np.int64).reshape(
                    n_slots**k, k
                ),
                np.array([NOTHING if r.is_type else codes.offset[r.name] for r in relations]),
            )
            for k, relations in vocabulary.relations.items()
        ]
        kinds = [supertypes(object_types.get(o, OBJECT), types) for o in codes.objects]
        # Per arity 1 relation and object whether it is of that type; the last object is NOTHING.
        unary = vocabulary.relations.get(1, ())
        self._types = np.array(
            [[r.is_type and r.name in own for own in [*kinds, ()]] for r in unary], dtype=bool
        ).reshape(len(unary), self._n_objects + 1)

    def codes(self, filled: np.ndarray) -> np.ndarray:
        """The ground atoms that the lifted ones stand for.

        Args:
            filled: ``[n, M]`` object in each slot, or `NOTHING`.

        Returns:
            ``[n, D]`` codes; `NOTHING` where a slot is empty and for types, which never change.
        """
        parts = []
        for tuples, offsets in self._groups:
            objects = filled[:, tuples]  # [n, M^k, k]
            place = np.zeros(objects.shape[:2], dtype=np.int64)
            for position in range(tuples.shape[1]):
                place = place * self._n_objects + objects[:, :, position]
            exists = (objects != NOTHING).all(2)[:, None] & (offsets != NOTHING)[:, None]
            parts.append(np.where(exists, offsets[:, None] + place[:, None], NOTHING))
        return np.concatenate([part.reshape(len(filled), -1) for part in parts], 1)

    def truth(self, filled: np.ndarray, codes: np.ndarray, facts: np.ndarray) -> np.ndarray:
        """Ã: ``[n, D]`` booleans.

        Args:
            filled: ``[n, M]`` object in each slot, or `NOTHING`.
            codes: What `codes` gives for it.
            facts: Codes of the atoms that hold, ascending.
        """
        place = np.minimum(np.searchsorted(facts, codes), len(facts) - 1)
        found = facts[place] == codes if len(facts) else np.zeros(codes.shape, dtype=bool)
        column = 0
        for tuples, offsets in self._groups:
            width = len(tuples) * len(offsets)
            if tuples.shape[1] == 1:
                # [R_1, n, M] to [n, R_1·M]
                of_type = self._types[:, filled].transpose(1, 0, 2).reshape(len(filled), width)
                found[:, column : column + width] |= of_type
            column += width
        return found
