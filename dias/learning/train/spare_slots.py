"""Switches off slots that serve nothing.

Paper: Section "Derivation of action schemas" (``sec:schema-derivation``): the active slots are the
arguments, and training switches off what is spare. Where slots start active (`dias.nn.start`),
nothing in the loss does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from dias.learning.extend.evidence import PassedOver
from dias.learning.finish.assemble import action_schema
from dias.learning.likelihood import Likelihood
from dias.learning.schema import Effects, LiftedAtom, LiftedSchema
from dias.learning.score import MARGIN, MAX_CHECKS, price_of_odd_step
from dias.limits import Allowance, OutOfWorkError
from dias.traces.record import Traces


def without_spare_slots(schema: LiftedSchema, traces: Traces) -> LiftedSchema:
    """The schema without the slots that nothing is lost without; given arguments stay.

    Args:
        schema: What a network says.
        traces: The transitions that it was trained on.
    """
    worth = Worth(schema.action, traces)
    return over_slots(
        schema,
        needed_slots(
            schema, n_given(schema.action, traces), lambda s: worth.of(over_slots(schema, s))
        ),
    )


def n_given(action: str, traces: Traces) -> int:
    """How many arguments the transitions of an action give; they fill the first slots."""
    return next(len(t.arguments) for t in traces.transitions if t.action == action)


def needed_slots(
    schema: LiftedSchema, n_given: int, worth: Callable[[Sequence[int]], Said | None]
) -> tuple[int, ...]:
    """The slots that something is lost without, and the first `n_given`.

    As many steps must be explained without a slot, and what the transitions say must be as much,
    within `MARGIN`: one whose literals rule out half of the outcomes of each step is worth log 2 a
    step, and one whose literals never fail is worth nothing. Those of which the least is true are
    tried first: where there are two cities, that two places are not in the other one says as much
    as that both are in this one, but only there.

    Args:
        schema: The preconditions over all slots.
        n_given: Given arguments.
        worth: What the transitions say if only some slots are active; None if too much is allowed
            to be weighed.
    """
    n_true = Counter(slot for atom in schema.positive for slot in set(atom.variables))
    kept = tuple(range(schema.n_variables))
    said = worth(kept)
    for slot in sorted(kept[n_given:], key=lambda slot: (n_true[slot], -slot)):
        fewer = tuple(other for other in kept if other != slot)
        own = worth(fewer)
        if own and (said is None or _is_no_loss(own, said)):
            kept, said = fewer, own
    return kept


def over_slots(schema: LiftedSchema, slots: Sequence[int]) -> LiftedSchema:
    """The schema over some of its variables, and the literals over these, numbered anew."""
    number = {slot: i for i, slot in enumerate(slots)}

    def rest(atoms: tuple[LiftedAtom, ...]) -> tuple[LiftedAtom, ...]:
        return tuple(a.renamed(number) for a in atoms if number.keys() >= set(a.variables))

    effects = schema.effects
    return replace(
        schema,
        effects=Effects(len(slots), rest(effects.add), rest(effects.delete), effects.n_given),
        n_variables=len(slots),
        positive=rest(schema.positive),
        negative=rest(schema.negative),
    )


class Said(NamedTuple):
    """What the transitions say of a schema.

    Attributes:
        n_missed: Steps that it does not explain.
        nats: Log P of the others, and of passing the action over where the schema allows it, less
            the price of those that it does not explain.
    """

    n_missed: int
    nats: float


def _is_no_loss(shorter: Said, longer: Said) -> bool:
    return shorter.n_missed <= longer.n_missed and shorter.nats >= longer.nats - MARGIN


class Worth:
    """What the transitions say of the schemas of one action.

    Args:
        action: The action.
        traces: All transitions.
    """

    def __init__(self, action: str, traces: Traces) -> None:
        self._traces, self._likelihood = traces, Likelihood(action, traces)
        self._passed_over = PassedOver(action, traces)

    def of(self, schema: LiftedSchema) -> Said | None:
        """What they say of one; None if it allows too much to be weighed in `MAX_CHECKS` checks."""
        written, allowance = action_schema(schema, self._traces), Allowance(MAX_CHECKS)
        try:
            likelihood, n_missed = self._likelihood.of(written, allowance)
            likelihood += self._passed_over.log_chance(written, allowance)
        except OutOfWorkError:
            return None
        return Said(n_missed, likelihood - n_missed * price_of_odd_step(self._traces))
