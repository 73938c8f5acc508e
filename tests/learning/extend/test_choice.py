"""Of several explanations of the same steps the one that scores best is found."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable
from dias.learning.explain.at_once import bind
from dias.learning.explain.certify import certify_table
from dias.learning.extend import choice
from dias.learning.extend.choice import Choice, Explanation
from dias.learning.extend.evidence import PassedOver
from dias.learning.finish.assemble import action_schema
from dias.learning.schema import EQUAL, Effects
from dias.learning.score import Scales
from dias.strips.model import Atom, Predicate
from dias.traces.record import LabelMode, Segment, Traces, Transition
from tests.learning.cases import lifted_schema, literals
from tests.learning.extend.test_evidence import MOVES, NEVER, WIDE, drives, waits, with_more


def explained(traces, effects):
    """What the exact pass finds, and what weighs it."""
    [group] = examples_by_action(traces).values()
    found = BindingTable.of(bind(effects, group), effects.n_variables)
    known = Explanation(certify_table(effects, group, found), found)
    return known, Choice(group, found, traces)


def lamps(*pairs):
    """Steps of `pair`: the lamps that are on before, and after."""
    on = [[frozenset(Atom("on", (lamp,)) for lamp in own) for own in pair] for pair in pairs]
    steps = tuple(Transition(0, before, "pair", (), after, 1, 1, 1) for before, after in on)
    segment = Segment("p", dict.fromkeys("abcdefgh", "object"), frozenset())
    predicates = (Predicate("on", (("object",),)),)
    return Traces("t", "d", LabelMode.NAMES, {}, predicates, ("pair",), (segment,), steps)


PAIR = Effects(2, literals("on 0", "on 1"), ())

ONE_IS_OFF = [
    *(("abc", "abcd"), ("bcd", "bcde"), ("abcd", "abcde"), ("efg", "aefg"), ("abc", "abcde")),
    *(("", "gh"), ("", "ab"), ("", "cd"), ("", "ef"), ("", "bh")),
]
"""Of two different lamps one was off: where none is on, it takes two. Mostly one changes."""


def test_a_lost_literal_comes_back_where_that_is_the_better_explanation():
    """Two different lamps, of which one is off.

    That both are off, and may be one, never fails either, but allows one alone where none is on.
    """
    known, own = explained(lamps(*ONE_IS_OFF), PAIR)
    lost = literals("= 0 1")[0]
    assert lost not in known.schema.negative
    better = own.bind_anew(known)
    assert lost in better.schema.negative
    off = set(literals("on 0", "on 1")) & set(better.schema.negative)
    assert len(off) == 1
    assert own.score(better.schema) > own.score(known.schema)
    assert set(map(tuple, better.bindings.rows)) < set(map(tuple, known.bindings.rows))
    assert {*better.bindings.owner} == {*known.bindings.owner}


def test_nothing_isbound_anew_where_there_is_one_binding_or_nothing_better():
    single = Effects(1, literals("on 0"), ())
    known, own = explained(lamps(("a", "ab"), ("", "c")), single)
    assert own.bind_anew(known) is known
    assert "_scales" not in vars(own)  # nothing had to be weighed
    # Any two may be the same: from no lamp one is turned on, from others two.
    known, own = explained(lamps(*(("", x) for x in "abcdefgh")), PAIR)
    assert own.bind_anew(known) is known


def test_only_so_many_literals_are_put_back(monkeypatch):
    known, own = explained(lamps(*ONE_IS_OFF), PAIR)
    every = list(own.bound_anew(known))
    assert len(every) == 2  # all inequalities together, and the only one by itself
    for n in (0, 1):
        monkeypatch.setattr(choice, "MAX_FORCED", n)
        assert len(list(own.bound_anew(known))) == 1 + n


CITY = {"l1": "c1", "l2": "c1", "l3": "c2", "l4": "c2"}


def driven(*further):
    """Drives within a city, with further variables: its city, or the truck that never drives."""
    traces = drives(*MOVES, count=20)
    group = examples_by_action(traces)["drive"]
    effects = Effects(3, literals("at 0 2"), literals("at 0 1"))
    numbers = group.examples[0].codes.objects.index
    found = [
        [
            (*own, *(numbers("k2" if name == "k2" else CITY[goal]) for name in further))
            for own in bindings
            if own[2] == numbers(goal)
        ]
        for bindings, (_, goal) in zip(bind(effects, group), MOVES, strict=True)
    ]
    own = Choice(group, BindingTable.of(found, 3 + len(further)), traces)
    like = lifted_schema("drive", 3, effects.add, effects.delete)
    return own.explain(like, BindingTable.of(found, 3 + len(further))), own


@pytest.mark.parametrize("further", [("city", "k2"), ("k2", "city")])
def test_a_variable_that_is_not_worth_its_cost_goes(further):
    """The city is, a truck somewhere is not, whichever comes first."""
    known, own = driven(*further)
    shorter = own.without_variables(known, 3, 5)
    assert shorter.schema == driven("city")[0].schema
    assert shorter.bindings.rows.tolist() == driven("city")[0].bindings.rows.tolist()
    assert own.without_variables(known, 5, 5) is known
    one = 3 + further.index("k2")
    assert own.without_variables(known, one, one + 1).schema == shorter.schema
    other = 3 + further.index("city")
    assert own.without_variables(known, other, other + 1) is known


def test_variables_that_are_worth_their_cost_stay():
    known, own = driven("city")
    assert own.without_variables(known, 3, 4) is known
    known, own = driven("k2")
    assert own.without_variables(known, 3, 4).schema == driven()[0].schema


def test_bindings_that_differ_in_what_is_dropped_alone_are_one():
    known, own = driven("k2")
    owner, rows = known.bindings
    twice = np.repeat(rows, 2, axis=0)
    twice[::2, 3] = 0
    known = own.explain(known.schema, BindingTable(np.repeat(owner, 2), twice))
    shorter = own.without_variables(known, 3, 4)
    assert shorter.bindings.owner.tolist() == owner.tolist()
    assert shorter.bindings.rows.tolist() == rows[:, :3].tolist()


def test_the_weight_is_that_of_the_steps_explained_and_of_those_not_taken():
    traces = drives(*MOVES, count=20)
    stray = replace(traces.transitions[0], next_state=frozenset())
    traces = with_more(traces, stray, waits("l1", 1, 4))
    group = examples_by_action(traces)["drive"]
    effects = Effects(3, literals("at 0 2"), literals("at 0 1"))
    own = Choice(group, BindingTable.of(bind(effects, group), 3), traces)
    schema = action_schema(WIDE, traces)
    without = replace(traces, transitions=traces.transitions[: len(MOVES)])
    expected = Scales(without).score(schema) + 1 * math.log(1 / 2)
    assert own.score(WIDE) == pytest.approx(expected)
    assert own.score(NEVER) == -math.inf


def test_where_the_action_was_passed_over_counts_if_it_could_have_been_taken():
    traces = with_more(drives(("l1", "l2")), waits("l1", 1, 7, count=7))
    passed_over = PassedOver("drive", traces).log_chance
    assert passed_over(action_schema(WIDE, traces)) == pytest.approx(7 * math.log(1 / 2))
    assert passed_over(action_schema(NEVER, traces)) == 0


def test_only_negative_literals_that_rule_out_enough_are_paid_for():
    """That two lamps are different says much; that one was off hardly says more."""
    known, own = explained(lamps(*ONE_IS_OFF), PAIR)
    assert known.schema.negative == literals("on 0", "on 1")
    assert own.paid(known.schema) == replace(known.schema, negative=())
    better = own.bind_anew(known).schema
    assert better.negative == literals("on 0", "= 0 1")
    paid = own.paid(better)
    assert paid == replace(better, negative=literals("= 0 1"))
    assert own.score(paid) == pytest.approx(own.score(better))
    assert own.paid(paid) == paid


def test_positive_literals_are_not_asked_to_pay():
    known, own = driven("city")
    assert len(known.schema.positive) == 3 and known.schema.negative
    apart = tuple(atom for atom in known.schema.negative if atom.relation == EQUAL)
    assert apart and own.paid(known.schema) == replace(known.schema, negative=apart)


def test_of_a_schema_that_cannot_be_weighed_all_literals_stay():
    """It explains none of the steps."""
    _, own = driven()
    never = replace(NEVER, negative=literals("at 0 2", "= 1 2"))
    assert own.score(never) == -math.inf
    assert own.paid(never) == never
