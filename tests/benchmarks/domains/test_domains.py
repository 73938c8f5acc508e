"""The benchmark domains against what the paper says of them, ours against `own` and `fresh`."""

import re
import tomllib
from dataclasses import replace

import pytest

from benchmarks.generate import DOMAINS
from benchmarks.generators import BENCHMARKS, FRESH, OWN, PAPER, SUITES
from benchmarks.tables import main
from dias.strips.model import ActionSchema, Atom, Parameter
from dias.strips.pddl.reader import read_domain

from . import fresh, own

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
        turn_to(s,n,o): pointing s o, n ≠ o → pointing s n / pointing s o
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

# Predicates with their arities, then those that no action changes.
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

each_domain = pytest.mark.parametrize("domain", sorted(BENCHMARKS))


def test_the_tables_speak_of_all_domains():
    """So that no domain escapes the tests below."""
    assert set(PAPER) == set(ACTIONS)
    assert set(OWN) == set(own.ACTIONS)
    assert set(FRESH) == set(fresh.ACTIONS)
    folders = {path.name for path in DOMAINS.iterdir() if path.is_dir()}
    assert folders == set(ACTIONS | own.ACTIONS | fresh.ACTIONS)


def test_the_suites():
    """What the measurements run unless told otherwise are the paper's domains."""
    assert {name: set(suite) for name, suite in SUITES.items()} == {
        "paper": set(ACTIONS),
        "own": set(own.ACTIONS),
        "fresh": set(fresh.ACTIONS),
        "all": set(ACTIONS | own.ACTIONS | fresh.ACTIONS),
    }
    assert set(main.FULL.domains) == set(ACTIONS)


@each_domain
def test_schemas(domain: str):
    found = read_domain(DOMAINS / domain / "domain.pddl")
    letters = pairs((PARAMETER_TYPES | own.PARAMETER_TYPES | fresh.PARAMETER_TYPES).get(domain, ""))
    expected = [
        action_schema(line, letters)
        for line in re.split(
            r"\n(?=\s*[\w-]+\()", (ACTIONS | own.ACTIONS | fresh.ACTIONS)[domain].strip()
        )
    ]
    assert found.name == domain
    assert found.types == pairs((TYPES | own.TYPES | fresh.TYPES).get(domain, ""))
    assert [with_sorted_inequalities(action) for action in found.actions] == expected


@each_domain
def test_predicates(domain: str):
    found = read_domain(DOMAINS / domain / "domain.pddl")
    signatures = [f"{p.name}/{p.arity}" for p in found.predicates]
    assert signatures == (PREDICATES | own.PREDICATES | fresh.PREDICATES)[domain].split()
    static = {p.name for p in found.predicates} - found.fluents
    assert static == set((STATIC | own.STATIC | fresh.STATIC)[domain].split())
    expected = (PREDICATE_TYPES | own.PREDICATE_TYPES | fresh.PREDICATE_TYPES).get(domain)
    if expected:
        typed = [[p.name, *(kind for (kind,) in p.types)] for p in found.predicates]
        assert typed == [signature.split() for signature in expected.split(", ")]


@each_domain
def test_settings(domain: str):
    settings = tomllib.loads((DOMAINS / domain / "dias.toml").read_text())
    names = ("min_per_action", "max_per_action", "validation_min", "validation_max")
    assert set(settings) == {"sample", "learn"}
    *sizes, alpha = (SAMPLES | own.SAMPLES | fresh.SAMPLES)[domain]
    assert settings["sample"] == dict(zip(names, sizes, strict=True))
    assert settings["learn"] == {"alpha": alpha}


def with_sorted_inequalities(action: ActionSchema) -> ActionSchema:
    return replace(action, inequalities=frozenset((min(x), max(x)) for x in action.inequalities))


def pairs(text: str) -> dict[str, str]:
    """``x - y, z - w`` as a dict."""
    return dict(pair.split(" - ") for pair in text.split(", ") if pair)


def action_schema(text: str, types: dict[str, str]) -> ActionSchema:
    """The schema ``name(x,y): p x, !q y, x ≠ y → add / delete``; `types` of its letters."""
    head, body = re.sub(r"\s+", " ", text).split(": ")
    name, letters = re.fullmatch(r" ?(\S+)\((\S*)\)", head).groups()
    conditions, effects = body.split(" → ")
    added, deleted = effects.split("/")

    def atoms(text: str) -> frozenset[Atom]:
        words = [literal.split() for literal in text.split(",") if literal.strip()]
        return frozenset(Atom(word[0], tuple(f"?{x}" for x in word[1:])) for word in words)

    literals = conditions.split(", ")
    return ActionSchema(
        name=name,
        parameters=tuple(
            Parameter(f"?{x}", (types.get(x, "object"),)) for x in letters.split(",") if x
        ),
        preconditions=atoms(",".join(x for x in literals if x[0] != "!" and "≠" not in x)),
        negative_preconditions=atoms(",".join(x[1:] for x in literals if x[0] == "!")),
        inequalities=frozenset(
            tuple(f"?{letter}" for letter in sorted(x.split(" ≠ "))) for x in literals if "≠" in x
        ),
        add_effects=atoms(added),
        delete_effects=atoms(deleted),
    )
