"""What every step satisfies of one more parameter, though nothing says that it is needed."""

from __future__ import annotations

import pytest

from dias.config import LearningConfig
from dias.learning.learn import learn
from tests.traces.files import header, read, step

HEADER = header(
    labels="names",
    types=None,
    predicates={"lit": ["object"], "lamp": ["object"], "near": ["object"] * 2},
    objects=dict.fromkeys("abcde", "object"),
    actions=["light"],
    static=["(lamp a)", "(lamp b)", "(near a c)", "(near b d)", "(near b e)"],
)


def light(lamp, *lit, **more):
    state = [f"(lit {other})" for other in lit]
    return step(state, "(light)", [*state, f"(lit {lamp})"], **more)


STEPS = light("a"), light("b"), light("a", "b"), light("b", "a")


def further(*lines):
    result = learn(read(*lines), LearningConfig(method="symbolic"))
    (own,) = result.evidence
    assert result.explains_everything
    assert own.support.n_extra == 0
    return own.support.further


def test_a_neighbour_that_every_lamp_has():
    assert further(HEADER, *STEPS) == (("(near ?lamp ?x2)",),)


@pytest.mark.parametrize("static", [["(near a c)"], ["(near a c)", "(near c b)"], []])
def test_a_neighbour_that_one_lamp_lacks(static):
    lamps = ["(lamp a)", "(lamp b)"]
    assert further(HEADER | {"static": [*lamps, *static]}, *STEPS) == ()


def test_where_a_lamp_stands_for_the_neighbour_there_is_none():
    lamps = ["(lamp a)", "(lamp b)", "(near a a)", "(near b b)"]
    assert further(HEADER | {"static": lamps}, *STEPS) == ()


def test_where_it_was_said_what_is_applicable():
    """Of all states, that is: in those of which nothing was said, nothing was decided."""
    one, other = (light(lamp, applicable=["light"]) for lamp in "ab")
    both = (light(*lamps, applicable=["light"]) for lamps in ("ab", "ba"))
    assert further(HEADER, one, *STEPS[1:]) == (("(near ?lamp ?x2)",),)
    assert further(HEADER, one, other, *both) == ()


def test_what_a_mask_refutes_is_not_said():
    """It lists the action where the only lamp that is not lit has no neighbour."""
    three = HEADER | {"static": [*HEADER["static"], "(lamp c)"], "actions": ["light", "wait"]}

    def masked(*listed):
        lit = ["(lit a)", "(lit b)"]
        wait = step(lit, "(wait)", lit, applicable=listed)
        return learn(read(three, *STEPS, wait), LearningConfig(method="symbolic")).evidence[0]

    refuted, refused = masked("light", "wait"), masked("wait")
    assert refuted.support.further == ()
    assert not refuted.masks.n_against
    assert ("(near ?lamp ?x2)",) in refused.support.further
    assert refused.masks.too_weak == (6,)


SWITCH = HEADER | {
    "predicates": {"on": [], "lit": ["object"]}, "static": [], "actions": ["switch", "light"]
}  # fmt: skip


def switch(*lit):
    state = [f"(lit {one})" for one in lit]
    return step(state, "(switch)", [*state, "(on)"])


def burn(lamp):
    return step(["(on)"], "(light)", ["(on)", f"(lit {lamp})"])


def of_switch(*lines, objects="abc"):
    header = SWITCH | {"objects": dict.fromkeys(objects, "object")}
    result = learn(read(header, *lines, burn("a"), burn("b")), LearningConfig(method="symbolic"))
    (own,) = (one for one in result.evidence if one.action == "switch")
    return own.support.further


def test_some_lamp_that_burnt_or_did_not_in_every_state():
    """Where at times one lamp only is left, and not always the same, it may be asked for."""
    states = switch("a", "b"), switch("a", "c"), switch("b", "c")
    assert of_switch(*states) == (("(not (lit ?x1))",),)
    assert of_switch(*states, switch("a", "b", "c")) == ()
    single = switch("a"), switch("b"), switch("c")
    assert of_switch(*single) == (("(lit ?x1)",),)
    assert of_switch(*single, objects="abcd") == (("(lit ?x1)",),)
    both = ("(lit ?x1)",), ("(not (lit ?x1))",)
    assert of_switch(*single[:2], objects="ab") == both
    assert of_switch(single[0], objects="ab") == ()  # always the same ones


WIRED = HEADER | {
    "predicates": {"lit": ["object"], "lamp": ["object"], "wired": ["object"] * 3},
    "objects": dict.fromkeys("abcdefg", "object"),
}
LAMPS = ["(lamp a)", "(lamp b)", "(wired d e a)", "(wired f g b)"]


def test_two_parameters_that_exclude_something():
    """A third lamp that is wired to nothing was never lit; four steps are too few to say why."""
    third, two = [*LAMPS, "(lamp c)"], ("(wired ?x2 ?x3 ?lamp)",)
    assert two in further(WIRED | {"static": third}, *STEPS)
    # Without it, or where it is wired, too, nothing is excluded.
    assert two not in further(WIRED | {"static": LAMPS}, *STEPS)
    assert two not in further(WIRED | {"static": [*third, "(wired d g c)"]}, *STEPS)
    # Where one that was lit is not wired, it is not needed.
    assert two not in further(WIRED | {"static": [*third[:3], third[4]]}, *STEPS)
