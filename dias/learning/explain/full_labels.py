"""Learning when all action arguments were recorded: keep what always holds.

No network is needed. It is the upper bound for everything else, since the whole difficulty lies
in the arguments.

Paper: the first label case of Section "Problem formulation" (``sec:problem-formulation``).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.certify import certify_table
from dias.learning.schema import Effects, LiftedSchema, Origin, lifted_atoms


def learn_with_arguments(examples: Examples) -> LiftedSchema:
    """The schema of one action from transitions whose arguments are known.

    An effect is a literal that changed at least once and holds after every transition. A
    transition is explained if these effects give exactly its s′.
    """
    arguments = [example.arguments for example in examples.examples]
    arity = len(arguments[0])
    literals = lifted_atoms(examples.arities, arity)
    bindings = BindingTable.of([[own] for own in arguments], arity)
    before = examples.truth(*bindings, literals)
    after = examples.truth(*bindings, literals, after=True)
    added = (after & ~before).any(0) & after.all(0)
    deleted = (before & ~after).any(0) & ~after.any(0)
    effects = Effects(
        arity,
        tuple(literal for literal, kept in zip(literals, added, strict=True) if kept),
        tuple(literal for literal, kept in zip(literals, deleted, strict=True) if kept),
    )
    changed_by_effects = (after != before)[:, added | deleted].sum(1)
    changed = [len(e.added) + len(e.deleted) for e in examples.examples]
    explained = changed_by_effects == np.array(changed)
    schema = certify_table(effects, examples, bindings.where(explained))
    return replace(schema, origin=Origin("arguments"))
