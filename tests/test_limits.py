from __future__ import annotations

import pytest

from dias import limits
from dias.limits import Allowance, Limits, OutOfTimeError, OutOfWorkError, resident_mb


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
    now[0] = 102
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
    assert resident_mb() - before > 32
    assert len(held)


def test_an_allowance():
    allowance = Allowance(2)
    allowance.check()
    allowance.check()
    for _ in range(2):
        with pytest.raises(OutOfWorkError):
            allowance.check()
