"""Parameters that stand where the other schema has a constant."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from dias.diff.alignment import align
from dias.diff.domains import diff_domains
from dias.strips.model import OBJECT, ActionSchema, Domain, Parameter, Predicate
from tests.diff.cases import renamed_schema, schema
from tests.strategies import CONSTANT, domains

PREDICATES = (
    Predicate("at", ((OBJECT,),)),
    Predicate("holds", ((OBJECT,),)),
    Predicate("lies", ((OBJECT,), (OBJECT,))),
)
BRING = schema("s", ["at mill", "holds s"], ["lies s mill", "not holds s"], name="bring")
GENERAL = schema("x, y", ["at x", "holds y"], ["lies y x", "not holds y"], name="bring")


DOMAIN = Domain("d", {}, dict.fromkeys(("mill", "field"), OBJECT), PREDICATES)


def compared(left: ActionSchema, right: ActionSchema, domain: Domain = DOMAIN):
    """The difference of the two as the only actions of a domain."""
    [action] = diff_domains(
        replace(domain, actions=(left,)), replace(domain, actions=(right,))
    ).actions
    return action


def test_a_constant_matches_itself_and_no_other():
    other = schema("z", ["at mill", "holds z"], ["lies z mill", "not holds z"], name="bring")
    assert compared(BRING, other).is_equal
    elsewhere = schema("z", ["at field", "holds z"], ["lies z field", "not holds z"], name="bring")
    found = compared(BRING, elsewhere)
    assert [str(a) for a in found.only_left] == ["(at mill)", "(lies ?s mill)"]
    assert [str(a) for a in found.only_right] == ["(at field)", "(lies ?z field)"]
    assert found.constants == ()


def test_a_parameter_in_the_place_of_a_constant():
    """It is found from both sides, and the literals still count as different."""
    found = compared(GENERAL, BRING)
    assert found.constants == (("?x", "mill"),)
    assert [str(a) for a in found.only_left] == ["(at ?x)", "(lies ?y ?x)"]
    back = compared(BRING, GENERAL)
    assert back.constants == (("mill", "?x"),)
    assert not found.is_equal
    assert not back.is_equal


def test_the_constant_with_most_literals_in_common():
    both = schema("s", ["at field", "at mill", "holds s"], ["lies s mill", "not holds s"], "bring")
    assert compared(GENERAL, both).constants == (("?x", "mill"),)
    tie = schema("s", ["at field", "at mill", "holds s"], ["not holds s"], "bring")
    assert compared(GENERAL, tie).constants == (("?x", "field"),)


def test_a_parameter_that_shares_no_literal_stands_for_nothing():
    spare = schema("x, y", ["holds y"], ["lies y y", "not holds y"], name="bring")
    assert compared(spare, BRING).constants == ()


def test_a_variable_of_the_same_name_on_the_other_side_is_another_one():
    left = schema("a", ["holds a", "lies mill a"], name="bring")
    right = schema("b, a, c", ["holds b", "lies c a"], name="bring")
    assert compared(left, right).constants == ()


@settings(deadline=None)
@given(domains(), st.data())
def test_a_constant_that_became_a_parameter_is_found(domain, data):
    """Wherever the match of the other parameters is the right one."""
    action = data.draw(st.sampled_from(domain.actions))
    general = renamed_schema(action, range(action.arity), {})

    def lift(atoms):
        return frozenset(atom.substitute({CONSTANT: "?new"}) for atom in atoms)

    general = replace(
        general,
        parameters=(*general.parameters, Parameter("?new", ("t1",))),
        preconditions=lift(general.preconditions),
        negative_preconditions=lift(general.negative_preconditions),
        add_effects=lift(general.add_effects),
        delete_effects=lift(general.delete_effects),
    )
    wanted = {variable: f"?new{i}" for i, variable in enumerate(action.variables)}
    found = compared(action, general, domain)
    if align(action, general).parameters == wanted:
        uses = any(
            CONSTANT in atom.terms
            for atoms in (
                action.preconditions,
                action.negative_preconditions,
                action.add_effects,
                action.delete_effects,
            )
            for atom in atoms
        )
        assert found.constants == (((CONSTANT, "?new"),) if uses else ())
