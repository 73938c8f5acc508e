"""Whenever the time is up, a domain is written or one clear error; what is left undone is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias import limits
from dias.config import LearningConfig
from dias.errors import TimeLimitError
from dias.learning.learn import learn
from dias.report.learning import learning_json, learning_text, provenance
from dias.strips.pddl.writer import format_domain
from tests.traces.files import read

HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"on": ["object"], "hot": ["object"], "near": ["object", "object"]},
    "objects": {"a": "object", "b": "object", "c": "object"},
}

NEAR = ["(near a b)", "(near b c)", "(near c a)"]


class Clock:
    """Time stands still until it is asked for the k-th time; then the limit has long passed."""

    def __init__(self, n_asked_before: int) -> None:
        self._left = n_asked_before
        self.n_asked = 0

    def __call__(self) -> float:
        self.n_asked += 1
        return 0.0 if self.n_asked <= self._left else 1e6


def steps():
    """Lamps that are switched on where a neighbour is hot; one step that no effects explain."""
    states = ([], ["(hot a)"], ["(hot b)", "(on c)"], ["(hot c)", "(hot a)"])
    for state in states:
        for lamp, other in (("a", "b"), ("b", "c"), ("c", "a")):
            if f"(hot {other})" in state:
                made = [*NEAR, *state, f"(on {lamp})"]
                yield {"state": [*NEAR, *state], "action": "(light)", "next": made}
            yield {
                "state": [*NEAR, *state],
                "action": "(heat)",
                "next": [*NEAR, *(x for x in state if x != f"(on {lamp})"), f"(hot {lamp})"],
            }
    yield {"state": [*NEAR, "(on a)"], "action": "(heat)", "next": NEAR}


@pytest.fixture(scope="module", params=["names", "full"])
def traces(request):
    """With names only, and where (no) arguments are all there are."""
    return read(HEADER | {"labels": request.param}, *steps())


def asks(traces, config, monkeypatch) -> int:
    """How often learning asks for the time."""
    clock = Clock(10**9)
    monkeypatch.setattr(limits, "perf_counter", clock)
    learn(traces, config)
    return clock.n_asked


@pytest.mark.parametrize("changes", [{}, {"noise": "off"}, {"preconditions": "safe"}])
def test_whenever_the_time_is_up_there_is_a_domain_or_one_error(traces, changes, monkeypatch):
    config = replace(LearningConfig(method="symbolic", time_limit_s=10.0), **changes)
    whole = format_domain(learn(traces, replace(config, time_limit_s=None)).domain)
    n_asks = asks(traces, config, monkeypatch)
    outcomes = set()
    for n_before in [*range(0, n_asks, max(1, n_asks // 40)), n_asks]:
        monkeypatch.setattr(limits, "perf_counter", Clock(n_before))
        try:
            result = learn(traces, config)
        except TimeLimitError as error:
            assert "expected effects of some action within 10 s" in str(error)
            outcomes.add("error")
            continue
        assert [action.name for action in result.domain.actions] == ["heat", "light"]
        said = f"The time limit left undone: {', '.join(result.undone)}"[:30]
        assert (said in learning_text(result)) == bool(result.undone)
        assert any(said in line for line in provenance(result)) == bool(result.undone)
        assert set(learning_json(result)["undone"]) == set(result.undone)
        assert not (result.undone and result.explains_everything)
        if not result.undone:
            assert format_domain(result.domain) == whole
        outcomes.add("undone" if result.undone else "whole")
    assert outcomes == {"error", "undone", "whole"}
