"""Verdicts on plans, by hand and against the naive successors."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dias.planning.validate import step_faults, unmet_goals, validate
from dias.strips.grounding import GroundAction
from dias.strips.model import Instance
from tests.oracles import naive_successors
from tests.planning.cases import BLOCKS, SUSSMAN
from tests.strategies import domains, objects, states

PLAN = [
    GroundAction("unstack", ("c", "a")),
    GroundAction("stack", ("b", "c")),
    GroundAction("stack", ("a", "b")),
]


def test_a_plan_that_is_right():
    verdict = validate(PLAN, BLOCKS, SUSSMAN)
    assert (verdict.n_applicable, verdict.faults, verdict.unmet) == (3, (), ())
    assert verdict.valid


def test_the_first_wrong_step_and_all_that_is_wrong_with_it():
    verdict = validate([PLAN[0], PLAN[0], PLAN[1]], BLOCKS, SUSSMAN)
    assert not verdict.valid
    assert (verdict.n_applicable, verdict.unmet) == (1, ())
    assert verdict.faults == ("(on c a) does not hold", "(table c) holds")
    first = validate([GroundAction("stack", ("c", "c")), *PLAN], BLOCKS, SUSSMAN)
    assert first.n_applicable == 0
    assert first.faults == ("?b and ?t must differ", "(table c) does not hold")


def test_the_goal_that_is_not_reached():
    verdict = validate(PLAN[:2], BLOCKS, SUSSMAN)
    assert (verdict.n_applicable, verdict.faults, verdict.unmet) == (2, (), ("(on a b)",))
    assert not verdict.valid
    nothing = validate([], BLOCKS, SUSSMAN)
    assert nothing.unmet == ("(on a b)", "(on b c)", "(table c)")


def test_names_that_do_not_exist():
    def faults(name, *arguments):
        return step_faults(GroundAction(name, arguments), BLOCKS, SUSSMAN, SUSSMAN.init)

    assert faults("unstak", "c", "a") == ("there is no such action. Did you mean unstack?",)
    assert faults("fly", "c", "a") == ("there is no such action",)
    assert faults("stack", "c") == ("the action has 2 parameters",)
    assert faults("stack", "c", "z") == ("there is no object z",)


@given(st.data())
def test_a_step_is_faultless_where_it_is_a_successor(data):
    domain = data.draw(domains())
    things = data.draw(objects(domain))
    state = data.draw(states(domain, things))
    goal = data.draw(states(domain, things))
    instance = Instance("p", domain.name, things, state, goal)
    applicable = {
        (name, arguments): (state - deleted) | added
        for name, arguments, added, deleted in naive_successors(domain, things, state)
    }
    action = data.draw(st.sampled_from(domain.actions))
    names = st.sampled_from(sorted(things))
    arguments = tuple(data.draw(names) for _ in action.parameters)
    verdict = validate([GroundAction(action.name, arguments)], domain, instance)
    after = applicable.get((action.name, arguments))
    assert bool(verdict.faults) == (after is None)
    if after is not None:
        assert verdict.valid == (goal <= after)
        assert verdict.unmet == unmet_goals(instance, after)
