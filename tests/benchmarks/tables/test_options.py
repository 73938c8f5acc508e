"""What all tables have in common: their sizes, their files, their options."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from benchmarks.generators import SUITES
from benchmarks.running.learning import LearningRun
from benchmarks.tables import (
    ablation,
    coverage,
    domains,
    main,
    mlp,
    noise,
    planner,
    planners,
    planning,
    random,
    reading,
    scaling,
    small_data,
    spoiled,
    successors,
)
from dias_cli.commands import bench
from tests.benchmarks.fakes import row
from tests.benchmarks.tables.helpers import cells, invoke, report
from tests.documents.helpers import results

TABLES = {
    "main": (main, 390),
    "noise": (noise, 312),
    "mlp": (mlp, 130),
    "ablation": (ablation, 156),
    "scaling": (scaling, 36),
    "coverage": (coverage, 10),
    "small_data": (small_data, 100),
    "planning": (planning, 2),
    "planners": (planners, 26),
    "successors": (successors, 9),
    "reading": (reading, 4),
    "random": (random, 1200),
    "planner": (planner, 552),
    "domains": (domains, 69),
    "spoiled": (spoiled, 210),
}
WITH_PLOTS = ("main", "noise", "mlp", "ablation", "scaling", "planner", "domains")
"""Tables that have plots before anything is done."""

ROOT = Path(__file__).parents[3]
ARGUMENTS = {"domains": [str(ROOT / "benchmarks" / "domains")]}
"""What a table asks for beside its options."""

COMMAND = re.compile(r"dias bench ([a-z](?:[^`\n\\]|\\\n)*)")


@pytest.fixture
def folder(tmp_path):
    """A folder in which a main table learned one domain, which is what `planning` needs."""
    (tmp_path / "main.jsonl").write_text(json.dumps(row(LearningRun("gripper"), learned="g.pddl")))
    with (tmp_path / "main.jsonl").open("a") as stream:
        stream.write("\n")
    return tmp_path


def test_every_table_is_tried():
    assert tuple(TABLES) == bench.TABLES


@pytest.mark.parametrize("name", TABLES)
def test_the_full_size_is_the_papers(folder, name):
    table, n_runs = TABLES[name]
    n_done = int(name == "main")
    text = report(table.command, folder, [], "--full", *ARGUMENTS.get(name, [])).output
    assert f"Runs: {n_done} of {n_runs} done, {n_runs - n_done} not done yet, 0 failed." in text


@pytest.mark.parametrize("name", TABLES)
def test_the_files_of_a_report(folder, name):
    if name != "planning":
        (folder / "main.jsonl").unlink()
    table, _ = TABLES[name]
    options = ARGUMENTS.get(name, [])
    done = invoke(table.command, folder, "--report-only", *options)
    assert (folder / f"{name}.md").read_text() == done.stdout
    told = json.loads((folder / f"{name}.json").read_text())
    assert told["table"] == name
    assert told["done"] == 0
    assert told["missing"] == told["planned"] > 0
    again = report(table.command, folder, [], "--json", *options)
    assert again.stdout == (folder / f"{name}.json").read_text()
    heads = [next(csv.reader(one.read_text().splitlines())) for one in folder.glob("*.csv")]
    assert heads
    assert all(f"| {' | '.join(head)}" in done.stdout for head in heads)
    latex = (folder / f"{name}.tex").read_text()
    n_tables = sum(line.startswith("| ---") for line in done.stdout.splitlines())
    assert latex.count(r"\begin{tabular}") == n_tables
    assert len(list(folder.glob("*.csv"))) == n_tables
    n_plots = len(list(folder.glob("*.png")))
    assert n_plots == len(list(folder.glob("*.svg")))
    assert bool(n_plots) == (name in WITH_PLOTS)
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_main_options(tmp_path):
    text = report(
        main.command, tmp_path, [], "--suite", "own", "--labels", "full", "--labels", "names",
        "--method", "neural", "--objective", "dense", "--seeds", "1",
    ).output  # fmt: skip
    assert f"0 of {2 * len(SUITES['own'])} done" in text
    every = [word for name in main.METHODS for word in ("--method", name)]
    report(main.command, tmp_path, [row(LearningRun("blocks-3"))], *every, "--full")
    assert cells(text, sorted(SUITES["own"])[0], "full", "neural, dense")[2] == "–"
    usage = CliRunner().invoke(main.command, ["--suite", "own", "--domain", "hanoi"])
    assert usage.exit_code == 2
    assert "either domains or a suite" in usage.output


def test_what_is_named_twice_is_done_once(tmp_path):
    options = ("--domain", "hanoi", "--domain", "hanoi", "--labels", "full", "--labels", "full")
    text = report(main.command, tmp_path, [], *options, "--seeds", "1").output
    assert "Runs: 0 of 1 done" in text


def commands() -> list[str]:
    """Every `dias bench` that the documents show, with its options."""
    texts = (path.read_text() for path in (*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"))
    found = (one for text in texts for one in COMMAND.findall(text))
    return sorted({re.split(" {3}", one)[0].replace("\\\n", "") for one in found})


def test_the_documents_show_every_table():
    assert {command.split()[0] for command in commands()} == set(TABLES)


@pytest.mark.parametrize("command", commands())
def test_the_commands_of_the_documents_are_understood(command):
    group = bench.command
    with Context(group) as context:
        _, table, rest = group.resolve_command(context, shlex.split(command))
        assert table is not None
        assert table.make_context(command, rest, parent=context)


RESULTS = [command for command in commands() if "-o benchmarks/results" in command]
CONDENSED = ("--suite", "--method neural --objective", "mlp --full --seeds 3 -o")
"""Parts of the commands of which the results in the documents do not show every row."""


@pytest.mark.parametrize("command", RESULTS)
def test_the_commands_of_the_results_print_them_from_the_kept_lines(tmp_path, command):
    name, *options, _, folder = shlex.split(command)
    shutil.copytree(ROOT / folder, tmp_path, dirs_exist_ok=True)
    text = report(TABLES[name][0].command, tmp_path, [], *options).output
    assert re.search(r"^Runs: (\d+) of \1 done, ", text, re.MULTILINE)
    rows = {line for line in text.splitlines() if line.startswith("| ") and "---" not in line}
    shown = set(results().splitlines())
    assert len(rows & shown) > 1
    assert rows <= shown or any(part in command for part in CONDENSED)
