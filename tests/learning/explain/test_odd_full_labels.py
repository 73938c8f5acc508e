"""Steps that were seen wrong where all arguments are known."""

from __future__ import annotations

import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.explain.bindings import is_explained
from dias.learning.explain.full_labels import of_arguments
from dias.learning.explain.odd_steps import without_odd_steps
from dias.learning.learn import learn
from dias.learning.schema import Effects, Origin
from tests.learning.cases import literals
from tests.learning.explain.odd_worlds import HEADER, press_steps
from tests.traces.files import read

FULL = HEADER | {"labels": "full"}
ON = Effects(1, literals("on 0"), (), 1)
READY = literals("ready 0")[0]
NO_EFFECT = Effects(1, (), (), 1)


def learned(lines, looks=True):
    """The schema, and which steps its effects do not explain."""
    traces = read(FULL, *lines)
    [group] = examples_by_action(traces).values()
    schema, found = of_arguments(group)
    if looks:
        schema, _ = without_odd_steps(schema, group, found, traces)
    assert schema.origin == Origin("arguments")
    return schema, [
        place for place, e in enumerate(group.examples) if not is_explained(schema.effects, e)
    ]


def without_effect(lines, *places):
    """The same, where in some steps nothing changed."""
    return [
        one | {"next": one["state"]} if place in places else one for place, one in enumerate(lines)
    ]


def lit_too(lines, *places):
    """The same, where in some steps another lamp came on."""
    return [
        one | {"next": [*one["next"], "(on e)", "(on f)"]} if place in places else one
        for place, one in enumerate(lines)
    ]


@pytest.mark.parametrize("is_positive", [True, False])
def test_the_one_that_violates_a_literal_has_no_say(is_positive):
    schema, left = learned(press_steps(60, [7], is_positive=is_positive, labels="full"))
    assert READY in (schema.positive if is_positive else schema.negative)
    assert (schema.effects, left) == (ON, [])
    schema, _ = learned(press_steps(60, [7], is_positive=is_positive, labels="full"), looks=False)
    assert READY not in schema.positive + schema.negative


@pytest.mark.parametrize("spoil", [without_effect, lit_too])
@pytest.mark.parametrize(("n_steps", "n_odd"), [(40, 1), (40, 2), (60, 3)])
def test_few_cost_no_effect(spoil, n_steps, n_odd):
    places = [11 * number for number in range(n_odd)]
    schema, left = learned(spoil(press_steps(n_steps, labels="full"), *places))
    assert (schema.effects, left) == (ON, places)
    assert READY in schema.positive


@pytest.mark.parametrize(("n_steps", "n_odd"), [(39, 1), (40, 3), (60, 4)])
def test_more_than_may_be_odd_do(n_steps, n_odd):
    places = [9 * number for number in range(n_odd)]
    schema, left = learned(without_effect(press_steps(n_steps, labels="full"), *places))
    assert schema.effects == NO_EFFECT
    assert left == [place for place in range(n_steps) if place not in places]


def test_an_odd_effect_and_an_odd_precondition_together():
    lines = lit_too(press_steps(60, [7], labels="full"), 20)
    result = learn(read(FULL, *lines))
    [own] = result.evidence
    assert own.support.unexplained_lines == (9, 22)
    assert [(cause.kind, cause.n_steps, cause.line) for cause in own.causes] == [("odd", 2, 9)]
    [press] = result.domain.actions
    assert {atom.predicate for atom in press.preconditions} == {"ready"}
    assert {atom.predicate for atom in press.add_effects} == {"on"}


def test_where_all_is_explained_no_effect_is_doubted():
    """What one step alone shows is one, if the others have it already."""
    lines = [
        one | {"state": [*one["state"], *lit], "next": [*one["next"], *(lit or [shown])]}
        for number, one in enumerate(press_steps(60, labels="full"))
        for shown in [f"(near {one['action'].split()[1]}"]
        for lit in [[] if number == 13 else [shown]]
    ]
    header = FULL | {"predicates": FULL["predicates"] | {"near": ["object"]}}
    traces = read(header, *lines)
    [group] = examples_by_action(traces).values()
    schema, found = of_arguments(group)
    schema, _ = without_odd_steps(schema, group, found, traces)
    assert schema.effects == Effects(1, literals("near 0", "on 0"), (), 1)
