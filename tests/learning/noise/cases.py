"""Traces with planted noise, for the tests of learning under noise."""

from __future__ import annotations

import random
import tempfile
from dataclasses import replace
from pathlib import Path

from numpy.random import default_rng

from dias.strips.model import Atom
from dias.traces.noise import Noise
from dias.traces.reader import read_traces
from dias.traces.record import LabelMode, Traces
from dias.traces.samples import SamplingConfig
from dias.traces.sampling import sample_traces, trace_block
from dias.traces.writer import write_traces
from tests.learning.cases import benchmark


def noisy(
    name: str,
    flips: float,
    n_per_action: int = 200,
    labels: LabelMode = LabelMode.NAMES,
    seed: int = 0,
) -> Traces:
    """A walk in the first problem of a benchmark domain, seen with the sampler's noise."""
    domain, problems = benchmark(name, "p01")
    config = SamplingConfig(n_per_action, 2 * n_per_action)
    ((sample,),) = sample_traces(domain, problems, [config], random.Random(seed))
    noise = Noise(sample.codes, flips, default_rng(seed)) if flips else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces.jsonl"
        write_traces(path, [trace_block(domain, sample, labels, noise=noise)])
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
