"""Replays a plan of a learned domain in the true domain, state by state.

Learned actions may have other parameters than the true ones, in another order. What can be
compared is what a step does: from s to s′. A step is right if some ground action of the true
domain with the same name leads from s to s′ as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from dias.planning.faults import Near, nearest
from dias.planning.validate import plan_states, unmet_goals
from dias.strips.grounding import GroundAction
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem
from dias.strips.type_facts import with_types_said
from dias.strips.variants import common_name


class Verdict(Enum):
    """What the true domain says of a step from s to s′."""

    VALID = "valid"
    """A true action of the same name leads from s to s′."""
    OTHER_ACTION = "other action"
    """Only a true action of another name does."""
    INVALID = "invalid"
    """No true action does."""


@dataclass(frozen=True)
class ReplayedStep:
    """One step of the plan.

    Attributes:
        step: The learned ground action.
        true_action: A true ground action with the same outcome, one of the same name if there
            is any; None if there is none at all.
        verdict: Whether the step is a true transition.
        nearest: Of an invalid step, the true ground action of the same name that comes nearest to
            it, and what is wrong with that; None if there is no action of that name.
    """

    step: GroundAction
    true_action: GroundAction | None
    verdict: Verdict
    nearest: Near | None = None


@dataclass(frozen=True)
class ReplayResult:
    """The verdict on a plan.

    Attributes:
        steps: One entry a step. After a wrong step the replay goes on from the state in which
            the learned domain believes itself to be.
        unmet: The literals of the goal that do not hold in the last state.
    """

    steps: tuple[ReplayedStep, ...]
    unmet: tuple[str, ...]

    @property
    def goal_reached(self) -> bool:
        """Whether the goal holds in the last state."""
        return not self.unmet

    @property
    def valid(self) -> bool:
        """Whether the plan solves the problem in the true domain."""
        return self.goal_reached and all(step.verdict is Verdict.VALID for step in self.steps)


def replay(
    steps: Sequence[GroundAction],
    learned: Domain,
    gt: Domain,
    instance: Instance,
    variants: bool = False,
) -> ReplayResult:
    """Check every step of a plan against the transitions of the true domain.

    Args:
        steps: The plan.
        learned: The domain that the plan was made in.
        gt: The true domain.
        instance: The problem that the plan is for.
        variants: Whether names that differ only by a number at the end (``press-1``,
            ``press-2``) are the same.

    Raises:
        PlannerError: If a step cannot be applied in `learned`.
    """
    spell = common_name if variants else str
    instance = with_types_said(instance, learned)
    states = plan_states(steps, learned, instance)
    objects = {**instance.objects, **learned.constants, **gt.constants}
    problem = CodedProblem.of(replace(instance, objects=objects, init=states[0]), learned, gt)
    codes, state = problem.codes, problem.init
    generator = SuccessorGenerator(gt, problem)
    replayed = []
    for step, (atoms, next_atoms) in zip(steps, pairwise(states), strict=True):
        next_state = codes.encode_state(a for a in next_atoms if a.predicate in problem.fluents)
        change = (next_state - state, state - next_state)
        explanations = [
            GroundAction(s.action, tuple(codes.objects[number] for number in s.binding))
            for s in generator.successors(state)
            if (s.added, s.deleted) == change
        ]
        same = [action for action in explanations if spell(action.name) == spell(step.name)]
        verdict = Verdict.VALID if same else Verdict.OTHER_ACTION
        near = None
        if not explanations:
            verdict = Verdict.INVALID
            schemas = [schema for schema in gt.actions if spell(schema.name) == spell(step.name)]
            near = nearest(schemas, gt, objects, step.arguments, atoms, next_atoms)
        true_action = next(iter(same or explanations), None)
        replayed.append(ReplayedStep(step, true_action, verdict, near))
        state = next_state
    return ReplayResult(tuple(replayed), unmet_goals(instance, states[-1]))
