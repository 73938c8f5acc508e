"""Whether the data decide: a wrong schema against the true one, by the score of learning.

Both are weighed on the training steps as they were before any flip, which the true schema explains
all, and with those negative preconditions and inequalities only that their evidence pays for. The
true one also loses the parameters that are not worth it: what the data do not show of it is nothing
that they could decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dias.strips.model import ActionSchema
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
        problems: Files of the problems in which these actions were found wrong.
        n_states: Test states, as for `evaluate`.
        states_from: Where they come from.
        actions: The actions, and whether all successors are right that the learned domain allows.

    Returns:
        ``disputes``: of each action ``data``, one of `DATA_SAY`; ``true`` and ``learned``, the
        scores in nats, None where a schema does not explain all steps, or is none.

    Raises:
        ValueError: A true schema does not explain all steps.
    """
    from dias.evaluation.evaluate import evaluate
    from dias.learning.data.coded_states import CodedStates
    from dias.learning.extend.choice import scales
    from dias.learning.extend.evidence import PassedOver

    domain, answer, steps = read_domain(true), read_domain(learned), read_traces(traces)
    instances = [read_problem(path, domain, needs_goal=False) for path in problems]
    coded = CodedStates(steps)
    short = {schema.name: schema for schema in answer.actions}
    rows: dict[str, Row] = {}
    for name in actions:
        own = [t for t in steps.transitions if t.action == name]
        weigh = scales(PassedOver(name, steps, coded), steps, own, coded)
        _, best = _shortened(domain.action(name), weigh)
        if best is None:
            raise ValueError(f"the true schema of {name} does not explain all steps")
        own = None
        if name in short:
            short[name], own = weigh.concise(short[name])
        rows[name] = {"true": best, "learned": own}
    shortened = replace(answer, actions=tuple(short.values()))
    evaluation = evaluate(shortened, domain, instances, n_states, states_from=states_from)
    for name, row in rows.items():
        is_complete = evaluation.pooled.actions[name].is_complete
        row["data"] = verdict(row["true"], row["learned"], not (actions[name] and is_complete))
    return {"disputes": rows}


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
