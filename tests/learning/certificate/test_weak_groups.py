"""Which literals of a finished schema are weak, and as what they are named."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dias.learning.certificate import count_support
from dias.learning.certificate.coincidence import Group
from dias.learning.certificate.literal_texts import literal_text
from dias.learning.certificate.support import Doubt
from dias.learning.schema import Hint, LiftedAtom, Literal, SecondWay
from dias.traces.infer_types import Types
from tests.learning.cases import lifted_schema, literals
from tests.learning.certificate.lamps import LAMP, LAMPS, LIGHT, supported
from tests.traces.files import read


def test_weak_groups_are_those_of_what_is_written(monkeypatch):
    """The literal that is left stands for those that went with it."""
    monkeypatch.setattr(count_support, "infer_types", lambda traces: Types())
    shelf = {
        "dias": "trace/1", "labels": "full", "objects": dict.fromkeys("abc", "object"),
        "predicates": {"red": ["object"], "blue": ["object"], "held": ["object"]},
        "static": ["(red a)", "(blue b)", "(blue c)"],
    }  # fmt: skip
    traces = read(shelf, {"state": [], "action": "(take a)", "next": ["(held a)"]})
    whole = lifted_schema("take", 1, literals("held 0"), (), literals("red 0"), literals("blue 0"))
    (group,) = supported(whole, traces).weak
    assert set(group.literals) == {"(red ?x1)", "(not (blue ?x1))"}
    assert group.chance == pytest.approx(1 / 3)
    short = replace(whole, negative=())
    found = supported(short, traces)
    assert [(one.literals, one.chance) for one in found.weak] == [(("(red ?x1)",), group.chance)]
    # And a literal that excludes nothing that was there to be excluded is said to be untested.
    idle = replace(whole, negative=literals("blue 0", "held 0"))
    rows = {one.text: one.chance for one in supported(idle, traces).literals}
    assert rows["(not (held ?x1))"] is None
    assert rows["(red ?x1)"] == pytest.approx(1 / 3)
    assert supported(idle, traces).n_untested == 1  # of the two others one may be meant: doubtful


@pytest.mark.parametrize(("static", "is_kind"), [("(blue c)", True), ("(red c)", False)])
def test_what_divides_the_objects_is_no_doubt(static, is_kind):
    """What is red, or blue, is what things are, unless some are both; people mean it."""
    shelf = {
        "dias": "trace/1", "labels": "full", "objects": dict.fromkeys("abc", "object"),
        "predicates": {"red": ["object"], "blue": ["object"], "held": ["object"]},
        "static": ["(red a)", "(blue b)", "(blue c)", static],
    }  # fmt: skip
    traces = read(shelf, {"state": [], "action": "(take a)", "next": ["(held a)"]})
    schema = lifted_schema("take", 1, literals("held 0"), (), literals("red 0"))
    found = supported(schema, traces)
    assert [one.literals for one in found.weak] == ([] if is_kind else [("(red ?x1)",)])
    words = {found.word(one) for one in found.literals if one.role == "precondition"}
    assert words == {"doubtful"}  # of one step nothing else can be said


def weak_groups(monkeypatch, traces, written, *groups):
    """The weak groups and the chances of the literals, where these are the groups found."""
    named = {
        text: Literal(literals(text.removeprefix("-"))[0], text[0] != "-")
        for text in ("warm 0", "-hot 0", "-on 0", "used")
    }
    asked = []

    def found(schema, examples, bindings, traces):
        asked.append((schema, bindings))
        return [Group(tuple(named[text] for text in texts), chance) for texts, chance in groups]

    monkeypatch.setattr(count_support, "groups_of_preconditions", found)
    support = supported(written, traces)
    assert [schema for schema, _ in asked] == [written]
    return support, asked[0][1]


def test_of_groups_with_the_same_literals_left_the_weakest_is_named(traces, monkeypatch):
    """The file may leave out what types say; here groups have literals that it does not have."""
    written = replace(LIGHT, positive=literals("used"), negative=literals("on 0"))
    found, _ = weak_groups(
        monkeypatch, traces, written,
        (("used", "warm 0"), math.log(0.9)),
        (("warm 0",), math.log(0.8)),  # nothing of it is written
        (("used", "-on 0"), math.log(0.7)),
        (("used", "-hot 0"), math.log(0.6)),
        (("-on 0",), math.log(0.001)),  # not weak
    )  # fmt: skip
    assert [(one.literals, one.chance) for one in found.weak] == [
        (("(used)",), pytest.approx(0.9)),
        (("(used)", "(not (on ?x1))"), pytest.approx(0.7)),
    ]
    chances = {one.text: one.chance for one in found.literals if one.chance is not None}
    assert chances == {"(used)": pytest.approx(0.9), "(not (on ?x1))": pytest.approx(0.7)}


def test_the_explanations_that_are_weighed_are_those_of_what_is_written(monkeypatch):
    """Written short, a may be the lamp as well as b; that it is warm tells them apart."""
    header = LAMPS | {"labels": "names", "types": {}, "objects": dict.fromkeys("abt", "object")}
    header |= {"predicates": {"on": ["object"], "warm": ["object"], "used": []}}
    traces = read(
        header,
        {"state": ["(on a)", "(on b)", "(warm b)"], "action": "light",
         "next": ["(on a)", "(on b)", "(warm b)"]},
        {"state": ["(on a)"], "action": "light", "next": ["(on a)"]},
    )  # fmt: skip
    short = lifted_schema("light", 1, literals("on 0"))
    whole = replace(short, positive=literals("warm 0"))
    found, bindings = weak_groups(monkeypatch, traces, short)
    assert bindings == [(0,), (0,)]
    assert found.unexplained_lines == ()
    found, bindings = weak_groups(monkeypatch, traces, whole)
    assert bindings == [(1,), None]
    assert len(found.unexplained_lines) == 1


def test_a_hint_becomes_a_missing_parameter(traces):
    hinted = replace(LIGHT, hint=Hint(literals("warm 1"), 1, -4.0))
    found = supported(hinted, traces)
    assert found.missing.literals == ("(warm ?x2)",)
    assert found.missing.chance == pytest.approx(0.0183, abs=1e-4)
    assert found.has_doubts
    assert supported(LIGHT, traces).missing is None


def test_literals_as_text(traces):
    atom = literals("on 0")[0]
    assert literal_text(Literal(atom, True), ["?x1"], traces) == "(on ?x1)"
    assert literal_text(Literal(atom, False), ["?x1"], traces) == "(not (on ?x1))"
    assert literal_text(Literal(LAMP, True), ["?x1"], traces) == "?x1 - lamp"


@pytest.mark.parametrize(("chance", "is_weak"), [(0.75, True), (0.5, True), (0.49, False)])
def test_a_variable_that_is_hardly_worth_its_cost_is_weak_in_all_that_it_satisfies(
    traces, chance, is_weak
):
    """As likely as not it is none: e to minus the nats that the schema is better with it."""
    extra = Hint((*literals("on 1", "warm 0"), LiftedAtom("type lamp", (1,))), 1, math.log(chance))
    schema = replace(LIGHT, n_variables=2, positive=(LAMP, *extra.query[::2]), doubtful=extra)
    found = supported(schema, traces)
    weak = {own.literals: own.chance for own in found.weak}
    # What is no precondition is not said.
    assert weak.get(("(on ?x2)", "?x2 - lamp")) == (pytest.approx(chance) if is_weak else None)
    assert found.doubtful == Doubt(("(on ?x2)", "?x2 - lamp"), pytest.approx(chance))
    assert {found.word(x) for x in found.literals if x.text == "(on ?x2)"} == {"doubtful"}
    without = supported(replace(schema, doubtful=None), traces).weak
    assert ("(on ?x2)", "?x2 - lamp") not in [own.literals for own in without]
    only = replace(schema, doubtful=extra._replace(query=literals("warm 0")))
    assert supported(only, traces).weak == without


@pytest.mark.parametrize(("n_nats", "chance"), [(-1.0, math.exp(-1)), (0.5, 1.0)])
def test_a_second_way_to_bind_is_a_doubt_about_what_is_lost(traces, n_nats, chance):
    warm, hot, on = (Literal(*literals(x), True) for x in ("warm 0", "hot 0", "on 0"))
    ways = (SecondWay((warm, hot), (on,), n_nats), SecondWay((hot,), (on,), n_nats))
    written = replace(LIGHT, positive=(LAMP, warm.atom), second_ways=ways)
    [doubt] = [own for own in supported(written, traces).weak if own.instead]
    assert doubt == Doubt(("(warm ?x1)",), pytest.approx(chance), ("(on ?x1)",))  # hot is not there
