"""`dias learn --objective --alpha`."""

from __future__ import annotations

import pytest

from tests.cli.commands.learn.cases import NAMES
from tests.cli.helpers import call, strict_json, traces


def test_the_objective_and_alpha_decide_what_is_learned(tmp_path):
    """Within 12 steps the losses tell; what they lead to says no more than that yet."""
    traces(tmp_path, *NAMES)
    texts = set()
    for options in ([], ["--alpha", 0.5], ["--objective", "dense"]):
        command = ("learn", "t.jsonl", "--method", "neural", "--steps", 12, "--report", "r.json")
        outcomes = [(call(*command, *options, cwd=tmp_path), losses(tmp_path)) for _ in range(2)]
        (first, trained), (again, trained_again) = outcomes
        assert first.status in (0, 4)
        assert (first.out, trained) == (again.out, trained_again)
        texts.add(trained)
    assert len(texts) == 3


def losses(folder):
    return str(strict_json((folder / "r.json").read_text())["training"])


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
