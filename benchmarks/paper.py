"""The paper's own figures, which the tables show beside ours."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def paper_figures() -> dict[str, Any]:
    """`paper_figures.toml`: table to label, runs, columns, and its parts by domain."""
    text = (files(__package__) / "paper_figures.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def paper_row(table: str, part: str, domain: str) -> dict[str, float] | None:
    """The paper's figures for a domain, by column; None if it has none.

    Args:
        table: `main`, `noise`, `mlp` or `l1`.
        part: The label mode, or the number of flips.
        domain: A benchmark domain.
    """
    own = paper_figures()[table]
    values = own.get(part, {}).get(domain)
    return None if values is None else dict(zip(own["columns"], values, strict=True))
