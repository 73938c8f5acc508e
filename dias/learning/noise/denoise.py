"""The transitions as they most likely were.

Under the likeliest binding of a step, what the action adds or deletes is so, and what it requires,
too, where that binding is beyond doubt. What other atoms were is told by all that was seen of them,
in the steps before and after, too (`walks`). Preconditions and further variables are learned from
the result; of the effects only what is idle or said twice goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress, pairwise

import numpy as np

from dias.arrays import NumberSet, ranges
from dias.learning.data.transitions import Example, numbered
from dias.learning.noise.bind.binding import CONFIDENT, BoundAction, effects
from dias.learning.noise.observations import Observations
from dias.learning.noise.walks import Walks
from dias.learning.schema import Effects
from dias.learning.score import MAX_SHARE
from dias.limits import check
from dias.strips.codes import tuple_number
from dias.strips.model import Atom
from dias.traces.record import HALF, Mask, Traces


def denoise(seen: Observations, bound: BoundAction, walks: Walks) -> list[Example]:
    """The transitions of an action, put right: what its literals and the sightings say."""
    action, is_clear = bound.action, bound.ranked.posterior()[:, 0] > CONFIDENT
    steps = [seen.examples[row] for row in action.rows]
    sizes = np.array([step.codes.n_codes for step in steps])
    ends = np.cumsum(sizes)
    pairs = seen.pairs[ranges(seen.start[action.rows], sizes)]
    before = np.concatenate(walks.truth(action.rows))
    after = before.copy()
    for atom, (role, _) in action.verdicts.items():
        check()
        is_effect = role.is_effect
        if is_effect or role.requires is not None:
            codes = ends - sizes + seen.code(action.rows, bound.ranked.bindings[:, 0], atom)
            own = codes if is_effect else codes[is_clear]
            before[own] = pairs[own] >> 1 if role.requires is None else role.requires
            after[own] = role.adds or (before[own] & (not role.deletes))
    return [
        replace(step, state=state, next_state=next_state)
        for step, state, next_state in zip(
            steps, _states(before, ends), _states(after, ends), strict=True
        )
    ]


def _states(truth: np.ndarray, ends: np.ndarray) -> Iterator[frozenset[int]]:
    """The true atoms of states that stand one after another, each up to its end."""
    true = np.flatnonzero(truth)
    places = [0, *np.searchsorted(true, ends).tolist()]
    for number, (first, end) in enumerate(pairwise(places)):
        yield frozenset((true[first:end] - (ends[number - 1] if number else 0)).tolist())


def sure(corrected: Sequence[Example], bound: BoundAction) -> list[Example]:
    """Those of the corrected transitions of an action that hardly were otherwise; else all.

    Where the bindings that explain what one was corrected to have not all of the weight, another of
    the changes that were seen may be the real one. The likeliest stay, as long as no more of them
    are expected to be wrong than steps may be odd. (With the certain ones alone, an action that
    mostly changes nothing would be one that changes nothing: its changes are what may be noise.)
    """
    share = bound.ranked.posterior()
    bindings = np.where(share[..., None] > 0, bound.ranked.bindings, 0)
    weight = np.where(_explain(effects(bound.action), corrected, bindings), share, 0).sum(1)
    order = np.argsort(-weight, kind="stable")
    n_wrong = np.cumsum(1 - weight[order])
    is_sure = np.zeros(len(order), dtype=bool)
    is_sure[order] = n_wrong <= MAX_SHARE * np.arange(1, len(order) + 1)
    return [*compress(corrected, is_sure & (weight > HALF))] or list(corrected)


def _explain(lifted: Effects, steps: Sequence[Example], bindings: np.ndarray) -> np.ndarray:
    """``[n, W]`` which injective bindings ``[n, W, V]`` make effects lead from s to s′."""
    stride = max((step.codes.n_codes for step in steps), default=1)
    first = np.arange(len(steps)) * stride
    before, after = (
        NumberSet(numbered(states, stride), len(steps) * stride)
        for states in ([step.state for step in steps], [step.next_state for step in steps])
    )
    n_objects = np.array([len(step.codes.objects) for step in steps], np.int64)[:, None]
    n_left = np.array([len(step.state ^ step.next_state) for step in steps], np.int64)[:, None]
    fits = np.ones(bindings.shape[:2], dtype=bool)
    for becomes, atoms in ((True, lifted.add), (False, lifted.delete)):
        for relation, variables in atoms:
            check()
            offset = np.array([step.codes.offset[relation] for step in steps], np.int64)
            place = tuple_number((bindings[..., v] for v in variables), n_objects)
            codes = (first + offset)[:, None] + place
            fits &= after.contains(codes) == becomes
            n_left = n_left - (before.contains(codes) != becomes)
    return fits & (n_left == 0)


def corrected_traces(traces: Traces, groups: Mapping[str, Sequence[Example]]) -> Traces:
    """Traces of the corrected transitions, and a mask for each of their states that has any."""
    names = {predicate.name for predicate in traces.predicates}
    constant: dict[int, frozenset[int]] = {}
    transitions = []
    righted: dict[tuple[int, frozenset[Atom]], set[frozenset[Atom]]] = {}
    for examples in groups.values():
        for example in examples:
            check()
            seen, codes = example.transition, example.codes
            if seen.segment not in constant:
                types = (range(codes.n_codes)[codes.of(x)] for x in codes.arities.keys() - names)
                static = codes.encode_state(traces.segments[seen.segment].static)
                constant[seen.segment] = static.union(*types)
            state, next_state = (
                codes.decode_state(own - constant[seen.segment])
                for own in (example.state, example.next_state)
            )
            if traces.masks:
                righted.setdefault((seen.segment, seen.state), set()).add(state)
            transitions.append(replace(seen, state=state, next_state=next_state, count=1))
    masks: dict[tuple[int, frozenset[Atom]], Mask] = {}
    for mask in traces.masks:
        for state in righted.get((mask.segment, mask.state), ()):
            masks.setdefault((mask.segment, state), replace(mask, state=state))
    return replace(traces, transitions=tuple(transitions), masks=tuple(masks.values()))
