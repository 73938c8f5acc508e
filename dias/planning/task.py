"""Compiles a domain and an instance into the ground task that a search runs on.

Everything that s₀ decides for good is decided here: static goals, goals that no operator can
reach, negative goals on atoms that never become true. What remains is sets of codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dias.strips.codes import State
from dias.strips.grounding import GroundOperator, ground
from dias.strips.model import Domain, Instance
from dias.strips.problem import codes_for, split_static

ALWAYS_TRUE = -1
"""A code that holds in every state; it stands in for an empty positive precondition or goal.

pyperplan's lmcut cannot reach an empty goal, and its hff skips operators without preconditions
when it computes preferred operators."""


@dataclass(frozen=True)
class GroundTask:
    """A ground planning task with negative preconditions and goals.

    Attributes:
        operators: Sorted by name and arguments; each has a positive precondition.
        init: The initial state.
        goal: Codes that must hold at the end; never empty.
        negative_goal: Codes that must not hold at the end.
        facts: Every code that can ever hold.
        unreachable: Why no plan can exist, as far as grounding shows it; else empty.
    """

    operators: tuple[GroundOperator, ...]
    init: State
    goal: State
    negative_goal: State
    facts: State
    unreachable: str = ""


def compile_task(
    domain: Domain, instance: Instance, check: Callable[[], None] = lambda: None
) -> GroundTask:
    """Ground `domain` on `instance` and settle the goals that grounding can settle.

    Args:
        domain: The domain to plan in.
        instance: Objects, initial state and goal.
        check: Called for every binding; it may raise to stop the grounding.
    """
    codes = codes_for(instance, domain)
    # Sorted: the order in which a set is built can show in its iteration, and so in the plan.
    known = sorted(atom for atom in instance.init if atom.predicate in codes.arities)
    _, init = split_static(known, codes, domain.fluents)
    operators = tuple(
        operator
        if operator.preconditions
        else operator._replace(preconditions=frozenset([ALWAYS_TRUE]))
        for operator in ground(domain, instance, check)
        if operator.add_effects or operator.delete_effects
    )
    facts = init.union([ALWAYS_TRUE], *(operator.add_effects for operator in operators))

    goal, negative_goal = set(), set()
    unreachable = ""
    for atom in sorted(instance.goal):
        if atom.predicate in domain.fluents:
            goal.add(codes.encode(atom))
            holds = codes.encode(atom) in facts
        else:
            holds = atom in instance.init
        if not holds and not unreachable:
            unreachable = f"the goal {atom} does not hold and no operator can make it true"
    for atom in sorted(instance.negative_goal):
        if atom.predicate in domain.fluents:
            if codes.encode(atom) in facts:
                negative_goal.add(codes.encode(atom))
        elif atom in instance.init and not unreachable:
            unreachable = f"the goal (not {atom}) asks for a change that no action makes"
    if contradiction := instance.goal & instance.negative_goal:
        unreachable = f"the goal asks for {min(contradiction)} and for its negation"
    return GroundTask(
        operators,
        init | {ALWAYS_TRUE},
        frozenset(goal or [ALWAYS_TRUE]),
        frozenset(negative_goal),
        facts,
        unreachable,
    )


def watch_rarest(operators: Sequence[GroundOperator]) -> dict[int, list[int]]:
    """Index operators by one precondition each, the one that fewest operators share.

    The operators applicable in a state are then among those listed under its atoms.

    Returns:
        Code to the positions in `operators` that are listed under it.
    """
    shared = Counter(code for operator in operators for code in operator.preconditions)
    watchers: dict[int, list[int]] = {}
    for number, operator in enumerate(operators):
        rarest = min(operator.preconditions, key=lambda code: (shared[code], code))
        watchers.setdefault(rarest, []).append(number)
    return watchers
