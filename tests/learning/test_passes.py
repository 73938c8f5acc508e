"""Which pass comes when: exact learning, learning with noise, and which outcome is kept."""

from __future__ import annotations

import logging
from dataclasses import replace
from types import SimpleNamespace

import pytest

from dias.config import PRECONDITIONS, LearningConfig
from dias.errors import InsufficientTracesError, TraceError
from dias.learning import learn as pipeline
from dias.learning.certificate.support import ApartEffects, Doubt
from dias.learning.data.refusals import Refusals
from dias.learning.data.transitions import examples_by_action
from dias.learning.learn import learn
from dias.learning.noise.estimate import NoiseEstimate
from dias.learning.propose import network
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.schema import Hint, LiftedSchema, Origin, preconditions
from dias.strips.model import ActionSchema, Atom, Domain, Parameter
from dias.traces.record import LabelMode
from tests.learning.cases import lifted_schema, literals
from tests.traces.files import read

SYMBOLIC = LearningConfig(method="symbolic")
HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"on": ["object"], "hot": ["object"], "wired": ["object"]},
    "objects": dict.fromkeys("abc", "object"),
    "static": ["(wired a)", "(wired b)", "(wired c)"],
}
LIGHT = {"state": [], "action": "light", "next": ["(on a)"]}
AGAIN = {"state": ["(hot b)"], "action": "light", "next": ["(on b)", "(hot b)"]}
OUT = {"state": ["(on a)"], "action": "light", "next": []}
TRACES = read(HEADER, LIGHT, AGAIN, LIGHT)
ODD = read(HEADER, LIGHT, AGAIN, OUT)
HOT = {"state": ["(hot c)"], "action": "light", "next": ["(on a)", "(hot c)"]}
HOTS = (["(hot a)"], ["(hot b)"])
SHOWN = read(HEADER, LIGHT, AGAIN, HOT)
FULL_ODD = read(
    HEADER | {"labels": "full"}, *(one | {"action": "(light a)"} for one in (LIGHT, OUT))
)
PAIR = ApartEffects(("(on ?x1)", "(not (on ?x2))"), 0, 80, 1e-7)
NOISE, NONE = NoiseEstimate(1.0, {}, 0, 0), NoiseEstimate(0.0, {}, 0, 0)


def outcome(noise=NOISE, n_explained=3, arity=1, apart=(), labels=LabelMode.NAMES):
    """What learning with noise may come to."""
    parameters = tuple(Parameter(f"?x{i}") for i in range(arity))
    domain = Domain("noisy", {}, {}, (), (ActionSchema("light", parameters),))
    evidence = (
        ActionEvidence("light", 3, n_explained, 0, 0, apart=apart),
        ActionEvidence("rest", 0, 0, 0, 0),
    )
    return LearningResult(
        domain=domain, evidence=evidence, unobserved=(), method="symbolic", labels=labels,
        preconditions="safe", seed=0, n_steps=0, n_transitions=3, noise=noise,
    )  # fmt: skip


@pytest.fixture
def passes(monkeypatch):
    """What is asked for, pass by pass; set what they answer."""
    asked = []
    answers = SimpleNamespace(
        asked=asked, noisy=False, measurable=True, tolerant=outcome(), is_better=True
    )

    def answering(name, value):
        def answer(*arguments):
            asked.append(name)
            return getattr(answers, value)

        monkeypatch.setattr(pipeline, name, answer)

    answering("looks_noisy", "noisy")
    answering("is_measurable", "measurable")
    answering("_learn_with_noise", "tolerant")
    exactly = pipeline._learn_exactly

    def learn_exactly(*arguments):
        asked.append("_learn_exactly")
        return exactly(*arguments)

    def score(action, traces, coded):
        asked.append("score")
        return answers.is_better if action in answers.tolerant.domain.actions else 0.5

    monkeypatch.setattr(pipeline, "_learn_exactly", learn_exactly)
    monkeypatch.setattr(pipeline, "score", score)
    return answers


