"""Steps that were seen wrong: those that alone violate what all the others obey.

A precondition that one step in a thousand violates was either never one, or that step was not as it
was seen. Both are complete explanations of the steps: the first says of every other step that it
obeyed by accident, the second says of the odd ones which atoms were seen wrong. What takes fewer
nats is believed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dias.arrays import first_of_each, runs, spread
from dias.learning.data.shares import predicate_shares
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.certify import MAX_ROUNDS, MIN_CHANCE, certify_table
from dias.learning.extend.evidence import LOG_CHANCE, Evidence, log_passed_over, passing_over
from dias.learning.schema import LiftedAtom, LiftedSchema, Literal, literals_over, preconditions
from dias.learning.score import ROUNDING, max_odd, price_of_odd_step
from dias.limits import check
from dias.traces.record import Traces

SAMPLE = 200
"""States in which the action was passed over that are looked at first, spread evenly."""

MAX_TRIED = 4
"""Sets of steps that are weighed per round, those that obstruct most first."""


def without_odd_steps(
    schema: LiftedSchema, examples: Examples, found: BindingTable, traces: Traces
) -> tuple[LiftedSchema, BindingTable]:
    """The schema of the steps that are not odd, and their bindings; arguments as of `odd_steps`."""
    odd, _ = odd_steps(schema, examples, found, traces)
    if len(odd):
        found = found.where(~np.isin(found.owner, odd))
        certain = certify_table(schema.effects, examples, found)
        schema = replace(certain, origin=schema.origin)
    return schema, found


class OddSteps(NamedTuple):
    """Steps that may have been seen wrong.

    Attributes:
        steps: ``[n]`` their numbers, ascending.
        gain: What the preconditions that all the others obey are worth, these steps being paid for,
            in nats.
        schema: The schema of all the others.
        literals: Its preconditions that these steps violate, of negative ones those that pay.
    """

    steps: np.ndarray
    gain: float
    schema: LiftedSchema
    literals: tuple[Literal, ...]


def odd_steps(
    schema: LiftedSchema, examples: Examples, found: BindingTable, traces: Traces
) -> tuple[np.ndarray, OddSteps | None]:
    """The steps without which the schema has preconditions that are worth more than they are.

    Args:
        schema: The schema with what all explained steps obey.
        examples: The steps of the action.
        found: The bindings that explain them.
        traces: All steps.

    Returns:
        ``[n]`` their numbers, ascending. What the others obey is as unlikely by accident as
        `LOG_CHANCE`, once these are paid for. Then of the steps that are not odd those for which
        most speaks, if anything does.
    """
    explained = found.owner[first_of_each(found.owner)]
    n_allowed = max_odd(len(explained))
    odd = np.zeros(0, dtype=np.int64)
    if not n_allowed:
        return odd, None
    n_variables = found.rows.shape[1]
    literals = literals_over(examples.arities, n_variables)
    shares = np.array([examples.shares[literal.relation] for literal in literals])
    chances = np.clip(np.concatenate([shares, 1 - shares]), MIN_CHANCE, 1 - MIN_CHANCE)
    truth = examples.truth(*found, literals)
    truth = _likeliest(truth, found.owner)
    obeys = np.concatenate([truth, ~truth], axis=1)  # steps × literals, the positive ones first
    n_failing = (~obeys).sum(0)
    if not ((n_failing > 0) & (n_failing <= n_allowed)).any():
        return odd, None
    elsewhere = _nats_elsewhere(literals, examples, traces)
    price = price_of_odd_step(traces)
    while True:
        kept = ~np.isin(explained, odd)
        worth = elsewhere - np.log(chances) * int(kept.sum())
        evidence: Evidence | None = None
        best: OddSteps | None = None
        for steps in _candidates(obeys, worth, kept, n_allowed - len(odd), price):
            evidence = evidence or Evidence(schema, traces)
            without = np.union1d(odd, explained[steps])
            rest = found.where(~np.isin(found.owner, without))
            narrow = certify_table(schema.effects, examples, rest)
            new, nats = _gain(schema, narrow, evidence, math.log(len(literals)))
            gain = nats - price * len(steps)
            if gain > ROUNDING and (best is None or gain > best.gain):
                best = OddSteps(explained[steps], gain, narrow, new)
        if best is None or best.gain <= -LOG_CHANCE:
            return odd, best
        odd, schema = np.union1d(odd, best.steps), best.schema


def _gain(
    schema: LiftedSchema, narrow: LiftedSchema, evidence: Evidence, cost: float
) -> tuple[tuple[Literal, ...], float]:
    """The preconditions of the narrow schema that the other one has not, and their worth in nats.

    Args:
        schema: The other one.
        narrow: The narrow one.
        evidence: Weighs schemas against the other one.
        cost: What it takes to say a negative literal; positive ones that never fail cost nothing.
    """
    paid: list[LiftedAtom] = []
    for atom in sorted(set(narrow.negative) - set(schema.negative)):
        check()
        one = replace(schema, negative=(*schema.negative, atom))
        if -evidence.log_chance(one) > cost:
            paid.append(atom)
    known = {*preconditions(schema)}
    negative = tuple(atom for atom in narrow.negative if atom in (*schema.negative, *paid))
    narrow = replace(narrow, negative=negative)
    new = tuple(literal for literal in preconditions(narrow) if literal not in known)
    return new, -evidence.log_chance(narrow) - cost * len(paid)


def _candidates(
    obeys: np.ndarray, nats: np.ndarray, kept: np.ndarray, max_steps: int, price: float
) -> list[np.ndarray]:
    """Small sets of steps that alone violate some literal; the most promising first.

    Args:
        obeys: ``[m, L]`` which literals, positive and negative, hold in which steps.
        nats: ``[L]`` what it is worth that they never fail, roughly.
        kept: ``[m]`` which steps are not odd.
        max_steps: Steps in a set at most.
        price: What it takes to say that a step is odd.
    """
    violating = ~obeys & kept[:, None]
    n_violating = violating.sum(0)
    sets: dict[tuple[int, ...], float] = {}
    for column in np.flatnonzero((n_violating > 0) & (n_violating <= max_steps)):
        steps = tuple(np.flatnonzero(violating[:, column]).tolist())
        worth = float(nats[column]) - price * len(steps)
        sets[steps] = max(sets.get(steps, worth), worth)
    promising = sorted((own for own in sets if sets[own] > 0), key=lambda own: (-sets[own], own))
    return [np.array(own) for own in promising[:MAX_TRIED]]


def _nats_elsewhere(
    literals: Sequence[LiftedAtom], examples: Examples, traces: Traces
) -> np.ndarray:
    """``[2·L]`` nats for passing the action over where literals fail, the positive ones first.

    As many as if objects were drawn at random; types and = are taken to hold as often as in its own
    states.
    """
    steps = passing_over(examples.action, traces)
    looked_at = spread([step for step, n in steps if n], SAMPLE)
    shares = {**examples.shares, **predicate_shares(looked_at, traces)}
    holds = np.array([shares[literal.relation] for literal in literals])
    n_passed = sum(n for _, n in steps)
    return -n_passed * log_passed_over(traces) * np.concatenate([1 - holds, holds])


def _likeliest(truth: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """The literals of every step under the binding that agrees best with what most steps show.

    Args:
        truth: ``[n, L]`` which literals hold under the bindings.
        owner: ``[n]`` the step of each binding, ascending.

    Returns:
        ``[m, L]`` of the m steps that have a binding.
    """
    first, sizes = runs(owner)
    step = np.repeat(np.arange(len(first)), sizes)
    weight = 1 / sizes[step]
    for _ in range(MAX_ROUNDS):
        share = np.clip((weight @ truth) / len(first), MIN_CHANCE, 1 - MIN_CHANCE)
        score = truth @ np.log(share / (1 - share))
        best = np.lexsort((np.arange(len(step)), -score, step))[first]
        weight = np.zeros(len(step))
        weight[best] = 1.0
    return np.asarray(truth[best])
