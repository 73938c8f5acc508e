"""Which pass comes when: exact learning, learning under noise, and which answer stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import LearningConfig
from dias.errors import InsufficientTracesError, TraceError
from dias.learning import learn as pipeline
from dias.learning.learn import learn
from dias.strips.model import ActionSchema, Atom
from dias.traces.record import LabelMode
from tests.learning.passes.cases import (
    AGAIN,
    FULL_ODD,
    HEADER,
    HOT,
    HOTS,
    LIGHT,
    NOISE,
    NONE,
    ODD,
    OUT,
    PAIR,
    SHOWN_ODD,
    SYMBOLIC,
    TRACES,
    is_tolerant,
    outcome,
)
from tests.traces.files import read

SCORES = ["score", "score"]
UNDER_NOISE = ["unmended", "is_measurable", "righted"]
"""How it begins wherever steps are left; how they look does not matter."""


def test_where_all_is_explained_noise_is_not_looked_for(passes):
    assert is_tolerant(passes, TRACES) == (False, ["unmended", "exactly"])


@pytest.mark.parametrize("is_better", [False, True])
def test_where_noise_is_found_and_steps_propose_nothing_it_is_noise(passes, is_better):
    """What two steps show is too rare, though unmended it explains more than half of them."""
    assert pipeline.MIN_SHOWN == 3
    passes.is_better = is_better
    for config in (SYMBOLIC, LearningConfig()):
        assert is_tolerant(passes, ODD, config) == (True, [*UNDER_NOISE, "shown"])
        for tolerant in (outcome(NONE), outcome(None)):
            passes.tolerant = tolerant
            is_asked = ["network"] * (config.method == "hybrid")
            order = [*UNDER_NOISE, "mended", "exactly", *is_asked, *SCORES]
            assert is_tolerant(passes, ODD, config) == (is_better, order)
        passes.tolerant = outcome()


@pytest.mark.parametrize("is_better", [False, True])
def test_where_noise_is_found_and_steps_explain_most_the_score_decides(passes, is_better):
    """The network is not asked, since it would not know noise either."""
    passes.is_better = is_better
    order = [*UNDER_NOISE, "shown", "exactly", *SCORES]
    for config in (SYMBOLIC, LearningConfig()):
        assert is_tolerant(passes, SHOWN_ODD, config) == (is_better, order)


def test_a_tie_goes_to_the_exact_answer(passes):
    passes.is_better = 0.5
    assert not is_tolerant(passes, SHOWN_ODD)[0]
    passes.is_better = 0.5 + 1e-9
    assert is_tolerant(passes, SHOWN_ODD)[0]


@pytest.mark.parametrize(
    ("arity", "constants", "is_overgrown"), [(2, (), True), (3, (), False), (2, ("a",), False)]
)
def test_exact_effects_over_too_many_variables_are_hopeless(passes, arity, constants, is_overgrown):
    """They have four: with two parameters under noise they have too many."""
    assert pipeline.MAX_WIDER == 1
    found = outcome(arity=arity)
    constants = dict.fromkeys(constants, "object")
    passes.tolerant = replace(found, domain=replace(found.domain, constants=constants))
    passes.is_better = False
    lit = [f"(on {name})" for name in "abcd"]
    wide = [{"state": own, "action": "light", "next": own + lit} for own in ([], *HOTS)]
    objects = dict.fromkeys("abcd", "object")
    found, order = is_tolerant(passes, read(HEADER | {"objects": objects}, *wide, OUT))
    assert found == is_overgrown
    assert ("exactly" in order) != is_overgrown


@pytest.mark.parametrize("is_better", [False, True])
def test_effects_learned_under_noise_are_taken_as_exact_ones(passes, is_better):
    """Two steps are too few to propose them; the score decides all the same."""
    [light] = passes.tolerant.domain.actions
    light = replace(light, add_effects=frozenset({Atom("on", light.variables)}))
    domain = replace(passes.tolerant.domain, actions=(light,))
    passes.tolerant, passes.is_better = replace(passes.tolerant, domain=domain), is_better
    order = [*UNDER_NOISE, "shown", "exactly", *SCORES]
    assert is_tolerant(passes, ODD) == (is_better, order)


def test_what_explains_all_steps_of_an_action_stands_however_few_show_it(passes):
    """Two steps light; of the other action's, one is left."""
    dims = [one | {"action": "dim"} for one in (LIGHT, AGAIN, HOT, OUT)]
    light = passes.tolerant.domain.action("light")
    dim = ActionSchema("dim", light.parameters)
    domain = replace(passes.tolerant.domain, actions=(dim, light))
    passes.tolerant, passes.is_better = replace(passes.tolerant, domain=domain), False
    result = learn(read(HEADER, LIGHT, AGAIN, *dims), SYMBOLIC)
    assert passes.asked == [
        *("unmended", "is_measurable", "_learn_righted", "shown", "_learn_exactly"),
        *["score"] * 4,
    ]
    assert [(own.action, own.n_explained) for own in result.evidence] == [("dim", 3), ("light", 2)]


