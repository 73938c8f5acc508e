"""What is explained and what is kept, by loops over the transitions, and papers to try it on."""

from __future__ import annotations

import numpy as np

from dias.learning.data.transitions import BindingTable
from dias.learning.explain import certify
from dias.learning.explain.at_once import bind
from dias.learning.explain.bindings import explaining_bindings
from dias.learning.explain.certify import certify_table
from dias.learning.propose.trim import minimal_effects
from dias.learning.schema import EQUAL, TYPE, Effects
from dias.strips.codes import AtomCodes
from tests.learning.cases import example, ground, literals
from tests.traces.files import atoms


def truth(literal, binding, step):
    if literal.relation == EQUAL:
        return len({binding[v] for v in literal.variables}) == 1
    return ground(literal, binding, step.codes) in step.transition.state


def certified(effects, group):
    """The fewest effects, all their bindings, and what these keep."""
    effects = minimal_effects(effects, group)
    return certify_table(effects, group, BindingTable.of(bind(effects, group), effects.n_variables))


def explained(effects, group):
    """Numbers of the transitions that have a binding."""
    steps = enumerate(group.examples)
    return {n for n, step in steps if any(True for _ in explaining_bindings(effects, step))}


def spared(positive, negative):
    """Without what is said of a variable that always is the object of an earlier one.

    That it is so is said once, of the earliest one; its types stay.
    """
    first = {}
    for one, other in sorted(x.variables for x in positive if x.relation == EQUAL):
        first.setdefault(other, one)

    def is_about_others(x):
        return not first.keys() & set(x.variables)

    def says_it(x):
        return x.relation == EQUAL and first.get(x.variables[1]) == x.variables[0]

    return (
        [x for x in positive if is_about_others(x) or says_it(x) or x.relation.startswith(TYPE)],
        [x for x in negative if is_about_others(x)],
    )


def kept_one_by_one(tables, nats):
    """What the choice of bindings keeps, transition by transition; fewest bindings first.

    Nats are counted in whole parts, as equals must be equal in every order of adding up.
    """
    tables = sorted(tables, key=len)
    n_literals = tables[0].shape[1]
    everything = np.ones(n_literals, dtype=bool), np.ones(n_literals, dtype=bool)
    weights = [[round(nat * certify.PER_NAT) for nat in own] for own in nats]

    def worth(holds, fails):
        return sum(sum(w for w, k in zip(own, kept, strict=True) if k)
                   for own, kept in zip(weights, (holds, fails), strict=True))  # fmt: skip

    def with_best(table, wanted, kept):
        score = [worth(row & wanted[0], ~row & wanted[1]) for row in table]
        best = table[score.index(max(score))]
        return kept[0] & best, kept[1] & ~best

    beginnings = [everything]
    if len(tables[0]) > 1:
        rows = np.unique(tables[0], axis=0)[: certify.MAX_BEGINNINGS]
        beginnings = [(row, ~row) for row in rows]
    outcomes = []
    for wanted in beginnings:
        for table in tables:
            wanted = with_best(table, wanted, wanted)
        outcomes.append(wanted)
    wanted = max(outcomes, key=lambda kept: worth(*kept))
    for _ in range(certify.MAX_ROUNDS):
        # Where there is one binding, there is no choice to repeat: it comes first either way.
        kept = everything
        for table in tables:
            kept = with_best(table, wanted, kept)
        if all((new == old).all() for new, old in zip(kept, wanted, strict=True)):
            break
        wanted = kept
    return kept


STAMP = {"stamped": 1, "ready": 1, "cold": 1}
PAPERS = AtomCodes(STAMP, ["a", "b", "c"])
STAMPS = Effects(1, literals("stamped 0"), ())


def stamp(before, *new):
    return example(PAPERS, atoms(*before), atoms(*before, *new))
