import pytest

from dias.file_kinds import kind_of, remedy_for


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", ""),
        (b"hello", ""),
        (b"\0\0", ""),
        (b"\x1f\x8b\x08", "a gzip file"),
        (b"\xff\xfe\x00\x00d\x00\x00\x00", "UTF-32 text"),
        (b"\xff\xfed\x00", "UTF-16 text"),
        ("(define".encode("utf-16-be"), "UTF-16 text"),
        ("ab".encode("utf-16-le"), "UTF-16 text"),
        ("(define (domain 倉庫))".encode("utf-16-le"), "UTF-16 text"),
        (b"a\0b", ""),
        (bytes(1000), ""),
        (b"one zero in\0all of this", ""),
        (b"\xef\xbb\xbf; x\n\n;y\n( DEFINE\n(domain d)", "a PDDL domain"),
        (b"(define (problem p))", "a PDDL problem"),
        (b"0.000: (move a b) [1]\n", "a plan"),
        (b"(:trajectory\n (:state", "an s-expression trace"),
        (b"(\n(:init (p a))", "an s-expression trace"),
        (b"(solution \n(:objects a - b)", "an s-expression trace"),
        (b"(:observation (:state (p)))", "an s-expression trace"),
        (b"((:objects a)\n(:init (p a))", "an s-expression trace"),
        (b"step    0: STACK A B\n", "a plan"),
        (b"\nff: parsing domain file\n", "a plan"),
        (b"ff: found legal plan as follows\n\nstep    0: GO A B\n", "a plan"),
        (b"New plan!!!\n\n##Tasks##\n", "a PlanMiner trace"),
        (b"##States##\n[0]: (p a)", "a PlanMiner trace"),
        (b"{on(a:block,b:block), hand-empty()}\n", "a trace of literals like PDDLGym's"),
        (b"frozenset({on(a:block,b:block)})\n", "a trace of literals like PDDLGym's"),
        (b"State(literals=frozenset({p()}), objects=", "a trace of literals like PDDLGym's"),
        (b"obs: [clear(a:block)]\n", "a trace of literals like PDDLGym's"),
        (b'{"state": ["on(a,b)"], "action": "go()"', "a trace of literals like PDDLGym's"),
        (b'{"action": "go(a)", "state": []', "a trace of literals like PDDLGym's"),
        (b'[\n {"states": [["p()", "q()"]]', "a trace of literals like PDDLGym's"),
        (b'{"trace": "walk(3)", "state": ["(p)"]}', "JSON"),
        (b'{"state": ["(p)", "q(a)"]}', "a trace file"),
        (b"<!DOCTYPE html>", "an HTML page"),
        (b"<?xml version='1.0'?><a/>", "an XML document"),
        (b"<!-- drawn --><svg>", "an SVG picture"),
        (b'{"state": []}', "a trace file"),
        (b'{"a": 1}', "JSON"),
        (b"[", "JSON"),
        (b"a;b;c\n", "a table (CSV)"),
        (b"(a, b)\n", "a plan"),
        (b"\xe9" * 10, ""),
    ],
)
def test_kinds(data, kind):
    assert kind_of(data) == kind


def test_remedies():
    assert remedy_for("UTF-16 text") == "Save the file as UTF-8."
    assert remedy_for("a gzip file") == "Decompress it first."
    assert remedy_for("a PNG picture") == "Is it the right file?"
