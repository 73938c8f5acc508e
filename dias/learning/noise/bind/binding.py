"""Effects and bindings, each made out with the help of the other (hard and soft EM).

Under the current literals every transition gets its likeliest bindings; under the bindings every
lifted atom over the variables is judged anew. A few rounds settle both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from dias.arrays import median
from dias.learning.noise.bind.patterns import Pattern
from dias.learning.noise.bind.rebind import (
    Ranked,
    background,
    largest_fall,
    literal_weights,
    rank_bindings,
)
from dias.learning.noise.bind.roles import (
    ADDED,
    ADDED_ANYWAY,
    ALWAYS,
    DELETED,
    DELETED_ANYWAY,
    NEVER,
    ROLES,
    FlipRates,
    Judgement,
    Role,
    judge,
)
from dias.learning.noise.observations import N_PAIRS, Observations
from dias.learning.schema import (
    EQUAL,
    Effects,
    LiftedAtom,
    LiftedSchema,
    lifted_atoms,
    preconditions,
)
from dias.limits import check

N_ROUNDS = 6
CONFIDENT = 0.9
"""Share that the best binding must have for its transition to say something about literals."""

MIN_LIKELY = 0.02
"""Share that a binding must have to be counted at all."""

OUTLYING = 12.0
"""Nats by which a transition may be less likely than the median and still count: beyond that it is
another action's, or disturbed past recognition. Where one wrong sighting can cost more, that
counts instead."""


@dataclass(frozen=True)
class ActionRoles:
    """An action: its variables, and what each lifted atom over them is to it.

    Attributes:
        name: Its name.
        rows: The transitions looked at.
        n_given: Leading variables that the transitions name.
        n_variables: Variables.
        effects: The atoms that the pattern of changes consists of.
        verdicts: Lifted atom to its role; atoms that are not listed are left alone.
    """

    name: str
    rows: np.ndarray
    n_given: int
    n_variables: int
    effects: frozenset[LiftedAtom]
    verdicts: dict[LiftedAtom, Judgement]


@dataclass(frozen=True)
class BoundAction:
    """An action with the bindings that explain its transitions, the one settled by the other.

    Attributes:
        action: Its variables and roles.
        ranked: The likeliest bindings under them.
        counts: Lifted atom to how often each pair was seen.
        evidence: ``[n]`` log likelihood ratio of each transition to noise alone.
        plausible: ``[n]`` whether that is near enough to the median for the transition to count.
    """

    action: ActionRoles
    ranked: Ranked
    counts: dict[LiftedAtom, np.ndarray]
    evidence: np.ndarray
    plausible: np.ndarray

    def sure_bindings(self) -> tuple[np.ndarray, np.ndarray]:
        """The transitions whose binding is beyond doubt, ``[n]``, and it, ``[n, V]``."""
        return _sure(self.ranked, self.plausible)


def start(name: str, rows: np.ndarray, pattern: Pattern, n_given: int) -> ActionRoles:
    """An action of which only a pattern of changes is known."""
    verdicts = {
        change.atom: Judgement(
            ADDED_ANYWAY if change.is_add else DELETED_ANYWAY, np.array([theta, 1 - theta])
        )
        for change, theta in zip(pattern.changes, pattern.thetas, strict=True)
    }
    return ActionRoles(name, rows, n_given, pattern.n_variables, frozenset(verdicts), verdicts)


def settle(
    seen: Observations,
    action: ActionRoles,
    rates: Mapping[str, FlipRates],
    totals: Mapping[str, np.ndarray],
) -> BoundAction:
    """Alternate between bindings and roles until the roles stay the same."""
    bound = bind(seen, action, rates, totals)
    for _ in range(N_ROUNDS - 1):
        before, bound = bound, bind(seen, bound.action, rates, totals)
        if _roles(bound) == _roles(before):
            break
    return bound


def _roles(bound: BoundAction) -> list[Role]:
    """Those of all lifted atoms, in their order."""
    return [verdict.role for verdict in bound.action.verdicts.values()]


def bind(
    seen: Observations,
    action: ActionRoles,
    rates: Mapping[str, FlipRates],
    totals: Mapping[str, np.ndarray],
) -> BoundAction:
    """One round: the likeliest bindings, and under them the roles of all lifted atoms."""
    literals = lifted_atoms(dict(seen.arities), action.n_variables)
    usual = background(totals, action.verdicts, len(action.rows))
    asked = literal_weights(action.verdicts, rates, usual)
    ranked = rank_bindings(seen, action.rows, asked, action.n_variables, action.n_given)
    evidence = ranked.evidence(seen.n_objects, action.n_given)
    furthest = max(OUTLYING, largest_fall(action.verdicts, asked))
    plausible = evidence > median(evidence) - furthest
    counts = _count_pairs(seen, action.verdicts, ranked, plausible, literals)
    verdicts = judge(
        np.reshape([counts[atom] for atom in literals], (-1, N_PAIRS)),
        [rates[atom.relation] for atom in literals],
        np.reshape([usual[atom.relation] for atom in literals], (-1, N_PAIRS)),
        [
            _open_roles(action.verdicts[atom].role) if atom in action.effects else ROLES
            for atom in literals
        ],
        math.log(max(1, len(literals))) + 3,
    )
    judged = replace(action, verdicts=dict(zip(literals, verdicts, strict=True)))
    return BoundAction(judged, ranked, counts, evidence, plausible)


def _open_roles(role: Role) -> tuple[Role, ...]:
    """What an atom of the pattern can be: the effect it seems, or nothing but noise."""
    if role.adds:
        return (ADDED, ADDED_ANYWAY, ALWAYS, NEVER)
    if role.deletes:
        return (DELETED, DELETED_ANYWAY, ALWAYS, NEVER)
    return ROLES


def without_idle_variables(action: ActionRoles) -> ActionRoles:
    """Drop the variables that occur in no effect any more."""
    used = set(range(action.n_given))
    for atom, verdict in action.verdicts.items():
        if verdict.role.is_effect:
            used |= set(atom.variables)
    number = {variable: place for place, variable in enumerate(sorted(used))}
    return replace(
        action,
        n_variables=len(used),
        effects=frozenset(a.renamed(number) for a in action.effects if used >= set(a.variables)),
        verdicts={
            atom.renamed(number): verdict
            for atom, verdict in action.verdicts.items()
            if used >= set(atom.variables)
        },
    )


def _sure(ranked: Ranked, plausible: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The transitions whose binding is beyond doubt, and the bindings."""
    sure = plausible & (ranked.posterior()[:, 0] > CONFIDENT)
    return ranked.rows[sure], ranked.bindings[sure, 0]


