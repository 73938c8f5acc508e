from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable
from dias.learning.explain.at_once import bind
from dias.learning.explain.certify import certify_table
from dias.learning.extend.evidence import Evidence, PassedOver
from dias.learning.extend.variables import with_variables
from dias.learning.finish.assemble import action_schema
from dias.learning.schema import Effects, comparisons
from dias.strips.model import Atom, Predicate
from dias.traces.record import LabelMode, Segment, Traces, Transition
from tests.learning.cases import lifted_schema, literals

OBJECTS = dict.fromkeys(("c1", "c2", "k1", "k2", "l1", "l2", "l3", "l4"), "object")
PLACES = {"l1": "c1", "l2": "c1", "l3": "c2", "l4": "c2"}
STATIC = frozenset(Atom("loc", (place, city)) for place, city in PLACES.items())


def drives(*moves, count=1):
    """One truck that drives; the other stays at l3. All that differs is where trucks are."""
    transitions = []
    for start, goal in moves:
        parked = Atom("at", ("k2", "l3"))
        transitions.append(
            Transition(
                0,
                frozenset({Atom("at", ("k1", start)), parked}),
                "drive",
                (),
                frozenset({Atom("at", ("k1", goal)), parked}),
                count,
                1,
                9,
            )
        )
    predicates = (Predicate("at", (("object",),) * 2), Predicate("loc", (("object",),) * 2))
    segment = Segment("p", OBJECTS, STATIC)
    return Traces(
        "t", "d", LabelMode.NAMES, {}, predicates, ("drive", "wait"), (segment,),
        tuple(transitions),
    )  # fmt: skip


WIDE = lifted_schema("drive", 3, literals("at 0 2"), literals("at 0 1"), literals("at 0 1"))
"""Either truck to any of eight objects. Where it is, it stays: the same change for both trucks, so
that there are 15."""

SAME_CITY = literals("loc 1 3", "loc 2 3")


def narrowed(query, n_variables=4):
    return replace(WIDE, n_variables=n_variables, positive=(*WIDE.positive, *query))


def apart(schema):
    """The schema where no two variables are one object."""
    return replace(schema, negative=(*schema.negative, *comparisons(schema.n_variables)))


def test_where_the_action_was_taken_the_share_of_allowed_successors_counts():
    """Wide: 2 · 7 changes and none at all. Narrow: within its city, 2 · 1 and none at all."""
    traces = drives(("l1", "l2"), count=5)
    chance = Evidence(WIDE, traces).log_chance(narrowed(SAME_CITY))
    assert chance == pytest.approx(5 * math.log(3 / 15))


def test_where_all_must_differ_only_injective_bindings_count():
    """8 objects, not the truck, not where it is: 6 goals a truck; one of them in its city."""
    traces = drives(("l1", "l2"), count=5)
    wide, narrow = apart(WIDE), apart(narrowed(SAME_CITY))
    assert Evidence(wide, traces).log_chance(narrow) == pytest.approx(5 * math.log(2 / 12))


def test_an_inequality_rules_out_what_it_alone_rules_out():
    """To where the truck is, of 15 changes one; that a truck is no place rules out nothing.

    A truck is driven to itself by one binding of each, which are two changes.
    """
    traces = drives(("l1", "l2"), count=5)
    evidence = Evidence(WIDE, traces)
    for pair, n_narrow in (("= 0 1", 15), ("= 1 2", 14), ("= 0 2", 13)):
        narrow = replace(WIDE, negative=literals(pair))
        assert evidence.log_chance(narrow) == pytest.approx(5 * math.log(n_narrow / 15))
    # That they are one instead allows the one change that is none.
    stay = replace(WIDE, positive=(*WIDE.positive, *literals("= 1 2")))
    assert evidence.log_chance(stay) == pytest.approx(5 * math.log(1 / 15))


def test_a_further_variable_may_be_a_known_object():
    """That some truck is where one starts says nothing, unless it is to be another one."""
    traces = drives(("l1", "l2"), ("l3", "l2"))
    evidence = Evidence(WIDE, traces)
    company = narrowed(literals("at 3 1"))
    assert evidence.log_chance(company) == 0
    # With one truck at l1 and one at l3 nobody may drive; with two at l3 both may, everywhere.
    other = replace(company, negative=literals("= 0 3"))
    assert evidence.log_chance(other) == 0
    assert evidence.log_chance(other, at_least=True) == pytest.approx(math.log(1 / 15))


