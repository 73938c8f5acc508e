"""Is a precondition-only variable real? What transitions say whose bindings are in doubt.

As `dias.learning.extend.evidence`, with shares of bindings instead of certainties. In a step of the
action the wide schema allows k bindings and the narrow one k′ of them. Take them as equally likely
beforehand, and let h be the share that what was seen to change leaves to the k′ among the k. Then
the step is h·k/k′ times as likely under the narrow schema. In a step that changes nothing h is
about as small as k′/k, and the step says little; where noise looks like a change outside of the k′,
h is small but not 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend.evidence import Evidence
from dias.learning.extend.queries import can_satisfy, is_linked
from dias.learning.finish.assemble import action_schema
from dias.learning.noise.bind.roles import SLIPS
from dias.learning.noise.denoise import corrected_traces
from dias.learning.noise.observations import Observations
from dias.learning.schema import LiftedAtom, LiftedSchema
from dias.traces.record import Traces


class Choice(NamedTuple):
    """The bindings that the wide schema allows in a step of the action.

    Attributes:
        place: The number of the step among the action's transitions.
        row: Its number among the observations.
        bindings: k bindings, in order.
        likelihoods: k numbers, how likely each makes what was seen to change; their sum is 1.
    """

    place: int
    row: int
    bindings: list[tuple[int, ...]]
    likelihoods: list[float]


class Odds(NamedTuple):
    """How a narrower schema compares with the wide one.

    Attributes:
        log_chance: Log of how likely the steps are under the wide schema, relative to the narrow.
        n_missed: Steps of the action that the narrow schema probably does not allow.
        n_steps: Steps of the action that were looked at.
    """

    log_chance: float
    n_missed: float
    n_steps: int


class NoisyEvidence:
    """Weighs schemas that are narrower than a given one.

    Args:
        wide: The given schema.
        traces: The transitions as they most likely were.
        examples: Some of the action, with all in s that may have been true.
        places: Their numbers among the action's transitions.
        rows: Their numbers among the observations.
        seen: The observations.
        effects: What each pair of sightings of an effect says about a binding.

    Attributes:
        choices: What the wide schema allows in the steps of the action.
    """

    def __init__(
        self,
        wide: LiftedSchema,
        traces: Traces,
        examples: Examples,
        places: Sequence[int],
        rows: Sequence[int],
        seen: Observations,
        effects: Mapping[LiftedAtom, np.ndarray],
    ) -> None:
        self._passed_over = Evidence(wide, traces, weigh_taken=False)
        self._wide = wide
        self._examples = examples
        self.choices: list[Choice] = []
        taken = corrected_traces(traces, {wide.action: examples.examples})
        applied = SchemaInTraces(action_schema(wide, taken), taken)
        found: list[list[tuple[int, ...]]] = []
        for place, row, transition in zip(places, rows, taken.transitions, strict=True):
            allowed = sorted({successor.binding for successor in applied.successors(transition)})
            found.append(allowed)
            if allowed:
                bindings = np.array(allowed, dtype=np.int64).reshape(len(allowed), -1)
                scores = np.zeros(len(allowed))
                for atom, table in effects.items():
                    scores += table[seen.look(np.full(len(allowed), row), bindings, atom)]
                shares = np.exp(scores - scores.max())
                likelihoods = (shares / shares.sum()).tolist()
                self.choices.append(Choice(place, row, allowed, likelihoods))
        self._bindings = BindingTable.of(found, wide.n_variables)
        self._likelihoods = np.array([x for choice in self.choices for x in choice.likelihoods])
        self._n_wide = np.array([len(choice.bindings) for choice in self.choices], dtype=np.int64)
        self._choice = np.repeat(np.arange(len(self.choices)), self._n_wide)

    def odds(self, narrow: LiftedSchema) -> Odds:
        """Weigh a narrower schema: the wide one with literals over further variables."""
        wide, n_choices = self._wide, len(self.choices)
        query = tuple(atom for atom in narrow.positive if atom not in wide.positive)
        never = tuple(atom for atom in narrow.negative if atom not in wide.negative)
        n_new = narrow.n_variables - wide.n_variables
        linked = is_linked(query, wide.n_variables, n_new, linked=True)
        is_kept = can_satisfy(self._examples, self._bindings, query, never, n_new, linked)
        share = np.bincount(self._choice, self._likelihoods * is_kept, n_choices)
        n_narrow = np.bincount(self._choice[is_kept], minlength=n_choices)
        ratios = log_odds(share, self._n_wide, n_narrow)
        return Odds(
            self._passed_over.log_chance(narrow) - float(ratios.sum()),
            float((SLIPS / np.exp(ratios)).sum()),
            len(self.choices),
        )


def log_odds(share: np.ndarray, n_wide: np.ndarray, n_narrow: np.ndarray) -> np.ndarray:
    """Log of how much likelier steps are under a narrower schema: log(h·k/k′), slips included.

    Args:
        share: ``[T]`` h.
        n_wide: ``[T]`` k.
        n_narrow: ``[T]`` k′.
    """
    ratio = share * n_wide / np.maximum(1, n_narrow)
    return np.asarray(np.log(SLIPS + (1 - SLIPS) * ratio))
