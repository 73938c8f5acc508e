"""Traces with the states as they most likely were, given the domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from dias.errors import TraceError, did_you_mean
from dias.learning.data.replay import SchemaInTraces
from dias.learning.soft.calibration import Trust, calibrate
from dias.learning.soft.given_parameters import with_given_first
from dias.learning.soft.likeliest import certain
from dias.learning.soft.sightings import lay_out
from dias.learning.soft.smooth import Smoothed, smooth
from dias.limits import check
from dias.strips.model import OBJECT, Atom, Domain
from dias.traces.record import LabelMode, Soft, Traces
from dias.traces.said_types import with_types_of
from dias.traces.writer import Block, Step, segment_header

N_DIGITS = 4
"""Digits of a probability; what they do not tell from 0 or 1 is certain."""


@dataclass(frozen=True)
class Denoised:
    """What was made of traces.

    Attributes:
        blocks: Headers with their steps, for `dias.traces.writer.write_traces`.
        n_states: States; those that steps share are counted once.
        n_changed: Sightings, unknown ones not counted, of which the opposite is more likely.
        n_unknown: Atoms of states that were unknown, or seen true and false alike.
        n_doubted: Atoms that are not certain now.
        n_steps: Action to its steps.
        n_following: Action to those of them whose likeliest states follow each other in the domain.
        trust: Relation to how far its sightings were believed.
    """

    blocks: list[Block]
    n_states: int
    n_changed: int
    n_unknown: int
    n_doubted: int
    n_steps: Mapping[str, int]
    n_following: Mapping[str, int]
    trust: Mapping[str, Trust]


def denoise(traces: Traces, domain: Domain, is_certain: bool = False) -> Denoised:
    """The states as they most likely were.

    Args:
        traces: The transitions, with their places in walks.
        domain: The domain that they are of.
        is_certain: Whether to leave the probabilities out.

    Raises:
        TraceError: They do not fit the domain.
    """
    given, traces = traces, with_types_of(traces, domain)
    check_fit(traces, domain)
    sightings = lay_out(traces)
    domain = with_given_first(domain, sightings, traces)
    smoothed = smooth(sightings, domain, traces)
    trust = calibrate(sightings, [own.messages for own in smoothed])
    smoothed = smooth(sightings, domain, traces, trust)
    n_steps: dict[str, int] = {}
    n_following: dict[str, int] = {}
    blocks: list[Block] = []
    counts = np.zeros(3, dtype=np.int64)
    for own in smoothed:
        holding, rows, odds = own.holding(), own.sightings.rows, own.sightings.log_odds
        whole = holding.astype(float) if is_certain else own.messages.whole().round(N_DIGITS)
        counts += (
            int(((odds != 0) & ((odds > 0) != holding)).sum()),
            int((odds == 0).sum()),
            int(((whole > 0) & (whole < 1)).sum()),
        )
        static = traces.segments[own.sightings.segment].static
        states = certain(traces, [(own.sightings, holding[rows], holding[rows + 1])], merge=False)
        schemas = {s.name: SchemaInTraces(s, states) for s in domain.actions}
        for t in states.transitions:
            check()
            n_steps[t.action] = n_steps.get(t.action, 0) + t.count
            follows = schemas[t.action].reproduces(t)
            n_following[t.action] = n_following.get(t.action, 0) + t.count * follows
        header = segment_header(given, given.segments[own.sightings.segment], is_open=False)
        blocks.append((header, list(_steps(own, whole, holding, static))))
    return Denoised(
        blocks=blocks,
        n_states=sum(len(own.first) for own in sightings),
        n_changed=int(counts[0]),
        n_unknown=int(counts[1]),
        n_doubted=int(counts[2]),
        n_steps=dict(sorted(n_steps.items())),
        n_following=dict(sorted(n_following.items())),
        trust=trust,
    )


def check_fit(traces: Traces, domain: Domain) -> None:
    """Refuse traces that cannot be of the domain.

    Raises:
        TraceError: It lacks an action, an action has another number of arguments, a predicate
            another arity, objects are untyped where the domain asks for types, or a constant is
            missing.
    """

    def refuse(expected: str, found: str, remedy: str) -> None:
        problem = f"expected {expected}, found {found}"
        raise TraceError(problem, place=traces.source, remedy=remedy)

    schemas = {schema.name: schema for schema in domain.actions}
    for t in traces.transitions:
        if t.action not in schemas:
            close = did_you_mean(t.action, schemas) or "Give the domain that the traces are of"
            refuse(f"actions of the domain {domain.name}", t.action, close)
        arity, n = schemas[t.action].arity, len(t.arguments)
        if n > arity or (n < arity and traces.labels is LabelMode.FULL):
            remedy = 'Give the domain that the traces are of, or the right "labels"'
            refuse(f"{arity} argument(s) of {t.action}", str(n), remedy)
    arities = {own.name: own.arity for own in domain.predicates}
    for predicate in traces.predicates:
        arity = arities.get(predicate.name, predicate.arity)
        if arity != predicate.arity:
            wanted, found = (f"{predicate.name}/{n}" for n in (arity, predicate.arity))
            refuse(wanted, found, "Give the domain that the traces are of")
    types = {kind for s in domain.actions for _, kinds in s.parameters for kind in kinds} - {OBJECT}
    if types and not traces.types:
        remedy = 'Add "types" and "objects" to the header, or learn with --no-infer-types'
        refuse(f"objects of types ({', '.join(sorted(types))})", "objects without types", remedy)
    for segment in traces.segments:
        if missing := sorted(domain.constants.keys() - segment.objects.keys()):
            refuse("the constants of the domain", f"no {missing[0]}", 'Add it to "objects"')


def _steps(
    smoothed: Smoothed, whole: np.ndarray, holding: np.ndarray, static: frozenset[Atom]
) -> Iterator[Step]:
    """The steps in the order of the file, repeats included."""
    decode = smoothed.sightings.codes.decode

    def state(row: int) -> tuple[frozenset[Atom], Soft]:
        doubted = np.flatnonzero((whole[row] > 0) & (whole[row] < 1)).tolist()
        soft = {decode(code): round(float(whole[row, code]), N_DIGITS) for code in doubted}
        likely = frozenset(map(decode, np.flatnonzero(holding[row]).tolist()))
        return likely - static, frozenset(soft.items())

    every = zip(smoothed.sightings.rows.tolist(), smoothed.sightings.steps, strict=True)
    for row, t in sorted(every, key=lambda entry: entry[1].line):
        check()
        (before, soft), (after, next_soft) = state(row), state(row + 1)
        step = Step(before, t.action, t.arguments, after, t.walk, t.step)
        yield from [step._replace(soft=soft, next_soft=next_soft)] * t.count
