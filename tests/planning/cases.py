"""Small tasks to plan in, and what is a plan of one."""

from __future__ import annotations

from itertools import pairwise

from dias.planning.plan import HEURISTICS
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from tests.oracles import naive_successors

UNINFORMED = ["bfs", "ids"]
PAIRS = [(s, h) for s in ("astar", "wastar", "gbf", "ehs", "lazy") for h in sorted(HEURISTICS)]
PAIRS += [(search, "blind") for search in UNINFORMED]


def atoms(*texts):
    return frozenset(Atom(t.split()[0], tuple(t.split()[1:])) for t in texts)


def action(name, parameters=(), pre=(), add=(), delete=(), negative=(), **more):
    return ActionSchema(
        name,
        tuple(Parameter(p) if isinstance(p, str) else Parameter(*p) for p in parameters),
        atoms(*pre),
        atoms(*negative),
        add_effects=atoms(*add),
        delete_effects=atoms(*delete),
        **more,
    )


def domain(arities, *actions, types=None, constants=None):
    predicates = tuple(Predicate(name, (("object",),) * n) for name, n in arities.items())
    return Domain("d", types or {}, constants or {}, predicates, actions)


def problem(objects, init, goal=(), negative_goal=(), **more):
    if isinstance(objects, str):
        objects = dict.fromkeys(objects.split(), "object")
    return Instance("p", "d", objects, atoms(*init), atoms(*goal), atoms(*negative_goal), **more)


BLOCKS = domain(
    {"on": 2, "table": 1, "covered": 1},
    action(
        "stack", ["?b", "?t"], ["table ?b"], ["on ?b ?t", "covered ?t"], ["table ?b"],
        ["covered ?b", "covered ?t"], inequalities=frozenset([("?b", "?t")]),
    ),
    action(
        "unstack", ["?b", "?f"], ["on ?b ?f"], ["table ?b"], ["on ?b ?f", "covered ?f"],
        ["covered ?b", "table ?b"], inequalities=frozenset([("?b", "?f")]),
    ),
)  # fmt: skip
"""Blocks whose `clear` is the negation of `covered`."""

SUSSMAN = problem(
    "a b c", ["on c a", "covered a", "table a", "table b"], ["on a b", "on b c", "table c"]
)


def check_plan(the_domain, instance, steps):
    """Walk the plan with the naive oracle, and look at the goal."""
    state = instance.init
    for step in steps:
        (change,) = [
            (added, deleted)
            for name, arguments, added, deleted in naive_successors(
                the_domain, instance.objects, state
            )
            if step == (name, arguments)
        ]
        state = (state - change[1]) | change[0]
    assert instance.goal <= state and not instance.negative_goal & state


def blocks(n):
    names = [f"b{i:02}" for i in range(n)]
    goal = [f"on {a} {b}" for a, b in pairwise(names)]
    return problem(" ".join(names), [f"table {b}" for b in names], goal)
