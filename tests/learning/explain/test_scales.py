"""The score of a schema against counts by hand and by the naive successors of PDDL."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning import score
from dias.learning.data import replay
from dias.learning.data.replay import SchemaInTraces
from dias.learning.likelihood import Growing, Known, Likelihood
from dias.learning.score import Scales, cost
from dias.strips.model import ActionSchema, Atom, Domain, Parameter, Predicate
from dias.traces.record import LabelMode, Segment, Traces, Transition
from tests.learning.cases import said_of
from tests.oracles import naive_successors

OBJECTS = dict.fromkeys("abc", "object")
PREDICATES = (Predicate("on", (("object",),)), Predicate("by", (("object",),) * 2))
ATOMS = [
    *(Atom("on", (x,)) for x in OBJECTS),
    *(Atom("by", pair) for pair in product(OBJECTS, repeat=2)),
]
NEGATIVES = [Atom("on", ("?x",)), Atom("on", ("?y",)), Atom("by", ("?x", "?y")),
             Atom("by", ("?y", "?x")), Atom("by", ("?y", "?y"))]  # fmt: skip


def press(negative=(), unequal=(), positive=()):
    """Turns ?x on; ?y is there for preconditions only."""
    return ActionSchema(
        "press", tuple(Parameter(name, ("object",)) for name in ("?x", "?y")),
        frozenset(positive), frozenset(negative), inequalities=frozenset(unequal),
        add_effects=frozenset({Atom("on", ("?x",))}), delete_effects=frozenset(),
    )  # fmt: skip


def traces_of(steps, n_segments=1):
    """Steps of `press`, each a segment, a state, and what is on afterwards as well."""
    transitions = [
        Transition(segment, state, "press", (), state | added, 1, line, line)
        for line, (segment, state, added) in enumerate(steps, start=1)
    ]
    return Traces(
        "t", "d", LabelMode.NAMES, {}, PREDICATES, ("press",),
        (Segment("p", OBJECTS, frozenset()),) * n_segments, tuple(transitions),
    )  # fmt: skip


def outcomes(schema, state):
    """The states that a schema can lead to."""
    domain = Domain("d", {}, {}, PREDICATES, (schema,))
    return {
        state - deleted | added for *_, added, deleted in naive_successors(domain, OBJECTS, state)
    }


schemas = st.builds(
    press,
    st.sets(st.sampled_from(NEGATIVES)),
    st.sets(st.just(("?x", "?y"))),
    st.sets(st.just(Atom("on", ("?y",)))),
)


@st.composite
def many_steps(draw, schema):
    """Traces of steps that a schema allows."""
    steps = []
    for segment, state in enumerate(
        draw(st.lists(st.frozensets(st.sampled_from(ATOMS)), max_size=9))
    ):
        reached = sorted(outcomes(schema, state), key=sorted)
        steps += [(segment, state, own - state) for own in reached if draw(st.booleans())]
    return traces_of(steps, 9)


@settings(deadline=None)
@given(schemas, st.data())
def test_each_distinct_step_is_one_of_the_outcomes_of_its_state(schema, data):
    traces = data.draw(many_steps(schema))
    expected = -sum(math.log(len(outcomes(schema, t.state))) for t in traces.transitions)
    again = replace(traces, transitions=tuple(replace(t, count=7) for t in traces.transitions))
    for own in (traces, again):
        assert said_of(schema, own) == (pytest.approx(expected), 0)


@settings(deadline=None)
@given(schemas, schemas, st.data())
def test_steps_that_are_known_to_be_allowed_are_marked_and_not_looked_for(schema, other, data):
    traces = data.draw(many_steps(other))
    steps = [t for t in traces.transitions if t.action == schema.name]
    allowed = [t.next_state in outcomes(schema, t.state) for t in steps]
    known = np.array([own and data.draw(st.booleans()) for own in allowed], dtype=bool)
    likelihood, said = Likelihood(schema.name, traces), said_of(schema, traces)
    own = Known(known)
    assert likelihood.of(schema, known=own) == said
    own.has_least()
    assert own.shown.tolist() == allowed
    scales = Scales(traces, odd_price=1.0)
    assert scales.concise(schema, known) == scales.concise(schema)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SchemaInTraces, "reproduced", lambda _, steps: np.zeros(len(steps), bool))
        assert likelihood.of(schema, known=own) == said


def test_steps_that_are_not_allowed_are_counted():
    nothing = frozenset()
    traces = traces_of([(0, nothing, {Atom("on", ("a",))}), (0, nothing, {Atom("on", ("b",))})])
    assert said_of(press(), traces) == (pytest.approx(-2 * math.log(3)), 0)
    lamp = press(positive=[Atom("on", ("?y",))])
    assert said_of(lamp, traces) == (0.0, 2)
    assert Scales(traces).score(lamp) is None
    assert Scales(traces).concise(lamp) == (lamp, None)


def test_what_it_takes_to_say_a_schema():
    """Two terms: on of two, by of four; ?y is bound by on, or by three of by, besides itself."""
    effect, negative, further = math.log(2 * 6), math.log(6 + 1), math.log(1 + 3)
    assert cost(press(), PREDICATES, ()) == pytest.approx(effect + further)
    both = press(NEGATIVES[:1], [("?x", "?y")], [Atom("on", ("?y",))])
    assert cost(both, PREDICATES, ()) == pytest.approx(effect + further + 2 * negative)
    # A constant is a term more.
    effect, further = math.log(2 * 12), math.log(1 + 5)
    assert cost(press(), PREDICATES, ("k",)) == pytest.approx(effect + further)


def bonus_of(weight):
    """Speaks for schemas by the literals that they have, and more for some than for others."""
    return lambda schema, *_: (
        weight * (len(schema.negative_preconditions) + 2 * len(schema.inequalities))
    )


def in_turn(scales, schema):
    """Without the literals that are not worth their cost, one after another, and its score."""
    expected, best = schema, scales.score(schema)
    literals = [("negative_preconditions", x) for x in sorted(schema.negative_preconditions)]
    literals += [("inequalities", x) for x in sorted(schema.inequalities)]
    for part, literal in literals:
        shorter = replace(expected, **{part: getattr(expected, part) - {literal}})
        if scales.score(shorter) >= best - score.ROUNDING:
            expected, best = shorter, scales.score(shorter)
    return expected, best


@settings(deadline=None)
@given(schemas, st.floats(0, 3), st.data())
def test_negative_literals_go_in_turn_as_long_as_the_score_grows(schema, weight, data):
    """In halves or one after another is the same, whatever they rule out."""
    traces = data.draw(many_steps(schema))
    scales = Scales(traces, bonus=bonus_of(weight))
    expected, best = in_turn(scales, schema)
    found, found_score = scales.concise(schema)
    assert (found, found_score) == (expected, pytest.approx(best))
    likelihood, _ = said_of(expected, traces)
    own_cost = cost(expected, PREDICATES, ())
    assert found_score == pytest.approx(likelihood - own_cost + bonus_of(weight)(expected, None))
    assert scales.cost(expected) == own_cost


@settings(deadline=None, max_examples=60)
@given(schemas, schemas, st.floats(0, 3), st.data())
def test_odd_steps_are_counted_anew_for_each_schema(schema, other, price, data):
    """Some steps are another schema's; what a shorter schema allows, a longer one need not."""
    traces = data.draw(many_steps(other))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score, "max_odd", lambda n_steps: n_steps)
        scales = Scales(traces, odd_price=price)
        expected, best = in_turn(scales, schema)
        found, found_score = scales.concise(schema)
    assert found_score == pytest.approx(scales_of_odd(traces, price, found))
    assert found_score >= scales_of_odd(traces, price, schema) - 1e-6
    if found == expected:
        assert found_score == pytest.approx(best)