def test_constants_are_the_same_object_everywhere():
    """The truck k1 as a constant: eight goals, two of them in its city, where it stands and l2."""
    traces = replace(drives(("l1", "l2"), count=5), constants={"k1": "object"})
    wide = replace(WIDE, constants=("k1",))
    narrow = replace(narrowed(SAME_CITY), constants=("k1",))
    assert Evidence(wide, traces).log_chance(narrow) == pytest.approx(5 * math.log(2 / 8))
    # The city as a constant, which no effect has.
    traces = replace(traces, constants={"c1": "object"})
    renamed = [1, 2, 3, 0]
    place = lifted_schema("drive", 4, *(own for own in (
        literals("at 1 3"), literals("at 1 2"), literals("at 1 2"),
    )))  # fmt: skip
    place = replace(place, constants=("c1",))
    city = replace(place, positive=tuple(x.renamed(renamed) for x in narrowed(SAME_CITY).positive))
    # The second truck is in another one: of 15 changes l1 to l2 and none at all are left.
    assert Evidence(place, traces).log_chance(city) == pytest.approx(5 * math.log(2 / 15))


def test_where_the_action_was_passed_over_each_visit_counts():
    traces = drives(("l1", "l2"))
    waits = Transition(
        0, frozenset({Atom("at", ("k1", "l1"))}), "wait", (), frozenset({Atom("at", ("k1", "l1"))}),
        7, 1, 7,
    )  # fmt: skip
    traces = replace(traces, transitions=(*traces.transitions, waits))
    # A literal that never holds forbids every drive: two actions, so half the chance a visit.
    never = narrowed(literals("loc 3 3"))
    taken = 0.0  # the narrow schema allows nothing where the action was taken either
    chance = Evidence(WIDE, traces).log_chance(never)
    assert chance == pytest.approx(taken + 7 * math.log(1 / 2))
    passed = PassedOver("drive", traces)
    said = [passed.log_chance(action_schema(own, traces)) for own in (WIDE, never)]
    assert said == pytest.approx([7 * math.log(1 / 2), 0])


def test_steps_after_the_last_one_of_the_action_do_not_count():
    """Seven waits, four of them up to line 9, where the last drive stands."""
    traces = drives(("l1", "l2"))
    at_l1 = frozenset({Atom("at", ("k1", "l1"))})
    waits = Transition(0, at_l1, "wait", (), at_l1, 7, 3, 15)
    at_l2 = frozenset({Atom("at", ("k1", "l2"))})
    later = Transition(0, at_l2, "wait", (), at_l2, 5, 10, 20)
    traces = replace(traces, transitions=(*traces.transitions, waits, later))
    chance = Evidence(WIDE, traces).log_chance(narrowed(literals("loc 3 3")))
    assert chance == pytest.approx(4 * math.log(1 / 2))


NEVER = narrowed(literals("loc 3 3"))
"""Allows no drive anywhere."""


def waits(place, line, last_line, count=1, segment=0):
    """Waiting where the truck is somewhere."""
    state = frozenset({Atom("at", ("k1", place))})
    return Transition(segment, state, "wait", (), state, count, line, last_line)


def with_more(traces, *more, **changes):
    return replace(traces, transitions=(*traces.transitions, *more), **changes)


@pytest.mark.parametrize(
    ("actions", "share"),
    [(("drive",), 1 / 2), (("drive", "wait"), 1 / 2), (("drive", "fly", "wait"), 2 / 3)],
)
def test_a_policy_draws_among_the_action_names(actions, share):
    traces = with_more(drives(("l1", "l2")), waits("l1", 1, 1), actions=actions)
    assert Evidence(WIDE, traces).log_chance(NEVER) == pytest.approx(math.log(share))


