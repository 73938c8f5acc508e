"""Learn from traces, evaluate on instances that they do not come from, weigh what is wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dias.diff.domains import diff_domains
from dias.strips.model import Domain
from dias.strips.pddl.reader import read_domain

from ..running.outcomes import learned, measured, schemas
from ..running.rawlines import Row
from ..running.runs import GRACE_S, call, dias
from .dispute import dispute
from .literals import named_differences, weighed_literals

N_STATES, STATES_FROM = 300, "both"
"""Test states, near the start and far from it."""

DISPUTE_S = 300
"""Time limit; what needs longer has failed."""

RIGHT, RIGHT_DOUBTED, WRONG_DOUBTED, WRONG_UNTESTED, WRONG_SILENT = OUTCOMES = (
    *("right", "right, doubted"),
    *("wrong, doubted", "wrong, untested", "wrong, silent"),
)
"""Whether any action has a wrong successor or misses one in the test states, and whether learning
has named a weak point or ended with status 4. Of an action: whether a weak point is its own, or
something that it says was left undone for want of time.
Untested: there is none, but the certificate calls a literal untested that is wrong
(`named_differences`); of a domain: one of each wrong action."""

UNSEEN = "never seen"
"""Of a single action: learning had no step of it and says so; it is wrong."""


def judge(
    row: Row,
    domain: Path,
    seen: Path,
    test: Sequence[Path],
    options: Sequence[object],
    *,
    learn_s: float,
    evaluate_s: float,
) -> Path | None:
    """Learn and evaluate; see `dias`.

    ``outcome`` of the row is one of `OUTCOMES`; ``actions`` has the details of each action.

    Args:
        row: Of a run.
        domain: File of the true domain.
        seen: The traces; what is learned is written beside them.
        test: Files of the test instances.
        options: Of ``dias learn``.
        learn_s: Seconds after which learning is killed.
        evaluate_s: Seconds of the evaluation; one that is cut short has failed.

    Returns:
        File of the learned domain, None if there is no evaluation of it.
    """
    output = seen.with_name("learned.pddl")
    command = ("learn", seen, "-o", output, "--no-infer-types", *options)
    result = dias(row, *command, time_limit_s=learn_s, successes=(0, 4))
    if result is None:
        return None
    row |= learned(result, math.inf)
    row.setdefault("domain", read_domain(domain).name)
    row["learned"] = schemas(output)
    row |= {name: result[name] for name in ("explains_everything", "unobserved")}
    problems = [word for path in test for word in ("--problem", path)]
    evaluation = dias(
        row, "evaluate", output, "--gt", domain, *problems, "--states", N_STATES,
        "--states-from", STATES_FROM, "--time-limit", evaluate_s,
        time_limit_s=evaluate_s + GRACE_S,
    )  # fmt: skip
    if evaluation is None:
        return None
    row |= measured(evaluation)
    row["actions"] = {
        name: {
            **{key: score[key] for key in ("precision", "recall")},
            "doubted": any(point.startswith(f"{name}: ") for point in row["weak_points"])
            or any(name in own for own in result["undone"].values()),
            "untested": [],
        }
        for name, score in evaluation["actions"].items()
    }
    _compare(row, result, read_domain(output), read_domain(domain))
    row |= {"outcome": outcome(row), "not_tested": evaluation["not_tested"]}
    return output


def _compare(row: Row, result: Row, learned: Domain, true: Domain) -> None:
    """Write down the nats of literals, and what of wrong schemas the certificate calls untested."""
    row["literals"] = []
    for diff in diff_domains(learned, true).actions:
        own = row["actions"].get(diff.name)
        support = result["actions"].get(diff.name, {}).get("support")
        if not (own and support and diff.left):
            continue
        row["literals"] += weighed_literals(diff, support, own["recall"])
        if diff.name in row["wrong"]:
            too_much, too_little = own["precision"] < 1, own["recall"] < 1
            own["untested"] = named_differences(
                diff, support, too_much=too_much, too_little=too_little
            )


def outcome(row: Mapping[str, Any]) -> str:
    """One of `OUTCOMES`."""
    is_doubted = bool(row["weak_points"]) or not row["explains_everything"]
    if row["wrong"]:
        is_named = all(row["actions"][name]["untested"] for name in row["wrong"])
        return WRONG_DOUBTED if is_doubted else WRONG_UNTESTED if is_named else WRONG_SILENT
    return RIGHT_DOUBTED if is_doubted else RIGHT


def action_outcomes(rows: Iterable[Row]) -> Counter[str]:
    """How many actions of judged runs, tested ones, have each of `OUTCOMES`, or are `UNSEEN`."""
    return Counter(
        UNSEEN if name in row.get("unobserved", ()) else _of_action(own, name in row["wrong"])
        for row in rows
        for name, own in row["actions"].items()
    )


def _of_action(own: Row, is_wrong: bool) -> str:
    """One of `OUTCOMES`."""
    if not is_wrong:
        return RIGHT_DOUBTED if own["doubted"] else RIGHT
    if own["doubted"]:
        return WRONG_DOUBTED
    return WRONG_UNTESTED if own.get("untested") else WRONG_SILENT


def dispute_wrong(
    row: Row, domain: Path, learned: Path, traces: Path, seen: Path, test: Sequence[Path]
) -> None:
    """Weigh what `judge` found wrong against the truth, see `dispute`; seen actions only.

    Args:
        row: What `judge` has filled.
        domain: File of the true domain.
        learned: File of the learned domain.
        traces: The traces, as they were before any flip.
        seen: The traces that were learned from.
        test: Files of the test instances.
    """
    wrong = [name for name in row["wrong"] if name not in row["unobserved"]]
    if row["failure"] is None and wrong:
        arguments = {
            "true": domain,
            "learned": learned,
            "traces": traces,
            "seen": seen,
            "problems": list(map(str, test)),
            "n_states": N_STATES,
            "states_from": STATES_FROM,
            "actions": {name: row["actions"][name]["precision"] == 1 for name in wrong},
        }
        call(row, dispute, arguments, time_limit_s=DISPUTE_S)
