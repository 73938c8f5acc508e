"""Single wrong atoms: as many as asked for, and nothing else is changed."""

from __future__ import annotations

import json
import random

import pytest

from benchmarks.generators.random_domains import INJECTIVE, random_domain
from benchmarks.judging.spoil import flip_atoms
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.writer import write_traces

TYPED = """(define (domain yard) (:requirements :strips :typing)
  (:types car bay)
  (:predicates (at ?c - car ?b - bay) (road ?x ?y - bay))
  (:action drive :parameters (?c - car ?x ?y - bay) :precondition (and (at ?c ?x) (road ?x ?y))
    :effect (and (at ?c ?y) (not (at ?c ?x)))))"""
PROBLEM = """(define (problem p) (:domain yard) (:objects c d - car n m k - bay)
  (:init (at c n) (at d m) (road n m) (road m k) (road k n)))"""


def sampled(path, domain, instances):
    walks = sample_traces(domain, instances, [SamplingConfig(10, 10)], random.Random(0))
    write_traces(path, [trace_block(domain, walk, LabelMode.NAMES) for (walk,) in walks])
    return path


@pytest.fixture
def yard(tmp_path):
    domain = parse_domain(TYPED)
    instance = parse_problem(PROBLEM, domain, "", False)
    return domain, sampled(tmp_path / "clean.jsonl", domain, [instance])


def states(path) -> list[tuple[set[str], str, set[str]]]:
    records = [json.loads(line) for line in path.read_text().splitlines()]
    return [(set(r["state"]), r["action"], set(r["next"])) for r in records if "state" in r]


def flips(clean, disturbed) -> list[tuple[int, str, str]]:
    """Where the atoms of two files differ; nothing else does."""
    found = []
    for number, (old, new) in enumerate(zip(states(clean), states(disturbed), strict=True)):
        assert old[1] == new[1]
        for key, place in (("state", 0), ("next", 2)):
            found += [(number, key, atom) for atom in sorted(old[place] ^ new[place])]
    return found


@pytest.mark.parametrize("n_flips", [0, 1, 4, 9])
def test_as_many_flips_as_asked_for(yard, tmp_path, n_flips):
    domain, clean = yard
    disturbed, more, again = (tmp_path / f"{name}.jsonl" for name in ("some", "more", "again"))
    flip_atoms(clean, disturbed, domain, n_flips, 5)
    flip_atoms(clean, more, domain, n_flips + 3, 5)
    flip_atoms(clean, again, domain, n_flips, 5)
    found = flips(clean, disturbed)
    assert len(found) == n_flips
    assert set(found) < set(flips(clean, more))
    assert disturbed.read_bytes() == again.read_bytes()
    assert (disturbed.read_bytes() == clean.read_bytes()) is (n_flips == 0)
    assert read_traces(disturbed).n_steps == read_traces(clean).n_steps


def test_flips_are_of_all_sorts_and_keep_to_types(yard, tmp_path):
    domain, clean = yard
    kinds, steps = set(), set()
    atoms = {f"(at {car} {bay})" for car in "cd" for bay in "nmk"}
    for seed in range(40):
        disturbed = tmp_path / "one.jsonl"
        flip_atoms(clean, disturbed, domain, 1, seed)
        ((number, key, atom),) = flips(clean, disturbed)
        assert atom in atoms  # nothing is said of roads, which no action changes
        old = states(clean)[number][0 if key == "state" else 2]
        kinds.add((key, atom in old))
        steps.add(number)
    assert len(kinds) == 4
    assert len(steps) > 5


def test_each_step_has_the_objects_of_its_own_instance(tmp_path):
    made = random_domain(1, INJECTIVE)
    instances = sorted(made.training + made.test, key=lambda own: len(own.objects))
    clean = sampled(tmp_path / "clean.jsonl", made.domain, instances[::-1])
    disturbed = tmp_path / "t.jsonl"
    flip_atoms(clean, disturbed, made.domain, 60, 0)
    assert len(flips(clean, disturbed)) == 60
    read_traces(disturbed)  # would refuse an object that the header does not know
