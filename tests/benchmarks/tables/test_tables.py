"""The commands of the tables: which runs they ask for, and what they make of rows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks.generators import SUITES
from benchmarks.paper import paper_figures, paper_row
from benchmarks.reports.report import counted, duration, spans
from benchmarks.reports.results import Results, learning_figures
from benchmarks.running.rawlines import Row, RowWriter
from benchmarks.running.runs import LearningRun
from benchmarks.tables import ablation, coverage, main, mlp, noise, scaling
from tests.benchmarks.fakes import failed, row

TABLES = {
    "main": (main, 390),
    "noise": (noise, 312),
    "mlp": (mlp, 130),
    "ablation": (ablation, 156),
    "scaling": (scaling, 36),
    "coverage": (coverage, 10),
}


def report(name: str, folder: Path, rows: list[Row], *options: str) -> Result:
    """What a table's command makes of rows alone."""
    with RowWriter(folder / f"{name}.jsonl") as writer:
        for one in rows:
            writer.add(one)
    command = [*options, "--report-only", "-o", str(folder)]
    done = CliRunner().invoke(TABLES[name][0].command, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def cells(text: str, *start: str) -> list[str]:
    """The cells after those with which a row of a Markdown table begins."""
    (line,) = (li for li in text.splitlines() if li.startswith("| " + " | ".join(start) + " |"))
    return [cell.strip() for cell in line.strip("|").split("|")][len(start) :]


@pytest.mark.parametrize("name", TABLES)
def test_the_full_size_is_the_papers(tmp_path, name):
    done = report(name, tmp_path, [], "--full")
    n_runs = TABLES[name][1]
    assert f"Runs: 0 of {n_runs} done, {n_runs} not done yet, 0 failed." in done.output


@pytest.mark.parametrize("name", TABLES)
def test_the_files_of_a_report(tmp_path, name):
    done = report(name, tmp_path, [])
    assert (tmp_path / f"{name}.md").read_text() == done.stdout
    told = json.loads((tmp_path / f"{name}.json").read_text())
    assert told["table"] == name
    assert told["done"] == 0
    assert told["missing"] == told["planned"] > 0
    assert report(name, tmp_path, [], "--json").stdout == (tmp_path / f"{name}.json").read_text()
    if name != "coverage":  # its figure shows a walk
        assert len(list(tmp_path.glob("*.png"))) == len(list(tmp_path.glob("*.svg"))) > 0
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_the_main_table_counts_failed_runs(tmp_path):
    runs = [LearningRun("hanoi", seed=seed) for seed in range(4)]
    rows = [
        row(runs[0], learn_s=1.0, steps=50),
        row(runs[1], learn_s=9.0, steps=150, precision=0.999, sound=False),
        failed(runs[2]),
    ]
    text = report("main", tmp_path, rows, "--domain", "hanoi", "--seeds", "4").output
    assert "Runs: 3 of 4 done, 1 not done yet, 1 failed. Seeds: 0–3." in text
    assert '"work_s": 11.4' in (tmp_path / "main.json").read_text()
    assert cells(text, "hanoi", "names", "hybrid") == [
        "3", "1", "0.99 (0.81) [2 of 3]", "1.00 (0.99) [2 of 3]",
        "1/3 (8/10)", "2/3 (8/10)", "1/3 (8/10)", "100", "5.0", "9.0",
    ]  # fmt: skip
    assert cells(text, "names", "hybrid") == ["1/3 (8/10)", "0/1 (0/1)"]
    assert cells(text, "hanoi", "hybrid") == ["0.99", "0.81", "1.0000", "1.00", "0.99", "1.0000"]
    assert "- hanoi, hybrid, seed 2: learn: stopped after 10 s" in text
    assert "pdp-11, 1 core" in text
    assert "dias 0.1.0, torch 2.0 (2 runs); not recorded (1 runs)" in text


def test_all_failed_is_a_row_of_dashes(tmp_path):
    text = report("main", tmp_path, [failed(LearningRun("hanoi"))], "--domain", "hanoi").output
    assert cells(text, "hanoi", "names", "hybrid") == [
        "1", "1", "– (0.81)", "– (0.99)", "0/1 (8/10)", "0/1 (8/10)", "0/1 (8/10)", "–", "–", "–",
    ]  # fmt: skip


def test_a_partial_measurement_counts_and_is_marked(tmp_path):
    cut_short = row(LearningRun("hanoi"), failure="evaluate: out of time", precision=0.5)
    rows = [cut_short, row(LearningRun("hanoi", seed=1), capped_states=0)]
    figures = learning_figures(rows)
    assert (figures["failed"], figures["precision"], figures["both"]) == (1, 0.75, 1)
    assert (figures["steps"], figures["is_bound"]) == (50, False)
    text = report("main", tmp_path, rows, "--domain", "hanoi", "--seeds", "2").output
    shown = cells(text, "hanoi", "names", "hybrid")
    assert shown[2:4] == ["0.75 (0.81) [1 of 2]", "1.00 (0.99) [1 of 2]"]


def test_a_report_says_with_what_was_evaluated_later(tmp_path):
    later = {"evaluated_with": {"dias": "0.2.0", "torch": "2.0"}}
    text = report("main", tmp_path, [row(LearningRun("hanoi")) | later], "--domain", "hanoi").output
    assert "dias 0.1.0, torch 2.0, evaluated with dias 0.2.0" in text


def test_an_upper_bound_is_marked(tmp_path):
    rows = [row(LearningRun("hanoi"), capped_states=1, precision=0.015)]
    text = report("main", tmp_path, rows, "--domain", "hanoi", "--seeds", "1").output
    assert cells(text, "hanoi", "names", "hybrid")[2:4] == ["≤0.01 (0.81)", "1.00 (0.99)"]


def test_main_options(tmp_path):
    text = report(
        "main", tmp_path, [], "--suite", "own", "--labels", "full", "--labels", "names",
        "--method", "neural", "--objective", "dense", "--seeds", "1",
    ).output  # fmt: skip
    assert f"0 of {2 * len(SUITES['own'])} done" in text
    every = [word for name in main.METHODS for word in ("--method", name)]
    report("main", tmp_path, [row(LearningRun("blocks-3"))], *every, "--full")
    assert cells(text, sorted(SUITES["own"])[0], "full", "neural, dense")[2] == "–"
    usage = CliRunner().invoke(main.command, ["--suite", "own", "--domain", "hanoi"])
    assert usage.exit_code == 2
    assert "either domains or a suite" in usage.output


def test_what_is_named_twice_is_done_once(tmp_path):
    options = ("--domain", "hanoi", "--domain", "hanoi", "--labels", "full", "--labels", "full")
    text = report("main", tmp_path, [], *options, "--seeds", "1").output
    assert "Runs: 0 of 1 done" in text


def test_the_noise_table(tmp_path):
    def noisy(method: str, flips: float) -> LearningRun:
        return LearningRun("blocks-3", method=method, noise=flips)

    rows = [
        row(noisy("hybrid", 1.0), precision=0.5, recall=0.25, estimated_flips=1.125, learn_s=3.0),
        row(noisy("hybrid", 8.0), learn_s=4.0),
        failed(noisy("neural", 1.0)),
        row(LearningRun("blocks-3", method="neural", noise=8.0)),
        failed(LearningRun("blocks-3", method="neural", noise=8.0, seed=1)),
    ]
    text = report("noise", tmp_path, rows, "--flips", "1", "--flips", "8", "--seeds", "2").output
    assert cells(text.split("## Flips")[0], "blocks-3", "hybrid") == [
        "2", "0", "0.50 (1.00)", "0.25 (1.00)", "1.00 (0.95)", "1.00 (0.93)", "4.0",
    ]  # fmt: skip
    assert cells(text.split("## Flips")[0], "blocks-3", "neural")[:6] == [
        "3", "2", "– (1.00)", "– (1.00)", "1.00 (0.95) [1 of 2]", "1.00 (0.93) [1 of 2]",
    ]  # fmt: skip
    assert cells(text.split("## Flips")[1], "blocks-3", "hybrid") == ["1.12", "–"]


def test_noise_has_samples_enough(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "benchmarks.tables.options.rows_of", lambda runs, path: seen.extend(runs) or {}
    )
    report("noise", tmp_path, [])
    assert {run.min_per_action for run in seen} == {200}
    assert {run.noise for run in seen} == {1.0, 4.0}


def test_the_mlp_table(tmp_path):
    runs = [LearningRun("gripper", method=m, effects="mlp") for m in ("neural", "hybrid")]
    rows = [row(runs[0]), row(runs[1], precision=0.5)]
    text = report("mlp", tmp_path, rows, "--domain", "gripper").output
    assert cells(text, "gripper", "neural")[2] == "1.00 (1.00)"
    options = ("--domain", "gripper", "--method", "hybrid")
    text = report("mlp", tmp_path, rows, *options).output
    assert cells(text, "gripper", "hybrid")[2] == "0.50 (1.00)"
    assert "neural" not in text


def test_the_ablation_table(tmp_path):
    rows = [
        row(LearningRun("blocks-3")),
        row(LearningRun("blocks-3", without="extra-variables"), precision=0.25, sound=False),
        failed(LearningRun("blocks-3", method="neural")),
    ]
    text = report("ablation", tmp_path, rows, "--domain", "blocks-3").output
    assert cells(text, "blocks-3") == [
        "1.00 / 1.00", "1/1", "0.25 / 1.00", "0/1", "– / –", "–", "– / –", "0/1",
    ]  # fmt: skip
    assert cells(text, "neural") == ["1", "1", "0/1", "–"]
    assert cells(text, "without precondition-only variables") == ["1", "0", "0/1", "2.0"]


def test_the_scaling_table(tmp_path):
    def measured(run: scaling.StepRun, **step_s: float) -> Row:
        return run.key | {
            "failure": None, "n_objects": 5, "relations": 4, "before_mib": 230, "peak_mib": 300,
            "step_s": {name.replace("_", "-"): seconds for name, seconds in step_s.items()},
        }  # fmt: skip

    def alone(name: str, objects: int) -> scaling.StepRun:
        return scaling.StepRun("logistics", name, objects)

    together = scaling.StepRun("blocks-3", scaling.TOGETHER)
    rows = [
        measured(alone("lifted", 15), lifted=0.01),
        measured(alone("dense", 15), dense=0.025),
        measured(alone("lifted", 50), lifted=0.02),
        alone("dense", 50).key | {"failure": "measure: more than 9 MiB needed"},
        measured(together, lifted=0.01, dense=0.015, dense_pcgrad=0.02),
    ]
    text = report("scaling", tmp_path, rows).output
    assert cells(text, "15") == ["10.0", "300", "25.0", "300", "2.5"]
    assert cells(text, "50") == ["20.0", "300", "failed", "–", "–"]
    assert cells(text, "blocks-3") == ["5", "4", "10.0", "15.0", "20.0", "1.50"]
    assert "Median ratio dense / lifted over these domains: 1.50." in text


@pytest.mark.parametrize("n_objects", scaling.SIZES)
def test_growing_problems_have_the_size_that_they_are_named_by(n_objects):
    text = scaling.problem_text("logistics", scaling.SIZES[n_objects], 1)
    objects = re.search(r"\(:objects(.*?)\)", text, re.DOTALL)
    assert objects
    assert len(objects[1].split()) == n_objects


@pytest.mark.slow
def test_a_real_step_run(monkeypatch):
    monkeypatch.setattr(scaling, "N_STEPS", 3)
    done = scaling.StepRun("blocks-3", "lifted dense").execute()
    assert done["failure"] is None
    assert set(done["step_s"]) == {"lifted", "dense"}
    assert done["steps"] == 3
    assert done["peak_mib"] > done["before_mib"] > 100


def test_too_little_memory_is_a_row(monkeypatch):
    monkeypatch.setattr(scaling, "MEMORY_LIMIT_MIB", 500)
    done = scaling.StepRun("blocks-3", "lifted").execute()
    assert done["failure"].startswith("measure: ")


def test_the_papers_figures_are_whole():
    tables = paper_figures()
    domains = set(SUITES["paper"])
    for name, parts in (
        ("main", ("names", "partial", "full")),
        ("noise", ("1", "2", "4", "8")),
        ("mlp", ("names",)),
        ("l1", ("names",)),
    ):
        for part in parts:
            assert set(tables[name][part]) == domains, (name, part)
            for domain in domains:
                values = paper_row(name, part, domain)
                assert values is not None
                assert 0 <= values["precision"] <= 1 >= values["recall"] >= 0
                if "both" in values:
                    assert values["both"] <= min(values["sound"], values["complete"]) <= 10
    perfect = [domain for domain in domains if tables["main"]["names"][domain][-1] == 10]
    assert len(perfect) == 8  # as the paper says
    assert sum(tables["l1"]["names"][domain] == [1, 1] for domain in domains) == 6
    assert paper_row("main", "names", "bar") is None
    assert paper_row("noise", "3", "hanoi") is None


def test_groups_are_there_without_rows():
    runs = [LearningRun("hanoi"), LearningRun("gripper")]
    results = Results("main", runs, {runs[1]: row(runs[1])})
    assert {key: len(rows) for key, rows in results.groups("domain").items()} == {
        ("hanoi",): 0, ("gripper",): 1,
    }  # fmt: skip
    assert results.missing == [runs[0]]


def test_numbers_in_short():
    assert spans([0]) == "0"
    assert spans([0, 1, 2, 5, 7, 8]) == "0–2, 5, 7–8"
    assert (duration(0), duration(75), duration(7500)) == ("0.0 min", "1.2 min", "2.1 h")
    assert counted({}) == "–"
    assert counted({"a": 3}) == "a"
    assert counted({"a": 3, "b": 1}) == "a (3 runs); b (1 runs)"
