"""Random domains keep what is promised of them."""

from __future__ import annotations

import random
from functools import cache
from inspect import getsource
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.generate import main
from benchmarks.generators.random_domains import (
    INJECTIVE,
    N_TEST,
    N_TRAINING,
    PDDL,
    VARIANTS,
    random_domain,
)
from benchmarks.generators.random_domains.actions import draw_domain
from benchmarks.generators.random_domains.instances import draw_instance
from benchmarks.generators.random_domains.vocabulary import draw_vocabulary
from benchmarks.generators.random_domains.walks import is_alive
from dias.strips.model import ActionSchema, Domain, Instance
from dias.strips.pddl.reader import parse_domain, parse_problem, read_domain, read_problem
from dias.strips.pddl.writer import format_domain, format_problem
from dias.traces.sampling.sample import sample_traces
from dias.traces.sampling.samples import SamplingConfig
from tests.hashing import printed_elsewhere

ROOT = Path(__file__).parents[3]
MAX_RELATIONS, MAX_ACTIONS, MAX_PARAMETERS, MAX_ARITY = 6, 6, 5, 3

seeds = st.integers(0, 2**32)
drawn_once = cache(random_domain)


def drawn(seed: int, is_injective: bool = True) -> Domain:
    """A domain that nobody has walked in."""
    rng = random.Random(seed)
    return draw_domain(rng, "drawn", draw_vocabulary(rng), is_injective)


def terms(atoms) -> set[str]:
    return {term for atom in atoms for term in atom.terms}


def changed(schema: ActionSchema) -> set[str]:
    return terms(schema.add_effects | schema.delete_effects)


@given(seeds, st.booleans())
def test_what_every_drawn_domain_is(seed, is_injective):
    domain = drawn(seed, is_injective)
    assert 2 <= len(domain.predicates) <= MAX_RELATIONS
    assert all(predicate.arity <= MAX_ARITY for predicate in domain.predicates)
    assert 2 <= len(domain.actions) <= MAX_ACTIONS
    types = {name: predicate.types for name, predicate in zip_names(domain)}
    for schema in domain.actions:
        assert schema.arity <= MAX_PARAMETERS
        assert schema.add_effects or schema.delete_effects
        assert not schema.add_effects & (schema.delete_effects | schema.preconditions)
        assert not schema.negative_preconditions & schema.preconditions
        assert not schema.negative_preconditions & schema.delete_effects
        literals = schema.preconditions | schema.negative_preconditions
        literals |= schema.add_effects | schema.delete_effects
        assert terms(literals) == set(schema.variables)
        of_variable = {own.name: own.types for own in schema.parameters}
        for atom in literals:
            assert len(set(atom.terms)) == len(atom.terms)
            assert [of_variable[term] for term in atom.terms] == list(types[atom.predicate])


def zip_names(domain: Domain):
    return [(predicate.name, predicate) for predicate in domain.predicates]


@given(seeds)
def test_all_parameters_differ_where_that_is_wanted(seed):
    for schema in drawn(seed).actions:
        assert schema.inequalities == set(combinations(schema.variables, 2))


def test_the_domains_are_of_many_kinds():
    """Each thing that learning may find hard is there, and none is everywhere."""
    domains = [drawn(seed, is_injective=False) for seed in range(100)]
    actions = [schema for domain in domains for schema in domain.actions]
    features = {
        "types": [bool(domain.types) for domain in domains],
        "static relation": [len(d.fluents) < len(d.predicates) for d in domains],
        "unary static relation": [
            any(p.arity == 1 and p.name not in d.fluents for p in d.predicates) for d in domains
        ],
        "no parameter": [not schema.arity for schema in actions],
        "five parameters": [schema.arity == MAX_PARAMETERS for schema in actions],
        "further parameter": [set(schema.variables) > changed(schema) for schema in actions],
        "found by negative literals alone": [
            bool(terms(s.negative_preconditions) - terms(s.preconditions)) for s in actions
        ],
        "negative precondition": [bool(schema.negative_preconditions) for schema in actions],
        "inequality": [bool(schema.inequalities) for schema in actions],
        "a move": [bool(s.add_effects and s.delete_effects) for s in actions],
        "an unasked deletion": [bool(s.delete_effects - s.preconditions) for s in actions],
    }
    shares = {name: sum(own) / len(own) for name, own in features.items()}
    assert all(0.02 < share < 0.98 for share in shares.values()), shares
    deleted = [atom in s.preconditions for s in actions for atom in s.delete_effects]
    assert sum(deleted) > 0.8 * len(deleted)
    for arity in range(MAX_ARITY + 1):
        assert any(p.arity == arity for domain in domains for p in domain.predicates)


each_domain = pytest.mark.parametrize(
    ("seed", "variant"),
    [
        pytest.param(seed, variant, marks=[pytest.mark.slow] * (seed > 0))
        for seed in range(6)
        for variant in VARIANTS
    ],
)


@each_domain
def test_walks_show_every_action(seed, variant):
    """As `dias sample` walks, with another seed than those that the domain was chosen by."""
    domain, training, test = drawn_once(seed, variant)
    assert (len(training), len(test)) == (N_TRAINING, N_TEST)
    assert min(len(own.objects) for own in test) > max(len(own.objects) for own in training)
    config = SamplingConfig(30, 30)
    steps = []
    for (walk,) in sample_traces(domain, (*training, *test), [config], random.Random(seed)):
        assert walk.missing(domain, config) == {}
        steps += walk.steps
    for action in domain.actions:
        own = [step for step in steps if step.successor.action == action.name]
        assert sum(step.next_state != step.state for step in own) > len(own) / 2
    for schema in domain.actions:
        pairs = set(combinations(schema.variables, 2))
        assert schema.inequalities <= pairs
        assert variant == PDDL or schema.inequalities == pairs