def is_tolerant(passes, traces, config=SYMBOLIC):
    """Whether what learning with noise found is the result, and which passes were gone through."""
    passes.asked.clear()
    result = learn(traces, config)
    assert set(result.seconds) >= {"prepare"}
    return replace(result, seconds=passes.tolerant.seconds) == passes.tolerant, [
        name.strip("_").removeprefix("learn_") for name in passes.asked
    ]


def test_where_nothing_looks_noisy_and_all_is_explained_noise_is_not_asked(passes):
    assert is_tolerant(passes, TRACES) == (False, ["looks_noisy", "exactly"])


@pytest.mark.parametrize("is_better", [False, True])
def test_where_it_looks_noisy_and_steps_propose_nothing_it_is_noise(passes, is_better):
    """What two steps show is too rare; where noise is none or has too many parameters, exactly."""
    passes.noisy, passes.is_better = True, is_better
    assert is_tolerant(passes, TRACES) == (True, ["looks_noisy", "with_noise"])
    for tolerant in (outcome(NONE), outcome(None)):
        passes.tolerant = tolerant
        order = ["looks_noisy", "with_noise", "exactly", "score", "score"]
        assert is_tolerant(passes, TRACES) == (is_better, order)


@pytest.mark.parametrize("is_better", [False, True])
def test_where_it_looks_noisy_and_steps_explain_most_the_score_decides(passes, is_better):
    """The network is not asked, since it would not know noise either."""
    passes.noisy, passes.is_better = True, is_better
    order = ["looks_noisy", "with_noise", "exactly", "score", "score"]
    for config in (SYMBOLIC, LearningConfig()):
        assert is_tolerant(passes, SHOWN, config) == (is_better, order)


def test_a_tie_goes_to_the_exact_answer(passes):
    passes.noisy, passes.is_better = True, 0.5
    assert not is_tolerant(passes, SHOWN)[0]
    passes.is_better = 0.5 + 1e-9
    assert is_tolerant(passes, SHOWN)[0]


@pytest.mark.parametrize(("arity", "is_overgrown"), [(0, True), (1, False)])
def test_exact_effects_over_too_many_variables_are_hopeless(passes, arity, is_overgrown):
    """They have four: with a parameter less under noise they have too many."""
    assert pipeline.MAX_WIDER == 3
    passes.noisy, passes.is_better, passes.tolerant = True, False, outcome(arity=arity)
    lit = [f"(on {name})" for name in "abcd"]
    wide = [{"state": own, "action": "light", "next": own + lit} for own in ([], *HOTS)]
    objects = dict.fromkeys("abcd", "object")
    found, order = is_tolerant(passes, read(HEADER | {"objects": objects}, *wide))
    assert found == is_overgrown
    assert ("exactly" in order) != is_overgrown


@pytest.mark.parametrize(
    ("changes", "is_better", "n_scores", "is_taken"),
    [
        ({}, True, 2, True),
        ({}, False, 2, False),
        ({"n_explained": 2}, True, 2, True),
        ({"noise": NONE}, True, 2, True),
        ({"noise": NONE, "apart": (PAIR,)}, True, 0, False),
        ({"noise": None, "apart": (PAIR,)}, True, 0, False),
        ({"apart": (PAIR,)}, True, 2, True),
    ],
)
def test_what_stays_unexplained_is_tried_with_noise(passes, changes, is_better, n_scores, is_taken):
    passes.tolerant, passes.is_better = outcome(**changes), is_better
    order = ["looks_noisy", "exactly", "is_measurable", "with_noise", *["score"] * n_scores]
    assert is_tolerant(passes, ODD) == (is_taken, order)
    # If it was tried at the beginning it is not tried again.
    passes.noisy = True
    if passes.tolerant.noise is not NOISE:
        order = ["looks_noisy", "with_noise", "exactly", *["score"] * n_scores]
        assert is_tolerant(passes, ODD) == (is_taken, order)


