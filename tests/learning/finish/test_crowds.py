"""States with too many ground actions to look at: which literals must not go."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dias.learning.data.coding import examples_by_action
from dias.learning.explain.full_labels import of_arguments
from dias.learning.finish import conflicts
from dias.learning.finish.assemble import action_schema
from dias.learning.finish.conflicts import Conflicts
from dias.learning.finish.shorten import minimal_preconditions
from tests.learning.cases import all_steps
from tests.oracles import naive_rows
from tests.strategies import domains, objects, states
from tests.traces.files import header, read, step


def plain_crowd(self, narrowed, state):
    """All that was dropped: true, and little said."""
    return sum(1 << place for place, _ in self._dropped(narrowed))


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=40)
@given(st.data(), st.integers(1, 6))
def test_what_stays_is_what_conflicts_of_all_dropped_literals_leave(data, most):
    domain = data.draw(domains(with_constant=False))
    types = data.draw(objects(domain))
    traces = all_steps(
        domain,
        [(types, data.draw(states(domain, types))) for _ in range(2)],
        {p.name for p in domain.predicates} - domain.fluents,
    )
    assume(traces.transitions)
    for group in examples_by_action(traces).values():
        schema = of_arguments(group)[0]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(conflicts, "MAX_SUCCESSORS", most)
            short = minimal_preconditions(schema, traces)
            patch.setattr(Conflicts, "_crowd", plain_crowd)
            assert minimal_preconditions(schema, traces) == short
        assert most_actions(short, traces) <= max(most, most_actions(schema, traces))


def most_actions(schema, traces):
    """The number of ground actions in the state that has most of them."""
    action = action_schema(schema, traces)
    return max(
        len(list(naive_rows(action, traces.types, segment.objects, t.state | segment.static)))
        for t in traces.transitions
        for segment in [traces.segments[t.segment]]
    )


def test_a_crowd_is_thinned_by_the_literal_that_does_it_at_once(monkeypatch):
    """Six literals that hold of all, and one that holds of few: one question finds it."""
    asked = []
    crowd = Conflicts._crowd
    monkeypatch.setattr(Conflicts, "_crowd", lambda *given: asked.append(0) or crowd(*given))
    monkeypatch.setattr(conflicts, "MAX_SUCCESSORS", 3)
    objects = "abcdefgh"

    def go(done, they):
        """In a state where `few` holds of three and the others of `they`."""
        state = [f"(few {x})" for x in "abc"] + [f"(p{i} {x})" for i in range(6) for x in they]
        return step([*state, *done], "(go a)", [*state, *done, "(done a)"])

    traces = read(
        header(
            labels="full",
            types=None,
            predicates={name: ["object"] for name in ("few", "done", *(f"p{i}" for i in range(6)))},
            objects=dict.fromkeys(objects, "object"),
            actions=["go"],
            static=[],
        ),
        *(go([f"(done {x})"], "ab") for x in objects[1:]),
        go([], objects),
    )
    (group,) = examples_by_action(traces).values()
    short = minimal_preconditions(of_arguments(group)[0], traces)
    assert {atom.relation for atom in short.positive} == {"few", "p5"}
    assert len(asked) == 1
