"""What is kept of all that is proposed: the first of the best, action by action."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from dias.learning.propose import proposals
from dias.learning.propose.proposals import Proposals
from dias.learning.propose.repair import MAX_ROUNDS, repair
from dias.learning.schema import Effects, Origin
from dias.strips.codes import AtomCodes
from dias.strips.pddl.reader import parse_domain
from tests.learning import cases
from tests.learning.cases import literals

CODES = AtomCodes({"on": 1, "hot": 1, "used": 0}, ["a", "b"])


steps = partial(cases.steps, CODES)

ON, OFF, BOTH = ("", "on a"), ("on a", ""), ("", "on a, hot a")
LIGHT, HEAT = Effects(1, literals("on 0"), ()), Effects(1, literals("hot 0"), ())
WARM = Effects(1, literals("on 0", "hot 0"), ())


@pytest.fixture
def asked(monkeypatch):
    """Proposals that went through repair, with the rounds that they were given."""
    seen = []

    def spy(effects, examples, max_rounds):
        seen.append((effects, max_rounds))
        return repair(effects, examples, max_rounds)

    monkeypatch.setattr(proposals, "repair", spy)
    return seen


def test_the_first_of_equals_stays_and_a_better_one_replaces_it(asked):
    best = Proposals({"act": steps(ON, OFF, BOTH, BOTH)}, mend=False)
    assert (best.explained, best.n_explained) == ({"act": 0}, 0)
    best.update({"act": Effects(1, (), literals("hot 0"))}, Origin("network", 0, 5, 5))
    assert best.origins["act"] == Origin("nothing")  # it explains as little as nothing does
    put_out = Effects(1, (), literals("on 0"))
    for number, (effects, explained) in enumerate(
        [(put_out, 1), (LIGHT, 1), (WARM, 2), (LIGHT, 2)]
    ):
        best.update({"act": effects}, Origin("network", 1, number, 5))
        assert best.explained == {"act": explained}
    assert best.effects == {"act": WARM}
    assert best.origins == {"act": Origin("network", 1, 2, 5)}
    assert [max_rounds for _, max_rounds in asked] == [0] * 4  # the last was known


def test_a_proposal_is_looked_at_once_for_each_action_and_not_when_all_is_explained(asked):
    best = Proposals({"heat": steps(ON, BOTH), "light": steps(ON)})
    best.update({"heat": HEAT, "light": HEAT}, Origin("network", 0, 5, 5))
    assert asked == [(HEAT, MAX_ROUNDS)] * 2
    best.update({"heat": HEAT, "light": HEAT}, Origin("network", 0, 10, 5))
    assert len(asked) == 2
    best.update({"heat": LIGHT, "light": LIGHT}, Origin("network", 0, 15, 3))
    assert asked[2:] == [(LIGHT, MAX_ROUNDS)] * 2
    assert best.origins["light"] == Origin("network", 0, 15, 3)
    best.update({"heat": WARM, "light": WARM}, Origin("network", 0, 20, 5))
    assert asked[4:] == [(WARM, MAX_ROUNDS)]


def test_a_single_transition_left_is_reason_to_go_on(asked):
    best = Proposals({"act": steps(*[ON] * 9, OFF), "rest": steps(("", ""))})
    best.update({"act": LIGHT, "rest": LIGHT}, Origin("network", 0, 1, 5))
    assert (best.explained, best.n_explained) == ({"act": 9, "rest": 1}, 10)
    assert not best.explain_everything
    best.update({"act": HEAT, "rest": HEAT}, Origin("network", 0, 2, 5))
    assert [effects for effects, _ in asked] == [LIGHT, HEAT]


def test_what_was_mended_is_marked(asked):
    best = Proposals({"act": steps(ON, ("hot b", "hot b, on b"), ("hot a", "on a"))})
    best.update({"act": LIGHT}, Origin("network", 2, 30, 4))
    assert best.explained["act"] == 2
    best = Proposals({"act": steps(*[ON] * 3, ("used", "on a"))})
    best.update({"act": LIGHT}, Origin("network", 2, 30, 4))
    assert best.explain_everything
    assert best.effects["act"] == Effects(1, literals("on 0"), literals("used"))
    assert best.origins["act"] == Origin("network", 2, 30, 4, is_repaired=True)


@pytest.mark.parametrize(
    ("n_explained", "n_steps", "most", "many"),
    [(1, 2, False, True), (1, 3, True, True), (38, 39, False, True), (38, 40, False, False),
     (37, 40, False, True), (57, 60, False, False), (56, 60, False, True), (60, 60, False, False)],
)  # fmt: skip
def test_how_much_is_left(asked, n_explained, n_steps, most, many):
    """Half at least, and no more than may have been seen wrong, of every action."""
    group = steps(*[ON] * n_explained, *[OFF] * (n_steps - n_explained))
    for groups in ({"act": group}, {"act": group, "other": steps(*[ON] * 100)}):
        best = Proposals(groups)
        best.update(dict.fromkeys(groups, LIGHT), Origin("network", 0, 1, 5))
        assert best.explained["act"] == n_explained
        assert best.leave_many == many
        assert best.leave(lambda n_left, n: 2 * n_left > n) == most
        assert best.leave(lambda n_left, n: (n_left, n) == (n_steps - n_explained, n_steps))
        assert not best.leave(lambda n_left, n: n not in (n_steps, 100))


def test_steps_are_looked_at_only_where_it_explains_more(asked, monkeypatch):
    looked_at = []

    def proposed(group, mend, min_shown, widest):
        looked_at.append((group, mend, min_shown, widest))
        yield answers[group.action]

    monkeypatch.setattr(proposals, "proposed", proposed)
    groups = {
        "all": steps(ON), "equal": steps(ON, OFF), "more": steps(ON, BOTH), "none": steps(OFF),
    }  # fmt: skip
    groups = {name: replace(group, action=name) for name, group in groups.items()}
    answers = {"equal": (WARM, 1), "more": (WARM, 2), "none": (LIGHT, 1)}
    best = Proposals(groups, mend=False)
    network = Origin("network", 0, 5, 5)
    best.update(dict.fromkeys(groups, LIGHT), network)
    assert best.explained == {"all": 1, "equal": 1, "more": 1, "none": 0}
    best.look_at_steps()
    assert looked_at == [(groups[name], False, 1, None) for name in ("equal", "more", "none")]
    assert best.effects == {"all": LIGHT, "equal": LIGHT, "more": WARM, "none": LIGHT}
    assert best.explained == {"all": 1, "equal": 1, "more": 2, "none": 1}
    assert best.origins == {
        "all": network,
        "equal": network,
        "more": Origin("transitions", is_repaired=False),  # the second step shows it
        "none": Origin("transitions", is_repaired=True),
    }
    first = Proposals({name: groups[name] for name in ("equal", "more", "none")}, mend=False)
    first.look_at_steps(is_enough=lambda *left: left == (0, 2))
    assert [group.action for group, *_ in looked_at[3:]] == ["equal", "more"]
    del looked_at[3:]
    Proposals({"none": groups["none"]}).look_at_steps(3)
    assert looked_at[3:] == [(groups["none"], True, 3, None)]
    Proposals({"none": groups["none"]}).look_at_steps(widest={"none": 2, "other": 1})
    assert looked_at[4:] == [(groups["none"], True, 1, 2)]


@pytest.mark.parametrize("may_mend", [True, False])
def test_unmended_only_what_explains_everything_of_an_action_is_taken(monkeypatch, may_mend):
    """One that explains more, but not everything, is left to what comes after."""
    asked = []

    def proposed(group, mend, min_shown, widest):
        asked.append((group.action, mend))
        yield WARM, 2

    monkeypatch.setattr(proposals, "proposed", proposed)
    groups = {
        "all": replace(steps(*[("hot a", "on a")] * 3), action="all"),
        "most": replace(steps(ON, BOTH, BOTH), action="most"),
    }
    best = Proposals(groups, may_mend)
    best.look_at_steps(mend=False)
    assert asked == []
    assert best.effects["all"] == Effects(1, literals("on 0"), literals("hot 0"))
    assert best.effects["most"] == Effects(0, (), ())
    assert best.explained == {"all": 3, "most": 0}
    assert best.origins == {"all": Origin("transitions"), "most": Origin("nothing")}
    best.look_at_steps()
    assert asked == [("most", may_mend)]
    assert (best.effects["most"], best.explained["most"]) == (WARM, 2)


def test_only_proposals_that_are_narrow_enough_are_taken():
    """The largest change set, of two objects, would explain all of it."""
    group = steps(("", "on a, hot b"), ("hot b", "on a, hot b"), ("on a", "on a, hot b"))
    whole = Effects(2, literals("on 0", "hot 1"), ())
    for widest, effects, explained in ((None, whole, 3), (2, whole, 3), (1, HEAT, 1)):
        best = Proposals({"act": group}, mend=False)
        best.look_at_steps(widest=None if widest is None else {"act": widest})
        assert best.explained == {"act": explained}
        assert best.effects == {"act": effects}


SWITCHES = """
(define (domain switches) (:predicates (on ?x) (hot ?x) (used)) (:constants b)
  (:action light :parameters (?other ?x) :effect (on ?x))
  (:action heat :parameters (?x) :precondition (on ?x) :effect (and (hot ?x) (not (used))))
  (:action rest :parameters () :effect (hot b)))
