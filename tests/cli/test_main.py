"""The command as a whole: help, exit status, streams, signals."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from importlib.metadata import entry_points

import click
import pytest

from dias import __version__
from dias_cli import start
from dias_cli.main import COMMANDS
from dias_cli.main import dias as group
from tests.cli.helpers import (
    DOMAIN,
    EVALUATE,
    PLAN,
    PROBLEM,
    SAMPLE,
    call,
    dias,
    garden,
    is_one_error,
    step,
    strict_json,
    traces,
    write,
)


def test_the_installed_script_is_this_command():
    (script,) = entry_points(group="console_scripts", name="dias")
    assert script.load() is start.main


def test_help_lists_every_command_with_its_purpose(tmp_path):
    for run, option in ((dias, "--help"), (call, "-h")):
        status, out, err = run(option, cwd=tmp_path)
        assert (status, err) == (0, "")
        listed = out.split("Commands:")[1].split("\n")
        assert [line.split()[0] for line in listed if line.strip()] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(tmp_path, name):
    own = group.get_command(click.Context(group), name)
    assert own.help
    for parameter in own.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"dias {name} {parameter.opts[0]}"
    status, out, _ = call(name, "--help", cwd=tmp_path)
    assert status == 0
    assert out.startswith(f"Usage: dias {name}")


def test_version(tmp_path):
    first, second = dias("--version", cwd=tmp_path).out.splitlines()
    assert first == f"dias, version {__version__}"
    assert second.startswith(f"Python {platform.python_version()}, torch 2.")
    assert [part.split()[0] for part in second.split(", ")[2:]] == ["pddl", "pyperplan", "tarski"]


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["nosuch"], ["plan", "domain.pddl"], [*PLAN, "--search", "nosuch"],
        [*PLAN, "--time-limit", "nan"], [*PLAN, "--time-limit", "inf"], [*PLAN, "--time-limit", 0],
        [*EVALUATE, "--states", 0], ["evaluate", "domain.pddl"],
        [*SAMPLE, "--noise", "nan"],
        [*SAMPLE, "--seed", -1], [*SAMPLE, "--seed", 2**32], [*SAMPLE, "--max-per-action", 4],
        ["learn", "t.jsonl", "--threads", 10**6], ["learn", "t.jsonl", "--labels", "some"],
    ],
)  # fmt: skip
def test_wrong_usage(tmp_path, arguments):
    garden(tmp_path)
    status, out, err = call(*arguments, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: dias")
    assert sorted(os.listdir(tmp_path)) == ["domain.pddl", "p.pddl"]


@pytest.mark.parametrize(
    ("arguments", "suggestion"),
    [
        (["lern"], "No such command 'lern'. Did you mean learn?"),
        (["Evaluate"], "Did you mean evaluate?"),
        (["quux"], "No such command 'quux'.\n"),
        (["learn", "t.jsonl", "--method", "hybird"], "'neural'. Did you mean hybrid?"),
        (["learn", "t.jsonl", "--metod", "neural"], "--method"),
        ([*SAMPLE, "--strategy", "walks"], "Did you mean walk?"),
        (["bench", "mian"], "No such command 'mian'. Did you mean main?"),
        (["bench", "main", "--domain", "griper"], "Did you mean gripper?"),
    ],
)
def test_names_that_are_nearly_right(tmp_path, arguments, suggestion):
    status, out, err = call(*arguments, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert suggestion in err


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ([*PLAN, "-o", ""], "-o"), (["demo", "-o", ""], "-o"), (["learn", ""], "learn"),
        (["evaluate", "domain.pddl", "--gt="], "--gt"),
        (["plan", "domain.pddl", ""], "domain.pddl"), (["bench", "main", "-o", ""], "-o"),
    ],
)  # fmt: skip
def test_an_empty_value_is_wrong_usage(tmp_path, arguments, place):
    """As a shell gives it where a variable is unset; as a path it is the current folder."""
    garden(tmp_path)
    status, out, err = call(*arguments, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert f"Expected a value after {place}, found an empty one. Is a variable unset?" in err
    assert sorted(os.listdir(tmp_path)) == ["domain.pddl", "p.pddl"]


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ([*SAMPLE, "--seed", "x"], "integer"), ([*EVALUATE, "--states", "1.5"], "integer"),
        ([*PLAN, "--time-limit", "x"], "number"), (["bench", "main", "--seeds", "x"], "integer"),
    ],
)  # fmt: skip
def test_what_is_no_number(tmp_path, arguments, kind):
    status, _, err = call(*arguments, cwd=tmp_path)
    assert status == 2
    assert f"is not a valid {kind}." in err


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        (None, "found nothing of that name"),
        (b"", "found an empty file"),
        (b" \n\n", "found an empty file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff", "UTF-8"),
        (b"(define (domain garden) \x00)", "U+0000"),
        (b"hello", "found `hello`"),
        ("folder", "found a folder"),
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [
        ["sample", "bad", "p.pddl", "-o", "out"], ["sample", "domain.pddl", "bad", "-o", "out"],
        ["plan", "bad", "p.pddl", "-o", "out"], ["plan", "domain.pddl", "bad", "-o", "out"],
        [*PLAN, "--gt", "bad", "-o", "out"],
        ["evaluate", "bad", "--gt", "domain.pddl"], ["evaluate", "domain.pddl", "--gt", "bad"],
        [*EVALUATE, "--problem", "bad"],
    ],
)  # fmt: skip
def test_a_pddl_file_that_is_none(tmp_path, content, finding, arguments):
    garden(tmp_path)
    if content == "folder":
        (tmp_path / "bad").mkdir()
    elif content is not None:
        write(tmp_path, "bad", content)
    before = sorted(os.listdir(tmp_path))
    is_one_error(call(*arguments, cwd=tmp_path), "error: bad", finding)
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_permission(tmp_path):
    garden(tmp_path)
    (tmp_path / "p.pddl").chmod(0)
    for arguments in (PLAN, ("diff", "domain.pddl", "p.pddl"), ("diff", "p.pddl", "domain.pddl")):
        outcome = call(*arguments, cwd=tmp_path)
        is_one_error(outcome, "p.pddl", "Permission denied", "Check its permissions")


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_wrong_with_a_file_says_who_opens_it(name):
    """Not click, which would call it wrong usage and say less."""
    for parameter in group.get_command(click.Context(group), name).params:
        if isinstance(parameter.type, click.Path) and parameter.type.file_okay:
            assert not parameter.type.readable, parameter.opts
            assert parameter.type.dir_okay, parameter.opts


def test_domain_and_problem_in_each_others_place(tmp_path):
    garden(tmp_path)
    outcome = call("plan", "p.pddl", "domain.pddl", cwd=tmp_path)
    is_one_error(outcome, "p.pddl:1:9", "found a problem", "each other's place")


@pytest.mark.parametrize(
    ("output", "finding"),
    [
        ("missing/out", "does not exist. Create it first"),
        ("p.pddl/out", "expected a folder, found the file"),
        (".", "found a folder"),
    ],
)
@pytest.mark.parametrize("arguments", [SAMPLE, PLAN, ["learn", "t.jsonl", "--steps", 10**9]])
def test_a_place_that_cannot_be_written_is_found_before_the_work(
    tmp_path, arguments, output, finding
):
    """Above all before hours of learning."""
    garden(tmp_path)
    traces(tmp_path, step("p a", "go", "q a"))
    before = sorted(os.listdir(tmp_path))
    is_one_error(call(*arguments, "-o", output, cwd=tmp_path), finding)
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize(
    "arguments",
    [
        [*SAMPLE, "-o", "p.pddl"], [*SAMPLE, "-o", "./p.pddl"],
        [*SAMPLE, "-o", "x", "--validation", "x"], [*SAMPLE, "--validation", "-"],
        [*PLAN, "-o", "domain.pddl"], [*PLAN, "--gt", "true.pddl", "-o", "true.pddl"],
        ["learn", "t.jsonl", "-o", "t.jsonl"],
    ],
)  # fmt: skip
def test_no_output_replaces_an_input_or_another_output(tmp_path, arguments):
    garden(tmp_path)
    write(tmp_path, "true.pddl", DOMAIN)
    traces(tmp_path, step("p a", "go", "q a"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    status, out, err = call(*arguments, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert "a file of its own" in err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_old_output_outlives_a_failure(tmp_path):
    garden(tmp_path)
    write(tmp_path, "bad.pddl", PROBLEM.replace("(shut north)", "(shut nowhere)"))
    write(tmp_path, "never.pddl", PROBLEM.replace("(shut south)))", "(pipe north leek)))"))
    traces(tmp_path, step("p a", "go", "q a"), "{")
    write(tmp_path, "out", "old")
    for arguments, status in [
        (["sample", "domain.pddl", "bad.pddl"], 1),
        (["plan", "domain.pddl", "bad.pddl"], 1),
        (["plan", "domain.pddl", "never.pddl"], 3),
        (["learn", "t.jsonl"], 1),
    ]:
        assert call(*arguments, "-o", "out", cwd=tmp_path).status == status
        assert (tmp_path / "out").read_text() == "old"


def test_each_warning_once(tmp_path):
    """Here the domain is read twice, and set up twice for each problem."""
    garden(tmp_path)
    write(tmp_path, "q.pddl", PROBLEM)
    write(tmp_path, "domain.pddl", DOMAIN.replace(":strips :typing", ":strips"))
    status, _, err = call(*EVALUATE, cwd=tmp_path)
    assert status == 0
    assert [line for line in err.splitlines() if line.startswith("warning: ")] == [
        "warning: domain.pddl:2:3: used but not declared as requirements: :typing"
    ]


def test_verbose_shows_the_log(tmp_path):
    garden(tmp_path)
    quiet, *loud = (call(*words, cwd=tmp_path) for words in (PLAN, ["-v", *PLAN], [*PLAN, "-v"]))
    assert "states seen" not in quiet.err
    for outcome in loud:
        assert quiet.out == outcome.out
        assert "states seen" in outcome.err
        assert "p.pddl: problem, 4 objects" not in outcome.err


def test_the_log_is_quiet_in_a_process_of_its_own_too(tmp_path):
    garden(tmp_path)
    assert dias(*PLAN, cwd=tmp_path).err == "found a plan of 5 steps\n"
    assert "states seen" in dias(*PLAN, "-v", cwd=tmp_path).err


def test_very_verbose_shows_more_and_when(tmp_path):
    garden(tmp_path)
    for arguments in (["-vv", *PLAN], ["-v", *PLAN, "--verbose"]):
        err = call(*arguments, cwd=tmp_path).err
        assert re.search(
            r"^ *\d+\.\d{3} s dias\.strips\.pddl\.reader: p\.pddl: problem, 4 obj", err, re.M
        )
        assert re.search(r"^ *\d+\.\d{3} s dias\.planning\.lazy: \d+ states seen$", err, re.M)


def test_progress_is_logged_where_there_is_no_terminal(tmp_path):
    traces(tmp_path, step("p a", "go", "q a"))
    arguments = ("learn", "t.jsonl", "-o", "l.pddl", "--steps", 25, "--restarts", 1)
    arguments += ("--without", "fallback")
    assert "run 1, step 5 of 25: L_main" not in call(*arguments, cwd=tmp_path).err
    loud = call("-v", *arguments, cwd=tmp_path).err
    assert "run 1, step 5 of 25: L_main" in loud
    assert "t.jsonl: 1 lines, 1 distinct transitions, 1 segment(s)" in loud
    assert "\r" not in loud


def test_json_is_strict_everywhere(tmp_path):
    garden(tmp_path)
    traces(tmp_path, '{"dias":"trace/1","labels":"full"}\n', step("p a", "(go a)", "q a"))
    for arguments in (
        [*SAMPLE, "-o", "s.jsonl"],
        PLAN,
        [*PLAN, "--gt", "domain.pddl"],
        [*PLAN, "--time-limit", 1e-9],
        EVALUATE,
        [*EVALUATE, "--time-limit", 1e-9],
        ["learn", "t.jsonl", "-o", "l.pddl"],
    ):
        outcome = call(*arguments, "--json", cwd=tmp_path)
        assert outcome.status in (0, 3)
        assert isinstance(strict_json(outcome.out), dict)


@pytest.mark.parametrize(("asked", "found"), [(None, "1"), ("3", "3")])
def test_numpy_starts_one_thread_unless_more_are_asked_for(asked, found, monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if asked:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", asked)
    code = """if True:
        import os, dias_cli.main, dias_cli.start
        dias_cli.main.main = lambda: print(os.environ["OPENBLAS_NUM_THREADS"])
        dias_cli.start.main()
    """
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == found
