"""Switches off slots that serve nothing.

Paper: Section "Derivation of action schemas" (``sec:schema-derivation``): the active slots are the
arguments, and training switches off what is spare. Where slots start active (`dias.nn.start`),
nothing in the loss does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from dias.learning.data.replay import CodedStates
from dias.learning.extend.evidence import PassedOver
from dias.learning.finish.assemble import action_schema
from dias.learning.schema import LiftedAtom, LiftedSchema
from dias.learning.score import MARGIN, MAX_CHECKS, log_likelihood, price_of_odd_step
from dias.limits import Allowance, OutOfWorkError
from dias.traces.record import Traces


def without_spare_slots(schema: LiftedSchema, traces: Traces, coded: CodedStates) -> LiftedSchema:
    """The schema without the slots that nothing is lost without.

    As many steps must be explained, and what the transitions say must be as much, within `MARGIN`
    (`Worth`): a slot whose literals rule out half of the outcomes of each step is worth log 2 a
    step, and one whose literals never fail is worth nothing. Those of which the least is true are
    tried first: where there are two cities, that two places are not in the other one says as much
    as that both are in this one, but only there. Given arguments stay.

    Args:
        schema: What a network says.
        traces: The transitions that it was trained on.
        coded: Their coded states.
    """
    n_given = next(len(t.arguments) for t in traces.transitions if t.action == schema.action)
    worth = Worth(schema.action, traces, coded)
    said = worth.of(schema)
    n_true = Counter(slot for atom in schema.positive for slot in set(atom.variables))
    waiting = sorted(range(n_given, schema.n_variables), key=lambda slot: (n_true[slot], -slot))
    while waiting:
        slot, *waiting = waiting
        shorter = without_slot(schema, slot)
        own = worth.of(shorter)
        if own and (said is None or _is_no_loss(own, said)):
            schema, said = shorter, own
            waiting = [other - (other > slot) for other in waiting]
    return schema


def without_slot(schema: LiftedSchema, slot: int) -> LiftedSchema:
    """The schema without a variable, and without the literals over it."""
    number = {v: v - (v > slot) for v in range(schema.n_variables) if v != slot}

    def rest(atoms: tuple[LiftedAtom, ...]) -> tuple[LiftedAtom, ...]:
        return tuple(atom.renamed(number) for atom in atoms if slot not in atom.variables)

    n_variables, effects = schema.n_variables - 1, schema.effects
    return replace(
        schema,
        effects=effects._replace(
            n_variables=n_variables, add=rest(effects.add), delete=rest(effects.delete)
        ),
        n_variables=n_variables,
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
        coded: Their coded states.
    """

    def __init__(self, action: str, traces: Traces, coded: CodedStates) -> None:
        self._traces, self._coded = traces, coded
        self._passed_over = PassedOver(action, traces, coded)

    def of(self, schema: LiftedSchema) -> Said | None:
        """What they say of one; None if it allows too much to be weighed in `MAX_CHECKS` checks."""
        written, allowance = action_schema(schema, self._traces), Allowance(MAX_CHECKS)
        try:
            likelihood, n_missed = log_likelihood(written, self._traces, self._coded, allowance)
            likelihood += self._passed_over.log_chance(written, allowance)
        except OutOfWorkError:
            return None
        return Said(n_missed, likelihood - n_missed * price_of_odd_step(self._traces))
