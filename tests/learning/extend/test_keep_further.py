"""`safe` keeps what every step satisfies of further parameters, where some state tests it."""

from __future__ import annotations

import pytest

from dias.config import LearningConfig
from dias.learning.learn import learn
from tests.traces.files import header, read, step

HEADER = header(
    labels="names",
    types=None,
    predicates={"lit": ["object"], "lamp": ["object"], "near": ["object"] * 2},
    objects=dict.fromkeys("abcdef", "object"),
    actions=["light"],
    static=["(lamp a)", "(lamp b)", "(lamp c)", "(near a d)", "(near b e)"],
)


def light(lamp, *lit):
    state = [f"(lit {other})" for other in lit]
    return step(state, "(light)", [*state, f"(lit {lamp})"])


STEPS = light("a"), light("b"), light("a", "b"), light("b", "a")


def learned(*lines, preconditions="safe"):
    config = LearningConfig(method="symbolic", preconditions=preconditions)
    result = learn(read(*lines), config)
    assert result.explains_everything
    (own,), (action,) = result.evidence, result.domain.actions
    return own.support, action


def conditions(action):
    return {str(atom) for atom in action.preconditions}


def test_what_one_lamp_lacks_that_was_never_lit():
    """Of c alone nothing is near. That may be why, but four steps do not pay for a parameter."""
    support, action = learned(HEADER, *STEPS, preconditions="concise")
    assert (action.arity, support.further[0]) == (1, ("(near ?lamp ?x2)",))
    support, action = learned(HEADER, *STEPS)
    assert support.n_extra == 1
    assert conditions(action) == {"(lamp ?lamp)", "(near ?lamp ?x1)"}


def test_what_no_state_tests_is_named_as_before():
    header_ = HEADER | {"static": [*HEADER["static"], "(near c f)"]}
    support, action = learned(header_, *STEPS)
    assert (support.n_extra, conditions(action)) == (0, {"(lamp ?lamp)"})
    assert support.further == learned(header_, *STEPS, preconditions="concise")[0].further
    assert support.further[0] == ("(near ?lamp ?x2)",)


def test_what_is_left_to_say_is_about_yet_another_one():
    """The neighbour is kept; that some lamp is out, c at any rate, nothing tests."""
    (before,) = learned(HEADER, *STEPS, preconditions="concise")[0].further[1:]
    (left,) = learned(HEADER, *STEPS)[0].further
    assert left == tuple(text.replace("?x2", "?x3") for text in before)
    assert "(lamp ?x3)" in left


@pytest.mark.parametrize("n", [1, 2])
def test_each_step_still_has_one_binding_that_satisfies_all(n):
    """Where c was lit once, nothing holds of further parameters any more."""
    support, action = learned(HEADER, *STEPS, *[light("c", "a"), light("c", "b")][:n])
    assert (support.n_extra, action.arity) == (0, 1)
