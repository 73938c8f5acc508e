"""Precision, recall and pooling."""

from __future__ import annotations

from dias.evaluation.scores import Evaluation, ProblemScore, Score


def counts(score: Score) -> list[int]:
    return [score.true_positives, score.false_positives, score.false_negatives]


def test_scores():
    score = Score()
    assert (score.precision, score.recall) == (1.0, 1.0)
    assert score.is_sound and score.is_complete
    changes = [(frozenset({i}), frozenset()) for i in range(4)]
    score.count(set(changes[:3]), set(changes[1:]))
    score += Score(1, 3, 0)
    assert counts(score) == [3, 4, 1]
    assert (score.precision, score.recall) == (3 / 7, 3 / 4)
    assert not score.is_sound and not score.is_complete


def test_pooling_adds_up():
    problems = (
        ProblemScore("p1", 3, 2, Score(5, 1, 0), Score(6, 1, 2), {"go": Score(6, 1, 2)}),
        ProblemScore(
            "p2", 4, 4, Score(7), Score(8), {"go": Score(3), "stop": Score(5)}, "gave up", 3
        ),
    )
    pooled = Evaluation(problems).pooled
    assert (pooled.n_states, pooled.n_exact, pooled.n_capped) == (7, 6, 3)
    assert (counts(pooled.states), counts(pooled.pairs)) == ([12, 1, 0], [14, 1, 2])
    assert {n: counts(s) for n, s in pooled.actions.items()} == {"go": [9, 1, 2], "stop": [5, 0, 0]}
    assert pooled.failure == "p2: gave up"
    assert counts(problems[0].actions["go"]) == [6, 1, 2]  # pooling leaves the parts alone


def test_true_actions_that_no_state_tried():
    """Wrong predictions try nothing; one problem in which it is applicable is enough."""
    first = ProblemScore("p1", 1, actions={"go": Score(1), "fly": Score(0, 5, 0)})
    second = ProblemScore("p2", 1, actions={"stop": Score(0, 0, 1)})
    names = ("stop", "land", "go", "fly")
    assert Evaluation((first, second), names).not_tested == ("fly", "land")
    assert Evaluation((first,), names).not_tested == ("fly", "land", "stop")
    assert Evaluation((first,)).not_tested == ()
