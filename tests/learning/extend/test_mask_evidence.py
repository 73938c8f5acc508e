"""Masks as evidence: for what rules out what is refused, against what rules out what is not."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dias.learning.data.refusals import price_of_mask
from dias.learning.extend.evidence import Evidence, PassedOver
from dias.learning.finish.assemble import action_schema
from dias.learning.schema import Literal
from tests.learning.cases import lifted_schema, literals
from tests.traces.files import read, step

NAMES = {
    "dias": "trace/1", "labels": "names", "objects": dict.fromkeys("abc", "object"),
    "predicates": {"p": ["object"], "q": ["object"], "r": []}, "actions": ["act", "rest"],
}  # fmt: skip
WIDE = lifted_schema("act", 1, literals("r"), positive=literals("p 0"))
NARROW = replace(WIDE, positive=literals("p 0", "q 0"))


def seen(state, *applicable, action="rest"):
    return step(state.split(", "), action, [], applicable=applicable)


REFUSED = [seen(f"(p a), (q {name})", "rest") for name in "bc"] + [seen("(p b)", "rest")]
"""Three states in which the wide schema allows something and the narrow one does not."""
OPEN = [seen(f"(p {name}), (q {name})", "act", "rest") for name in "abc"]
"""Three in which both do, and the action was not taken."""
IDLE = seen("(q a)", "rest")
"""One in which neither does."""


def chance(*lines, narrow=NARROW, **options):
    return Evidence(WIDE, read(NAMES, *lines)).log_chance(narrow, **options)


def test_the_refused_states_may_be_any_of_them():
    assert chance(*REFUSED, *OPEN, IDLE) == pytest.approx(-math.log(math.comb(6, 3)))
    assert chance(*REFUSED[:1], *OPEN) == pytest.approx(-math.log(4))
    assert chance(*REFUSED, IDLE) == 0  # nothing to compare them with
    assert chance(*OPEN) == 0


def test_what_rules_out_some_of_them_is_one_of_fewer_choices():
    """One refused state more, which the narrow schema allows: C(4, 3) of C(7, 3)."""
    still = seen("(p a), (q a), (r)", "rest")
    expected = math.log(math.comb(4, 3) / math.comb(7, 3))
    assert chance(*REFUSED, *OPEN, still) == pytest.approx(expected)


def test_a_state_in_which_it_was_taken_is_one_of_them():
    taken = step(["(p a)", "(q a)", "(r)"], "act", ["(p a)"], applicable=["act"])
    assert chance(*REFUSED, taken) == pytest.approx(-math.log(4))
    assert chance(*REFUSED, taken, *OPEN) == pytest.approx(-math.log(math.comb(7, 3)))


def test_where_it_was_taken_and_the_query_rules_out_another_step_that_counts_alone():
    """Of the two flags that could be raised, the one of which q holds was: log 1/2."""
    flags = lifted_schema("act", 1, literals("up 0"), positive=literals("p 0"))
    header = NAMES | {"predicates": NAMES["predicates"] | {"up": ["object"]}}
    taken = step(["(p a)", "(p b)", "(q a)"], "act", ["(up a)", "(p a)", "(p b)", "(q a)"])
    narrow = replace(flags, positive=NARROW.positive)
    evidence = Evidence(flags, read(header, taken, *REFUSED[:1], *OPEN[:1]))
    assert evidence.log_chance(narrow) == pytest.approx(math.log(1 / 2) - math.log(2))


def test_what_is_refused_where_it_is_applicable_has_a_price():
    wrong = seen("(p c)", "act")
    traces = read(NAMES, *REFUSED, *OPEN, wrong)
    expected = -math.log(math.comb(7, 3)) + price_of_mask(traces)
    assert Evidence(WIDE, traces).log_chance(NARROW) == pytest.approx(expected)
    bound = Evidence(WIDE, traces).log_chance(NARROW, at_least=True)
    assert bound == pytest.approx(-math.log(math.comb(7, 3)))


def test_where_a_mask_lists_it_nothing_was_passed_over():
    """States of other steps count by a mask or else by having been passed over, not by both."""
    late = step(["(p a)", "(q a)", "(r)"], "act", [])
    plain = step(["(p a)"], "rest", [])
    passed = math.log(1 / 2)
    assert chance(plain, late) == pytest.approx(passed)
    assert chance(seen("(p a)", "rest"), *OPEN, late) == pytest.approx(-math.log(5))
    assert chance(seen("(p a)", "act"), late) == pytest.approx(
        price_of_mask(read(NAMES, seen("(p a)", "act"), late))
    )


def test_the_score_pays_for_masks_on_both_sides():
    traces = read(NAMES, *REFUSED, *OPEN, IDLE)
    evidence, price = Evidence(WIDE, traces), price_of_mask(traces)
    passed_over = PassedOver(WIDE.action, traces)
    wide, narrow = (action_schema(own, traces) for own in (WIDE, NARROW))
    assert passed_over.log_chance(wide) == pytest.approx(-3 * price)
    assert passed_over.log_chance(narrow) == 0
    assert passed_over.too_strict(narrow) == 0
    never = action_schema(replace(WIDE, positive=literals("r", "p 0")), traces)
    assert passed_over.too_strict(never) == pytest.approx(3 * price)
    assert evidence.refuted_by(NARROW) == 3
    assert evidence.has_masks
    assert not evidence.has_refused


def test_the_literals_that_rule_out_what_is_listed():
    """`r` holds nowhere; without it q is still too much where it is `c` that is applicable."""
    traces = read(NAMES, *OPEN, seen("(p c)", "act"))
    evidence = Evidence(WIDE, traces)
    narrow = replace(WIDE, positive=literals("r", "p 0", "q 0"))
    r, q = (Literal(atom, True) for atom in literals("r", "q 0"))
    assert evidence.refuted(narrow) == [r, q]
    assert evidence.refuted(NARROW) == [q]
    assert evidence.refuted(WIDE) == []


def test_of_literals_that_masks_refute_as_often_the_one_goes_that_little_speaks_for():
    """Without q or without s the action is where it is listed; what was refused asks for q."""
    header = NAMES | {"predicates": NAMES["predicates"] | {"s": ["object"]}}
    either = seen("(p a), (q a), (p b), (s b)", "act")
    refused = [seen(f"(p {name}), (s {name})", "rest") for name in "abc"]
    evidence = Evidence(WIDE, read(header, *OPEN, either, *refused))
    q, s = (Literal(atom, True) for atom in literals("q 0", "s 0"))
    narrow = replace(WIDE, positive=literals("p 0", "q 0", "s 0"))
    assert evidence.refuted(narrow) == [s]
    refused = [seen(f"(p {name}), (q {name})", "rest") for name in "abc"]
    assert Evidence(WIDE, read(header, either, *refused)).refuted(narrow) == [q]


def test_ground_actions_that_are_not_listed_are_refused():
    """Both doors are shut, and one may be opened."""
    full = NAMES | {"labels": "full"}
    one = step(["(p a)", "(p b)", "(q a)"], "(rest)", [], applicable=["(act a)", "(rest)"])
    both = step(["(p a)", "(q a)"], "(rest)", [], applicable=["(act a)", "(rest)"])
    traces = read(full, one, both)
    evidence = Evidence(WIDE, traces)
    assert evidence.refuted_by(NARROW) == 1
    assert evidence.log_chance(NARROW) == pytest.approx(-math.log(3))
