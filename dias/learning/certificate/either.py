"""Either of two literals held in every step, and neither alone: several actions under one name?

Trucks go by road and boats by river: no literal is required of both, so that a schema for all of
them allows either to go anywhere. What PDDL's preconditions cannot say is named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from dias.learning.certificate.allowed import Allowed
from dias.learning.certificate.support import Doubt
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.schema import TYPE, LiftedAtom, LiftedSchema, Literal, lifted_atoms
from dias.learning.score import MARGIN

MIN_STEPS = 20
"""Steps with one explanation below which nothing is looked for."""

MIN_SHARE = 0.1
"""Share of the steps that each of the two must explain alone: fewer may have been seen wrong
(`dias.learning.certificate.exceptions`)."""

MAX_WEIGHED = 50
"""Pairs that are weighed, those first of which hold together least often."""

Pair = tuple[Literal, Literal]


def either(
    written: LiftedSchema,
    group: Examples,
    found: Sequence[Sequence[tuple[int, ...]]],
    allowed: Allowed,
    texts: Callable[[Iterable[Literal]], tuple[str, ...]],
) -> Doubt | None:
    """The two literals that most likely are not obeyed by accident, one or the other.

    Args:
        written: The schema as it is written.
        group: The steps of its action.
        found: The bindings of its parameters that explain each of them.
        allowed: What the schema allows in the states that they start from.
        texts: Literals in the words of the domain file.

    Returns:
        None where an accident is as likely as that, among all pairs of literals.
    """
    clear = [n for n, own in enumerate(found) if len(own) == 1]
    if len(clear) < MIN_STEPS:
        return None
    steps = [group.examples[n] for n in clear]
    constants = (step.constants[: len(written.constants)] for step in steps)
    rows = [[own + found[n][0]] for own, n in zip(constants, clear, strict=True)]
    bindings = BindingTable.of(rows, written.n_variables).rows
    atoms = [
        atom
        for atom in lifted_atoms(group.arities, written.n_variables)
        if not atom.relation.startswith(TYPE)
    ]
    pairs = _pairs(group, atoms, group.truth(np.array(clear, np.int64), bindings, atoms))
    if not pairs:
        return None
    price = math.log(len(atoms) * (2 * len(atoms) - 1))
    log_chances = allowed.log_chances(pairs, [step.transition for step in steps])
    log_chance, best = min(zip(log_chances, pairs, strict=True))
    if log_chance + price > -MARGIN:
        return None
    return Doubt(texts(best), math.exp(log_chance + price))


def _pairs(group: Examples, atoms: Sequence[LiftedAtom], holds: np.ndarray) -> list[Pair]:
    """Of two literals, one of them positive, one held in every step: ``[n, L]`` what did."""
    n_atoms, shares = len(atoms), [group.shares[atom.relation] for atom in atoms]
    fails = np.concatenate([~holds, holds], axis=1)
    chances = np.array([*shares, *(1 - share for share in shares)])
    may_be = np.flatnonzero(fails.mean(0) >= MIN_SHARE)
    # Both of a pair fail in no step: products of what fails, counted.
    own = fails[:, may_be].astype(np.float32)
    one, other = (may_be[place] for place in np.nonzero(np.triu(own.T @ own == 0, 1)))
    is_pair = (one < n_atoms) & (other != one + n_atoms)
    one, other = one[is_pair], other[is_pair]
    together = chances[one] + chances[other] - chances[one] * chances[other]
    rarest = np.argsort(together, kind="stable")[:MAX_WEIGHED]
    literals = [Literal(atom, is_positive) for is_positive in (True, False) for atom in atoms]
    return [(literals[one[n]], literals[other[n]]) for n in rarest.tolist()]