def test_steps_count_up_to_the_last_line_of_the_action_in_their_problem_and_state_by_state():
    """What stands after line 9 takes no place among the states that are looked at either."""
    late = [waits(f"l{i}", 10 + i, 20, count=3) for i in (1, 2, 3)]
    early = [waits("l4", 1, 9, count=2), waits("l4", 9, 9), waits("l4", 9, 9, segment=1)]
    traces = drives(("l1", "l2"))
    traces = with_more(traces, *late, *early, segments=traces.segments * 2)
    # Three in the one problem; one in the other, if the action was taken there at all.
    again = replace(traces.transitions[0], segment=1)
    for max_states, n in ((2, 4), (1, 3)):
        found = Evidence(WIDE, with_more(traces, again), max_states).log_chance(NEVER)
        assert found == pytest.approx(n * math.log(1 / 2))
        found = Evidence(WIDE, traces, max_states).log_chance(NEVER)
        assert found == pytest.approx(3 * math.log(1 / 2))


def test_the_same_state_of_two_problems_and_steps_that_are_not_weighed():
    one, two = drives(("l1", "l2"), ("l1", "l1")), drives(("l1", "l2"), count=2)
    again = replace(two.transitions[0], segment=1)
    second = replace(one.segments[0], static=frozenset({Atom("loc", ("l3", "c2"))}))
    traces = with_more(one, again, segments=(one.segments[0], second))
    # In the second problem l3 alone has a city: the truck there stays, the one at l1 goes nowhere.
    share = math.log(3 / 15)
    for at_least in (False, True):
        chance = Evidence(WIDE, traces).log_chance(narrowed(SAME_CITY), at_least)
        assert chance == pytest.approx(2 * share + 2 * math.log(1 / 15))
    # If it must not stay nothing is left, and nothing is said, or one at least.
    leaving, share = apart(narrowed(SAME_CITY)), math.log(2 / 15)
    assert Evidence(WIDE, traces).log_chance(leaving) == pytest.approx(2 * share)
    at_least = Evidence(WIDE, traces).log_chance(leaving, at_least=True)
    assert at_least == pytest.approx(2 * share + 2 * math.log(1 / 15))
    assert PassedOver(WIDE.action, traces).log_chance(action_schema(WIDE, traces)) == 0


def test_where_the_wide_schema_allows_nothing_nothing_is_weighed():
    nowhere = Transition(0, frozenset(), "drive", (), frozenset(), 9, 1, 9)
    idle = replace(nowhere, action="wait")
    traces = with_more(drives(("l1", "l2")), nowhere, idle)
    assert Evidence(WIDE, traces).log_chance(narrowed(SAME_CITY)) == pytest.approx(math.log(1 / 5))


@pytest.mark.parametrize("place", range(9))
def test_a_single_state_may_be_all_the_evidence(place):
    """Of nine states one alone is ruled out: the truck has no owner there."""
    owned = [(start, owner) for start in ("l1", "l2", "l3") for owner in ("c1", "c2", "k2")]
    marks = [{Atom("at", ("k1", start)), Atom("loc", ("k1", owner))} for start, owner in owned]
    marks[place].remove(Atom("loc", ("k1", owned[place][1])))
    steps = [replace(waits("l1", 1, 1), state=frozenset(state)) for state in marks]
    owned, drive = narrowed(literals("loc 0 3")), drives(("l1", "l2"))
    alone, both = (
        Evidence(WIDE, own).log_chance(owned) for own in (drive, with_more(drive, *steps))
    )
    assert both - alone == pytest.approx(math.log(1 / 2))


def test_of_too_many_states_some_are_looked_at_evenly():
    """Of four states, two: the first and the third, in which the truck has no owner."""
    marks = [{Atom("at", ("k1", f"l{i}")), Atom("loc", ("k1", "c1"))} for i in (1, 2, 3, 4)]
    for place in (0, 2):
        marks[place].remove(Atom("loc", ("k1", "c1")))
    steps = [replace(waits("l1", 1, 1), state=frozenset(state)) for state in marks]
    owned = narrowed(literals("loc 0 3"))
    traces = with_more(drives(*MOVES, count=2), *steps)
    taken, both = (Evidence(WIDE, own, max_states=2) for own in (drives(*MOVES, count=2), traces))
    passed_over = both.log_chance(owned) - taken.log_chance(owned)
    assert passed_over == pytest.approx(2 * math.log(1 / 2))
    # From l1 and from l3, where the other truck stands.
    assert taken.log_chance(narrowed(SAME_CITY)) == pytest.approx(2 * 2 * math.log(3 / 15))


