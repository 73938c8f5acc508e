"""What masks say of schemas that are narrower than a given one: no guess, but what is applicable.

The wide schema allows what is refused in r states, and in b of them the narrow one does not. Had
the query nothing to do with that, those b might as well be any of r + o states, where o are those
in which the wide schema allows all that is listed: the chance is C(r, b)/C(r + o, b), that of
Fisher's exact test. States are counted, not bindings, which depend on each other. A state in which
the action was taken is one of the o only if the query rules out nothing there, else that step
counts already. A state in which the query rules out what is listed has the price of a wrong mask.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

from dias.arrays import spread
from dias.learning.data.refusals import allows_unlisted, lacks_listed, price_of_mask
from dias.learning.data.replay import SchemaInTraces
from dias.traces.record import ActionMask, Traces


class MaskPrices:
    """The masks of one action, and what it takes to say that some of them are wrong.

    Args:
        action: The action.
        traces: All transitions, with their masks.
        max_states: Masks looked at, spread evenly.

    Attributes:
        states: Segment and state of all masks that say something of the action.
    """

    def __init__(self, action: str, traces: Traces, max_states: int) -> None:
        masks = traces.masks_of(action)
        self.states = {(own.mask.segment, own.mask.state) for own in masks}
        self._traces = traces
        self._masks, self._price = spread(masks, max_states), price_of_mask(traces)

    @cached_property
    def say_all(self) -> bool:
        """Whether of each state that a step begins in they say something of the action."""
        return bool(self.states) and self.states.issuperset(
            (t.segment, t.state) for t in self._traces.transitions
        )

    def price_of_allowed(self, schema: SchemaInTraces) -> float:
        """What it takes to say that the masks are wrong against which a schema allows something."""
        return self._price * sum(allows_unlisted(schema, own) for own in self._masks)

    def price_of_lacking(self, schema: SchemaInTraces) -> float:
        """The same of those that list what it does not allow."""
        return self._price * sum(lacks_listed(schema, own) for own in self._masks)


class MaskEvidence(MaskPrices):
    """The masks of one action against a wide schema; arguments as of `MaskPrices`.

    Args:
        wide: The schema.
    """

    def __init__(self, wide: SchemaInTraces, action: str, traces: Traces, max_states: int) -> None:
        super().__init__(action, traces, max_states)
        self._wide = wide
        self._taken_in = {(t.segment, t.state) for t in traces.transitions if t.action == action}

    @property
    def n_states(self) -> int:
        """How many masks say something of the action."""
        return len(self.states)

    @cached_property
    def _refusing(self) -> list[ActionMask]:
        """The masks against which the wide schema allows something."""
        return [own for own in self._masks if allows_unlisted(self._wide, own)]

    @cached_property
    def _allowing(self) -> list[ActionMask]:
        """The masks of which the wide schema allows all that they list, and they list something."""
        return [own for own in self._masks if own.listed and not lacks_listed(self._wide, own)]

    def log_chance(self, narrow: SchemaInTraces, n_idle: int, at_least: bool) -> float:
        """Log of the chance that the masks obeyed a narrower schema by accident; see the file.

        Args:
            narrow: The narrower schema.
            n_idle: States in which the action was taken and it rules out nothing.
            at_least: A lower bound for all schemas between it and the wide one.
        """
        if not self._masks:
            return 0.0
        n_blocked = self.n_blocked(narrow)
        n_wrong = 0 if at_least else len(self.lacking(narrow))
        n_open = n_idle + sum(
            (own.mask.segment, own.mask.state) not in self._taken_in for own in self._allowing
        )
        n_refusing = len(self._refusing)
        chosen = _log_choices(n_refusing, n_blocked) - _log_choices(n_refusing + n_open, n_blocked)
        return chosen + n_wrong * self._price

    def n_blocked(self, narrow: SchemaInTraces) -> int:
        """Masks against which the wide schema allows something and a narrower one nothing."""
        return sum(not allows_unlisted(narrow, own) for own in self._refusing)

    def lacking(
        self, narrow: SchemaInTraces, masks: Sequence[ActionMask] | None = None
    ) -> list[ActionMask]:
        """Masks of which a narrower schema rules out what they list and the wide one does not.

        Args:
            narrow: The narrower schema.
            masks: Those that are asked about; None for all.
        """
        asked = self._allowing if masks is None else masks
        return [own for own in asked if lacks_listed(narrow, own)]


def _log_choices(n: int, k: int) -> float:
    """Log of the number of ways to choose k of n."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
