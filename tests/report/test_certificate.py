"""The certificate in words: weak points, what would help, what to do next."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from dias.learning.certificate.causes import Cause
from dias.learning.certificate.support import ApartEffects, Doubt, LiteralSupport, Outcomes, Support
from dias.learning.data.refusals import MaskCheck, Refusals
from dias.learning.noise.estimate import NoiseEstimate
from dias.learning.result import ActionEvidence
from dias.learning.schema import Origin
from dias.report.causes import cause_text
from dias.report.certificate import (
    evidence_line,
    masks_json,
    next_step,
    refusals_json,
    support_json,
)
from dias.report.doubts import KINDS, counted, doubts, untested_lines, weak_points
from dias.report.learning import learning_text, provenance, report_json
from dias.report.to_record import advice
from dias.traces.places import Line
from tests.report.test_learning import RESULT

SOUND = Support(
    origin=Origin("network", 0, 50, 5),
    n_extra=0,
    literals=(
        LiteralSupport("type", "?x1 - block", 100, None, 5, None),
        LiteralSupport("precondition", "(clear ?x1)", 100, None, 5, 1e-9),
        LiteralSupport("add", "(on ?x1 ?x2)", 100, 100, 20, None),
    ),
    weak=(),
    missing=None,
    refusals=Refusals(),
    unexplained_lines=(),
    outcomes=Outcomes(40, 80, 60),
)
"""A schema without doubts."""

DOUBTFUL = replace(
    SOUND,
    origin=Origin("network", 1, 50, 5, is_repaired=True),
    literals=(*SOUND.literals, LiteralSupport("delete", "(not (hot ?x1))", 100, 1, 1, None)),
    weak=(Doubt(("(red ?x1)", "(not (blue ?x1))"), 0.25), Doubt(("(big ?x1)",), 0.02)),
    missing=Doubt(("(in ?x1 ?x3)",), 0.003),
    refusals=Refusals(5, 2, 1, (7, 9)),
)


def resulting(*supports, n=100, n_explained=None):
    evidence = tuple(
        ActionEvidence(name, n, n if n_explained is None else n_explained, 0, 0, support)
        for name, support in zip(("move", "wait"), supports, strict=False)
    )
    return replace(RESULT, evidence=evidence, unobserved=())


def test_no_doubts_no_weak_points():
    result = resulting(SOUND)
    assert (weak_points(result), advice(result)) == ([], [])
    assert next_step(result, "d.pddl") == (
        "Next: dias evaluate d.pddl --gt TRUE.pddl, or dias plan d.pddl PROBLEM.pddl"
    )
    assert not result.is_weak
    assert (SOUND.n_untested, SOUND.thin_effects) == (1, ())


def test_the_gravest_come_first():
    result = resulting(SOUND, DOUBTFUL)
    assert weak_points(result) == [
        "wait: allows 2 refused attempts (lines 7, 9)",
        "wait: a parameter with (in ?x1 ?x3) may be missing (chance 0.003)",
        "wait: (red ?x1), (not (blue ?x1)) may be a coincidence (chance 0.25)",
        "wait: (big ?x1) may be a coincidence (chance 0.02)",
        "wait: the effect (not (hot ?x1)) changed something in 1 of 100 transitions",
    ]
    assert result.is_weak
    assert result.n_wrongly_allowed == 2
    assert not result.explains_everything


def test_what_may_allow_too_much_comes_before_what_may_allow_too_little():
    """Whatever the chances and the order of the actions; what is left over is counted by kind."""
    few = Doubt(("(in ?x1 ?x3)",), 0.04)
    unsound = replace(SOUND, missing=few, may_be_needed=("(not (= ?x1 ?x2))", "(not (on ?x1))"))
    incomplete = replace(SOUND, weak=(Doubt(("(big ?x1)",), 1.0, ("(not (= ?x1 ?x2))",)),))
    result = resulting(incomplete, unsound)
    assert weak_points(result) == [
        "wait: a parameter with (in ?x1 ?x3) may be missing (chance 0.04)",
        "wait: (not (= ?x1 ?x2)), (not (on ?x1)) may be needed: left out, since no state tests it",
        "move: (big ?x1) may be a coincidence if (not (= ?x1 ?x2)) holds (chance 1)",
    ]
    found = doubts(result)
    assert [point.kind for point in found] == ["unsound", "unsound", "incomplete"]
    assert counted(found) == "2 may allow too much, 1 may allow too little"
    assert list(KINDS)[2:4] == ["unsound", "incomplete"]
    said = "wait: no state seen has objects that violate (not (= ?x1 ?x2)), (not (on ?x1))"
    assert any(said in text for text in advice(result))
    value = report_json(result, [])
    assert [point["text"] for point in value["doubts"]] == [point.text for point in found]
    assert [list(point) for point in value["doubts"]] == [["kind", "action", "text"]] * 3
    support = value["actions"]["wait"]["support"]
    assert support["may_be_needed"] == ["(not (= ?x1 ?x2))", "(not (on ?x1))"]
    [weak] = value["actions"]["move"]["support"]["weak"]
    assert weak["instead"] == ["(not (= ?x1 ?x2))"]


def test_what_nothing_tests_is_no_weak_point_but_said():
    """In the file, on the terminal by number, in JSON and on the page; what is kept comes last."""
    untested = replace(
        SOUND,
        further=(("(in ?x1 ?x3)", "(red ?x3)"), ("(on ?x3 ?x1)",)),
        implied=("(not (= ?x1 ?x2))",),
    )
    sure = replace(SOUND, literals=tuple(x for x in SOUND.literals if not x.is_untested))
    result = resulting(sure, untested)
    assert weak_points(result) == []
    assert (said := untested_lines(result)) == [
        "wait: a parameter with (in ?x1 ?x3), (red ?x3) or one with (on ?x3 ?x1); "
        "left out (not (= ?x1 ?x2))"
        + "".join(
            f"; kept {x.text}" for x in SOUND.literals if x.role == "precondition" and x.is_untested
        )
    ]
    head = "Untested, nothing in the transitions speaks either way (actions: 1):"
    assert provenance(result)[-2:] == [head, f"  {said[0]}"]
    assert "Untested: something in 1 action (the domain file says what)" in learning_text(result)
    assert "Untested" not in learning_text(resulting(sure))
    assert not any(line.startswith("Untested") for line in provenance(resulting(sure)))
    found = report_json(result, [])["actions"]["wait"]["support"]
    assert found["further_parameters"] == [["(in ?x1 ?x3)", "(red ?x3)"], ["(on ?x3 ?x1)"]]
    assert found["implied"] == ["(not (= ?x1 ?x2))"]


def test_whatever_was_left_out_is_named():
    """However many: what is wrong may be the last one."""
    names = [f"(not (p{n} ?x1))" for n in range(45)]
    parts = [replace(SOUND, implied=tuple(names[:20]), open=tuple(names[20:40]),
                     of_type=tuple(names[40:]))]  # fmt: skip
    [line] = untested_lines(resulting(replace(SOUND, literals=()), *parts))
    assert f"left out {', '.join(names)}" in line


def test_a_parameter_that_may_be_a_constant():
    result = resulting(replace(SOUND, fixed=(("?x2", "hub"),)))
    [text] = weak_points(result)
    assert text == "move: ?x2 was hub in all transitions, though there are others: a constant?"
    assert result.is_weak
    assert support_json(result.evidence[0].support)["fixed"] == {"?x2": "hub"}
    assert support_json(SOUND)["fixed"] == {}


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        (
            Cause("constant", 2, 7, ("hub",)),
            "2 steps that stay unexplained change atoms of hub, which is none of the arguments "
            "(line 7): if it is a constant of the domain, name it in the header (constants)",
        ),
        (
            Cause("unnamed", 1, 7),
            "1 step that stays unexplained changes atoms of objects that are none of the "
            "arguments (line 7): are they all recorded, and right?",
        ),
        (
            Cause("repeated", 3, 9),
            "3 steps, all that stay unexplained, give one object as several arguments (line 9): "
            "does the action do something else then?",
        ),
        (
            Cause("unchanged", 4, 2),
            "4 steps change nothing (line 2): if they were refused, learn with --unchanged refused",
        ),
        (
            Cause("odd", 1, 6),
            "1 step does not fit what all the others show (line 6): seen wrong, or wrongly named?",
        ),
        (
            Cause("odd", 2, 6),
            "2 steps do not fit what all the others show (line 6): seen wrong, or wrongly named?",
        ),
    ],
)
def test_causes_come_before_all_weak_points(cause, text):
    (evidence,) = resulting(DOUBTFUL).evidence
    other = Cause("unchanged", 1, 1)
    result = replace(RESULT, evidence=(replace(evidence, causes=(other, cause)),), unobserved=())
    first, second, *others = weak_points(result)
    assert {first, second} == {f"move: {cause_text(other)}", f"move: {text}"}
    assert others == weak_points(resulting(DOUBTFUL))
    assert report_json(result, [])["actions"]["move"]["causes"][1] == {
        "kind": cause.kind, "n_steps": cause.n_steps, "line": cause.line,
        "objects": list(cause.objects),
    }  # fmt: skip


def test_what_is_out_of_the_ordinary_stands_in_the_evidence_line():
    line = evidence_line(ActionEvidence("wait", 100, 100, 0, 0, DOUBTFUL))
    assert line == (
        "wait: 100 of 100 explained, effects found in run 2, effects repaired, "
        "effects proposed by the network, 5 of 8 refused attempts ruled out, "
        "1 of them undecided, since their arguments are not known"
    )
    proposed = ActionEvidence("wait", 100, 100, 0, 0, SOUND)
    lifted = replace(proposed, support=replace(SOUND, origin=Origin("transitions")))
    said = "wait: 100 of 100 explained"
    assert evidence_line(proposed) == f"{said}, effects proposed by the network"
    assert evidence_line(proposed, "neural") == said  # where else from?
    assert evidence_line(lifted) == evidence_line(lifted, "symbolic") == said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((3,), "(not line 3)"),
        ((3, 4), "(not lines 3, 4)"),
        ((3, 4, 5), "(not lines 3, 4, 5)"),
        ((3, 4, 5, 6), "(not lines 3, 4, 5, …)"),
    ],
)
def test_where_the_unexplained_ones_are(lines, said):
    support = replace(SOUND, unexplained_lines=lines, origin=Origin("transitions"))
    line = evidence_line(ActionEvidence("wait", 100, 100 - len(lines), 0, 0, support))
    assert line == f"wait: {100 - len(lines)} of 100 explained {said}"


def test_effects_that_hardly_any_step_shows_together():
    pair = ApartEffects(("(lit ?x1)", "(not (lit ?x2))"), 2, 131, 1e-12)
    (evidence,) = resulting(SOUND).evidence
    result = replace(RESULT, evidence=(replace(evidence, apart=(pair,)),), unobserved=())
    assert result.evidence[0].has_doubts
    assert weak_points(result) == [
        "move: (lit ?x1) and (not (lit ?x2)) both changed something in 2 of 131 transitions only "
        "(chance 1e-12)"
    ]
    assert [text for text in advice(result) if "--effects conditional" in text]
    assert "whether move does several things" in next_step(result, "d.pddl")
    assert report_json(result, [])["actions"]["move"]["apart"] == [
        {"literals": ["(lit ?x1)", "(not (lit ?x2))"], "n_together": 2, "n_steps": 131}
        | {"chance": 1e-12}
    ]


def test_the_file_lists_all_weak_points_the_terminal_some_and_counts_the_rest():
    weak = tuple(Doubt((f"(p{i} ?x1)",), 0.5 - i / 100) for i in range(14))
    result = resulting(replace(SOUND, weak=weak))
    listed = [
        f"  move: (p{i} ?x1) may be a coincidence (chance {0.5 - i / 100:.2g})" for i in range(14)
    ]
    for lines, n_listed in ((provenance(result), 14), (learning_text(result).splitlines(), 5)):
        heading = lines.index("Weak points (14):") + 1
        assert lines[heading : heading + n_listed] == listed[:n_listed]
        rest = lines[heading + n_listed :][:1]
        assert rest == ([] if n_listed == 14 else ["  and 9 more: 9 may allow too little"])
    assert "Weak points" not in learning_text(resulting(SOUND))


def test_json():
    value = support_json(DOUBTFUL)
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    assert value["origin"]["is_repaired"] is True
    assert value["weak"][1] == {"literals": ["(big ?x1)"], "chance": 0.02}
    assert value["missing"] == {"literals": ["(in ?x1 ?x3)"], "chance": 0.003}
    assert refusals_json(DOUBTFUL.refusals) == {
        "ruled_out": 5, "allowed": 2, "undecided": 1, "allowed_lines": [7, 9],
    }  # fmt: skip
    assert value["thin_effects"] == ["(not (hot ?x1))"]
    assert value["literals"][2] == {
        "role": "add", "literal": "(on ?x1 ?x2)", "samples": 100, "changed": 100, "instances": 20,
        "chance": None, "nats": None, "alone": False, "word": "decided",
    }  # fmt: skip
    words = [one["word"] for one in value["literals"]]
    assert words == ["untested", "decided", "decided", "doubtful"]
    assert value["literals"][1]["nats"] == pytest.approx(-math.log(1e-9))
    assert support_json(SOUND)["missing"] is None


def test_every_field_is_documented():
    """In docs/report.md, between backticks."""
    documented = (Path(__file__).parents[2] / "docs" / "report.md").read_text("utf-8")
    result = replace(resulting(DOUBTFUL), domain=RESULT.domain)
    value = report_json(result, [])
    action = value["actions"]["move"]
    for key in (*value, *action, *action["support"], *action["support"]["literals"][0]):
        assert f"`{key}`" in documented, key


def test_what_masks_contradict_comes_first_and_what_is_too_weak_before_the_rest():
    wrong = replace(SOUND, masks=MaskCheck(40, (3, 5, 8), (7,)))
    result = resulting(wrong, replace(DOUBTFUL, refusals=Refusals()))
    assert weak_points(result)[:2] == [
        'move: allows what "applicable" does not list in 3 of 40 states (lines 3, 5, 8)',
        'move: does not allow what "applicable" lists in 1 of 40 states (line 7)',
    ]
    assert doubts(result)[0].kind == doubts(result)[1].kind == "contradicted"
    assert result.evidence[0].has_doubts
    assert result.n_masks_against == 4
    assert not result.explains_everything
    assert evidence_line(result.evidence[0], "neural").endswith("36 of 40 masks agree")
    assert "move: look at the states whose masks contradict it" in advice(result)[0]
    value = report_json(result, [])["actions"]["move"]["masks"]
    assert value == {
        "states": 40, "too_weak": 3, "too_strict": 1, "too_weak_lines": [3, 5, 8],
        "too_strict_lines": [7],
    }  # fmt: skip
    agreed = resulting(replace(SOUND, masks=MaskCheck(40)))
    assert agreed.explains_everything
    assert weak_points(agreed) == []
    assert evidence_line(agreed.evidence[0], "neural").endswith("40 of 40 masks agree")
    assert "masks" not in report_json(resulting(SOUND), [])["actions"]["move"]


def test_under_noise_masks_are_named_and_do_not_decide_the_status():
    wrong = resulting(replace(SOUND, masks=MaskCheck(40, (3,))))
    noisy = replace(wrong, noise=NoiseEstimate(1.0, {}, 0, 0))
    assert not wrong.explains_everything
    assert noisy.explains_everything
    assert weak_points(noisy) == weak_points(wrong) != []


def test_masks_of_several_files_name_the_file():
    check = MaskCheck(3, (Line(14, "b.jsonl", 5),), (Line(2, "a.jsonl", 2), Line(13, "b.jsonl", 4)))
    value = masks_json(check)
    assert value["too_weak_lines"] == ["b.jsonl:5"]
    assert value["too_strict_lines"] == ["a.jsonl:2", "b.jsonl:4"]
    assert masks_json(MaskCheck(1, (7,)))["too_weak_lines"] == [7]
