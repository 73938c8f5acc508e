from __future__ import annotations

import pytest

from benchmarks.tables.reading import FORMS, allocated, convert, sample, table, timed


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("reading") / "sampled.jsonl"
    sample("blocks-3", "p02", 3000, path)
    return path


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_alike_and_in_little_memory(source, form):
    """At most three times what the unique transitions need, in every form."""
    path = convert(source, form)
    first, memory = timed(path), allocated(path)
    assert (first["transitions"], first["distinct"]) == (3000, timed(source)["distinct"])
    assert 0 < memory["kept_mib"] < memory["peak_mib"] < 3 * memory["kept_mib"]


def test_table():
    run = dict.fromkeys(("domain", "problem", "form"), "x")
    run |= dict.fromkeys(("file_mib", "wall_s", "resident_mib"), 1.0)
    run |= {"transitions": 3000, "distinct": 2900, "cpu_s": 0.5, "kept_mib": 2.0, "peak_mib": 5.0}
    row = table([run]).splitlines()[-1]
    assert "| 6,000 |" in row
    assert "| 2.50 |" in row
