"""What to record and to do next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import LearningConfig
from dias.learning.certificate.causes import Cause
from dias.learning.certificate.support import Doubt, Trial
from dias.learning.data.refusals import NO_ATTEMPTS
from dias.report.certificate import next_step, support_json
from dias.report.learning import learning_text, provenance
from dias.report.to_record import advice
from dias.traces.record import LabelMode
from tests.report.test_certificate import DOUBTFUL, SOUND, resulting


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


def test_what_noise_may_have_made_asks_for_steps_that_show_it():
    causes = (Cause("noise", 9, 3), Cause("feigned", 24, 3, ("knows",)))
    result = resulting(SOUND)
    [own] = result.evidence
    found = advice(replace(result, evidence=(replace(own, causes=causes),)))
    assert [text for text in found if "noise decides" in text] == [
        "move: record more steps in which it changes knows: where that holds already, noise "
        "decides what it seems to change."
    ]
    assert not [text for text in advice(result) if "noise decides" in text]


def test_next_step():
    assert "measure: dias evaluate d.pddl" in next_step(resulting(SOUND, n=5), "d.pddl")
    weak = replace(SOUND, weak=DOUBTFUL.weak)
    assert next_step(resulting(SOUND, weak), "-") == (
        "Next: record more of wait and learn again, or measure: "
        "dias evaluate LEARNED --gt TRUE.pddl"
    )
    assert "find out what contradicts" in next_step(resulting(SOUND, n_explained=99), "d.pddl")
    assert "find out what contradicts" in next_step(resulting(DOUBTFUL), "d.pddl")


def test_where_objects_are_none_of_the_arguments_these_are_looked_at_first():
    result = resulting(SOUND, n_explained=90)
    [own] = result.evidence
    for kind, is_said in (("unnamed", True), ("odd", False)):
        wrong = replace(result, evidence=(replace(own, causes=(Cause(kind, 10, 3),)),))
        assert ("arguments that are wrong or missing" in next_step(wrong, "d.pddl")) == is_said


def test_what_stands_for_several_actions_gets_several_names():
    either = Doubt(("(road ?x1)", "(river ?x1)"), 1e-9)
    result = resulting(SOUND, replace(SOUND, either=either))
    assert "whether wait stands for several actions" in next_step(result, "d.pddl")
    assert any("(road ?x1) or (river ?x1); no precondition" in text for text in advice(result))
    assert support_json(result.evidence[1].support)["either"]["chance"] == 1e-9
    assert not support_json(result.evidence[0].support)["either"]


def test_where_time_ended_more_of_it_is_the_next_step():
    """What was left undone contradicts nothing. The file names all actions, the terminal some."""
    actions = [f"go-{number}" for number in range(11)]
    result = replace(resulting(SOUND), undone={"further parameters": actions, "noise": [""]})
    assert next_step(result, "d.pddl").startswith("Next: allow more time (--time-limit)")
    wrong = replace(resulting(SOUND, n_explained=99), undone=result.undone)
    assert next_step(wrong, "d.pddl") == (
        next_step(result, "d.pddl") + "; what contradicts the domain (lines above) may be gone then"
    )
    wrong = replace(wrong, undone={})
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
