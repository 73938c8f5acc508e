"""What is written is read back, here and by pddl, Tarski and pyperplan."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pddl.parser.domain import DomainParser
from pddl.parser.problem import ProblemParser
from pyperplan.grounding import ground
from pyperplan.pddl.parser import Parser
from tarski.io import PDDLReader

from dias.strips.model import (
    OBJECT,
    ActionSchema,
    Atom,
    Domain,
    Instance,
    Parameter,
    Predicate,
    is_subtype,
)
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.strips.pddl.spelling import legal_names
from dias.strips.pddl.writer import format_domain, format_problem
from tests.strategies import some
from tests.strips.pddl.written import NEGATIVE, PORT, TASK, without_comments

NAMES = ["on", "at", "object", "and", "=", "take/1.5", "take_1_5", "ø", "1st", "x-", "a.b", "a b"]
TYPES = {"cat": "pet", "pet": "object", "d.g": "pet", "city": "object"}
KINDS = st.lists(st.sampled_from([*TYPES, "object"]), min_size=1, max_size=2, unique=True).map(
    lambda names: tuple(sorted(names))
)


SOME_NAMES = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True)
SOME_KINDS = {True: st.lists(KINDS, max_size=3), False: st.lists(st.just(("object",)), max_size=3)}


def some_atoms(terms: dict[str, list[list[str]]], max_size: int):
    """Atoms of predicates, of which each is as likely, over the terms that fit in each place."""
    names = list(terms)

    def atom(number: int) -> Atom:
        number, place = divmod(number, len(names))
        name, chosen = names[place], []
        for fitting in terms[name]:
            number, place = divmod(number, len(fitting))
            chosen.append(fitting[place])
        return Atom(name, tuple(chosen))

    def atoms(drawn: bytes) -> frozenset[Atom]:
        starts = range(1, 1 + 3 * (drawn[0] % (max_size + 1)), 3)
        return frozenset(atom(int.from_bytes(drawn[at : at + 3], "big")) for at in starts)

    size = 1 + 3 * max_size  # how many, and three bytes for each
    return st.binary(min_size=size, max_size=size).map(atoms) if names else st.just(frozenset())


@st.composite
def odd_domains(draw) -> Domain:
    """Domains with hierarchies, ``either``, constants, equalities and names of all sorts."""
    typed = draw(st.booleans())
    kinds = KINDS if typed else st.just(("object",))
    constants = draw(st.sampled_from([{}, {"k": "pet" if typed else "object", "k.2": "object"}]))
    predicates = tuple(Predicate(name, tuple(draw(SOME_KINDS[typed]))) for name in draw(SOME_NAMES))
    actions = []
    for name in draw(SOME_NAMES):
        parameters = [Parameter(f"?{n}", draw(kinds)) for n in draw(SOME_NAMES) if n != "="]
        parameters = parameters or [Parameter("?on")]
        variables = [p.name for p in parameters]
        every = variables + list(constants)

        def fitting(types, variables=variables):
            """Any variable, and the constants of a right type: others are refused."""
            right = [name for name, kind in constants.items() if is_subtype(kind, types, TYPES)]
            return variables + right

        atoms = some_atoms({p.name: [*map(fitting, p.types)] for p in predicates}, 3)
        pairs = some([tuple(sorted(pair)) for pair in product(every, repeat=2)], 2)
        parts = [frozenset(draw(part)) for part in (atoms, atoms, pairs, pairs, atoms, atoms)]
        actions.append(ActionSchema(name, tuple(parameters), *parts))
    return Domain("d", TYPES if typed else {}, constants, predicates, tuple(actions))


@given(odd_domains())
@settings(max_examples=80, deadline=None)
def test_what_is_read_back_is_written_the_same(domain):
    text = format_domain(domain)
    again = parse_domain(text)
    assert format_domain(again) == without_comments(text)
    assert len(again.actions) == len(domain.actions)
    variables = {name[1:] for action in domain.actions for name in action.variables}
    unchanged = set(legal_names(variables).values()) == variables
    if text == without_comments(text) and unchanged:
        assert again == domain


@given(odd_domains(), st.data())
@settings(max_examples=40, deadline=None)
def test_instances_are_read_back_the_same(domain, data):
    kinds = st.sampled_from(["object", *domain.types])
    objects = {**domain.constants, **data.draw(st.dictionaries(st.sampled_from(NAMES), kinds))}
    wide = [p for p in domain.predicates if all(types == ("object",) for types in p.types)]
    usable = {p.name: [sorted(objects)] * p.arity for p in wide if objects or not p.arity}
    atoms = some_atoms(usable, 10)
    instance = Instance("p.1", "d", objects, data.draw(atoms), data.draw(atoms), data.draw(atoms))
    text = format_problem(instance, domain)
    written = parse_domain(format_domain(domain))
    again = parse_problem(text, written)
    assert format_problem(again, written) == without_comments(text)
    assert len(again.objects) == len(objects)
    assert len(again.init) == len(instance.init)


@pytest.mark.parametrize("domain", [PORT, NEGATIVE], ids=lambda domain: domain.name)
def test_pddl_and_tarski_read_it(domain, tmp_path):
    objects = TASK.objects if domain is PORT else {"a": "object", "b": "object"}
    init = TASK.init if domain is PORT else frozenset({Atom("p", ("a",))})
    instance = Instance("p", domain.name, objects, init, negative_goal=init)
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    files[0].write_text(format_domain(domain, ["a comment"]))
    files[1].write_text(format_problem(instance, domain))
    assert len(DomainParser()(files[0].read_text()).actions) == len(domain.actions)
    assert len(ProblemParser()(files[1].read_text()).init) == len(init)
    reader = PDDLReader(raise_on_error=True, case_insensitive=True)
    problem = reader.read_problem(*map(str, files))
    assert set(problem.actions) == {action.name for action in domain.actions}
    assert len(problem.init.as_atoms()) == len(init)


def test_pyperplan_reads_it():
    parser = Parser(None, None)
    parser.domInput = format_domain(PORT, ["a comment"])
    parser.probInput = format_problem(TASK, PORT)
    domain = parser.parse_domain(read_from_file=False)
    problem = parser.parse_problem(domain, read_from_file=False)
    assert set(domain.actions) == {"sail", "calm", "wait"}
    assert domain.types["tug"].parent.parent.name == "movable"
    assert set(problem.objects) == {"t", "pier", "rock"}
    assert len(problem.initial_state) == 3


WORKSHOP = Domain(
    "workshop",
    {"bench": "place", "place": "object", "tool": "object"},
    {"vice": "bench", "rack": "place", "saw": "tool", "dust": "object"},
    (
        Predicate("on", (("tool",), ("place",))),
        Predicate("has", ((OBJECT,), (OBJECT,))),
        Predicate("lit"),
    ),
    (
        ActionSchema(
            "clamp",
            (Parameter("?p", ("place",)),),
            preconditions=frozenset({Atom("on", ("saw", "?p")), Atom("has", ("vice", "dust"))}),
            add_effects=frozenset({Atom("on", ("saw", "vice")), Atom("has", ("rack", "?p"))}),
            delete_effects=frozenset({Atom("on", ("saw", "?p")), Atom("has", ("vice", "dust"))}),
        ),
    ),
)
"""Constants of four types, one of them the root, in all places where a positive literal stands."""
STRICT = replace(
    WORKSHOP,
    actions=(
        replace(
            WORKSHOP.actions[0],
            negative_preconditions=frozenset({Atom("on", ("saw", "rack"))}),
            inequalities=frozenset({("?p", "vice")}),
        ),
    ),
)
SHIFT = Instance(
    "shift",
    "workshop",
    {**WORKSHOP.constants, "shelf": "place"},
    frozenset({Atom("on", ("saw", "shelf")), Atom("has", ("vice", "dust"))}),
    frozenset({Atom("on", ("saw", "vice"))}),
)
CLAMP = [
    *("(on saw ?p)", "(has vice dust)"),
    *("(on saw vice)", "(has rack ?p)", "(not (on saw ?p))", "(not (has vice dust))"),
]


@pytest.mark.parametrize("domain", [WORKSHOP, STRICT])
def test_constants_are_read_back(domain):
    text = format_domain(domain)
    assert "  (:constants\n    vice - bench\n    rack - place\n    saw - tool\n    dust)\n" in text
    assert parse_domain(text) == domain
    again = parse_problem(format_problem(SHIFT, domain), parse_domain(text))
    assert again == SHIFT


@pytest.mark.parametrize("domain", [WORKSHOP, STRICT])
def test_pddl_and_tarski_read_constants(domain, tmp_path):
    """Each literal as it was written."""
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    files[0].write_text(format_domain(domain))
    files[1].write_text(format_problem(SHIFT, domain))
    read = DomainParser()(files[0].read_text())
    assert {(str(c), str(c.type_tag)) for c in read.constants} == {
        ("vice", "bench"), ("rack", "place"), ("saw", "tool"), ("dust", "None"),
    }  # fmt: skip
    [clamp] = read.actions
    literals = [*clamp.precondition.operands, *clamp.effect.operands]
    more = ["(not (on saw rack))", "(not (= ?p vice))"] if domain is STRICT else []
    assert sorted(map(str, literals)) == sorted(CLAMP + more)
    problem = PDDLReader(raise_on_error=True, case_insensitive=True).read_problem(*map(str, files))
    names = {c.name: c.sort.name for c in problem.language.constants()}
    assert names == {**SHIFT.objects}
    clamp = problem.get_action("clamp")
    assert len(clamp.precondition.subformulas) == 2 + len(more)
    effects = [f"{type(effect).__name__} {effect.atom}" for effect in clamp.effects]
    assert sorted(effects) == [
        "AddEffect has(rack,?p)",
        "AddEffect on(saw,vice)",
        "DelEffect has(vice,dust)",
        "DelEffect on(saw,?p)",
    ]


def test_pyperplan_reads_and_grounds_constants():
    parser = Parser(None, None)
    parser.domInput, parser.probInput = format_domain(WORKSHOP), format_problem(SHIFT, WORKSHOP)
    domain = parser.parse_domain(read_from_file=False)
    problem = parser.parse_problem(domain, read_from_file=False)
    assert {name: kind.name for name, kind in domain.constants.items()} == WORKSHOP.constants
    task = ground(problem)
    [plan] = [op for op in task.operators if op.name == "(clamp shelf)"]
    assert "(on saw vice)" in plan.add_effects
    assert task.goals <= plan.apply(task.initial_state)
