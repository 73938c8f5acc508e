"""The domains say which parameters differ, so that they mean the same to every planner.

By PDDL's rule two parameters may be one object unless a literal forbids it; by the paper's they
never are. Two parameters have an inequality unless something else keeps them apart in every state:
the types, or in untyped domains the kinds of objects in their places (a hand is no glass); an atom
that must and must not hold; a static relation that nothing has to itself (`beside`, `above`).
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product

import pytest

from benchmarks.generate import DOMAINS
from dias.strips.breadth_first import breadth_first
from dias.strips.model import ActionSchema, Atom, Domain, Instance, is_subtype
from dias.strips.pddl.reader import read_problem
from dias.strips.problem import CodedProblem

from . import fresh, own
from .test_problems import OBJECTS, load_domain, task, walk

N_WALKED, N_FIRST = 60, {"p01": 60, "p02": 15, "p03": 4, "p04": 2}
"""Distinct states of walks in p01, and first states of each problem."""

FEW_WALKED, FEW_FIRST = 10, {"p01": 5, "p02": 2}
"""As many in the tests that are not slow."""

# Static relations that nothing has to itself, by what they mean.
IRREFLEXIVE = {
    "n-puzzle": "above right",
    "delivery": "adjacent",
    "driverlog": "link path",
    "hanoi": "smaller",
    "miconic": "above",
    "sokoban": "adjacent adjacent_2",
    "sokoban-pull": "adjacent adjacent_2",
    "spanner": "link",
    "visitall": "connected",
    "floor-painting": "beside",
    "lift-doors": "next",
    "climbing-team": "face path",
    "library": "succ",
    "peaks-patience": "covers near",
    "rail-yard": "joined",
    "water-mains": "above",
}

each_domain = pytest.mark.parametrize("domain", sorted(OBJECTS))
Successor = tuple[str, tuple[str, ...], frozenset[Atom]]


@pytest.mark.parametrize(
    ("n_walked", "first_states"),
    [(FEW_WALKED, FEW_FIRST), pytest.param(N_WALKED, N_FIRST, marks=pytest.mark.slow)],
    ids=["few", "many"],
)
@each_domain
def test_pddls_rule_gives_the_same_successors(domain: str, n_walked: int, first_states):
    known = load_domain(domain)
    for name, n_first in first_states.items():
        problem = read_problem(DOMAINS / domain / f"{name}.pddl", known)
        init, generator, _ = task(known, problem)
        first = {init: 0}
        for _ in breadth_first(first, generator.successors, n_first):
            pass
        states = list(first)
        if name == "p01":
            n_walks = (own.WALKS | fresh.WALKS).get(domain, 10)
            seen = dict.fromkeys(state for _, state in walk(known, problem, n_walks))
            states += random.Random(0).sample(list(seen), min(n_walked, len(seen)))
        coded = CodedProblem.of(problem, known)
        for state in states:
            atoms = coded.codes.decode_state(state) | coded.static_atoms
            expected = {
                (
                    step.action,
                    tuple(coded.codes.objects[number] for number in step.binding),
                    coded.codes.decode_state(step.next_state(state)) | coded.static_atoms,
                )
                for step in generator.successors(state)
            }
            assert set(successors(known, problem.objects, atoms)) == expected
            assert all(len(set(names)) == len(names) for _, names, _ in expected)


def successors(
    domain: Domain, objects: Mapping[str, str], state: frozenset[Atom]
) -> Iterator[Successor]:
    """Action, arguments and next state of what PDDL allows, one parameter after another."""
    for action in domain.actions:
        bindings: list[dict[str, str]] = [{}] if allows(action, {}, state) else []
        for parameter in action.parameters:
            names = [n for n, t in objects.items() if is_subtype(t, parameter.types, domain.types)]
            longer = (b | {parameter.name: name} for b, name in product(bindings, names))
            bindings = [binding for binding in longer if allows(action, binding, state)]
        for binding in bindings:
            add, delete = (
                {atom.substitute(binding) for atom in atoms}
                for atoms in (action.add_effects, action.delete_effects)
            )
            yield action.name, tuple(binding.values()), (state - delete) | add


def allows(action: ActionSchema, binding: Mapping[str, str], state: frozenset[Atom]) -> bool:
    """Whether no precondition whose variables are all bound is violated."""
    return (
        state.issuperset(ground(action.preconditions, binding))
        and state.isdisjoint(ground(action.negative_preconditions, binding))
        and all(x not in binding or binding[x] != binding.get(y) for x, y in action.inequalities)
    )


def ground(atoms: Iterable[Atom], binding: Mapping[str, str]) -> list[Atom]:
    """The atoms whose variables are all bound."""
    return [atom.substitute(binding) for atom in atoms if set(atom.terms) <= binding.keys()]


@each_domain
def test_parameters_that_nothing_keeps_apart_have_an_inequality(domain: str):
    known = load_domain(domain)
    irreflexive = IRREFLEXIVE.get(domain, "").split()
    for name in N_FIRST:
        problem = read_problem(DOMAINS / domain / f"{name}.pddl", known)
        static = {atom for atom in problem.init if atom.predicate not in known.fluents}
        assert set(irreflexive) <= {predicate for predicate, _ in static}
        assert not [p for p, terms in static if p in irreflexive and len({*terms}) == 1]
        fits = objects_in_places(known, problem)
        for action in known.actions:
            related = [{*terms} for p, terms in action.preconditions if p in irreflexive]
            different = [{*pair} for pair in action.inequalities]
            for x, y in combinations(action.variables, 2):
                one = [
                    n for n in fits[x, action] & fits[y, action] if may_be(n, x, y, action, static)
                ]
                assert {x, y} in related + different or not one, (action.name, x, y, one)


def may_be(name: str, x: str, y: str, action: ActionSchema, static: set[Atom]) -> bool:
    """Whether the literals leave it open that x and y are both the object of that name."""
    positive, negative = (
        {atom.substitute({x: name, y: name}) for atom in atoms}
        for atoms in (action.preconditions, action.negative_preconditions)
    )
    return negative.isdisjoint(positive | static)


def objects_in_places(known: Domain, problem: Instance) -> dict[tuple[str, ActionSchema], set[str]]:
    """Which objects may stand for each parameter of each action.

    Those of its type that may stand in each place of the preconditions in which it stands; in a
    place of a predicate may stand what does so at the beginning or may be put there by an effect.
    """
    places: dict[tuple[str, int], set[str]] = {}
    for predicate, terms in problem.init:
        for place, term in enumerate(terms):
            places.setdefault((predicate, place), set()).add(term)
    fits: dict[tuple[str, ActionSchema], set[str]] = {}
    while True:
        before = sum(map(len, (*places.values(), *fits.values())))
        for action in known.actions:
            for variable, types in action.parameters:
                fits[variable, action] = {
                    name
                    for name, kind in problem.objects.items()
                    if is_subtype(kind, types, known.types)
                    and all(
                        name in places.get(at, ()) for at in uses(action.preconditions, variable)
                    )
                }
                for at in uses(action.add_effects, variable):
                    places.setdefault(at, set()).update(fits[variable, action])
        if sum(map(len, (*places.values(), *fits.values()))) == before:
            return fits


def uses(atoms: Iterable[Atom], variable: str) -> list[tuple[str, int]]:
    """The places of predicates in which a variable stands."""
    return [(p, i) for p, terms in atoms for i, term in enumerate(terms) if term == variable]
