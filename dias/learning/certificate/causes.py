"""Why steps stay unexplained, as far as the steps themselves say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dias.learning.data.transitions import Examples
from dias.learning.score import max_odd
from dias.traces.record import LabelMode, Transition


class Cause(NamedTuple):
    """What many steps that stay unexplained have in common.

    Attributes:
        kind: ``constant`` (they change atoms of the same object, which is none of the arguments),
            ``unnamed`` (of various such objects), ``repeated`` (one object is given as several
            arguments), ``unchanged`` (the action has steps that change nothing, and others),
            ``odd`` (they are few, so they may have been seen wrong), ``noise`` (more than noise
            accounts for), ``feigned`` (explained, but noise may have made the change that they
            are bound by) or ``idle`` (all that they change is taken for noise).
        n_steps: How many of them.
        line: Where the first one stands.
        objects: With ``constant`` the object, with ``feigned`` the relation.
    """

    kind: str
    n_steps: int
    line: int
    objects: tuple[str, ...] = ()


def causes(group: Examples, unexplained: Sequence[int], labels: LabelMode) -> tuple[Cause, ...]:
    """What may be behind the steps of an action that stay unexplained.

    Args:
        group: The steps.
        unexplained: The places of those that stay unexplained among the steps.
        labels: What the arguments are.
    """
    steps = [group.examples[place].transition for place in unexplained]
    if not steps:
        return ()
    found = list(_of_arguments(steps, group.constants)) if labels is LabelMode.FULL else []
    if len(steps) <= max_odd(len(group.examples)):
        # What one step has of its own may be chance; what several share is none.
        shared = [own for own in found if own.kind == "repeated" or own.n_steps > 1]
        shared = [own for own in shared if own.kind != "unnamed"]
        return tuple(shared) or (Cause("odd", len(steps), steps[0].line),)
    unchanged = [e.transition for e in group.examples if e.state == e.next_state]
    n_left = sum(step.state == step.next_state for step in steps)
    n_changing = len(group.examples) - len(unchanged)
    # Steps that change nothing stand in the way only where effects leave them, or all the others.
    if unchanged and n_changing and (n_left or len(steps) == n_changing):
        found.append(Cause("unchanged", len(unchanged), unchanged[0].line))
    return tuple(found)


def _of_arguments(steps: list[Transition], constants: tuple[str, ...]) -> Iterator[Cause]:
    """Causes that only steps with all their arguments can show."""
    missing = {step: _changed(step).difference(step.arguments, constants) for step in steps}
    lacking = [step for step in steps if missing[step]]
    if lacking:
        common = frozenset.intersection(*(missing[step] for step in lacking))
        kind = "constant" if common else "unnamed"
        yield Cause(kind, len(lacking), lacking[0].line, tuple(sorted(common)))
    if all(len(set(step.arguments)) < len(step.arguments) for step in steps):
        yield Cause("repeated", len(steps), steps[0].line)


def _changed(step: Transition) -> frozenset[str]:
    """The objects of the atoms that a step changes."""
    return frozenset(o for atom in step.state ^ step.next_state for o in atom.terms)
