"""The file of finished runs after an orderly end, after a kill, and in two pairs of hands."""

from __future__ import annotations

import pytest

from benchmarks.running.rawlines import RowWriter, read_rows
from dias.errors import DiasError


def test_what_is_added_is_read(tmp_path):
    path = tmp_path / "new" / "main.jsonl"
    assert read_rows(path) == []
    with RowWriter(path) as writer:
        writer.add({"seed": 0, "failure": None})
        assert read_rows(path) == [{"seed": 0, "failure": None}]
    with RowWriter(path) as writer:
        writer.add({"seed": 1, "failure": "é"})
    assert [row["seed"] for row in read_rows(path)] == [0, 1]


def test_a_line_that_a_kill_cut_short_is_dropped(tmp_path):
    path = tmp_path / "main.jsonl"
    path.write_text('{"seed": 0}\n{"seed": 1, "fail')
    assert read_rows(path) == [{"seed": 0}]
    with RowWriter(path) as writer:
        writer.add({"seed": 2})
    assert path.read_text() == '{"seed": 0}\n{"seed": 2}\n'


@pytest.mark.parametrize("damage", ["{nonsense", "[1, 2]", ""])
def test_a_damaged_line_is_named(tmp_path, damage):
    path = tmp_path / "main.jsonl"
    path.write_text(f'{{"seed": 0}}\n{damage}\n{{"seed": 1}}\n')
    with pytest.raises(DiasError, match=r"main\.jsonl:2: expected .* Delete the line"):
        read_rows(path)


def test_only_one_process_adds(tmp_path):
    path = tmp_path / "main.jsonl"
    with RowWriter(path), pytest.raises(DiasError, match="another process is adding"):
        RowWriter(path)
    with RowWriter(path) as writer:
        writer.add({})


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DiasError, match="cannot be written"):
        RowWriter(tmp_path / "file" / "main.jsonl")


def test_not_a_number_is_not_written(tmp_path):
    path = tmp_path / "main.jsonl"
    with RowWriter(path) as writer, pytest.raises(ValueError, match="JSON"):
        writer.add({"precision": float("nan")})
    assert read_rows(path) == []
