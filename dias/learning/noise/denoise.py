"""The transitions as they most likely were.

Under the likeliest binding of a step, what the action adds or deletes is so, and what it requires,
too, where that binding is beyond doubt. Of other atoms two sightings that agree are believed; where
they do not, one is wrong: which one, the flip rates say. Preconditions and further variables are
learned from the result; the effects stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from dias.learning.data.transitions import Example
from dias.learning.explain.bindings import MAX_BINDINGS, explaining_bindings
from dias.learning.noise.bind.binding import CONFIDENT, BoundAction, effects
from dias.learning.noise.bind.roles import FlipRates
from dias.learning.noise.observations import Observations
from dias.learning.schema import after_constants
from dias.learning.score import MAX_SHARE
from dias.limits import check
from dias.strips.model import Atom
from dias.traces.record import Mask, Traces


def likely_truth(seen: Observations, rates: Mapping[str, FlipRates]) -> list[np.ndarray]:
    """Per segment whether an atom that is seen once true and once false is rather true: ``[C]``."""
    found = []
    for example, view in seen.blocks:
        share = ((view & 1).mean(0) + (view >> 1).mean(0)) / 2
        rather = np.zeros(view.shape[1], dtype=bool)
        for relation in seen.arities:
            check()
            own = example.codes.of(relation)
            lost, invented = rates[relation]
            rather[own] = share[own] * lost * (1 - lost) > (1 - share[own]) * invented * (
                1 - invented
            )
        found.append(rather)
    return found


def denoise(seen: Observations, bound: BoundAction, likely: Sequence[np.ndarray]) -> list[Example]:
    """The transitions of an action, put right: what its literals and the sightings say."""
    action, sure = bound.action, bound.ranked.posterior()[:, 0] > CONFIDENT
    literals = [
        (verdict.role, seen.code(action.rows, bound.ranked.bindings[:, 0], atom))
        for atom, verdict in action.verdicts.items()
        if verdict.role.adds or verdict.role.deletes or verdict.role.requires is not None
    ]
    corrected = []
    for place, row in enumerate(action.rows):
        check()
        pairs, rather = seen.of(row), likely[seen.segment[row]]
        before = (pairs == 3) | ((pairs != 0) & rather)
        after = before.copy()
        for role, codes in literals:
            if not (role.adds or role.deletes or sure[place]):
                continue
            code = codes[place]
            seen_before = bool(pairs[code] >> 1)
            before[code] = seen_before if role.requires is None else role.requires
            after[code] = role.adds or (before[code] and not role.deletes)
        corrected.append(
            replace(
                seen.examples[row],
                state=frozenset(np.flatnonzero(before).tolist()),
                next_state=frozenset(np.flatnonzero(after).tolist()),
            )
        )
    return corrected


def sure(corrected: Sequence[Example], bound: BoundAction) -> list[Example]:
    """Those of the corrected transitions of an action that could not have been otherwise; else all.

    The bindings that explain what one was corrected to have nearly all of the weight; where they
    have not, another of the changes that were seen may be the real one. Of those that are left no
    more are wrong than steps may be odd.
    """
    lifted, share = effects(bound.action), bound.ranked.posterior()
    found = []
    for example, bindings, own in zip(corrected, bound.ranked.bindings, share, strict=True):
        check()
        n_constants = len(example.constants)
        explaining = islice(
            explaining_bindings(after_constants(lifted, n_constants), example), MAX_BINDINGS
        )
        right = {binding[n_constants:] for binding in explaining}
        is_right = [tuple(binding) in right for binding in bindings.tolist()]
        if own[is_right].sum() > 1 - MAX_SHARE:
            found.append(example)
    return found or list(corrected)


def corrected_traces(traces: Traces, groups: Mapping[str, Sequence[Example]]) -> Traces:
    """Traces of the corrected transitions, and a mask for each of their states that has any."""
    names = {predicate.name for predicate in traces.predicates}
    transitions = []
    righted: dict[tuple[int, frozenset[Atom]], set[frozenset[Atom]]] = {}
    for examples in groups.values():
        for example in examples:
            check()
            static = traces.segments[example.transition.segment].static
            states = [
                frozenset(
                    atom
                    for atom in example.codes.decode_state(state)
                    if atom.predicate in names and atom not in static
                )
                for state in (example.state, example.next_state)
            ]
            seen = example.transition.segment, example.transition.state
            righted.setdefault(seen, set()).add(states[0])
            transitions.append(
                replace(example.transition, state=states[0], next_state=states[1], count=1)
            )
    masks: dict[tuple[int, frozenset[Atom]], Mask] = {}
    for mask in traces.masks:
        for state in righted.get((mask.segment, mask.state), ()):
            masks.setdefault((mask.segment, state), replace(mask, state=state))
    return replace(traces, transitions=tuple(transitions), masks=tuple(masks.values()))
