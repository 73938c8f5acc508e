"""The scripts in examples/ do what their README says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import call

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(script: str, *arguments: object) -> str:
    """What a script prints; it writes nothing beside itself and complains of nothing."""
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / script, *map(str, arguments)],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_the_readme_names_every_file():
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    names = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".csv")}
    names |= {"state_dependent/run.py", "any_arity/alarm.pddl", "any_arity/rota.pddl"}
    assert {name for name in names if f"`{name}`" not in text} == set()


@pytest.mark.slow
def test_from_simulator():
    out = run("from_simulator.py")
    assert "; explains 147 of 147 distinct transitions" in out
    drive = out[out.index("(:action drive") : out.index("(:action lift")]
    assert ":parameters (?from-cell - cell ?to-cell - cell)" in drive
    assert re.search(r"\(next-to (\?from-cell \?to-cell|\?to-cell \?from-cell)\)", drive)
    put = out[out.index("(:action put") :]
    assert ":parameters (?box - box ?cell - cell)" in put
    assert "(box-at ?box ?cell)" in put[put.index(":effect") :]


def test_from_csv(tmp_path):
    (tmp_path / "t.jsonl").write_text(run("from_csv.py", EXAMPLES / "machine_log.csv"), "utf-8")
    arguments = ("--method", "symbolic", "--preconditions", "minimal", "-o", "learned.pddl")
    learned = call("learn", "t.jsonl", *arguments, cwd=tmp_path)
    assert learned.status == 0
    text = (tmp_path / "learned.pddl").read_text("utf-8")
    load = text[text.index("(:action load") : text.index("(:action run")]
    assert ":parameters (?x1 ?x2)" in load
    assert ":precondition (and (idle ?x2) (waiting ?x1)) :effect" in " ".join(load.split())


def test_own_planner():
    *plan, verdict = run("own_planner.py").splitlines()
    assert len(plan) == 7
    assert verdict == "valid in the true domain: True"


@pytest.mark.slow
def test_state_dependent_effects(tmp_path):
    lines = run("state_dependent/run.py", tmp_path).splitlines()
    for domain in ("lamps", "harvest"):
        own = [line for line in lines if line.startswith(f"{domain}, ")]
        strips, *others = own
        assert "precision 1.00, recall 1.00" not in strips
        measured = [line for line in others if "precision" in line]
        assert len(measured) == 1
        assert all(line.endswith("precision 1.00, recall 1.00") for line in measured)
        planned = [line for line in others if "plan" in line]
        assert len(planned) == 1
        assert all(line.endswith(", valid in the true domain") for line in planned)
        assert "stand for it" in (tmp_path / domain / "conditional.pddl").read_text("utf-8")


def test_the_problems_of_the_state_dependent_domains_are_kept_as_generated(tmp_path):
    """The same seed gives the same problems, whatever else is going on."""
    texts = []
    for number in "12":
        run("state_dependent/problems.py", tmp_path / number)
        files = sorted((tmp_path / number).rglob("*.pddl"))
        assert len(files) == 10
        texts.append([path.read_bytes() for path in files])
    assert texts[0] == texts[1]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("domain", ["alarm", "rota"])
def test_predicates_of_arity_0_and_3(domain, seed, tmp_path):
    """The commands of the README: sound, complete, and a plan that is valid."""
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    pattern = r"^\$ dias (.*any_arity.*|learn .* -o learned\.pddl)$"
    commands = re.findall(pattern, text, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["sample", "learn", "evaluate", "plan"]
    for command in commands:
        words = command.replace("rota", domain).replace("examples", str(EXAMPLES)).split()
        if words[0] in ("sample", "learn"):
            words += ["--seed", str(seed)]
        done = call(*words, cwd=tmp_path)
        assert done.status == 0, done
        if words[0] == "evaluate":
            verdict = r"In the [\d,]+ states tried: Sound: yes\. Complete: yes\."
            assert re.fullmatch(verdict, done.out.splitlines()[-1])
    assert "valid in the true domain: yes" in done.err
