"""The score of a schema, computed by hand and by listing all that it allows."""

from __future__ import annotations

from dataclasses import replace
from math import comb, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning import likelihood
from dias.learning.score import cost, price_of_odd_step, score
from dias.strips.model import ActionSchema, Atom, Domain, Parameter, Predicate
from tests.learning.cases import all_steps, said_of
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states
from tests.traces.files import atoms, read

HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"on": ["object"], "ready": ["object"], "by": ["object", "object"]},
    "objects": dict.fromkeys("abc", "object"),
}
PRESS = ActionSchema(
    "press",
    (Parameter("?x"),),
    preconditions=frozenset(atoms("ready ?x")),
    add_effects=frozenset(atoms("on ?x")),
)
LOOSE = replace(PRESS, preconditions=frozenset())


def line(before, after, action="press"):
    """``line("ready a", "ready a, on a")``."""

    def listed(text):
        return [f"({atom})" for atom in filter(None, text.split(", "))]

    return {"state": listed(before), "action": action, "next": listed(after)}


TRACES = read(
    HEADER,
    line("ready a, ready b", "ready a, ready b, on a"),  # two outcomes, both taken
    line("ready a, ready b", "ready a, ready b, on b"),
    line("ready c", "ready c, on c"),  # one
    line("ready a, ready b", "ready a, ready b, on a"),  # again
    line("ready a", "ready a, on b"),  # not what it allows
    line("ready a", "on a", "leave"),  # not its own
)


def test_steps_are_as_likely_as_outcomes_are_few():
    assert said_of(PRESS, TRACES) == (pytest.approx(-2 * log(2)), 1)
    assert said_of(LOOSE, TRACES) == (pytest.approx(-4 * log(3)), 0)
    nothing = replace(LOOSE, add_effects=frozenset())
    assert said_of(nothing, TRACES) == (0.0, 4)


def test_what_is_beyond_the_outcomes_counted_is_allowed_all_the_same(monkeypatch):
    monkeypatch.setattr(likelihood, "MAX_OUTCOMES", 2)
    assert said_of(LOOSE, TRACES) == (pytest.approx(-4 * log(2)), 0)
    monkeypatch.setattr(likelihood, "MAX_OUTCOMES", 3)
    assert said_of(LOOSE, TRACES) == (pytest.approx(-4 * log(3)), 0)


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_equals_the_naive_likelihood(data):
    """Every step of a state, judged by its own schema with one precondition less."""
    true = data.draw(domains())
    types = data.draw(objects(true))
    traces = all_steps(true, [(types, data.draw(states(true, types)))])
    for action in true.actions:
        kept = frozenset(a for a in sorted(action.preconditions) if data.draw(st.booleans()))
        schema = replace(action, preconditions=kept)
        domain = Domain("one", true.types, true.constants, true.predicates, (schema,))
        own = [t for t in traces.transitions if t.action == action.name]
        total, n_missed = 0.0, 0
        [segment] = traces.segments
        for state, next_state in {(t.state, t.next_state) for t in own}:
            allowed = {
                state - deleted | added
                for _, _, added, deleted in naive_successors(domain, segment.objects, state)
            }
            n_missed += next_state not in allowed
            total -= log(len(allowed)) if next_state in allowed else 0
        assert said_of(schema, traces) == (pytest.approx(total), n_missed)


def test_what_it_takes_to_say_a_schema():
    predicates = TRACES.predicates
    # One term: on, ready, by: three atoms, added or deleted.
    assert cost(LOOSE, predicates, ()) == pytest.approx(log(6))
    assert cost(PRESS, predicates, ()) == cost(LOOSE, predicates, ())  # what never fails is free
    # Two terms: 2 + 2 + 4 atoms and one pair; a further variable is bound by 8 - 3 of them.
    wide = replace(PRESS, parameters=(*PRESS.parameters, Parameter("?y")))
    assert cost(wide, predicates, ()) == pytest.approx(log(16) + log(5))
    assert cost(PRESS, predicates, ["a"]) == pytest.approx(log(16))
    fenced = replace(
        wide,
        negative_preconditions=frozenset(atoms("by ?x ?y")),
        inequalities=frozenset({("?x", "?y")}),
        delete_effects=frozenset(atoms("by ?y ?x")),
    )
    assert cost(fenced, predicates, ()) == pytest.approx(2 * log(16) + 2 * log(8 + comb(2, 2)))
    # Where steps are odd, something fails that is asked for: it costs what a negative literal does.
    assert cost(fenced, predicates, (), has_odd=True) == pytest.approx(
        2 * log(16) + 3 * log(8 + comb(2, 2))
    )
    assert cost(ActionSchema("wait"), (), ()) == 0
    assert cost(ActionSchema("wait", add_effects=atoms("done")), [Predicate("done")], ()) == log(2)


def test_an_odd_step_costs_which_it_was_and_in_which_atom():
    assert len(TRACES.transitions) == 5
    assert price_of_odd_step(TRACES) == pytest.approx(log(5) + log(3 + 3 + 9))
    larger = read(
        HEADER,
        line("", "on a"),
        HEADER | {"objects": dict.fromkeys("abcd", "object")},
        line("", "on d"),
        line("", "on c"),
    )
    assert price_of_odd_step(larger) == pytest.approx(log(3) + log(4 + 4 + 16))
    assert price_of_odd_step(replace(TRACES, transitions=(), predicates=())) == 0


def test_the_score_is_likelihood_less_cost_less_odd_steps():
    price = log(5) + log(15)
    exception = log(3)  # some literal that does fail: one of three atoms
    assert score(PRESS, TRACES) == pytest.approx(-2 * log(2) - log(6) - price - exception)
    assert score(LOOSE, TRACES) == pytest.approx(-4 * log(3) - log(6))


def test_what_is_written_for_safety_is_neither_praised_nor_blamed():
    """Negative preconditions do not count; inequalities rule out, but cost nothing."""
    safe = replace(LOOSE, negative_preconditions=frozenset(atoms("on ?x", "by ?x ?x")))
    assert score(safe, TRACES) == score(LOOSE, TRACES)
    pair = ActionSchema(
        "press", (Parameter("?x"), Parameter("?y")), add_effects=frozenset(atoms("by ?x ?y"))
    )
    apart = replace(pair, inequalities=frozenset({("?x", "?y")}))
    traces = read(HEADER, line("", "by a b"))
    assert score(pair, traces) == pytest.approx(-log(9) - log(16))
    assert score(apart, traces) == pytest.approx(-log(6) - log(16))
    assert Atom("by", ("a", "b")) in traces.transitions[0].next_state
