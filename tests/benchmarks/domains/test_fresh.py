"""What the fresh domains were chosen for, and that they can be sampled and planned in."""

import random
import tomllib
from collections import Counter

import pytest

from benchmarks.generate import DOMAINS
from benchmarks.generators import FRESH
from dias.planning.plan import PlanStatus, plan
from dias.strips.model import ActionSchema, Domain, Instance
from dias.strips.pddl.reader import read_domain, read_problem
from dias.traces.sampling.sample import sample_traces
from dias.traces.sampling.samples import Sample, SamplingConfig

# Parameters that no effect mentions, by action.
BYSTANDERS = {
    "climbing-team": {"ascend": "?r ?g", "abseil": "?r", "belay": "?x"},
    "library": {"reserve": "?s", "read": "?b", "consult": "?b"},
    "peaks-patience": {"turn-up": "?a ?b"},
    "rail-yard": {"diverge": "?s", "merge": "?s"},
    "water-mains": {"flow": "?v ?a", "run-down": "?v ?a", "grease": "?a ?b"},
}
# Actions with the same effects.
TWINS = {
    "climbing-team": [["walk", "solo", "ascend", "abseil"]],
    "library": [["read", "consult"]],
    "peaks-patience": [["play", "play-on-joker"]],
    "rail-yard": [["run", "diverge", "merge"]],
    "water-mains": [["flow", "run-down"]],
}
# Actions that change nothing in one step of ten or more.
IDLE = {
    "climbing-team": set(),
    "library": {"read", "consult"},
    "peaks-patience": set(),
    "rail-yard": set(),
    "water-mains": {"flow", "run-down", "grease"},
}

each_domain = pytest.mark.parametrize("domain", sorted(FRESH))


def read(domain: str, problem: str = "p01") -> tuple[Domain, Instance]:
    known = read_domain(DOMAINS / domain / "domain.pddl")
    return known, read_problem(DOMAINS / domain / f"{problem}.pddl", known)


def sampled(domain: str, seed: int) -> Sample:
    """Training samples of p01, of the kept sizes."""
    known, problem = read(domain)
    sizes = tomllib.loads((DOMAINS / domain / "dias.toml").read_text())["sample"]
    config = SamplingConfig(sizes["min_per_action"], sizes["max_per_action"])
    (samples,) = sample_traces(known, [problem], [config], random.Random(seed))
    return samples[0]


def in_effects(action: ActionSchema) -> set[str]:
    return {term for atom in action.add_effects | action.delete_effects for term in atom.terms}


@each_domain
def test_parameters_that_no_effect_mentions(domain: str):
    known, _ = read(domain)
    found = {
        action.name: " ".join(p.name for p in action.parameters if p.name not in in_effects(action))
        for action in known.actions
    }
    assert {name: names for name, names in found.items() if names} == BYSTANDERS[domain]


@each_domain
def test_actions_with_the_same_effects(domain: str):
    """Up to the names of the variables; with these, the same after renaming by position."""
    known, _ = read(domain)
    groups: dict[object, list[str]] = {}
    for action in known.actions:
        names = [p.name for p in action.parameters if p.name in in_effects(action)]
        effects = tuple(
            frozenset((atom.predicate, *map(names.index, atom.terms)) for atom in atoms)
            for atoms in (action.add_effects, action.delete_effects)
        )
        groups.setdefault(effects, []).append(action.name)
    assert [group for group in groups.values() if len(group) > 1] == TWINS[domain]


@each_domain
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_the_sampler_gets_enough_of_every_action(domain: str, seed: int):
    sample = sampled(domain, seed)
    known, _ = read(domain)
    assert set(sample.counts) == {action.name for action in known.actions}
    assert min(sample.counts.values()) >= 100
    assert sample.n_steps_walked < 20_000


@each_domain
def test_actions_that_often_change_nothing(domain: str):
    sample = sampled(domain, 0)
    idle = Counter(step.successor.action for step in sample.steps if step.state == step.next_state)
    assert {name for name, n in idle.items() if n >= sample.counts[name] / 10} == IDLE[domain]
    assert all(idle[name] < count for name, count in sample.counts.items())


@each_domain
def test_the_planner_solves_p02(domain: str):
    result = plan(*read(domain, "p02"), time_limit_s=60)
    assert result.status is PlanStatus.SOLVED
