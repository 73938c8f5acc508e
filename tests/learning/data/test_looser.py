"""What a looser schema says of stricter ones is what these say themselves."""

from __future__ import annotations

import pickle
from dataclasses import replace

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
from dias.strips.model import Atom
from tests.learning.explain.test_scales import OBJECTS, many_steps, press, schemas, traces_of


@settings(deadline=None)
@given(schemas, schemas, st.data())
def test_a_looser_schema_knows_what_stricter_ones_do(stricter, other, data):
    """Steps may give their leading arguments."""
    traces = data.draw(many_steps(other))
    n_given = data.draw(st.integers(0, len(stricter.parameters)))
    given_objects = st.tuples(*[st.sampled_from(sorted(OBJECTS))] * n_given)
    steps = [replace(step, arguments=data.draw(given_objects)) for step in traces.transitions]
    coded = CodedStates(traces)
    own = SchemaInTraces(stricter, traces, coded)
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


def test_it_is_none_where_it_allows_too_much_and_costs_an_allowance():
    nothing = frozenset()
    traces = traces_of([(n, nothing, {Atom("on", ("a",))}) for n in range(3)], 3)
    coded = CodedStates(traces)
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
