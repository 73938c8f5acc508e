"""Whether a plan is right in a domain, and where not: the step and its literals, or the goal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dias.errors import PlannerError, did_you_mean
from dias.planning.faults import AtomState, outcome, preconditions
from dias.strips.grounding import GroundAction
from dias.strips.model import Domain, Instance, is_subtype


@dataclass(frozen=True)
class Validation:
    """The verdict on a plan.

    Attributes:
        n_applicable: Steps that are applicable, from the first on.
        faults: What is wrong with the step after these; nothing if there is none.
        unmet: Literals of the goal that do not hold at the end. Empty too where a step is not
            applicable: then there is no end.
    """

    n_applicable: int
    faults: tuple[str, ...]
    unmet: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether the plan solves the problem."""
        return not self.faults and not self.unmet


def validate(steps: Sequence[GroundAction], domain: Domain, instance: Instance) -> Validation:
    """Walk a plan from the initial state, up to the first step that is not applicable."""
    states, faults = follow(steps, domain, instance)
    unmet = () if faults else unmet_goals(instance, states[-1])
    return Validation(len(states) - 1, faults, unmet)


def follow(
    steps: Sequence[GroundAction], domain: Domain, instance: Instance
) -> tuple[list[AtomState], tuple[str, ...]]:
    """The states s₀, s₁, … of a plan while its steps are applicable; what is wrong with the next.

    Returns:
        As many states as there are applicable steps, and one; the faults of the step after these,
        none if there is no such step.
    """
    states = [instance.init]
    for step in steps:
        faults = step_faults(step, domain, instance, states[-1])
        if faults:
            return states, faults
        schema = domain.action(step.name)
        binding = dict(zip(schema.variables, step.arguments, strict=True))
        states.append(outcome(schema, binding, states[-1]))
    return states, ()


def plan_states(
    steps: Sequence[GroundAction], domain: Domain, instance: Instance
) -> list[AtomState]:
    """The states s₀, …, sₙ that a plan of n steps goes through in `domain`.

    Raises:
        PlannerError: If a step cannot be applied in `domain`.
    """
    states, faults = follow(steps, domain, instance)
    if faults:
        number = len(states)
        raise PlannerError(
            f"step {number} {steps[number - 1]} of the plan cannot be applied in domain "
            f"{domain.name}: {faults[0]}",
            remedy="Replay a plan in the domain that it was made in",
        )
    return states


def step_faults(
    step: GroundAction, domain: Domain, instance: Instance, state: AtomState
) -> tuple[str, ...]:
    """Why a step is not applicable in a state; nothing if it is.

    What is wrong with its name or its objects, or each precondition that does not hold.
    """
    names = [action.name for action in domain.actions]
    if step.name not in names:
        return (_with_hint("there is no such action", step.name, names),)
    schema = domain.action(step.name)
    if schema.arity != len(step.arguments):
        return (f"the action has {schema.arity} parameters",)
    objects = {**instance.objects, **domain.constants}
    for parameter, argument in zip(schema.parameters, step.arguments, strict=True):
        if argument not in objects:
            return (_with_hint(f"there is no object {argument}", argument, objects),)
        if not is_subtype(objects[argument], parameter.types, domain.types):
            wanted = " or ".join(parameter.types)
            return (f"{argument} is of type {objects[argument]}, not {wanted}",)
    binding = dict(zip(schema.variables, step.arguments, strict=True))
    faults = (literal.fault(binding, state) for literal in preconditions(schema))
    return tuple(filter(None, faults))


def _with_hint(fault: str, name: str, known: Iterable[str]) -> str:
    hint = did_you_mean(name, known)
    return f"{fault}. {hint}" if hint else fault


def unmet_goals(instance: Instance, state: AtomState) -> tuple[str, ...]:
    """The literals of the goal that do not hold in a state."""
    missing = [str(atom) for atom in sorted(instance.goal - state)]
    return (*missing, *(f"(not {atom})" for atom in sorted(instance.negative_goal & state)))