def test_the_last_step_of_the_action_is_the_last_of_all_its_transitions():
    early, late = (drives(move) for move in MOVES[:2])
    early = replace(early.transitions[0], last_line=3)
    traces = with_more(late, early, waits("l4", 7, 7))
    assert Evidence(WIDE, traces).log_chance(NEVER) == pytest.approx(math.log(1 / 2))


def test_a_schema_that_allows_more_is_likelier_than_what_it_is_measured_by():
    traces = drives(("l1", "l2"), count=3)
    chance = Evidence(narrowed(SAME_CITY), traces).log_chance(WIDE)
    assert chance == pytest.approx(3 * math.log(15 / 3))


def test_a_lower_bound_takes_it_that_one_successor_is_left():
    traces = drives(("l1", "l2"), count=3)
    evidence = Evidence(WIDE, traces)
    assert evidence.log_chance(NEVER) == 0
    assert evidence.log_chance(NEVER, at_least=True) == pytest.approx(3 * math.log(1 / 15))
    assert evidence.log_chance(narrowed(SAME_CITY), at_least=True) == pytest.approx(
        3 * math.log(3 / 15)
    )


def test_a_query_that_rules_out_nothing_has_no_evidence():
    traces = drives(("l1", "l2"), count=50)
    assert Evidence(WIDE, traces).log_chance(WIDE) == 0


def learned(traces):
    group = examples_by_action(traces)["drive"]
    effects = Effects(3, literals("at 0 2"), literals("at 0 1"))
    found = BindingTable.of(bind(effects, group), 3)
    schema = certify_table(effects, group, found)
    *_, schema = with_variables(schema, group, found, traces)
    return schema


MOVES = [("l1", "l2"), ("l2", "l1"), ("l3", "l4"), ("l4", "l3")]


def test_the_city_is_found_when_the_steps_speak_for_it():
    schema = learned(drives(*MOVES, count=20))
    assert schema.n_variables == 4
    assert set(SAME_CITY) <= set(schema.positive)


def with_relation(traces, arity):
    """The traces with a further relation, which never holds of anything: more that may be said."""
    relation = Predicate("meet", (("object",),) * arity)
    return replace(traces, predicates=(*traces.predicates, relation))


def test_few_steps_are_no_evidence_but_a_hint():
    few = with_relation(drives(*MOVES[:3], count=1), 4)
    schema = learned(few)
    assert schema.n_variables == 3
    assert set(SAME_CITY) <= set(schema.hint.query)
    assert schema.hint.n_new == 1
    assert math.log(1e-6) < schema.hint.log_chance < math.log(0.05)
    assert learned(drives(*MOVES, count=20)).hint is None
    assert learned(drives(MOVES[0], count=1)).hint is None  # one in six is nothing


def test_the_same_steps_suffice_or_do_not_by_how_much_could_be_said():
    """Three steps, 4.8 nats, pay for one of 14 atoms, and not for one of 14 + 4 ** 4 - 3 ** 4."""
    few = drives(*MOVES[:3], count=1)
    assert set(SAME_CITY) <= set(learned(few).positive)
    assert learned(with_relation(few, 4)).n_variables == 3


@pytest.mark.parametrize("count", [1, 1000])
def test_repeated_steps_do_not_pay_for_a_further_variable(count):
    few = with_relation(drives(*MOVES[:3], count=count), 4)
    assert learned(few).n_variables == 3


def test_no_common_city_when_trucks_go_everywhere():
    """What is found is weaker and true: the goal has some city, so it is a place."""
    everywhere = [(x, y) for x in PLACES for y in PLACES if x != y]
    schema = learned(drives(*everywhere, count=20))
    assert literals("loc 2 3")[0] in schema.positive
    assert not set(SAME_CITY) <= set(schema.positive)
