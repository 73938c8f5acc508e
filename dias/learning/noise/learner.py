"""Schemas from transitions that were observed with errors: the passes in their order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from dias.learning.data.transitions import Example, Examples
from dias.learning.noise.bind.binding import (
    ActionRoles,
    BoundAction,
    lifted_schema,
    settle,
    start,
    without_idle_variables,
)
from dias.learning.noise.bind.changes import ChangedAtom, NoiseChanges, StepChanges
from dias.learning.noise.bind.patterns import find_pattern
from dias.learning.noise.bind.roles import FlipRates
from dias.learning.noise.bind.weights import total_pairs
from dias.learning.noise.constants import fix_constants
from dias.learning.noise.denoise import corrected_traces, denoise, likely_truth
from dias.learning.noise.estimate import (
    NoiseEstimate,
    NoisyModel,
    estimate_flips,
    explained,
    n_contradicted,
    tolerated,
)
from dias.learning.noise.extend.further import add_variables
from dias.learning.noise.observations import Observations, observe
from dias.learning.noise.rates import ceilings, halves, measured
from dias.learning.noise.signs import MAX_TABLE, is_measurable, table_size
from dias.learning.schema import LiftedSchema
from dias.traces.record import LabelMode, Traces

N_STEPS, N_MORE_STEPS = 150, 600
"""Transitions of each action that its pattern of changes is looked for in; more where it shows
none at first."""

N_BOUND = 400
"""Transitions of each action that literals are counted in."""

N_VISITED = 200
"""Transitions of each action whose states say what preconditions rule out."""


@dataclass
class NoisyResult:
    """Schemas learned from noisy transitions.

    Attributes:
        schemas: One for each action, in the order of the groups.
        n_explained: Action to how many of its transitions its schema explains.
        traces: The transitions as they most likely were, a sample of each action.
        noise: How much noise there is.
        model: What explains a transition.
    """

    schemas: list[LiftedSchema]
    n_explained: dict[str, int]
    traces: Traces
    noise: NoiseEstimate
    model: NoisyModel

    def count_explained(self, groups: Mapping[str, Examples]) -> int:
        """How many of other transitions the schemas explain."""
        known = {name: group for name, group in groups.items() if name in self.model.bound}
        has_constants = is_measurable(known) if known else True
        # Too many for one table are looked at part by part; their constants are not looked for.
        n_parts = 1 + table_size(known) // MAX_TABLE
        n_explained = 0
        for number in range(n_parts):
            part = {
                name: replace(group, examples=group.examples[number::n_parts])
                for name, group in known.items()
                if group.examples[number::n_parts]
            }
            if part:
                seen = observe(part)
                if has_constants:
                    fix_constants(seen)
                holds, _ = explained(seen, self.model)
                n_explained += sum(int(own.sum()) for own in holds.values())
        return n_explained


def learn_with_noise(
    traces: Traces, groups: Mapping[str, Examples], finds_variables: bool = True
) -> NoisyResult:
    """Learn the schema of every action.

    Args:
        traces: The transitions.
        groups: The same by action.
        finds_variables: Whether variables that occur in preconditions only are looked for.
    """
    seen = observe(groups)
    constants = fix_constants(seen)
    actions, rates = _propose(seen)
    totals = {name: total_pairs(seen, own.rows) for name, own in actions.items()}
    for _ in range(2):
        bound = {
            name: settle(seen, without_idle_variables(own), rates, totals[name])
            for name, own in actions.items()
        }
        actions = {name: own.action for name, own in bound.items()}
        rates = measured(seen, bound.values(), ceilings(seen, _explained(seen, bound)))
    likely = likely_truth(seen, rates)
    corrected: dict[str, list[Example]] = {n: denoise(seen, b, likely) for n, b in bound.items()}
    likely_traces = corrected_traces(
        traces, {name: own[:: -(-len(own) // N_VISITED)] for name, own in corrected.items()}
    )
    if finds_variables and traces.labels is not LabelMode.FULL:
        for name in bound:
            bound[name] = add_variables(
                seen, bound[name], corrected[name], likely_traces, rates, totals[name]
            )
    model = NoisyModel(bound, rates, totals)
    holds, n_misnamed = explained(seen, model)
    n_explained = {
        name: min(int(holds[name].sum()), len(rows) - n_contradicted(name, model, len(rows)))
        for name, rows in seen.actions.items()
    }
    flips, relations = estimate_flips(seen, constants, rates)
    n_tolerated = tolerated(len(seen.examples), n_misnamed)
    return NoisyResult(
        [lifted_schema(own) for own in bound.values()],
        n_explained,
        likely_traces,
        NoiseEstimate(flips, relations, n_misnamed, n_tolerated),
        model,
    )


def _propose(seen: Observations) -> tuple[dict[str, ActionRoles], dict[str, FlipRates]]:
    """The pattern of each action, and a first guess at the flip rates."""
    steps = {name: _steps(seen, _spread(rows, N_STEPS)) for name, rows in seen.actions.items()}
    noise = NoiseChanges(steps)
    actions = {}
    changes: dict[str, float] = defaultdict(float)
    for name, rows in seen.actions.items():
        pattern = find_pattern(steps[name], noise)
        if not pattern.changes:  # a change that few steps show needs more of them
            pattern = find_pattern(_steps(seen, _spread(rows, N_MORE_STEPS)), noise)
        actions[name] = start(name, _spread(rows, N_BOUND), pattern, len(steps[name][0].given))
        for change, theta in zip(pattern.changes, pattern.thetas, strict=True):
            changes[change.atom.relation] += theta * len(rows)
    return actions, halves(ceilings(seen, changes))


def _spread(rows: np.ndarray, n: int) -> np.ndarray:
    """At most n of the rows, evenly spread."""
    return rows[:: -(-len(rows) // n)]


def _steps(seen: Observations, rows: np.ndarray) -> list[StepChanges]:
    """The changes of some transitions."""
    found = []
    for row in rows:
        example = seen.examples[row]
        pairs = seen.of(row)
        changes = tuple(
            ChangedAtom(bool(pairs[code] == 1), *example.codes.split(int(code)))
            for code in np.flatnonzero((pairs == 1) | (pairs == 2))
        )
        found.append(StepChanges(changes, example.transition.segment, example.arguments))
    return found


def _explained(seen: Observations, bound: Mapping[str, BoundAction]) -> dict[str, float]:
    """Relation to the changes that effects account for, in all transitions."""
    total: dict[str, float] = defaultdict(float)
    for name, own in bound.items():
        scale = len(seen.actions[name]) / len(own.action.rows)
        for atom, verdict in own.action.verdicts.items():
            if verdict.role.adds or verdict.role.deletes:
                total[atom.relation] += scale * own.counts[atom][1 if verdict.role.adds else 2]
    return total
