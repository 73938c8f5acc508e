"""What the documents tell people to type works, in the order in which they tell it."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.helpers import call

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*.md"))
DOCUMENTS += [path.relative_to(ROOT) for path in (*ROOT.glob("*.md"), *ROOT.glob("examples/*.md"))]
WITH_EXTRAS = {Path("docs/unified_planning.md"): "up_fast_downward"}
"""Pages for which an optional extra is needed, and a package of it."""
RUN = [
    Path("README.md"),
    *(
        Path(f"docs/{name}.md")
        for name in ("quickstart", "cli", "doors", "csv_log", "uncertain", "learned_domains")
    ),
]
SLOW = RUN[1:3]
PYTHON = Path("docs/python_api.md")
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


@pytest.mark.parametrize(
    "document",
    [
        *(pytest.param(path, marks=pytest.mark.slow) if path in SLOW else path for path in RUN),
        *WITH_EXTRAS,
    ],
    ids=str,
)
def test_what_is_typed_works(tmp_path, document):
    """In a folder that holds the benchmark domains and nothing else."""
    if extra := WITH_EXTRAS.get(document):
        pytest.importorskip(extra, reason="an optional extra")
    shutil.copytree(ROOT / "benchmarks" / "domains", tmp_path / "benchmarks" / "domains")
    n_run, names = 0, {"__name__": "__main__"}
    for program, *arguments in typed(document):
        if program == "make":
            continue
        if program == "dias":
            outcome = call(*arguments, cwd=tmp_path)
            assert outcome.status == 0, (arguments, outcome.err)
        else:
            assert program == "python" and arguments[0] == "-c", f"{document}: who runs {program}?"
            with contextlib.chdir(tmp_path):
                exec(arguments[1], names)
        n_run += 1
    assert n_run >= 4
    written = [squeezed(path.read_text("utf-8")) for path in tmp_path.glob("*.pddl")]
    if document == RUN[0]:  # it shows domains of this page, which is run itself
        written += [squeezed(content) for _, content in blocks(RUN[-1])]
    for language, content in blocks(document):
        if language == "lisp":  # what the document shows of the outcome
            assert any(squeezed(content) in text for text in written), content


def squeezed(text: str) -> str:
    """The text without the shape of its white space."""
    return " ".join(text.split())


def test_the_python_page_runs_from_top_to_bottom(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    code = "".join(content for language, content in blocks(PYTHON) if language == "python")
    exec(code, {"__name__": "__main__"})
    out = capsys.readouterr().out
    assert "267 of 267 transitions explained\n" in out
    assert "\nTrue True 1.0\n" in out
    assert "\n('move', 'put', 'take') 3\n[['b1'], ['b1', 'b2']]\n" in out  # logs
    assert "'(carry ?ball ?gripper)': 'decided'" in out
    assert re.search(r"^\d+ \(\) True$", out, re.MULTILINE)  # states along a plan
    assert "\n(move hall attic) (pick b1 attic left) (move attic hall) (drop b1 hall left)\n" in out
    assert "\nDid you mean domain.pddl?\n" in out


def test_perception_and_schemas_are_trained_together(capsys):
    code = "".join(content for _, content in blocks(Path("docs/differentiable.md")))
    exec(code, {"__name__": "__main__"})
    alone, together, effects = capsys.readouterr().out.splitlines()
    assert (alone, together) == ("read right: 0.88", "read right: 0.99")
    assert effects == "(LiftedAtom(relation='on', variables=(0,)),)"


def test_the_python_page_goes_through_the_verbs_in_the_order_of_the_command_line():
    python, command_line = ((ROOT / path).read_text("utf-8") for path in (PYTHON, RUN[2]))
    verbs = re.findall(r"^## dias (.+)$", command_line, re.MULTILINE)
    titles = [title.lower() for title in re.findall(r"^## (.+)$", python, re.MULTILINE)]
    assert [title for title in titles if title in verbs] == [v for v in verbs if v in titles]
    assert {"sample", "learn", "evaluate", "plan"} <= set(titles)


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
