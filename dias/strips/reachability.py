"""Delete-relaxed reachability: what can hold, and be done, if nothing ever becomes false.

The least fixpoint is computed semi-naively: after the first round an action is joined anew only
with bindings that use at least one atom of the round before. For that, each of its preconditions
in turn is asked of the new atoms alone, which are listed a second time under a predicate of their
own; the preconditions before it are asked of the others, so that no binding is found twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from dias.errors import GroundingError
from dias.strips.codes import AtomCodes
from dias.strips.joins.join import MAX_LOOPS, Successor
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import ActionSchema, Atom, Domain
from dias.strips.problem import CodedProblem

Binding = tuple[str, tuple[int, ...]]
"""Action name and object numbers."""

MAX_BINDINGS = 1_000_000
"""Reachable bindings that are listed at most: a search over more would not end either."""

_NEW = " new"
"""Marks the predicate of the new atoms; no PDDL name has a blank."""


def relaxed_reachable(
    domain: Domain, problem: CodedProblem, check: Callable[[], None]
) -> tuple[set[Binding], set[int]]:
    """The bindings that are applicable at some time, and the codes of the fluents that ever hold.

    Delete effects and negative preconditions on fluents count for nothing.

    Args:
        domain: The domain; fluents are the predicates that it adds or deletes.
        problem: The problem to begin in.
        check: Called once per binding found; it may raise to stop the work.

    Raises:
        GroundingError: There are more than `MAX_BINDINGS` bindings.
    """
    bindings: set[Binding] = set()

    def apply(successors: Iterable[Successor]) -> set[int]:
        """Note the bindings; return the atoms that they reach for the first time."""
        added: set[int] = set()
        for successor in successors:
            check()
            bindings.add((successor.action, successor.binding))
            if len(bindings) > MAX_BINDINGS:
                raise GroundingError(
                    f"the problem has more than {MAX_BINDINGS:,} ground actions, the last of them "
                    f"of {successor.action}",
                    remedy="Give the actions preconditions, or the problem fewer objects",
                )
            added |= successor.added
        return added

    relaxed = replace(domain, actions=tuple(_relax(a, domain.fluents) for a in domain.actions))
    codes = problem.codes
    whole = SuccessorGenerator(relaxed, problem)
    reached = set(problem.init)
    new = apply(whole.iterate(problem.init))
    if not new:
        return bindings, reached

    growing = relaxed.fluents  # only these can have new atoms
    marks = {f"{p}{_NEW}": codes.arities[p] for p in sorted(growing)}
    marked_codes = AtomCodes(codes.arities | marks, codes.objects)  # the old codes stay as they are
    shift = {p: marked_codes.offset[f"{p}{_NEW}"] - codes.offset[p] for p in growing}
    actions = tuple(v for action in whole.satisfiable for v in _variants(action, growing))
    partial = SuccessorGenerator(
        replace(relaxed, actions=actions),
        replace(problem, codes=marked_codes, fluents=problem.fluents | marks.keys()),
        rare=marks.keys(),
    )
    rows = partial.index(reached)
    while new:
        marked = {code + shift[codes.split(code)[0]] for code in new}
        partial.index(new, rows)
        partial.index(marked, rows)
        reached |= new
        reached |= marked
        new = apply(partial.iterate(reached, rows))
        reached -= marked
        partial.forget(marks.keys(), rows)
    return bindings, reached


def _relax(action: ActionSchema, fluents: frozenset[str]) -> ActionSchema:
    """Drop the delete effects and the negative preconditions on fluents."""
    static = (a for a in action.negative_preconditions if a.predicate not in fluents)
    return replace(action, negative_preconditions=frozenset(static), delete_effects=frozenset())


def _variants(action: ActionSchema, growing: frozenset[str]) -> Iterator[ActionSchema]:
    """The action once per precondition that a new atom may satisfy, asking it of those alone."""
    preconditions = [atom for atom in sorted(action.preconditions) if atom.predicate in growing]
    if preconditions and action.arity > MAX_LOOPS:
        yield action  # begun with another atom, its join might need more loops than there can be
        return
    marked = [Atom(f"{atom.predicate}{_NEW}", atom.terms) for atom in preconditions]
    for place, atom in enumerate(preconditions):
        yield replace(
            action,
            preconditions=action.preconditions - {atom} | {marked[place]},
            negative_preconditions=action.negative_preconditions | set(marked[:place]),
        )
