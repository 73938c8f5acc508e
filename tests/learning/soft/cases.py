"""Walks in the garden, seen in part or with probabilities."""

from __future__ import annotations

import random
from functools import cache

import numpy as np

from dias.strips.model import Domain, Instance
from dias.traces.reading.reader import collect_traces
from dias.traces.record import LabelMode, Traces
from dias.traces.sampling.noise import Noise
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.sampling.sensor import Sensor, fluent_atoms
from tests.garden import GARDEN, PLOT


@cache
def seen(
    unknown: float = 0,
    flips: float = 0,
    labels: LabelMode = LabelMode.NAMES,
    n_per_action: int = 20,
    seed: int = 0,
) -> Traces:
    """The same walk for all shares of unknown atoms and all flips, which come as probabilities."""
    return seen_in(GARDEN, PLOT, unknown, flips, labels, n_per_action, seed)


def seen_in(
    domain: Domain,
    instance: Instance,
    unknown: float,
    flips: float,
    labels: LabelMode,
    n_per_action: int,
    seed: int = 0,
) -> Traces:
    """The same in any world."""
    config = SamplingConfig(n_per_action, 2 * n_per_action)
    [[sample]] = sample_traces(domain, [instance], [config], random.Random(seed))
    problem = sample.problem
    noise = Noise(problem.codes, flips, np.random.default_rng(seed)) if flips else None
    rng = np.random.default_rng((seed, 1))
    sensor = Sensor(problem.codes, fluent_atoms(domain, problem), unknown, noise, rng)
    return collect_traces([trace_block(domain, sample, labels, noise=noise, sensor=sensor)])
