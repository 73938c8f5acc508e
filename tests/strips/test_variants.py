from __future__ import annotations

import pytest

from dias.planning.replay import Verdict, replay
from dias.strips.grounding import GroundAction
from dias.strips.model import Instance
from dias.strips.pddl.reader import parse_domain
from dias.strips.variants import common_name, variant_names
from tests.learning.conditional_cases import TOGGLE


@pytest.mark.parametrize(
    ("name", "common"),
    [
        ("press-1", "press"),
        ("press-12", "press"),
        ("press", "press"),
        ("press-on", "press-on"),
        ("press-0", "press-0"),
        ("press-1-2", "press-1"),
        ("-1", "-1"),
        ("lift2", "lift2"),
    ],
)
def test_the_common_name_has_no_number(name, common):
    assert common_name(name) == common


def test_variant_names_are_new_and_lead_back():
    names = variant_names("press", 3, {"press", "press-2", "walk"})
    assert names == ("press-1", "press-3", "press-4")
    assert {common_name(name) for name in names} == {"press"}


def test_a_replay_may_take_variants_for_the_same():
    """The learned domain has the numbers the other way round."""
    true = parse_domain(TOGGLE)
    learned = parse_domain(
        TOGGLE.replace("press-1", "x").replace("press-2", "press-1").replace("x ", "press-2 ")
    )
    wired = next(iter(parse_domain(TOGGLE).actions[0].preconditions))._replace(terms=("a",))
    instance = Instance("p", "toggle", {"a": "object"}, frozenset({wired}))
    steps = [GroundAction("press-2", ("a",)), GroundAction("press-1", ("a",))]
    strict = replay(steps, learned, true, instance)
    assert [step.verdict for step in strict.steps] == [Verdict.OTHER_ACTION] * 2
    assert not strict.valid
    assert replay(steps, learned, true, instance, variants=True).valid
