"""Chooses the tests of a mutant: those test files of the area that run the mutated statement."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def statement(source: str, line: int) -> range:
    """The lines of the innermost statement at a line, without the body of a compound one."""
    spans = [
        (node.lineno, node.body[0].lineno if hasattr(node, "body") else node.end_lineno + 1)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt)
    ]
    around = [range(*span) for span in spans if span[0] <= line < span[1]]
    return min(around, key=len, default=range(line, line + 1))


def choose(
    measured: Mapping[str, Mapping[str, Any]], path: str, statement: range, budget_s: float
) -> list[str]:
    """The test files that run a statement: its own file's first, then the quickest.

    Further ones are left out once the budget is used up.
    """
    found = [t for t, of in measured.items() if {*statement} & {*of["lines"].get(path, ())}]
    found.sort(key=lambda t: (Path(path).stem not in Path(t).stem, measured[t]["seconds"], t))
    chosen: list[str] = []
    for test in found:
        used = sum(measured[t]["seconds"] for t in (*chosen, test))
        if not chosen or used <= budget_s:
            chosen.append(test)
    return chosen
