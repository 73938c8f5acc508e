"""The counts behind each literal of a finished schema."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dias.config import LearningConfig, ModelConfig
from dias.learning.certificate import allowed
from dias.learning.certificate.coincidence import log_tail
from dias.learning.learn import learn
from dias.traces.record import LabelMode
from tests.learning.cases import benchmark, lifted_schema, literals, sampled
from tests.learning.certificate.lamps import LAMPS, LIGHT, SYMBOLIC, supported
from tests.traces.files import header, read, step


def test_what_held_and_what_changed(traces):
    found = supported(LIGHT, traces)
    rows = {(one.role, one.text): one for one in found.literals}
    assert list(rows) == [
        ("type", "?x1 - lamp"),
        ("precondition", "(not (on ?x1))"),
        ("add", "(on ?x1)"),
        ("add", "(used)"),
        ("delete", "(not (warm ?x1))"),
    ]
    assert {one.n_samples for one in found.literals} == {4}
    changed = {text: one.n_changed for (_, text), one in rows.items()}
    assert changed == {
        "?x1 - lamp": None, "(not (on ?x1))": None, "(on ?x1)": 4, "(used)": 1,
        "(not (warm ?x1))": 1,
    }  # fmt: skip
    instances = {text: one.n_instances for (_, text), one in rows.items()}
    assert instances["(on ?x1)"] == instances["?x1 - lamp"] == 2  # a and b
    assert instances["(used)"] == 1
    assert [one.text for one in found.thin_effects] == ["(used)", "(not (warm ?x1))"]


def test_an_effect_that_may_have_changed_nothing_is_not_counted():
    """Two explanations, and only one of them needs `used` to change."""
    schema = lifted_schema("swap", 2, literals("on 0"), literals("on 1"))
    header = {"dias": "trace/1", "labels": "names", "predicates": {"on": ["object"]},
              "objects": dict.fromkeys("abc", "object")}  # fmt: skip
    traces = read(header, {"state": ["(on a)"], "action": "swap", "next": ["(on a)", "(on b)"]})
    found = supported(schema, traces)
    # b came on; what went off is c, which was off.
    assert {one.text: one.n_changed for one in found.literals} == {
        "(on ?x1)": 1, "(not (on ?x2))": 0,
    }  # fmt: skip
    assert found.has_doubts


def test_an_effect_changed_something_for_sure_if_it_did_whatever_the_explanation():
    """What the other parameters are does not matter, and all explanations are asked."""
    header = {"dias": "trace/1", "labels": "names", "objects": dict.fromkeys("abcd", "object"),
              "predicates": {"on": ["object"], "by": ["object"] * 2}}  # fmt: skip
    schema = lifted_schema("light", 2, literals("on 0", "on 1"))
    # a came on and some lamp is on already: b and c in the first step, either in the second.
    traces = read(
        header,
        {"state": ["(on b)", "(on c)"], "action": "light", "next": ["(on a)", "(on b)", "(on c)"]},
        {"state": ["(on b)"], "action": "light", "next": ["(on a)", "(on b)"]},
        {"state": [], "action": "light", "next": ["(on a)", "(on b)"]},
    )
    found = supported(schema, traces)
    assert {one.text: one.n_changed for one in found.literals} == {"(on ?x1)": 1, "(on ?x2)": 1}
    # With a further parameter that anything can be: a came on, whatever it is.
    free = lifted_schema("light", 2, literals("on 0"))
    once = read(header, {"state": ["(by a b)"], "action": "light", "next": ["(on a)", "(by a b)"]})
    [only] = supported(free, once).literals
    assert (only.n_changed, only.n_instances) == (1, 1)
    # One of two explanations suffices for no certainty, first or last.
    for before, after in (("a", "ab"), ("b", "ab"), ("c", "ac"), ("c", "bc")):
        step = {"state": [f"(on {x})" for x in before], "action": "light",
                "next": [f"(on {x})" for x in after]}  # fmt: skip
        counts = [one.n_changed for one in supported(schema, read(header, step)).literals]
        assert counts == [0, 0]


def test_instances_are_those_of_the_first_explanation_problem_by_problem():
    one = LAMPS | {"problem": "one", "labels": "names"}
    step = {"state": ["(used)", "(warm a)"], "action": "light", "next": ["(on a)", "(used)"]}
    traces = read(one, step, one | {"problem": "two"}, step, step | {"state": ["(warm a)"]})
    short = replace(LIGHT, negative=(), effects=LIGHT.effects._replace(add=literals("on 0")))
    used = read(one, step, one | {"problem": "two"}, step)
    rows = {one.text: one for one in supported(short, used).literals}
    assert {text: (one.n_instances, one.n_samples) for text, one in rows.items()} == {
        "?x1 - lamp": (2, 2), "(on ?x1)": (2, 2), "(not (warm ?x1))": (2, 2),
    }  # fmt: skip
    # What changes `used` as well stays unexplained and counts for nothing.
    found = supported(short, traces)
    assert found.unexplained_lines == (5,)
    assert {(one.n_instances, one.n_samples) for one in found.literals} == {(2, 2)}
    # Of three lamps that may be the one the first is taken; two steps then share it.
    idle = lifted_schema("light", 1, literals("on 0"))
    on = {"state": ["(on a)", "(on b)"], "action": "light", "next": ["(on a)", "(on b)"]}
    rows = supported(idle, read(one, on, on | {"state": ["(on a)"], "next": ["(on a)"]})).literals
    assert [(row.n_instances, row.n_changed) for row in rows] == [(1, None), (1, 0)]


def test_types_and_literals_come_in_order(traces):
    """Several types are written as one; that anything will do is not said."""
    header = LAMPS | {"predicates": {"on": ["lamp"], "by": [["table", "lamp"], "object"]}}
    traces = read(header, {"state": ["(by t a)"], "action": "(look t a)", "next": ["(by t a)"]})
    positive, negative = literals("by 0 1", "by 0 0"), literals("by 1 1", "by 1 0", "on 1")
    schema = lifted_schema("look", 2, literals("on 1"), literals("by 0 1"), positive, negative)
    texts = [(one.role, one.text) for one in supported(schema, traces).literals]
    assert texts == [
        ("type", "?x1 - (either lamp table)"),
        ("type", "?x2 - lamp"),
        ("precondition", "(by ?x1 ?x1)"),
        ("precondition", "(by ?x1 ?x2)"),
        ("precondition", "(not (by ?x2 ?x1))"),
        ("precondition", "(not (by ?x2 ?x2))"),
        ("precondition", "(not (on ?x2))"),
        ("add", "(on ?x2)"),
        ("delete", "(not (by ?x1 ?x2))"),
    ]
    still = lifted_schema("look", 2, literals("on 1"), (), literals("by 0 1"))
    assert supported(still, traces).n_extra == 0
    assert supported(lifted_schema("look", 3, literals("on 1")), traces).n_extra == 1


def test_successors_of_a_state_count_once_problem_by_problem(traces):
    """Two steps from one state, the same in another problem; what is unexplained has no say."""

    def light(name):
        return {"state": [], "action": f"(light {name})", "next": [f"(on {name})", "(used)"]}

    two = LAMPS | {"problem": "two", "objects": {"a": "lamp"}}
    odd = {"state": ["(used)"], "action": "(light a)", "next": ["(on a)", "(on b)", "(used)"]}
    traces = read(LAMPS | {"problem": "one"}, light("a"), light("b"), odd, two, light("a"))
    assert supported(LIGHT, traces).outcomes == (2, 3 + 1, 2 + 1)


def test_successors_allowed_and_observed(traces):
    """Four states: a, b and o could be lit, except where b is on; one step was seen in each."""
    # In the state with b warm, lighting a, b or o are different changes, too.
    assert supported(LIGHT, traces).outcomes == (4, 3 + 3 + 3 + 2, 4)


def test_successors_are_not_counted_where_they_are_too_many(traces, monkeypatch):
    monkeypatch.setattr(allowed, "ROWS_PER_STATE", 1)
    assert supported(LIGHT, traces).outcomes == (0, 0, 0)


def test_what_is_unexplained_supports_nothing(traces):
    never = replace(LIGHT, effects=LIGHT.effects._replace(add=(), delete=()))
    found = supported(never, traces)
    assert {one.n_samples for one in found.literals} == {0}
    assert (found.weak, found.outcomes) == ((), (0, 0, 0))
    assert found.unexplained_lines == (2, 3, 4, 5)
    assert supported(LIGHT, traces).unexplained_lines == ()


def test_every_method_says_where_its_effects_come_from():
    domain, instances = benchmark("gripper", "p01")
    traces = sampled(domain, instances, 20)
    without = ("fallback",)
    small = LearningConfig(
        without=without, check_every=20, model=ModelConfig(n_slots=3, dim=16, n_layers=2)
    )
    trained = learn(traces, small)
    for result, source in (
        (trained, "network"),
        (learn(traces, SYMBOLIC), "transitions"),
        (learn(sampled(domain, instances, 20, LabelMode.FULL)), "arguments"),
    ):
        assert {evidence.support.origin.source for evidence in result.evidence} == {source}
    for evidence in trained.evidence:
        origin = evidence.support.origin
        assert origin.n_slots == 3
        assert 20 <= origin.step <= trained.n_steps
    still = read({"state": [], "action": "wait", "next": []})
    assert learn(still).evidence[0].support.origin.source == "nothing"


def test_the_schema_of_a_benchmark_stands_on_its_samples():
    """With a hundred samples an action nothing in Gripper is weak or thin."""
    result = learn(sampled(*benchmark("gripper", "p01"), 100), SYMBOLIC)
    assert not result.is_weak
    for evidence in result.evidence:
        assert evidence.support.outcomes.n_allowed >= evidence.support.outcomes.n_observed > 0
        chances = [one.chance for one in evidence.support.literals if one.chance is not None]
        assert chances and max(chances) < 0.01
    few = learn(sampled(*benchmark("gripper", "p01"), 3), SYMBOLIC)
    assert few.is_weak


BURN = header(
    labels="names",
    types=None,
    predicates={"on": ["object"], "warm": ["object"]},
    objects=dict.fromkeys("ab", "object"),
    actions=["light", "wait"],
    static=None,
)
LIT = [step([f"(on {x})"], "(light)", ["(on a)", "(on b)"]) for x in "ba"]


def of_light(*lines, also=()):
    schema = lifted_schema("light", 1, literals("on 0", *also), (), (), literals("on 0"))
    own = supported(schema, read(BURN, *lines))
    (literal,) = (x for x in own.literals if x.role == "precondition")
    assert literal.text == "(not (on ?x1))"
    return own.word(literal), literal.chance is not None


@pytest.mark.parametrize(
    ("line", "is_tested"),
    [
        (step(["(on a)"], "(wait)", ["(warm a)"]), False),
        (step(["(on b)"], "(wait)", ["(on b)"]), True),  # it takes steps that change nothing
        (step(["(on a)", "(on b)"], "(light)", None), True),
        (step(["(on a)", "(on b)"], "(wait)", ["(warm a)"], applicable=["wait"]), True),
    ],
)
def test_what_nobody_tries_who_acts_for_a_purpose(line, is_tested):
    """To light a lamp that burns changes nothing."""
    word, has_chance = of_light(*LIT, line)
    assert (word != "untested", has_chance) == (is_tested, is_tested)


def test_what_is_taken_away_is_meant_to_be_there():
    steps = [step(["(on a)", "(on b)"], "(wait)", [f"(on {x})"]) for x in "ab"]
    schema = lifted_schema("wait", 1, (), literals("on 0"), literals("on 0"))
    own = supported(schema, read(BURN, *steps, step(["(on a)"], "(wait)", [])))
    assert own.literals[0].text == "(on ?x1)"
    assert own.literals[0].chance is not None


def test_another_effect_is_reason_enough_to_try():
    assert of_light(LIT[0]) == ("untested", False)
    warmed = LIT[0] | {"next": [*LIT[0]["next"], "(warm a)"]}
    assert of_light(warmed, also=["warm 0"])[1]


@pytest.mark.parametrize(
    ("line", "word"), [(None, "untested"), (step(["(at c)"], "(wait)", ["(at c)"]), "decided")]
)
def test_nobody_goes_to_where_he_is_who_acts_for_a_purpose(line, word):
    """That the places differ excludes no step but those that change nothing."""
    places = "abcdefgh"
    head = header(
        labels="names", types=None, predicates={"at": ["object"]}, static=None,
        objects=dict.fromkeys(places, "object"), actions=["go", "wait"],
    )  # fmt: skip
    steps = [
        step([f"(at {one})"], "(go)", [f"(at {other})"])
        for one in places
        for other in places
        if one != other
    ]
    at = literals("at 1"), literals("at 0"), literals("at 0"), literals("= 0 1")
    own = supported(lifted_schema("go", 2, *at), read(head, *steps, *filter(None, [line])))
    [inequality] = (x for x in own.literals if x.text == "(not (= ?x1 ?x2))")
    assert own.word(inequality) == word


def test_an_effect_that_far_fewer_steps_show_than_would_by_chance_is_named():
    """Bells are rung; now and then a door is not seen afterwards, as if one had been closed.

    Of three doors two are open at least: to close any of them would mostly be seen.
    """
    bells, doors = [f"b{n}" for n in range(6)], ["d1", "d2", "d3"]
    kinds = {"bell": "object", "door": "object"}
    own = {"dias": "trace/1", "labels": "names", "types": kinds}
    own["predicates"] = {"open": ["door"], "rung": ["bell"]}
    own["objects"] = dict.fromkeys(bells, "bell") | dict.fromkeys(doors, "door")
    lines, n_missed = [], 0
    for number in range(1, 1 << len(bells)):
        rung = [f"(rung {bell})" for place, bell in enumerate(bells) if not number >> place & 1]
        silent = next(bell for bell in bells if f"(rung {bell})" not in rung)
        is_missed = number % 8 == 0
        n_missed += is_missed
        before = [f"(open {door})" for door in (doors if is_missed else doors[1:])]
        after = [f"(open {door})" for door in doors[1:]]
        lines.append(step([*rung, *before], "(ring)", [*rung, f"(rung {silent})", *after]))
    [evidence] = learn(read(own, *lines), SYMBOLIC).evidence
    [thin] = evidence.support.thin_effects
    assert thin.text.startswith("(not (open ?")
    assert (thin.n_changed, thin.n_samples) == (n_missed, len(lines))
    expected = n_missed + 2 / 3 * (len(lines) - n_missed)
    assert thin.log_few == pytest.approx(log_tail(n_missed, len(lines), expected))
    ring = next(one for one in evidence.support.literals if one.text.startswith("(rung ?"))
    assert ring.log_few == 0 and not ring.is_thin
