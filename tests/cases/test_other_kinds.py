"""Files of another kind than the one that a command asks for: it says what they look like."""

from __future__ import annotations

import gzip
import os

import pytest

from tests.cases.commands import DOMAIN_READERS, PROBLEM_READERS, TRACE_READERS, put
from tests.cli.helpers import DOMAIN, HEADER, PROBLEM, STEPS, call, is_one_error, traces, write

# Kind to content, and words of the message where PDDL and where traces are expected; None where
# that is what the file is.
KINDS: dict[str, tuple[bytes, tuple[str, ...] | None, tuple[str, ...] | None]] = {
    "PNG": (
        b"\x89PNG\r\n\x1a\n\x00\x00\xff",
        ("expected UTF-8 text, found a PNG picture", "right file"),
        ("expected a trace file (JSON Lines), found a PNG picture", "right file"),
    ),
    "SVG": (
        b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>\n',
        ("expected `(define …)`, found an SVG picture",),
        ("found an SVG picture", "dias-trace/1"),
    ),
    "zip": (
        b"PK\x03\x04\x14\x00",
        ("found a zip archive", "Decompress it"),
        ("found a zip archive", "Decompress it"),
    ),
    "gzip": (
        gzip.compress(DOMAIN.encode()),
        ("found a gzip file", "Decompress it"),
        ("found a gzip file", "name that ends in .gz"),
    ),
    "UTF-16": (
        DOMAIN.encode("utf-16"),
        ("found UTF-16 text", "Save the file as UTF-8"),
        ("found UTF-16 text", "Save the file as UTF-8"),
    ),
    "UTF-16 without its mark": (
        DOMAIN.encode("utf-16-le"),
        ("found UTF-16 text", "Save the file as UTF-8"),
        ("found UTF-16 text", "Save the file as UTF-8"),
    ),
    "a table": (
        b"time,robot,cell\n1,r,c1\n",
        ("found a table (CSV)",),
        ("found a table (CSV)", "dias-trace/1"),
    ),
    "a plan": (
        b"; cost 2\n(turn-on north)\n(water north rose)\n",
        ("found a plan", "PDDL"),
        ("found a plan", "dias-trace/1"),
    ),
    "an s-expression trace": (
        b"(trajectory\n(:init (shut n))\n(operator: (turn-on n))\n)\n",
        ("found an s-expression trace",),
        None,
    ),
    "states": (
        b'{"dias":"states/1"}\n{"state":[]}\n',
        ("found a file of states",),
        ('expected "trace/1", found "states/1"', "holds no transitions"),
    ),
    "traces": (
        b'{"state":[],"action":"go","next":[]}\n',
        ("expected `(define …)`, found a trace file",),
        None,
    ),
    "a domain": (b"; ours\n" + DOMAIN.encode(), None, ("found a PDDL domain", "`dias sample`")),
    "a problem": (PROBLEM.encode(), None, ("found a PDDL problem", "`dias sample`")),
}


def refused(folder, readers, fragments) -> None:
    before = sorted(os.listdir(folder))
    for arguments in readers.values():
        is_one_error(call(*arguments, cwd=folder), *fragments)
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("kind", KINDS)
def test_where_pddl_is_expected(tmp_path, kind):
    content, words, _ = KINDS[kind]
    put(tmp_path)
    if kind == "a domain":
        write(tmp_path, "p.pddl", content)
        refused(tmp_path, PROBLEM_READERS, ("p.pddl:2:9", "found a domain", "each other's place"))
    elif kind == "a problem":
        write(tmp_path, "domain.pddl", content)
        words = ("domain.pddl:1:9", "found a problem", "each other's place")
        refused(tmp_path, DOMAIN_READERS, words)
    else:
        write(tmp_path, "p.pddl", content)
        refused(tmp_path, PROBLEM_READERS, ("p.pddl", *(words or ())))
        write(tmp_path, "domain.pddl", content)
        refused(tmp_path, DOMAIN_READERS, ("domain.pddl", *(words or ())))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind][2]])
def test_where_traces_are_expected(tmp_path, kind):
    content, _, words = KINDS[kind]
    traces(tmp_path, HEADER, *STEPS, name="good.jsonl")
    write(tmp_path, "t.jsonl", content)
    refused(tmp_path, TRACE_READERS, ("t.jsonl:", *(words or ())))


def test_a_compressed_file_on_standard_input(tmp_path):
    plain = traces(tmp_path, HEADER, *STEPS).read_bytes()
    outcome = call("learn", "-", cwd=tmp_path, stdin=gzip.compress(plain))
    is_one_error(outcome, "<stdin>:1: ", "found a gzip file", "gzip -dc FILE | dias learn -")


def test_a_plain_file_that_is_called_gzip(tmp_path):
    plain = traces(tmp_path, HEADER, *STEPS).read_bytes()
    write(tmp_path, "t.jsonl.gz", plain)
    outcome = call("learn", "t.jsonl.gz", cwd=tmp_path)
    is_one_error(outcome, "t.jsonl.gz: ", "ends in .gz, found a trace file", "Rename")


def test_a_folder(tmp_path):
    put(tmp_path)
    traces(tmp_path, HEADER, *STEPS, name="good.jsonl")
    for name, readers in [("p.pddl", PROBLEM_READERS), ("domain.pddl", DOMAIN_READERS)]:
        (tmp_path / name).unlink()
        (tmp_path / name).mkdir()
        refused(tmp_path, readers, (name, "expected a file, found a folder", "Name a file in it"))
    (tmp_path / "t.jsonl").mkdir()
    refused(tmp_path, TRACE_READERS, ("t.jsonl", "found a folder", "Name a file in it"))


def test_a_name_that_is_nearly_right(tmp_path):
    put(tmp_path)
    traces(tmp_path, HEADER, *STEPS, name="good.jsonl")
    for name, readers in [("p.pddl", PROBLEM_READERS), ("domain.pddl", DOMAIN_READERS)]:
        (tmp_path / name).rename(tmp_path / f"my_{name}")
        refused(tmp_path, readers, (name, "found nothing of that name", f"mean my_{name}?"))
    traces(tmp_path, HEADER, *STEPS, name="t.json")
    refused(tmp_path, TRACE_READERS, ("t.jsonl", "found nothing of that name", "mean t.json?"))
