"""Learning when all action arguments were recorded: keep what always holds.

No network is needed. It is the upper bound for everything else, since the whole difficulty lies
in the arguments.

Paper: the first label case of Section "Problem formulation" (``sec:problem-formulation``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.bindings import is_explained
from dias.learning.explain.certify import certify_table
from dias.learning.schema import Effects, LiftedAtom, LiftedSchema, Origin, lifted_atoms


def learn_with_arguments(examples: Examples) -> LiftedSchema:
    """The schema of one action from transitions whose arguments are known.

    An effect is a literal that changed at least once and holds after every transition; a deleted
    atom may be there if, two arguments being one object, it is added as well. A transition is
    explained if these effects give exactly its s′.
    """
    given = [example.given for example in examples.examples]
    n_variables = len(given[0])
    bindings = BindingTable.of([[own] for own in given], n_variables)
    literals = _over_representatives(examples, bindings)
    before = examples.truth(*bindings, literals)
    after = examples.truth(*bindings, literals, after=True)
    added = (after & ~before).any(0) & after.all(0)
    add = tuple(literal for literal, kept in zip(literals, added, strict=True) if kept)
    deleted = (before & ~after).any(0)
    for place in np.flatnonzero(deleted & after.any(0)):
        wins = _coincides(literals[place], add, bindings.rows)
        deleted[place] = (wins | ~after[:, place]).all()
    effects = Effects(
        n_variables,
        add,
        tuple(literal for literal, kept in zip(literals, deleted, strict=True) if kept),
        n_variables,
    )
    explained = np.array([is_explained(effects, example) for example in examples.examples])
    schema = certify_table(effects, examples, bindings.where(explained))
    return replace(schema, origin=Origin("arguments"))


def _over_representatives(examples: Examples, bindings: BindingTable) -> list[LiftedAtom]:
    """The literals over all arguments but those that always are the object of an earlier one."""
    rows = bindings.rows
    arity = rows.shape[1]
    kept = [v for v in range(arity) if not any((rows[:, v] == rows[:, u]).all() for u in range(v))]
    return [atom.renamed(kept) for atom in lifted_atoms(examples.arities, len(kept))]


def _coincides(literal: LiftedAtom, others: Iterable[LiftedAtom], rows: np.ndarray) -> np.ndarray:
    """Under which bindings a literal is the same ground atom as one of some others: ``[n]``."""
    own = rows[:, literal.variables]
    found = np.zeros(len(rows), dtype=bool)
    for relation, variables in others:
        if relation == literal.relation:
            found |= (own == rows[:, variables]).all(1)
    return found
