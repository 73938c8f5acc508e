"""What is wrong with a ground action in a state, and which one is nearest to a wrong step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from math import inf
from typing import NamedTuple

from dias.strips.grounding import GroundAction
from dias.strips.model import ActionSchema, Atom, Domain, is_subtype

AtomState = frozenset[Atom]

MAX_TRIES = 5_000
"""Bindings, complete or not, that are looked at in search of the nearest one. The step's own
arguments come first, so that it is nearly always among the first hundred."""

_EQUALITY = "="


class Literal(NamedTuple):
    """A precondition; its atom may be an equality."""

    atom: Atom
    is_positive: bool

    def fault(self, binding: Mapping[str, str], state: AtomState) -> str | None:
        """Why it does not hold in a state; None if it does."""
        atom = self.atom.substitute(binding)
        if atom.predicate == _EQUALITY:
            left, right = atom.terms
            must = "be equal" if self.is_positive else "differ"
            is_wrong = (left == right) != self.is_positive
            return f"{' and '.join(self.atom.terms)} must {must}" if is_wrong else None
        if (atom in state) == self.is_positive:
            return None
        return f"{atom} {'does not hold' if self.is_positive else 'holds'}"


class Near(NamedTuple):
    """A ground action that comes near a step, and what is wrong with it, literal by literal."""

    action: GroundAction
    faults: tuple[str, ...]


def preconditions(schema: ActionSchema) -> list[Literal]:
    """The literals that a ground action has to satisfy, equalities first."""
    equalities = [Literal(Atom(_EQUALITY, pair), True) for pair in sorted(schema.equalities)]
    inequalities = [Literal(Atom(_EQUALITY, pair), False) for pair in sorted(schema.inequalities)]
    positive = [Literal(atom, True) for atom in sorted(schema.preconditions)]
    negative = [Literal(atom, False) for atom in sorted(schema.negative_preconditions)]
    return [*equalities, *inequalities, *positive, *negative]


def outcome(schema: ActionSchema, binding: Mapping[str, str], state: AtomState) -> AtomState:
    r"""The state that follows, (s \ Del) ∪ Add, whether or not the preconditions hold."""
    deleted = {atom.substitute(binding) for atom in schema.delete_effects}
    added = {atom.substitute(binding) for atom in schema.add_effects}
    return (state - deleted) | added


def nearest(
    schemas: Sequence[ActionSchema],
    domain: Domain,
    objects: Mapping[str, str],
    arguments: Sequence[str],
    state: AtomState,
    next_state: AtomState,
) -> Near | None:
    """The ground action that comes nearest to leading from s to s′.

    Each precondition that does not hold counts as one fault, and each atom in which its outcome
    differs from s′. Of those with the fewest faults it is the first, as far as `MAX_TRIES` go. One
    fault is enough: none has fewer, or the step would be a transition.

    Args:
        schemas: The actions that it may be of.
        domain: Their domain.
        objects: Object to type.
        arguments: Those of the step, which are tried first, each in its own place before others.
        state: s.
        next_state: s′.

    Returns:
        The action, or None if there is none with arguments of the right types.
    """
    found: Near | None = None
    n_least, n_tries = inf, 0

    def search(schema: ActionSchema) -> None:
        candidates = [
            [
                name
                for name in dict.fromkeys(chain(arguments[number : number + 1], order))
                if is_subtype(objects[name], own.types, domain.types)
            ]
            for number, own in enumerate(schema.parameters)
        ]
        place = {variable: number for number, variable in enumerate(schema.variables, start=1)}
        # What is known to be wrong as soon as so many variables are bound.
        due: list[list[Literal]] = [[] for _ in range(schema.arity + 1)]
        for literal in preconditions(schema):
            due[max((place.get(term, 0) for term in literal.atom.terms), default=0)].append(literal)

        def extend(binding: dict[str, str], faults: list[str]) -> None:
            nonlocal found, n_least, n_tries
            if n_least <= 1 or n_tries == MAX_TRIES:
                return
            n_tries += 1
            wrong = (literal.fault(binding, state) for literal in due[len(binding)])
            faults = [*faults, *filter(None, wrong)]
            if len(faults) >= n_least:
                return
            if len(binding) < schema.arity:
                variable = schema.variables[len(binding)]
                for name in candidates[len(binding)]:
                    extend({**binding, variable: name}, faults)
                return
            after = outcome(schema, binding, state)
            faults += [f"{atom} holds afterwards" for atom in sorted(after - next_state)]
            faults += [f"{atom} does not hold afterwards" for atom in sorted(next_state - after)]
            if len(faults) < n_least:
                found = Near(GroundAction(schema.name, tuple(binding.values())), tuple(faults))
                n_least = len(faults)

        extend({}, [])

    order = list(dict.fromkeys(chain(arguments, sorted(objects))))
    for schema in schemas:
        search(schema)
    return found
