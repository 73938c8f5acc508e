"""Planted changes are found among changes that noise made."""

from __future__ import annotations

import pytest
from numpy.random import default_rng

from dias.learning.noise.bind.matching import ChangedAtom, LiftedChange, NoiseChanges, StepChanges
from dias.learning.noise.bind.patterns import find_pattern
from dias.learning.schema import LiftedAtom

N_OBJECTS, N_STEPS = 9, 150


def steps(rng, effects, n_flips, shown=1.0):
    """Steps of an action with effects ``(is_add, relation, variables)`` among random changes.

    Args:
        effects: What the action changes.
        n_flips: Changes by noise per step, of relations ``p`` and ``q``.
        shown: Share of the steps in which an effect is seen.
    """
    found = []
    for _ in range(N_STEPS):
        objects = [int(o) for o in rng.permutation(N_OBJECTS)]
        changes = {
            ChangedAtom(is_add, relation, tuple(objects[v] for v in variables))
            for is_add, relation, variables in effects
            if rng.random() < shown
        }
        for _ in range(rng.poisson(n_flips)):
            relation, arity = (("p", 1), ("q", 2))[int(rng.integers(2))]
            arguments = tuple(int(o) for o in rng.integers(N_OBJECTS, size=arity))
            changes.add(ChangedAtom(bool(rng.integers(2)), relation, arguments))
        found.append(StepChanges(tuple(sorted(changes)), 0, ()))
    return found


def found_in(own, other=()):
    noise = NoiseChanges({"act": own, **({"other": other} if other else {})})
    return find_pattern(own, noise)


def canonical(changes):
    """The changes with variables numbered by the order of the changes' kinds."""
    number = {}
    ordered = sorted(changes, key=lambda c: (c.atom.relation, c.is_add, c.atom.variables))
    return [
        (
            c.is_add,
            c.atom.relation,
            tuple(number.setdefault(v, len(number)) for v in c.atom.variables),
        )
        for c in ordered
    ]


def test_effects_with_shared_variables():
    rng = default_rng(0)
    planted = [(True, "q", (0, 1)), (False, "q", (0, 2)), (True, "p", (1,))]
    pattern = found_in(steps(rng, planted, 6, 0.85), steps(rng, [], 6))
    wanted = [LiftedChange(s, LiftedAtom(r, v)) for s, r, v in planted]
    assert canonical(pattern.changes) == canonical(wanted)
    assert all(0.5 < theta < 0.99 for theta in pattern.thetas)


def test_an_effect_that_every_action_has():
    """No action shows what noise alone does; the even number of changes gives it away."""
    rng = default_rng(1)
    pattern = found_in(steps(rng, [(True, "q", (0, 1))], 1, 0.97))
    assert pattern.changes == [LiftedChange(True, LiftedAtom("q", (0, 1)))]


def test_noise_alone_has_no_pattern():
    rng = default_rng(2)
    assert found_in(steps(rng, [], 6), steps(rng, [], 6)).changes == []


def test_a_few_steps_of_another_action_change_nothing():
    rng = default_rng(3)
    own = steps(rng, [(False, "p", (0,)), (True, "q", (0, 1))], 0.5)
    alien = steps(rng, [(False, "p", (0,)), (True, "p", (1,))], 0.5)
    mixed = own[:140] + alien[:10]
    pattern = found_in(mixed, steps(rng, [], 0.5))
    assert {(c.is_add, c.atom.relation) for c in pattern.changes} == {(False, "p"), (True, "q")}


def test_what_is_moved_in_the_lesser_part_of_the_steps():
    """In the others it is where it goes to. Both signs are seen as often, as of noise, but together
    in the same steps."""
    rng = default_rng(4)
    planted = [(True, "p", (0,)), (False, "p", (1,))]
    own = steps(rng, planted, 0.3)[:60] + steps(rng, [], 0.3)[:90]
    pattern = found_in(own, steps(rng, [], 0.3))
    assert canonical(pattern.changes) == canonical(
        [LiftedChange(s, LiftedAtom(r, v)) for s, r, v in planted]
    )
    assert all(0.3 < theta < 0.5 for theta in pattern.thetas)


@pytest.mark.parametrize(
    "planted",
    [
        [(True, "r", (0, 2, 1)), (False, "r", (0, 1, 2))],
        [(True, "r", (0, 1, 2, 3)), (False, "p", (2,))],
    ],
)
def test_a_pattern_may_begin_with_a_change_of_many_objects(planted):
    """A cable is turned round, and nothing else changes."""
    rng = default_rng(5)
    pattern = found_in(steps(rng, planted, 1, 0.9), steps(rng, [], 1))
    wanted = [LiftedChange(s, LiftedAtom(r, v)) for s, r, v in planted]
    assert canonical(pattern.changes) == canonical(wanted)
