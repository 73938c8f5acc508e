"""Whether the data decide: a wrong schema against the true one, by the score of learning.

Both are weighed on the training steps as they were before any flip, which the true schema explains
all, and with those negative preconditions and inequalities only that their evidence pays for. The
true one also loses the parameters that are not worth it: what the data do not show of it is nothing
that they could decide.

Where flips were added, both are weighed on the steps as they were seen as well, odd ones having
their price: what the learner saw may decide less than what happened.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dias.strips.model import ActionSchema, Domain
from dias.strips.pddl.reader import read_domain, read_problem
from dias.traces.reading.reader import read_traces

from ..running.rawlines import Row

if TYPE_CHECKING:
    from dias.learning.score import Scales

DECIDED, UNPAID, RIVAL, AGAINST = DATA_SAY = ("decided", "unpaid", "rival", "against")
"""What the data say of a wrong schema, the worst first: the true one is better; it is wrong only by
negative literals that their evidence does not pay for; neither is better; it is better than the
true one."""


def dispute(
    true: str,
    learned: str,
    traces: str,
    seen: str,
    problems: Sequence[str],
    n_states: int,
    states_from: str,
    actions: Mapping[str, bool],
) -> Row:
    """Weigh the schemas of some actions against the true ones.

    Args:
        true: File of the true domain.
        learned: File of the learned one.
        traces: File of the training steps, without flips.
        seen: File of the steps that were learned from.
        problems: Files of the problems in which these actions were found wrong.
        n_states: Test states, as for `evaluate`.
        states_from: Where they come from.
        actions: The actions, and whether all successors are right that the learned domain allows.

    Returns:
        ``disputes``: of each action ``data``, one of `DATA_SAY`; ``true`` and ``learned``, the
        scores in nats, None where a schema does not explain all steps, or is none; ``as_seen``,
        one of `DATA_SAY` for the steps as seen, a few of which may be odd.

    Raises:
        ValueError: A true schema does not explain all steps.
    """
    from dias.evaluation.evaluate import evaluate

    domain, answer = read_domain(true), read_domain(learned)
    instances = [read_problem(path, domain, needs_goal=False) for path in problems]
    short = {schema.name: schema for schema in answer.actions}
    happened, noticed = _Weighing(traces), _Weighing(seen, some_odd=True)
    rows: dict[str, Row] = {}
    for name in actions:
        weigh = happened.scales(name)
        _, best = _shortened(domain.action(name), weigh)
        if best is None:
            raise ValueError(f"the true schema of {name} does not explain all steps")
        rows[name] = {"true": best, "learned": None, "seen": noticed.scores(name, domain, answer)}
        if name in short:
            short[name], rows[name]["learned"] = weigh.concise(short[name])
    shortened = replace(answer, actions=tuple(short.values()))
    evaluation = evaluate(shortened, domain, instances, n_states, states_from=states_from)
    for name, row in rows.items():
        is_complete = evaluation.pooled.actions[name].is_complete
        is_wrong = not (actions[name] and is_complete)
        row["data"] = verdict(row["true"], row["learned"], is_wrong)
        true_seen, learned_seen = row.pop("seen")
        row["as_seen"] = verdict(true_seen, learned_seen, is_wrong)
    return {"disputes": rows}


class _Weighing:
    """Weighs schemas on the steps of a file.

    Args:
        file: The file.
        some_odd: Whether a few steps may have been seen wrong.
    """

    def __init__(self, file: str, some_odd: bool = False) -> None:
        self._steps, self._some_odd = read_traces(file), some_odd

    def scales(self, name: str) -> Scales:
        """What schemas of an action are weighed by."""
        from dias.learning.extend.evidence import PassedOver
        from dias.learning.score import Scales, price_of_odd_step

        own = [t for t in self._steps.transitions if t.action == name]
        price = price_of_odd_step(self._steps) if self._some_odd else None
        return Scales(self._steps, own, (), price, PassedOver(name, self._steps).log_chance)

    def scores(self, name: str, true: Domain, answer: Domain) -> tuple[float, float | None]:
        """That of the true schema and that of an answer; None if it explains too little."""
        weigh = self.scales(name)
        _, best = _shortened(true.action(name), weigh)
        schemas = [schema for schema in answer.actions if schema.name == name]
        learned = weigh.concise(schemas[0])[1] if schemas else None
        return -math.inf if best is None else best, learned


def verdict(true: float, learned: float | None, is_wrong: bool) -> str:
    """What the data say, one of `DATA_SAY`.

    Args:
        true: Score of the true schema, shortened.
        learned: Score of the learned one, shortened; None if it does not explain all steps.
        is_wrong: Whether it has wrong successors, or misses some even when shortened.
    """
    from dias.learning.score import MARGIN

    if learned is None or true - learned > MARGIN:
        return DECIDED
    if not is_wrong:
        return UNPAID
    return RIVAL if learned - true <= MARGIN else AGAINST


def _shortened(schema: ActionSchema, weigh: Scales) -> tuple[ActionSchema, float | None]:
    """Without the negative literals, then parameters no effect mentions, not worth their cost."""
    schema, best = weigh.concise(schema)
    effects = schema.add_effects | schema.delete_effects
    changed = {term for atom in effects for term in atom.terms}
    for name in sorted(set(schema.variables) - changed):
        shorter = replace(schema, **_without(schema, name))
        score = weigh.score(shorter)
        if best is not None and score is not None and score >= best:
            schema, best = shorter, score
    return schema, best


def _without(schema: ActionSchema, name: str) -> dict[str, Any]:
    """The parts of a schema that change where a parameter of its preconditions goes."""
    atoms = {part: getattr(schema, part) for part in ("preconditions", "negative_preconditions")}
    return {
        "parameters": tuple(own for own in schema.parameters if own.name != name),
        "inequalities": frozenset(pair for pair in schema.inequalities if name not in pair),
        **{part: frozenset(a for a in own if name not in a.terms) for part, own in atoms.items()},
    }
