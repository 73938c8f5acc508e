"""Ground actions in all states at once, against those of one state after another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data import replay
from dias.learning.data import visited as module
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.visited import Rows, VisitedStates
from dias.limits import Allowance, OutOfWorkError
from dias.strips.model import OBJECT, ActionSchema, Atom, Parameter
from tests.learning.cases import all_steps
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states
from tests.traces.files import atoms, read


def no_limit(n_rows):
    assert n_rows >= 0


def in_every_state(visits, traces, schema, numbers=None):
    """State and binding of each ground action, with what stands for its change."""
    whole = VisitedStates(visits, traces)
    chosen = None if numbers is None else np.array(numbers, dtype=np.int64)
    found = []
    for rows in whole.bindings(schema, no_limit, chosen):
        columns = [rows.columns[name].tolist() for name in schema.variables]
        changes = map(tuple, whole.changes(rows, schema).tolist())
        found += zip(rows.state.tolist(), *columns, changes, strict=True)
    return found


def drawn_traces(data):
    """A random domain, and steps in random states of problems of different sizes.

    Some problems declare what never changes as static, some do not.
    """
    domain = data.draw(domains())
    worlds = []
    for _ in range(data.draw(st.integers(1, 3))):
        types = data.draw(objects(domain))
        worlds.append((types, data.draw(states(domain, types))))
    unchanging = sorted({p.name for p in domain.predicates} - domain.fluents)
    static = data.draw(st.sets(st.sampled_from(unchanging))) if unchanging else set()
    return domain, all_steps(domain, worlds, static)


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None)
@given(st.data())
def test_the_ground_actions_and_their_changes_are_those_of_each_state(data):
    domain, traces = drawn_traces(data)
    visits = list(traces.transitions)
    numbers = [n for n in range(len(visits)) if data.draw(st.booleans())]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_ROWS", data.draw(st.sampled_from([1, 3, 20_000])))
        for schema in domain.actions:
            found = in_every_state(visits, traces, schema, numbers)
            assert [own[0] for own in found] == sorted(own[0] for own in found)
            expected, changes = [], set()
            for n in numbers:
                segment = traces.segments[visits[n].segment]
                names, state = list(segment.objects), visits[n].state | segment.static
                every = naive_successors(replace(domain, actions=(schema,)), segment.objects, state)
                expected += [(n, *map(names.index, arguments)) for _, arguments, _, _ in every]
                changes |= {(n, added, deleted) for _, _, added, deleted in every}
            assert sorted(own[:-1] for own in found) == sorted(expected)
            assert len({own[-1] for own in found}) == len(changes)


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None)
@given(st.data())
def test_all_at_once_and_one_after_another_the_same_is_found(data):
    domain, traces = drawn_traces(data)
    visits = data.draw(st.lists(st.sampled_from(traces.transitions))) if traces.transitions else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_ROWS", data.draw(st.sampled_from([1, 3, 20_000])))
        for name in ("ROWS_TO_COUNT", "ROWS_TO_FIND", "ROWS_TO_MATCH"):
            patch.setattr(replay, name, data.draw(st.sampled_from([0, 1, 1_000])))
        at_most = data.draw(st.sampled_from([1, 2, 1_000]))
        for schema in domain.actions:
            applied = SchemaInTraces(schema, traces)
            counted = [len(applied.changes(visit, at_most)) for visit in visits]
            assert applied.n_changes(visits, at_most).tolist() == counted
            found = [applied.is_applicable(visit) for visit in visits]
            assert applied.are_applicable(visits).tolist() == found
            explained = [applied.explanations(visit) for visit in visits]
            assert applied.explanations_of(visits) == explained
            assert applied.reproduced(visits).tolist() == list(map(bool, explained))


@pytest.mark.parametrize("rows", [0, 1_000])
def test_bindings_that_may_be_looked_at_are_the_same_for_many_states(monkeypatch, rows):
    """Two lamps are on in two states; one after another they are looked at as they are found."""
    traces = read(LAMPS, *STEPS)
    light = ActionSchema("light", (Parameter("?x", (OBJECT,)),), frozenset({Atom("on", ("?x",))}))
    for name in ("ROWS_TO_COUNT", "ROWS_TO_FIND", "ROWS_TO_MATCH"):
        monkeypatch.setattr(replay, name, rows)
    monkeypatch.setattr(replay, "ROWS_PER_CHECK", 1)
    few = SchemaInTraces(light, traces, allowance=Allowance(1))
    with pytest.raises(OutOfWorkError):
        few.n_changes(traces.transitions)
    with pytest.raises(OutOfWorkError):
        few.are_applicable(traces.transitions)
    many = SchemaInTraces(light, traces, allowance=Allowance(100))
    assert many.n_changes(traces.transitions).tolist() == [1, 1]
    assert many.are_applicable(traces.transitions).tolist() == [True, True]
    assert many.reproduced(traces.transitions).tolist() == [False, False]  # it changes nothing
    if rows:
        with pytest.raises(OutOfWorkError):
            SchemaInTraces(light, traces, allowance=Allowance(1)).reproduced(traces.transitions)
    monkeypatch.setattr(replay, "ROWS_PER_CHECK", 10)  # a row takes less than a loop of a search
    if rows:
        none_left = SchemaInTraces(light, traces, allowance=Allowance(0))
        assert none_left.n_changes(traces.transitions).tolist() == [1, 1]


LAMPS = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"on": ["object"], "by": ["object"] * 2, "dark": []},
    "objects": dict.fromkeys("abc", "object"),
    "static": ["(by a b)", "(by b c)"],
}
STEPS = [
    {"state": ["(on a)"], "action": "wait", "next": ["(dark)", "(on a)"]},
    {"state": ["(dark)", "(on b)"], "action": "wait", "next": ["(on b)"]},
]


def test_truth_of_atoms_of_states_and_of_problems():
    traces = read(LAMPS, *STEPS)
    whole = VisitedStates(traces.transitions, traces)
    rows = Rows(np.array([0, 0, 1]), {"?x": np.array([0, 1, 1]), "?y": np.array([1, 1, 2])})
    truth = {
        str(atom): whole.holds(rows, atom).tolist()
        for atom in (Atom("on", ("?x",)), Atom("by", ("?x", "?y")), Atom("=", ("?x", "?y")))
    }
    assert truth == {"(on ?x)": [1, 0, 1], "(by ?x ?y)": [1, 0, 1], "(= ?x ?y)": [0, 1, 0]}
    assert whole.holds(rows, Atom("dark", ())).tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("text", "is_positive", "expected"),
    [
        ("by ?y ?z", False, [False, False, True]),  # by a b and by b c hold, nothing by c
        ("by ?z ?y", False, [True, False, False]),
        ("on ?z", True, [False, False, True]),  # a and b, of type lamp, and then a alone
        ("on ?z", False, [False, False, False]),
    ],
)
def test_truth_whatever_one_object_is(text, is_positive, expected):
    header = LAMPS | {
        "types": {"lamp": "object"},
        "predicates": {"on": ["lamp"], "by": ["object"] * 2},
        "objects": {"a": "lamp", "b": "lamp", "c": "object"},
    }
    states = [["(on a)"], ["(on b)"], ["(on a)", "(on b)"]]
    steps = [{"state": own, "action": "wait", "next": own} for own in states]
    traces = read(header, *steps)
    whole = VisitedStates(traces.transitions, traces)
    rows = Rows(np.arange(3), {"?y": np.arange(3)})
    [atom] = atoms(text)
    types = ("lamp",) if atom.predicate == "on" else (OBJECT,)
    assert whole.hold_for_all(rows, atom, "?z", is_positive, types).tolist() == expected


def test_what_is_added_and_deleted_stays_and_equal_changes_are_equal_rows():
    """Of by a b and by b c the first lamp goes out, the second goes on; it may be on already."""
    traces = read(LAMPS, *STEPS)
    x, y = (Atom("on", (name,)) for name in ("?x", "?y"))
    both = tuple(Parameter(name, (OBJECT,)) for name in ("?x", "?y"))
    swap = ActionSchema("swap", both, add_effects=frozenset({y}), delete_effects=frozenset({x}))
    found = in_every_state(traces.transitions, traces, swap)
    changes = {own[:3]: own[3] for own in found}
    assert len(found) == 18
    assert changes[0, 0, 0] == changes[0, 1, 0] != changes[0, 0, 1] != changes[0, 1, 1]
    assert changes[0, 1, 2] == changes[0, 2, 2] != changes[1, 0, 2]


def test_rows_are_counted_join_by_join_and_may_be_too_many():
    """Six candidates for the first lamp, four times a neighbour."""
    traces = read(LAMPS, *STEPS)
    parameters = tuple(Parameter(name, (OBJECT,)) for name in ("?x", "?y"))
    schema = ActionSchema("look", parameters, frozenset(atoms("by ?x ?y")))
    whole, counted = VisitedStates(traces.transitions, traces), []
    assert sum(len(rows.state) for rows in whole.bindings(schema, counted.append)) == 4
    assert counted == [4]
    with pytest.raises(OutOfWorkError):
        list(whole.bindings(schema, Allowance(3).check))


def test_a_state_is_coded_once():
    traces = read(LAMPS, *STEPS)
    first, second = traces.transitions
    coded = traces.encode(0, first.next_state)
    assert coded is traces.encode(0, frozenset(first.next_state))
    assert traces.codes[0].decode_state(coded) == first.next_state
    assert traces.encode(0, second.state) != coded
