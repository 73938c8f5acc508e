"""The paper's figures, groups of rows, and numbers in short."""

from __future__ import annotations

from benchmarks.generators import SUITES
from benchmarks.paper import paper_figures, paper_row
from benchmarks.reports.report import counted, duration, spans
from benchmarks.reports.results import Results
from benchmarks.running.learning import LearningRun
from tests.benchmarks.fakes import row


def test_the_papers_figures_are_whole():
    tables = paper_figures()
    domains = set(SUITES["paper"])
    for name, parts in (
        ("main", ("names", "partial", "full")),
        ("noise", ("1", "2", "4", "8")),
        ("mlp", ("names",)),
        ("l1", ("names",)),
    ):
        for part in parts:
            assert set(tables[name][part]) == domains, (name, part)
            for domain in domains:
                values = paper_row(name, part, domain)
                assert values is not None
                assert 0 <= values["precision"] <= 1 >= values["recall"] >= 0
                if "both" in values:
                    assert values["both"] <= min(values["sound"], values["complete"]) <= 10
    perfect = [domain for domain in domains if tables["main"]["names"][domain][-1] == 10]
    assert len(perfect) == 8  # as the paper says
    assert sum(tables["l1"]["names"][domain] == [1, 1] for domain in domains) == 6
    assert paper_row("main", "names", "bar") is None
    assert paper_row("noise", "3", "hanoi") is None


def test_groups_are_there_without_rows():
    runs = [LearningRun("hanoi"), LearningRun("gripper")]
    results = Results("main", runs, {runs[1]: row(runs[1])})
    assert {key: len(rows) for key, rows in results.groups("domain").items()} == {
        ("hanoi",): 0, ("gripper",): 1,
    }  # fmt: skip
    assert results.missing == [runs[0]]


def test_numbers_in_short():
    assert spans([0]) == "0"
    assert spans([0, 1, 2, 5, 7, 8]) == "0–2, 5, 7–8"
    assert (duration(0), duration(75), duration(7500)) == ("0.0 min", "1.2 min", "2.1 h")
    assert counted({}) == "–"
    assert counted({"a": 3}) == "a"
    assert counted({"a": 3, "b": 1}) == "a (3 runs); b (1 runs)"
