from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.errors import GroundingError
from dias.strips import reachability
from dias.strips.grounding import GroundAction, ground
from dias.strips.joins.join import MAX_LOOPS
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.problem import codes_for
from tests.oracles import naive_bindings
from tests.strategies import domains, objects, states


def naive_ground(domain, instance):
    """Try every binding against everything reached so far until nothing new is reached."""
    fluents, reached = domain.fluents, set(instance.init)
    while True:
        found, size = {}, len(reached)
        for schema in domain.actions:
            for binding in naive_bindings(schema, domain, instance.objects):
                value = lambda term, b=binding: b.get(term, term)  # noqa: E731
                pre, negative, add, delete = (
                    {atom.substitute(binding) for atom in atoms}
                    for atoms in (
                        schema.preconditions,
                        schema.negative_preconditions,
                        schema.add_effects,
                        schema.delete_effects,
                    )
                )
                if (
                    pre <= reached
                    and not {a for a in negative if a.predicate not in fluents} & instance.init
                    and all(value(x) == value(y) for x, y in schema.equalities)
                    and all(value(x) != value(y) for x, y in schema.inequalities)
                ):
                    action = GroundAction(schema.name, tuple(map(value, schema.variables)))
                    found[action] = (
                        {a for a in pre if a.predicate in fluents},
                        negative,
                        add,
                        delete,
                    )
        for _, _, add, _ in found.values():
            reached |= add
        if len(reached) == size:
            break
    fluent_reached = {a for a in reached if a.predicate in fluents}
    return {
        action: (pre, negative & fluent_reached, add, (delete & fluent_reached) - add)
        for action, (pre, negative, add, delete) in found.items()
    }


@pytest.mark.filterwarnings("ignore")
@given(st.data())
def test_equals_naive_relaxed_reachability(data):
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    instance = Instance("p", domain.name, types, data.draw(states(domain, types)))
    codes = codes_for(instance, domain)
    operators = ground(domain, instance)
    found = {op.action: tuple(set(codes.decode_state(part)) for part in op[1:]) for op in operators}
    assert found == naive_ground(domain, instance)
    assert [op.action for op in operators] == sorted(found)


def chain_domain(n_negative):
    """Five parameters along a static chain, with many negative literals."""
    names = [f"?x{i}" for i in range(5)]
    links = [Atom("link", pair) for pair in pairwise(names)]
    negatives = [Atom("at", (b,)) for b in names[1:]]
    negatives += [Atom("link", (a, b)) for a in names for b in names]
    negatives = [atom for atom in negatives if atom not in links][:n_negative]
    jump = ActionSchema(
        "jump",
        tuple(map(Parameter, names)),
        frozenset([Atom("at", (names[0],)), *links]),
        frozenset(negatives),
        add_effects=frozenset([Atom("at", (names[4],))]),
        delete_effects=frozenset([Atom("at", (names[0],))]),
    )
    predicates = (Predicate("at", (("object",),)), Predicate("link", (("object",),) * 2))
    return Domain("chain", predicates=predicates, actions=(jump,))


def test_five_parameters_over_ninety_objects_are_joined_not_enumerated():
    names = [f"o{i:02}" for i in range(90)]
    init = {Atom("link", pair) for pair in pairwise(names)}
    init.add(Atom("at", (names[0],)))
    instance = Instance("p", "chain", dict.fromkeys(names, "object"), frozenset(init))
    operators = ground(chain_domain(25), instance)
    # o00, o04, o08, … are reached; 90⁵ bindings would never end.
    assert [op.action.arguments[0] for op in operators] == names[:86:4]
    assert {len(op.negative_preconditions) for op in operators} == {1}


def corridor(n_cells):
    """One can walk from each cell to the next, if the lamp there is lit by standing beside it."""
    walk = ActionSchema(
        "walk",
        (Parameter("?a"), Parameter("?b")),
        frozenset([Atom("at", ("?a",)), Atom("lit", ("?b",)), Atom("link", ("?a", "?b"))]),
        add_effects=frozenset([Atom("at", ("?b",))]),
        delete_effects=frozenset([Atom("at", ("?a",))]),
    )
    light = ActionSchema(
        "light",
        (Parameter("?a"), Parameter("?b")),
        frozenset([Atom("at", ("?a",)), Atom("link", ("?a", "?b"))]),
        add_effects=frozenset([Atom("lit", ("?b",))]),
    )
    predicates = (
        Predicate("at", (("object",),)),
        Predicate("lit", (("object",),)),
        Predicate("link", (("object",),) * 2),
    )
    domain = Domain("corridor", predicates=predicates, actions=(walk, light))
    cells = [f"c{i:03}" for i in range(n_cells)]
    init = {Atom("link", pair) for pair in pairwise(cells)} | {Atom("at", (cells[0],))}
    return domain, Instance("p", "corridor", dict.fromkeys(cells, "object"), frozenset(init))


