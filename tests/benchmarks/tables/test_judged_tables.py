"""The tables of planner traces and of a folder's domains: real runs, and what they count."""

from __future__ import annotations

import json
import shutil

from benchmarks.generate import DOMAINS
from benchmarks.judging.judge import OUTCOMES, RIGHT, RIGHT_DOUBTED, WRONG_SILENT
from benchmarks.running.rawlines import read_rows
from benchmarks.tables import domains, planner, spoiled
from benchmarks.tables.domains import FolderRun
from benchmarks.tables.planner import PlannerRun
from benchmarks.tables.spoiled import HARD, KINDS, SOFT, UNKNOWN, SpoiledRun
from tests.benchmarks.fakes import row
from tests.benchmarks.tables.helpers import cells, invoke, report
from tests.cli.helpers import call


def folder(tmp_path, *problems):
    """A folder with one domain, gripper, and some of its problems."""
    own = tmp_path / "folder" / "mine"
    own.mkdir(parents=True)
    for name in ("domain", *problems):
        shutil.copy(DOMAINS / "gripper" / f"{name}.pddl", own)
    return str(own.parent)


def test_a_real_run_of_a_folder(tmp_path, in_this_process):
    place = folder(tmp_path, "p01", "p02")
    text = invoke(domains.command, tmp_path, place, "--labels", "full").output
    (one,) = read_rows(tmp_path / "domains.jsonl")
    assert (one["failure"], one["domain"], one["labels"]) == (None, "mine", "full")
    assert (one["outcome"], one["n_actions"], one["not_tested"]) == ("right", 3, [])
    assert one["plans"] == [{"problem": "p01", "true": "solved", "status": "solved", "valid": True}]
    assert one["learn_cpu_s"] > 0
    assert str(tmp_path) not in json.dumps(one)
    shown = cells(text, "mine", "full")
    assert shown[:4] == ["right", "1.000", "3 of 3", "1.000"]
    assert shown[-1] == "1 of 1"
    before = (tmp_path / "domains.jsonl").read_bytes()
    invoke(domains.command, tmp_path, place, "--labels", "full")
    assert (tmp_path / "domains.jsonl").read_bytes() == before  # what is done is not done again


def test_a_domain_that_cannot_be_read_is_a_row(tmp_path, in_this_process):
    place = folder(tmp_path, "p01", "p02")
    (tmp_path / "folder" / "mine" / "domain.pddl").write_text("(define (domain d)")
    text = invoke(domains.command, tmp_path, place).output
    assert cells(text, "mine", "names")[0] == "sample failed"
    assert "- mine, seed 0: sample: " in text


def test_a_folder_without_domains_is_one_error(tmp_path):
    done = call("bench", "domains", "nowhere", cwd=tmp_path)
    assert done.status == 1
    assert "nowhere: expected domain.pddl, here or in subfolders, found none. Name " in done.err
    assert not list(tmp_path.iterdir())


def test_a_real_run_with_plans(tmp_path, in_this_process):
    options = ("--folder", folder(tmp_path, "p01", "p02"), "--steps", "4", "--labels", "full")
    text = invoke(planner.command, tmp_path, *options, "--workers", "1").output
    rows = read_rows(tmp_path / "planner.jsonl")
    assert [(one["domain"], one["samples"], one["preconditions"]) for one in rows] == [
        ("mine", 4, "concise"), ("mine", 4, "safe"),
    ]  # fmt: skip
    for one in rows:
        assert one["failure"] is None
        assert one["outcome"] in OUTCOMES
        assert 12 <= one["transitions"] <= min(24, one["plan_steps"])
        assert one["sample_cpu_s"] > 0
    assert cells(text, "full", "safe", "4")[:2] == ["1", "0"]


def test_a_real_run_with_a_wrong_atom(tmp_path, monkeypatch, in_this_process):
    monkeypatch.setattr(spoiled, "N_SAMPLES", 40)
    options = ("--domain", "gripper", "--kind", KINDS[0], "--workers", "1")
    text = invoke(spoiled.command, tmp_path, *options).output
    (one,) = read_rows(tmp_path / "spoiled.jsonl")
    assert (one["failure"], one["kind"]) == (None, KINDS[0])
    assert one["outcome"] in OUTCOMES
    assert one["transitions"] == 3 * 3 * 40  # actions and problems
    assert cells(text, "names", KINDS[0])[:2] == ["1", "0"]


def test_a_real_run_with_unknown_atoms(tmp_path, monkeypatch, in_this_process):
    monkeypatch.setattr(spoiled, "WALK_LEAST_MOST", (20, 40))
    options = ("--domain", "gripper", "--kind", UNKNOWN, "--labels", "full", "--workers", "1")
    text = invoke(spoiled.command, tmp_path, *options).output
    (one,) = read_rows(tmp_path / "spoiled.jsonl")
    assert (one["failure"], one["kind"], one["labels"]) == (None, UNKNOWN, "full")
    assert one["outcome"] in (RIGHT, RIGHT_DOUBTED)
    assert 3 * 20 <= one["transitions"] <= 3 * 40
    assert cells(text, "full", UNKNOWN)[:5] == ["1", "0", "0", "1", "0"]


