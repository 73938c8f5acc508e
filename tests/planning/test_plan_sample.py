"""A walk that is written as a plan is sampled as the same steps."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from dias.planning.plan_file import PlanStep
from dias.planning.plan_sample import plan_sample
from dias.strips.grounding import GroundAction
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import Instance
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.sample import sample_traces
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.sampling.walk import by_name
from tests.strategies import domains, objects, states


def after(step):
    """The state that a step leads to."""
    return step.state - step.successor.deleted | step.successor.added


@settings(deadline=None)
@given(st.data())
def test_a_walk_as_a_plan(data):
    domain = data.draw(domains())
    things = data.draw(objects(domain))
    instance = Instance("p", domain.name, things, data.draw(states(domain, things)))
    config = SamplingConfig(4, 4, restart_after=5)
    arities = {action.name: action.arity for action in domain.actions}
    [[walk]] = sample_traces(domain, [instance], [config], random.Random(0))
    first = [step for step in walk.steps if step.walk == 0]
    # Steps beyond the limits are walked and not kept; what is kept up to there is a plan.
    whole = [step for place, step in enumerate(first) if step.place == place]
    if not whole:
        return
    names = walk.problem.codes.objects
    plan = [
        PlanStep(i, GroundAction(s.successor.action, tuple(names[n] for n in s.successor.binding)))
        for i, s in enumerate(whole)
    ]
    told = StripsPlusArguments(arities)
    sample = plan_sample(domain, instance, [("a", plan), ("b", plan)], told)
    assert sample.steps == [*whole, *(step._replace(walk=1) for step in whole)]
    assert sample.counts.total() == 2 * len(whole)
    # What determines the arguments in the states of the plan is asked of those states.
    walked, code = StripsPlusArguments(arities), walk.problem
    states_of_plan = [whole[0].state, *(after(step) for step in whole)]
    generator = SuccessorGenerator(domain, code)
    for state in states_of_plan:
        walked.observe(by_name(generator.successors(state)))
    assert {a: told.positions(a) for a in arities} == {a: walked.positions(a) for a in arities}
