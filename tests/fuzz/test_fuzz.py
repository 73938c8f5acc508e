"""A few hundred odd files of each kind; `make fuzz` tries them for minutes."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dias.traces.dialects.read import NAMES
from dias.traces.record import LabelMode
from tests.fuzz import targets
from tests.fuzz.inputs import DIALECT_FILES, DOMAINS, PLANS, PROBLEMS, TRACE_FILES

short = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@short
@given(
    TRACE_FILES,
    st.none() | st.sampled_from(LabelMode),
    st.booleans(),
    st.booleans(),
    st.none() | st.tuples(st.integers(0, 200), st.binary(max_size=3)),
)
def test_traces(data, labels, skip_bad_lines, compress, damage):
    targets.traces(data, labels, skip_bad_lines, compress, damage)


@short
@given(DOMAINS)
def test_domains(text):
    targets.domain(text)


@short
@given(PROBLEMS)
def test_problems(text):
    targets.problem(text)


@short
@given(DIALECT_FILES, st.none() | st.sampled_from(NAMES), st.booleans())
def test_dialects(text, dialect, skip_bad_lines):
    targets.dialects(text, dialect, skip_bad_lines)


@short
@given(PLANS)
def test_plans(text):
    targets.plan(text)
