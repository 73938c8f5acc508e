from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyperplan.task import Operator

from dias.errors import GroundingError, UnsupportedPDDLError
from dias.strips.joins import successors
from dias.strips.joins.join import MAX_LOOPS
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.problem import CodedProblem, codes_for
from tests.oracles import naive_bindings, naive_successors
from tests.strategies import domains, objects, states


def generator(domain, types, atoms, fluents, distinct=False):
    instance = Instance("p", domain.name, types, atoms)
    problem = CodedProblem.of(instance, domain, fluents=fluents)
    return SuccessorGenerator(domain, problem, distinct), problem.codes, problem.init


def world(data):
    """A domain, objects and a state."""
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    return domain, types, data.draw(states(domain, types))


def as_atoms(successor, codes):
    arguments = tuple(codes.objects[number] for number in successor.binding)
    added, deleted = map(codes.decode_state, (successor.added, successor.deleted))
    return successor.action, arguments, added, deleted


@pytest.mark.filterwarnings("ignore")
@given(st.data())
def test_equals_naive_enumeration(data):
    domain, types, atoms = world(data)
    # Any superset of the changed predicates may count as fluent.
    extra = data.draw(st.sets(st.sampled_from([p.name for p in domain.predicates])))
    gen, codes, state = generator(domain, types, atoms, domain.fluents | extra)
    found = [as_atoms(successor, codes) for successor in gen.successors(state)]
    assert len(found) == len(set(found))
    assert set(found) == naive_successors(domain, types, atoms)
    assert {as_atoms(s, codes) for s in gen.iterate(state)} == set(found)
    assert {as_atoms(s, codes) for own in gen.expansions(state) for s in own} == set(found)


@pytest.mark.filterwarnings("ignore")
@given(st.data())
def test_distinct_successors_are_all_changes_once(data):
    domain, types, atoms = world(data)
    gen, codes, state = generator(domain, types, atoms, domain.fluents, distinct=True)
    found = [as_atoms(successor, codes) for successor in gen.iterate(state)]
    expected = naive_successors(domain, types, atoms)
    assert set(found) <= expected
    changes = [(action, added, deleted) for action, _, added, deleted in found]
    assert len(changes) == len(set(changes))
    assert set(changes) == {(action, added, deleted) for action, _, added, deleted in expected}


def test_a_variable_in_no_effect_multiplies_no_distinct_successor():
    """Some truck is at the place of each of two packages; which of three does not matter."""
    fragile, near = Predicate("fragile", ((OBJECT,),)), Predicate("near", ((OBJECT,), (OBJECT,)))
    schema = ActionSchema(
        "drop",
        (Parameter("?t"), Parameter("?p")),
        frozenset({Atom("near", ("?t", "?p"))}),
        delete_effects=frozenset({Atom("fragile", ("?p",))}),
    )
    domain = Domain("d", predicates=(fragile, near), actions=(schema,))
    types = dict.fromkeys(("p1", "p2", "t1", "t2", "t3"), OBJECT)
    atoms = {Atom("near", (t, p)) for t in ("t1", "t2", "t3") for p in ("p1", "p2")}
    atoms |= {Atom("fragile", (p,)) for p in ("p1", "p2")}
    for distinct, n_found in ((False, 6), (True, 2)):
        gen, _, state = generator(domain, types, atoms, domain.fluents, distinct)
        assert len(gen.successors(state)) == n_found


def test_a_variable_in_no_effect_is_bound_last():
    """Seven objects in no effect: with them outside, each would be tried with all others."""
    n_idle, n_objects = 7, 12
    idle = [f"?x{number}" for number in range(n_idle)]
    schema = ActionSchema(
        "act",
        tuple(map(Parameter, [*idle, "?y"])),
        frozenset(Atom("seen", (name,)) for name in idle),
        add_effects=frozenset({Atom("done", ("?y",))}),
    )
    predicates = tuple(Predicate(name, ((OBJECT,),)) for name in ("seen", "done"))
    domain = Domain("d", predicates=predicates, actions=(schema,))
    types = {f"o{number}": OBJECT for number in range(n_objects)}
    atoms = frozenset(Atom("seen", (name,)) for name in types)
    problem = CodedProblem.of(Instance("p", domain.name, types, atoms), domain)
    loops = []
    gen = SuccessorGenerator(domain, problem, distinct=True, check=lambda: loops.append(1))
    assert len(gen.successors(problem.init)) == n_objects
    assert len(loops) <= 1 + n_objects * n_idle


