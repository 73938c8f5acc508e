"""The certificate in words: weak points, what would help, what to do next."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from dias.config import LearningConfig
from dias.learning.certificate.causes import Cause
from dias.learning.certificate.support import ApartEffects, Doubt, LiteralSupport, Support, Trial
from dias.learning.data.masks import MaskCheck
from dias.learning.data.refusals import NO_ATTEMPTS, Refusals
from dias.learning.noise.estimate import NoiseEstimate
from dias.learning.result import ActionEvidence
from dias.learning.schema import Origin
from dias.report.causes import cause_text
from dias.report.certificate import evidence_line, next_step, refusals_json, support_json
from dias.report.doubts import KINDS, counted, doubts, untested_lines, weak_points
from dias.report.learning import learning_text, provenance, report_json
from dias.report.to_record import advice
from dias.traces.record import LabelMode
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
    n_states=40,
    n_allowed=80,
    n_observed=60,
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
            "arguments (line 7): are they all recorded?",
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


def test_advice_says_what_would_decide():
    result = replace(resulting(DOUBTFUL, n=10, n_explained=8), unobserved=("fly",))
    texts = advice(result)
    assert texts[0] == "fly: record it at all; it was never observed."
    assert all(text.startswith("move: ") for text in texts[1:])
    said = " ".join(texts)
    assert "the 2 transitions that stay unexplained" in said
    assert "record 10 more different transitions at least; 10 are few" in said
    assert "why attempts were refused" in said
    # 0.25 = b^10, so b^n < 0.01 from n = 33.2 on.
    assert "no state seen has objects that violate (red ?x1), (not (blue ?x1))" in said
    assert "about 24 more samples of this kind would settle it" in said
    assert "refused try" not in said  # there is nothing to try
    # 0.003 = b^10, so b^n < e^-14 from n = 24.1 on.
    assert "about 15 more samples of this kind would show whether it has a parameter" in said
    assert "record steps that change (not (hot ?x1))" in said


@pytest.mark.parametrize(
    ("labels", "how"), [(LabelMode.NAMES, '"applicable"'), (LabelMode.FULL, '"next": null')]
)
def test_what_to_try_and_what_comes_of_it(labels, how):
    """The gravest on the terminal, all of them in the advice, in JSON and in the file."""
    missing, red = ("(in ?x1 ?x3)",), ("(red ?x1)", "(not (blue ?x1))")
    trials = (
        Trial(red, 12, (("?x1", "a"), ("?x2", "b"))),
        Trial(missing, 3, (("?x1", "c"), ("?x2", "b"))),
        Trial(("(not (= ?x1 ?x2))",), 9, ()),
    )
    support = replace(DOUBTFUL, refusals=NO_ATTEMPTS, may_be_needed=trials[2][0], trials=trials)
    result = replace(resulting(support), labels=labels)
    texts = advice(result)
    assert texts[:3] == [
        "move: try it with ?x1 a, ?x2 b in the state of line 12, where of its preconditions "
        "(red ?x1), (not (blue ?x1)) alone fails: if it works, that is not needed; if it is "
        "refused, it is.",
        "move: try it with ?x1 c, ?x2 b in the state of line 3, where nothing is (in ?x1 ?x3): if "
        "it works, it has no such parameter.",
        "move: try it in the state of line 9, where (not (= ?x1 ?x2)) fails, which was left out: "
        "if it works, that is not needed; if it is refused, it is.",
    ]
    assert "violate (big ?x1) and nothing else" in texts[3]  # which nothing seen lets one try
    assert "A refused try is recorded" in texts[-1] and how in texts[-1]
    assert next_step(result, "d.pddl") == (
        "Next: try move with ?x1 c, ?x2 b in the state of line 3, which tells whether a parameter "
        "is missing; then learn again, or measure: dias evaluate d.pddl --gt TRUE.pddl"
    )
    assert support_json(support)["trials"][1] == {
        "literals": ["(in ?x1 ?x3)"], "line": 3, "objects": {"?x1": "c", "?x2": "b"}
    }  # fmt: skip
    said = provenance(result)
    [place] = [n for n, line in enumerate(said) if line == "What to try, and what it tells:"]
    assert said[place + 1 : place + 3] == [
        "  move with ?x1 c, ?x2 b in the state of line 3, which tells whether a parameter is "
        "missing",
        "  move in the state of line 9, which tells whether (not (= ?x1 ?x2)) is needed",
    ]
    sure = replace(support, missing=None, may_be_needed=())
    assert "which tells whether (red ?x1), (not (blue ?x1)) is needed" in next_step(
        resulting(sure), "d.pddl"
    )


def test_a_literal_that_hardly_excludes_anything_asks_for_other_states():
    support = replace(SOUND, weak=(Doubt(("(big ?x1)",), 0.999),))
    assert "far more samples from other states" in advice(resulting(support))[0]


def test_next_step():
    assert "measure: dias evaluate d.pddl" in next_step(resulting(SOUND, n=5), "d.pddl")
    weak = replace(SOUND, weak=DOUBTFUL.weak)
    assert next_step(resulting(SOUND, weak), "-") == (
        "Next: record more of wait and learn again, or measure: "
        "dias evaluate LEARNED --gt TRUE.pddl"
    )
    assert "find out what contradicts" in next_step(resulting(SOUND, n_explained=99), "d.pddl")
    assert "find out what contradicts" in next_step(resulting(DOUBTFUL), "d.pddl")


def test_where_time_ended_more_of_it_is_the_next_step():
    """What was left undone contradicts nothing. The file names all actions, the terminal some."""
    actions = [f"go-{number}" for number in range(11)]
    result = replace(resulting(SOUND), undone={"further parameters": actions, "noise": [""]})
    assert next_step(result, "d.pddl").startswith("Next: allow more time (--time-limit)")
    wrong = replace(resulting(SOUND, n_explained=99), undone=result.undone)
    assert "find out what contradicts" in next_step(wrong, "d.pddl")
    [line] = [line for line in provenance(result) if "left undone" in line]
    assert ", ".join(actions) in line and line.endswith("; noise. Allow more time to have it done.")
    [line] = [line for line in learning_text(result).splitlines() if "left undone" in line]
    assert "go-7 and 3 more" in line


def test_the_next_step_where_effects_depend_on_the_state():
    sound, wrong = resulting(SOUND), resulting(SOUND, n_explained=99)
    assert next_step(wrong, "d.pddl").endswith("on the state (--effects conditional)")
    tried = replace(wrong, config=LearningConfig(effects="conditional"))
    assert "--effects" not in next_step(tried, "d.pddl")
    divided = replace(sound, variants={"go": ("go-1", "go-2")})
    assert "--gt TRUE.pddl --variants, or dias plan" in next_step(divided, "d.pddl")
    network = replace(sound, is_network=True)
    assert next_step(network, "m.ckpt") == "Next: dias evaluate m.ckpt --gt TRUE.pddl"


def test_the_file_and_the_terminal_list_some_and_count_the_rest():
    weak = tuple(Doubt((f"(p{i} ?x1)",), 0.5 - i / 100) for i in range(14))
    result = resulting(replace(SOUND, weak=weak))
    for lines, n_listed in ((provenance(result), 10), (learning_text(result).splitlines(), 5)):
        heading = lines.index("Weak points (14):")
        assert lines[heading + 1] == "  move: (p0 ?x1) may be a coincidence (chance 0.5)"
        said = f"  and {14 - n_listed} more: {14 - n_listed} may allow too little"
        assert lines[heading + 1 + n_listed] == said
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
