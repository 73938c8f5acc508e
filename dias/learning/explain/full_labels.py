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
from dias.learning.schema import Effects, LiftedAtom, LiftedSchema, Origin, lifted_atoms
from dias.learning.score import max_odd


def of_arguments(examples: Examples) -> tuple[LiftedSchema, BindingTable]:
    """The schema of one action from transitions whose arguments are known.

    With it the bindings of the steps that it explains; both are kept with the transitions.

    It is the schema of all the steps. If that leaves some unexplained, it is that of nearly all of
    them, where it explains more: some steps may have been seen wrong.
    """
    kept = vars(examples)
    if "of_arguments" not in kept:
        schema, found = _learn(examples, 0)
        if len(found.owner) < len(examples.examples):
            most, found_by_most = _learn(examples, max_odd(len(examples.examples)))
            if len(found_by_most.owner) > len(found.owner):
                schema, found = most, found_by_most
        kept["of_arguments"] = schema, found
    known: tuple[LiftedSchema, BindingTable] = kept["of_arguments"]
    return known


def _learn(examples: Examples, n_odd: int) -> tuple[LiftedSchema, BindingTable]:
    """The schema where some steps may be odd, and the bindings of those that it explains.

    An effect is a literal that changed at least once and holds after every transition. Where two
    arguments are one object, two literals are one atom: of those that never changed but as one the
    one that changed most is the effect, and a deleted atom may be there if it is added as well: by
    what changed or, where nothing that did is the same, by what was there all the time. A
    transition is explained if these effects give exactly its s′.
    """
    bindings = _table(examples)
    n_variables = bindings.rows.shape[1]
    literals = _over_representatives(examples, bindings)
    before = examples.truth(*bindings, literals)
    after = examples.truth(*bindings, literals, after=True)
    came, went = after & ~before, before & ~after
    always, never = (own.sum(0) <= n_odd for own in (~after, after))
    added = _needed(literals, (came.sum(0) > n_odd) & always, came, bindings.rows)
    deleted, helpers = went.sum(0) > n_odd, np.zeros_like(added)
    for place in np.flatnonzero(deleted & ~never):
        same = _same_ground(literals[place], literals, bindings.rows[after[:, place]])
        same[:, ~always] = False
        deleted[place] = (~same.any(1)).sum() <= n_odd
        if deleted[place]:
            helpers |= same[~same[:, added].any(1)].any(0)
    deleted = _needed(literals, deleted, went, bindings.rows)
    add, delete = (
        tuple(literal for literal, kept in zip(literals, own, strict=True) if kept)
        for own in (added | helpers, deleted)
    )
    effects = Effects(n_variables, add, delete, n_variables)
    found = bindings.where(_explained(effects, examples, bindings))
    return replace(certify_table(effects, examples, found), origin=Origin("arguments")), found


def _explained(effects: Effects, examples: Examples, bindings: BindingTable) -> np.ndarray:
    """``[n]`` which transitions the effects reproduce, each under the binding that is given.

    All that is added holds in s′, nothing that is deleted does but what is added as well, and the
    different atoms that change among them are as many as changed.
    """
    parts = []
    for literals, goes in ((effects.add, False), (effects.delete, True)):
        codes = examples.atom_codes(*bindings, literals)
        before, after = (examples.truth(*bindings, literals, after=own) for own in (False, True))
        changed = np.sort(np.where((before == goes) & (after != goes), codes, -1), axis=1)
        parts.append((codes, after, (np.diff(changed, axis=1, prepend=-1) > 0).sum(axis=1)))
    (added, is_there, n_came), (deleted, stays, n_went) = parts
    is_added = (deleted[:, :, None] == added[:, None, :]).any(axis=2)
    n_changed = [len(example.added) + len(example.deleted) for example in examples.examples]
    is_right = is_there.all(axis=1) & (is_added | ~stays).all(axis=1)
    return np.asarray(is_right & (n_came + n_went == n_changed))


def _table(examples: Examples) -> BindingTable:
    """The bindings that are given."""
    given = [example.given for example in examples.examples]
    return BindingTable.of([[own] for own in given], len(given[0]))


def _over_representatives(examples: Examples, bindings: BindingTable) -> list[LiftedAtom]:
    """The literals over all arguments but those that always are the object of an earlier one."""
    rows = bindings.rows
    arity = rows.shape[1]
    kept = [v for v in range(arity) if not any((rows[:, v] == rows[:, u]).all() for u in range(v))]
    return [atom.renamed(kept) for atom in lifted_atoms(examples.arities, len(kept))]


def _needed(
    literals: list[LiftedAtom], effects: np.ndarray, changed: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Effects without which some change has none: ``[L]``. Those that changed least go first.

    Args:
        literals: All literals; among equals the first go first, and those are about constants.
        effects: ``[L]`` which of them are effects.
        changed: ``[n, L]`` which changed in each transition.
        rows: ``[n, V]`` the bindings.
    """
    needed = effects.copy()
    for place in sorted(np.flatnonzero(effects), key=changed.sum(0).__getitem__):
        needed[place] = False
        same = _same_ground(literals[place], literals, rows[changed[:, place]])
        needed[place] = not same[:, needed].any(1).all()
    return needed


def _same_ground(literal: LiftedAtom, others: list[LiftedAtom], rows: np.ndarray) -> np.ndarray:
    """Under which bindings a literal is the same ground atom as each of the others: ``[n, L]``."""
    table = np.zeros((len(rows), len(others)), dtype=bool)
    for column, (relation, variables) in enumerate(others):
        if relation == literal.relation:
            table[:, column] = (rows[:, literal.variables] == rows[:, variables]).all(1)
    return table