def test_an_empty_relation_over_variables_in_no_effect_ends_the_search():
    schema = ActionSchema(
        "act",
        tuple(map(Parameter, ("?k", "?x", "?y", "?z"))),
        frozenset({Atom("key", ("?k",))}),
        add_effects=frozenset({Atom("done", ("?x", "?y", "?z"))}),
    )
    predicates = Predicate("key", ((OBJECT,),)), Predicate("done", ((OBJECT,),) * 3)
    domain = Domain("d", predicates=predicates, actions=(schema,))
    types = {f"o{number}": OBJECT for number in range(30)}
    key = frozenset({Atom("key", ("o7",))})
    for fluents in ({"done"}, {"done", "key"}):
        for held in (frozenset(), key):
            instance = Instance("p", domain.name, types, held)
            problem = CodedProblem.of(instance, domain, fluents=fluents)
            assert bool(problem.init) == (bool(held) and "key" in fluents)
            loops = []
            gen = SuccessorGenerator(
                domain, problem, distinct=True, check=lambda out=loops: out.append(1)
            )
            found = gen.successors(problem.init)
            assert len(found) == (30**3 if held else 0)
            assert bool(loops) == bool(held)


def ground_operators(domain, types, atoms):
    """pyperplan operators of all bindings; negatives and (in)equalities by hand."""
    for schema in domain.actions:
        for binding in naive_bindings(schema, domain, types):
            value = {**binding, **{c: c for c in domain.constants}}
            if any(value[x] != value[y] for x, y in schema.equalities) or any(
                value[x] == value[y] for x, y in schema.inequalities
            ):
                continue
            ground = lambda group, b=binding: {str(a.substitute(b)) for a in group}  # noqa: E731
            add = ground(schema.add_effects)
            operator = Operator(
                str(Atom(schema.name, tuple(binding[v] for v in schema.variables))),
                ground(schema.preconditions),
                add,
                ground(schema.delete_effects) - add,
            )
            yield operator, ground(schema.negative_preconditions)


@given(st.data())
def test_equals_pyperplan_on_the_same_ground_operators(data):
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    atoms = data.draw(states(domain, types))
    facts = frozenset(map(str, atoms))
    expected = {
        (operator.name, operator.apply(facts))
        for operator, negative in ground_operators(domain, types, atoms)
        if operator.applicable(facts) and not negative & facts
    }
    gen, codes, state = generator(domain, types, atoms, domain.fluents)
    static = facts - {str(codes.decode(code)) for code in state}
    found = set()
    for successor in gen.successors(state):
        name, arguments, added, deleted = as_atoms(successor, codes)
        next_state = (codes.decode_state(state) - deleted) | added
        found.add((str(Atom(name, arguments)), static | frozenset(map(str, next_state))))
    assert found == expected


def test_a_variable_twice_in_a_static_atom():
    """Of the rows (a b) and (c c) only the second fits p(x, x)."""
    mark = ActionSchema(
        "mark",
        (Parameter("?x"),),
        frozenset({Atom("p", ("?x", "?x"))}),
        add_effects=frozenset({Atom("q", ("?x",))}),
    )
    predicates = Predicate("p", ((OBJECT,), (OBJECT,))), Predicate("q", ((OBJECT,),))
    domain = Domain("d", predicates=predicates, actions=(mark,))
    held = frozenset({Atom("p", ("a", "b")), Atom("p", ("c", "c"))})
    for fluents in ({"q"}, {"p", "q"}):
        gen, codes, state = generator(domain, dict.fromkeys("abc", OBJECT), held, fluents)
        assert [as_atoms(s, codes)[1] for s in gen.successors(state)] == [("c",)]


@pytest.mark.parametrize(
    ("unequal", "expected"),
    [((), [(0, 0), (0, 1), (1, 0), (1, 1)]), ((("?x", "?y"),), [(0, 1), (1, 0)])],
)
def test_two_parameters_may_be_one_object_unless_they_must_differ(unequal, expected):
    swap = ActionSchema(
        "swap",
        (Parameter("?x"), Parameter("?y")),
        inequalities=frozenset(unequal),
        add_effects=frozenset({Atom("p", ("?x", "?y"))}),
    )
    domain = Domain("d", predicates=(Predicate("p", (("object",), ("object",))),), actions=(swap,))
    gen, _, state = generator(domain, {"a": "object", "b": "object"}, frozenset(), {"p"})
    assert [s.binding for s in gen.successors(state)] == expected


