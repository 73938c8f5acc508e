"""The benchmark domains and problems against what the paper says of them."""

import inspect
import random
import re
import tomllib
from collections import Counter, defaultdict, deque
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.generate import DOMAINS, main, problem_text, write_all
from benchmarks.generators import BENCHMARKS
from benchmarks.generators.n_puzzle import sortable
from dias.strips.codes import State
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, is_subtype
from dias.strips.reader import read_domain, read_problem
from dias.strips.successors import SuccessorGenerator, codes_for, split_static

# Paper: app:per-domain. Parameter types, where a domain has some, are in PARAMETER_TYPES below.
ACTIONS = {
    "blocks-3": """
        stack(b,t): clear b, clear t, on-table b, !eq b t → on b t / clear t, on-table b
        newtower(b,f): clear b, on b f, !eq b f → on-table b, clear f / on b f
        move(b,f,t): clear b, clear t, on b f, !eq b t, !eq b f, !eq f t
            → on b t, clear f / on b f, clear t""",
    "n-puzzle": """
        move-up(t,c,d): tile t, cell c, cell d, at t c, blank d, above d c
            → at t d, blank c / at t c, blank d
        move-down(t,c,d): tile t, cell c, cell d, at t c, blank d, above c d
            → at t d, blank c / at t c, blank d
        move-left(t,c,d): tile t, cell c, cell d, at t c, blank d, right c d
            → at t d, blank c / at t c, blank d
        move-right(t,c,d): tile t, cell c, cell d, at t c, blank d, right d c
            → at t d, blank c / at t c, blank d""",
    "delivery": """
        pick-package(t,p,x): at p x, at t x, empty t → carrying t p / at p x, empty t
        drop-package(t,p,x): at t x, carrying t p → empty t, at p x / carrying t p
        move(t,f,g): adjacent f g, at t f, f ≠ g → at t g / at t f""",
    "driverlog": """
        load-truck(o,t,l): at t l, at o l → in o t / at o l
        unload-truck(o,t,l): at t l, in o t → at o l / in o t
        board-truck(d,t,l): at t l, at d l, empty t → driving d t / at d l, empty t
        disembark-truck(d,t,l): at t l, driving d t → at d l, empty t / driving d t
        drive-truck(t,f,g,d): at t f, driving d t, link f g → at t g / at t f
        walk(d,f,g): at d f, path f g → at d g / at d f""",
    "gripper": """
        move(f,g): room f, room g, at-robby f, !eq f g → at-robby g / at-robby f
        pick(o,r,h): ball o, room r, gripper h, at o r, at-robby r, free h
            → carry o h / at o r, free h
        drop(o,r,h): ball o, room r, gripper h, carry o h, at-robby r
            → at o r, free h / carry o h""",
    "hanoi": """
        move(d,f,t): smaller d f, smaller d t, on d f, clear d, clear t, d ≠ f, d ≠ t, f ≠ t
            → clear f, on d t / on d f, clear t""",
    "logistics": """
        load(o,v,l): object o, vehicle v, location l, at v l, at o l → in o v / at o l
        unload(o,v,l): object o, vehicle v, location l, at v l, in o v → at o l / in o v
        drive(t,l,m,c): truck t, location l, location m, city c, at t l, loc l c, loc m c, l ≠ m
            → at t m / at t l
        fly(p,a,b): airplane p, airport a, airport b, at p a, a ≠ b → at p b / at p a""",
    "miconic": """
        unboard(p,f): person p, floor f, lift_pos f, in_lift p → in_floor p f / in_lift p
        board(p,f): person p, floor f, lift_pos f, in_floor p f → in_lift p / in_floor p f
        move_up(x,y): floor x, floor y, lift_pos x, above y x → lift_pos y / lift_pos x
        move_down(x,y): floor x, floor y, lift_pos x, above x y → lift_pos y / lift_pos x""",
    "satellite": """
        turn_to(s,n,o): pointing s o → pointing s n / pointing s o
        switch_on(i,s): on_board i s, power_avail s → power_on i / calibrated i, power_avail s
        switch_off(i,s): on_board i s, power_on i → power_avail s / power_on i
        calibrate(s,i,d): on_board i s, calibration_target i d, pointing s d, power_on i
            → calibrated i /
        take_image(s,d,i,m): calibrated i, on_board i s, supports i m, power_on i, pointing s d
            → have_image d m /""",
    "sokoban": """
        move-player(x,y): adjacent x y, has_player x, !has_box y → has_player y / has_player x
        push-box(x,y,z): has_player x, has_box y, !has_box z, adjacent x y, adjacent y z,
            adjacent_2 x z → has_box z, has_player y / has_box y, has_player x""",
    "sokoban-pull": """
        move-player(x,y): adjacent x y, has_player x, !has_box y → has_player y / has_player x
        push-box(x,y,z): has_player x, has_box y, !has_box z, adjacent x y, adjacent y z,
            adjacent_2 x z → has_box z, has_player y / has_box y, has_player x
        pull-box(x,y,z): has_player y, has_box z, !has_box x, adjacent x y, adjacent y z,
            adjacent_2 x z → has_box y, has_player x / has_box z, has_player y""",
    "spanner": """
        walk(a,b,m): at m a, link a b → at m b / at m a
        pickup_spanner(l,s,m): at m l, at s l → carrying m s / at s l
        tighten_nut(l,s,m,n): at m l, at n l, carrying m s, useable s, loose n
            → tightened n / loose n, useable s""",
    "visitall": "move(c,n): at-robot c, connected c n → at-robot n, visited n / at-robot c",
}

