from __future__ import annotations

import pytest

from dias.errors import PlannerError
from dias.planning.replay import Verdict, replay
from dias.planning.validate import plan_states
from dias.strips.grounding import GroundAction
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate

PREDICATES = (
    Predicate("at", (("object",),)),
    Predicate("link", (("object",), ("object",))),
    Predicate("dirty", (("object",),)),
)


def atoms(*texts):
    return frozenset(Atom(t.split()[0], tuple(t.split()[1:])) for t in texts)


def action(name, variables, pre, add, delete, **more):
    parameters = tuple(map(Parameter, variables.split()))
    return ActionSchema(
        name,
        parameters,
        atoms(*pre),
        add_effects=atoms(*add),
        delete_effects=atoms(*delete),
        **more,
    )


TRUE_MOVE = action("move", "?a ?b", ["at ?a", "link ?a ?b"], ["at ?b"], ["at ?a"])
TRUE_CLEAN = action("clean", "?a", ["at ?a"], [], ["dirty ?a"])
TRUE = Domain("true", predicates=PREDICATES, actions=(TRUE_MOVE, TRUE_CLEAN))
INSTANCE = Instance(
    "p",
    "true",
    dict.fromkeys("abc", "object"),
    atoms("at a", "link a b", "link b c", "dirty b", "dirty c"),
    goal=atoms("at c"),
    negative_goal=atoms("dirty c"),
)
PLAN = [
    GroundAction("move", ("b", "a")),
    GroundAction("move", ("c", "b")),
    GroundAction("clean", ("c",)),
]


def learned(*actions):
    return Domain("learned", predicates=PREDICATES, actions=actions)


# The learned arguments come in another order and link is not a precondition.
LEARNED_MOVE = action("move", "?to ?from", ["at ?from"], ["at ?to"], ["at ?from"])


def test_a_plan_with_other_arguments_is_valid():
    result = replay(PLAN, learned(LEARNED_MOVE, TRUE_CLEAN), TRUE, INSTANCE)
    assert result.valid and result.goal_reached
    assert [step.true_action for step in result.steps] == [
        GroundAction("move", ("a", "b")),
        GroundAction("move", ("b", "c")),
        GroundAction("clean", ("c",)),
    ]


def test_a_step_that_no_true_action_makes_is_named_and_the_replay_goes_on():
    plan = [GroundAction("move", ("c", "a")), GroundAction("clean", ("c",))]
    result = replay(plan, learned(LEARNED_MOVE, TRUE_CLEAN), TRUE, INSTANCE)
    assert [step.verdict for step in result.steps] == [Verdict.INVALID, Verdict.VALID]
    assert result.steps[0].true_action is None
    assert result.goal_reached and not result.valid


def test_a_step_that_only_another_action_makes_is_told_apart():
    walk = action("walk", "?to ?from", ["at ?from"], ["at ?to"], ["at ?from"])
    plan = [GroundAction("walk", ("b", "a"))]
    (step,) = replay(plan, learned(walk), TRUE, INSTANCE).steps
    assert step.verdict is Verdict.OTHER_ACTION
    assert step.true_action == GroundAction("move", ("a", "b"))


def test_an_action_of_the_same_name_is_preferred():
    twin = action("amble", "?a ?b", ["at ?a", "link ?a ?b"], ["at ?b"], ["at ?a"])
    gt = Domain("true", predicates=PREDICATES, actions=(twin, TRUE_MOVE, TRUE_CLEAN))
    (step,) = replay(PLAN[:1], learned(LEARNED_MOVE), gt, INSTANCE).steps
    assert step.verdict is Verdict.VALID


@pytest.mark.parametrize(
    ("variants", "verdict"), [(True, Verdict.VALID), (False, Verdict.OTHER_ACTION)]
)
def test_numbered_actions_stand_for_one_only_if_that_was_said(variants, verdict):
    numbered = action("move-2", "?to ?from", ["at ?from"], ["at ?to"], ["at ?from"])
    plan = [GroundAction("move-2", ("b", "a"))]
    (step,) = replay(plan, learned(numbered), TRUE, INSTANCE, variants).steps
    assert step.verdict is verdict


def test_a_parameter_of_any_type_takes_an_object_whose_type_the_domain_lacks():
    odd = Instance("p", "true", dict.fromkeys("ab", "crate"), atoms("at a", "link a b"))
    states = plan_states([GroundAction("move", ("a", "b"))], learned(TRUE_MOVE), odd)
    assert states[1] == atoms("at b", "link a b")


