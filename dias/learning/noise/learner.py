"""Transitions that were observed with errors, put right.

The rest of learning then takes them as it takes exact ones, for which a few may still be wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dias.learning.data.transitions import Examples
from dias.learning.noise.bind.binding import (
    ActionRoles,
    BoundAction,
    effects,
    roles_of,
    settle,
    start,
    without_idle_variables,
)
from dias.learning.noise.bind.matching import ChangedAtom, NoiseChanges, StepChanges
from dias.learning.noise.bind.patterns import find_pattern
from dias.learning.noise.bind.rebind import total_pairs
from dias.learning.noise.bind.roles import FlipRates
from dias.learning.noise.constants import NOTHING_KNOWN, Changing, changed, fix_constants
from dias.learning.noise.denoise import corrected_traces, denoise, sure
from dias.learning.noise.dispersion import dispersion
from dias.learning.noise.estimate import (
    NoiseEstimate,
    NoisyModel,
    estimate_flips,
    explained,
    n_contradicted,
    tolerated,
)
from dias.learning.noise.feigned import Feigned, feigned
from dias.learning.noise.observations import Observations, observe
from dias.learning.noise.rates import ceilings, halves, measured
from dias.learning.noise.walks import Walks
from dias.learning.schema import LiftedSchema, after_constants
from dias.limits import check
from dias.traces.record import Traces

N_STEPS, N_MORE_STEPS = 150, 600
"""Transitions of each action that its pattern of changes is looked for in; more where it shows
none at first."""

N_BOUND = 400
"""Transitions of each action that literals are counted in."""


class Righted:
    """Noisy transitions put right, and how far schemas account for the noisy ones.

    Attributes:
        effects: Action to its effects.
        traces: The transitions as they most likely were: `N_BOUND` of each action at most, of these
            the likeliest (`dias.learning.noise.denoise.sure`).
    """

    def __init__(
        self, traces: Traces, groups: Mapping[str, Examples], changing: Changing = NOTHING_KNOWN
    ) -> None:
        """Make out effects, bindings and rates, each with the help of the others.

        Args:
            traces: The transitions.
            groups: The same by action.
            changing: Atoms that are known to change, whatever it looks like.
        """
        self._seen = seen = observe(groups)
        as_seen = seen.pairs.copy()
        self._constants = fix_constants(seen, changing)
        actions, rates = propose(seen)
        self._totals = {name: total_pairs(seen, own.rows) for name, own in actions.items()}
        for _ in range(2):
            self._bound = {
                name: settle(seen, without_idle_variables(own), rates, self._totals[name])
                for name, own in actions.items()
            }
            actions = {name: own.action for name, own in self._bound.items()}
            if found := changed(seen, as_seen, self._bound.values()):
                for segment, known in changing.items():
                    found.setdefault(segment, set()).update(known)
                changing = found
                seen.pairs[:] = as_seen
                self._constants = fix_constants(seen, changing)
                self._totals = {name: total_pairs(seen, own.rows) for name, own in actions.items()}
            explained_changes = _explained(seen, self._bound)
            rates = measured(seen, self._bound.values(), ceilings(seen, explained_changes))
        self._rates = rates
        for name, own in self._bound.items():
            needed = without_idle_variables(own.action)
            if needed.n_variables < own.action.n_variables:
                self._bound[name] = settle(seen, needed, rates, self._totals[name])
        walks = Walks(seen, rates, self._bound.values(), explained_changes)
        self.effects = {
            name: after_constants(effects(own.action), len(groups[name].constants))
            for name, own in self._bound.items()
        }
        corrected = {name: denoise(seen, own, walks) for name, own in self._bound.items()}
        self._dispersion = dispersion(seen, self._bound, corrected)
        self.traces = corrected_traces(
            traces, {name: sure(corrected[name], own) for name, own in self._bound.items()}
        )

    def judge(self, schemas: Sequence[LiftedSchema]) -> Judged:
        """How far finished schemas account for what was seen."""
        actions = {
            schema.action: roles_of(schema, self._bound[schema.action].action.rows)
            for schema in schemas
        }
        model = NoisyModel(actions, self._rates, self._totals)
        holds, n_misnamed = explained(self._seen, model)
        n_explained = {
            name: min(
                int(holds[name].sum()),
                len(rows) - n_contradicted(self._bound[name], model, len(rows)),
            )
            for name, rows in self._seen.actions.items()
        }
        flips, relations, alarms = estimate_flips(self._seen, self._constants, self._rates)
        n_tolerated = tolerated(len(self._seen.examples), n_misnamed)
        noise = NoiseEstimate(flips, relations, n_misnamed, n_tolerated, alarms, self._dispersion)
        unexplained = {
            name: tuple(
                sorted(self._seen.examples[row].transition.line for row in rows[~holds[name]])
            )
            for name, rows in self._seen.actions.items()
        }
        found = {name: feigned(own, self._totals[name]) for name, own in self._bound.items()}
        return Judged(n_explained, unexplained, noise, found)


@dataclass(frozen=True)
class Judged:
    """How far schemas account for noisy transitions.

    Attributes:
        n_explained: Action to how many of its transitions its schema explains.
        unexplained: Action to the lines of those that the noise does not account for.
        noise: How much noise there is.
        feigned: Action to the changes that noise may have made; None if there are few.
    """

    n_explained: Mapping[str, int]
    unexplained: Mapping[str, tuple[int, ...]]
    noise: NoiseEstimate
    feigned: Mapping[str, Feigned | None]


def propose(seen: Observations) -> tuple[dict[str, ActionRoles], dict[str, FlipRates]]:
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
        check()
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
            if verdict.role.is_effect:
                total[atom.relation] += scale * own.counts[atom][verdict.role.pair]
    return total
