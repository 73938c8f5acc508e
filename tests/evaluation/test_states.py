from __future__ import annotations

import gzip
import json

from benchmarks.generate import DOMAINS
from dias.evaluation.states import find_states, reachable_states
from dias.limits import within
from dias.strips.engines.choice import build_engine
from dias.strips.pddl.reader import read_domain, read_problem
from dias.strips.problem import CodedProblem
from tests.cli.helpers import call, garden

HANOI = DOMAINS / "hanoi"


def test_states_are_shared_evenly_between_problems():
    domain = read_domain(HANOI / "domain.pddl")
    instances = [read_problem(HANOI / f"p0{n}.pddl", domain) for n in (1, 2)]
    found = reachable_states(domain, instances, 100)
    assert [len(own.states) for own in found] == [50, 50]
    # What the small problem cannot give, the large one does.
    found = reachable_states(domain, instances, 2000)
    assert [len(own.states) for own in found] == [729, 1271]


def test_states_end_with_the_time():
    domain = read_domain(HANOI / "domain.pddl")
    instance = read_problem(HANOI / "p01.pddl", domain)
    problem = CodedProblem.of(instance, domain)
    engine, init = build_engine("lifted", domain, problem), problem.init
    with within(0):
        assert find_states(engine, init, 30) == [init]
    with within(600):
        assert len(find_states(engine, init, 30)) == 30
    assert len(find_states(engine, init, 30)) == 30


def test_command_writes_a_header_and_the_states_of_each_problem(tmp_path):
    files = [HANOI / "domain.pddl", HANOI / "p01.pddl", HANOI / "p02.pddl"]
    done = call("states", *files, "--states", 20, "-o", "s.jsonl.gz", cwd=tmp_path)
    assert done.status == 0, done.err
    assert "20 states" in done.err
    with gzip.open(tmp_path / "s.jsonl.gz", "rt") as stream:
        lines = [json.loads(line) for line in stream]
    headers = [line for line in lines if "dias" in line]
    assert [header["dias"] for header in headers] == ["states/1", "states/1"]
    assert "(smaller d2 d1)" in headers[0]["static"] or "(smaller d1 d2)" in headers[0]["static"]
    assert len(lines) == 22
    first = lines[1]["state"]
    init = read_problem(files[1], read_domain(files[0])).init
    assert set(first) | set(headers[0]["static"]) == set(map(str, init))


def test_fewer_states_than_asked_for_is_said(tmp_path):
    done = call("states", HANOI / "domain.pddl", HANOI / "p01.pddl", cwd=tmp_path)
    assert done.status == 0
    assert "only 729 states" in done.err


def test_one_state_is_one_state(tmp_path):
    done = call("states", HANOI / "domain.pddl", HANOI / "p01.pddl", "--states", 1, cwd=tmp_path)
    assert done.err == "standard output: 1 state\n"


def test_unreadable_problem_writes_nothing(tmp_path):
    (tmp_path / "bad.pddl").write_text("(define (problem p) (:domain hanoi)")
    done = call("states", HANOI / "domain.pddl", "bad.pddl", "-o", "s.jsonl", cwd=tmp_path)
    assert done.status == 1
    assert "bad.pddl:1" in done.err and "Traceback" not in done.err
    assert not (tmp_path / "s.jsonl").exists()


def test_states_of_walks(tmp_path):
    """More than there are: breadth first knows that, walks say what they met."""
    garden(tmp_path)
    files = ("domain.pddl", "p.pddl")
    lines = {}
    for source, only in [("bfs", "reachable"), ("both", "reachable"), ("walk", "met by the walks")]:
        done = call(
            "states", *files, "--states-from", source, "--seed", 2, "--states", 20, cwd=tmp_path
        )
        assert done.status == 0, done.err
        header, *lines[source] = done.out.splitlines()
        assert len(set(lines[source])) == len(lines[source])
        assert f"note: only {len(lines[source])} states are {only}\n" in done.err
    assert set(lines["bfs"]) == set(lines["both"]) >= set(lines["walk"])
    assert lines["bfs"] != lines["both"]
    few = call("states", *files, "--states-from", "walk", "--seed", 2, "--states", 5, cwd=tmp_path)
    assert few.out.splitlines() == [header, *lines["walk"][:5]]