@pytest.mark.parametrize(
    ("changes", "is_better", "n_scores", "is_taken"),
    [
        ({}, True, 2, True),
        ({}, False, 2, False),
        ({"n_explained": 2}, True, 2, True),
        ({"noise": NONE}, True, 2, True),
        ({"noise": NONE}, False, 2, False),
        ({"noise": NONE, "apart": (PAIR,)}, True, 0, False),
        ({"noise": None, "apart": (PAIR,)}, True, 0, False),
        ({"apart": (PAIR,)}, True, 2, True),
    ],
)
def test_what_stays_unexplained_is_tried_with_noise(passes, changes, is_better, n_scores, is_taken):
    passes.tolerant, passes.is_better = outcome(**changes), is_better
    looked = "shown" if passes.tolerant.noise is NOISE else "mended"
    order = [*UNDER_NOISE, looked, "exactly", *["score"] * n_scores]
    assert is_tolerant(passes, SHOWN_ODD) == (is_taken, order)


def test_too_few_transitions_or_leaving_it_out_end_it_there(passes):
    passes.measurable = False
    order = ["unmended", "is_measurable", "mended", "exactly"]
    assert is_tolerant(passes, ODD) == (False, order)
    assert is_tolerant(passes, FULL_ODD) == (False, ["arguments", "is_measurable", "exactly"])
    passes.measurable = True
    hybrid = LearningConfig(without=("fallback",))
    assert is_tolerant(passes, FULL_ODD, hybrid) == (False, ["exactly"])
    assert is_tolerant(passes, ODD, hybrid) == (False, ["exactly", "network"])


@pytest.mark.parametrize(
    "changes", [{"method": "neural"}, {"effects": "conditional"}, {"noise": "off"}]
)
def test_noise_is_looked_for_where_it_can_be_told_from_effects(passes, changes):
    config = replace(SYMBOLIC, **changes)
    looks = [] if config.method == "neural" else ["arguments"]
    assert is_tolerant(passes, FULL_ODD, config) == (False, [*looks, "exactly"])


def test_where_noise_is_not_looked_for_single_steps_are_repaired(passes):
    order = ["unmended", "mended", "exactly"]
    assert is_tolerant(passes, ODD, replace(SYMBOLIC, noise="off")) == (False, order)


@pytest.mark.parametrize(("arity", "keeps"), [(0, True), (1, True), (2, False)])
@pytest.mark.parametrize("noise", [NOISE, NONE])
def test_full_labels_say_all_arguments(passes, noise, arity, keeps):
    """Where the schema has more, its score is not asked for."""
    passes.tolerant = outcome(noise, arity=arity, labels=LabelMode.FULL)
    rest = ["exactly", *SCORES] if noise is NONE else []
    order = ["arguments", "is_measurable", "righted", *(rest if keeps else ["exactly"])]
    assert is_tolerant(passes, FULL_ODD) == (keeps, order)
    steps = (one | {"action": "(light a)"} for one in (LIGHT, OUT))
    for traces in (read(HEADER | {"labels": "partial"}, *steps), ODD):
        passes.tolerant = outcome(noise, arity=arity, labels=traces.labels)
        assert is_tolerant(passes, traces)[0]


def test_time_spent_in_vain_is_counted(passes, monkeypatch):
    def in_vain(run):
        run.seconds["denoise"] = 1000.0
        return outcome(NONE, n_explained=0)

    monkeypatch.setattr(pipeline, "_learn_righted", in_vain)
    passes.is_better = False
    result = learn(ODD, SYMBOLIC)
    assert result.noise is None and result.seconds["denoise"] == 1000.0


def test_what_cannot_be_learned_is_refused():
    with pytest.raises(ValueError, match="learn_mlp"):
        learn(TRACES, LearningConfig(method="neural", effects="mlp"))
    with pytest.raises(InsufficientTracesError):
        learn(replace(TRACES, transitions=()), SYMBOLIC)
    with pytest.raises(TraceError, match="labels"):
        learn(TRACES, SYMBOLIC, validation=replace(TRACES, labels=LabelMode.FULL))
