"""The benchmark problems: sizes, soundness, solvability."""

import random
from collections import Counter, defaultdict, deque
from itertools import repeat
from pathlib import Path

import pytest

from benchmarks.generate import DOMAINS, problem_text
from benchmarks.generators.n_puzzle import sortable
from dias.strips.codes import State
from dias.strips.model import Domain, Instance, is_subtype
from dias.strips.reader import read_domain, read_problem
from dias.strips.successors import SuccessorGenerator, codes_for, split_static

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
}

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
    """Uniform over the names of the applicable actions, with a fresh start every 100 steps."""
    known = load_domain(domain)
    start, generator, _ = task(known, read_problem(DOMAINS / domain / "p01.pddl", known))
    rng = random.Random(0)
    seen: Counter[str] = Counter()
    for _ in range(10):
        state = start
        for _ in range(100):
            by_name = defaultdict(list)
            for successor in generator.successors(state):
                by_name[successor.action].append(successor)
            if not by_name:
                break
            step = rng.choice(by_name[rng.choice(sorted(by_name))])
            seen[step.action] += 1
            state = state - step.deleted | step.added
    assert set(seen) == {action.name for action in known.actions}
    assert min(seen.values()) >= 20


@each_domain
@pytest.mark.parametrize("seed", range(4))
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


def load_domain(name: str) -> Domain:
    return read_domain(DOMAINS / name / "domain.pddl")


def task(domain: Domain, problem: Instance) -> tuple[State, SuccessorGenerator, State]:
    """The initial state, the successor generator and the goal."""
    codes = codes_for(problem, domain)
    static, start = split_static(problem.init, codes, domain.fluents)
    generator = SuccessorGenerator(domain, problem.objects, codes, static, domain.fluents)
    return start, generator, codes.encode_state(problem.goal)
