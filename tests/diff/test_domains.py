"""What two domains differ in."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from dias.diff.domains import diff_domains
from dias.diff.literals import EFFECT, PRECONDITION, literals
from dias.strips.model import ActionSchema, Domain, Predicate
from tests.diff.cases import renamed_domain, schema
from tests.strategies import domains

FIELDS = {
    (PRECONDITION, True): "preconditions",
    (PRECONDITION, False): "negative_preconditions",
    (EFFECT, True): "add_effects",
    (EFFECT, False): "delete_effects",
}
COMPARISONS = {True: "equalities", False: "inequalities"}


def with_literal(action: ActionSchema, literal, put: bool) -> ActionSchema:
    """The schema with a literal put in or taken out; a comparison in either order of its terms."""
    if literal.atom.predicate == "=":
        name, terms = COMPARISONS[literal.positive], literal.atom.terms
        pairs = {pair for pair in getattr(action, name) if set(pair) != set(terms)}
        return replace(action, **{name: frozenset(pairs | {terms} if put else pairs)})
    name = FIELDS[literal.part, literal.positive]
    atoms = getattr(action, name)
    return replace(action, **{name: atoms | {literal.atom} if put else atoms - {literal.atom}})


def with_action(domain: Domain, action: ActionSchema) -> Domain:
    """The domain with an action in place of that of its name."""
    actions = tuple(action if own.name == action.name else own for own in domain.actions)
    return replace(domain, actions=actions)


def draw_copy(data, domain: Domain) -> Domain:
    """The domain in other names and another order."""
    orders = [data.draw(st.permutations(range(action.arity))) for action in domain.actions]
    renames = data.draw(st.booleans())
    return renamed_domain(
        domain, orders, {p.name: f"other-{p.name}" for p in domain.predicates} if renames else {}
    )


@settings(deadline=None)
@given(domains(), st.data())
def test_a_domain_in_other_names_is_equal(domain, data):
    diff = diff_domains(domain, draw_copy(data, domain))
    assert diff.is_equal
    assert diff.has_same_effects
    assert all(pair.left and pair.right for pair in diff.predicates)
    for action in diff.actions:
        assert all(pair.left and pair.right for pair in action.parameters)
        assert not action.only_left
        assert not action.only_right


@settings(deadline=None)
@given(domains(), st.data())
def test_a_literal_that_one_side_lacks_is_all_that_shows(domain, data):
    """Put back where the match says, it makes the domains equal again."""
    removable = [(action, literal) for action in domain.actions for literal in literals(action)]
    if not removable:
        return
    action, literal = data.draw(st.sampled_from(removable))
    fewer = with_action(domain, with_literal(action, literal, put=False))
    orders = [data.draw(st.permutations(range(own.arity))) for own in domain.actions]
    right = renamed_domain(fewer, orders, {})
    diff = diff_domains(domain, right)
    assert not diff.is_equal
    [(found, shown)] = [(a, only) for a in diff.actions for only in a.only_left]
    assert found.name == action.name
    assert not any(own.only_right for own in diff.actions)
    assert shown._replace(atom=None) == literal._replace(atom=None)
    assert shown.atom.predicate == literal.atom.predicate
    back = {pair.left.name: pair.right.name for pair in found.parameters}
    mended = with_literal(right.action(action.name), shown.rename(back, {}), put=True)
    assert diff_domains(domain, with_action(right, mended)).is_equal
    mirrored = diff_domains(right, domain)
    assert [len(own.only_right) for own in mirrored.actions if own.only_right] == [1]


def test_an_action_of_one_side():
    go, stop = schema("x", ["p x"], name="go"), schema("y", effect=["q y"], name="stop")
    predicates = (Predicate("p", (("object",),)), Predicate("q", (("object",),)))
    left = Domain("d", predicates=predicates, actions=(go,))
    right = Domain("d", predicates=predicates, actions=(stop, go))
    same, other = diff_domains(left, right).actions
    assert same.is_equal
    assert (other.left, other.right, other.is_equal) == (None, stop, False)
    assert [str(literal) for literal in other.only_right] == ["(q ?y)"]
    assert [(p.left, p.right) for p in other.parameters] == [(None, stop.parameters[0])]
    assert not diff_domains(left, right).has_same_effects


def test_actions_of_different_names_are_paired_by_their_literals():
    predicates = (Predicate("p", (("object",),)), Predicate("q", (("object",),)))
    actions = [schema("x", ["p x"], [effect], name=name) for name, effect in
               (("ab", "q x"), ("cd", "not q x"), ("ef", "not p x"), ("gh", "q x"))]  # fmt: skip
    left = Domain("d", predicates=predicates, actions=tuple(actions[:2]))
    right = Domain("d", predicates=predicates, actions=tuple(actions[2:]))
    diff = diff_domains(left, right)
    assert [(a.left.name, a.right.name) for a in diff.actions] == [("ab", "gh"), ("cd", "ef")]
    assert not diff.is_equal  # the names differ, which matters


def test_types_constants_and_signatures_matter():
    predicate = Predicate("p", (("t",),))
    domain = Domain("d", {"t": "object"}, {"k": "t"}, (predicate,), (schema("x - t", ["p x"]),))
    assert diff_domains(domain, replace(domain, name="e")).is_equal
    for changed in (
        replace(domain, types={"t": "u", "u": "object"}),
        replace(domain, constants={}),
        replace(domain, predicates=(Predicate("p", (("object",),)),)),
        replace(domain, predicates=(predicate, Predicate("q"))),
        replace(domain, actions=(schema("x", ["p x"]),)),
        replace(domain, actions=(schema("x - t, y", ["p x"]),)),
    ):
        assert not diff_domains(domain, changed).is_equal
        assert not diff_domains(changed, domain).is_equal


def test_an_inequality_is_the_same_in_either_order():
    one, other = schema("x, y", ["p x y", "not = x y"]), schema("b, a", ["p b a", "not = a b"])
    predicates = (Predicate("p", (("object",), ("object",))),)
    left, right = (Domain("d", predicates=predicates, actions=(a,)) for a in (one, other))
    assert diff_domains(left, right).is_equal
    with_constant = replace(right, actions=(schema("a, b", ["p a b", "not = b k"]),))
    assert not diff_domains(left, with_constant).is_equal


def test_unmatched_parameters_get_names_of_their_own():
    left, right = schema("x, y", ["p x y"]), schema("y, x, x'", ["p y x", "q x'"])
    [action] = diff_domains(Domain("d", actions=(left,)), Domain("d", actions=(right,))).actions
    assert action.to_left == {"?y": "?x", "?x": "?y", "?x'": "?x'"}
    one = schema("x", ["q x"])
    [action] = diff_domains(
        Domain("d", actions=(one,)), Domain("d", actions=(schema("a, x", ["q a", "r x"]),))
    ).actions
    assert action.to_left == {"?a": "?x", "?x": "?x'"}


def test_that_two_parameters_differ_is_a_literal_like_any_other():
    """They may be one object where no inequality says otherwise."""
    plain = schema("x,y", ["p x"], ["q y"])
    apart = replace(plain, inequalities=frozenset({("?x", "?y")}))
    predicates = (Predicate("p", (("object",),)), Predicate("q", (("object",),)))
    left, right = (Domain("d", {}, {"k": "object"}, predicates, (a,)) for a in (plain, apart))
    for diff in (diff_domains(left, right), diff_domains(right, left)):
        (action,) = diff.actions
        assert not diff.is_equal and diff.has_same_effects
        assert [str(a) for a in action.only_left + action.only_right] == ["(not (= ?x ?y))"]
        assert sorted(pair.is_equal for pair in action.literals) == [False, True, True]
    assert diff_domains(right, right).is_equal
    fixed = replace(plain, inequalities=frozenset({("?x", "k")}))
    (action,) = diff_domains(with_action(left, fixed), left).actions
    assert [str(literal) for literal in action.only_left] == ["(not (= ?x k))"]


def test_domains_that_differ_in_preconditions_have_the_same_effects():
    predicates = (Predicate("p", (("object",),)), Predicate("q", (("object",),)))
    one, more = schema("x", ["p x"], ["q x"]), schema("x", ["p x"], ["p x", "q x"])
    free, none = schema("x", [], ["q x"]), schema("x", ["p x"], ["q x"], "b")
    domain = Domain("d", predicates=predicates, actions=(one,))
    same = {
        name: diff_domains(domain, replace(domain, actions=(other,))).has_same_effects
        for name, other in {"free": free, "more": more}.items()
    }
    assert same == {"free": True, "more": False}
    assert not diff_domains(domain, replace(domain, actions=(one, none))).has_same_effects
