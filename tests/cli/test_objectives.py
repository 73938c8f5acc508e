"""`dias learn --objective --alpha`, and what a method trains with unless it is told."""

from __future__ import annotations

import pytest

from dias.config import TrainingConfig, mlp_training, paper_training
from dias_cli.learn_settings import training
from tests.cli.helpers import HEADER, PIPES, STEPS, call, traces

NAMES = ({**HEADER, "static": PIPES}, *STEPS)


def test_the_defaults_of_a_method():
    assert training("hybrid", "lifted", None, None) == TrainingConfig()
    assert training("neural", "dense", None, None) == paper_training()
    assert training("neural", "dense", 0.3, 7) == paper_training(alpha=0.3, n_steps=7)
    lifted = training("neural", "lifted", None, None)
    assert lifted == paper_training(objective="lifted", alpha=None)
    assert training("neural", "lifted", None, None, "mlp") == mlp_training()
    assert training("neural", "dense", None, None, "mlp") == paper_training()
    assert training("hybrid", "dense", None, 7) == TrainingConfig(n_steps=7, objective="dense")


def test_the_objective_and_alpha_decide_what_is_learned(tmp_path):
    traces(tmp_path, *NAMES)
    texts = set()
    for options in ([], ["--alpha", 0.5], ["--objective", "dense"]):
        command = ("learn", "t.jsonl", "--method", "neural", "--steps", 60, *options)
        first, again = (call(*command, cwd=tmp_path) for _ in range(2))
        assert first.status in (0, 4)
        assert first.out == again.out
        texts.add(first.out)
    assert len(texts) > 1


def test_the_dense_objective_can_propose_for_the_hybrid_method(tmp_path):
    traces(tmp_path, *NAMES)
    outcome = call("learn", "t.jsonl", "--objective", "dense", "--steps", 400, cwd=tmp_path)
    assert outcome.status == 0


@pytest.mark.parametrize(
    "option", [["--alpha", "-1"], ["--alpha", "nan"], ["--alpha", "inf"], ["--objective", "x"]]
)
def test_options_without_meaning(tmp_path, option):
    traces(tmp_path, *NAMES)
    outcome = call("learn", "t.jsonl", *option, cwd=tmp_path)
    assert outcome.status == 2
    assert option[0].strip("-") in outcome.err
