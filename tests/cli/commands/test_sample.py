"""`dias sample`."""

from __future__ import annotations

import gzip
import json
from itertools import product
from time import perf_counter

import pytest

from dias.strips.model import Atom
from dias.strips.pddl.reader import read_domain, read_problem
from tests.cli.helpers import (
    PROBLEM,
    Outcome,
    call,
    garden,
    is_one_error,
    rehashed,
    strict_json,
    write,
)
from tests.oracles import naive_successors

LABELS = ("names", "partial", "full")
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


NO_PIPES = PROBLEM.replace("(pipe north rose) (pipe south rose) (pipe south leek)", "")
NOTHING = PROBLEM.replace("(shut north) (shut south) (dry rose) (dry leek)", "")
FOREVER = ("--min-per-action", 10**9)


def test_why_there_are_no_more_samples(tmp_path):
    """What is never applicable, and what is so in few states."""
    garden(tmp_path)
    write(tmp_path, "p.pddl", NO_PIPES.replace("(dry leek)", "(wet leek)"))
    arguments = (*SAMPLE, "-o", "t.jsonl", "--strategy", "bfs", "--json")
    status, out, err = call(*arguments, "--min-per-action", 9, cwd=tmp_path)
    assert status == 0
    counted = "(walked 20 steps, began anew 0 times): applicable in"
    assert err.splitlines() == [
        "t.jsonl: 20 transitions",
        *(
            f"warning: plot: {n} of 9 samples of {action} {counted} {n_states} of the 8 reachable "
            f"states, with {n} different steps in all"
            for action, n, n_states in (("turn-on", 8, 6), ("turn-off", 8, 6))
        ),
        f"warning: plot: 0 of 9 samples of water {counted} none of the 8 reachable states",
        f"warning: plot: 4 of 9 samples of sun {counted} 4 of the 8 reachable states, with 4 "
        "different steps in all",
    ]
    [problem] = strict_json(out)["problems"]
    assert (problem["states_seen"], problem["all_states_seen"]) == (8, True)
    assert problem["missing"]["water"] == {
        "samples": [0], "applicable_states": 0, "different_steps": 0,
    }  # fmt: skip
    assert problem["missing"]["sun"] == {
        "samples": [4], "applicable_states": 4, "different_steps": 4,
    }  # fmt: skip


@pytest.mark.parametrize("options", [(), ("--noise", 2, "--validation", "v.jsonl.gz")])
def test_what_is_sampled_until_the_time_ends_is_written(tmp_path, options):
    garden(tmp_path)
    started = perf_counter()
    status, out, err = call(
        *SAMPLE, "--max-per-action", 10**9, *FOREVER, *options[:2], "--time-limit", 1,
        "-o", "t.jsonl", "--json", cwd=tmp_path,
    )  # fmt: skip
    assert perf_counter() - started < 1 + 2
    assert status == 0
    _, *steps = lines((tmp_path / "t.jsonl").read_text())
    [problem] = strict_json(out)["problems"]
    assert problem["out_of_time"]
    assert len(steps) == sum(problem["samples"].values()) == problem["steps_walked"] > 0
    assert err.count("; the time limit ended the walk\n") == 4
    # A split that is never begun is not written, and the other one is.
    if options:
        status, out, err = call(
            *SAMPLE, "--max-per-action", 10**9, *FOREVER, *options, "--time-limit", 0.5,
            "-o", "u.jsonl", cwd=tmp_path,
        )  # fmt: skip
        assert (status, out) == (1, "")
        assert "error: v.jsonl.gz: expected transitions, found none: the time was over" in err
        assert len(lines((tmp_path / "u.jsonl").read_text())) > 1
        assert not (tmp_path / "v.jsonl.gz").exists()


def test_no_step_in_time(tmp_path):
    garden(tmp_path)
    outcome = call(*SAMPLE, "--time-limit", 1e-9, "-o", "t.jsonl", cwd=tmp_path)
    is_one_error(outcome, "t.jsonl: ", "found none: the time was over", "in plot", "more time")
    assert not (tmp_path / "t.jsonl").exists()


@pytest.mark.parametrize("labels", ["names", "partial", "full"])
def test_nothing_to_sample_is_an_error(tmp_path, labels):
    """No file is written, and one that is there is left alone."""
    garden(tmp_path)
    write(tmp_path, "nothing.pddl", NOTHING)
    write(tmp_path, "old.jsonl", "old")
    for place, name in [("old.jsonl", "old.jsonl"), ("new.jsonl", "new.jsonl"),
                        ("-", "standard output")]:  # fmt: skip
        outcome = call(
            "sample", "domain.pddl", "nothing.pddl", "--labels", labels, "-o", place, cwd=tmp_path
        )
        is_one_error(outcome, f"{name}: ", "no action is applicable in the initial state of plot")
    assert not (tmp_path / "new.jsonl").exists()
    assert (tmp_path / "old.jsonl").read_text() == "old"
    # One of several problems may have none.
    both = call("sample", "domain.pddl", "nothing.pddl", "p.pddl", cwd=tmp_path)
    assert both.status == 0
    assert "0 of 100 samples of water (walked 0 steps" in both.err
    assert "applicable in none of the 1 state seen" in both.err