def scales_of_odd(traces, price, schema):
    """The score by hand, without what was found of other schemas."""
    likelihood, n_missed = said_of(schema, traces)
    least = replace(schema, negative_preconditions=frozenset(), inequalities=frozenset())
    has_odd = said_of(least, traces)[1] > 0  # more than negative literals fails
    return likelihood - cost(schema, PREDICATES, (), has_odd) - n_missed * price


def test_what_a_rejected_schema_allows_counts_for_no_other(monkeypatch):
    """A lamp that is on was pressed once: only without `(not (on ?x))`, which is worth keeping."""
    on = frozenset({Atom("on", ("a",))})
    steps = [(segment, on, {Atom("on", ("b",))}) for segment in range(8)]
    traces = traces_of([*steps, (8, on, set())], 9)
    monkeypatch.setattr(score, "max_odd", lambda n_steps: n_steps)
    schema = press([NEGATIVES[0], NEGATIVES[4]])
    found, found_score = Scales(traces, odd_price=1.0).concise(schema)
    assert found == press(NEGATIVES[:1])
    assert said_of(found, traces)[1] == 1
    assert found_score == pytest.approx(scales_of_odd(traces, 1.0, found))


def test_a_step_that_is_known_to_be_allowed_is_not_looked_at_again(monkeypatch):
    asked = []
    real = SchemaInTraces.reproduced
    monkeypatch.setattr(
        SchemaInTraces, "reproduced", lambda own, steps: asked.extend(steps) or real(own, steps)
    )
    steps = [(0, frozenset({Atom("on", (x,))}), {Atom("on", (y,))}) for x, y in ("ab", "bc", "ca")]
    Scales(traces_of(steps)).concise(press(NEGATIVES, [("?x", "?y")]))
    assert len(asked) == 3