def test_too_few_transitions_or_leaving_it_out_end_it_there(passes):
    passes.measurable = False
    assert is_tolerant(passes, ODD) == (False, ["looks_noisy", "exactly", "is_measurable"])
    passes.measurable = True
    hybrid = LearningConfig(without=("fallback",))
    assert is_tolerant(passes, FULL_ODD, hybrid) == (False, ["looks_noisy", "exactly"])
    passes.noisy = True
    # Of names nothing was proposed, and arguments say nothing of steps that contradict each other.
    for traces in (FULL_ODD, ODD):
        assert is_tolerant(passes, traces, hybrid) == (True, ["looks_noisy", "with_noise"])


@pytest.mark.parametrize("changes", [{"method": "neural"}, {"effects": "conditional"}])
def test_noise_is_looked_for_where_it_can_be_told_from_effects(passes, changes):
    passes.noisy = True
    assert is_tolerant(passes, FULL_ODD, replace(SYMBOLIC, **changes)) == (False, ["exactly"])


@pytest.mark.parametrize(("arity", "keeps"), [(0, True), (1, True), (2, False)])
@pytest.mark.parametrize("noisy", [False, True])
def test_full_labels_say_all_arguments(passes, noisy, arity, keeps):
    """Where the schema has more, its score is not asked for."""
    passes.noisy = noisy
    passes.tolerant = outcome(arity=arity, labels=LabelMode.FULL)
    assert is_tolerant(passes, FULL_ODD)[0] == keeps
    for labels in (LabelMode.STRIPS_PLUS, LabelMode.NAMES):
        passes.tolerant = outcome(arity=arity, labels=labels)
        assert is_tolerant(passes, FULL_ODD)[0]


def test_time_spent_in_vain_is_counted(passes, monkeypatch):
    def in_vain(traces, examples, config, validation, seconds):
        seconds["complete"] = 1000.0
        return outcome(n_explained=0)

    monkeypatch.setattr(pipeline, "_learn_with_noise", in_vain)
    assert learn(ODD, SYMBOLIC).seconds["complete"] == 1000.0


def test_what_cannot_be_learned_is_refused():
    with pytest.raises(ValueError, match="learn_mlp"):
        learn(TRACES, LearningConfig(method="neural", effects="mlp"))
    with pytest.raises(InsufficientTracesError):
        learn(replace(TRACES, transitions=()), SYMBOLIC)
    with pytest.raises(TraceError, match="labels"):
        learn(TRACES, SYMBOLIC, validation=replace(TRACES, labels=LabelMode.FULL))


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

    def train(traces, examples, config, best, seconds, report, checkpoint, validation):
        asked.append((traces, list(examples), config, report, checkpoint, validation))
        return [lifted_schema("light", 1, literals("on 0"), (), literals("wired 0"))], 17

    monkeypatch.setattr(network, "train", train)
    other = replace(TRACES, source="other")
    config = LearningConfig(method="neural")
    assert config.preconditions in pipeline.SHORTEN  # which is for the other methods
    result = learn(TRACES, config, print, "run.ckpt", other)
    assert "shorten" not in result.seconds
    assert result.domain.action("light").preconditions == {Atom("wired", ("?x1",))}
    assert asked == [(TRACES, ["light"], config, print, "run.ckpt", other)]
    assert (result.method, result.n_steps, result.preconditions) == ("neural", 17, "learned")
    assert result.n_explained == 2


def test_the_certificate_is_that_of_what_is_written(monkeypatch):
    """Parameters keep a literal; what went has no say."""
    seen = {}

    def support(written, examples, traces):
        seen[kind] = preconditions(written)
        return None

    monkeypatch.setattr(pipeline, "support", support)
    monkeypatch.setattr(pipeline, "apart_effects", lambda schema, traces: (PAIR,))
    for kind in PRECONDITIONS:
        result = learn(TRACES, replace(SYMBOLIC, preconditions=kind))
        assert result.preconditions == kind
        assert [own.apart for own in result.evidence] == [(PAIR,)]
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

    def complete(effects, group, traces, without, origin):
        completed.append((effects.delete, without, origin))
        return LiftedSchema(group.action, effects, effects.n_variables)

    monkeypatch.setattr(pipeline, "complete", complete)
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


class Found(SimpleNamespace):
    """What learning with noise gives."""

    def count_explained(self, groups):
        return sum(len(group.examples) for group in groups.values()) - 1


