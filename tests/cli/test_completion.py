"""Shell completion, by the protocol that the shells' scripts use."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from dias_cli.main import COMMANDS
from tests.cli.helpers import call, write

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture
def completions(tmp_path, monkeypatch):
    """What is offered for the last of some words."""

    def offered(words: str, shell: str = "bash") -> list[str]:
        typed = words.split(" ")
        monkeypatch.setenv("_DIAS_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", typed[-1] if shell == "fish" else str(len(typed) - 1))
        outcome = call(cwd=tmp_path)
        assert (outcome.status, outcome.err) == (0, "")
        return outcome.out.splitlines()

    return offered


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_that_is_to_be_sourced(tmp_path, shell):
    if shell == "bash" and not shutil.which("bash"):
        pytest.skip("click asks bash for its version")
    outcome = call(cwd=tmp_path, environment={"_DIAS_COMPLETE": f"{shell}_source"})
    assert (outcome.status, outcome.err) == (0, "")
    assert f"_DIAS_COMPLETE={shell}_complete" in outcome.out


def test_commands(completions):
    assert completions("dias ") == [f"plain,{name}" for name in COMMANDS]
    assert completions("dias le") == ["plain,learn"]
    options = [f"plain,--{name}" for name in ("verbose", "version", "help")]
    assert completions("dias lern t --") == options  # no error, and no command's options
    zsh = completions("dias le", "zsh")
    assert (zsh[0], zsh[1]) == ("plain", "learn")
    assert completions("dias le", "fish")[0].startswith("plain,learn")


def test_options_and_choices(completions):
    assert "plain,--method" in completions("dias learn t --")
    assert completions("dias learn t --metho") == ["plain,--method"]
    found = completions("dias learn t --method ")
    assert {"plain,hybrid", "plain,neural"} <= set(found)
    assert "plain,amlgym" in completions("dias convert t -f ")
    assert completions("dias convert t --to ") == ["plain,jsonl", "plain,amlgym", "plain,sam"]
    for command in ("evaluate l", "states d p"):
        found = completions(f"dias {command} --states-from ")
        assert found == ["plain,bfs", "plain,walk", "plain,both"]
    assert completions("dias sample d p --time") == ["plain,--time-limit"]


@pytest.mark.parametrize(
    "words",
    [
        "dias learn tr", "dias learn t -o le", "dias learn t --validation v", "dias plan do",
        "dias plan domain.pddl p", "dias plan d p --gt d", "dias plan d p -o p",
        "dias evaluate l", "dias evaluate l --gt d", "dias evaluate l --gt d --problem p",
        "dias sample d p p", "dias sample d p --plan p", "dias sample d p -o t",
        "dias convert t", "dias convert t u", "dias convert t -o u", "dias convert t --domain d",
        "dias validate p", "dias validate p --problem p", "dias states d p -o s",
        "dias denoise t", "dias denoise t d", "dias denoise t d -o u",
    ],
)  # fmt: skip
def test_files(completions, words):
    assert completions(words) == [f"file,{words.split(' ')[-1]}"]


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_in_bash(tmp_path):
    """The script, sourced, fills in what is offered."""
    program = write(tmp_path, "dias", f'#!/bin/sh\nexec "{sys.executable}" -m dias_cli "$@"\n')
    program.chmod(0o755)
    code = (
        'eval "$(_DIAS_COMPLETE=bash_source dias)"; COMP_WORDS=(dias learn t --meth); COMP_CWORD=3;'
        ' _dias_completion dias; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", code],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        timeout=60,
    )
    assert done.stdout.decode() == "--method\n"