def test_a_literal_is_kept_if_it_rules_out_more_than_it_costs():
    """A lamp that is on is not pressed: of three outcomes two are left. It costs ln 7."""
    on = frozenset({Atom("on", ("a",))})
    off = press([Atom("on", ("?x",))])
    for n, is_kept in ((4, False), (5, True)):
        steps = [(segment, on, {Atom("on", ("b",))}) for segment in range(n)]
        shorter, _ = Scales(traces_of(steps, n)).concise(off)
        assert (shorter == off) is is_kept
    assert 4 * math.log(3 / 2) < math.log(7) < 5 * math.log(3 / 2)


def test_what_would_take_too_long_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr(replay, "ROWS_PER_CHECK", 1)
    on = frozenset({Atom("on", ("a",))})
    schema = press(NEGATIVES[:1], [("?x", "?y")])
    scales = Scales(traces_of([(0, on, {Atom("on", ("b",))})]))
    assert scales.concise(schema)[0] == press()
    found = []
    for n_checks in range(60):
        monkeypatch.setattr(score, "MAX_CHECKS", n_checks)
        found.append(scales.concise(schema))
    assert found == sorted(found, key=lambda own: (own[1] is not None, own[1]))
    assert {own for own, _ in found} == {schema, press()}
    assert found[0] == (schema, None)
    assert (schema, scales.score(schema)) in found
    assert found[-1] == (press(), scales.score(press()))


def mostly_lit(n_steps, n_dark):
    """Steps that put b on, each in a problem of its own; in all but some of them a is on."""
    lit, dark = frozenset({Atom("on", ("a",))}), frozenset()
    states = [dark] * n_dark + [lit] * (n_steps - n_dark)
    steps = [(number, state, {Atom("on", ("b",))}) for number, state in enumerate(states)]
    return traces_of(steps, n_steps)


LAMP = press(positive=[Atom("on", ("?y",))])
"""Something must be on before."""


@pytest.mark.parametrize("price", [0.0, 4.0])
@pytest.mark.parametrize(("n_steps", "n_dark"), [(40, 0), (40, 2), (59, 2), (60, 3)])
def test_as_many_steps_as_may_be_odd_are_paid_for(n_steps, n_dark, price):
    traces = mostly_lit(n_steps, n_dark)
    likelihood, n_missed = said_of(LAMP, traces)
    assert n_missed == n_dark
    expected = pytest.approx(likelihood - cost(LAMP, PREDICATES, (), n_dark > 0) - n_dark * price)
    assert Scales(traces, odd_price=price).score(LAMP) == expected
    found = Scales(traces, odd_price=price).concise(LAMP)
    assert found == (LAMP, expected)
    # No step is odd unless there is a price.
    assert (Scales(traces).score(LAMP) is None) == (n_dark > 0)


@pytest.mark.parametrize(("n_steps", "n_dark"), [(40, 3), (59, 3), (60, 4), (39, 1)])
def test_one_more_step_than_may_be_odd_is_too_much(n_steps, n_dark):
    scales = Scales(mostly_lit(n_steps, n_dark), odd_price=4.0)
    assert scales.score(LAMP) is None
    assert scales.concise(LAMP) == (LAMP, None)
    assert scales.score(press()) is not None


def test_odd_steps_are_paid_for_where_literals_are_weighed():
    """That ?x is off before is worth its cost in the steps that the schema explains."""
    traces = mostly_lit(60, 3)
    off = press([Atom("on", ("?x",))], positive=[Atom("on", ("?y",))])
    for price in (0.0, 4.0):
        found, best = Scales(traces, odd_price=price).concise(off)
        assert found == off
        likelihood, _ = said_of(off, traces)
        assert best == pytest.approx(likelihood - cost(off, PREDICATES, (), True) - 3 * price)


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=4))
def test_numbers_that_grow_are_asked_for_where_they_are_not_clear(rises):
    """Each row is what one schema more gives, the first with the most literals."""
    rows, asked = np.cumsum(rises, axis=0), []
    nothing, known = Growing(), Growing()
    known.least, known.most = rows[0], rows[-1]
    for own, places in ((nothing, [0, 1, 2]), (known, np.flatnonzero(rows[0] != rows[-1]))):
        for row in rows:
            asked.clear()
            found = own.ask(3, lambda unclear, row=row: asked.extend(unclear) or row[unclear])
            assert found.tolist() == own.found.tolist() == row.tolist()
            assert asked == list(places)
