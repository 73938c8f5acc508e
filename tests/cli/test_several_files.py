"""`dias learn` from several trace files."""

from __future__ import annotations

import re

from tests.cli.commands.learn.cases import NAMES
from tests.cli.helpers import HEADER, PIPES, STEPS, call, step, strict_json, traces
from tests.learning.explain.odd_worlds import HEADER as ODD_HEADER
from tests.learning.explain.odd_worlds import press_steps

LINE = re.compile(r"in the state of line \S+,")
"""What to try says where: in which file."""


def learn(folder, *arguments, **options):
    """The JSON result; the domain is in learned.pddl."""
    outcome = call("learn", *arguments, "-o", "learned.pddl", "--json", cwd=folder, **options)
    assert outcome.status in (0, 4), outcome.err
    return strict_json(outcome.out), (folder / "learned.pddl").read_text()


def test_the_domain_is_that_of_one_file(tmp_path):
    head = {**HEADER, "static": PIPES}
    other = {**head, "problem": "p02", "objects": {"n": "tank", "rose": "bed"}, "static": PIPES[:1]}
    steps = [step("shut n, dry rose", "turn-on", "open n, dry rose")]
    traces(tmp_path, head, *STEPS[:2], head, *STEPS[2:], other, *steps, name="all.jsonl")
    traces(tmp_path, head, *STEPS[:2], name="a.jsonl")
    traces(tmp_path, head, *STEPS[2:], other, *steps, name="b.jsonl")
    one, domain = learn(tmp_path, "all.jsonl")
    several, same = learn(tmp_path, "a.jsonl", "b.jsonl")
    assert LINE.sub("", domain) == LINE.sub("", same)
    assert ("sources" not in one, several["sources"]) == (True, ["a.jsonl", "b.jsonl"])
    own = ("seconds", "sources")
    tried = [
        [
            trial.pop("line")
            for action in value["actions"].values()
            for trial in action["support"]["trials"]
        ]
        for value in (one, several)
    ]
    assert tried[0] and len(tried[0]) == len(tried[1])
    assert all(line.startswith(("a.jsonl:", "b.jsonl:")) for line in tried[1])
    assert {k: v for k, v in one.items() if k not in own} == {
        k: v for k, v in several.items() if k not in own
    }


def test_unexplained_lines_name_their_file(tmp_path):
    """A wrong step in the second file, which all that the first shows contradicts."""
    *good, odd = press_steps(100, odd=[99])
    traces(tmp_path, ODD_HEADER, *good, name="good.jsonl")
    traces(tmp_path, "\n", ODD_HEADER, odd, name="odd.jsonl")
    value, text = learn(tmp_path, "good.jsonl", "odd.jsonl")
    assert value["actions"]["press"]["support"]["unexplained_lines"] == ["odd.jsonl:3"]
    assert "odd.jsonl:3" in text


def test_standard_input_is_one_of_them(tmp_path):
    traces(tmp_path, *NAMES)
    text = (tmp_path / "t.jsonl").read_text()
    both = call("learn", "t.jsonl", "-", "-o", "learned.pddl", cwd=tmp_path, stdin=text)
    assert both.status == 0, both.err
    assert "note: t.jsonl:2: 3 of 6 transitions repeat another one" in both.err
    twice = call("learn", "-", "t.jsonl", "-", cwd=tmp_path, stdin=text)
    assert (twice.status, "<stdin>: expected each file once" in twice.err) == (1, True)
    held = call("learn", "t.jsonl", "-", "--validation", "-", cwd=tmp_path, stdin=text)
    assert (held.status, "standard input can be read once" in held.err) == (2, True)


def test_no_file_is_wrong_usage(tmp_path):
    assert call("learn", "-o", "learned.pddl", cwd=tmp_path).status == 2


def test_the_domain_may_not_be_written_over_any_of_them(tmp_path):
    traces(tmp_path, *NAMES)
    traces(tmp_path, *NAMES, name="u.jsonl")
    outcome = call("learn", "t.jsonl", "u.jsonl", "-o", "u.jsonl", cwd=tmp_path)
    assert (outcome.status, "u.jsonl is given twice" in outcome.err) == (2, True)