def test_what_is_added_wins_where_two_parameters_are_one_object():
    move = ActionSchema(
        "move",
        (Parameter("?x"), Parameter("?y")),
        frozenset({Atom("at", ("?x",))}),
        add_effects=frozenset({Atom("at", ("?y",))}),
        delete_effects=frozenset({Atom("at", ("?x",))}),
    )
    domain = Domain("d", predicates=(Predicate("at", ((OBJECT,),)),), actions=(move,))
    names = dict.fromkeys("ab", OBJECT)
    gen, codes, state = generator(domain, names, frozenset({Atom("at", ("a",))}), {"at"})
    added, deleted = frozenset({Atom("at", ("b",))}), frozenset({Atom("at", ("a",))})
    assert [as_atoms(s, codes) for s in gen.successors(state)] == [
        ("move", ("a", "a"), frozenset(), frozenset()),
        ("move", ("a", "b"), added, deleted),
    ]


def test_two_parameters_may_have_to_be_one_object():
    stay = ActionSchema(
        "stay", (Parameter("?x"), Parameter("?y")), equalities=frozenset({("?x", "?y")})
    )
    gen, _, state = generator(
        Domain("d", actions=(stay,)), dict.fromkeys("ab", OBJECT), frozenset(), ()
    )
    assert [s.binding for s in gen.successors(state)] == [(0, 0), (1, 1)]


def test_a_parameter_that_must_differ_from_itself_is_reported_as_never_applicable(caplog):
    stay = ActionSchema("stay", (Parameter("?x"),), inequalities=frozenset({("?x", "?x")}))
    gen, _, state = generator(Domain("d", actions=(stay,)), {"a": "object"}, frozenset(), ())
    assert gen.successors(state) == []
    assert "action stay is never applicable" in caplog.text


def test_an_atom_both_added_and_deleted_ends_up_true():
    atom = frozenset({Atom("free", ("?x",))})
    send = ActionSchema("send", (Parameter("?x"),), add_effects=atom, delete_effects=atom)
    domain = Domain("d", predicates=(Predicate("free", (("object",),)),), actions=(send,))
    gen, _, state = generator(domain, {"a": "object"}, frozenset({Atom("free", ("a",))}), {"free"})
    assert [(s.added, s.deleted) for s in gen.successors(state)] == [(frozenset(), frozenset())]


def test_a_changed_predicate_must_be_a_fluent():
    act = ActionSchema("act", add_effects=frozenset({Atom("p")}))
    domain = Domain("d", predicates=(Predicate("p"),), actions=(act,))
    with pytest.raises(ValueError, match="not among the fluents"):
        generator(domain, {}, frozenset(), ())


def test_the_most_parameters_that_can_be_expanded():
    def expand(n_parameters):
        names = [f"?x{number}" for number in range(n_parameters)]
        marks = frozenset(Atom("p", (name,)) for name in names)
        act = ActionSchema("act", tuple(map(Parameter, names)), preconditions=marks)
        domain = Domain("d", predicates=(Predicate("p", (("object",),)),), actions=(act,))
        return generator(domain, {"a": "object"}, frozenset({Atom("p", ("a",))}), {"p"})

    gen, _, state = expand(MAX_LOOPS)
    assert [s.binding for s in gen.successors(state)] == [(0,) * MAX_LOOPS]
    with pytest.raises(UnsupportedPDDLError, match=r"act needs 21 nested loops .* 20 are possible"):
        expand(MAX_LOOPS + 1)


def test_more_successors_than_can_be_listed_are_an_error(monkeypatch):
    pair = (Parameter("?x", (OBJECT,)), Parameter("?y", (OBJECT,)))
    meet = ActionSchema("meet", pair, add_effects=frozenset([Atom("met", ("?x", "?y"))]))
    domain = Domain("d", {}, {}, (Predicate("met", ((OBJECT,), (OBJECT,))),), (meet,))
    gen, _, state = generator(domain, dict.fromkeys("abcd", OBJECT), frozenset(), {"met"})
    monkeypatch.setattr(successors, "MAX_APPLICABLE", 16)
    assert len(gen.successors(state)) == 16
    monkeypatch.setattr(successors, "MAX_APPLICABLE", 15)
    with pytest.raises(GroundingError, match="more than 15 ground actions meet are applicable"):
        gen.successors(state)
    assert len(list(gen.iterate(state))) == 16


@given(st.data())
def test_codes_round_trip(data):
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    atoms = data.draw(states(domain, types))
    codes = codes_for(Instance("p", "d", types, atoms), domain)
    state = codes.encode_state(atoms)
    assert len(state) == len(atoms)
    assert codes.decode_state(state) == atoms
