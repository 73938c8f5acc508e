"""The last word on what a domain explains, against the definition."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data import replay as apply
from dias.learning.data.replay import SchemaInTraces, count_reproduced
from dias.limits import Allowance, OutOfWorkError
from dias.strips.model import ActionSchema, Atom, Domain, Parameter, Predicate
from dias.traces.record import LabelMode
from tests.learning.cases import all_steps
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states
from tests.traces.files import atoms, read


def naive_count(domain, traces):
    """Transitions whose change is one that the action of that name makes in the full state."""
    counts = Counter()
    for t in traces.transitions:
        segment = traces.segments[t.segment]
        state, next_state = t.state | segment.static, t.next_state | segment.static
        wanted = (t.action, next_state - state, state - next_state)
        found = {
            (action, added, deleted)
            for action, _, added, deleted in naive_successors(domain, segment.objects, state)
        }
        counts[t.action] += wanted in found
    return +counts


@st.composite
def variants(draw, domain: Domain) -> Domain:
    """The domain with actions dropped, preconditions and effects dropped or exchanged."""
    actions = []
    for schema in domain.actions:
        if draw(st.integers(0, 3)) == 0:
            continue
        groups = ("preconditions", "negative_preconditions", "add_effects", "delete_effects")
        kept = {
            name: frozenset(a for a in sorted(getattr(schema, name)) if draw(st.integers(0, 3)))
            for name in groups
        }
        if draw(st.integers(0, 3)) == 0:
            kept["add_effects"], kept["delete_effects"] = (
                kept["delete_effects"],
                kept["add_effects"],
            )
        actions.append(replace(schema, **kept))
    return replace(domain, actions=tuple(actions))


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None)
@given(st.data())
def test_equals_the_naive_count(data):
    """Problems of different sizes; some declare what never changes as static, some do not."""
    true = data.draw(domains(with_constant=False))
    worlds = []
    for _ in range(data.draw(st.integers(1, 3))):
        types = data.draw(objects(true))
        worlds.append((types, data.draw(states(true, types))))
    unchanging = sorted({p.name for p in true.predicates} - true.fluents)
    static = data.draw(st.sets(st.sampled_from(unchanging))) if unchanging else set()
    traces = all_steps(true, worlds, static)
    learned = data.draw(variants(true))
    assert +count_reproduced(learned, traces) == naive_count(learned, traces)
    assert +count_reproduced(true, traces) == Counter(t.action for t in traces.transitions)


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None)
@given(st.data())
def test_changes_and_applicability_in_a_state(data):
    domain = data.draw(domains(with_constant=False))
    types = data.draw(objects(domain))
    traces = all_steps(domain, [(types, data.draw(states(domain, types)))])
    for schema in domain.actions:
        applied = SchemaInTraces(schema, traces)
        for t in traces.transitions:
            every = naive_successors(replace(domain, actions=(schema,)), types, t.state)
            assert len(applied.changes(t)) == len(
                {(added, deleted) for _, _, added, deleted in every}
            )
            assert applied.is_applicable(t) == bool(every)


LAMP = ActionSchema(
    "press",
    (Parameter("?x"),),
    preconditions=frozenset({Atom("near", ("?x",))}),
    add_effects=frozenset({Atom("lit", ("?x",))}),
)
PREDICATES = (Predicate("lit", (("object",),)), Predicate("near", (("object",),)))
LAMPS = Domain("lamps", predicates=PREDICATES, actions=(LAMP,))
HEADER = {"dias": "trace/1", "predicates": {"lit": ["object"], "near": ["object"]}}


def test_a_predicate_may_be_static_in_one_problem_and_listed_in_the_states_of_another():
    traces = read(
        HEADER | {"problem": "one", "objects": {"a": "object"}, "static": ["(near a)"]},
        {"state": [], "action": "press", "next": ["(lit a)"]},
        HEADER | {"problem": "two", "objects": {"a": "object", "b": "object"}},
        {"state": ["(near b)"], "action": "press", "next": ["(lit b)", "(near b)"]},
        {"state": ["(near b)"], "action": "press", "next": ["(lit a)", "(near b)"]},
    )
    assert count_reproduced(LAMPS, traces) == {"press": 2}


def test_a_domain_may_change_what_the_header_calls_static():
    lighting = replace(LAMP, delete_effects=frozenset({Atom("near", ("?x",))}))
    traces = read(
        HEADER | {"objects": {"a": "object"}, "static": ["(near a)"]},
        {"state": [], "action": "press", "next": ["(lit a)"]},
    )
    assert count_reproduced(LAMPS, traces) == {"press": 1}
    assert count_reproduced(replace(LAMPS, actions=(lighting,)), traces) == {"press": 0}


def test_some_atoms_of_a_predicate_may_be_static_and_others_not():
    traces = read(
        HEADER | {"objects": {"a": "object", "b": "object"}, "static": ["(near a)"]},
        {"state": [], "action": "press", "next": ["(lit a)"]},
        {"state": ["(near b)"], "action": "press", "next": ["(lit b)", "(near b)"]},
        {"state": [], "action": "press", "next": ["(lit b)"]},
    )
    assert count_reproduced(LAMPS, traces) == {"press": 2}


def test_a_step_of_another_name_does_not_count():
    traces = read(
        HEADER | {"static": ["(near a)"]}, {"state": [], "action": "push", "next": ["(lit a)"]}
    )
    assert +count_reproduced(LAMPS, traces) == {}


def test_the_arguments_are_not_asked_for():
    """Learned parameters have an order of their own, so only the change counts."""
    world = ({"a": "object", "b": "object"}, atoms("near a", "near b"))
    traces = replace(all_steps(LAMPS, [world]), labels=LabelMode.NAMES)
    strangers = tuple(replace(t, arguments=()) for t in traces.transitions)
    assert count_reproduced(LAMPS, replace(traces, transitions=strangers)) == {"press": 2}


def test_a_domain_that_allows_more_than_can_be_tried():
    """Twelve objects are pressed with each lamp, whatever they are: 10⁹ ground actions a state."""
    others = [f"?y{number}" for number in range(12)]
    [press] = LAMPS.actions
    loose = replace(press, parameters=(*press.parameters, *map(Parameter, others)))
    learned = replace(LAMPS, actions=(loose,))
    types = {f"o{i}": "object" for i in range(15)}
    traces = all_steps(LAMPS, [(types, atoms(*(f"near {name}" for name in types)))])
    assert count_reproduced(learned, traces) == {"press": 15}
    wrong = replace(loose, add_effects=loose.add_effects | {Atom("near", ("?y1",))})
    unreached = replace(wrong, delete_effects=frozenset({Atom("near", ("?y2",))}))
    for schema, n_reproduced in ((wrong, 15), (unreached, 0)):
        assert +count_reproduced(replace(learned, actions=(schema,)), traces) == +Counter(
            press=n_reproduced
        )


def test_of_too_many_explanations_some_are_given(monkeypatch):
    [press] = LAMPS.actions
    loose = replace(press, parameters=(*press.parameters, Parameter("?y")))
    types = {f"o{i}": "object" for i in range(9)}
    traces = all_steps(LAMPS, [(types, atoms(*(f"near {name}" for name in types)))])
    applied = SchemaInTraces(loose, traces)
    [*first] = applied.explanations(traces.transitions[0])
    assert len(first) == 8
    monkeypatch.setattr(apply, "MAX_EXPLANATIONS", 4)
    some = applied.explanations(traces.transitions[0])
    assert len(some) == 4
    assert set(some) < set(first)


def test_changes_end_with_what_may_be_done():
    types = {f"o{i}": "object" for i in range(9)}
    traces = all_steps(LAMPS, [(types, atoms(*(f"near {name}" for name in types)))])
    [press], visit = LAMPS.actions, traces.transitions[0]
    assert len(SchemaInTraces(press, traces, check=Allowance(20).check).changes(visit)) == 9
    with pytest.raises(OutOfWorkError):
        SchemaInTraces(press, traces, check=Allowance(8).check).changes(visit)
