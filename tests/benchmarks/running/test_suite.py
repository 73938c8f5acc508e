"""Which runs are done, what becomes of them, and what is kept when the work is cut short."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path

import pytest

from benchmarks.running.pool import in_processes
from benchmarks.running.rawlines import read_rows
from benchmarks.running.suite import do_missing, rows_of
from dias.errors import DiasError
from tests.benchmarks.fakes import FakeRun


def numbers(folder: Path) -> list[int]:
    """Which runs were executed, in order, from the files that they left."""
    return [int(path.name.split("-")[0]) for path in sorted(folder.iterdir(), key=_time)]


def _time(path: Path) -> int:
    return int(path.name.split("-")[1])


def test_only_missing_runs_are_done(tmp_path):
    path, trail = tmp_path / "t.jsonl", tmp_path / "trail"
    trail.mkdir()
    runs = [FakeRun(number, trail=str(trail)) for number in range(4)]
    do_missing("t", runs[:2], path, n_workers=1)
    assert numbers(trail) == [0, 1]
    do_missing("t", runs, path, n_workers=1)
    assert numbers(trail) == [0, 1, 2, 3]
    do_missing("t", runs, path, n_workers=1)
    assert numbers(trail) == [0, 1, 2, 3]
    assert [row["number"] for row in read_rows(path)] == [0, 1, 2, 3]
    assert list(rows_of(runs, path)) == runs
    assert {row["workers"] for row in read_rows(path)} == {1}


def test_every_failure_is_a_row(tmp_path):
    path = tmp_path / "t.jsonl"
    behaviours = ["succeeds", "fails", "raises", "succeeds"]
    runs = [FakeRun(n, behaviour=behaviour) for n, behaviour in enumerate(behaviours)]
    do_missing("t", runs, path, n_workers=2)
    rows = rows_of(runs, path)
    assert [rows[run]["failure"] for run in runs] == [
        None, "learn: lost", "ValueError: no such thing", None,
    ]  # fmt: skip
    assert "in execute" in rows[runs[2]]["traceback"]


def test_failed_runs_are_done_again_only_when_asked(tmp_path):
    path = tmp_path / "t.jsonl"
    do_missing("t", [FakeRun(0, behaviour="fails"), FakeRun(1)], path, n_workers=1)
    mended = [FakeRun(0), FakeRun(1)]
    do_missing("t", mended, path, n_workers=1)
    assert rows_of(mended, path)[mended[0]]["failure"] == "learn: lost"
    do_missing("t", mended, path, n_workers=1, retry_failed=True)
    assert rows_of(mended, path)[mended[0]]["failure"] is None
    assert len(read_rows(path)) == 3


def test_rows_of_another_table_are_refused(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"domain": "gripper", "seed": 0, "failure": null}\n')
    with pytest.raises(DiasError, match="expected runs of this table"):
        rows_of([FakeRun(0)], path)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_finished(tmp_path, sent):
    path = tmp_path / "t.jsonl"
    runs = [FakeRun(0), *(FakeRun(n, behaviour="lasts") for n in range(1, 9))]

    def interrupt() -> None:
        while not read_rows(path):
            pass
        os.kill(os.getpid(), sent)

    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        do_missing("t", runs, path, n_workers=1)
    thread.join()
    assert signal.getsignal(signal.SIGTERM) == before[0]
    signal.signal(signal.SIGINT, before[1])
    assert [row["number"] for row in read_rows(path)] == [0]
    do_missing("t", runs[:2], path, n_workers=2)
    assert [row["number"] for row in read_rows(path)] == [0, 1]


def test_runs_go_on_at_the_same_time():
    """Both wait for each other: one after the other they would wait for ever."""
    barrier = threading.Barrier(2, timeout=20)

    class Meeting(FakeRun):
        def measure(self, row, place):
            barrier.wait()

    rows = list(in_processes([Meeting(0), Meeting(1)], 2))
    assert [row["failure"] for row in rows] == [None, None]


def test_lines_are_printed_where_there_is_no_terminal(tmp_path, capsys):
    do_missing("t", [FakeRun(0), FakeRun(1, behaviour="fails")], tmp_path / "t.jsonl", n_workers=1)
    assert capsys.readouterr().err.splitlines() == [
        "1/2 number 0, seed 0: done",
        "2/2 number 1, seed 0: learn: lost",
    ]


def test_a_row_is_one_line_of_json(tmp_path):
    path = tmp_path / "t.jsonl"
    do_missing("t", [FakeRun(0, behaviour="raises")], path, n_workers=1)
    (line,) = path.read_text().splitlines()
    assert json.loads(line)["number"] == 0


def test_learned_domains_go_to_files(tmp_path):
    """The same text is one file, and lines stay short."""

    class Learning(FakeRun):
        def measure(self, row, place):
            text = None if self.number == 2 else f"(define {min(self.number, 1)})"
            row |= {"domain": "hanoi"} | ({"learned": text} if text else {})

    path = tmp_path / "t.jsonl"
    do_missing("t", [Learning(number) for number in range(4)], path, n_workers=1)
    zero, one, two, three = sorted(read_rows(path), key=lambda row: row["number"])
    assert one["learned"] == three["learned"] != zero["learned"]
    assert "learned" not in two
    assert {file.name: file.read_text() for file in (tmp_path / "learned").iterdir()} == {
        zero["learned"]: "(define 0)",
        one["learned"]: "(define 1)",
    }
