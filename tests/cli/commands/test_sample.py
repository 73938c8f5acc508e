"""`dias sample`."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.cli.helpers import PROBLEM, Outcome, call, garden, rehashed, strict_json, write

SAMPLE = ("sample", "domain.pddl", "p.pddl", "--min-per-action", 6, "--max-per-action", 9)


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_trace_file(tmp_path):
    garden(tmp_path)
    outcome = call(*SAMPLE, "-o", "t.jsonl", cwd=tmp_path)
    header, *steps = lines((tmp_path / "t.jsonl").read_text())
    assert outcome == Outcome(0, "", f"t.jsonl: {len(steps)} transitions\n")
    assert header["domain"] == "garden"
    assert (header["labels"], header["actions"]) == (
        "names",
        ["sun", "turn-off", "turn-on", "water"],
    )
    assert header["objects"] == {"leek": "bed", "north": "tank", "rose": "bed", "south": "tank"}
    assert header["static"] == ["(pipe north rose)", "(pipe south leek)", "(pipe south rose)"]
    for name in header["actions"]:
        assert 6 <= [line["action"] for line in steps].count(f"({name})") <= 9
    assert not any("pipe" in atom for line in steps for atom in line["state"])


@pytest.mark.parametrize(("labels", "water"), [("names", 1), ("partial", 3), ("full", 3)])
def test_labels(tmp_path, labels, water):
    """Nothing determines tank or bed of `water`, so STRIPS+ keeps both."""
    garden(tmp_path)
    header, *steps = lines(call(*SAMPLE, "--labels", labels, cwd=tmp_path).out)
    assert header["labels"] == labels
    words = {len(line["action"].split()) for line in steps if line["action"].startswith("(water")}
    assert words == {water}


def test_the_seed_alone_decides(tmp_path):
    """Neither the place nor the hash seed of the process does."""
    garden(tmp_path)
    (tmp_path / "else").mkdir()
    garden(tmp_path / "else")
    first = call(*SAMPLE, "--labels", "partial", cwd=tmp_path)
    again = rehashed(*SAMPLE, "--labels", "partial", cwd=tmp_path / "else")
    assert first.out == again.out
    assert first.out != call(*SAMPLE, "--labels", "partial", "--seed", 1, cwd=tmp_path).out


def test_every_engine_gives_the_same_traces(tmp_path):
    garden(tmp_path)
    texts = [
        call(*SAMPLE, "--engine", engine, cwd=tmp_path).out
        for engine in ("lifted", "pyperplan", "tarski")
    ]
    assert texts[0]
    assert texts[1:] == texts[:1] * 2


def test_standard_output_and_gzip_hold_the_same(tmp_path):
    garden(tmp_path)
    text = call(*SAMPLE, cwd=tmp_path).out
    call(*SAMPLE, "-o", "t.jsonl", cwd=tmp_path)
    call(*SAMPLE, "-o", "t.jsonl.gz", cwd=tmp_path)
    assert (tmp_path / "t.jsonl").read_text() == text
    assert gzip.decompress((tmp_path / "t.jsonl.gz").read_bytes()).decode() == text


def test_validation_split(tmp_path):
    garden(tmp_path)
    outcome = call(*SAMPLE, "-o", "t.jsonl", "--validation", "v.jsonl", cwd=tmp_path)
    assert outcome.status == 0
    counts = []
    for name in ("t.jsonl", "v.jsonl"):
        _, *steps = lines((tmp_path / name).read_text())
        counts.append(len(steps))
        assert f"{name}: {len(steps)} transitions\n" in outcome.err
    assert counts[0] > counts[1] >= 4 * 3  # half of the minimum, for four actions
    status, _, err = call(*SAMPLE, "--validation-min", 3, cwd=tmp_path)
    assert status == 2
    assert "need --validation FILE" in err


def test_several_problems_make_several_segments(tmp_path):
    garden(tmp_path)
    write(tmp_path, "q.pddl", PROBLEM.replace("plot", "patch").replace("leek", "kale"))
    text = call("sample", "domain.pddl", "p.pddl", "q.pddl", cwd=tmp_path).out
    headers = [line for line in lines(text) if "dias" in line]
    assert [header["problem"] for header in headers] == ["plot", "patch"]
    assert "kale" in headers[1]["objects"]


def test_what_could_not_be_collected_is_said(tmp_path):
    """No pipe leads to the leek, so it is never wet."""
    garden(tmp_path)
    pipes = "(pipe north rose) (pipe south rose) (pipe south leek)"
    write(tmp_path, "p.pddl", PROBLEM.replace(pipes, ""))
    status, out, err = call(*SAMPLE, cwd=tmp_path)
    assert status == 0
    assert len(lines(out)) == 1 + 2 * 9
    for action in ("water", "sun"):
        assert f"warning: plot: 0 of 6 samples of {action} (walked " in err


def test_what_was_observed_with_noise_can_be_read(tmp_path):
    """A flipped atom may be of objects of the wrong type."""
    garden(tmp_path)
    arguments = (*SAMPLE, "--labels", "full", "--noise", 4, "-o", "t.jsonl")
    assert call(*arguments, cwd=tmp_path).status == 0
    header, *steps = lines((tmp_path / "t.jsonl").read_text())
    assert header["static"] == []
    atoms = {atom for line in steps for atom in line["state"]}
    assert any(atom.startswith("(dry ") and "h)" in atom for atom in atoms)  # north, south
    learned = call("learn", "t.jsonl", "-o", "learned.pddl", cwd=tmp_path)
    assert learned.status == 4, learned.err


def test_json(tmp_path):
    garden(tmp_path)
    arguments = (*SAMPLE, "--labels", "partial", "-o", "t.jsonl", "--json")
    value = strict_json(call(*arguments, cwd=tmp_path).out)
    assert value["files"][0]["file"] == "t.jsonl"
    assert value["files"][0]["transitions"] == sum(value["problems"][0]["samples"].values())
    assert value["arguments"]["water"] == ["?t", "?b"]
    assert call(*SAMPLE, "--json", cwd=tmp_path).status == 2  # standard output is taken


@pytest.mark.parametrize(
    ("arguments", "finding"),
    [
        (["--min-per-action", 5, "--max-per-action", 4],
         "--max-per-action 4 is below --min-per-action 5"),
        (["--validation", "v", "--validation-min", 5, "--validation-max", 4],
         "--validation-max 4 is below --validation-min 5"),
    ],
)  # fmt: skip
def test_limits_that_exclude_each_other(tmp_path, arguments, finding):
    garden(tmp_path)
    status, _, err = call("sample", "domain.pddl", "p.pddl", *arguments, cwd=tmp_path)
    assert status == 2
    assert finding in err


def test_restarts_of_what_is_no_walk(tmp_path):
    garden(tmp_path)
    arguments = ("sample", "domain.pddl", "p.pddl", "-o", "t.jsonl", "--strategy", "bfs")
    status, out, err = call(*arguments, "--restart-after", 5, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert "--restart-after would do nothing with --strategy bfs" in err
