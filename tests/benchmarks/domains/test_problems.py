"""The benchmark problems: sizes, soundness, solvability."""

import random
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import pytest

from benchmarks.generate import DOMAINS, problem_text
from benchmarks.generators.paper.n_puzzle import sortable
from dias.planning.plan import PlanStatus, plan
from dias.strips.codes import State
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import Domain, Instance, is_subtype
from dias.strips.pddl.reader import read_domain, read_problem
from dias.strips.problem import CodedProblem

from . import fresh, own

# Paper: app:per-domain, the objects of the training and the three test problems.
OBJECTS = {
    "blocks-3": (5, 10, 20, 40),
    "n-puzzle": (17, 31, 49, 71),
    "delivery": (15, 21, 45, 81),
    "driverlog": (16, 24, 48, 89),
    "gripper": (10, 12, 22, 42),
    "hanoi": (9, 15, 27, 51),
    "logistics": (15, 24, 36, 48),
    "miconic": (10, 10, 20, 40),
    "satellite": (36, 72, 80, 89),
    "sokoban": (16, 36, 49, 81),
    "sokoban-pull": (16, 36, 49, 81),
    "spanner": (28, 35, 67, 88),
    "visitall": (25, 36, 49, 64),
    **own.OBJECTS,
    **fresh.OBJECTS,
}

# Small enough for an exhaustive search.
TINY = {
    "blocks-3": {"blocks": 4},
    "n-puzzle": {"size": 2},
    "delivery": {"size": 2, "packages": 2, "trucks": 1},
    "driverlog": {"drivers": 1, "trucks": 1, "packages": 2, "places": 3, "links": 2, "paths": 2},
    "gripper": {"balls": 3, "rooms": 3},
    "hanoi": {"discs": 4},
    "logistics": {"cities": 2, "locations": 2, "packages": 2, "airplanes": 1, "trucks": 2},
    "miconic": {"floors": 3, "persons": 2},
    "satellite": {"satellites": 1, "instruments": 2, "modes": 3, "directions": 4},
    "sokoban": {"size": 4, "boxes": 2},
    "sokoban-pull": {"size": 4, "boxes": 2},
    "spanner": {"spanners": 2, "nuts": 2, "locations": 2},
    "visitall": {"size": 3},
    **own.TINY,
    **fresh.TINY,
}

# Domains whose p01 takes the planner more than a second.
HARD = ("lift-doors",)

each_domain = pytest.mark.parametrize("domain", sorted(OBJECTS))


@each_domain
def test_problems(domain: str):
    """Numbers of objects; every atom fits its declaration; the goal is still to be reached."""
    known = load_domain(domain)
    paths = sorted((DOMAINS / domain).glob("p*.pddl"))
    assert [path.name for path in paths] == ["p01.pddl", "p02.pddl", "p03.pddl", "p04.pddl"]
    problems = [read_problem(path, known) for path in paths]
    assert tuple(len(problem.objects) for problem in problems) == OBJECTS[domain]
    for problem in problems:
        assert problem.domain_name == domain
        for atom in problem.init | problem.goal:
            kinds = [problem.objects[term] for term in atom.terms]
            expected = known.predicate(atom.predicate).types
            assert len(kinds) == len(expected)
            assert all(map(is_subtype, kinds, expected, repeat(known.types)))
        assert problem.goal
        assert not problem.goal <= problem.init
    assert len({problem.init for problem in problems}) == 4


@each_domain
def test_a_walk_in_p01_sees_every_action(domain: str):
    known = load_domain(domain)
    problem = read_problem(DOMAINS / domain / "p01.pddl", known)
    n_walks = (own.WALKS | fresh.WALKS).get(domain, 10)
    seen = Counter(action for action, _ in walk(known, problem, n_walks))
    assert set(seen) == {action.name for action in known.actions}
    assert min(seen.values()) >= 20


@pytest.mark.parametrize("domain", sorted(own.OBJECTS | fresh.OBJECTS))
def test_every_precondition_of_ours_matters(domain: str):
    """In p01, each literal is at some time the only one that forbids an action."""
    known = load_domain(domain)
    problem = read_problem(DOMAINS / domain / "p01.pddl", known)
    states = [state for _, state in walk(known, problem)]
    for action in known.actions:
        positive, negative = action.preconditions, action.negative_preconditions
        for literal in positive | negative:
            changed = replace(
                action,
                preconditions=positive ^ {literal},
                negative_preconditions=negative ^ {literal},
            )
            _, generator, _ = task(replace(known, actions=(changed,)), problem, known.fluents)
            assert any(map(generator.successors, states)), (action.name, str(literal))


@pytest.mark.parametrize(
    "domain",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in HARD else [])
        for name in sorted(own.OBJECTS | fresh.OBJECTS)
    ],
)
def test_the_planner_solves_p01_of_ours(domain: str):
    known = load_domain(domain)
    problem = read_problem(DOMAINS / domain / "p01.pddl", known)
    assert plan(known, problem, time_limit_s=60).status is PlanStatus.SOLVED


@each_domain
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 3))])
def test_tiny_problems_are_solvable(domain: str, seed: int, tmp_path: Path):
    known = load_domain(domain)
    path = tmp_path / "tiny.pddl"
    path.write_text(problem_text(domain, TINY[domain], seed))
    start, generator, goal = task(known, read_problem(path, known))
    assert not goal <= start
    reached, frontier = {start}, deque([start])
    while frontier and not goal <= frontier[0]:
        state = frontier.popleft()
        for step in generator.successors(state):
            successor = state - step.deleted | step.added
            if successor not in reached:
                reached.add(successor)
                frontier.append(successor)
    assert frontier, "no state satisfies the goal"


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_sortable_boards_stay_sortable(size: int):
    rng = random.Random(size)
    board = list(range(size * size))
    blank = cell = len(board) - 1
    for _ in range(50):
        row, column = divmod(cell, size)
        steps = {cell - size: row > 0, cell + size: row < size - 1}
        steps |= {cell - 1: column > 0, cell + 1: column < size - 1}
        target = rng.choice([place for place, legal in steps.items() if legal])
        board[cell], board[target], cell = board[target], blank, target
        assert sortable(board, size)
        first, second, *_ = (place for place in range(3) if place != cell)
        swapped = board.copy()
        swapped[first], swapped[second] = swapped[second], swapped[first]
        assert not sortable(swapped, size)


def walk(known: Domain, problem: Instance, n_walks: int = 10) -> Iterator[tuple[str, State]]:
    """Actions, and the states before them, of walks of 100 steps from the initial state.

    Uniform over the names of the applicable actions, then over the bindings.
    """
    start, generator, _ = task(known, problem)
    rng = random.Random(0)
    for _ in range(n_walks):
        state = start
        for _ in range(100):
            by_name = defaultdict(list)
            for successor in generator.successors(state):
                by_name[successor.action].append(successor)
            if not by_name:
                break
            step = rng.choice(by_name[rng.choice(sorted(by_name))])
            yield step.action, state
            state = state - step.deleted | step.added


def load_domain(name: str) -> Domain:
    return read_domain(DOMAINS / name / "domain.pddl")


def task(
    domain: Domain, problem: Instance, fluents: frozenset[str] | None = None
) -> tuple[State, SuccessorGenerator, State]:
    """The initial state, the successor generator and the goal."""
    coded = CodedProblem.of(problem, domain, fluents=fluents)
    return coded.init, SuccessorGenerator(domain, coded), coded.codes.encode_state(problem.goal)
