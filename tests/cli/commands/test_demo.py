"""`dias demo`."""

from __future__ import annotations

import os
import re

from tests.cli.helpers import call, write


def test_demo(tmp_path):
    """Every step is shown and perfect, and the files that it leaves can be used."""
    outcome = call("demo", "-o", "a/b", "--seed", 2, cwd=tmp_path)
    assert (outcome.status, outcome.err) == (0, "")
    steps = [line for line in outcome.out.splitlines() if re.match(r"\d/5 ", line)]
    assert [line.split()[1] for line in steps] == [
        "Sample",
        "Learn",
        "Evaluate",
        "Plan",
        "Validate",
    ]
    n_steps = len((tmp_path / "a" / "b" / "traces.jsonl").read_text().splitlines()) - 1
    assert f" {n_steps} transitions, 5 blocks, action names only" in outcome.out
    assert "precision 1.00, recall 1.00 on 1,500 states with 10, 20, 40 blocks" in outcome.out
    assert outcome.out.endswith("to a plan: sound, complete, valid.\n")
    assert sorted(os.listdir(tmp_path / "a" / "b")) == ["learned.pddl", "plan.txt", "traces.jsonl"]
    assert os.listdir(tmp_path) == ["a"]
    learned = (tmp_path / "a" / "b" / "learned.pddl").read_text()
    assert learned.startswith("; Learned by dias ")
    assert "seed 2, preconditions concise.\n" in learned


def test_a_folder_that_cannot_be_made_or_written(tmp_path):
    write(tmp_path, "file", "text")
    assert call("demo", "-o", "file", cwd=tmp_path).status == 2
    outcome = call("demo", "-o", "file/inside", cwd=tmp_path)
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith("error: file/inside: ")
    (tmp_path / "plan.txt").mkdir()
    outcome = call("demo", "-o", ".", cwd=tmp_path)
    assert (outcome.status, outcome.out) == (1, "")
    assert "plan.txt: expected a file name, found a folder" in outcome.err
