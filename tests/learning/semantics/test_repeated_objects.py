"""Actions whose parameters may be one object: sampled, learned, and right in a larger problem."""

from __future__ import annotations

import pytest

from dias.config import LearningConfig
from dias.learning.learn import learn
from dias.strips.pddl.reader import parse_domain
from dias.strips.pddl.writer import format_domain
from dias.traces.record import LabelMode
from tests.learning.semantics.repeated_worlds import WORLDS
from tests.learning.worlds import QUICK, comes_out, in_every_way, walk
from tests.traces.files import read


@pytest.mark.parametrize(("name", "way"), in_every_way(WORLDS))
def test_it_comes_out_right(name, way):
    world = WORLDS[name]
    domain = world.domain()
    for action in comes_out(world, way).domain.actions:
        assert action.arity == domain.action(action.name).arity


REPEATED = {
    "bus": {"drive", "swap"},
    "air": {"fly"},
    "rooms": {"move"},
    "shelves": {"shift"},
    "feast": {"feed"},
    "glue": {"tie", "untie", "paint"},
    "lamps": {"note"},
    "guards": set(),
}


@pytest.mark.parametrize("name", WORLDS)
def test_objects_are_repeated_in_what_is_sampled(name):
    """Else nothing would be tested here. Some such steps change nothing."""
    traces = walk(WORLDS[name], LabelMode.FULL)
    repeated = [t for t in traces.transitions if len(set(t.arguments)) < len(t.arguments)]
    assert {t.action for t in repeated} == REPEATED[name]
    still = {t.action for t in repeated if t.state == t.next_state}
    assert still == REPEATED[name] & {"drive", "swap", "move", "note"}


DIFFERENT = {"shelves": {"shift": {"shelf"}}, "guards": {"leave": {"guard"}}}
"""The types of the parameters that must differ; in the other worlds none have to."""


@pytest.mark.parametrize(
    ("name", "way"),
    [
        pytest.param(
            name, way, marks=[pytest.mark.slow] * (way != "full" and name not in DIFFERENT)
        )
        for name in WORLDS
        for way in QUICK
    ],
)
def test_minimal_keeps_the_inequalities_of_the_true_domain(name, way):
    result = comes_out(WORLDS[name], way, preconditions="minimal")
    for action in result.domain.actions:
        types = {p.name: p.types for p in action.parameters}
        different = [{*types[x], *types[y]} for x, y in action.inequalities]
        wanted = DIFFERENT.get(name, {}).get(action.name)
        assert different == ([wanted] if wanted else []), action
        assert action.equalities == frozenset()


HEADER = {"dias": "trace/1", "labels": "names", "predicates": {"p": ["object"], "q": ["object"]}}


@pytest.mark.parametrize("repeats", [False, True])
def test_where_objects_never_repeat_they_differ(repeats):
    """What is explained by different objects is; one step that is not takes the inequality away."""
    lines = [
        {"state": [f"(p {x})"], "action": "go", "next": [f"(p {y})"]}
        for x, y in ("ab", "bc", "ca", "ba")
    ]
    if repeats:
        lines.append({"state": ["(p b)"], "action": "go", "next": ["(p b)"]})
    result = learn(read(HEADER, *lines), LearningConfig(method="symbolic"))
    assert result.explains_everything
    (schema,) = result.domain.actions
    assert schema.arity == 2
    assert len(schema.inequalities) == (not repeats)
    assert len(schema.preconditions) == len(schema.add_effects) == len(schema.delete_effects) == 1


def test_two_that_are_always_one_are_equal():
    """The second argument says nothing more, and a planner is told what it is."""
    lines = [
        {"state": [f"(q {x})"], "action": f"(go {x} {x})", "next": [f"(p {x})"]} for x in "abc"
    ]
    for labels in ("full", "partial"):
        result = learn(read(HEADER | {"labels": labels}, *lines), LearningConfig(method="symbolic"))
        assert result.explains_everything
        (schema,) = result.domain.actions
        assert schema.equalities == {("?x1", "?x2")}
        written = parse_domain(format_domain(result.domain))
        assert written.actions == result.domain.actions
