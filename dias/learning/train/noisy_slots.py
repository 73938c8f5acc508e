"""Takes from schemas what only mends states that were seen wrong.

A network that sees s′ can bind a slot to whatever object was seen wrong, and an effect over it then
mends that: with four flips in a step there is always one. What such an effect says is worth less
than choosing among so many objects, since the chance of a step is the mean over the bindings that
it may have (`dias.learning.noise.bind.rebind`).

Paper: the noise of ``app:noise-setup``. It knows of no such step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dias.learning.data.transitions import Examples
from dias.learning.noise.bind.binding import ActionRoles, bind, effects, roles_of
from dias.learning.noise.bind.rebind import literal_weights, rank_bindings, total_pairs
from dias.learning.noise.bind.roles import FREE, FlipRates, distribution
from dias.learning.noise.constants import NOTHING_KNOWN, fix_constants
from dias.learning.noise.learner import propose
from dias.learning.noise.observations import Observations, observe
from dias.learning.schema import LiftedAtom, LiftedSchema
from dias.learning.score import MARGIN
from dias.learning.train.spare_slots import Said, needed_slots, over_slots
from dias.limits import check

MAX_STEPS = 150
"""Transitions of each action that are looked at, evenly spread."""


class NoisySlots:
    """Says what of schemas is needed for transitions that were observed with errors.

    Args:
        examples: The transitions by action.
    """

    def __init__(self, examples: Mapping[str, Examples]) -> None:
        self._n_given = {
            name: len(group.examples[0].transition.arguments) for name, group in examples.items()
        }
        self._seen = observe(examples)
        fix_constants(self._seen, NOTHING_KNOWN)
        _, self._rates = propose(self._seen)

    def needed(self, schema: LiftedSchema) -> LiftedSchema:
        """The schema without what is noise, over the slots that serve something.

        A positive precondition goes if the sightings speak against it, an effect if its atom is
        always or never true instead, or changes freely, and a slot if they say as much without it.
        """
        rows = self._seen.actions[schema.action]
        # Slots select different objects: a problem with fewer of them says nothing of so many.
        rows = rows[self._seen.n_objects[rows] >= schema.n_variables]
        if not len(rows):
            return schema
        steps = _Steps(
            self._seen,
            rows[:: -(-len(rows) // MAX_STEPS)],
            self._rates,
            self._n_given[schema.action],
        )
        before = None
        while schema != before:
            before = schema
            schema = steps.without_idle_effects(steps.without_false_literals(schema))
            schema = steps.over_needed_slots(schema)
        return schema


class _Steps:
    """Some steps of one action.

    Args:
        seen: All observations.
        rows: ``[n]`` those of the steps.
        rates: How often atoms are seen wrong.
        n_given: Leading slots that the transitions name.
    """

    def __init__(
        self, seen: Observations, rows: np.ndarray, rates: Mapping[str, FlipRates], n_given: int
    ) -> None:
        self._seen, self._rows, self._rates, self._n_given = seen, rows, rates, n_given
        self._totals = total_pairs(seen, rows)
        self._left_alone = {r: _left_alone(own, rates[r]) for r, own in self._totals.items()}

    def without_false_literals(self, schema: LiftedSchema) -> LiftedSchema:
        """Without the positive preconditions that the sightings speak against."""
        nats = self._nats(schema)
        for atom in schema.positive:
            if atom in schema.effects.delete:  # it says the same
                continue
            shorter = replace(schema, positive=tuple(x for x in schema.positive if x != atom))
            own = self._nats(shorter)
            if own > nats + MARGIN:
                schema, nats = shorter, own
        return schema

    def without_idle_effects(self, schema: LiftedSchema) -> LiftedSchema:
        """Without the effects of which the likeliest bindings show that they are none."""
        found = effects(bind(self._seen, self._roles(schema), self._rates, self._totals).action)
        add = tuple(atom for atom in schema.effects.add if atom in found.add)
        delete = tuple(atom for atom in schema.effects.delete if atom in found.delete)
        return replace(schema, effects=schema.effects._replace(add=add, delete=delete))

    def over_needed_slots(self, schema: LiftedSchema) -> LiftedSchema:
        """Over the slots without which the sightings say less."""
        kept = needed_slots(
            schema, self._n_given, lambda slots: Said(0, self._nats(over_slots(schema, slots)))
        )
        return over_slots(schema, kept)

    def _nats(self, schema: LiftedSchema) -> float:
        """Log of how many times likelier the schema makes the sightings than noise alone.

        Of a precondition only what was seen before the step counts: an effect may not be known yet.
        """
        own = self._roles(schema)
        asked = literal_weights(own.verdicts, self._rates, self._left_alone)
        for atom in asked.keys() - own.effects:
            alone = self._left_alone[atom.relation]
            asked[atom] = np.log(_before(alone * np.exp(asked[atom])) / _before(alone))
        ranked = rank_bindings(self._seen, self._rows, asked, own.n_variables, own.n_given)
        return float(ranked.evidence(self._seen.n_objects, own.n_given).sum())

    def _roles(self, schema: LiftedSchema) -> ActionRoles:
        """What the schema makes of its literals, as far as they tell outcomes apart.

        Most atoms are false of most objects, so negative literals go together, and say more than
        they do one by one. The same goes for those of one object with itself. What is not linked
        with anything that changes says nothing of the outcome.
        """
        check()
        added = frozenset(schema.effects.add)
        changed = added.union(schema.effects.delete)
        linked = {*range(self._n_given)}.union(*(atom.variables for atom in changed))
        n_before = -1
        while n_before < len(linked):
            n_before = len(linked)
            for atom in schema.positive:
                if not linked.isdisjoint(atom.variables):
                    linked.update(atom.variables)

        def tells_apart(atom: LiftedAtom) -> bool:
            variables = {*atom.variables}
            return variables <= linked and len(variables) == len(atom.variables)

        telling = replace(
            schema,
            positive=tuple(filter(tells_apart, schema.positive)),
            negative=tuple(atom for atom in schema.negative if atom in added),
        )
        own = roles_of(telling, self._rows)
        return replace(own, n_given=self._n_given, effects=changed)


def _left_alone(total: np.ndarray, rates: FlipRates) -> np.ndarray:
    """The distribution of the pairs of atoms that no action touches, ``[4]``.

    Args:
        total: ``[4]`` how often each pair was seen.
        rates: How often such an atom is seen wrong.
    """
    seen_true = total[2:].sum() / max(1, total.sum())
    is_true = min(1, max(0, (seen_true - rates.invented) / (1 - rates.lost - rates.invented)))
    return distribution(FREE, np.array([1 - is_true, is_true]), rates)


def _before(shares: np.ndarray) -> np.ndarray:
    """``[4]`` the share of what was seen before the step, for each pair."""
    return np.repeat(shares.reshape(2, 2).sum(1), 2)
