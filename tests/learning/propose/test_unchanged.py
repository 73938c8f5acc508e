"""Steps that change nothing: which of them are read as refused attempts."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dias.config import LearningConfig
from dias.errors import InsufficientTracesError
from dias.evaluation.evaluate import evaluate
from dias.learning.learn import learn
from dias.learning.propose.unchanged import read_unchanged
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.traces.record import LabelMode, RefusedAction, Traces, Transition
from tests.learning.cases import all_steps
from tests.oracles import naive_successors
from tests.traces.files import atoms, read

SYMBOLIC = LearningConfig(method="symbolic")


def schema(name, parameters, pre="", add="", delete="", different=()):
    """An action from text, such as ``"at ?r ?a, free"``."""
    parts = [atoms(*filter(None, text.split(", "))) for text in (pre, add, delete)]
    own = tuple(map(Parameter, parameters.split()))
    return ActionSchema(name, own, parts[0], inequalities=frozenset(different),
                        add_effects=parts[1], delete_effects=parts[2])  # fmt: skip


YARD = Domain(
    "yard",
    predicates=(
        Predicate("at", ((OBJECT,),) * 2), Predicate("cart", ((OBJECT,),)),
        Predicate("full", ((OBJECT,),)), Predicate("lit", ()), Predicate("place", ((OBJECT,),)),
        Predicate("ready", ()), Predicate("warm", ()),
    ),
    actions=(
        schema("move", "?r ?a ?b", "cart ?r, at ?r ?a, place ?b", "at ?r ?b", "at ?r ?a"),
        schema("fill", "?r ?a", "cart ?r, at ?r ?a, ready", "full ?r"),
        schema("tip", "?r", "full ?r", "", "full ?r"),
        schema("arm", "", "", "ready", ""),
        schema("light", "", "ready", "lit, warm", ""),  # does nothing where both hold
        schema("douse", "", "ready, lit", "", "lit, ready"),
        schema("cool", "", "warm", "", "warm"),
        schema("fly", "?r", "cart ?r, place ?r", "full ?r", ""),  # can never be done
    ),
)  # fmt: skip
"""`move r a a` and `light` may change nothing though they happen."""


def yard(number, *places):
    """A world of the yard with two carts."""
    objects = dict.fromkeys(["r", "s", *places], OBJECT)
    fixed = atoms("cart r", "cart s", *(f"place {name}" for name in places))
    return f"y{number}", objects, fixed, fixed | atoms(f"at r {places[0]}", f"at s {places[1]}")


def simulated(labels, *worlds, n, domain=YARD, with_refusals=True):
    """A random run in which an action that is not applicable leaves the state as it is.

    The first argument is a cart, the others are places. Without refusals, only what is applicable
    is sent.

    Returns:
        The traces, and those of the transitions that were answers to inapplicable actions alone.
    """
    rng = random.Random(0)
    lines, answers = [], {}
    for name, objects, fixed, state in worlds:
        lines.append(
            {"dias": "trace/1", "problem": name, "labels": labels.value, "objects": objects,
             "predicates": {p.name: [OBJECT] * p.arity for p in domain.predicates},
             "static": [str(atom) for atom in sorted(fixed)]}
        )  # fmt: skip
        carts, places = "rs", [name for name in objects if name not in "rs"]
        kinds = {action.name: [carts, *[places] * 2][: action.arity] for action in domain.actions}
        for _ in range(n):
            possible = {
                (a, b): change for a, b, *change in naive_successors(domain, objects, state)
            }
            action = rng.choice(sorted(kinds))
            sent = [own for own in product(*kinds[action])
                    if with_refusals or (action, own) in possible]  # fmt: skip
            if not sent:
                continue
            arguments = rng.choice(sent)
            applied = possible.get((action, arguments))
            added, deleted = applied or (frozenset(), frozenset())
            after = state - deleted | added
            shown = {LabelMode.FULL: arguments, LabelMode.NAMES: ()}.get(labels, arguments[:1])
            key = name, state - fixed, action, shown
            answers[key, after - fixed] = answers.get((key, after - fixed), False) or bool(applied)
            lines.append(
                {"state": [str(atom) for atom in sorted(state - fixed)],
                 "action": f"({' '.join((action, *shown))})",
                 "next": [str(atom) for atom in sorted(after - fixed)]}
            )  # fmt: skip
            state = after
    traces = read(*lines)
    names = [segment.problem for segment in traces.segments]
    return traces, {
        t
        for t in traces.transitions
        if not answers[(names[t.segment], t.state, t.action, t.arguments), t.next_state]
    }


def as_key(one: Transition | RefusedAction):
    return one.segment, one.state, one.action, one.arguments


WORLDS = yard(1, "a", "b"), yard(2, "a", "b", "c")


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


HEADER = {
    "dias": "trace/1",
    "labels": "full",
    "predicates": {"on": ["object"], "off": ["object"], "power": []},
    "objects": {"a": "object", "b": "object", "c": "object"},
}


def line(state, action, after=None, **more):
    """``line("off a", "press a", "on a")``; without an answer it was refused."""

    def listed(text):
        return [f"({atom})" for atom in filter(None, text.split(", "))]

    return {"state": listed(state), "action": f"({action})",
            "next": None if after is None else listed(after), **more}  # fmt: skip


PRESS = [
    line("off a, off b", "press a", "on a, off b"),  # line 2
    line("on a, off b", "press b", "on a, on b"),
    line("on a, off b", "press a", "on a, off b"),
    line("on b, off a", "press b", "on b, off a"),
    line("on a, off b", "press a", "on a, off b"),
]
"""`press` switches on what is off; the last three were refused, two of them alike."""


def press(*more, first=(), header=HEADER):
    return read(header, *first, *PRESS, *more)


def attempts(traces: Traces):
    return [(*map(str, sorted(a.state)), *a.arguments, a.count, a.line) for a in traces.refused]


def test_steps_become_attempts_with_their_counts_and_lines():
    covered, _, found = read_unchanged(press(), "auto")
    # `on` is added where it holds and `off` deleted where it does not: that may be so.
    assert found == {} and len(covered.transitions) == 4
    wait = [line("on a", "wait a", "on a"), line("off a", "wait a", "off a")]
    for reading, actions in (("refused", ["press", "wait"]), ("happened", [])):
        traces = press(*wait)
        done, _, found = read_unchanged(traces, reading)
        assert list(found) == actions
        if actions:
            assert found == {"press": 2, "wait": 2}
            assert attempts(done) == [
                ("(off b)", "(on a)", "a", 2, 4), ("(off a)", "(on b)", "b", 1, 5),
                ("(on a)", "a", 1, 7), ("(off a)", "a", 1, 8),
            ]  # fmt: skip
            assert [t.line for t in done.transitions] == [2, 3]
            assert done.unobserved == ("wait",)
        else:
            assert done == traces


def test_attempts_that_were_there_are_counted_together_in_the_order_of_the_file():
    first = [line("on a, off b", "press a"), line("on a, on b", "press b")]
    late = [line("on b, off a", "press b"), line("on a, off b", "press a")]
    done, _, found = read_unchanged(press(*late, first=first), "refused")
    assert found == {"press": 2}
    assert attempts(done) == [
        ("(off b)", "(on a)", "a", 4, 2), ("(on a)", "(on b)", "b", 1, 3),
        ("(off a)", "(on b)", "b", 2, 7),
    ]  # fmt: skip
    done, _, _ = read_unchanged(press(line("on a, on b", "press b")), "refused")
    assert [attempt.line for attempt in done.refused] == [4, 5, 7]


SET = [
    line("power, off a", "set a", "power, on a"),  # line 2
    line("power, off b, on b", "set b", "power, on b"),
    line("power", "set a", "power, on a"),
    line("power, on a", "set a", "power, on a"),  # not what the steps before rule out
    line("power, on a, on b", "set b", "power, on a, on b"),
    line("off b", "set b", "off b"),  # no effects cover that as well
]
"""`set` makes on what is or is not on, and not off. The last one was refused."""


def test_what_the_action_makes_anyway_happened():
    traces = read(HEADER, *SET)
    done, _, found = read_unchanged(traces, "auto")
    assert found == {"set": 1}
    assert [t.line for t in done.transitions] == [2, 3, 4, 5, 6]
    assert attempts(done) == [("(off b)", "b", 1, 7)]
    result = learn(traces, SYMBOLIC)
    assert (result.n_explained, result.n_distinct, result.n_wrongly_allowed) == (5, 5, 0)
    # A constant changes nothing of that.
    assert read_unchanged(read(HEADER | {"constants": ["c"]}, *SET), "auto")[2] == {"set": 1}
    # Whoever says that it was refused is taken at the word.
    assert read_unchanged(traces, "refused")[2] == {"set": 3}


def test_nothing_is_read_where_refusals_do_not_explain_everything():
    """A step that changes otherwise is not their fault."""
    traces = read(HEADER, *SET, line("power, on a", "set a", "on a"))
    same, _, found = read_unchanged(traces, "auto")
    assert (same, found) == (traces, {})


def test_one_simulator_answers_all_actions_alike():
    """Also where effects cover the steps; not where nothing shows that it ever does anything."""
    light = [
        line("off a", "light b", "off a, on b"), line("off b", "light a", "off b, on a"),
        line("on a", "light a", "on a"),
    ]  # fmt: skip
    look = line("on a", "look a", "on a")
    traces = read(HEADER, *light, look)
    assert read_unchanged(traces, "auto") == (traces, None, {})
    done, _, found = read_unchanged(read(HEADER, *light, look, *SET), "auto")
    assert found == {"light": 1, "set": 1}
    assert list(found) == ["light", "set"]
    assert [t.line for t in done.transitions] == [2, 3, 5, 6, 7, 8, 9, 10]
    # One that cannot be explained in any case speaks for itself.
    odd = [line("off a", "hit a", ""), line("off a, on b", "hit a", "on a, on b")]
    assert read_unchanged(read(HEADER, *light, look, *SET, *odd), "auto")[2] == found
    idle = line("on a", "hit a", "on a")
    traces = read(HEADER, *light, look, *SET, *odd, idle)
    assert read_unchanged(traces, "auto") == (traces, None, {})


def test_validation_is_read_like_the_traces_and_has_no_say():
    """Also of actions that have no step without change among those that are learned from."""
    traces = read(HEADER, *SET, line("off a", "light a", "on a"))
    idle = [
        line("on a", "light a", "on a"), line("off b", "set a", "off b"),
        line("power, on b", "set b", "power, on b"), line("on a", "look a", "on a"),
        line("off a", "light a", "on a"),
    ]  # fmt: skip
    validation = read(HEADER, *idle)
    _, judged, found = read_unchanged(traces, "auto", validation)
    assert found == {"set": 1}
    assert [t.line for t in judged.transitions] == [4, 5, 6]
    assert [(a.action, a.line) for a in judged.refused] == [("light", 2), ("set", 3)]
    _, judged, _ = read_unchanged(traces, "refused", validation)
    assert [t.line for t in judged.transitions] == [6]
    assert read_unchanged(traces, "happened", validation) == (traces, validation, {})
    # What it shows by itself would be reason enough.
    plain = read(HEADER, *SET[:3])
    assert read_unchanged(plain, "auto", read(HEADER, *SET))[2] == {}
    result = learn(traces, SYMBOLIC, validation=validation)
    assert result.validation == (2, 3)  # `look` was never seen


@pytest.mark.parametrize("labels", ["partial", "names"])
def test_without_all_arguments_no_change_is_preferred_to_a_refusal(labels):
    """No-ops are never taken for what happened where some step says that they were refused."""
    lines = [
        line("off a", "set", "on a"), line("off b", "set", "on b"),
        line("off a, off b", "set", "off a, off b"), line("on a", "set", "on a"),
    ]  # fmt: skip
    done, _, found = read_unchanged(read(HEADER | {"labels": labels}, *lines), "auto")
    assert found == {"set": 2}
    assert [t.line for t in done.transitions] == [2, 3]


def test_all_steps_as_refused_attempts_leave_nothing():
    traces = read(HEADER, line("on a", "wait a", "on a"))
    assert (
        read_unchanged(traces, "auto") == read_unchanged(traces, "happened") == (traces, None, {})
    )
    with pytest.raises(InsufficientTracesError, match="none of the 1 distinct") as raised:
        read_unchanged(traces, "refused")
    assert (raised.value.place, "happened" in raised.value.remedy) == (traces.source, True)
    for config in (SYMBOLIC, LearningConfig()):
        with pytest.raises(InsufficientTracesError, match="nothing to learn from"):
            learn(traces, replace(config, unchanged="refused"))