@pytest.fixture
def noisy(monkeypatch):
    """Learning with noise that finds a schema with a hint, and notes what it was asked for."""
    schema = lifted_schema("light", 1, literals("on 0"), (), literals("wired 0"), literals("on 0"))
    schema = replace(schema, n_ambiguous=2, hint=Hint(literals("on 1"), 1, -4.0))
    refused = [LIGHT | {"state": ["(hot c)"], "next": None}]
    traces = read(HEADER | {"actions": ["light", "rest"]}, LIGHT, AGAIN, LIGHT, *refused)
    likely = replace(traces, source="likely", refused=())
    asked = []

    def learn_with_noise(traces, examples, finds_variables):
        asked.append(finds_variables)
        return Found(schemas=[schema], n_explained={"light": 1}, traces=likely, noise=NOISE)

    def apart_effects(schema, traces):
        asked.append(traces.source)
        return (PAIR,)

    monkeypatch.setattr(pipeline, "learn_with_noise", learn_with_noise)
    monkeypatch.setattr(pipeline, "apart_effects", apart_effects)
    return SimpleNamespace(traces=traces, asked=asked)


def with_noise(noisy, config, validation=None):
    examples = examples_by_action(noisy.traces)
    return pipeline._learn_with_noise(noisy.traces, examples, config, validation, {})


def test_learning_with_noise_says_what_it_found(noisy):
    validation = read(HEADER, LIGHT, OUT, OUT)
    result = with_noise(noisy, replace(SYMBOLIC, seed=5), validation)
    [own] = result.evidence
    assert (own.n_transitions, own.n_explained, own.n_ambiguous, own.n_unchanged) == (2, 1, 2, 0)
    assert own.missing == Doubt(("(on ?x2)",), pytest.approx(0.0183, abs=1e-4))
    assert own.refusals == Refusals(0, 0, 1)
    assert own.apart == (PAIR,)
    assert (result.noise, result.unobserved, result.validation) == (NOISE, ("rest",), (1, 2))
    assert (result.method, result.labels, result.seed) == ("symbolic", LabelMode.NAMES, 5)
    assert (result.n_steps, result.n_transitions, result.without) == (0, 3, ())
    assert result.config == replace(SYMBOLIC, seed=5)
    assert noisy.asked == [True, "likely"]
    assert with_noise(noisy, SYMBOLIC).validation is None
    full = SimpleNamespace(traces=replace(noisy.traces, labels=LabelMode.FULL))
    assert with_noise(full, SYMBOLIC).method == "full"


@pytest.mark.parametrize(
    ("without", "kept_out", "message"),
    [
        ((), (), None),
        (("extra-variables",), ("extra-variables",), None),
        (("minimal-effects", "repair"), (), "no minimal-effects, repair to leave out"),
        (("extra-variables", "repair"), ("extra-variables",), "no repair to leave out"),
    ],
)
def test_of_the_parts_only_further_variables_can_be_left_out(
    noisy, caplog, without, kept_out, message
):
    with caplog.at_level(logging.WARNING):
        result = with_noise(noisy, replace(SYMBOLIC, without=without))
    assert result.without == kept_out
    assert noisy.asked[0] == (not kept_out)
    assert [message in text for text in caplog.messages] == ([True] if message else [])


def test_with_noise_brevity_is_judged_by_the_likely_states(noisy, monkeypatch):
    seen = []

    def minimal_preconditions(schema, traces):
        seen.append(traces.source)
        return replace(schema, positive=())

    monkeypatch.setitem(pipeline.SHORTEN, "minimal", minimal_preconditions)
    safe = with_noise(noisy, replace(SYMBOLIC, preconditions="safe"))
    short = with_noise(noisy, replace(SYMBOLIC, preconditions="minimal"))
    assert seen == ["likely"]
    assert [own.preconditions for own in (safe, short)] == ["safe", "minimal"]
    kept = [result.domain.action("light").preconditions for result in (safe, short)]
    assert kept == [{Atom("wired", ("?x1",))}, set()]
