"""Traces of plans in place of random walks: what the log of a planner shows.

Goals are drawn from reachable states: a balanced random walk of 1 to `MAX_WALK` steps, and up to
`MAX_ATOMS` of the atoms that hold at its end and not at its beginning.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dias.limits import Allowance, OutOfWorkError
from dias.planning.searches import run_search
from dias.planning.task import GroundTask, compile_task
from dias.strips.codes import State
from dias.strips.engines.choice import build_engine
from dias.strips.engines.engine import SuccessorEngine
from dias.strips.grounding import GroundAction
from dias.strips.pddl.reader import read_domain, read_problem
from dias.strips.problem import CodedProblem
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import trace_block
from dias.traces.sampling.samples import Sample, SamplingConfig, WalkStep
from dias.traces.sampling.walk import by_name, choose_balanced
from dias.traces.writer import write_traces

from ..running.rawlines import Row

MAX_WALK, MAX_ATOMS = 50, 3
PLAN_CHECKS = 2000
"""Work for a plan, the same on every machine; a goal that needs more is passed over."""

GIVE_UP_AFTER = 20
"""Goals of each problem in a row that bring no step that is still needed."""


@dataclass
class Planner:
    """A problem whose states are seen along plans from its initial one."""

    task: GroundTask
    problem: CodedProblem
    engine: SuccessorEngine
    sample: Sample

    def goal(self, rng: random.Random) -> State:
        """Atoms that hold at the end of a random walk and not at its beginning; may be none."""
        state = self.problem.init
        for _ in range(rng.randint(1, MAX_WALK)):
            if not (applicable := by_name(self.engine.successors(state))):
                break
            state = choose_balanced(applicable, rng).next_state(state)
        new = sorted(state - self.problem.init)
        return frozenset(rng.sample(new, min(len(new), rng.randint(1, MAX_ATOMS))))

    def steps(self, goal: State, number: int) -> list[WalkStep]:
        """A plan for the goal, as the walk of that number; empty if none is found in time."""
        task = replace(self.task, goal=goal)
        try:
            plan = run_search(task, "gbf", "hff", Allowance(PLAN_CHECKS).check)
        except OutOfWorkError:
            return []
        found: list[WalkStep] = []
        state, names = self.problem.init, self.problem.codes.objects
        for operator in plan or ():
            (successor,) = (
                own
                for own in self.engine.successors(state)
                if str(GroundAction(own.action, tuple(names[n] for n in own.binding)))
                == operator.name
            )
            found.append(WalkStep(number, len(found), state, successor))
            state = successor.next_state(state)
        return found


def plan_traces(
    domain: str, problems: Sequence[str], output: str, n_samples: int, labels: str, seed: int
) -> Row:
    """Plan for random goals, one problem after the other, and write the states along the plans.

    It ends when the file has so many steps of each action, or when `GIVE_UP_AFTER` is reached.
    Of an action with twice as many further steps are left out, as ``dias sample`` does.

    Args:
        domain: File of the domain.
        problems: Files of the problems.
        output: File of the traces.
        n_samples: Steps of each action, in all problems together.
        labels: Action arguments to keep, `names` or `full`.
        seed: Seed of the goals.

    Returns:
        ``goals``, ``plans``, ``plan_steps``: goals tried, plans found, steps of these.
    """
    true, rng = read_domain(domain), random.Random(seed)
    config = SamplingConfig(n_samples, 2 * n_samples)
    counts: Counter[str] = Counter()  # of all problems together
    planners = []
    for path in problems:
        instance = read_problem(path, true, needs_goal=False)
        problem = CodedProblem.of(instance, true)
        engine, sample = build_engine("lifted", true, problem), Sample(problem, counts=counts)
        planners.append(Planner(compile_task(true, instance), problem, engine, sample))
    n_goals, lengths, n_idle = 0, [], 0
    while n_idle < GIVE_UP_AFTER * len(planners):
        planner = planners[n_goals % len(planners)]
        needed = planner.sample.missing(true, config)
        if not needed:
            break
        n_goals += 1
        goal = planner.goal(rng)
        steps = planner.steps(goal, n_goals) if goal else []
        lengths += [len(steps)] if steps else []
        n_idle = 0 if any(step.successor.action in needed for step in steps) else n_idle + 1
        for step in steps:
            planner.sample.keep(step, config)
    mode = LabelMode(labels)
    write_traces(output, [trace_block(true, one.sample, mode) for one in planners])
    return {"goals": n_goals, "plans": len(lengths), "plan_steps": sum(lengths)}
