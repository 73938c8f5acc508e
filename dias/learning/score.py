"""The score of a schema, in nats: how well it says its steps, less what it takes to say it.

Every choice of learning is one between two complete explanations of the same steps, and this is
the number that decides it:

    score = sum over distinct steps of log P(s′ | s, name, schema) - cost(schema)
            - price of the steps that were seen wrong + bonus

P is one over the number of distinct outcomes that the schema allows in s: the agent takes any of
them alike. So a literal or a variable is worth what it rules out, however rarely it could have been
violated otherwise. The bonus is what the states say in which the action was passed over
(`dias.learning.extend.choice`). Traces of planners are no random walks; that is why steps that
repeat count once (`dias.learning.extend.evidence` asks what a random policy would have done, and
counts each).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np

from dias.learning.likelihood import Known, Likelihood
from dias.limits import Allowance, OutOfWorkError
from dias.strips.model import ActionSchema, Atom, Predicate
from dias.traces.record import Traces, Transition

log = logging.getLogger(__name__)

MAX_CHECKS = 1_000_000
"""How long the literals of one schema are weighed, in successors and loops of the search for them.
Only one that allows next to everything, or binds next to nothing, needs more."""

MAX_WORK = 3_000_000
"""The same for all schemas of one action that are weighed against each other. Of the benchmark
domains none needs a quarter of it."""

MARGIN = 3.0
"""Nats within which neither of two schemas is better."""

MAX_DOUBTED = math.log(2)
"""Nats up to which a further parameter, whose price is paid, is named: with more it is twice as
likely there as not. What people mean unless something speaks against it is untested up to these,
and no doubt above: inequalities, and relations that divide the objects as types do.
Measured on random domains. Seeds 1000 to 1099: two further parameters have less, of which one is
wrong; four have up to 3 nats, of which one is. Seeds 1100 to 1199: one and one, both right."""

ROUNDING = 1e-9
"""Nats that are no difference."""

MAX_SHARE = 0.05
"""Share of the steps of an action that may be odd."""

MIN_STEPS = 40
"""Steps of an action below which none is odd."""

Bonus = Callable[[ActionSchema, Allowance | None, Known | None], float]

_Negative = tuple[str, Atom | tuple[str, str]]
"""A negative literal: the part of the schema that it stands in, and itself."""


class Scales:
    """Weighs schemas of one action on the same steps.

    Args:
        traces: The traces.
        steps: The steps of the action; None for all.
        constants: Those that may stand in literals.
        odd_price: What it takes to say that a step was seen wrong, in nats; None: no step was.
        bonus: What else the traces say of a schema, in nats; fewer literals never get more of it.
            It is called as `score` is.
    """

    def __init__(
        self,
        traces: Traces,
        steps: Sequence[Transition] | None = None,
        constants: Collection[str] = (),
        odd_price: float | None = None,
        bonus: Bonus = lambda *_: 0.0,
    ) -> None:
        self._bonus = bonus
        self._likelihood = cache(lambda action: Likelihood(action, traces, steps))
        self._cost = cache(
            lambda schema, has_odd: cost(schema, traces.predicates, constants, has_odd)
        )
        self._odd_price = odd_price or 0.0
        self._odd: dict[ActionSchema, bool] = {}
        self._n_left = MAX_WORK
        self._max_odd = (
            0 if odd_price is None else max_odd(len(traces.transitions if steps is None else steps))
        )

    def score(
        self, schema: ActionSchema, allowance: Allowance | None = None, known: Known | None = None
    ) -> float | None:
        """In nats; None if the schema leaves more steps unexplained than may be odd.

        Args:
            schema: The schema.
            allowance: Bindings that may be looked at; None for any number.
            known: What is known of the schema.

        Raises:
            OutOfWorkError: They are more.
        """
        likelihood, n_missed = self._likelihood(schema.name).of(schema, allowance, known)
        if n_missed > self._max_odd:
            return None
        return (
            likelihood
            + self._bonus(schema, allowance, known)
            - self.cost(schema, n_missed > 0 and self._has_odd(schema, allowance))
            - n_missed * self._odd_price
        )

    def concise(
        self, schema: ActionSchema, shown: np.ndarray | None = None
    ) -> tuple[ActionSchema, float | None]:
        """A schema without the negative literals that are not worth their cost.

        They are tried one after another, but in halves: where all of a group together rule out no
        more than one of them costs, none is worth it once those before it are gone. After
        `MAX_CHECKS` checks the rest stay.

        Args:
            schema: The schema.
            shown: ``[n]`` which steps are known to be allowed.

        Returns:
            The schema and its score; as it was, and None, if it leaves too many steps unexplained,
            allows too much to be weighed, or is one too many (`MAX_WORK`).
        """
        allowance = Allowance(min(MAX_CHECKS, self._n_left))
        best: float | None = None
        nothing = self._likelihood(schema.name).nothing_known()
        known = nothing if shown is None else Known(shown)
        with suppress(OutOfWorkError):
            best = self.score(schema, allowance, known)
            waiting: list[list[_Negative]] = [
                [
                    *(("negative_preconditions", x) for x in sorted(schema.negative_preconditions)),
                    *(("inequalities", x) for x in sorted(schema.inequalities)),
                ]
            ]
            if best is not None:
                known.has_least()
            is_first = True
            while best is not None and waiting:
                group = waiting.pop()
                if not group:
                    break
                shorter = _without(schema, group)
                score = self.score(shorter, allowance, known)
                if is_first and score is not None:  # it has none of them
                    known.has_most(shorter)
                is_first = False
                saved = self.cost(schema) - self.cost(shorter)
                if score is not None and best + saved - score <= saved / len(group) + ROUNDING:
                    schema, best = shorter, score
                    known.has_least()
                elif len(group) > 1:
                    middle = len(group) // 2
                    waiting += [group[middle:], group[:middle]]
        self._n_left -= allowance.n_done
        if self._n_left <= 0 < self._n_left + allowance.n_done:
            log.warning("%s: too much to weigh; other schemas are left", schema.name)
        return schema, best

    def _has_odd(self, schema: ActionSchema, allowance: Allowance | None) -> bool:
        """Whether it is not negative literals alone, which are paid for, that steps violate."""
        least = replace(schema, negative_preconditions=frozenset(), inequalities=frozenset())
        if least not in self._odd:
            self._odd[least] = self._likelihood(schema.name).of(least, allowance)[1] > 0
        return self._odd[least]

    def cost(self, schema: ActionSchema, has_odd: bool = False) -> float:
        """What it takes to say a schema, in nats; arguments as of the function."""
        return self._cost(schema, has_odd)


def _without(schema: ActionSchema, negatives: Iterable[_Negative]) -> ActionSchema:
    """The schema without some literals."""
    gone: dict[str, set[object]] = {}
    for part, literal in negatives:
        gone.setdefault(part, set()).add(literal)
    return replace(schema, **{part: getattr(schema, part) - own for part, own in gone.items()})


def score(schema: ActionSchema, traces: Traces) -> float:
    """The score of a schema, steps that it does not allow being seen wrong, in nats.

    It goes by the effects, the further variables, the positive preconditions and the inequalities:
    what is written for safety alone is neither praised nor blamed. -inf if what is left allows too
    much to be weighed in `MAX_CHECKS` checks.

    Args:
        schema: The schema.
        traces: The steps.
    """
    shorter = replace(schema, negative_preconditions=frozenset())
    try:
        own = Likelihood(schema.name, traces)
        likelihood, n_odd = own.of(shorter, Allowance(MAX_CHECKS))
    except OutOfWorkError:
        return -math.inf
    written = cost(
        replace(shorter, inequalities=frozenset()), traces.predicates, traces.constants, n_odd > 0
    )
    return likelihood - written - n_odd * price_of_odd_step(traces)


def max_odd(n_steps: int) -> int:
    """How many of so many steps of an action may be odd: seen wrong."""
    return int(MAX_SHARE * n_steps) if n_steps >= MIN_STEPS else 0


def price_of_odd_step(traces: Traces) -> float:
    """What it takes to say that a step was seen wrong: which step it was, and in which atom."""
    n_objects = max(len(segment.objects) for segment in traces.segments)
    n_atoms = sum(n_objects**predicate.arity for predicate in traces.predicates)
    return math.log(max(1, len(traces.transitions))) + math.log(max(1, n_atoms))


def cost(
    schema: ActionSchema,
    predicates: Iterable[Predicate],
    constants: Collection[str],
    has_odd: bool = False,
) -> float:
    """What it takes to say a schema.

    An effect, a negative precondition, an inequality: the logarithm of the number of alternatives
    at its place. A parameter that no effect mentions: that of the atom that binds it. Positive
    preconditions that never fail cost nothing; where steps are odd, one at least does fail.

    Args:
        schema: The schema.
        predicates: Those that its literals may be over.
        constants: Those that may stand in its literals.
        has_odd: Whether some step violates more of it than negative literals, which have a price.
    """
    arities = [predicate.arity for predicate in predicates]
    n_terms = schema.arity + len(constants)
    n_atoms = sum(n_terms**arity for arity in arities)
    n_pairs = math.comb(n_terms, 2)
    effects = schema.add_effects | schema.delete_effects
    changed = {term for atom in effects for term in atom.terms}
    n_binding = n_atoms - sum((n_terms - 1) ** arity for arity in arities)
    n_effects = len(schema.add_effects) + len(schema.delete_effects)
    n_negative = len(schema.negative_preconditions) + len(schema.inequalities) + has_odd
    n_further = sum(name not in changed for name in schema.variables)
    return (
        n_effects * math.log(max(1, 2 * n_atoms))
        + n_negative * math.log(max(1, n_atoms + n_pairs))
        + n_further * math.log(max(1, n_binding))
    )
