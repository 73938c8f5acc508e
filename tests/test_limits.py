from __future__ import annotations

import resource
import sys
from math import inf
from types import SimpleNamespace

import pytest

from dias import limits
from dias.limits import (
    Allowance,
    Attempts,
    Limits,
    OutOfTimeError,
    OutOfWorkError,
    in_turn,
    resident_mb,
    within,
)


def test_no_limits_never_raise():
    Limits().check()
    assert Limits().remaining_s == float("inf")


def test_time(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(limits, "perf_counter", lambda: now[0])
    limit = Limits(time_limit_s=2)
    limit.check()
    now[0] = 101.5
    limit.check()
    assert limit.remaining_s == 0.5
    assert not limit.is_out_of_time
    now[0] = 102
    assert limit.is_out_of_time
    with pytest.raises(OutOfTimeError):
        limit.check()
    assert limit.remaining_s == 0


def test_memory():
    Limits(memory_limit_mb=round(resident_mb()) + 10_000).check()
    with pytest.raises(MemoryError):
        Limits(memory_limit_mb=1).check()


def test_resident_memory_grows_with_what_is_held():
    before = resident_mb()
    held = bytearray(b"x") * (64 * 2**20)
    assert resident_mb() - before > 60
    assert len(held)


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is in KiB on Linux")
def test_resident_memory_is_what_the_system_says():
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert 0.2 * peak_mb < resident_mb() < 1.1 * peak_mb


@pytest.mark.parametrize(("platform", "unit"), [("linux", 1024), ("darwin", 1)])
def test_without_proc_the_peak_counts_in_the_unit_of_the_system(monkeypatch, platform, unit):
    def missing(*_, **__):
        raise FileNotFoundError

    usage = SimpleNamespace(ru_maxrss=300 * 2**20 // unit)
    monkeypatch.setattr(limits, "open", missing, raising=False)
    monkeypatch.setattr(resource, "getrusage", lambda _: usage)
    monkeypatch.setattr(sys, "platform", platform)
    assert resident_mb() == 300


def test_memory_is_looked_at_now_and_then(monkeypatch):
    now, looks = [0.0], []
    monkeypatch.setattr(limits, "perf_counter", lambda: now[0])
    monkeypatch.setattr(limits, "resident_mb", lambda: looks.append(now[0]) or 100 + now[0])
    limit = Limits(memory_limit_mb=101)
    for now[0] in (0.0, 0.0, 0.01, 1.0, 1.0):  # at 1.0 it is at its limit
        limit.check()
    assert looks == [0.0, 1.0]
    now[0] = 1.5
    with pytest.raises(MemoryError):
        limit.check()


def test_an_allowance():
    allowance = Allowance(2)
    allowance.check()
    allowance.check()
    for _ in range(2):
        with pytest.raises(OutOfWorkError):
            allowance.check()


def test_limits_around_nest(monkeypatch):
    """The nearest end counts, an inner limit gives no more time than the outer one has left."""
    now = [0.0]
    monkeypatch.setattr(limits, "perf_counter", lambda: now[0])
    limits.check()
    assert (limits.remaining_s(), limits.active_check()) == (float("inf"), None)
    with limits.within(10), limits.within(None):
        assert limits.active_check() is limits.check
        with limits.within(4):
            now[0] = 3.0
            assert limits.remaining_s() == 1
            now[0] = 4.0
            with pytest.raises(OutOfTimeError):
                limits.check()
        limits.check()
        with limits.within(100):
            assert limits.remaining_s() == 6
        now[0] = 10.0
        with limits.suspended():
            limits.check()
        with pytest.raises(OutOfTimeError):
            limits.check()
    limits.check()


def test_what_attempts_leave_undone(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(limits, "perf_counter", lambda: now[0])
    attempts = limits.Attempts(8)
    done = []
    for part, subject, seconds in (
        ("first", "a", 3), ("second", "a", 9), ("second", "b", 1), ("second", "a", 1)
    ):  # fmt: skip
        with attempts.at(part, subject, share=0.5):
            assert limits.remaining_s() == max(0, 8 - now[0]) / 2
            now[0] += seconds
            limits.check()
            done.append(part)
    assert done == ["first"]
    assert attempts.undone == {"second": ["a", "b"]}
    with attempts.needed("third"):
        limits.check()  # its own limit has passed, but none is around
        done.append("third")
    with limits.within(0), attempts.needed("fourth"):
        limits.check()
        done.append("fourth")
    assert done == ["first", "third"]
    assert attempts.undone == {"second": ["a", "b"], "fourth": [""]}


def taken(monkeypatch, needs, time_limit_s=None, time_s=inf):
    """What each subject had in the end, what is undone, and the clock; for what they need."""
    now = [0.0]
    monkeypatch.setattr(limits, "perf_counter", lambda: now[0])
    attempts = Attempts(time_limit_s)

    def work(subject, own):
        begin = now[0]
        with own.needed("work", subject):
            while now[0] < begin + needs[subject]:
                limits.check()
                now[0] += 1
        return now[0] - begin

    with within(time_limit_s):
        found = in_turn(needs, time_s, attempts, work)
    assert list(found) == list(needs)
    return found, attempts.undone, now[0]


def test_what_others_leave_of_the_time_is_had_by_who_needs_it(monkeypatch):
    """Of 80 seconds each may take a fourth of what is left; the first is begun anew."""
    needs = {"a": 50, "b": 1, "c": 1, "d": 1}
    assert taken(monkeypatch, needs, 80) == (needs, {}, 73)
    # It had 20 seconds, then 57; a third time it would have none.
    found, undone, now = taken(monkeypatch, needs | {"a": 60}, 80)
    assert (found, undone, now) == (needs | {"a": 57}, {"work": ["a"]}, 80)
    # Two that need more share what is left, 39 seconds, which is less than twice what they had.
    found, undone, now = taken(monkeypatch, needs | {"c": 50}, 80)
    assert (found["a"], undone, now) == (20, {"work": ["a", "c"]}, 22 + found["c"])
    # What is left is what there is a limit for.
    assert taken(monkeypatch, needs) == (needs, {}, 53)
    # However often something is begun anew, all have no more than their time.
    found, undone, now = taken(monkeypatch, needs, 200, time_s=40)
    assert (found, undone, now) == (needs | {"a": 27}, {"work": ["a"]}, 40)


def test_without_any_time_everything_is_undone_at_once(monkeypatch):
    needs = {"a": 2, "b": 2}
    assert taken(monkeypatch, needs, 0) == ({"a": 0, "b": 0}, {"work": ["a", "b"]}, 0)
    assert taken(monkeypatch, {}, 5) == ({}, {}, 0)
