"""With all arguments and `safe`, what is learned is what the simplest safe learner says."""

from __future__ import annotations

import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.explain.full_labels import of_arguments
from dias.learning.schema import EQUAL, TYPE
from dias.traces.record import LabelMode
from tests.benchmarks.domains.test_domains import ACTIONS
from tests.learning.cases import benchmark, sampled
from tests.oracles import naive_intersections


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_what_always_held_and_what_ever_changed(name):
    """Whatever the domain: of these none moves anything to where it is."""
    traces = sampled(*benchmark(name, "p01"), 20, LabelMode.FULL)
    expected = naive_intersections(traces)
    for action, group in examples_by_action(traces).items():
        schema = of_arguments(group)[0]
        always, added, deleted = expected[action]
        kept = {
            (relation, variables)
            for relation, variables in schema.positive
            if relation != EQUAL and not relation.startswith(TYPE)
        }
        assert kept == always
        assert {tuple(atom) for atom in schema.effects.add} == added
        assert {tuple(atom) for atom in schema.effects.delete} == deleted