def test_a_round_looks_at_nothing_that_was_found_before():
    """The rounds are as many as the cells, so joining all anew is quadratic in them."""
    n_checks = 0

    def check():
        nonlocal n_checks
        n_checks += 1

    operators = ground(*corridor(200), check=check)
    assert len(operators) == 2 * 199
    assert n_checks == 2 * len(operators)  # found once, bound once


def test_an_action_of_as_many_loops_as_can_be_is_grounded():
    """Begun with what is new, its join would need one loop more."""
    n = MAX_LOOPS + 1
    objects, variables = [f"c{i:02}" for i in range(n)], [f"?x{i:02}" for i in range(n)]

    def rows(names):
        return [Atom("pair", tuple(names[:2]))] + [Atom(f"is{i}", (names[i],)) for i in range(2, n)]

    wide = ActionSchema(
        "wide",
        tuple(map(Parameter, variables)),
        frozenset([*rows(variables), Atom("ready", (variables[0],))]),
        add_effects=frozenset([Atom("done")]),
    )
    prepare = ActionSchema("prepare", add_effects=frozenset([Atom("ready", (objects[0],))]))
    arities = {"pair": 2, "ready": 1, "done": 0} | {f"is{i}": 1 for i in range(2, n)}
    predicates = tuple(Predicate(name, (("object",),) * k) for name, k in arities.items())
    domain = Domain("d", {}, {objects[0]: "object"}, predicates, (wide, prepare))
    instance = Instance("p", "d", dict.fromkeys(objects, "object"), frozenset(rows(objects)))
    found = [operator.action for operator in ground(domain, instance)]
    assert found == [GroundAction("prepare"), GroundAction("wide", tuple(objects))]


def test_a_predicate_without_effects_is_decided_in_the_initial_state():
    door = ActionSchema(
        "enter",
        (Parameter("?r"),),
        frozenset([Atom("open", ("?r",))]),
        frozenset([Atom("dark", ("?r",))]),
        add_effects=frozenset([Atom("in", ("?r",))]),
    )
    predicates = tuple(Predicate(name, (("object",),)) for name in ("open", "dark", "in"))
    domain = Domain("rooms", predicates=predicates, actions=(door,))
    init = frozenset([Atom("open", ("a",)), Atom("open", ("b",)), Atom("dark", ("b",))])
    instance = Instance("p", "rooms", dict.fromkeys("abc", "object"), init)
    (operator,) = ground(domain, instance)
    assert operator.action == GroundAction("enter", ("a",))
    assert not operator.preconditions and not operator.negative_preconditions


def test_init_atoms_of_predicates_that_the_domain_lacks_are_ignored():
    domain = chain_domain(0)
    init = frozenset([Atom("at", ("a",)), Atom("colour", ("a", "b"))])
    assert ground(domain, Instance("p", "chain", dict.fromkeys("ab", "object"), init)) == []


def test_the_check_stops_grounding():
    def check():
        raise TimeoutError

    names = [f"o{i:02}" for i in range(9)]
    init = {Atom("link", pair) for pair in pairwise(names)}
    init.add(Atom("at", (names[0],)))
    instance = Instance("p", "chain", dict.fromkeys(names, "object"), frozenset(init))
    with pytest.raises(TimeoutError):
        ground(chain_domain(3), instance, check=check)


def test_more_ground_actions_than_can_be_held_are_an_error(monkeypatch):
    paint = ActionSchema(
        "paint",
        tuple(Parameter(name, ("object",)) for name in ("?x", "?y", "?z")),
        add_effects=frozenset([Atom("done", ("?x",))]),
    )
    domain = Domain("d", {}, {}, (Predicate("done", (("object",),)),), (paint,))
    instance = Instance("p", "d", dict.fromkeys("abcd", "object"), frozenset())
    monkeypatch.setattr(reachability, "MAX_BINDINGS", 64)
    assert len(ground(domain, instance)) == 64
    monkeypatch.setattr(reachability, "MAX_BINDINGS", 63)
    with pytest.raises(GroundingError, match="63 ground actions, the last of them of paint"):
        ground(domain, instance)