def _count_pairs(
    seen: Observations,
    verdicts: Mapping[LiftedAtom, Judgement],
    ranked: Ranked,
    plausible: np.ndarray,
    literals: list[LiftedAtom],
) -> dict[LiftedAtom, np.ndarray]:
    """How often each pair was seen of each literal.

    Effects are counted in all transitions, by the share of each binding: those whose binding is
    doubtful are mostly steps in which the effect changed nothing, and must not be forgotten. All
    other literals are counted where the binding is beyond doubt.
    """
    share = ranked.posterior()
    found = {}
    likely = (share > MIN_LIKELY) & plausible[:, None]
    at, _ = np.nonzero(likely)
    all_rows, all_bindings, all_shares = ranked.rows[at], ranked.bindings[likely], share[likely]
    rows, bindings = _sure(ranked, plausible)
    for atom in literals:
        check()
        verdict = verdicts.get(atom)
        if verdict is not None and verdict.role.is_effect:
            pairs = seen.look(all_rows, all_bindings, atom)
            found[atom] = np.bincount(pairs, all_shares, minlength=N_PAIRS)
        else:
            pairs = seen.look(rows, bindings, atom)
            found[atom] = np.bincount(pairs, minlength=N_PAIRS).astype(float)
    return found


def effects(action: ActionRoles) -> Effects:
    """The effects that the roles amount to, over all variables."""
    roles = [(atom, verdict.role) for atom, verdict in sorted(action.verdicts.items())]
    add = tuple(atom for atom, role in roles if role.adds)
    delete = tuple(atom for atom, role in roles if role.deletes)
    return Effects(action.n_variables, add, delete, action.n_given)


def roles_of(schema: LiftedSchema, rows: np.ndarray) -> ActionRoles:
    """What a finished schema makes of each lifted atom over its parameters.

    Args:
        schema: The schema. Atoms over its constants, which are no variables here, are passed over.
        rows: ``[n]`` the transitions of its action that are looked at.
    """
    n_constants = len(schema.constants)
    place = [variable - n_constants for variable in range(schema.n_variables)]
    asked = {literal.atom: literal.is_positive for literal in preconditions(schema)}
    roles = {atom: ALWAYS if holds else NEVER for atom, holds in asked.items()}
    for atom in schema.effects.delete:
        roles[atom] = DELETED if asked.get(atom) else DELETED_ANYWAY
    for atom in schema.effects.add:  # what is added wins
        roles[atom] = ADDED if asked.get(atom) is False else ADDED_ANYWAY
    verdicts = {
        atom.renamed(place): Judgement(role, np.full(len(role.truths), 1 / len(role.truths)))
        for atom, role in roles.items()
        if atom.relation != EQUAL and all(v >= n_constants for v in atom.variables)
    }
    n_given = max(0, schema.effects.n_given - n_constants)
    return ActionRoles(schema.action, rows, n_given, schema.arity, frozenset(), verdicts)
