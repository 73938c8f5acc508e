"""Worlds to take samples of, and what is true of every walk."""

from __future__ import annotations

import random
from itertools import pairwise

from benchmarks.generate import DOMAINS
from dias.strips.model import ActionSchema, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import read_domain, read_problem
from dias.traces.sampling.sample import sample_traces
from dias.traces.sampling.samples import SamplingConfig
from tests.oracles import naive_successors
from tests.traces.files import atoms

OBJECT = ("object",)


def schema(name, pre="", add="", delete="", parameters=1):
    """An action over ``?x ?y …``; literals as text, separated by commas."""
    groups = (atoms(*filter(None, text.split(", "))) for text in (pre, add, delete))
    pre, add, delete = groups
    variables = tuple(Parameter(f"?{letter}") for letter in "xyz"[:parameters])
    return ActionSchema(name, variables, pre, add_effects=add, delete_effects=delete)


def corridor(n_rooms=4):
    """A one-way corridor: `walk` to the next room, `wave` in every room but the last."""
    rooms = [f"r{i}" for i in range(n_rooms)]
    domain = Domain(
        "corridor",
        predicates=(Predicate("at", (OBJECT,)), Predicate("door", (OBJECT,) * 2)),
        actions=(
            schema("walk", "at ?x, door ?x ?y", "at ?y", "at ?x", parameters=2),
            schema("fly", "at ?x, door ?x ?x", "at ?y", "at ?x", parameters=2),  # no such door
        ),
    )
    init = atoms("at r0", *(f"door {x} {y}" for x, y in pairwise(rooms)))
    return domain, Instance("p01", "corridor", dict.fromkeys(rooms, "object"), init)


def lamps(n_lamps=9):
    """Any of the lamps may be pressed at any time, and there is one bell to ring."""
    domain = Domain(
        "lamps",
        predicates=(Predicate("lamp", (OBJECT,)), Predicate("bell", (OBJECT,))),
        actions=(schema("press", "lamp ?x"), schema("ring", "bell ?x")),
    )
    names = [f"l{i}" for i in range(n_lamps)]
    init = atoms("bell b", *(f"lamp {name}" for name in names))
    return domain, Instance("p01", "lamps", dict.fromkeys([*names, "b"], "object"), init)


def benchmark(name, problem="p01"):
    domain = read_domain(DOMAINS / name / "domain.pddl")
    return domain, read_problem(DOMAINS / name / f"{problem}.pddl", domain)


def collect(case, seed=0, **limits):
    """One sample, and its steps as plain values: (walk, place, s, action, arguments, s′)."""
    domain, instance = case
    config = SamplingConfig(**limits)
    ((sample,),) = sample_traces(domain, [instance], [config], random.Random(seed))
    return sample, plain(sample)


def plain(sample):
    problem = sample.problem
    decode, static = problem.codes.decode_state, problem.static.atoms
    return [
        (
            step.walk,
            step.place,
            decode(step.state | static),
            step.successor.action,
            tuple(problem.codes.objects[number] for number in step.successor.binding),
            decode(step.next_state | static),
        )
        for step in sample.steps
    ]


def true_steps(domain, instance, state):
    return {
        (action, arguments, state - deleted | added)
        for action, arguments, added, deleted in naive_successors(domain, instance.objects, state)
    }


def check_walk(case, steps):
    """Every step is true, follows the one before it, or begins a walk in the initial state."""
    domain, instance = case
    position = (-1, -1, None)
    for walk, place, state, action, arguments, next_state in steps:
        assert (action, arguments, next_state) in true_steps(domain, instance, state)
        if place == 0:
            assert state == instance.init
            assert walk > position[0]
        else:
            assert (walk, place - 1, state) == position
        position = (walk, place, next_state)
