"""A learning result as comments, text and JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dias import __version__
from dias.learning.noise.bind.roles import FlipRates
from dias.learning.noise.estimate import NoiseEstimate
from dias.learning.result import ActionEvidence, LearningResult, Uncertainty
from dias.learning.train.progress import LearningProgress
from dias.report.certificate import evidence_line
from dias.report.learning import learning_json, learning_text, provenance, report_json
from dias.strips.model import ActionSchema, Domain, Parameter
from dias.strips.pddl.reader import read_domain
from dias.strips.pddl.writer import format_domain
from dias.traces.record import LabelMode

NOTHING_REFUSED = {"ruled_out": 0, "allowed": 0, "undecided": 0, "allowed_lines": []}
NOISE = NoiseEstimate(2.346, {"on": FlipRates(0.05, 0.0125)}, n_misnamed=3, n_tolerated=15)
MOVE = ActionSchema("move", (Parameter("?x1"), Parameter("?x2")))
WAIT = ActionSchema("wait")
RESULT = LearningResult(
    domain=Domain("d", actions=(MOVE, WAIT)),
    evidence=(
        ActionEvidence("move", 1200, 1199, n_ambiguous=30, n_unchanged=40),
        ActionEvidence("wait", 5, 5, n_ambiguous=0, n_unchanged=5),
    ),
    unobserved=("fly",),
    method="hybrid",
    labels=LabelMode.NAMES,
    preconditions="safe",
    seed=7,
    n_steps=1250,
    n_transitions=2400,
    seconds={"train": 1.23456, "check": 0.5},
)


def test_counts_of_a_result():
    assert (RESULT.n_distinct, RESULT.n_explained) == (1205, 1204)
    assert not RESULT.explains_everything
    whole = replace(RESULT, evidence=RESULT.evidence[1:])
    assert not whole.explains_everything  # an action was never observed
    assert replace(whole, unobserved=()).explains_everything
    assert not replace(RESULT, unobserved=()).explains_everything


def test_variants_are_said_everywhere():
    result = replace(RESULT, variants={"press": ("press-1", "press-2")})
    line = "The effects of press depend on the state: press-1, press-2 stand for it."
    assert line in provenance(result)
    assert line in learning_text(result)
    assert learning_json(result)["variants"] == {"press": ["press-1", "press-2"]}


def test_steps_read_as_refused_are_said_everywhere():
    result = replace(RESULT, read_as_refused={"move": 1200, "wait": 3})
    line = (
        "Distinct steps that change nothing, read as refused attempts: 1,200 of move, 3 of wait "
        "(--unchanged happened takes them as they stand)."
    )
    assert line in provenance(result)
    assert line in learning_text(result)
    assert learning_json(result)["read_as_refused"] == {"move": 1200, "wait": 3}
    assert "read as refused" not in learning_text(RESULT)


@pytest.mark.parametrize(
    ("evidence", "line"),
    [
        ((100, 100, 0, 0), "act: 100 of 100 explained"),
        ((1200, 1199, 0, 0), "act: 1,199 of 1,200 explained"),
        ((100, 100, 0, 40), "act: 100 of 100 explained, 40 change nothing"),
        ((100, 100, 0, 100), "act: 100 of 100 explained, no effect was ever observed"),
        ((50, 50, 20, 0), "act: 50 of 50 explained, 20 with more than one possible binding"),
        ((20, 20, 0, 0), "act: 20 of 20 explained"),
        ((19, 0, 0, 0), "act: 0 of 19 explained, few samples: under-determined"),
        (
            (3, 3, 1, 2),
            "act: 3 of 3 explained, 2 change nothing, 1 with more than one possible binding, "
            "few samples: under-determined",
        ),
    ],
)
def test_evidence_in_one_line(evidence, line):
    assert evidence_line(ActionEvidence("act", *evidence)) == line


def test_provenance():
    assert provenance(RESULT) == [
        f"Learned by dias {__version__}: method hybrid, seed 7, preconditions safe.",
        "Data: 2,400 transitions, 1,205 of them distinct; labels: action names only.",
        "This domain explains 1,204 of the 1,205 distinct transitions (99.9 %).",
        "Evidence (distinct transitions):",
        f"  {evidence_line(RESULT.evidence[0])}",
        f"  {evidence_line(RESULT.evidence[1])}",
        "  fly: never observed, no schema",
    ]
    assert "all action arguments" in provenance(replace(RESULT, labels=LabelMode.FULL))[1]


def test_the_provenance_stands_at_the_head_of_the_file(tmp_path):
    text = format_domain(RESULT.domain, provenance(RESULT))
    head = text[: text.index("(define")].splitlines()
    assert head == [f"; {line}" for line in provenance(RESULT)]
    path = tmp_path / "domain.pddl"
    path.write_text(text)
    assert [action.name for action in read_domain(path).actions] == ["move", "wait"]


def test_text():
    assert learning_text(RESULT).splitlines()[:-1] == [
        "1,204 of 1,205 distinct transitions explained (1,250 gradient steps, 1.7 s)",
        f"  {evidence_line(RESULT.evidence[0])}",
        f"  {evidence_line(RESULT.evidence[1])}",
        "  fly: never observed, no schema",
    ]
    assert "(1 gradient step, " in learning_text(replace(RESULT, n_steps=1))
    assert "(0 gradient steps, " in learning_text(replace(RESULT, n_steps=0))


def test_json():
    value = learning_json(RESULT)
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    assert value == {
        "dias": __version__,
        "preconditions": "safe",
        "wrongly_allowed": 0,
        "weak_points": [],
        "doubts": [],
        "method": "hybrid",
        "labels": "names",
        "seed": 7,
        "without": [],
        "gradient_steps": 1250,
        "transitions": 2400,
        "distinct_transitions": 1205,
        "explained": 1204,
        "explains_everything": False,
        "unobserved": ["fly"],
        "undone": {},
        "noise": None,
        "validation": None,
        "read_as_refused": {},
        "variants": {},
        "seconds": {"train": 1.235, "check": 0.5},
        "actions": {
            "move": {
                "arity": 2, "transitions": 1200, "explained": 1199, "ambiguous": 30,
                "unchanged": 40, "refused": NOTHING_REFUSED, "causes": [], "apart": [],
                "support": None,
            },
            "wait": {
                "arity": 0, "transitions": 5, "explained": 5, "ambiguous": 0, "unchanged": 5,
                "refused": NOTHING_REFUSED, "causes": [], "apart": [], "support": None,
            },
        },
    }  # fmt: skip


def test_the_json_report_adds_settings_training_and_domain():
    looks = [
        LearningProgress(0, 3, 50, 600, 1.5, 0.5, 0.25, {"move": 2}, None),
        LearningProgress(0, 3, 100, 600, float("nan"), 0.5, 0.25, {"move": 2}, 1.0),
    ]
    value = report_json(RESULT, looks)
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    assert {key: value[key] for key in learning_json(RESULT)} == learning_json(RESULT)
    assert value["settings"]["model"]["n_slots"] == 5
    assert value["training"][0] == {
        "restart": 0, "n_restarts": 3, "step": 50, "n_steps": 600, "main_loss": 1.5,
        "aux_loss": 0.5, "p_pre": 0.25, "active_slots": {"move": 2}, "explained": None,
    }  # fmt: skip
    assert value["training"][1]["main_loss"] is None  # JSON knows no NaN
    assert value["domain"] == format_domain(RESULT.domain)


def test_noise_is_reported():
    noisy = replace(RESULT, noise=NOISE, unobserved=())
    assert noisy.explains_everything  # one transition is left, 15 are tolerated
    lines = provenance(noisy)
    assert lines[3:6] == [
        "Noise: an estimated 2.35 atoms per transition were seen wrong; explained means: up to "
        "noise of that amount. Likelihoods tell it from effects, without a network.",
        "True atoms not seen/false atoms seen: on 5.0%/1.2%.",
        "3 transitions look like those of another action.",
    ]
    assert set(lines[3:6]) <= set(learning_text(noisy).splitlines())
    assert learning_json(noisy)["noise"] == {
        "flips_per_transition": 2.346,
        "alarms": [],
        "dispersion": 1.0,
        "relations": {"on": {"lost": 0.05, "invented": 0.0125}},
        "misnamed": 3,
        "tolerated": 15,
    }


@pytest.mark.parametrize(
    ("flips", "said"), [(0.0049, "Noise: less than 0.01 atoms"), (0.005, "an estimated 0.01 atoms")]
)
def test_noise_that_there_is_does_not_read_like_none(flips, said):
    [line] = [x for x in provenance(noisy_with(flips)) if x.startswith("Noise: ")]
    assert said in line


def noisy_with(flips):
    return replace(RESULT, noise=replace(NOISE, flips=flips), unobserved=())


def test_more_than_the_noise_accounts_for_is_said():
    little = replace(RESULT, noise=replace(NOISE, n_tolerated=0), unobserved=())
    assert not little.explains_everything
    assert "1 transitions stay unexplained; this noise accounts for 0 at most." in provenance(
        little
    )


CERTAIN_ENOUGH = Uncertainty(
    n_doubted=1200, n_unknown=30, temperatures={}, n_against=0, n_rounds=1, n_transitions=40,
    n_untold=0, is_unsettled=False,
)  # fmt: skip


def test_what_was_not_certain_is_said_and_nothing_alarms():
    assert uncertain_lines() == [
        "Not certain: 1,200 sightings of atoms, 30 of them unknown; explained means: by the states "
        "as they most likely were, along each walk (1 round), and against nothing that is certain."
    ]


def test_what_alarms_where_not_all_is_certain():
    """Each for itself: probabilities that claim too much, states that do not settle, the rest."""
    assert uncertain_lines(temperatures={"on": 2.5, "clear": 0.91, "held": 3.0}) == [
        "Calibration: log odds were divided by: on 2.5, clear 0.91, held 3.",
        *(
            f"Alarm: sightings of {relation} are wrong far more often than their probabilities "
            "say: a classifier that is too sure, or a wrong domain?"
            for relation in ("on", "held")
        ),
    ]
    [unsettled] = uncertain_lines(is_unsettled=True)
    assert unsettled.startswith("Alarm: the likeliest states still look seen wrong")
    [against] = uncertain_lines(n_against=3)
    assert against == "3 sightings said to be certain are against the likeliest states."
    assert uncertain_lines(n_against=1, n_untold=7) == [
        "1 sighting said to be certain is against the likeliest states.",
        "Of 7 steps too little was seen to tell what happened.",
    ]


def uncertain_lines(**more):
    """What is said of states that are not certain; beyond the first line, if there is more."""
    result = replace(RESULT, uncertain=replace(CERTAIN_ENOUGH, **more))
    plain = provenance(replace(RESULT, uncertain=None))
    lines = [line for line in provenance(result) if line not in plain]
    assert set(lines) <= set(learning_text(result).splitlines())
    return lines[1:] if more else lines
