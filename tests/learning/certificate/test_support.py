"""What counts as untested, thin and doubtful."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.learning.certificate.support import LOG_FEW, NO_OUTCOMES, Doubt, LiteralSupport, Support
from dias.learning.data.refusals import NO_ATTEMPTS
from dias.learning.schema import NETWORK


def literal(role, n_changed=None, chance=None):
    return LiteralSupport(role, role, 9, n_changed, 1, chance)


SURE = Support(
    NETWORK,
    0,
    (literal("type", None, 0.001), literal("add", 2)),
    (),
    None,
    NO_ATTEMPTS,
    (),
    NO_OUTCOMES,
)


@pytest.mark.parametrize("role", ["type", "precondition"])
def test_a_condition_without_a_chance_is_untested(role):
    assert literal(role).is_untested
    assert not literal(role, chance=0.0).is_untested
    assert not literal(role, chance=0.5).is_untested


@pytest.mark.parametrize("role", ["add", "delete"])
def test_an_effect_is_thin_if_one_step_shows_it_or_none_for_sure(role):
    effects = tuple(literal(role, n_changed) for n_changed in (0, 1, 2, 3))
    assert not any(one.is_untested for one in effects)
    support = replace(SURE, literals=(literal("precondition"), *effects, literal("type")))
    assert support.thin_effects == effects[:2]
    assert support.n_untested == 2


@pytest.mark.parametrize(("log_few", "is_thin"), [(0.0, False), (LOG_FEW, False), (-30.0, True)])
def test_an_effect_is_thin_if_far_fewer_steps_show_it_than_would_by_chance(log_few, is_thin):
    effect = replace(literal("delete", 20), log_few=log_few)
    assert effect.is_thin == is_thin
    assert (replace(SURE, literals=(effect,)).word(effect) == "doubtful") == is_thin


def test_what_is_weak_thin_or_missing_is_doubted():
    assert not SURE.has_doubts
    assert not replace(SURE, literals=(*SURE.literals, literal("precondition"))).has_doubts
    assert replace(SURE, literals=(*SURE.literals, literal("delete", 1))).has_doubts
    assert replace(SURE, weak=(Doubt(("(on ?x1)",), 0.5),)).has_doubts
    assert replace(SURE, missing=Doubt(("(on ?x2)",), 0.04)).has_doubts
    assert replace(SURE, may_be_needed=("(not (on ?x2))",)).has_doubts
    assert not replace(SURE, left_out=("(not (on ?x2))",)).has_doubts


def test_the_word_for_a_literal():
    """A doubt names its literals; a literal that nothing tests may be doubted as well."""
    sure, untested, thin = literal("precondition", chance=0.0), literal("type"), literal("add", 1)
    support = replace(SURE, literals=(sure, untested, thin, literal("add", 2)))
    words = ["decided", "untested", "doubtful", "decided"]
    assert [support.word(one) for one in support.literals] == words
    assert support.word(literal("precondition", chance=0.011)) == "doubtful"
    assert support.word(literal("precondition", chance=0.01)) == "decided"
    for one, other in ((sure, untested), (untested, sure)):
        doubt = Doubt((one.text,), 0.5)
        for doubted in (replace(support, weak=(doubt,)), replace(support, doubtful=doubt)):
            assert doubted.word(one) == "doubtful" != doubted.word(other)
