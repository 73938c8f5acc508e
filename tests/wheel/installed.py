"""Walk through the commands as installed, away from the checkout: `python installed.py DIAS`.

It runs in the current folder, which should be empty, with the program that is named and nothing
but what is installed; the domains are those that come with the package.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

DOMAIN, PROBLEM, LARGER = "domain.pddl", "p01.pddl", "p02.pddl"
SAMPLE = ("sample", DOMAIN, PROBLEM, "--min-per-action", "300")
WALK = (
    ((*SAMPLE, "-o", "clean.jsonl"), ""),
    ((*SAMPLE, "--noise", "2", "-o", "noisy.jsonl"), ""),
    (("inspect", "clean.jsonl"), "move"),
    (("learn", "clean.jsonl", "-o", "clean.pddl", "--report", "report.html"), ""),
    (("learn", "noisy.jsonl", "-o", "noisy.pddl"), ""),
    (("evaluate", "clean.pddl", "--gt", DOMAIN), "Sound: yes. Complete: yes."),
    (("evaluate", "noisy.pddl", "--gt", DOMAIN), "Sound: yes. Complete: yes."),
    (("diff", "clean.pddl", "--gt", DOMAIN), "pick"),
    (("plan", "clean.pddl", LARGER, "--gt", DOMAIN, "-o", "plan.txt"), "valid"),
    (("validate", "plan.txt", "--domain", "clean.pddl", "--problem", LARGER), "valid: yes"),
    (("sample", "clean.pddl", LARGER, "--plan", "plan.txt", "-o", "way.jsonl"), ""),
    (("convert", "clean.jsonl", "--to", "sam", "-o", "clean.trajectory"), ""),
    (("bench", "--help"), "main"),
    (("demo",), "sound, complete, valid"),
)
"""What is typed, and what must be in the answer."""


def main(program: str) -> None:
    """Run all of `WALK`; end at the first command that fails."""
    python = Path(program).with_name("python")
    where = "from importlib.resources import files; print(files('dias_benchmarks'))"
    found = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True)
    source = Path(found.stdout.strip())
    assert "site-packages" in source.parts, f"not installed: {source}"
    for name in (DOMAIN, PROBLEM, LARGER):
        shutil.copy(source / "domains" / "gripper" / name, name)
    for arguments, answer in WALK:
        done = subprocess.run([program, *arguments], capture_output=True, text=True)
        print(f"dias {' '.join(arguments)}: status {done.returncode}", flush=True)
        if done.returncode or answer not in done.stdout + done.stderr:
            sys.exit(f"expected status 0 and {answer!r}, found:\n{done.stdout}{done.stderr}")
    for name in ("report.html", "plan.txt"):
        assert Path(name).stat().st_size, name


if __name__ == "__main__":
    main(sys.argv[1])
