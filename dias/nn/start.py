"""Where training starts, and what slots look for first.

Departs: the paper says "randomly initialized" of the preconditions and nothing of the rest. With
all logits 0 a slot that no effect needs is switched off before its preconditions have been learned,
and with it the variables that occur in preconditions only. A slot that is kept alive settles on any
object of which the same is false in every step, since most atoms are false, and a negative literal
is as good a precondition as a positive one. So slots start active, atoms as no effects, and for a
while slots look for objects that stand in relations to each other: to the logit of "positive
precondition" of a relation of two or more arguments is added what makes its probability 1 - f, f
being the share of all tuples of objects of which the relation holds. A slot that finds no such
object then costs -log f, what finding one by accident would be worth in nats. This fades: in the
end preconditions are what was learned. Nothing in the loss then ends a slot that serves nothing:
`dias.learning.train.spare_slots` does. All this holds for ``start = "linked"``, that of `neural`;
`hybrid` and networks as effects start with all logits 0. Measured in docs/paper_map.md.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from dias.nn.tables import AtomTable, TransitionTables

NONE, POSITIVE, NEGATIVE = 0, 1, 2
"""The three cases of a lifted atom: unused; add effect or positive precondition; delete effect
or negative precondition."""

ACTIVE = 4.0
"""Logit of every slot."""

NO_EFFECT = 1.0
"""Logit of being no effect, of every lifted atom; those of being one are 0."""


LINK_STEPS = 1500
"""Steps after which a tenth is left of what is added. τ would be too fast: it weighs a literal by
1 / (τn + 1 - τ), so of n = 200 lifted atoms one hardly counts before τ is far below 0.1."""


def shares(tables: TransitionTables) -> dict[int, np.ndarray]:
    """f: arity k to ``[R_k]`` share of the tuples of objects of which each relation holds.

    The mean over the states that the transitions start from.
    """
    n_steps = np.bincount(tables.segment, minlength=len(tables.n_objects))

    def counts(table: AtomTable, n_relations: int, weight: np.ndarray) -> np.ndarray:
        rows = table.rows[:, 0]
        found = np.bincount(rows, np.repeat(weight, np.diff(table.start)), n_relations)
        return found.astype(float)  # without rows it is whole numbers

    found = {}
    for k, relations in tables.vocabulary.relations.items():
        one = np.ones(len(tables))
        true = counts(tables.state[k], len(relations), one)
        true += counts(tables.static[k], len(relations), n_steps)
        found[k] = true / (n_steps * tables.n_objects.astype(float) ** k).sum()
    return found


def link_logits(tables: TransitionTables) -> dict[int, Tensor]:
    """log(2(1 - f) / f), at least 0: arity k ≥ 2 to ``[R_k]``.

    Beside two logits of 0 it is a probability of 1 - f. A relation that never holds is not looked
    for.
    """
    found = {}
    for k, share in shares(tables).items():
        if k >= 2:
            odds = np.ones_like(share)
            np.divide(2 * (1 - share), share, out=odds, where=share > 0)
            found[k] = torch.tensor(np.log(odds.clip(min=1)), dtype=torch.float32)
    return found


@torch.no_grad()
def change_nothing(effects: Tensor) -> None:
    """Let nothing be an effect: ``[..., 3]`` logits."""
    effects[..., NONE] = NO_EFFECT


def linked(logits: Tensor, links: Tensor | None, weight: float) -> Tensor:
    """``[A, R_k, M^k, 3]`` logits of preconditions, and `weight` times ``[R_k]`` links."""
    if links is None or not weight:
        return logits
    positive = torch.zeros(3, device=logits.device)
    positive[POSITIVE] = weight
    return logits + links.to(logits.device).reshape(-1, 1, 1) * positive
