"""What all but a few steps obey, though not enough speaks for it to call these odd."""

from __future__ import annotations

import math

import pytest

from dias.learning.explain.certify import certify_table
from dias.learning.explain.odd_steps import odd_steps
from dias.learning.extend.evidence import LOG_CHANCE
from dias.learning.learn import learn
from dias.learning.schema import Effects, Literal
from dias.report.certificate import support_json
from dias.report.doubts import UNSOUND, doubts
from dias.report.to_record import advice
from tests.learning.cases import literals
from tests.learning.explain.odd_worlds import explained, press

PLACE, LINE = 7, 9


def exceptions_of(traces):
    """What the certificate of the only action says of them."""
    [evidence] = learn(traces).evidence
    return evidence.support.exceptions


@pytest.mark.parametrize("is_positive", [True, False])
@pytest.mark.parametrize("share", [0.75, 0.8, 0.85])
def test_where_it_says_something_but_not_enough_it_is_named(share, is_positive):
    result = learn(press(60, [PLACE], share=share, is_positive=is_positive))
    literal = "(ready ?x1)" if is_positive else "(not (ready ?x1))"
    [evidence] = result.evidence
    found = evidence.support.exceptions
    assert (found.literals, found.lines, found.n_steps) == ((literal,), (LINE,), 60)
    assert 0 < -math.log(found.chance) <= -LOG_CHANCE
    assert evidence.n_explained == 60 and evidence.support.has_doubts
    [doubt] = [own for own in doubts(result) if "seen wrong" in own.text]
    assert doubt.kind == UNSOUND
    assert doubt.text.startswith(f"{literal} may be needed, and line {LINE} seen wrong: ")
    assert any(f"line {LINE}" in text for text in advice(result))
    said = support_json(evidence.support)["exceptions"]
    assert said == {"literals": [literal], "lines": [LINE], "chance": found.chance}


def test_the_chance_is_what_it_is_worth_less_what_the_step_costs():
    traces, effects = press(60, [PLACE], share=0.8), Effects(1, literals("on 0"), ())
    group, found = explained(effects, traces)
    odd, nearest = odd_steps(certify_table(effects, group, found), group, found, traces)
    assert (odd.tolist(), nearest.steps.tolist()) == ([], [PLACE])
    assert nearest.literals == (Literal(literals("ready 0")[0], True),)
    assert exceptions_of(traces).chance == pytest.approx(math.exp(-nearest.gain))


@pytest.mark.parametrize(
    ("share", "n_explained"),
    [pytest.param(0.5, 59, id="the step is odd"), pytest.param(0.97, 60, id="it says nothing")],
)
def test_else_it_is_not(share, n_explained):
    result = learn(press(60, [PLACE], share=share))
    [evidence] = result.evidence
    assert evidence.support.exceptions is None
    assert evidence.n_explained == n_explained


def test_two_steps():
    found = exceptions_of(press(100, [PLACE, 20], share=0.8))
    assert (found.literals, found.lines) == (("(ready ?x1)",), (LINE, 22))
