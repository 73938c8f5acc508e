"""An evaluation as a table for people and as plain values for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from dias.evaluation.scores import Evaluation, ProblemScore, Score
from dias.report.text import number, plural, table

_FROM = {"bfs": "", "walk": ", from random walks", "both": ", breadth first and from random walks"}
"""Where test states come from, in words; the paper's are not worth a word."""


def evaluation_text(evaluation: Evaluation) -> str:
    """The measurement as tables: per problem, pooled, per action."""
    pooled = evaluation.pooled
    head = ["problem", "states", "exact", "precision", "recall", "pairs precision", "pairs recall"]
    lines = table(head, [_problem_row(score) for score in (*evaluation.problems, pooled)])
    not_tested = evaluation.not_tested
    scores = {name: Score() for name in not_tested} | pooled.actions
    rows = [_action_row(name, own, name in not_tested) for name, own in sorted(scores.items())]
    if rows:
        lines += ["", *table(["action", "precision", "recall"], rows)]
    lines.append("")
    if pooled.n_capped:
        lines.append(
            f"Every precision is at most what is shown: in {plural(pooled.n_capped, 'state')} more "
            "wrong successors are predicted than were counted."
        )
    if pooled.failure:
        lines.append(f"Not measured to the end: {pooled.failure}.")
    tried = f"In the {plural(pooled.n_states, 'state')} tried{_FROM[evaluation.states_from]}"
    if not_tested:
        tried += f" (not tested: {', '.join(not_tested)})"
    if pooled.n_states and scores and set(not_tested) == scores.keys() and pooled.states.is_sound:
        lines.append(f"{tried}: no action is applicable, in either domain. That says nothing.")
        return "\n".join(lines)
    is_sound, is_complete = pooled.states.is_sound, pooled.states.is_complete
    is_cut_short = bool(pooled.failure)
    lines.append(
        f"{tried}: Sound: {_verdict(is_sound, is_cut_short)}. "
        f"Complete: {_verdict(is_complete, is_cut_short)}."
    )
    return "\n".join(lines)


def _verdict(holds: bool, is_cut_short: bool) -> str:
    """What can be said of all states after looking at some or all of them."""
    if not holds:
        return "no"
    return "not known" if is_cut_short else "yes"


def _action_row(name: str, score: Score, is_not_tested: bool) -> list[str]:
    """Shares of an action; "-" for what nothing was seen of."""
    is_predicted = score.true_positives or score.false_positives or not is_not_tested
    precision = number(score.precision) if is_predicted else "-"
    return [name, precision, "-" if is_not_tested else number(score.recall)]


def _problem_row(score: ProblemScore) -> list[str]:
    shares = [score.states.precision, score.states.recall]
    shares += [score.pairs.precision, score.pairs.recall]
    shown = map(number, shares) if score.n_states else ["-"] * len(shares)
    return [score.problem, str(score.n_states), str(score.n_exact), *shown]


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """The measurement as plain values; shares are None where no state was measured."""
    return {
        "sound": evaluation.is_sound,
        "complete": evaluation.is_complete,
        "not_tested": list(evaluation.not_tested),
        "states_from": evaluation.states_from,
        "seed": evaluation.seed,
        **_problem_json(evaluation.pooled),
        "problems": [_problem_json(problem) for problem in evaluation.problems],
    }


def _problem_json(score: ProblemScore) -> dict[str, Any]:
    return {
        "problem": score.problem,
        "states": score.n_states,
        "exact_states": score.n_exact,
        "capped_states": score.n_capped,
        "failure": score.failure or None,
        "successor_states": _score_json(score.states, score.n_states > 0),
        "pairs": _score_json(score.pairs, score.n_states > 0),
        "actions": {name: _score_json(own) for name, own in sorted(score.actions.items())},
    }


def _score_json(score: Score, is_measured: bool = True) -> dict[str, Any]:
    return {
        "precision": score.precision if is_measured else None,
        "recall": score.recall if is_measured else None,
        **asdict(score),
    }
