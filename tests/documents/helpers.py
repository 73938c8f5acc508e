"""What tests read of the documents."""

from __future__ import annotations

from pathlib import Path

DOCUMENTS = Path(__file__).parents[2] / "docs"


def results() -> str:
    """The measured results: the overview, then its pages, as one text."""
    pages = (DOCUMENTS / "results.md", *sorted((DOCUMENTS / "results").glob("*.md")))
    return "\n".join(page.read_text("utf-8") for page in pages)
