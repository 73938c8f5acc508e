"""`dias learn --objective --alpha`."""

from __future__ import annotations

import pytest

from tests.cli.helpers import HEADER, PIPES, STEPS, call, traces

NAMES = ({**HEADER, "static": PIPES}, *STEPS)


def test_the_objective_and_alpha_decide_what_is_learned(tmp_path):
    traces(tmp_path, *NAMES)
    texts = set()
    for options in ([], ["--alpha", 0.5], ["--objective", "dense"]):
        command = ("learn", "t.jsonl", "--method", "neural", "--steps", 20, *options)
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
