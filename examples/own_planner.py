"""Plan with a search of one's own in a learned domain: ``python examples/own_planner.py``.

`dias.strips.joins.successors` lists what is applicable in a state without grounding the problem.
States are sets of numbers, one for each atom; the search below needs to know nothing else.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path

import dias
from dias.config import LearningConfig
from dias.planning.replay import replay
from dias.strips.grounding import GroundAction
from dias.strips.joins.successors import Successor, SuccessorGenerator
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem

FOLDER = Path(__file__).parents[1] / "benchmarks" / "domains" / "blocks-3"


def breadth_first(domain: Domain, instance: Instance) -> list[GroundAction]:
    """A shortest plan; empty if there is none."""
    problem = CodedProblem.of(instance, domain)
    codes, static = problem.codes, problem.static.atoms
    generator = SuccessorGenerator(domain, problem)
    goal = codes.encode_state(instance.goal)
    unwanted = codes.encode_state(instance.negative_goal)
    came_from: dict[frozenset[int], tuple[frozenset[int], Successor] | None] = {problem.init: None}
    queue = deque([problem.init])
    while queue:
        state = queue.popleft()
        if goal <= state | static and unwanted.isdisjoint(state | static):
            plan: list[GroundAction] = []
            while (step := came_from[state]) is not None:
                state, successor = step
                names = tuple(codes.objects[number] for number in successor.binding)
                plan.insert(0, GroundAction(successor.action, names))
            return plan
        for successor in generator.successors(state):
            next_state = successor.next_state(state)
            if next_state not in came_from:
                came_from[next_state] = state, successor
                queue.append(next_state)
    return []


def main() -> None:
    """Learn Blocks-3 from action names, plan in what was learned, check the plan."""
    true = dias.read_domain(FOLDER / "domain.pddl")
    problem = dias.read_problem(FOLDER / "p01.pddl", true)
    traces = dias.sample(true, [problem])
    learned = dias.learn(traces, LearningConfig(method="symbolic")).domain
    plan = breadth_first(learned, problem)
    print(*plan, sep="\n")
    print("valid in the true domain:", replay(plan, learned, true, problem).valid)


if __name__ == "__main__":
    main()