# Predicates with arity, then which are static, then the objects of p01 to p04.
PREDICATES = {
    "blocks-3": "clear/1 on-table/1 on/2 eq/2",
    "n-puzzle": "tile/1 cell/1 at/2 blank/1 above/2 right/2",
    "delivery": "at/2 carrying/2 empty/1 adjacent/2",
    "driverlog": "at/2 in/2 driving/2 link/2 path/2 empty/1",
    "gripper": "room/1 ball/1 gripper/1 at-robby/1 at/2 free/1 carry/2 eq/2",
    "hanoi": "clear/1 on/2 smaller/2",
    "logistics": "object/1 truck/1 airplane/1 vehicle/1 location/1 airport/1 city/1 loc/2 at/2"
    " in/2",
    "miconic": "person/1 floor/1 lift_pos/1 in_lift/1 in_floor/2 above/2",
    "satellite": "on_board/2 supports/2 pointing/2 power_avail/1 power_on/1 calibrated/1"
    " have_image/2 calibration_target/2",
    "sokoban": "has_player/1 has_box/1 adjacent/2 adjacent_2/2",
    "sokoban-pull": "has_player/1 has_box/1 adjacent/2 adjacent_2/2",
    "spanner": "at/2 carrying/2 useable/1 link/2 tightened/1 loose/1",
    "visitall": "connected/2 at-robot/1 visited/1",
}
STATIC = {
    "blocks-3": "eq",
    "n-puzzle": "tile cell above right",
    "delivery": "adjacent",
    "driverlog": "link path",
    "gripper": "room ball gripper eq",
    "hanoi": "smaller",
    "logistics": "object truck airplane vehicle location airport city loc",
    "miconic": "person floor above",
    "satellite": "on_board supports calibration_target",
    "sokoban": "adjacent adjacent_2",
    "sokoban-pull": "adjacent adjacent_2",
    "spanner": "link",
    "visitall": "connected",
}
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
# N_min, N_max for training, the same for validation, alpha.
SAMPLES = {
    "blocks-3": (100, 1000, 50, 500, 1.0),
    "n-puzzle": (100, 1000, 50, 500, 1.0),
    "delivery": (1000, 2000, 500, 1000, 0.1),
    "driverlog": (2000, 3000, 1000, 1500, 0.01),
    "gripper": (200, 1000, 100, 500, 1.0),
    "hanoi": (1000, 1000, 500, 500, 0.3),
    "logistics": (100, 1000, 50, 500, 0.3),
    "miconic": (100, 1000, 50, 500, 1.0),
    "satellite": (100, 1000, 50, 500, 1.0),
    "sokoban": (20, 1000, 10, 500, 1.0),
    "sokoban-pull": (100, 1000, 50, 500, 1.0),
    "spanner": (200, 1000, 100, 500, 0.1),
    "visitall": (100, 1000, 50, 500, 1.0),
}
# The typed domains: types with their parents, parameters of predicates and, by letter, of actions.
TYPES = {
    "delivery": "cell - object, locatable - object, package - locatable, truck - locatable",
    "driverlog": "location - object, locatable - object, driver - locatable, truck - locatable,"
    " obj - locatable",
    "satellite": "satellite - object, direction - object, instrument - object, mode - object",
    "spanner": "location - object, locatable - object, man - locatable, nut - locatable,"
    " spanner - locatable",
}
PREDICATE_TYPES = {
    "delivery": "at locatable cell, carrying truck package, empty truck, adjacent cell cell",
    "driverlog": "at locatable location, in obj truck, driving driver truck,"
    " link location location, path location location, empty truck",
    "satellite": "on_board instrument satellite, supports instrument mode,"
    " pointing satellite direction, power_avail satellite, power_on instrument,"
    " calibrated instrument, have_image direction mode, calibration_target instrument direction",
    "spanner": "at locatable location, carrying man spanner, useable spanner,"
    " link location location, tightened nut, loose nut",
}
PARAMETER_TYPES = {
    "delivery": "t - truck, p - package, x - cell, f - cell, g - cell",
    "driverlog": "o - obj, t - truck, d - driver, l - location, f - location, g - location",
    "satellite": "s - satellite, n - direction, o - direction, d - direction, i - instrument,"
    " m - mode",
    "spanner": "m - man, n - nut, s - spanner, l - location, a - location, b - location",
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

each_domain = pytest.mark.parametrize("domain", sorted(ACTIONS))


def test_the_tables_speak_of_all_domains():
    """So that no domain escapes the tests below."""
    assert set(BENCHMARKS) == set(ACTIONS)
    assert {path.name for path in DOMAINS.iterdir()} == set(ACTIONS)


@each_domain
def test_schemas(domain: str):
    found = load_domain(domain)
    letters = pairs(PARAMETER_TYPES.get(domain, ""))
    expected = [
        action_schema(line, letters)
        for line in re.split(r"\n(?=\s*[\w-]+\()", ACTIONS[domain].strip())
    ]
    assert found.name == domain
    assert found.types == pairs(TYPES.get(domain, ""))
    assert [with_sorted_inequalities(action) for action in found.actions] == expected


@each_domain
def test_predicates(domain: str):
    found = load_domain(domain)
    assert [f"{p.name}/{p.arity}" for p in found.predicates] == PREDICATES[domain].split()
    assert {p.name for p in found.predicates} - found.fluents == set(STATIC[domain].split())
    if domain in PREDICATE_TYPES:
        typed = [[p.name, *(kind for (kind,) in p.types)] for p in found.predicates]
        assert typed == [signature.split() for signature in PREDICATE_TYPES[domain].split(", ")]


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
def test_settings(domain: str):
    settings = tomllib.loads((DOMAINS / domain / "dias.toml").read_text())
    names = ("min_per_action", "max_per_action", "validation_min", "validation_max")
    assert set(settings) == {"sample", "learn"}
    assert settings["sample"] == dict(zip(names, SAMPLES[domain][:4], strict=True))
    assert settings["learn"] == {"alpha": SAMPLES[domain][4]}


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


def test_all_rewrites_the_same_bytes(tmp_path: Path):
    for domain in BENCHMARKS:
        (tmp_path / domain).mkdir()
    for path in write_all(tmp_path):
        assert path.read_bytes() == (DOMAINS / path.relative_to(tmp_path)).read_bytes(), path


@each_domain
def test_the_first_line_is_the_command_that_writes_the_file(domain: str, tmp_path: Path):
    kept = DOMAINS / domain / "p02.pddl"
    command = kept.read_text().splitlines()[0].removeprefix("; python -m benchmarks.generate ")
    on_screen = CliRunner().invoke(main, command.split())
    to_file = CliRunner().invoke(main, [*command.split(), "-o", str(tmp_path / "p.pddl")])
    assert on_screen.exit_code == to_file.exit_code == 0
    assert on_screen.stdout == kept.read_text()
    assert to_file.stdout == ""
    assert (tmp_path / "p.pddl").read_bytes() == kept.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["p.pddl"]


def test_seeds_matter():
    sizes = {"floors": 9, "persons": 9}
    assert problem_text("miconic", sizes, 1) == problem_text("miconic", sizes, 1)
    first, second = (problem_text("miconic", sizes, seed).splitlines()[3:] for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("blocks-3 --blocks 1", "blocks must be at least 2, found 1"),
        ("n-puzzle --size 1", "size must be at least 2, found 1"),
        ("delivery --size 3 --packages 0 --trucks 1", "packages must be at least 1, found 0"),
        (
            "driverlog --drivers 1 --trucks 1 --packages 1 --places 4 --links 2 --paths 4",
            "4 places are connected by 3 to 6 links, found 2",
        ),
        (
            "driverlog --drivers 1 --trucks 1 --packages 1 --places 4 --links 3 --paths 7",
            "4 places are connected by 3 to 6 paths, found 7",
        ),
        ("gripper --balls 1 --rooms 1", "rooms must be at least 2, found 1"),
        ("hanoi --discs 0", "discs must be at least 1, found 0"),
        ("hanoi --discs 3 --pegs 2", "pegs must be at least 3, found 2"),
        (
            "logistics --cities 3 --locations 1 --packages 1 --airplanes 1 --trucks 2",
            "3 cities need a truck each, found 2 trucks",
        ),
        (
            "logistics --cities 1 --locations 1 --packages 1 --airplanes 1 --trucks 1",
            "locations must be at least 2, found 1",
        ),
        ("miconic --floors 1 --persons -3", "floors must be at least 2, found 1"),
        (
            "satellite --satellites 3 --instruments 2 --modes 1 --directions 2",
            "instruments must be at least 3, found 2",
        ),
        ("sokoban --size 2 --boxes 1", "size must be at least 3, found 2"),
        ("sokoban-pull --size 4 --boxes 3", "size 4 has room for 1 to 2 boxes, found 3"),
        (
            "spanner --spanners 2 --nuts 3 --locations 1",
            "3 nuts need a spanner each, found 2 spanners",
        ),
        ("visitall --size 1", "size must be at least 2, found 1"),
    ],
)
def test_bad_sizes_are_one_line(command: str, message: str, tmp_path: Path):
    output = tmp_path / "p.pddl"
    result = CliRunner().invoke(main, [*command.split(), "-o", str(output)])
    assert result.exit_code == 1
    assert result.stderr == f"Error: {command.split()[0]}: {message}\n"
    assert not output.exists()


