"""The examples run, and show what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.slow
def test_state_dependent_effects(tmp_path):
    script = EXAMPLES / "state_dependent" / "run.py"
    done = subprocess.run(
        [sys.executable, script, tmp_path], capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for domain in ("lamps", "harvest"):
        own = [line for line in lines if line.startswith(f"{domain}, ")]
        strips, *others = own
        assert "recall 1.00" not in strips
        measured = [line for line in others if "precision" in line]
        assert len(measured) == 3
        assert all(line.endswith("precision 1.00, recall 1.00") for line in measured)
        planned = [line for line in others if "plan" in line]
        assert len(planned) == 2
        assert all(line.endswith(", valid in the true domain") for line in planned)
        for name in ("conditional.pddl", "hybrid-read-out.pddl"):
            assert "stand for it" in (tmp_path / domain / name).read_text("utf-8")


def test_the_problems_are_kept_as_generated(tmp_path):
    """The same seed gives the same problems, whatever else is going on."""
    script = EXAMPLES / "state_dependent" / "problems.py"
    texts = []
    for number in "12":
        subprocess.run([sys.executable, script, tmp_path / number], check=True, timeout=60)
        files = sorted((tmp_path / number).rglob("*.pddl"))
        assert len(files) == 10
        texts.append([path.read_bytes() for path in files])
    assert texts[0] == texts[1]
