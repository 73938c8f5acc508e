"""`dias diff`."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from contextlib import suppress

import pytest

from tests.cli.helpers import (
    DOMAIN,
    PROBLEM,
    call,
    command,
    dias,
    garden,
    is_one_error,
    rehashed,
    strict_json,
    write,
)

LEARNED = (
    DOMAIN.replace("(?t - tank ?b - bed)\n", "(?x1 - bed ?x2 - tank)\n")
    .replace("(open ?t) (pipe ?t ?b) (dry ?b)", "(open ?x2) (pipe ?x2 ?x1) (not (wet ?x1))")
    .replace("(and (wet ?b) (not (dry ?b)))", "(and (wet ?x1) (not (dry ?x1)))")
    .replace(":strips", ":strips :negative-preconditions")
)


@pytest.fixture
def files(tmp_path):
    """A true and a learned domain, in which watering differs."""
    write(tmp_path, "true.pddl", DOMAIN)
    write(tmp_path, "learned.pddl", LEARNED)
    return tmp_path


def test_against_the_true_domain(files):
    status, out, err = call("diff", "learned.pddl", "--gt", "true.pddl", cwd=files)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert [part.strip() for part in lines[0].split("|")] == ["- true.pddl", "+ learned.pddl"]
    assert [line.split("|")[0].rstrip() for line in lines if line.startswith("- ")] == [
        "- true.pddl", "-     (dry ?b)",
    ]  # fmt: skip
    assert [line.split("| ")[1] for line in lines if "| +" in line] == [
        "+ learned.pddl", "+     (not (wet ?x1))",
    ]  # fmt: skip
    assert lines[-2:] == ["Not equal: 1 of 4 actions differ.", "All effects are the same."]


def test_two_domains(files):
    """The first is on the left."""
    one = call("diff", "true.pddl", "learned.pddl", cwd=files)
    assert one == call("diff", "learned.pddl", "--gt", "true.pddl", cwd=files)
    status, out, _ = call("diff", "true.pddl", "true.pddl", cwd=files)
    assert (status, out.splitlines()[-1]) == (0, "Equal up to the names of parameters.")


def test_json(files):
    status, out, _ = call("diff", "learned.pddl", "--gt", "true.pddl", "--json", cwd=files)
    value = strict_json(out)
    assert (status, value["equal"]) == (0, False)
    assert (value["left"], value["right"]) == ("true.pddl", "learned.pddl")
    water = next(action for action in value["actions"] if action["left"] == "water")
    assert [(p["left"], p["right"]) for p in water["parameters"]] == [
        ("?t - tank", "?x2 - tank"), ("?b - bed", "?x1 - bed"),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A learned domain and the report on it."""
    folder = tmp_path_factory.mktemp("diff")
    garden(folder)
    call("sample", "domain.pddl", "p.pddl", "-o", "t.jsonl", cwd=folder)
    made = call("learn", "t.jsonl", "-o", "learned.pddl", "--report", "report.json", cwd=folder)
    assert made.status == 0, made.err
    return folder


REPORTED = ("diff", "learned.pddl", "--gt", "domain.pddl", "--report")


def test_what_the_report_says_of_literals(learned):
    """As a remark and as a value, on the side of DOMAIN."""
    told = json.loads((learned / "report.json").read_text())["actions"]
    words = Counter(x["word"] for one in told.values() for x in one["support"]["literals"])
    assert words["untested"] and words["decided"]
    value = strict_json(call(*REPORTED, "report.json", "--json", cwd=learned).out)
    parts = ("parameters", "precondition", "effect")
    rows = [row for one in value["actions"] for part in parts for row in one[part]]
    assert Counter(row["word"] for row in rows if "word" in row) == words
    assert all("word" in row for row in rows if row["right"] and "(" in row["right"])
    out = call(*REPORTED, "report.json", cwd=learned).out
    assert out.count("; untested") == words["untested"]
    right = [line.split(" | ")[1] for line in out.splitlines() if " | " in line]
    assert sum("; untested" in text for text in right) == words["untested"]
    swapped = call("diff", "learned.pddl", "domain.pddl", "--report", "report.json", cwd=learned)
    left = [line.split(" | ")[0] for line in swapped.out.splitlines() if " | " in line]
    assert sum("; untested" in text for text in left) == words["untested"]
    column = dias(*REPORTED, "report.json", cwd=learned, environment={"COLUMNS": "40"}).out
    assert column.count("; untested") == words["untested"]
    assert "; " not in call(*REPORTED[:-1], cwd=learned).out


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(define", "found something else"),
        ("[]", "found something else"),
        ('{"actions": {"water": {"support": {"literals": [{}]}}}}', "found something else"),
        (
            '{"actions": {"water": {"support": {"literals": []}}}}',
            "expected the report on domain garden, found one on another water",
        ),
    ],
)
def test_what_is_no_report_on_the_domain(learned, text, found):
    write(learned, "odd.json", text)
    is_one_error(call(*REPORTED, "odd.json", cwd=learned), "odd.json", found, "dias learn")