def test_the_same_flips_as_guesses_and_with_probabilities(tmp_path, monkeypatch, in_this_process):
    monkeypatch.setattr(spoiled, "WALK_LEAST_MOST", (40, 80))
    kinds = [list(own)[1] for own in (HARD, SOFT)]
    options = [word for kind in kinds for word in ("--kind", kind)]
    invoke(spoiled.command, tmp_path, "--domain", "gripper", *options, "--workers", "1")
    hard, soft = read_rows(tmp_path / "spoiled.jsonl")
    assert [hard["kind"], soft["kind"]] == kinds == ["2 flips, hard", "2 flips, as probabilities"]
    assert hard["failure"] is soft["failure"] is None
    assert hard["estimated_flips"] > 1 and soft["estimated_flips"] is None
    assert soft["outcome"] in (RIGHT, RIGHT_DOUBTED)


JUDGED = {
    "explained": 0.5, "unobserved": ["c"], "not_tested": ["e"], "weak_points": ["a: x", "d: y"],
    "wrong": ["a", "b", "c", "f"], "precision": 0.25, "recall": 0.5,
    "actions": {
        name: {
            "doubted": name in "ad", "precision": 1.0, "recall": 1.0,
            "untested": ["(p ?x1)"] * (name == "f"),
        }
        for name in "abcdf"
    },
    "sample_cpu_s": 1.0, "learn_cpu_s": 2.5, "evaluate_cpu_s": 0.5,
}  # fmt: skip
SHOWN = ["0.500", "1 of 5", "0.250", "0.500", "2", "1", "1", "1", "1", "1", "1"]
"""Of actions a to f: a wrong and named, b wrong and not, c never seen, d right and doubted, f wrong
and untested."""


def test_what_is_wrong_is_named_or_not(tmp_path):
    runs = [PlannerRun("blocks-3", samples) for samples in (5, 10)]
    rows = [row(runs[0], **JUDGED), runs[1].key | {"failure": "learn: stopped after 240 s"}]
    text = report(planner.command, tmp_path, rows, "--domain", "blocks-3").output
    first, by_domain = text.split("## Right actions")
    assert cells(first, "names", "concise", "5") == [
        *("1", "0"), *SHOWN, *("1.0", "2.5", "0.5", "260"),
    ]  # fmt: skip
    assert cells(first, "names", "concise", "10")[:3] == ["1", "1", "–"]
    assert cells(by_domain, "blocks-3", "names", "concise") == ["1 of 5, 1", "–", "–", "–"]


def test_what_is_learned_from_states_that_were_seen_badly(tmp_path):
    runs = [SpoiledRun("library", kind) for kind in KINDS[:2]]
    rows = [
        row(runs[0], **JUDGED, explains_everything=False, outcome=WRONG_SILENT),
        runs[1].key | {"failure": "learn: stopped after 240 s"},
    ]
    options = ("--domain", "library", "--kind", KINDS[0], "--kind", KINDS[1])
    text = report(spoiled.command, tmp_path, rows, *options).output
    first, by_domain = text.split("## By domain")
    assert cells(first, "names", KINDS[0])[:12] == ["1", "0", "1", "0", "1", *SHOWN[:7]]
    assert cells(first, "names", KINDS[1])[:6] == ["1", "1", "0", "0", "0", "–"]
    assert cells(by_domain, "library", "names", KINDS[0])[:3] == ["1", "0", "1"]


def test_what_became_of_a_folder(tmp_path):
    place = folder(tmp_path, "p01", "p02")
    plans = [
        {"problem": "p01", "true": "solved", "status": "solved", "valid": True},
        {"problem": "p02", "true": "solved", "status": "unsolvable", "valid": None},
        {"problem": "p03", "true": "out of time"},
    ]
    rows = [
        row(FolderRun("mine"), **JUDGED, outcome="wrong, doubted", plans=plans),
        FolderRun("mine", "full").key | {"failure": "learn: stopped after 240 s"},
    ]
    options = ("--labels", "names", "--labels", "full")
    text = report(domains.command, tmp_path, rows, place, *options).output
    first, in_all = text.split("## In all")
    assert cells(first, "mine", "names") == [
        "wrong, doubted", *SHOWN, *("1.0", "2.5", "0.5", "260", "1 of 2"),
    ]  # fmt: skip
    assert cells(first, "mine", "full")[:2] == ["learn failed", "–"]
    assert cells(in_all, "full")[:2] == ["1", "1"]
