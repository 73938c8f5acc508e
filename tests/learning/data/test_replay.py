"""The last word on what a domain explains, against the definition."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data import replay as apply
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.replay import SchemaInTraces, count_reproduced
from dias.limits import Allowance, OutOfWorkError
from dias.strips.model import ActionSchema, Atom, Domain, Parameter, Predicate
from dias.traces.record import LabelMode
from tests.learning.cases import all_steps
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states
from tests.traces.files import atoms, read


def naive_count(domain, traces):
    """Transitions whose change is one that the action makes, with the arguments that are given."""
    counts = Counter()
    for t in traces.transitions:
        segment = traces.segments[t.segment]
        state, next_state = t.state | segment.static, t.next_state | segment.static
        wanted = (t.action, t.arguments, next_state - state, state - next_state)
        found = {
            (action, arguments[: len(t.arguments)], added, deleted)
            for action, arguments, added, deleted in naive_successors(
                domain, segment.objects, state
            )
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
    true = data.draw(domains())
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
    domain = data.draw(domains())
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


@st.composite
def two_problems(draw, domain: Domain):
    """A state in each of two problems; the second lacks an object and numbers the others anew."""
    first = draw(objects(domain))
    kept = {name: kind for name, kind in first.items() if name != "o1"}
    worlds = (first, {"a": "object", **kept})
    return [(types, draw(states(domain, types))) for types in worlds]


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=30)
@given(st.data())
def test_explanations_successors_and_changes_are_those_of_the_definition(data):
    """Whichever is asked for first, of one object; some predicate is static."""
    domain = data.draw(domains())
    unchanging = sorted({p.name for p in domain.predicates} - domain.fluents)
    traces = all_steps(domain, data.draw(two_problems(domain)), unchanging[:1])
    coded = CodedStates.of(traces)
    applied = [(schema, SchemaInTraces(schema, traces)) for schema in domain.actions]
    asked = product(applied, [replace(t, arguments=()) for t in traces.transitions[:3]])
    for (schema, own), t in data.draw(st.permutations(list(asked))):
        segment, change = (
            traces.segments[t.segment],
            (t.next_state - t.state, t.state - t.next_state),
        )
        number = {name: place for place, name in enumerate(segment.objects)}
        alone, state = replace(domain, actions=(schema,)), t.state | segment.static
        every = [
            (tuple(number[name] for name in arguments), (added, deleted))
            for _, arguments, added, deleted in naive_successors(alone, segment.objects, state)
        ]
        decode = coded.codes[t.segment].decode_state
        found = {
            question: list(getattr(own, question)(t))
            for question in data.draw(st.permutations(["explanations", "successors", "changes"]))
        }
        assert found["explanations"] == sorted(row for row, made in every if made == change)
        assert sorted(s.binding for s in found["successors"]) == sorted(row for row, _ in every)
        changes = [tuple(map(decode, made)) for made in found["changes"]]
        assert len(changes) == len(set(changes)) and set(changes) == {made for _, made in every}
        assert tuple(map(decode, own.change(t))) == change


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


def test_static_atoms_are_there_in_every_state():
    """Also for what the schema can do, and where a state names others of the same predicate."""
    traces = read(
        HEADER | {"objects": dict.fromkeys("abc", "object"), "static": ["(near a)"]},
        {"state": [], "action": "press", "next": ["(lit a)"]},
        {"state": ["(near b)"], "action": "press", "next": ["(lit b)", "(near b)"]},
    )
    applied = SchemaInTraces(LAMP, traces)
    decode = applied._coded.codes[0].decode
    for t, names in zip(traces.transitions, (["a"], ["a", "b"]), strict=True):
        assert applied.is_applicable(t)
        assert {decode(code) for added, _ in applied.changes(t) for code in added} == atoms(
            *(f"lit {name}" for name in names)
        )
        assert [s.binding for s in applied.successors(t)] == [("abc".index(n),) for n in names]


def test_what_is_coded_for_one_problem_or_schema_is_not_taken_for_another():
    traces = read(
        HEADER | {"problem": "one", "objects": {"a": "object"}, "static": ["(near a)"]},
        {"state": [], "action": "press", "next": ["(lit a)"]},
        HEADER | {"problem": "two", "objects": {"a": "object", "0": "object"}, "static": []},
        {"state": ["(near a)"], "action": "press", "next": ["(lit a)", "(near a)"]},
    )
    coded = CodedStates.of(traces)
    for segment, code in ((0, 0), (1, 1)):  # lit comes first, and 0 before a
        assert coded.encode(segment, atoms("lit a")) == {code}
    near = coded.codes[0].encode_state(atoms("near a"))
    for changed in (frozenset({"lit"}), frozenset({"lit", "near"})):
        one, two = (coded.problem(segment, changed) for segment in (0, 1))
        assert one.init == (near if "near" in changed else frozenset())
        assert set(one.fluents) == {"lit", *changed}
        assert two.init == frozenset() and set(two.fluents) == {"lit", "near"}
    nearing = replace(LAMP, add_effects=frozenset({Atom("near", ("?x",))}))
    schemas = [SchemaInTraces(schema, traces) for schema in (LAMP, nearing)]
    assert [len(s.changes(traces.transitions[0])) for s in schemas] == [1, 1]


def test_explanations_are_sorted_whatever_they_are_found_by():
    """The search begins with what is near, which is the second parameter."""
    near = frozenset({Atom("near", ("?y",))})
    still = ActionSchema("press", (Parameter("?x"), Parameter("?y")), near)
    step = {"state": ["(near a)", "(near c)"], "action": "press", "next": ["(near a)", "(near c)"]}
    traces = read(HEADER | {"objects": dict.fromkeys("abc", "object")}, step)
    found = SchemaInTraces(still, traces).explanations(traces.transitions[0])
    assert found == [(0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2)]
    apart = replace(still, inequalities=frozenset({("?x", "?y")}))
    found = SchemaInTraces(apart, traces).explanations(traces.transitions[0])
    assert found == [(0, 2), (1, 0), (1, 2), (2, 0)]


def test_parameters_get_their_objects_by_place():
    [schema] = [replace(LAMP, parameters=(Parameter("?z"), Parameter("?x")))]
    traces = all_steps(LAMPS, [({"a": "object", "b": "object"}, atoms("near a"))])
    applied = SchemaInTraces(schema, traces)
    [t] = [replace(t, arguments=()) for t in traces.transitions]
    assert applied.explanations(t) == [(0, 0), (1, 0)]
    assert applied.names(t, (1, 0)) == {"?z": "b", "?x": "a"}
    assert applied.names(t, (0, 0)) == {"?z": "a", "?x": "a"}


def test_a_step_that_repeats_an_object_is_explained_unless_they_must_differ():
    """What is moved to where it is stays there, since what is added wins over what is deleted."""
    move = ActionSchema(
        "move",
        (Parameter("?from"), Parameter("?to")),
        frozenset({Atom("lit", ("?from",))}),
        add_effects=frozenset({Atom("lit", ("?to",))}),
        delete_effects=frozenset({Atom("lit", ("?from",))}),
    )
    traces = read(
        HEADER | {"objects": dict.fromkeys("ab", "object")},
        {"state": ["(lit a)"], "action": "move", "next": ["(lit b)"]},
        {"state": ["(lit a)"], "action": "move", "next": ["(lit a)"]},
    )
    apart = replace(move, inequalities=frozenset({("?from", "?to")}))
    for schema, found in ((move, [[(0, 1)], [(0, 0)]]), (apart, [[(0, 1)], []])):
        applied = SchemaInTraces(schema, traces)
        assert [applied.explanations(t) for t in traces.transitions] == found
        assert [applied.reproduces(t) for t in traces.transitions] == [bool(own) for own in found]
        changes = [len(applied.changes(t)) for t in traces.transitions]
        assert changes == [len(found[0] + found[1])] * 2


def test_constants_are_the_object_of_that_name_in_every_problem():
    """They have no place in a binding, and another number in each problem."""
    fixed = replace(
        LAMP,
        preconditions=frozenset({Atom("near", ("k",)), Atom("lit", ("?x",))}),
        add_effects=frozenset({Atom("lit", ("k",))}),
        delete_effects=frozenset({Atom("lit", ("?x",))}),
        inequalities=frozenset({("?x", "k")}),
    )
    steps = [
        {"state": ["(lit z)", "(near k)"], "action": "press", "next": ["(lit k)", "(near k)"]},
        {"state": ["(lit k)", "(near k)"], "action": "press", "next": ["(lit k)", "(near k)"]},
    ]
    own = [
        HEADER | {"problem": name, "constants": ["k"], "objects": dict.fromkeys(names, "object")}
        for name, names in (("one", "akz"), ("two", "kz"))
    ]
    traces = read(own[0], *steps, own[1], *steps)
    applied = SchemaInTraces(fixed, traces)
    assert [applied.explanations(t) for t in traces.transitions] == [[(2,)], [], [(1,)], []]
    domain = replace(LAMPS, constants={"k": "object"}, actions=(fixed,))
    assert count_reproduced(domain, traces) == {"press": 2}


def test_a_repeated_step_counts_once_and_any_variant_will_do():
    traces = read(
        HEADER | {"objects": {"a": "object", "b": "object"}, "static": ["(near a)", "(near b)"]},
        *[{"state": [], "action": "press", "next": ["(lit a)"]}] * 3,
        {"state": ["(lit a)"], "action": "press", "next": []},
        {"state": ["(lit a)"], "action": "press", "next": ["(lit a)", "(lit b)"]},
        {"state": ["(lit a)"], "action": "wait", "next": ["(lit a)"]},
    )
    assert count_reproduced(LAMPS, traces) == {"press": 2, "wait": 0}
    lit = frozenset({Atom("lit", ("?x",))})
    out = replace(
        LAMP, name="press-2", preconditions=lit, add_effects=frozenset(), delete_effects=lit
    )
    two = replace(LAMPS, actions=(replace(LAMP, name="press-1"), out))
    assert count_reproduced(two, traces) == {"press": 0, "wait": 0}
    variants = {"press": ("press-0", "press-1", "press-2")}
    assert count_reproduced(two, traces, variants) == {"press": 3, "wait": 0}


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
    """Twelve objects are pressed with each lamp, whatever they are: 10¹⁵ ground actions a state."""
    others = [f"?y{number}" for number in range(12)]
    [press] = LAMPS.actions
    loose = replace(press, parameters=(*press.parameters, *map(Parameter, others)))
    learned = replace(LAMPS, actions=(loose,))
    types = {f"o{i}": "object" for i in range(15)}
    traces = all_steps(LAMPS, [(types, atoms(*(f"near {name}" for name in types)))])
    assert count_reproduced(learned, traces) == {"press": 15}
    wrong = replace(loose, add_effects=loose.add_effects | {Atom("near", ("?y1",))})
    taken = replace(wrong, delete_effects=frozenset({Atom("near", ("?y2",))}))
    # What is taken away may be what is put back, unless the two differ.
    unreached = replace(taken, inequalities=frozenset({("?y1", "?y2")}))
    for schema, n_reproduced in ((wrong, 15), (taken, 15), (unreached, 0)):
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
    assert len(first) == 9
    monkeypatch.setattr(apply, "MAX_EXPLANATIONS", 4)
    some = applied.explanations(traces.transitions[0])
    assert len(some) == 4
    assert set(some) < set(first)


def test_as_many_successors_as_the_limit_says(monkeypatch):
    """Nine lamps, each with any of the nine: nine changes, eighty-one bindings."""
    types = {f"o{i}": "object" for i in range(9)}
    traces = all_steps(LAMPS, [(types, atoms(*(f"near {name}" for name in types)))])
    loose = replace(LAMP, parameters=(*LAMP.parameters, Parameter("?y")))
    visit = traces.transitions[0]
    for limit, n_changes, n_successors in (
        (8, 8, 8), (9, 9, 9), (10, 9, 10), (80, 9, 80), (81, 9, 81), (82, 9, 81),
    ):  # fmt: skip
        monkeypatch.setattr(apply, "MAX_SUCCESSORS", limit)
        applied = SchemaInTraces(loose, traces)
        assert len(applied.changes(visit, limit)) == n_changes
        assert len(list(applied.successors(visit))) == n_successors
        assert len(applied.changes(visit, limit)) == n_changes
        assert len(applied.changes(visit)) == 9
    for limit in (8, 9, 10):
        monkeypatch.setattr(apply, "MAX_EXPLANATIONS", limit)
        applied = SchemaInTraces(loose, traces)
        assert applied.reproduces(visit)
        assert len(applied.explanations(visit)) == min(limit, 9)


def test_the_search_for_an_explanation_ends_with_what_may_be_done():
    types = {f"o{i}": "object" for i in range(9)}
    traces = all_steps(LAMPS, [(types, atoms(*(f"near {name}" for name in types)))])
    loose = replace(LAMP, parameters=(*LAMP.parameters, *map(Parameter, ("?y", "?z"))))
    [visit, *_] = traces.transitions
    assert len(SchemaInTraces(loose, traces).explanations(visit)) == 9 * 9
    with pytest.raises(OutOfWorkError):
        SchemaInTraces(loose, traces, allowance=Allowance(3)).explanations(visit)


def test_changes_end_with_what_may_be_done():
    types = {f"o{i}": "object" for i in range(9)}
    traces = all_steps(LAMPS, [(types, atoms(*(f"near {name}" for name in types)))])
    [press], visit = LAMPS.actions, traces.transitions[0]
    assert len(SchemaInTraces(press, traces, allowance=Allowance(20)).changes(visit)) == 9
    with pytest.raises(OutOfWorkError):
        SchemaInTraces(press, traces, allowance=Allowance(8)).changes(visit)


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_step_is_explained_with_the_arguments_that_it_gives(data):
    """Leading ones, right or wrong; asked of one step, or of all at once."""
    domain = data.draw(domains())
    schema = data.draw(st.sampled_from(domain.actions))
    traces = all_steps(domain, data.draw(two_problems(domain)))
    n_given = data.draw(st.integers(0, schema.arity))
    steps, expected = [], []
    for t in traces.transitions[:6]:
        segment = traces.segments[t.segment]
        number = {name: place for place, name in enumerate(segment.objects)}
        names = st.sampled_from(sorted(segment.objects))
        steps.append(replace(t, arguments=data.draw(st.tuples(*[names] * n_given))))
        alone, state = replace(domain, actions=(schema,)), t.state | segment.static
        expected.append(
            sorted(
                tuple(number[name] for name in arguments)
                for _, arguments, added, deleted in naive_successors(alone, segment.objects, state)
                if (added, deleted) == (t.next_state - t.state, t.state - t.next_state)
                and arguments[:n_given] == steps[-1].arguments
            )
        )
    own = SchemaInTraces(schema, traces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apply, "ROWS_TO_MATCH", data.draw(st.sampled_from([0, 200])))
        assert own.explanations_of(steps) == expected
        assert own.reproduced(steps).tolist() == [bool(rows) for rows in expected]
    assert [own.reproduces(step) for step in steps] == [bool(rows) for rows in expected]