@pytest.mark.parametrize(("columns", "is_beside"), [(200, True), (60, True), (40, False)])
def test_in_narrow_windows_one_below_the_other(files, columns, is_beside):
    arguments = ("diff", "true.pddl", "learned.pddl")
    out = call(*arguments, cwd=files, environment={"COLUMNS": str(columns)}).out
    lines = out.splitlines()
    assert (" | " in lines[0]) == is_beside
    assert max(map(len, lines)) <= columns
    if not is_beside:
        assert lines[:2] == ["- true.pddl", "+ learned.pddl"]
        assert "+     (not (wet ?b))" in lines  # in the names of the left side


def on_a_terminal(folder, *arguments, **environment) -> str:
    """What the command writes to a terminal."""
    import pty

    ours, terminal = pty.openpty()
    process = subprocess.Popen(
        command(*arguments), cwd=folder, env=os.environ | environment, stdout=terminal
    )
    os.close(terminal)
    output = b""
    with suppress(OSError):  # raised, or nothing read, once the other end is closed
        while chunk := os.read(ours, 65536):
            output += chunk
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return output.decode().replace("\r\n", "\n")


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals of POSIX")
def test_colours_on_a_terminal_only(files):
    arguments = ("diff", "true.pddl", "learned.pddl")
    plain = call(*arguments, cwd=files).out
    assert "\x1b" not in plain
    settings = {"TERM": "xterm", "COLUMNS": "80", "NO_COLOR": ""}
    coloured = on_a_terminal(files, *arguments, **settings)
    assert "\x1b[31m-     (dry ?b)" in coloured
    assert "\x1b[32m+     (not (wet ?x1))" in coloured
    for wish in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert on_a_terminal(files, *arguments, **(settings | wish)) == plain


def test_results_are_utf8_whatever_the_terminal(files):
    write(files, "true.pddl", DOMAIN.replace("wet", "wæt"))
    arguments = ("diff", "true.pddl", "learned.pddl")
    there = call(*arguments, cwd=files)
    assert "wæt" in there.out
    assert dias(*arguments, cwd=files, environment={"PYTHONIOENCODING": "ascii"}) == there


def test_same_input_same_bytes(files):
    arguments = ("diff", "true.pddl", "learned.pddl")
    assert call(*arguments, cwd=files) == rehashed(*arguments, cwd=files)


@pytest.mark.parametrize(
    "arguments", [[], ["true.pddl"], ["true.pddl", "learned.pddl", "--gt", "true.pddl"]]
)
def test_wrong_usage(files, arguments):
    status, out, err = call("diff", *arguments, cwd=files)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: dias diff")


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        (None, "found nothing of that name"),
        ("", "found an empty file"),
        (PROBLEM, "found a problem"),
        ('{"state":["(p a)"],"action":"go","next":[]}\n', "found"),
    ],
)
def test_a_file_that_is_no_domain(files, content, finding):
    if content is not None:
        write(files, "bad", content)
    for arguments in (["bad", "true.pddl"], ["true.pddl", "bad"], ["bad", "--gt", "true.pddl"]):
        is_one_error(call("diff", *arguments, cwd=files), "error: bad", finding)