@each_domain
def test_what_is_written_is_what_was_drawn(tmp_path, seed, variant):
    made = drawn_once(seed, variant)
    domain, training, test = made.write(tmp_path / "random")
    assert read_domain(domain) == parse_domain(format_domain(made.domain))
    assert [path.name for path in training + test] == [f"p{n:02}.pddl" for n in range(1, 6)]
    for path, instance in zip(training + test, made.training + made.test, strict=True):
        again = read_problem(path, made.domain, needs_goal=False)
        assert again == parse_problem(format_problem(instance, made.domain), made.domain, "", False)
        assert again.init == instance.init
        assert dict(again.objects) == dict(instance.objects)


def test_the_same_seed_gives_the_same_bytes_whatever_python_hashes():
    injective, pddl = (drawn_once(3, variant) for variant in (INJECTIVE, PDDL))
    code = (
        "from benchmarks.generators.random_domains import INJECTIVE, PDDL, random_domain\n"
        "from dias.strips.pddl.writer import format_domain, format_problem\n"
        f"{getsource(text)}\n"
        "print(*(text(random_domain(3, v)) for v in (INJECTIVE, PDDL)), sep='', end='')"
    )
    assert printed_elsewhere(code) == text(injective) + text(pddl)
    assert injective.domain.actions != drawn_once(0, INJECTIVE).domain.actions
    assert injective.domain.actions != pddl.domain.actions


def text(made):
    """A domain and its problems as they are written."""
    problems = (format_problem(i, made.domain) for i in made.training + made.test)
    return "".join((format_domain(made.domain), *problems))


def test_the_command_writes_a_domain(tmp_path):
    words = ["random", "--seed", "3", "--variant", "pddl", "-o", str(tmp_path / "new")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    made = drawn_once(3, PDDL)
    assert (tmp_path / "new" / "domain.pddl").read_text() == format_domain(made.domain)
    assert len(list((tmp_path / "new").iterdir())) == 1 + N_TRAINING + N_TEST


LAMPS = """(define (domain lamps) (:requirements :strips :negative-preconditions)
  (:predicates (lit ?x) (spare ?x))
  (:action light :parameters (?x) :precondition (not (lit ?x)) :effect (lit ?x))
  (:action dim :parameters (?x) :precondition (lit ?x) :effect (not (lit ?x))))"""


def lamps(text: str = LAMPS, n: int = 6) -> tuple[Domain, Instance]:
    names = " ".join(f"o{number}" for number in range(n))
    problem = f"(define (problem p) (:domain lamps) (:objects {names}) (:init (lit o0)))"
    domain = parse_domain(text)
    return domain, parse_problem(problem, domain, "", False)


NEVER = LAMPS.replace("(lit ?x) :effect (not", "(and (lit ?x) (spare ?x)) :effect (not")
IDLE = LAMPS.replace(
    "))))",
    """)))
  (:action see :parameters (?x ?y) :precondition (lit ?x) :effect (lit ?y)))""",
)
ONE_WAY = LAMPS.replace("(lit ?x) :effect (not (lit ?x))", "(lit ?x) :effect (spare ?x)")


@pytest.mark.parametrize(
    ("text", "n", "is_taken"),
    [
        (LAMPS, 6, True),
        (LAMPS, 2, False),  # four different steps of each action
        (NEVER, 6, False),
        (IDLE, 6, False),  # two thirds of the steps of `see` change nothing
        (ONE_WAY, 40, False),  # in the end everything is lit and spare
    ],
)
def test_which_domains_are_taken(text, n, is_taken):
    domain, instance = lamps(text, n)
    assert is_alive(domain, [instance], random.Random(0)) is is_taken
    assert is_alive(domain, [lamps()[1], instance], random.Random(0)) is is_taken


ENDING = """(define (domain lamps) (:requirements :strips :negative-preconditions)
  (:predicates (lit ?x) (over))
  (:action light :parameters (?x) :precondition (and (not (lit ?x)) (not (over))) :effect (lit ?x))
  (:action dim :parameters (?x) :precondition (and (lit ?x) (not (over))) :effect (not (lit ?x)))
  (:action end :parameters (?x) :precondition (and (lit ?x) (not (over))) :effect (over)))"""
GOING_ON = ENDING[:-1] + "(:action go :precondition (over) :effect (not (over))))"


@pytest.mark.parametrize(("text", "is_taken"), [(ENDING, False), (GOING_ON, True)])
def test_a_walk_may_not_end_too_often(text, is_taken):
    """Each walk begins anew, so that all actions are seen often all the same."""
    domain, instance = lamps(text, 8)
    assert is_alive(domain, [instance], random.Random(0)) is is_taken


def test_an_instance_has_objects_of_each_kind():
    rng = random.Random(1)
    vocabulary = next(v for v in iter(lambda: draw_vocabulary(rng), None) if len(v.kinds) == 3)
    small, large = (
        draw_instance(rng, "p", "d", vocabulary, is_large) for is_large in (False, True)
    )
    assert 9 <= len(small.objects) <= 12
    assert 15 <= len(large.objects) <= 18
