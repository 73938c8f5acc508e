"""What the documents tell people to type works, in the order in which they tell it."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.helpers import command

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*.md"))
DOCUMENTS += [path.relative_to(ROOT) for path in ROOT.glob("*.md")]
RUN = [Path("README.md"), Path("docs/quickstart.md")]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def blocks(document: Path) -> Iterator[tuple[str, str]]:
    """Language and content of the fenced blocks, in order."""
    return (match.groups() for match in BLOCK.finditer((ROOT / document).read_text("utf-8")))


def typed(document: Path) -> Iterator[list[str]]:
    """What is typed at a prompt, as words, and each Python block as one call of the interpreter."""
    for language, content in blocks(document):
        if language in ("console", "bash"):
            for line in content.splitlines():
                if line.startswith("$ "):
                    yield shlex.split(line[2:], comments=True)
        elif language == "python":
            yield ["python", "-c", content]


@pytest.mark.parametrize("document", RUN, ids=str)
def test_what_is_typed_works(tmp_path, document):
    """In a folder that holds the benchmark domains and nothing else."""
    shutil.copytree(ROOT / "benchmarks" / "domains", tmp_path / "benchmarks" / "domains")
    n_run = 0
    for program, *arguments in typed(document):
        if program == "make":
            continue
        words = {"dias": command(*arguments), "python": [sys.executable, *arguments]}
        assert program in words, f"{document}: who runs {program}?"
        done = subprocess.run(words[program], cwd=tmp_path, capture_output=True, timeout=300)
        assert done.returncode == 0, (program, arguments, done.stderr.decode())
        n_run += 1
    assert n_run >= 4


def test_make_targets_exist():
    """Each target that a document names, in a block or between backticks."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert {"demo", "test"} <= targets
    for document in DOCUMENTS:
        text = (ROOT / document).read_text("utf-8")
        for target in re.findall(r"(?:`|^\$ )make ([a-z-]+)", text, re.MULTILINE):
            assert target in targets, f"{document}: make {target}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_lead_somewhere(document):
    for target in LINK.findall((ROOT / document).read_text("utf-8")):
        assert (ROOT / document.parent / target).exists(), f"{document} links to {target}"
