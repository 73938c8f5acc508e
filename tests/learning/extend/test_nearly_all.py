"""Further variables by what all transitions satisfy, and by what nearly all of them do."""

from __future__ import annotations

import pytest

from dias.learning.data.transitions import BindingTable
from dias.learning.extend import search
from dias.learning.extend.evidence import LOG_CHANCE
from dias.learning.extend.idle import idle
from dias.learning.extend.search import Search
from dias.learning.extend.tolerant_queries import N_SAMPLED, sampled
from dias.learning.schema import Hint
from tests.learning.cases import literals
from tests.learning.extend.test_variables import START, widened

NOTHING = (None, None)
STRONG, WEAK = ((None, Hint(literals(f"r 0 {v}"), 1, chance)) for v, chance in ((1, -9), (2, -5)))


@pytest.fixture
def run(monkeypatch):
    """Runs a search where each kind of queries comes to what is written.

    Returns the best extension, the hint, and the kinds of queries weighed, each with how many
    bindings, and whether the extension is only one that may be better.
    """

    def run(n_steps, is_exact=True, **outcomes):
        asked = []
        found = BindingTable.of([[()]] * n_steps, 0)

        def noted(kind):
            def queries(examples, bindings, n_new, linked, *is_idle, negative=False):
                n_asked = min(len(bindings.owner), n_steps)
                assert is_idle == (() if kind == "all" else (idle(START, 2),))
                assert (examples, n_new, linked, negative) == ("steps", 2, True, False)
                asked.append((kind, n_asked))
                return ("sample", "nearly") if kind == "both" else kind

            return queries

        def best(self, found, at_least=False, excluding=None):
            asked.append((found, len(self.bindings.owner), at_least))
            return outcomes.get(found, NOTHING)

        monkeypatch.setattr(search, "exact_and_tolerant_queries", noted("both"))
        monkeypatch.setattr(search, "common_queries", noted("all"))
        monkeypatch.setattr(search, "tolerant_queries", noted("nearly"))
        monkeypatch.setattr(Search, "best", best)
        return (*Search("steps", found, START, 2, True, None, None, is_exact).run(), asked)

    return run


BAR = -LOG_CHANCE
"""What it takes to call exact steps odd, in nats."""


@pytest.mark.parametrize(
    ("nearly", "n_variables"),
    [(None, 2), (20.0, 2), (20.1, 2), (20.0 + BAR, 2), (20.1 + BAR, 3), (19.9 + BAR, 2)],
)
def test_the_better_one_is_taken(run, nearly, n_variables):
    """What all satisfy, unless the other one is better by so much."""
    other = NOTHING if nearly is None else widened(3, gain=nearly)
    best, _, asked = run(N_SAMPLED, sample=widened(2, gain=20.0), nearly=other)
    assert best.schema.n_variables == n_variables
    n = N_SAMPLED
    assert asked == [("both", n), ("sample", n, False), ("nearly", n, False)]


def test_either_may_be_the_only_one(run):
    """Where no query that all satisfy is better than none, steps are not called odd for less."""
    assert BAR == 14
    assert run(1)[:2] == NOTHING
    assert run(1, nearly=widened(3))[0].schema.n_variables == 3
    assert run(1, nearly=widened(3, gain=BAR + 0.1))[0].schema.n_variables == 3
    assert run(1, nearly=widened(3, gain=BAR))[0] is None
    assert run(1, sample=widened(2))[0].schema.n_variables == 2
    assert run(1, sample=widened(2, gain=0.1))[0].schema.n_variables == 2


def test_a_query_that_rules_out_a_refused_attempt_is_kept_against_one_as_good_as_none(run):
    """Its own gain may be negative: what is asked is how much better the other one is."""
    refuted = widened(2, gain=-2.0)
    assert run(1, sample=refuted, nearly=widened(3, gain=BAR - 2.1))[0] is refuted[0]
    assert run(1, sample=refuted, nearly=widened(3, gain=BAR - 1.9))[0].schema.n_variables == 3


def test_many_transitions_are_asked_once_a_sample_agrees(run):
    n, n_asked = 2 * N_SAMPLED + 1, -(-(2 * N_SAMPLED + 1) // 3)
    best, _, asked = run(n, all=widened(2), nearly=widened(3, gain=19.0))
    assert best.schema.n_variables == 3  # what all satisfy says nothing of the sample
    assert asked == [("both", n_asked), ("sample", n_asked, True), ("nearly", n, False)]
    best, _, asked = run(n, sample=widened(4), all=widened(2), nearly=widened(3, gain=19.0))
    assert best.schema.n_variables == 2
    assert asked[2:] == [("all", n), ("all", n, False), ("nearly", n, False)]
    assert run(n, sample=widened(4))[0] is None


def test_hints_are_what_all_satisfy(run):
    assert run(1, sample=WEAK, nearly=STRONG)[1] is WEAK[1]
    assert run(1, nearly=STRONG)[1] is None
    assert run(2 * N_SAMPLED, sample=widened(2), all=WEAK, nearly=STRONG)[1] is WEAK[1]
    assert run(2 * N_SAMPLED, sample=STRONG, all=STRONG)[1] is None


def test_of_steps_that_were_put_right_nearly_all_are_asked_alone(run):
    outcomes = {"sample": widened(2), "all": widened(2)}
    best, hint, asked = run(2 * N_SAMPLED, False, nearly=WEAK, **outcomes)
    assert (best, hint) == WEAK
    assert asked == [("nearly", N_SAMPLED), ("nearly", 2 * N_SAMPLED, False)]
    assert run(1, False, nearly=widened(3), **outcomes)[0].schema.n_variables == 3


def test_a_sample_is_one_of_transitions_not_of_bindings():
    found = BindingTable.of([[(0,), (1,)], [(2,)]] * N_SAMPLED, 1)
    assert sampled(found).owner.tolist() == [n for n in range(0, 2 * N_SAMPLED, 2) for _ in (0, 1)]
    few = found.where(found.owner < N_SAMPLED)
    assert sampled(few) is few
    # Of those that have a binding every second, though none has an even number.
    odd = found.where(found.owner % 2 == 1)
    assert sampled(odd) is odd
    more = BindingTable.of([[], [(0,)]] * (N_SAMPLED + 1), 1)
    assert sampled(more).owner.tolist() == list(range(1, 2 * N_SAMPLED + 2, 4))
