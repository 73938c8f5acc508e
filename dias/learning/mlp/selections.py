"""Which objects each transition is about, established exactly and not by a network.

The transitions of an action are divided into parts that STRIPS effects explain
(`dias.learning.state_dependent.division`). The variables of every part are put in the place of
those of the largest one, literals that hold in all parts become preconditions, and variables that
only preconditions need are added. What remains open is what the action does in which state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dias.learning.data.transitions import BindingTable, Example, Examples
from dias.learning.explain.bindings import Bindings
from dias.learning.explain.certify import certify_table
from dias.learning.extend.queries import satisfying
from dias.learning.extend.variables import add_precondition_variables
from dias.learning.schema import LiftedSchema
from dias.learning.state_dependent.division import divide
from dias.learning.state_dependent.parts import Part, placements
from dias.traces.record import Traces, Transition


@dataclass(frozen=True)
class Selections:
    """The arguments of one action in its transitions.

    Attributes:
        schema: Its variables and preconditions. Its effects are those of the largest part.
        chosen: Transition and objects of all variables, as numbers in the segment. Transitions
            whose arguments nothing tells (those that change nothing where others do) are left out.
    """

    schema: LiftedSchema
    chosen: tuple[tuple[Transition, tuple[int, ...]], ...]


def certified_selections(examples: Examples, traces: Traces) -> Selections | None:
    """The arguments of one action; None if its effects are no small function of the state.

    Args:
        examples: Its transitions.
        traces: The traces that they come from.
    """
    parts = divide(examples)
    if parts is None or not any(map(len, parts)):
        return None
    largest = max(parts, key=lambda part: (part.effects.n_variables, len(part)))
    own, found = _together(parts, largest)
    n_variables = largest.effects.n_variables
    schema = certify_table(largest.effects, own, found)
    schema = add_precondition_variables(schema, own, found, traces)
    for variable in range(n_variables, schema.n_variables):
        known = (atom for atom in schema.positive if max(atom.variables, default=-1) == variable)
        found = satisfying(own, found, tuple(known), 1, linked=False)
    return Selections(schema, tuple(_first_that_holds(schema, own, found)))


def _together(parts: Sequence[Part], largest: Part) -> tuple[Examples, BindingTable]:
    """The transitions of all parts with their bindings of the largest part's variables.

    A part with fewer variables is left out: static preconditions cannot say that an argument is
    there in some states only.
    """
    n_variables = largest.effects.n_variables
    examples: list[Example] = []
    found: list[Bindings] = []
    for part in parts:
        places = [tuple(range(n_variables))]
        if part is not largest:
            places = placements(part.effects, largest.effects)
        if part.effects.n_variables < n_variables or not places:
            continue
        examples += part.examples.examples
        # Variable v of the part is variable place[v] of the largest one.
        orders = [[place.index(v) for v in range(n_variables)] for place in places]
        found += [
            [tuple(binding[v] for v in order) for binding in bindings for order in orders]
            for bindings in part.bindings
        ]
    return replace(largest.examples, examples=examples), BindingTable.of(found, n_variables)


def _first_that_holds(
    schema: LiftedSchema, examples: Examples, found: BindingTable
) -> Iterator[tuple[Transition, tuple[int, ...]]]:
    """Per transition the first binding under which all preconditions hold."""
    holds = examples.truth(*found, schema.positive).all(1)
    holds &= ~examples.truth(*found, schema.negative).any(1)
    kept = found.where(np.flatnonzero(holds))
    numbers, first = np.unique(kept.owner, return_index=True)
    for number, binding in zip(numbers.tolist(), kept.rows[first].tolist(), strict=True):
        yield examples.examples[number].transition, tuple(binding)