def test_output_that_cannot_be_written(tmp_path: Path):
    output = tmp_path / "missing" / "p.pddl"
    result = CliRunner().invoke(main, ["hanoi", "--discs", "3", "-o", str(output)])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {output}: cannot be written: ")


@pytest.mark.parametrize("command", [[], ["--all", "hanoi", "--discs", "3"], ["hanoi"]])
def test_wrong_usage(command: list[str]):
    assert CliRunner().invoke(main, command).exit_code == 2


@each_domain
def test_help_lists_every_size(domain: str):
    signature = inspect.signature(BENCHMARKS[domain].module.generate)
    sizes = [p.name for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    result = CliRunner().invoke(main, [domain, "--help"])
    assert set(BENCHMARKS[domain].sizes[0]) == set(sizes)
    for size in sizes:
        assert re.search(rf"--{size} INTEGER +[A-Z]", result.output), size


def load_domain(name: str) -> Domain:
    return read_domain(DOMAINS / name / "domain.pddl")


def task(domain: Domain, problem: Instance) -> tuple[State, SuccessorGenerator, State]:
    """The initial state, the successor generator and the goal."""
    codes = codes_for(problem, domain)
    static, start = split_static(problem.init, codes, domain.fluents)
    generator = SuccessorGenerator(domain, problem.objects, codes, static, domain.fluents)
    return start, generator, codes.encode_state(problem.goal)


def with_sorted_inequalities(action: ActionSchema) -> ActionSchema:
    return replace(action, inequalities=frozenset((min(x), max(x)) for x in action.inequalities))


def pairs(text: str) -> dict[str, str]:
    """``x - y, z - w`` as a dict."""
    return dict(pair.split(" - ") for pair in text.split(", ") if pair)


def action_schema(text: str, types: dict[str, str]) -> ActionSchema:
    """The schema ``name(x,y): p x, !q y, x ≠ y → add / delete``; `types` of its letters."""
    head, body = re.sub(r"\s+", " ", text).split(": ")
    name, letters = re.fullmatch(r" ?(\S+)\((\S+)\)", head).groups()
    conditions, effects = body.split(" → ")
    added, deleted = effects.split(" /")

    def atoms(text: str) -> frozenset[Atom]:
        words = [literal.split() for literal in text.split(",") if literal.strip()]
        return frozenset(Atom(word[0], tuple(f"?{x}" for x in word[1:])) for word in words)

    literals = conditions.split(", ")
    return ActionSchema(
        name=name,
        parameters=tuple(Parameter(f"?{x}", (types.get(x, "object"),)) for x in letters.split(",")),
        preconditions=atoms(",".join(x for x in literals if x[0] != "!" and "≠" not in x)),
        negative_preconditions=atoms(",".join(x[1:] for x in literals if x[0] == "!")),
        inequalities=frozenset(
            tuple(f"?{letter}" for letter in sorted(x.split(" ≠ "))) for x in literals if "≠" in x
        ),
        add_effects=atoms(added),
        delete_effects=atoms(deleted),
    )
