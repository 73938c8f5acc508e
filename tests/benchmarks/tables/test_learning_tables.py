"""What the learning tables make of rows."""

from __future__ import annotations

from benchmarks.reports.results import learning_figures
from benchmarks.running.learning import LearningRun
from benchmarks.tables import ablation, main, mlp, noise
from dias.config import PAPER_NOISE_THRESHOLD, paper_noise_training
from dias.settings import learning_config, read_settings
from tests.benchmarks.fakes import failed, row
from tests.benchmarks.tables.helpers import cells, report


def test_the_main_table_counts_failed_runs(tmp_path):
    runs = [LearningRun("hanoi", seed=seed) for seed in range(4)]
    rows = [
        row(runs[0], learn_s=1.0, steps=50),
        row(runs[1], learn_s=9.0, steps=150, precision=0.999, sound=False),
        failed(runs[2]),
    ]
    text = report(main.command, tmp_path, rows, "--domain", "hanoi", "--seeds", "4").output
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
    text = report(
        main.command, tmp_path, [failed(LearningRun("hanoi"))], "--domain", "hanoi"
    ).output
    assert cells(text, "hanoi", "names", "hybrid") == [
        "1", "1", "– (0.81)", "– (0.99)", "0/1 (8/10)", "0/1 (8/10)", "0/1 (8/10)", "–", "–", "–",
    ]  # fmt: skip


def test_a_partial_measurement_counts_and_is_marked(tmp_path):
    cut_short = row(LearningRun("hanoi"), failure="evaluate: out of time", precision=0.5)
    rows = [cut_short, row(LearningRun("hanoi", seed=1), capped_states=0)]
    figures = learning_figures(rows)
    assert (figures["failed"], figures["precision"], figures["both"]) == (1, 0.75, 1)
    assert (figures["steps"], figures["is_bound"]) == (50, False)
    text = report(main.command, tmp_path, rows, "--domain", "hanoi", "--seeds", "2").output
    shown = cells(text, "hanoi", "names", "hybrid")
    assert shown[2:4] == ["0.75 (0.81) [1 of 2]", "1.00 (0.99) [1 of 2]"]


def test_a_report_says_with_what_was_evaluated_later(tmp_path):
    later = {"evaluated_with": {"dias": "0.2.0", "torch": "2.0"}}
    text = report(
        main.command, tmp_path, [row(LearningRun("hanoi")) | later], "--domain", "hanoi"
    ).output
    assert "dias 0.1.0, torch 2.0, evaluated with dias 0.2.0" in text


def test_an_upper_bound_is_marked(tmp_path):
    rows = [row(LearningRun("hanoi"), capped_states=1, precision=0.015)]
    text = report(main.command, tmp_path, rows, "--domain", "hanoi", "--seeds", "1").output
    assert cells(text, "hanoi", "names", "hybrid")[2:4] == ["≤0.01 (0.81)", "1.00 (0.99)"]


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
    text = report(
        noise.command, tmp_path, rows, "--flips", "1", "--flips", "8", "--seeds", "2"
    ).output
    assert cells(text.split("## Flips")[0], "blocks-3", "hybrid") == [
        "2", "0", "0.50 (1.00)", "0.25 (1.00)", "1.00 (0.95)", "1.00 (0.93)", "4.0",
    ]  # fmt: skip
    assert cells(text.split("## Flips")[0], "blocks-3", "neural")[:6] == [
        "3", "2", "– (1.00)", "– (1.00)", "1.00 (0.95) [1 of 2]", "1.00 (0.93) [1 of 2]",
    ]  # fmt: skip
    assert cells(text.split("## Flips")[1], "blocks-3", "hybrid") == ["1.12", "–"]


def test_under_noise_the_network_is_trained_as_in_the_paper_and_from_undecided_logits(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(noise.NEURAL_SETTINGS, encoding="utf-8")
    config = learning_config({"method": "neural"} | read_settings(path))
    assert config.network(5).start == "undecided"
    assert config.threshold == PAPER_NOISE_THRESHOLD
    expected = paper_noise_training(
        objective="lifted", n_steps=1_500, early_stop=True, tau_floor=noise.TAU_FLOOR
    )
    assert config.training == expected


def test_noise_has_samples_enough(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "benchmarks.table_options.rows_of", lambda runs, path: seen.extend(runs) or {}
    )
    report(noise.command, tmp_path, [])
    assert {run.min_per_action for run in seen} == {200}
    assert {run.noise for run in seen} == {1.0, 4.0}


def test_the_mlp_table(tmp_path):
    """Lines of the hybrid method, which older versions had here, are passed over."""
    runs = [LearningRun("gripper", method=m, effects="mlp") for m in ("neural", "hybrid")]
    rows = [row(runs[0], precision=0.5), row(runs[1])]
    text = report(mlp.command, tmp_path, rows, "--domain", "gripper").output
    assert cells(text, "gripper", "neural")[2] == "0.50 (1.00)"
    assert "hybrid" not in text


def test_the_ablation_table(tmp_path):
    rows = [
        row(LearningRun("blocks-3")),
        row(LearningRun("blocks-3", without="extra-variables"), precision=0.25, sound=False),
        failed(LearningRun("blocks-3", method="neural")),
    ]
    text = report(ablation.command, tmp_path, rows, "--domain", "blocks-3").output
    assert cells(text, "blocks-3") == [
        "1.00 / 1.00", "1/1", "0.25 / 1.00", "0/1", "– / –", "–", "– / –", "0/1",
    ]  # fmt: skip
    assert cells(text, "neural") == ["1", "1", "0/1", "–"]
    assert cells(text, "without precondition-only variables") == ["1", "0", "0/1", "2.0"]