"""


def test_effects_of_a_domain_are_taken_where_they_explain_as_much():
    """Their variables are its constants and parameters, those that no effect is about left out."""
    domain = parse_domain(SWITCHES)
    warmed = Effects(1, literals("hot 0"), literals("used"))
    groups = {
        "light": steps(ON, ON, BOTH),
        "heat": steps(("used", "hot a"), ("hot a", "hot a"), ON),
        "rest": steps(("", "hot b"), ("", "hot b"), ON),
    }
    best = Proposals(groups)
    assert best.look_at_domain(domain)
    assert best.effects == {"light": LIGHT, "heat": warmed, "rest": HEAT}
    assert best.explained == {"light": 2, "heat": 2, "rest": 2}
    assert set(best.origins.values()) == {Origin("transitions")}


@pytest.mark.parametrize(("n_better", "is_same"), [(1, True), (2, False)])
def test_effects_of_a_domain_that_explain_less_are_not_taken(n_better, is_same):
    """The others still are; of as many steps those of the domain are taken."""
    group = steps(ON, *[BOTH] * n_better)
    best = Proposals({"light": group, "heat": steps(*[("", "hot a")] * 2)}, mend=False)
    network = Origin("network", 0, 5, 5)
    best.update({"light": WARM}, network)
    assert best.explained == {"light": n_better, "heat": 0}
    assert best.look_at_domain(parse_domain(SWITCHES)) == is_same
    assert best.effects["light"] == (LIGHT if is_same else WARM)
    assert best.origins["light"] == (Origin("transitions") if is_same else network)
    assert (best.explained["heat"], best.origins["heat"]) == (2, Origin("transitions"))


def test_without_a_proposal_nothing_changes_and_given_arguments_stay():
    best = Proposals({"act": steps(("on a", "on a"), ON, arguments=("b", "a"))})
    assert best.effects == {"act": Effects(2, (), (), 2)}
    assert best.explained == {"act": 1}


def test_a_state_is_plain_and_goes_on(asked):
    groups = {"act": steps(ON, BOTH, arguments=("a",)), "rest": steps(OFF)}
    best = Proposals(groups)
    given = Effects(2, literals("on 0", "hot 1"), literals("on 1", "used"), 1)
    best._keep("act", given, 1, Origin("network", 3, 4, 5, True, 6, 7))
    again = Proposals(groups)
    again.load(json.loads(json.dumps(best.state())))
    assert (again.effects, again.explained) == (best.effects, best.explained)
    assert again.effects["act"] == given
    assert again.origins == best.origins
    assert again.state() == best.state()


def test_arguments_that_are_given_say_what_all_steps_show():
    group = steps(ON, ON, OFF, arguments=("a",))
    best = Proposals({"act": group})
    best.look_at_arguments()
    assert (best.effects, best.explained) == ({"act": Effects(1, (), (), 1)}, {"act": 0})
    best = Proposals({"act": steps(ON, ON, arguments=("a",))})
    best.look_at_arguments()
    assert best.effects == {"act": Effects(1, literals("on 0"), (), 1)}
    assert (best.explained, best.origins["act"]) == ({"act": 2}, Origin("arguments"))
