"""What the exact pass is asked for and says of its result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import PRECONDITIONS, LearningConfig
from dias.learning import learn as pipeline
from dias.learning import passes as shared
from dias.learning.learn import learn
from dias.learning.propose import network
from dias.learning.schema import LiftedSchema, Origin, preconditions
from dias.strips.model import Atom
from dias.traces.record import LabelMode
from tests.learning.cases import lifted_schema, literals
from tests.learning.passes.cases import AGAIN, HEADER, LIGHT, OUT, PAIR, SYMBOLIC, TRACES
from tests.traces.files import read


def test_the_result_says_how_it_was_found():
    traces = read(HEADER | {"actions": ["light", "rest"]}, LIGHT, AGAIN, LIGHT, LIGHT)
    validation = read(HEADER, LIGHT, OUT, OUT, LIGHT, AGAIN)
    config = replace(SYMBOLIC, seed=5, without=("repair", "extra-variables"))
    result = learn(traces, config, validation=validation)
    assert (result.n_distinct, result.n_transitions, result.n_steps) == (2, 4, 0)
    assert (result.method, result.labels, result.seed) == ("symbolic", LabelMode.NAMES, 5)
    assert (result.unobserved, result.config) == (("rest",), config)
    assert (result.preconditions, result.without) == ("concise", ("extra-variables", "repair"))
    assert result.validation == (2, 3)
    assert learn(traces, config).validation is None
    stages = {"prepare", "complete", "replay", "certify", "validate"}
    assert set(result.seconds) == stages | {"shorten"}
    assert set(learn(traces, replace(config, preconditions="safe")).seconds) == stages - {
        "validate"
    }


@pytest.mark.parametrize(
    ("labels", "method", "found"),
    [
        ("full", "symbolic", "full"), ("full", "neural", "full"),
        ("partial", "symbolic", "symbolic"), ("names", "symbolic", "symbolic"),
    ],
)  # fmt: skip
def test_full_labels_are_learned_from_as_such(labels, method, found):
    steps = [one if labels == "names" else one | {"action": "(light a)"} for one in (LIGHT, LIGHT)]
    result = learn(read(HEADER | {"labels": labels}, *steps), LearningConfig(method=method))
    assert result.method == found
    [own] = result.evidence
    assert own.support.origin.source == ("arguments" if found == "full" else "transitions")
    assert result.preconditions == ("learned" if result.method == "neural" else "concise")


def test_the_network_is_trained_with_all_that_was_asked_for(monkeypatch):
    asked = []

    def train(run, best):
        asked.append(
            (run.traces, [*run.examples], run.config, run.report, run.checkpoint, run.validation)
        )
        return [lifted_schema("light", 1, literals("on 0"), (), literals("wired 0"))], 17

    monkeypatch.setattr(network, "train", train)
    other = replace(TRACES, source="other")
    config = LearningConfig(method="neural")
    assert config.preconditions in shared.SHORTEN  # which is for the other methods
    result = learn(TRACES, config, print, "run.ckpt", other)
    assert "shorten" not in result.seconds
    assert result.domain.action("light").preconditions == {Atom("wired", ("?wired",))}
    assert asked == [(TRACES, ["light"], config, print, "run.ckpt", other)]
    assert (result.method, result.n_steps, result.preconditions) == ("neural", 17, "learned")
    assert result.n_explained == 2


def test_the_certificate_is_that_of_what_is_written(monkeypatch):
    """Parameters keep a literal; what went has no say."""
    seen = {}

    def support(written, examples, traces, whole, states, is_exact):
        assert is_exact
        seen[kind] = preconditions(written)
        return None

    monkeypatch.setattr(shared, "support", support)
    monkeypatch.setattr(shared, "apart_effects", lambda schema, traces: (PAIR,))
    for kind in PRECONDITIONS:
        result = learn(TRACES, replace(SYMBOLIC, preconditions=kind))
        assert result.preconditions == kind
        [[pair]] = [own.apart for own in result.evidence]
        assert pair == replace(PAIR, literals=("(on ?wired)", "(not (on ?x2))"))
        assert len(seen[kind]) == sum(
            len(own)
            for action in result.domain.actions
            for own in (action.preconditions, action.negative_preconditions)
        )
    assert len(seen["minimal"]) < len(seen["safe"])
    assert set(seen["minimal"]) <= set(seen["concise"]) <= set(seen["safe"])
    assert [x for x in seen["concise"] if x.is_positive] == [
        x for x in seen["safe"] if x.is_positive
    ]


def test_parts_left_out_are_left_out(monkeypatch):
    """Without repair the largest change is proposed as it is."""
    traces = read(
        HEADER,
        *({"state": [], "action": "light", "next": [f"(on {name})"]} for name in "abc"),
        {"state": ["(hot a)"], "action": "light", "next": ["(on a)"]},
    )
    completed = []

    def complete(effects, group, traces, without, origin, is_exact, attempts):
        assert is_exact
        completed.append((effects.delete, without, origin))
        return LiftedSchema(group.action, effects, effects.n_variables)

    monkeypatch.setattr(shared, "complete", complete)
    rare = traces.transitions[3]
    for without in ((), ("repair",)):
        learn(traces, replace(SYMBOLIC, without=without))
    shown = (literals("hot 0"), Origin("transitions"))
    assert completed == [(shown[0], without, shown[1]) for without in ((), ("repair",))]
    # No single step shows both: in one b got hot, in another it was cooled.
    completed.clear()
    split = [replace(rare, state=frozenset({Atom("hot", ("a",)), Atom("on", ("a",))}))]
    learn(replace(traces, transitions=(*traces.transitions[:3], *split)), SYMBOLIC)
    assert completed == [(literals("hot 0"), (), Origin("transitions", is_repaired=True))]


@pytest.mark.parametrize(("noise", "n_looks"), [("auto", 1), ("off", 0)])
def test_unchanged_steps_are_not_taken_for_disturbed_where_noise_is_off(
    monkeypatch, noise, n_looks
):
    looks = []
    monkeypatch.setattr(pipeline, "looks_noisy", lambda groups: looks.append(groups) or False)
    idle = LIGHT | {"next": LIGHT["state"]}
    learn(read(HEADER, LIGHT, AGAIN, idle), replace(SYMBOLIC, noise=noise))
    assert len(looks) == n_looks
