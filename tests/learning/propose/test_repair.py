from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import Examples
from dias.learning.explain.bindings import is_explained
from dias.learning.propose.repair import repair
from dias.learning.schema import Effects
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from tests.learning import strategies
from tests.learning.cases import example, literals

RELATIONS = {"on": 1, "ready": 1, "warm": 1, "dusty": 1}
CODES = AtomCodes(RELATIONS, ["a", "b", "c"])


def switches(*warm):
    """Switching on a lamp that may be ready: it is on, not ready, and not warm afterwards."""
    steps = []
    for name, is_warm in zip("abc" * 10, warm, strict=False):
        before = [Atom("ready", (name,))] + [Atom("warm", (name,))] * is_warm
        steps.append(example(CODES, before, [Atom("on", (name,))]))
    return Examples("switch", RELATIONS, steps)


TRUE = Effects(1, literals("on 0"), literals("ready 0", "warm 0"))
RARELY_WARM = [False] * 19 + [True]


def n_explained(effects, group):
    return sum(is_explained(effects, one) for one in group.examples)


def test_an_effect_that_nearly_always_holds_already_is_added():
    group = switches(*RARELY_WARM)
    proposal = Effects(1, literals("on 0"), literals("ready 0"))
    assert n_explained(proposal, group) == 19
    assert repair(proposal, group) == (TRUE, 20)


def test_an_effect_that_is_not_one_is_dropped():
    """Few lamps are dusty, and they stay so."""
    dusty = [Atom("ready", ("a",)), Atom("dusty", ("a",))]
    after = [Atom("on", ("a",)), Atom("dusty", ("a",))]
    group = switches(*RARELY_WARM)
    group = Examples("switch", RELATIONS, [*group.examples, example(CODES, dusty, after)])
    proposal = Effects(1, literals("on 0"), literals("ready 0", "dusty 0", "warm 0"))
    assert n_explained(proposal, group) == 20
    assert repair(proposal, group) == (TRUE, 21)


def test_what_explains_next_to_nothing_is_left_alone():
    group = switches(*RARELY_WARM)
    proposal = Effects(1, literals("warm 0"), ())
    assert repair(proposal, group) == (proposal, 0)


@settings(deadline=None)
@given(st.data())
def test_never_explains_less_and_counts_right(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    proposal = data.draw(strategies.effects(arities))
    better, explained = repair(proposal, group)
    assert explained == n_explained(better, group) >= n_explained(proposal, group)
    assert repair(effects, group)[1] >= n_explained(effects, group)
