"""One run of one way in one world: what was learned, against the truth."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np
import torch
from threadpoolctl import threadpool_limits

import dias
from examples.pictures.piles import Piles
from examples.pictures.plan import solved_problems
from examples.pictures.puzzle import Puzzle
from examples.pictures.reader import Reader
from examples.pictures.together import together
from examples.pictures.ways import Learned, Seen, apart, denoised, is_borne_out
from examples.pictures.world import World

WORLDS = {world.name: world for world in (Puzzle, Piles)}
WAYS = ("apart", "denoised", "together")
N_HELD_OUT = 100
"""Held-out pictures of each thing."""
N_PROBLEMS = 5
"""Problems given as two pictures."""
N_STATES = 1500
"""States of larger problems in which a learned domain is measured."""

Row = dict[str, Any]


def measured(runs: list[tuple[str, int, int, str]], n_jobs: int) -> Iterator[Row]:
    """The rows of the runs, in their order."""
    if n_jobs == 1:
        yield from map(measure, runs)
    else:
        with multiprocessing.get_context("spawn").Pool(n_jobs) as pool:
            yield from pool.imap(measure, runs)


def measure(run: tuple[str, int, int, str]) -> Row:
    """One run: world, labels of each thing, seed, way."""
    name, n_labels, seed, way = run
    torch.set_num_threads(1)
    with threadpool_limits(1):
        world = WORLDS[name](seed)
        states, actions = world.walk(world.n_steps)
        pictures = world.draw(states)
        seen = Seen(pictures, actions, *world.labelled(n_labels))
        started = process_time()
        learned = learn(world, seen, way, seed)
        seconds = process_time() - started
        row = {"world": name, "labels": n_labels, "seed": seed, "way": way}
        row["seconds"] = round(seconds, 1)
        is_good = learned.explains_everything
        is_good = is_good and is_borne_out(world, seen, learned, np.random.default_rng(seed))
        row["status"] = 0 if is_good else 4
        return row | judged(world, seen, states, learned)


def learn(world: World, seen: Seen, way: str, seed: int) -> Learned:
    """By one of the three ways."""
    if way == "apart":
        return apart(world, seen)
    if way == "denoised":
        return denoised(world, seen, np.random.default_rng(seed))
    return together(world, seen, seed)


def judged(world: World, seen: Seen, states: np.ndarray, learned: Learned) -> Row:
    """What was learned against the truth, which only now is looked at."""
    held_out = world.labelled(N_HELD_OUT, held_out=True)
    oracle = Reader(seen.pictures.reshape(states.size, -1), states.ravel())
    row: Row = {
        "labels_alone": Reader(seen.labelled, seen.labels).accuracy(*held_out),
        "reading": learned.reader.accuracy(*held_out),
        "all_labels": oracle.accuracy(*held_out),
        "states_right": float((learned.states == states).all(1).mean()),
        "learn_status": 0 if learned.explains_everything else 4,
        "doubted": learned.result is not None and learned.result.is_weak,
        "precision": 0.0,
        "recall": 0.0,
        "perfect": False,
        "plans": 0,
    }
    if learned.result is not None:
        domain = learned.result.domain
        found = dias.evaluate(domain, world.domain, world.larger, N_STATES, time_limit_s=20)
        score = found.pooled.states
        row |= {"precision": score.precision, "recall": score.recall}
        row["perfect"] = bool(found.is_sound and found.is_complete)
        row["plans"] = solved_problems(world, domain, learned.reader, N_PROBLEMS)
    return row


def in_words(row: Row) -> str:
    """A row as a line."""
    return (
        f"{row['world']}, {row['labels']} labels, seed {row['seed']}, {row['way']}: reads "
        f"{row['labels_alone']:.1%} -> {row['reading']:.1%} (all labels: {row['all_labels']:.1%}); "
        f"precision {row['precision']:.2f}, recall {row['recall']:.2f}, status {row['status']}; "
        f"{row['plans']} of {N_PROBLEMS} plans valid; {row['seconds']} s of processor time"
    )
