"""The states along given plans, as a sample like that of a walk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import PurePath

from dias.errors import PlanError
from dias.planning.plan_file import PlanStep, read_plan
from dias.planning.validate import follow
from dias.strips.joins.join import Successor
from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem
from dias.traces.record import LabelMode
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.sample import trace_block
from dias.traces.sampling.samples import Sample, WalkStep
from dias.traces.sampling.walk import by_name
from dias.traces.writer import Block


def plan_sample(
    domain: Domain,
    instance: Instance,
    plans: Iterable[tuple[str, Sequence[PlanStep]]],
    arguments: StripsPlusArguments | None = None,
) -> Sample:
    """The steps of plans with the states that they lead through, each plan a walk of its own.

    Args:
        domain: The domain.
        instance: The problem; its goal does not matter.
        plans: File, as it is named in messages, and steps.
        arguments: Told of every state that a plan visits.

    Raises:
        PlanError: A step is not applicable, or a plan has none.
    """
    problem = CodedProblem.of(instance, domain)
    sample = Sample(problem)
    generator = SuccessorGenerator(domain, problem) if arguments else None
    for walk, (source, steps) in enumerate(plans):
        if not steps:
            raise PlanError("expected a step, found none", place=source, remedy="Leave it out")
        states, faults = follow([step.action for step in steps], domain, instance)
        if faults:
            number = len(states)
            wrong = steps[number - 1]
            raise PlanError(
                f"expected an applicable step, found step {number} {wrong.action}: "
                f"{'; '.join(faults)}",
                place=f"{source}:{wrong.line}",
                remedy="Is it a plan for this problem? `dias validate` tells",
            )
        coded = [
            problem.codes.encode_state(atom for atom in state if atom.predicate in problem.fluents)
            for state in states
        ]
        if arguments and generator:
            for state in coded:
                arguments.observe(by_name(generator.successors(state)))
        for place, (step, (state, after)) in enumerate(zip(steps, pairwise(coded), strict=True)):
            name, objects = step.action
            binding = tuple(problem.codes.object_number[o] for o in objects)
            successor = Successor(name, binding, after - state, state - after)
            sample.steps.append(WalkStep(walk, place, state, successor))
            sample.counts[name] += 1
    sample.n_steps_walked = len(sample.steps)
    return sample


def plan_block(
    path: str | os.PathLike[str], domain: Domain, instance: Instance, labels: LabelMode
) -> Block:
    """The states along the plan in a file, as a header and steps of a walk of the file's name.

    Raises:
        PlanError: The file cannot be read, a step is not applicable, or there is none.
    """
    arguments = None
    if labels is LabelMode.STRIPS_PLUS:
        arguments = StripsPlusArguments({action.name: action.arity for action in domain.actions})
    sample = plan_sample(domain, instance, [(os.fspath(path), read_plan(path))], arguments)
    header, steps = trace_block(domain, sample, labels, arguments)
    name = PurePath(path).stem
    return header, [step._replace(trace=name) for step in steps]
