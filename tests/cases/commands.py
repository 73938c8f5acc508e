"""The commands that take each kind of input, so that odd inputs are tried on all of them.

A new command that reads one of these goes into the tables below.
"""

from __future__ import annotations

from tests.cli.helpers import DOMAIN, GOOD_PLAN, PROBLEM, write

SAMPLE = ("sample", "domain.pddl", "p.pddl", "--min-per-action", 3, "--max-per-action", 5)
STATES = ("states", "domain.pddl", "p.pddl", "--states", 20)
EVALUATE = ("evaluate", "domain.pddl", "--gt", "domain.pddl", "--problem", "p.pddl")
PLAN = ("plan", "domain.pddl", "p.pddl")
VALIDATE = ("validate", "plan.txt", "--domain", "domain.pddl", "--problem", "p.pddl")
CONVERT = ("convert", "plan.txt", "--domain", "domain.pddl", "--problem", "p.pddl", "-o", "out")

PROBLEM_READERS = {
    "sample": (*SAMPLE, "-o", "out"),
    "states": (*STATES, "-o", "out"),
    "evaluate": EVALUATE,
    "plan": (*PLAN, "-o", "out"),
    "validate": VALIDATE,
    "convert": CONVERT,
    "convert PROBLEM": (
        "convert",
        "p.pddl",
        "-f",
        "problem",
        "--domain",
        "domain.pddl",
        "-o",
        "out",
    ),
}
"""Those that read p.pddl, and domain.pddl as well."""

DOMAIN_READERS = {
    **PROBLEM_READERS,
    "evaluate LEARNED": (
        "evaluate",
        "domain.pddl",
        "--gt",
        "good.pddl",
        "--problem",
        "good_p.pddl",
    ),
    "evaluate --gt": ("evaluate", "good.pddl", "--gt", "domain.pddl", "--problem", "good_p.pddl"),
    "plan --gt": ("plan", "good.pddl", "good_p.pddl", "--gt", "domain.pddl", "-o", "out"),
    "diff DOMAIN": ("diff", "domain.pddl", "--gt", "good.pddl"),
    "diff --gt": ("diff", "good.pddl", "--gt", "domain.pddl"),
}
"""Those that read domain.pddl."""

TRACE_READERS = {
    "inspect": ("inspect", "t.jsonl"),
    "learn": ("learn", "t.jsonl", "-o", "out"),
    "convert": ("convert", "t.jsonl", "-o", "out"),
    "learn --validation": ("learn", "good.jsonl", "--validation", "t.jsonl", "-o", "out"),
}
"""Those that read t.jsonl."""


def put(folder, domain: str | bytes = DOMAIN, problem: str | bytes = PROBLEM) -> None:
    """Write the pair that is tried, a plan for it, and beside it a pair that is right."""
    write(folder, "domain.pddl", domain)
    write(folder, "p.pddl", problem)
    write(folder, "plan.txt", GOOD_PLAN)
    write(folder, "good.pddl", DOMAIN)
    write(folder, "good_p.pddl", PROBLEM)
