"""Whether a domain can change just so and so in a state, against listing all successors."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.strips.joins.change_finder import ChangeFinder
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.problem import CodedProblem
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states


def atoms(*texts):
    return frozenset(Atom(t.split()[0], tuple(t.split()[1:])) for t in texts)


def schema(name, variables, add=(), delete=(), pre=()):
    parameters = tuple(Parameter(v) for v in variables.split())
    return ActionSchema(
        name, parameters, atoms(*pre), add_effects=atoms(*add), delete_effects=atoms(*delete)
    )


class World:
    """A domain over unary p and q with a finder in one state."""

    def __init__(self, names, held, *actions, constants=(), check=None):
        predicates = tuple(Predicate(name, ((OBJECT,),)) for name in "pq")
        domain = Domain("d", {}, dict.fromkeys(constants, OBJECT), predicates, actions)
        types = dict.fromkeys((*names.split(), *constants), OBJECT)
        instance = Instance("i", "d", types, atoms(*held))
        problem = CodedProblem.of(instance, domain, fluents={"p", "q"})
        self.codes, self.state = problem.codes, problem.init
        self.finder = ChangeFinder(domain, problem, check=check)

    def coded(self, *texts):
        return frozenset(self.codes.encode(atom) for atom in atoms(*texts))

    def change(self, add=(), delete=()):
        return self.coded(*add), self.coded(*delete)

    def actions(self, change):
        return set(self.finder.reached(self.state, [change]))


def test_one_change_after_another_leaves_the_state_as_it_was():
    """The second needs an add of q(a) that is idle, beside rows that the first has put there."""
    world = World("a b", ["q a"], schema("put", "?x ?y", ["q ?x", "p ?y"]))
    first = world.change(["q b", "p a"])
    second = world.change(["p b"])
    for asked in ([first, second], [second, first], [first, second, first, second]):
        found = world.finder.reached(world.state, asked)
        assert found == {"put": {first, second}}


def test_a_change_asked_for_again_takes_no_more_work():
    checks = []
    put = schema("put", "?x ?y", ["q ?x", "p ?y"])
    world = World("a b c", ["q a"], put, check=lambda: checks.append(1))
    for asked in (world.change(["q b", "p a"]), world.change(["q b", "p b"])):  # possible, and not
        world.finder.reached(world.state, [asked])
        once = len(checks)
        world.finder.reached(world.state, [asked] * 5)
        assert len(checks) == 6 * once
        checks.clear()


def test_a_constant_may_be_what_a_variable_is_bound_to():
    """What is added wins over what is deleted: with ?x bound to k nothing changes."""
    world = World("", ["q k"], schema("renew", "?x", ["q k"], ["q ?x"]), constants=("k",))
    assert world.actions(world.change()) == {"renew"}
    assert world.actions(world.change(delete=["q k"])) == set()


@pytest.mark.parametrize(("held", "expected"), [(["q a"], {"swap"}), ([], set())])
def test_what_is_deleted_and_true_must_be_wanted(held, expected):
    world = World("a", held, schema("swap", "?x", ["p ?x"], ["q ?x"]))
    assert world.actions(world.change(["p a"], ["q a"])) == expected
    assert world.actions(world.change(["p a"])) == ({"swap"} - expected)


def test_a_schema_may_do_with_one_atom_what_it_has_two_effects_for_but_not_the_other_way():
    world = World(
        "a b", [], schema("one", "?x", ["p ?x"]), schema("two", "?x ?y", ["p ?x", "p ?y"])
    )
    assert world.actions(world.change(["p a"])) == {"one", "two"}
    assert world.actions(world.change(["p a", "p b"])) == {"two"}


@pytest.mark.filterwarnings("ignore")
@given(st.data())
def test_equals_naive_enumeration(data):
    """All changes that are possible, and others that may not be, in one question."""
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    held = data.draw(states(domain, types))
    problem = CodedProblem.of(Instance("i", domain.name, types, held), domain)
    codes, state = problem.codes, problem.init
    finder = ChangeFinder(domain, problem)
    expected: dict[str, set] = {}
    for action, _, added, deleted in naive_successors(domain, types, held):
        change = tuple(frozenset(map(codes.encode, part)) for part in (added, deleted))
        expected.setdefault(action, set()).add(change)
    possible = set().union(*expected.values())
    mixed = [(one[0], other[1]) for one, other in combinations(sorted(possible, key=str), 2)]
    asked = data.draw(st.permutations(sorted({*possible, *mixed[:10]}, key=str)))
    assert finder.reached(state, asked) == expected
