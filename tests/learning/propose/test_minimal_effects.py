"""Effects that change nothing that others do not change are removed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import Examples
from dias.learning.explain.at_once import count_explained
from dias.learning.propose.trim import minimal_effects
from dias.learning.schema import Effects, compact, lifted_atoms
from dias.strips.codes import AtomCodes
from tests.learning import strategies
from tests.learning.cases import example, literals
from tests.learning.explain.loops import certified, explained
from tests.traces.files import atoms


@settings(deadline=None)
@given(st.data())
def test_minimal_effects(data):
    """What was explained still is, and no further effect can be spared."""
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    minimal = minimal_effects(effects, group)
    assert explained(effects, group) <= explained(minimal, group)
    assert len(minimal.add) <= len(effects.add) and len(minimal.delete) <= len(effects.delete)
    for kind in ("add", "delete"):
        for literal in getattr(minimal, kind):
            rest = [other for other in getattr(minimal, kind) if other != literal]
            add, delete = (rest, minimal.delete) if kind == "add" else (minimal.add, rest)
            fewer = compact(list(add), list(delete))
            assert not explained(minimal, group) <= explained(fewer, group)


ROBOT = {"at": 1, "road": 2, "lit": 0, "sold": 1}
CODES = AtomCodes(ROBOT, ["a", "b", "c", "d"])
ROADS = ("road a b", "road b c", "road c d", "road d a")


def moves(*pairs):
    """Moves of a robot; nothing else changes."""
    return [
        example(CODES, atoms(f"at {x}", *ROADS), atoms(f"at {y}", *ROADS))
        for x, y in map(str.split, pairs)
    ]


@pytest.mark.parametrize(
    ("add", "delete"),
    [
        (["road 2 3"], []),  # always true: with variables of its own
        ([], ["sold 2"]),  # never true
        ([], ["lit"]),
        (["road 0 1"], ["sold 0", "sold 1"]),  # idle, and over the variables that count
    ],
)
def test_planted_idle_effects_are_removed(add, delete):
    group = Examples("move", ROBOT, moves("a b", "b c", "c d"))
    true = Effects(2, literals("at 1"), literals("at 0"))
    planted = Effects(4, literals("at 1", *add), literals("at 0", *delete))
    assert count_explained(planted, group) == 3
    assert minimal_effects(planted, group) == true
    schema = certified(planted, group)
    assert schema.effects == true
    assert schema.positive == literals("at 0", "road 0 1")
    others = [x for x in lifted_atoms(ROBOT, 2) if x not in literals("at 0", "road 0 1")]
    assert schema.negative == (*others, *literals("= 0 1"))


def test_an_effect_that_changes_something_only_once_is_kept():
    before, after = atoms("at a", "lit", *ROADS), atoms("at b", *ROADS)
    group = Examples("move", ROBOT, [*moves("a b", "b c", "c d"), example(CODES, before, after)])
    effects = Effects(2, literals("at 1"), literals("at 0", "lit"))
    assert minimal_effects(effects, group) == effects
