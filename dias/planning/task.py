"""Compiles a domain and an instance into the ground task that a search runs on.

Everything that s₀ decides for good is decided here: static goals, goals that no operator can
reach, negative goals on atoms that never become true. What remains is sets of codes, without
negation: "not a" is an atom of its own, the complement of a, wherever it is asked for (positive
normal form, Gazen and Knoblock 1997). So a heuristic that ignores deletions still sees that what
makes "not a" true has to be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dias.strips.codes import State
from dias.strips.grounding import GroundOperator, ground
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem

ALWAYS_TRUE = -1
"""A code that holds in every state; it stands in for an empty positive precondition or goal.

pyperplan's lmcut cannot reach an empty goal, and its hff skips operators without preconditions
when it computes preferred operators."""


def complement(code: int) -> int:
    """The code that holds where the atom of `code` does not; its complement is `code` again."""
    return -2 - code  # negative, and not ALWAYS_TRUE


@dataclass(frozen=True)
class GroundTask:
    """A ground planning task without negation.

    Attributes:
        operators: Sorted by name and arguments; each has a positive precondition, none a negative.
        init: The initial state.
        goal: Codes that must hold at the end; never empty.
        facts: Every code that can ever hold.
        unreachable: Why no plan can exist, as far as grounding shows it; else empty.
    """

    operators: tuple[GroundOperator, ...]
    init: State
    goal: State
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
    problem = CodedProblem.of(instance, domain)
    codes, init = problem.codes, problem.init
    grounded = [
        operator
        for operator in ground(domain, instance, check)
        if operator.add_effects or operator.delete_effects
    ]
    atoms = init.union(*(operator.add_effects for operator in grounded))
    refused = codes.encode_state(a for a in instance.negative_goal if a.predicate in domain.fluents)
    negated = (refused & atoms).union(*(operator.negative_preconditions for operator in grounded))
    init |= {ALWAYS_TRUE, *map(complement, sorted(negated - init))}
    operators = [_without_negation(operator, negated) for operator in grounded]
    n_before = len(operators) + 1
    while (
        len(operators) < n_before
    ):  # an atom that no operator deletes has a complement for nothing
        n_before = len(operators)
        facts = init.union(*(operator.add_effects for operator in operators))
        operators = [operator for operator in operators if operator.preconditions <= facts]

    goal: set[int] = set()
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
            code = codes.encode(atom)
            goal.update({complement(code)} if code in atoms else ())
            holds = code in atoms and complement(code) not in facts
        else:
            holds = atom in instance.init
        if holds and not unreachable:
            unreachable = f"the goal (not {atom}) asks for a change that no action makes"
    if contradiction := instance.goal & instance.negative_goal:
        unreachable = f"the goal asks for {min(contradiction)} and for its negation"
    return GroundTask(tuple(operators), init, frozenset(goal or [ALWAYS_TRUE]), facts, unreachable)


def _without_negation(operator: GroundOperator, negated: State) -> GroundOperator:
    """The operator with complements in place of negative literals.

    Args:
        operator: A ground operator.
        negated: The codes that have a complement.
    """
    _, pre, negative, add, delete = operator
    return GroundOperator(
        operator.action,
        pre.union(map(complement, negative)) or frozenset([ALWAYS_TRUE]),
        frozenset(),
        add.union(map(complement, delete & negated)),
        delete.union(map(complement, add & negated)),
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
