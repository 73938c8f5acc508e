"""The nearest true ground action, against a search over all bindings."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dias.planning import faults
from dias.planning.faults import nearest
from dias.strips.grounding import GroundAction
from dias.strips.model import ActionSchema, Atom, Domain, Parameter, is_subtype
from tests.strategies import domains, objects, states


def atoms(*texts):
    return frozenset(Atom(t.split()[0], tuple(t.split()[1:])) for t in texts)


LIFT = ActionSchema(
    "lift",
    (Parameter("?who"), Parameter("?what")),
    atoms("near ?who ?what"),
    atoms("fixed ?what"),
    inequalities=frozenset({("?who", "?what")}),
    add_effects=atoms("holds ?who ?what"),
    delete_effects=atoms("near ?who ?what", "free ?who"),
)
DOMAIN = Domain("crane", actions=(LIFT,))
STATE = atoms("near k box", "free k", "fixed rock")
AFTER = STATE - atoms("near k box", "free k") | atoms("holds k box")
THINGS = dict.fromkeys(["k", "box", "rock"], "object")


def near(state, next_state, arguments=("k", "box"), schemas=(LIFT,)):
    return nearest(schemas, DOMAIN, THINGS, arguments, state, next_state)


@pytest.mark.parametrize(
    ("state", "next_state", "fault"),
    [
        (STATE - atoms("near k box"), AFTER, "(near k box) does not hold"),
        (STATE | atoms("fixed box"), AFTER | atoms("fixed box"), "(fixed box) holds"),
        (STATE, AFTER - atoms("holds k box"), "(holds k box) holds afterwards"),
        (STATE, AFTER | atoms("free k"), "(free k) does not hold afterwards"),
    ],
)
def test_each_kind_of_literal_is_named(state, next_state, fault):
    action, found = near(state, next_state)
    assert (str(action), found) == ("(lift k box)", (fault,))


def test_two_parameters_on_one_object_where_they_must_differ():
    both = STATE | atoms("near k k")
    _, found = near(both, both - atoms("near k k", "free k") | atoms("holds k k"), ("k", "k"))
    assert found == ("?who and ?what must differ",)


def test_several_faults_are_all_named():
    action, found = near(STATE - atoms("near k box") | atoms("fixed box"), AFTER)
    assert action == GroundAction("lift", ("k", "box"))
    assert found == (
        "(near k box) does not hold", "(fixed box) holds", "(fixed box) holds afterwards",
    )  # fmt: skip


def test_arguments_in_another_order_or_missing():
    moved = STATE - atoms("near k box")
    for arguments in (("box", "k"), ("box",), ()):
        action, found = near(moved, AFTER, arguments)
        assert (str(action), found) == ("(lift k box)", ("(near k box) does not hold",))


def test_of_several_actions_the_nearest():
    """With `lift` two preconditions fail, with `lift-2` one literal is wrong."""
    other = ActionSchema("lift-2", LIFT.parameters, add_effects=atoms("holds ?who ?what"))
    state = STATE - atoms("near k box") | atoms("fixed box")
    for schemas in ((other, LIFT), (LIFT, other)):
        action, found = near(state, state - atoms("free k") | atoms("holds k box"), schemas=schemas)
        assert (action, found) == (
            GroundAction("lift-2", ("k", "box")), ("(free k) holds afterwards",),
        )  # fmt: skip


def test_none_of_that_name_or_of_those_types():
    assert near(STATE, AFTER, schemas=()) is None
    typed = ActionSchema("lift", (Parameter("?who", ("crane",)),))
    assert near(STATE, AFTER, schemas=(typed,)) is None


def test_the_search_ends(monkeypatch):
    """The first binding is the step's own, so that there is an answer even then."""
    nowhere = STATE - atoms("near k box")
    odd = (nowhere, nowhere | atoms("holds k rock"))
    assert near(*odd).action.arguments == ("k", "rock")
    monkeypatch.setattr(faults, "MAX_TRIES", 3)
    assert near(*odd).action.arguments == ("k", "box")


def test_one_fault_is_few_enough(monkeypatch):
    """It is found with the step's arguments, and nothing else is looked at."""
    looked_at = []
    fault_before = faults.Literal.fault
    monkeypatch.setattr(
        faults.Literal, "fault",
        lambda self, binding, state: looked_at.append(binding) or fault_before(
            self, binding, state
        ),
    )  # fmt: skip
    near(STATE - atoms("near k box"), AFTER)
    assert looked_at == [{"?who": "k", "?what": "box"}] * 3


def naive_distance(schema, domain, types, state, next_state):
    """The fewest faults of any binding, or None."""
    fits = [
        [name for name in sorted(types) if is_subtype(types[name], own.types, domain.types)]
        for own in schema.parameters
    ]
    found = []
    for names in product(*fits):
        binding = dict(zip(schema.variables, names, strict=True))
        value = lambda term: binding.get(term, term)  # noqa: B023, E731
        ground = lambda group: {atom.substitute(binding) for atom in group}  # noqa: B023, E731
        n = sum(atom.substitute(binding) not in state for atom in schema.preconditions)
        n += sum(atom.substitute(binding) in state for atom in schema.negative_preconditions)
        n += sum(value(x) != value(y) for x, y in schema.equalities)
        n += sum(value(x) == value(y) for x, y in schema.inequalities)
        after = state - ground(schema.delete_effects) | ground(schema.add_effects)
        found.append(n + len(after ^ next_state))
    return min(found, default=None)


@given(st.data())
def test_none_has_fewer_faults(data):
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    state, next_state = (data.draw(states(domain, types)) for _ in range(2))
    arguments = data.draw(st.permutations(sorted(types)))[: data.draw(st.integers(0, 2))]
    for schema in domain.actions:
        found = nearest([schema], domain, types, arguments, state, next_state)
        expected = naive_distance(schema, domain, types, state, next_state)
        assume(expected != 0)  # then the step would be a transition
        assert (found and len(found.faults)) == expected