def test_a_missing_effect_makes_the_step_wrong():
    keeps = action("move", "?to ?from", ["at ?from"], ["at ?to"], [])
    (step,) = replay(PLAN[:1], learned(keeps), TRUE, INSTANCE).steps
    assert step.verdict is Verdict.INVALID


def test_valid_steps_that_miss_the_goal_are_no_valid_plan():
    result = replay(PLAN[:2], learned(LEARNED_MOVE, TRUE_CLEAN), TRUE, INSTANCE)
    assert {step.verdict for step in result.steps} == {Verdict.VALID}
    assert not result.goal_reached and not result.valid


def test_a_wrong_step_has_a_nearest_one():
    """Literal by literal, whichever the order of the arguments; a right step has none."""
    plan = [GroundAction("move", ("c", "a")), GroundAction("clean", ("c",))]
    wrong, right = replay(plan, learned(LEARNED_MOVE, TRUE_CLEAN), TRUE, INSTANCE).steps
    assert wrong.nearest == (GroundAction("move", ("a", "c")), ("(link a c) does not hold",))
    assert right.nearest is None
    keeps = action("move", "?to ?from", ["at ?from"], ["at ?to"], [])
    (step,) = replay(PLAN[:1], learned(keeps), TRUE, INSTANCE).steps
    assert step.nearest == (GroundAction("move", ("a", "b")), ("(at a) does not hold afterwards",))
    fly = action("fly", "?to ?from", ["at ?from"], ["at ?to"], ["at ?from"])
    (step,) = replay([GroundAction("fly", ("c", "a"))], learned(fly), TRUE, INSTANCE).steps
    assert (step.verdict, step.nearest) == (Verdict.INVALID, None)


def test_the_nearest_of_numbered_actions():
    numbered = action("move-2", "?to ?from", ["at ?from"], ["at ?to"], ["at ?from"])
    plan = [GroundAction("move-2", ("c", "a"))]
    (step,) = replay(plan, learned(numbered), TRUE, INSTANCE, variants=True).steps
    assert step.nearest.action == GroundAction("move", ("a", "c"))
    (step,) = replay(plan, learned(numbered), TRUE, INSTANCE).steps
    assert step.nearest is None


def test_goals_that_do_not_hold_at_the_end_are_named():
    assert replay(PLAN, learned(LEARNED_MOVE, TRUE_CLEAN), TRUE, INSTANCE).unmet == ()
    assert replay(PLAN[:2], learned(LEARNED_MOVE), TRUE, INSTANCE).unmet == ("(not (dirty c))",)
    assert replay([], learned(), TRUE, INSTANCE).unmet == ("(at c)", "(not (dirty c))")


def test_states_keep_static_atoms_and_add_wins_over_delete():
    stay = action("stay", "?a", ["at ?a"], ["at ?a"], ["at ?a", "dirty ?a"])
    states = plan_states([GroundAction("stay", ("a",))], learned(stay), INSTANCE)
    assert states == [INSTANCE.init, INSTANCE.init]


CHOOSY = ActionSchema(
    "choosy",
    (Parameter("?x", ("t",)), Parameter("?y")),
    atoms("at ?x"),
    atoms("dirty ?x"),
    inequalities=frozenset([("?x", "k")]),
    equalities=frozenset([("?y", "k")]),
)


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        ("fly a", "no such action"),
        ("choosy a", "has 2 parameters"),
        ("choosy a z", "no object z"),
        ("choosy o k", "o is of type object, not t"),
        ("choosy k k", r"\?x and k must differ"),
        ("choosy k a", r"\?y and k must be equal"),
        ("choosy a b", r"\?y and k must be equal"),
        ("choosy b k", r"\(at b\) does not hold"),
        ("choosy c k", r"\(dirty c\) holds"),
    ],
)
def test_a_step_that_cannot_be_applied_is_an_error_that_says_why(step, fault):
    domain = Domain("d", {"t": "object"}, {"k": "t"}, PREDICATES, (CHOOSY,))
    types = {"a": "t", "b": "t", "c": "t", "o": "object", "k": "t"}
    instance = Instance("p", "d", types, atoms("at a", "at c", "dirty c", "at k"))
    name, *arguments = step.split()
    with pytest.raises(PlannerError, match=rf"step 1 \({step}\) .*{fault}"):
        plan_states([GroundAction(name, tuple(arguments))], domain, instance)
    fine = [GroundAction("choosy", ("a", "k"))]
    assert plan_states(fine, domain, instance)[1:] == [instance.init]
