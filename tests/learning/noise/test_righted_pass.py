"""What learning makes of transitions that were put right, and what it says of them."""

from __future__ import annotations

import logging
from dataclasses import replace
from types import SimpleNamespace

import pytest

from dias.learning import passes
from dias.learning import righted as righting
from dias.learning.certificate.causes import Cause
from dias.learning.certificate.support import Doubt
from dias.learning.data.coding import examples_by_action
from dias.learning.data.refusals import Refusals
from dias.learning.noise.constants import NOTHING_KNOWN
from dias.learning.noise.feigned import Feigned
from dias.learning.noise.learner import Judged
from dias.learning.passes import Run
from dias.learning.schema import Effects, Hint, Origin
from dias.limits import Attempts
from dias.traces.record import LabelMode
from tests.learning.cases import lifted_schema, literals
from tests.learning.passes.cases import AGAIN, HEADER, LIGHT, NOISE, PAIR, SYMBOLIC
from tests.traces.files import read

EFFECTS = Effects(1, literals("on 0"), ())


@pytest.fixture
def noisy(monkeypatch):
    """Transitions that are put right as written, with a hint; what was asked for is noted."""
    schema = lifted_schema("light", 1, literals("on 0"), (), literals("wired 0"), literals("on 0"))
    schema = replace(schema, n_ambiguous=2, hint=Hint(literals("on 1"), 1, -4.0))
    refused = [LIGHT | {"state": ["(hot c)"], "next": None}]
    traces = read(HEADER | {"actions": ["light", "rest"]}, LIGHT, AGAIN, LIGHT, *refused)
    asked = SimpleNamespace(righted=[], completed=[], judged=[], apart=[])

    class FakeRighted:
        def __init__(self, traces, groups, changing=NOTHING_KNOWN):
            self.effects = {"light": EFFECTS}
            asked.righted.append((traces, list(groups)))
            [one, _] = traces.transitions
            self.traces = replace(traces, source="likely", transitions=(one,))

        def judge(self, schemas):
            asked.judged += schemas
            return Judged({"light": 1}, {"light": (5,)}, NOISE, {"light": Feigned("on", 3)})

    def complete(effects, group, traces, without, origin, is_exact, attempts):
        asked.completed.append((effects, traces.source, without, origin, is_exact))
        assert len(group.examples) == 1 and isinstance(attempts, Attempts)
        return schema

    def apart_effects(schema, traces):
        asked.apart.append(traces.source)
        return (PAIR,)

    monkeypatch.setattr(righting, "Righted", FakeRighted)
    monkeypatch.setattr(passes, "complete", complete)
    monkeypatch.setattr(passes, "apart_effects", apart_effects)
    return SimpleNamespace(traces=traces, asked=asked)


def righted(traces, config):
    """What comes of them, and the seconds that it took."""
    seconds = {}
    run = Run(traces, examples_by_action(traces), config, {}, seconds, None, None, None, Attempts())
    return righting.learn_righted(run), seconds


def test_the_result_says_what_was_found(noisy):
    config = replace(SYMBOLIC, seed=5)
    result, seconds = righted(noisy.traces, config)
    [own] = result.evidence
    # All transitions as they were seen, though of one only it was sure how it really was.
    assert (own.n_transitions, own.n_explained, own.n_ambiguous, own.n_unchanged) == (2, 1, 2, 0)
    assert own.missing == Doubt(("(on ?x2)",), pytest.approx(0.0183, abs=1e-4))
    assert own.refusals == Refusals(0, 0, 1)
    assert own.support.unexplained_lines == (5,)
    assert own.apart == (PAIR,)
    assert own.causes == (Cause("noise", 1, 5), Cause("feigned", 3, 2, ("on",)))
    assert (result.noise, result.unobserved, result.validation) == (NOISE, ("rest",), None)
    assert (result.method, result.labels, result.seed) == ("symbolic", LabelMode.NAMES, 5)
    assert (result.n_steps, result.n_transitions, result.without) == (0, 3, ())
    assert result.config == config
    assert set(seconds) == {"denoise", "complete", "shorten", "replay", "certify"}


def test_an_action_all_of_whose_changes_are_taken_for_noise(noisy, monkeypatch):
    nothing = lifted_schema("light", 1, (), (), literals("wired 0"))
    monkeypatch.setattr(passes, "complete", lambda *_: nothing)
    [own] = righted(noisy.traces, SYMBOLIC)[0].evidence
    assert own.causes[-1] == Cause("idle", 2, 2)


def test_the_passes_see_the_transitions_that_were_put_right(noisy):
    righted(noisy.traces, SYMBOLIC)
    asked = noisy.asked
    assert asked.righted == [(noisy.traces, ["light"])]
    assert asked.completed == [(EFFECTS, "likely", (), Origin("transitions"), False)]
    assert asked.apart == ["likely"]
    assert [schema.action for schema in asked.judged] == ["light"]


def test_of_all_arguments_the_schema_is_learned_as_such(noisy):
    steps = [one | {"action": "(light a)"} for one in (LIGHT, AGAIN)]
    result, _ = righted(read(HEADER | {"labels": "full"}, *steps), SYMBOLIC)
    assert (result.method, result.noise) == ("full", NOISE)
    assert result.evidence[0].support.origin == Origin("arguments")
    assert noisy.asked.completed == []


@pytest.mark.parametrize(
    ("without", "kept_out", "message"),
    [
        ((), (), None),
        (("extra-variables",), ("extra-variables",), None),
        (("minimal-effects", "repair"), (), "no minimal-effects, repair can be left out"),
        (("extra-variables", "repair"), ("extra-variables",), "no repair can be left out"),
    ],
)
def test_of_the_parts_only_further_variables_can_be_left_out(
    noisy, caplog, without, kept_out, message
):
    with caplog.at_level(logging.WARNING):
        result, _ = righted(noisy.traces, replace(SYMBOLIC, without=without))
    assert result.without == kept_out
    [(_, _, left_out, _, _)] = noisy.asked.completed
    assert ("extra-variables" in left_out) == bool(kept_out)
    assert [message in text for text in caplog.messages] == ([True] if message else [])


def test_brevity_is_judged_by_the_likely_states(noisy, monkeypatch):
    seen = []

    def minimal_preconditions(schema, traces):
        seen.append(traces.source)
        return replace(schema, positive=())

    monkeypatch.setitem(passes.SHORTEN, "minimal", minimal_preconditions)
    safe, short = (
        righted(noisy.traces, replace(SYMBOLIC, preconditions=kind))[0]
        for kind in ("safe", "minimal")
    )
    assert seen == ["likely"]
    assert [own.preconditions for own in (safe, short)] == ["safe", "minimal"]
    kept = [result.domain.action("light").preconditions for result in (safe, short)]
    assert kept == [{("wired", ("?x1",))}, set()]
