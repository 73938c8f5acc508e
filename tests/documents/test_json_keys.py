"""docs/json.md says of each command every key that its `--json` prints, and no other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dias_cli.main import COMMANDS
from dias_cli.main import dias as group
from tests.cli.helpers import DOMAIN, GOOD_PLAN, PROBLEM, call, strict_json, traces, write
from tests.documents.helpers import DOCUMENTS

TEXT = (DOCUMENTS / "json.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## dias (\w+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
LEARN = "learn"
"""The command whose keys stand in another page, in running text."""

MARK = "my-"
"""Every name of the world below begins so, and no key does: no list of names is needed to tell them
apart, behind which a key could hide. Parameters begin with a question mark."""
NAME = re.compile(r"(?<![\w:?-])(?!(?:define|domain|problem|and|not)\b)(?=[a-z])")


def mine(text: str) -> str:
    """PDDL with the mark before each name."""
    return NAME.sub(MARK, text)


TRUE = DOMAIN.replace("(:predicates", "(:constants north - tank) (:predicates")
PLOT = PROBLEM.replace("north south -", "south -")
TURN_ON = re.search(r"turn-on.*?\n.*?\n.*", TRUE)[0]
FILES = {
    "true.pddl": TRUE,
    # Waters from shut tanks, and opens no other tank than one.
    "wrong.pddl": TRUE.replace("(open ?t) (pipe", "(pipe").replace(
        TURN_ON, TURN_ON.replace("?t - tank", "").replace("?t", "north")
    ),
    "p.pddl": PLOT,
    "never.pddl": PLOT.replace("(wet leek)", "(pipe north leek)"),
    "plan.txt": GOOD_PLAN,
    "bad.txt": "(turn-on north)\n(turn-on north)\n",
}
STEP = {"state": ["(my-shut my-south)"], "action": "(my-turn-on my-south)", "next": []}
ODD = [
    {"dias": "trace/1", "problem": "my-plot", "labels": "full"},
    STEP,
    {**STEP, "next": ["(my-open my-south)"]},
]
"""Static atoms are missing, and one step ends in two states."""
WORLD = ("--domain", "true.pddl", "--problem", "p.pddl")
SAMPLE = ("sample", "true.pddl", "p.pddl", "-o")
RUNS: list[tuple[object, ...]] = [
    (*SAMPLE, "t.jsonl", "--min-per-action", 30, "--validation", "v.jsonl"),
    (*SAMPLE, "few.jsonl", "--labels", "partial", "--strategy", "bfs"),
    (*SAMPLE, "along.jsonl", "--plan", "plan.txt"),
    (*SAMPLE, "noisy.jsonl", "--noise", 1),
    (*SAMPLE, "soft.jsonl", "--noise", 1, "--soft", "--applicable", "names"),
    ("inspect", "t.jsonl", "v.jsonl", *WORLD),
    ("inspect", "soft.jsonl"),
    ("inspect", "odd.jsonl", *WORLD),
    ("convert", "odd.jsonl", "-o", "c.jsonl"),
    ("convert", "p.pddl", "--domain", "true.pddl", "-o", "c.pddl"),
    ("learn", "t.jsonl", "-o", "l.pddl", "--report", "r.json", "--validation", "v.jsonl"),
    *(("learn", f"{name}.jsonl", "-o", "other.pddl") for name in ("few", "noisy", "soft")),
    ("evaluate", "wrong.pddl", "--gt", "true.pddl", "--problem", "p.pddl"),
    ("diff", "l.pddl", "--gt", "true.pddl", "--report", "r.json"),
    ("diff", "true.pddl", "wrong.pddl"),
    ("plan", "wrong.pddl", "p.pddl", "--gt", "true.pddl"),
    ("plan", "true.pddl", "never.pddl"),
    ("denoise", "soft.jsonl", "true.pddl", "-o", "d.jsonl"),
    ("validate", "plan.txt", *WORLD),
    ("validate", "bad.txt", *WORLD),
]  # fmt: skip


def paths(value: object, above: str = "") -> Iterator[str]:
    """The keys in a value, each after those above it; lists are looked through."""
    if isinstance(value, list):
        for item in value:
            yield from paths(item, above)
    elif isinstance(value, dict):
        for key, inner in value.items():
            path = above + ("NAME" if key.startswith((MARK, "?")) else key)
            yield path
            yield from paths(inner, f"{path}.")


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> dict[str, set[str]]:
    """Command to the keys that it prints."""
    folder: Path = tmp_path_factory.mktemp("keys")
    for name, text in FILES.items():
        write(folder, name, mine(text))
    traces(folder, *ODD, name="odd.jsonl")
    found: dict[str, set[str]] = {name: set() for name in SECTIONS}
    for run in RUNS:
        outcome = call(*run, "--json", cwd=folder)
        assert outcome.out, (run, outcome.err)
        found[str(run[0])].update(paths(strict_json(outcome.out)))
    return found


def expanded(key: str) -> Iterator[str]:
    """Every key that one with braces is short for."""
    parts = [part.split(",") for part in re.split(r"[{}]", key)]
    return map("".join, itertools.product(*parts))


def documented(command: str) -> set[str]:
    """The keys in the table of a section."""
    cells = re.findall(r"^\| (`.*?`) \|", SECTIONS[command], re.MULTILINE)
    return {own for cell in cells for key in re.findall("`(.*?)`", cell) for own in expanded(key)}


def test_every_command_that_has_the_option_has_a_section():
    commands = {name: group.get_command(click.Context(group), name) for name in COMMANDS}
    able = {n for n, own in commands.items() if any("--json" in p.opts for p in own.params)}
    assert set(SECTIONS) == able == {run[0] for run in RUNS}


def test_the_keys_are_those_of_the_page(printed):
    missing, invented = set(), set()
    for command in SECTIONS.keys() - {LEARN}:
        keys = documented(command)
        above = {key[: dot.start()] for key in keys for dot in re.finditer(r"\.", key)}
        missing |= {(command, key) for key in printed[command] - keys - above}
        invented |= {(command, key) for key in keys - printed[command]}
    assert (missing, invented) == (set(), set())


def test_the_report_on_learning_names_its_keys(printed):
    """Not the stages and parts of the method that stand as keys in two of its values."""
    page = (DOCUMENTS / "report.md").read_text("utf-8")
    words = set(re.findall(r"`(\w+)`", page.split("\n## Fields of the JSON report\n")[1]))
    own = {path for path in printed[LEARN] if not path.startswith(("seconds.", "undone."))}
    assert {path.split(".")[-1] for path in own} - {"NAME"} - words == set()
