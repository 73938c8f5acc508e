"""Fewest effects, fewest variables: what is dropped, and in which order."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.explain.bindings import is_explained
from dias.learning.propose.trim import minimal_effects, smaller_effects
from dias.learning.schema import Effects, LiftedAtom, compact
from dias.strips.codes import AtomCodes
from tests.learning import cases, strategies
from tests.learning.cases import literals

CODES = AtomCodes({"holds": 1, "full": 1, "shaken": 1, "next": 2}, ["g", "s", "x"])


group = partial(cases.steps, CODES)


def naive_smaller(effects):
    """Without one literal, or with one variable (not a given one) replaced by an earlier one."""
    for place in range(len(effects.add) + len(effects.delete)):
        signed = [(a, True) for a in effects.add] + [(a, False) for a in effects.delete]
        yield [pair for number, pair in enumerate(signed) if number != place]
    for kept in range(effects.n_variables):
        for merged in range(max(kept + 1, effects.n_given), effects.n_variables):
            signed = [(a, True) for a in effects.add] + [(a, False) for a in effects.delete]
            yield [
                (a._replace(variables=tuple(kept if v == merged else v for v in a.variables)), sign)
                for a, sign in signed
            ]


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_every_smaller_one_is_tried_in_order(data):
    arities = data.draw(strategies.arities)
    drawn = data.draw(strategies.effects(arities))
    n_given = data.draw(st.integers(0, 3))
    effects = compact(list(drawn.add), list(drawn.delete), n_given)
    assert list(smaller_effects(effects)) == [
        compact(
            list(dict.fromkeys(a for a, is_add in signed if is_add)),
            list(dict.fromkeys(a for a, is_add in signed if not is_add)),
            n_given,
        )
        for signed in naive_smaller(effects)
    ]


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_nothing_smaller_does(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    examples = data.draw(strategies.examples(effects, arities))
    found = minimal_effects(effects, examples)
    explained = [e for e in examples.examples if is_explained(effects, e)]
    assert all(is_explained(found, e) for e in explained)
    for signed in naive_smaller(found):
        smaller = compact([a for a, add in signed if add], [a for a, add in signed if not add])
        assert not all(is_explained(smaller, e) for e in explained)


def test_what_was_not_explained_has_no_say():
    """The second step is explained by no part of the effects, the third by less than all."""
    effects = Effects(1, literals("full 0"), literals("shaken 0"))
    steps = group(("", "full g"), ("", "shaken g"), ("holds x, shaken x", "holds x, full x"))
    assert minimal_effects(effects, steps) == effects
    assert minimal_effects(effects, replace(steps, examples=steps.examples[:2])) == Effects(
        1, literals("full 0"), ()
    )
    assert minimal_effects(effects, replace(steps, examples=steps.examples[1:2])) == Effects(
        0, (), ()
    )


def test_merged_literals_stand_once_and_the_first_stays_first():
    vessels = Effects(2, (), literals("holds 0", "shaken 0", "holds 1", "full 1"))
    steps = group(("holds g, full g", ""), ("holds s, shaken s", ""))
    assert [one for one in smaller_effects(vessels) if one.n_variables == 1] == [
        Effects(1, (), literals("holds 0", "shaken 0", "full 0"))
    ]
    # Both may be one vessel, so that one `holds` is spared first.
    assert minimal_effects(vessels, steps) == Effects(
        1, (), literals("shaken 0", "holds 0", "full 0")
    )
    filled = Effects(2, literals("full 1", "holds 0", "holds 1", "shaken 0"), ())
    assert [one for one in smaller_effects(filled) if one.n_variables == 1] == [
        Effects(1, literals("full 0", "holds 0", "shaken 0"), ())
    ]


def test_given_arguments_are_neither_dropped_nor_merged():
    effects = Effects(3, (), (LiftedAtom("full", (1,)), LiftedAtom("full", (2,))), 2)
    steps = group(("full s", ""), arguments=("g", "s"))
    assert minimal_effects(effects, steps) == Effects(2, (), literals("full 1"), 2)
    idle = group(("holds g", "holds g"), arguments=("g", "s"))
    assert minimal_effects(effects, idle) == Effects(2, (), (), 2)
    apart = Effects(2, (), literals("full 0", "full 1"), 2)
    both = group(("full s, full g", ""), arguments=("g", "s"))
    assert minimal_effects(apart, both) == apart
    # A further variable may be put in the place of a given one, but not the other way round.
    also = Effects(3, (), literals("full 0", "shaken 2"), 2)
    assert [x for x in smaller_effects(also) if x.n_variables == 2] == [
        Effects(2, (), literals("full 0"), 2),
        Effects(2, (), literals("full 0", "shaken 0"), 2),
        Effects(2, (), literals("full 0", "shaken 1"), 2),
    ]
