"""Traces with planted noise, for the tests of learning under noise."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from numpy.random import default_rng

from dias.strips.model import Atom, Domain, Instance
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode, Traces
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.noise import Noise
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.writer import write_traces
from tests.learning.cases import benchmark


@cache
def noisy(
    name: str,
    flips: float,
    n_per_action: int = 80,
    labels: LabelMode = LabelMode.NAMES,
    seed: int = 0,
    problems: tuple[str, ...] = ("p01",),
) -> Traces:
    """Walks in problems of a benchmark domain, seen with the sampler's noise."""
    return noisy_walks(*benchmark(name, *problems), flips, n_per_action, labels, seed)


def noisy_walks(
    domain: Domain,
    instances: Sequence[Instance],
    flips: float,
    n_per_action: int = 80,
    labels: LabelMode = LabelMode.NAMES,
    seed: int = 0,
) -> Traces:
    """Walks in problems of a domain, seen with the sampler's noise."""
    config = SamplingConfig(n_per_action, 2 * n_per_action)
    arguments = StripsPlusArguments({action.name: action.arity for action in domain.actions})
    samples = list(sample_traces(domain, instances, [config], random.Random(seed), arguments))
    rng = default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces.jsonl"
        blocks = [
            trace_block(
                domain,
                sample,
                labels,
                arguments,
                noise=Noise(sample.problem.codes, flips, rng) if flips else None,
            )
            for (sample,) in samples
        ]
        write_traces(path, blocks)
        return read_traces(path)


def with_missing_atoms(traces: Traces, share: float, seed: int = 0) -> Traces:
    """The traces of an observer who overlooks a share of the true atoms."""
    rng = random.Random(seed)

    def seen(state: frozenset[Atom]) -> frozenset[Atom]:
        return frozenset(atom for atom in sorted(state) if rng.random() >= share)

    return replace(
        traces,
        transitions=tuple(
            replace(t, state=seen(t.state), next_state=seen(t.next_state))
            for t in traces.transitions
        ),
    )


def with_wrong_names(traces: Traces, share: float, seed: int = 0) -> Traces:
    """The traces with another action's name in a share of the transitions."""
    rng = random.Random(seed)

    def named(action: str) -> str:
        if rng.random() >= share:
            return action
        return rng.choice([name for name in traces.actions if name != action])

    return replace(
        traces, transitions=tuple(replace(t, action=named(t.action)) for t in traces.transitions)
    )


def with_confused(traces: Traces, one: str, other: str, share: float, seed: int = 0) -> Traces:
    """The traces of an observer who takes two objects for each other in a share of the states."""
    rng = random.Random(seed)
    instead = {one: other, other: one}

    def seen(state: frozenset[Atom]) -> frozenset[Atom]:
        if rng.random() >= share:
            return state
        return frozenset(
            Atom(a.predicate, tuple(instead.get(term, term) for term in a.terms)) for a in state
        )

    steps = [
        replace(step, state=seen(step.state), next_state=seen(step.next_state))
        for step in traces.transitions
    ]
    return replace(traces, transitions=tuple(steps))
