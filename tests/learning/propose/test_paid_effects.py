"""Effects that only few steps show, against the price of saying that those were seen wrong."""

from __future__ import annotations

import random

import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.extend.variables import complete
from dias.learning.learn import learn
from dias.learning.propose.single_steps import propose
from dias.learning.propose.trim import paid_effects
from dias.learning.schema import Effects
from tests.learning.cases import literals
from tests.learning.explain.odd_worlds import HEADER, NAMES, press_steps
from tests.traces.files import read

ON = Effects(1, literals("on 0"), ())
WIDE = Effects(2, literals("on 0", "lit 1"), ())
BOTH = Effects(1, literals("on 0", "lit 0"), ())
LIT = HEADER | {"predicates": HEADER["predicates"] | {"lit": ["object"]}}


def steps(n_steps, lighting=(), is_lit=NAMES[:1], labels="names"):
    """Steps that switch on an object where some are lit, of which some light another, or it.

    Args:
        n_steps: How many.
        lighting: Which of them, and what they light: `other`, or the one switched on.
        is_lit: What is lit before, where it is not what becomes lit.
        labels: `names`, or whether the object is given.
    """
    lines = []
    for number, line in enumerate(press_steps(n_steps, labels=labels)):
        pressed = line["next"][-1].removeprefix("(on ").removesuffix(")")
        lit = {f"(lit {name})" for name in is_lit}
        lights = set()
        if number in lighting:
            other = next(name for name in NAMES if name != pressed)
            lights = {f"(lit {other if lighting[number] == 'other' else pressed})"}
        before = [*line["state"], *sorted(lit - lights)]
        after = [*line["next"], *sorted(lit | lights)]
        lines.append(line | {"state": before, "next": after})
    return read(LIT | {"labels": labels}, *lines)


def paid(effects, traces):
    [group] = examples_by_action(traces).values()
    return paid_effects(effects, group, traces)


@pytest.mark.parametrize("labels", ["names", "partial"])
def test_a_variable_that_one_step_in_sixty_needs_goes(labels):
    """All the others were explained by any object that is lit already."""
    traces = steps(60, {23: "other"}, labels=labels)
    n_given = int(labels != "names")
    on, wide = ON._replace(n_given=n_given), WIDE._replace(n_given=n_given)
    [group] = examples_by_action(traces).values()
    assert propose(group)[1] == 60  # so that nothing else than the score would drop it
    assert paid(wide, traces) == on
    assert complete(wide, group, traces).effects == on


@pytest.mark.parametrize(("n_lighting", "goes"), [(3, True), (4, False)])
def test_what_more_than_may_be_odd_show_stays(n_lighting, goes):
    traces = steps(60, dict.fromkeys(range(0, 4 * n_lighting, 4), "other"))
    assert paid(WIDE, traces) == (ON if goes else WIDE)


@pytest.mark.parametrize(("n_steps", "goes"), [(39, False), (40, True)])
def test_where_steps_are_few_all_stay(n_steps, goes):
    traces = steps(n_steps, {23: "other"})
    assert paid(WIDE, traces) == (ON if goes else WIDE)


def test_an_effect_that_costs_less_than_an_odd_step_stays():
    """Everything is lit but for what one step lights: nothing more is allowed with the effect.

    Where only some are lit, the literal that becomes a precondition without it rules out much.
    """
    everything = steps(60, {23: "this"}, is_lit=NAMES)
    assert paid(BOTH, everything) == BOTH
    few = [line_of_two(number, lights=number == 23) for number in range(60)]
    assert paid(BOTH, read(LIT, *few)) == ON


def line_of_two(number, lights):
    """A step that switches on the first of two lit objects; if it lights it, that was not lit."""
    one, other = NAMES[number % 6], NAMES[(number + 1 + number // 6 % 5) % 6]
    red = [f"(red {name})" for name in NAMES[: number // 30]]
    before = [*red, f"(lit {other})", *[f"(lit {one})"] * (not lights)]
    after = [*red, f"(lit {other})", f"(lit {one})", f"(on {one})"]
    return {"state": before, "action": "press", "next": after}


def test_what_nothing_needs_at_all_goes():
    assert paid(WIDE, steps(60)) == ON
    assert paid(ON, steps(60)) == ON


def telling(n_steps, new, seed):
    """Steps that tell a place that a robot knows of; only `new` ones tell one that is not told."""
    rng, lines, seen = random.Random(seed), [], set()
    robots, places = ("r1", "r2", "r3"), tuple(f"p{number}" for number in range(6))
    while len(lines) < n_steps:
        knows = sorted((r, p) for r in robots for p in places if rng.random() < 0.2)
        if not knows:
            continue
        _, place = rng.choice(knows)
        told = {p for p in places if rng.random() < 0.5} | {place}
        told |= {p for _, p in knows if rng.random() < 0.8}
        if len(lines) in new:
            told.discard(place)
        state = (*(f"(knows {r} {p})" for r, p in knows), *(f"(told {p})" for p in sorted(told)))
        if state not in seen:
            seen.add(state)
            after = sorted({*state, f"(told {place})"})
            lines.append({"state": list(state), "action": "(tell)", "next": after})
    header = {"predicates": {"knows": ["object", "object"], "told": ["object"]}}
    objects = {"objects": dict.fromkeys((*robots, *places), "object")}
    return read(HEADER | header | objects, *lines)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("new", [(7, 30, 60, 90), (7, 30, 60, 90, 100)], ids=len)
def test_an_effect_that_only_a_further_variable_makes_worth_its_steps(new, seed):
    """By itself it may tell anything, so that no effect and a few odd steps would say more.

    But some robot knows of the place, which leaves next to nothing else to tell.
    """
    traces = telling(120, new, seed)
    [group] = examples_by_action(traces).values()
    tell = Effects(1, literals("told 0"), ())
    assert paid(tell, traces) == Effects(0, (), ())
    schema = complete(tell, group, traces)
    assert schema.effects == tell and literals("knows 1 0")[0] in schema.positive
    result = learn(traces)
    assert result.explains_everything
