"""Refusals are found in random runs of a simulator, and the domain beside them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dias.evaluation.evaluate import evaluate
from dias.learning.learn import learn
from dias.learning.propose.unchanged import read_unchanged
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.traces.record import LabelMode
from tests.learning.cases import all_steps
from tests.learning.propose.yard import SYMBOLIC, WORLDS, YARD, as_key, schema, simulated
from tests.traces.files import atoms


def test_what_happens_without_a_change_is_told_from_refusals_by_the_arguments():
    """Beside refusals: `light` where all is lit, and where no step shows another reading."""
    traces, answers = simulated(LabelMode.FULL, *WORLDS, n=500)
    read_so, none, found = read_unchanged(traces, "auto")
    assert none is None
    refused = {as_key(attempt) for attempt in read_so.refused}
    assert sum(found.values()) == len(refused) == len(traces.transitions) - len(read_so.transitions)
    happened = {t for t in traces.transitions if t.state == t.next_state} - answers
    # All that was refused is read so, but what was never done shows nothing.
    assert refused >= {as_key(t) for t in answers if t.action != "fly"}
    assert {t.action for t in answers} >= {"move", "fill", "tip", "light", "cool", "fly"}
    still = {t.action for t in read_so.transitions if t.state == t.next_state}
    assert still == {"fly", "light"}
    lit = {t for t in happened if t.action == "light"}
    assert lit and lit <= set(read_so.transitions)
    # Where the one effect held, or a cart was sent where it was, no step shows which it was.
    misread = {key[2:] for key in refused & set(map(as_key, happened))}
    assert {action for action, _ in misread} == {"move", "fill", "arm"}
    assert all(a[1] == a[2] for action, a in misread if action == "move")
    result = learn(traces, SYMBOLIC)
    assert (result.n_explained, result.n_wrongly_allowed) == (result.n_distinct, 0)
    assert result.read_as_refused == found


@pytest.mark.parametrize("labels", LabelMode)
def test_a_domain_is_learned_beside_refusals(labels, monkeypatch):
    """As it would be from the changes alone, in each label mode."""
    domain = Domain(
        "yard",
        predicates=YARD.predicates,
        actions=(
            schema(
                "move", "?r ?a ?b", "cart ?r, at ?r ?a, place ?b", "at ?r ?b", "at ?r ?a",
                [("?a", "?b")],
            ),
            schema("fill", "?r ?a", "cart ?r, at ?r ?a, ready", "full ?r", "ready"),
            schema("arm", "?r", "full ?r", "ready", "full ?r"),
        ),
    )  # fmt: skip
    name, objects, fixed, state = WORLDS[1]
    world = name, objects, fixed, state | atoms("ready")
    traces, answers = simulated(labels, world, n=800, domain=domain)
    _, _, found = read_unchanged(traces, "auto")
    assert set(found) == {"arm", "fill", "move"}
    result = learn(traces, SYMBOLIC)
    assert result.n_explained == result.n_distinct == len(traces.transitions) - sum(found.values())
    changes = tuple(t for t in traces.transitions if t.state != t.next_state)
    assert result.n_distinct == len(changes)
    plain = learn(replace(traces, transitions=changes), replace(SYMBOLIC, unchanged="happened"))
    assert result.domain == plain.domain
    if labels is LabelMode.FULL:
        assert {t for t in traces.transitions if t.state == t.next_state} == answers
        instance = Instance("y", "yard", objects, world[3])
        measured = evaluate(result.domain, domain, [instance], 100)
        assert measured.is_sound and measured.is_complete
        as_they_stand = learn(traces, replace(SYMBOLIC, unchanged="happened"))
        assert as_they_stand.n_explained < as_they_stand.n_distinct
        assert as_they_stand.read_as_refused == {}
    # Where states look seen wrong, nothing is read into steps without change unless it is told.
    monkeypatch.setattr("dias.learning.learn.looks_noisy", lambda groups: True)
    assert learn(traces, SYMBOLIC).read_as_refused == {}
    assert learn(traces, replace(SYMBOLIC, unchanged="refused")).read_as_refused == found


@pytest.mark.parametrize("labels", LabelMode)
def test_what_one_schema_covers_happened(labels):
    """Lamps that are switched on again, carts sent where they are: nothing was refused."""
    domain = Domain(
        "yard",
        predicates=YARD.predicates,
        actions=(
            schema("move", "?r ?a ?b", "cart ?r, at ?r ?a, place ?b", "at ?r ?b", "at ?r ?a"),
            schema("light", "", "", "lit, warm", ""),
            schema("fill", "?r", "cart ?r", "full ?r", ""),
            schema("chill", "?r", "cart ?r", "", "full ?r, warm, lit"),
        ),
    )
    traces, answers = simulated(labels, *WORLDS, n=150, domain=domain, with_refusals=False)
    assert not answers
    still = {t.action for t in traces.transitions if t.state == t.next_state}
    assert still == {action.name for action in domain.actions}
    same, _, found = read_unchanged(traces, "auto")
    assert (same, found) == (traces, {})


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_where_all_arguments_are_known_nothing_that_happened_is_refused(data):
    """Two effects of one kind, all objects, all states: no step without change is a refusal.

    But where the arguments are one object, what is added there might never have been.
    """
    parameters = ["?x", "?y", "?z"][: data.draw(st.integers(0, 3))]
    predicates = (Predicate("p", ((OBJECT,),)), Predicate("q", ()))
    pool = [Atom("p", (name,)) for name in parameters] + [Atom("q", ())]
    pre, add, delete = (frozenset(data.draw(st.sets(st.sampled_from(pool)))) for _ in range(3))
    act = ActionSchema(
        "act", tuple(map(Parameter, parameters)), pre, add_effects=add, delete_effects=delete - add,
        inequalities=frozenset(combinations(parameters, 2)),
    )  # fmt: skip
    objects = dict.fromkeys("abc", OBJECT)
    ground = [Atom("p", (name,)) for name in objects] + [Atom("q", ())]
    drawn = data.draw(st.lists(st.sets(st.sampled_from(ground)).map(frozenset), min_size=1))
    traces = all_steps(
        Domain("d", predicates=predicates, actions=(act,)), [(objects, state) for state in drawn]
    )
    same, _, found = read_unchanged(traces, "auto")
    assert (same, found) == (traces, {})
