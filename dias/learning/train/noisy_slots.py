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
from dias.learning.noise.observations import observe
from dias.learning.schema import LiftedSchema
from dias.learning.train.spare_slots import Said, needed_slots, over_slots

N_STEPS = 150
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
        self._rows = {
            name: rows[:: -(-len(rows) // N_STEPS)] for name, rows in self._seen.actions.items()
        }
        _, self._rates = propose(self._seen)
        self._totals = {name: total_pairs(self._seen, rows) for name, rows in self._rows.items()}

    def needed(self, schema: LiftedSchema) -> LiftedSchema:
        """The schema without effects that are noise, over the slots that serve something."""
        paid = self._paid(schema)
        kept = needed_slots(
            paid, self._n_given[schema.action], lambda slots: self._said(over_slots(paid, slots))
        )
        return self._paid(over_slots(paid, kept))  # under the bindings that are left

    def _paid(self, schema: LiftedSchema) -> LiftedSchema:
        """Without the effects that the sightings speak against."""
        own = self._roles(schema)
        found = effects(bind(self._seen, own, self._rates, self._totals[own.name]).action)
        add, delete = (
            tuple(atom for atom in before if atom in after)
            for before, after in (
                (schema.effects.add, found.add),
                (schema.effects.delete, found.delete),
            )
        )
        return replace(schema, effects=schema.effects._replace(add=add, delete=delete))

    def _said(self, schema: LiftedSchema) -> Said:
        """What the sightings say of the schema: of an effect, that the atom changed.

        How often it was true before goes with the types of its objects, which slots that serve
        nothing have, too.
        """
        own = self._roles(schema)
        usual = {
            relation: _left_alone(total, self._rates[relation])
            for relation, total in self._totals[own.name].items()
        }
        asked = literal_weights(own.verdicts, self._rates, usual)
        for atom in own.effects & asked.keys():
            seen = usual[atom.relation]
            asked[atom] -= np.log(_before(np.exp(asked[atom]) * seen) / _before(seen))
        ranked = rank_bindings(self._seen, own.rows, asked, own.n_variables, own.n_given)
        return Said(0, float(ranked.evidence(self._seen.n_objects, own.n_given).sum()))

    def _roles(self, schema: LiftedSchema) -> ActionRoles:
        """What the schema makes of its literals, as far as they tell outcomes apart.

        Most atoms are false of most objects, so negative literals go together, and say more than
        they do one by one. The same goes for those of one object with itself. What is not linked
        with anything that changes says nothing of the outcome.
        """
        n_given = self._n_given[schema.action]
        added = frozenset(schema.effects.add)
        changed = added.union(schema.effects.delete)
        linked = {*range(n_given)}.union(*(atom.variables for atom in changed))
        for _ in schema.positive:  # the longest chain of links
            for atom in schema.positive:
                if not linked.isdisjoint(atom.variables):
                    linked.update(atom.variables)
        telling = replace(
            schema,
            positive=tuple(
                atom
                for atom in schema.positive
                if linked.issuperset(atom.variables)
                and len(set(atom.variables)) == len(atom.variables)
            ),
            negative=tuple(atom for atom in schema.negative if atom in added),
        )
        own = roles_of(telling, self._rows[schema.action])
        return replace(own, n_given=n_given, effects=changed)


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
    """``[4]`` the share of what was seen before, for each pair."""
    return np.repeat(shares.reshape(2, 2).sum(1), 2)
