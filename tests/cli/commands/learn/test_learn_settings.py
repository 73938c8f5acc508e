"""Settings of `dias learn`: from a file and the command line, and those that do not fit."""

from __future__ import annotations

import pytest

from tests.cli.commands.learn.cases import FULL, NAMES
from tests.cli.helpers import call, is_one_error, step, strict_json, traces, write


def test_parts_can_be_left_out(tmp_path):
    traces(tmp_path, *NAMES)
    arguments = ("learn", "t.jsonl", "--method", "symbolic", "--without", "repair")
    outcome = call(*arguments, "--without", "extra-variables", cwd=tmp_path)
    assert outcome.status == 0
    assert outcome.out.startswith("; Learned by dias ")
    assert "preconditions concise, without extra-variables, repair." in outcome.out
    outcome = call(*arguments, "--without", "fallback", cwd=tmp_path)
    assert (outcome.status, outcome.out) == (2, "")
    assert "symbolic method has no fallback" in outcome.err


@pytest.mark.parametrize(
    ("why", "setting"),
    [("early_stop = false", "early_stop = false"), ("--objective dense", 'objective = "dense"')],
)
def test_a_network_that_is_trained_once(tmp_path, why, setting):
    traces(tmp_path, *NAMES)
    write(tmp_path, "s.toml", f"[training]\n{setting}\nn_steps = 10\n")
    arguments = ("learn", "t.jsonl", "-o", "d.pddl", "--method", "neural", "--config", "s.toml")
    outcome = call(*arguments, "--restarts", 2, cwd=tmp_path)
    assert outcome.status == 2
    assert f"--restarts would do nothing with {why} and --method neural" in outcome.err
    assert strict_json(call(*arguments, "--json", cwd=tmp_path).out)["gradient_steps"] == 10


def test_settings_from_a_file_stand_behind_those_of_the_command_line(tmp_path):
    traces(tmp_path, *NAMES)
    write(
        tmp_path, "s.toml", 'method = "neural"\nseed = 3\nrestarts = 1\n[training]\nn_steps = 20\n'
    )
    arguments = ("learn", "t.jsonl", "-o", "d.pddl", "--json", "--config", "s.toml")
    value = strict_json(call(*arguments, cwd=tmp_path).out)
    assert (value["method"], value["seed"], value["gradient_steps"]) == ("neural", 3, 20)
    value = strict_json(call(*arguments, "--seed", 0, "--steps", 10, cwd=tmp_path).out)
    assert (value["method"], value["seed"], value["gradient_steps"]) == ("neural", 0, 10)


def test_a_setting_that_does_not_exist(tmp_path):
    traces(tmp_path, *FULL)
    write(tmp_path, "s.toml", "\n[training]\nn_step = 20\n")
    outcome = call("learn", "t.jsonl", "-o", "d.pddl", "--config", "s.toml", cwd=tmp_path)
    is_one_error(outcome, "s.toml:3", "found n_step", "Did you mean n_steps?")
    assert not (tmp_path / "d.pddl").exists()
    write(tmp_path, "s.toml", 'preconditions = "minimal"\n')
    arguments = ("learn", "t.jsonl", "--config", "s.toml")
    assert call(*arguments, "--method", "neural", cwd=tmp_path).status == 2
    assert call(*arguments, "-o", "s.toml", cwd=tmp_path).status == 2


@pytest.mark.parametrize(
    "text",
    [
        'method = "neural"\npreconditions = "minimal"',
        'effects = "mlp"\nmethod = "symbolic"',
        'effects = "mlp"\nmethod = "hybrid"',
        "[training]\naux_weight = 0.1\nalpha = 1.0",
    ],
)
def test_settings_of_a_file_that_contradict_each_other(tmp_path, text):
    traces(tmp_path, *FULL)
    write(tmp_path, "s.toml", text)
    arguments = ("learn", "t.jsonl", "-o", "d.pddl", "--config", "s.toml")
    for more in ((), ("--seed", 1)):
        outcome = call(*arguments, *more, cwd=tmp_path)
        is_one_error(outcome, "s.toml: ", "contradict each other", "Change one of them")
    assert not (tmp_path / "d.pddl").exists()


def test_the_command_line_mends_settings_that_contradict_each_other(tmp_path):
    traces(tmp_path, *FULL)
    write(tmp_path, "s.toml", 'method = "neural"\npreconditions = "minimal"')
    arguments = ("learn", "t.jsonl", "-o", "d.pddl", "--config", "s.toml", "--method", "symbolic")
    assert call(*arguments, cwd=tmp_path).status == 0


def test_a_device_that_is_not_there(tmp_path, monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    traces(tmp_path, *NAMES)
    arguments = ("learn", "t.jsonl", "--device", "cuda")
    outcome = call(*arguments, "--without", "fallback", cwd=tmp_path)
    is_one_error(outcome, "expected a CUDA device, found none", "--device cpu")
    assert call(*arguments, cwd=tmp_path).status == 0  # nothing is left to train for


def test_a_checkpoint_where_nothing_is_trained_is_wrong_usage(tmp_path):
    traces(tmp_path, step("p a", "go", "q a"))
    arguments = ("learn", "t.jsonl", "--method", "symbolic", "--checkpoint", "c")
    status, _, err = call(*arguments, cwd=tmp_path)
    assert status == 2
    assert "--checkpoint would do nothing with --effects strips and --method symbolic" in err


@pytest.mark.parametrize(
    ("method", "option", "value"),
    [
        *(("symbolic", option, 1) for option in ("--alpha", "--slots", "--steps", "--restarts")),
        ("symbolic", "--threads", 1),
        ("symbolic", "--device", "cpu"),
        ("symbolic", "--objective", "lifted"),
        ("symbolic", "--checkpoint", "c"),
    ],
)
def test_an_option_that_would_do_nothing(tmp_path, method, option, value):
    traces(tmp_path, *NAMES)
    arguments = ("learn", "t.jsonl", "-o", "l.pddl", "--method", method, option, value)
    status, out, err = call(*arguments, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert f"{option} would do nothing with --effects strips and --method {method}" in err
    assert not (tmp_path / "l.pddl").exists()