def test_a_split_for_which_nothing_is_left(tmp_path):
    """Breadth first there are 40 different steps, and the first file takes them all."""
    garden(tmp_path)
    outcome = call(
        "sample", "domain.pddl", "p.pddl", "--strategy", "bfs", "-o", "t.jsonl",
        "--validation", "v.jsonl", cwd=tmp_path,
    )  # fmt: skip
    is_one_error(outcome, "v.jsonl: ", "are in the samples before")
    assert len(lines((tmp_path / "t.jsonl").read_text())) > 40
    assert not (tmp_path / "v.jsonl").exists()


@pytest.mark.parametrize("noise", [(), ("--noise", 4)])
@pytest.mark.parametrize(("labels", "applicable"), list(product(LABELS, ("names", "ground"))))
def test_masks_are_those_of_the_true_states(tmp_path, labels, applicable, noise):
    """Against naive enumeration, and the steps are those that are sampled without."""
    garden(tmp_path)
    options = (*SAMPLE, "--labels", labels, *noise)
    plain = lines(call(*options, cwd=tmp_path).out)
    _, *steps = lines(call(*options, "--applicable", applicable, cwd=tmp_path).out)
    masks = [line.pop("applicable") for line in steps]
    assert steps == plain[1:]
    domain = read_domain(tmp_path / "domain.pddl")
    problem = read_problem(tmp_path / "p.pddl", domain)
    _, *clean = lines(call(*SAMPLE, "--labels", labels, cwd=tmp_path).out)
    n_kept = {"turn-on": 1, "turn-off": 1, "water": 2, "sun": 1}
    pipes = {Atom("pipe", pair) for pair in PIPES}
    for line, mask in zip(clean, masks, strict=True):
        state = frozenset(parse(atom) for atom in line["state"]) | pipes
        found = {
            (name, arguments[: n_kept[name]] if applicable == "ground" else ())
            for name, arguments, _, _ in naive_successors(domain, problem.objects, state)
        }
        assert mask == sorted(str(Atom(*own)) for own in found)


PIPES = (("north", "rose"), ("south", "rose"), ("south", "leek"))


def parse(text):
    name, *terms = text.strip("()").split()
    return Atom(name, tuple(terms))


def test_masks_in_the_command_that_inspects_and_the_one_that_learns(tmp_path):
    garden(tmp_path)
    arguments = (*SAMPLE, "--applicable", "names", "--time-limit", 60, "-o", "t.jsonl.gz")
    assert call(*arguments, cwd=tmp_path).status == 0
    n_states = 16
    found = call("inspect", "t.jsonl.gz", cwd=tmp_path).out
    assert "states of which is said what is applicable: " in found
    value = strict_json(call("inspect", "t.jsonl.gz", "--json", cwd=tmp_path).out)
    assert 3 < value["masked_states"] <= n_states
    counts = value["actions"]["sun"]["masked_states"]
    assert sum(counts.values()) == value["masked_states"]
    assert counts["refused"] > 0
    learned = call("learn", "t.jsonl.gz", "-o", "l.pddl", "--json", cwd=tmp_path)
    assert learned.status == 0, learned.err
    masks = strict_json(learned.out)["actions"]["sun"]["masks"]
    assert masks["states"] == value["masked_states"]
    assert masks["too_weak_lines"] == masks["too_strict_lines"] == []
    assert (
        f"{masks['states']} of {masks['states']} masks agree" in (tmp_path / "l.pddl").read_text()
    )


def test_unknown_atoms(tmp_path):
    """The true states are those of the same walk; the same seed gives the same bytes."""
    garden(tmp_path)
    _, *plain = lines(call(*SAMPLE, cwd=tmp_path).out)
    text = call(*SAMPLE, "--unknown", 0.5, cwd=tmp_path).out
    assert call(*SAMPLE, "--unknown", 0.5, cwd=tmp_path).out == text
    _, *partial = lines(text)
    for known, step in zip(plain, partial, strict=True):
        for key, unknown in (("state", "unknown"), ("next", "next-unknown")):
            assert set(step[key]) == set(known[key]) - set(step.get(unknown, []))
    by_place = {(step["trace"], step["step"]): step for step in partial}
    for (walk, place), step in by_place.items():
        after = by_place.get((walk, place + 1))
        assert after is None or after.get("unknown") == step.get("next-unknown")


def test_flips_as_probabilities(tmp_path):
    """What rather holds than not is what the same flips give without probabilities."""
    garden(tmp_path)
    options = (*SAMPLE, "--noise", 2, "--seed", 3)
    (_, *hard), (_, *soft) = (
        lines(call(*options, *more, cwd=tmp_path).out) for more in ((), ("--soft",))
    )
    pairs = [
        [item if isinstance(item, list) else [item, 1] for item in step[key]]
        for step in soft
        for key in ("state", "next")
    ]
    likely = [{atom for atom, p in own if p > 0.5} for own in pairs]
    assert likely == [set(step[key]) for step in hard for key in ("state", "next")]
    assert any(p not in (0, 1) for own in pairs for _, p in own)


def test_probabilities_need_noise(tmp_path):
    garden(tmp_path)
    outcome = call(*SAMPLE, "--soft", cwd=tmp_path)
    assert outcome.status == 2 and "--soft needs --noise" in outcome.err
