"""What a looser schema says of stricter ones is what these say themselves."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data import looser
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.looser import LooserSchema
from dias.learning.data.replay import SchemaInTraces
from dias.learning.extend.evidence import PassedOver
from dias.limits import Allowance, OutOfWorkError
from dias.strips.model import Atom, Parameter
from tests.learning.explain.test_scales import (
    NEGATIVES,
    OBJECTS,
    many_steps,
    press,
    schemas,
    traces_of,
)


@settings(deadline=None)
@given(schemas, schemas, st.data())
def test_a_looser_schema_knows_what_stricter_ones_do(stricter, other, data):
    """Steps may give their leading arguments."""
    traces = data.draw(many_steps(other))
    n_given = data.draw(st.integers(0, len(stricter.parameters)))
    given_objects = st.tuples(*[st.sampled_from(sorted(OBJECTS))] * n_given)
    steps = [replace(step, arguments=data.draw(given_objects)) for step in traces.transitions]
    coded = CodedStates.of(traces)
    own = SchemaInTraces(stricter, traces)
    numbers = coded.numbers(steps)
    loose = replace(stricter, negative_preconditions=frozenset(), inequalities=frozenset())
    starts = {
        n: (int(number), own.change(steps[n]), own.given(steps[n]))
        for n, number in enumerate(numbers)
    }
    found = LooserSchema.of(loose, coded, numbers, steps=starts)
    for _ in range(2):  # the second time it is remembered
        assert found.n_changes(stricter, numbers).tolist() == own.n_changes(steps).tolist()
        assert found.is_applicable(stricter, numbers).tolist() == own.are_applicable(steps).tolist()
        some = np.flatnonzero([data.draw(st.booleans()) for _ in steps])
        expected = own.reproduced(steps)[some]
        assert found.reproduces(stricter, some).tolist() == expected.tolist()


FURTHER = ("?z", "?v")
POSITIVES = [
    Atom("on", ("?z",)),
    *(Atom("by", pair) for pair in product(("?y", *FURTHER), repeat=2)),
]


@settings(deadline=None)
@given(schemas, st.data())
def test_further_parameters_are_looked_for(schema, data):
    """One after another or at once; some say nothing, and some must be what another one is."""
    traces = data.draw(many_steps(press()))
    names = ("?x", "?y", *FURTHER[: data.draw(st.integers(0, 2))])

    def some_of(choice):
        """Those that speak of the parameters alone."""
        drawn = data.draw(st.sets(st.sampled_from(choice), max_size=4))
        return frozenset(x for x in drawn if {*getattr(x, "terms", x)} <= {*names})

    pairs = [(x, y) for x in names for y in FURTHER if x != y]
    stricter = replace(
        schema,
        parameters=tuple(Parameter(name, ("object",)) for name in names),
        preconditions=schema.preconditions | some_of(POSITIVES),
        negative_preconditions=schema.negative_preconditions | some_of([*POSITIVES, *NEGATIVES]),
        equalities=some_of(pairs),
        inequalities=schema.inequalities | some_of(pairs),
    )
    coded = CodedStates.of(traces)
    numbers, steps = coded.numbers(traces.transitions), traces.transitions
    found = LooserSchema.of(schema, coded, numbers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(looser, "FEW", data.draw(st.integers(1, 3)))
        assert found.knows(stricter)
        own = SchemaInTraces(stricter, traces)
        assert found.n_changes(stricter, numbers).tolist() == own.n_changes(steps).tolist()
        assert found.is_applicable(stricter, numbers).tolist() == own.are_applicable(steps).tolist()


@pytest.mark.parametrize(
    "other",
    [
        replace(press(), negative_preconditions=frozenset()),
        replace(press(NEGATIVES), parameters=press().parameters[::-1]),
        replace(press(NEGATIVES), add_effects=frozenset({Atom("on", ("?y",))})),
        replace(press(NEGATIVES), delete_effects=frozenset({Atom("on", ("?y",))})),
    ],
    ids=["less is said", "other parameters", "other additions", "other deletions"],
)
def test_it_does_not_know_what_is_not_stricter(other):
    traces = traces_of([(0, frozenset(), {Atom("on", ("a",))})])
    coded = CodedStates.of(traces)
    found = LooserSchema.of(press(NEGATIVES[:1]), coded, coded.numbers(traces.transitions))
    assert found.knows(press(NEGATIVES)) and not found.knows(other)


def test_it_does_not_know_what_takes_too_many_rows():
    traces = traces_of([(0, frozenset(), {Atom("on", ("a",))})])
    coded = CodedStates.of(traces)
    found = LooserSchema.of(press(), coded, coded.numbers(traces.transitions))
    third = Parameter("?z", ("object",))
    never = replace(
        press(positive=[Atom("by", ("?z", "?z"))]), parameters=(*press().parameters, third)
    )
    wide = replace(press(unequal=[("?x", "?z")]), parameters=(*press().parameters, third))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(found, "_n_most", 2)
        assert found.knows(never) and not found.is_applicable(never, np.zeros(1, np.int64)).any()
        assert not found.knows(wide)


def test_it_is_none_where_it_allows_too_much_and_costs_an_allowance():
    nothing = frozenset()
    traces = traces_of([(n, nothing, {Atom("on", ("a",))}) for n in range(3)], 3)
    coded = CodedStates.of(traces)
    numbers = coded.numbers(traces.transitions)
    assert LooserSchema.of(press(), coded, numbers, Allowance(9)) is not None
    with pytest.raises(OutOfWorkError):
        LooserSchema.of(press(), coded, numbers, Allowance(0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(looser, "MAX_ROWS", 1)
        assert LooserSchema.of(press(), coded, numbers) is None


def test_traces_are_pickled_without_what_is_kept_with_them():
    traces = traces_of([(0, frozenset(), {Atom("on", ("a",))})])
    assert CodedStates.of(traces) is CodedStates.of(traces)
    assert PassedOver.of("press", traces) is PassedOver.of("press", traces)
    copy = pickle.loads(pickle.dumps(traces))
    assert copy == traces and CodedStates.of(copy) is not CodedStates.of(traces)
