"""Equalities, inequalities, and constants in the counts behind a finished schema."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable
from dias.learning.explain.at_once import bind
from dias.learning.extend.variables import with_variables
from dias.learning.schema import DIFFERENT, Hint, LiftedAtom
from tests.learning.cases import lifted_schema, literals
from tests.learning.certificate.lamps import supported
from tests.traces.files import read

HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"on": ["object"], "by": ["object"] * 2},
    "objects": dict.fromkeys("abc", "object"),
}


def step(before, after, action="press"):
    return {"state": before, "action": action, "next": after}


def rows(schema, traces):
    return {(one.role, one.text): one for one in supported(schema, traces).literals}


def test_an_atom_that_is_deleted_and_added_was_not_deleted():
    """Of two lamps one goes on; what goes out can only be the same one, which is on after all."""
    trick = lifted_schema("press", 2, literals("on 0"), literals("on 1"))
    two = HEADER | {"objects": dict.fromkeys("ab", "object")}
    counts = {text: one.n_changed for (_, text), one in rows(
        trick, read(two, step(["(on a)"], ["(on a)", "(on b)"]))
    ).items()}  # fmt: skip
    assert counts == {"(on ?x1)": 1, "(not (on ?x2))": 0}
    # The other way round one goes out and the other, which is on, may be what is put on.
    counts = {text: one.n_changed for (_, text), one in rows(
        trick, read(two, step(["(on a)", "(on b)"], ["(on a)"]))
    ).items()}  # fmt: skip
    assert counts == {"(on ?x1)": 0, "(not (on ?x2))": 1}


def test_comparisons_are_preconditions_with_chances():
    """From nothing to a on and b hot: of any two lamps, one the other or not."""
    header = HEADER | {"predicates": HEADER["predicates"] | {"hot": ["object"]}}
    steps = [step([], ["(on a)", "(hot b)"]), step([], ["(on b)", "(hot a)"])]
    traces = read(header, *steps)
    schema = lifted_schema(
        "press", 2, literals("on 0", "hot 1"), negative=literals("= 0 1", "by 0 1")
    )
    found = rows(schema, traces)
    assert list(found) == [
        ("precondition", "(not (= ?x1 ?x2))"),
        ("precondition", "(not (by ?x1 ?x2))"),
        ("add", "(hot ?x2)"),
        ("add", "(on ?x1)"),
    ]
    unequal = found["precondition", "(not (= ?x1 ?x2))"]
    # Six of nine pairs are of two objects.
    assert (unequal.n_samples, unequal.n_instances) == (2, 2)
    assert unequal.chance == pytest.approx((6 / 9) ** 2)
    assert not unequal.is_untested and found["precondition", "(not (by ?x1 ?x2))"].is_untested
    assert supported(schema, traces).weak == ()  # people mean it
    # After one of the steps it is as likely as not an accident: nothing said, nothing doubted.
    once = supported(schema, read(header, steps[0]))
    assert once.weak == () and once.n_untested == 2
    equal = replace(schema, positive=literals("= 0 1", "by 0 0"), negative=())
    found = rows(equal, read(header, step(["(by a a)"], ["(by a a)", "(on a)", "(hot a)"])))
    assert [text for role, text in found if role == "precondition"] == [
        "(= ?x1 ?x2)", "(by ?x1 ?x1)",
    ]  # fmt: skip
    # With x1 = a, x2 is one of three; with the two of them one object, x1 is.
    assert found["precondition", "(= ?x1 ?x2)"].chance == pytest.approx(1 / 3)
    assert found["precondition", "(by ?x1 ?x1)"].chance == pytest.approx(1 / 3)


def test_different_instances_of_an_inequality_are_pairs():
    schema = lifted_schema(
        "move", 2, literals("on 1"), literals("on 0"), negative=literals("= 0 1")
    )
    moves = [("a", "b"), ("b", "c"), ("a", "c")]
    lines = [step([f"(on {x})"], [f"(on {y})"], "move") for x, y in [*moves, *moves]]
    again = HEADER | {"problem": "again"}
    found = rows(schema, read(HEADER | {"problem": "one"}, *lines, again, lines[0]))
    unequal = found["precondition", "(not (= ?x1 ?x2))"]
    assert (unequal.n_samples, unequal.n_instances) == (4, 4)


POST = HEADER | {"constants": ["c"]}


def test_constants_are_written_as_themselves():
    """They have no type row, are the same in every step, and have no place among parameters."""
    schema = lifted_schema(
        "tie", 3, literals("by 1 0", "on 0"), literals("by 2 0"),
        literals("by 2 0"), literals("on 1", "= 0 1", "= 1 2"),
    )  # fmt: skip
    schema = replace(schema, constants=("c",))
    found = rows(
        schema,
        read(
            POST,
            step(["(by b c)"], ["(by a c)", "(on c)"], "tie"),
            step(["(by a c)", "(on c)"], ["(by b c)", "(on c)"], "tie"),
        ),
    )
    assert {key: (one.n_samples, one.n_changed, one.n_instances) for key, one in found.items()} == {
        ("precondition", "(by ?x2 c)"): (2, None, 2),
        ("precondition", "(not (= ?x1 ?x2))"): (2, None, 2),
        ("precondition", "(not (= c ?x1))"): (2, None, 2),
        ("precondition", "(not (on ?x1))"): (2, None, 2),
        ("add", "(by ?x1 c)"): (2, 2, 2),
        ("add", "(on c)"): (2, 1, 1),
        ("delete", "(not (by ?x2 c))"): (2, 2, 2),
    }


def test_a_hint_numbers_its_parameters_after_the_constants():
    """Inequalities are left out of it where something else is asked for."""
    traces = read(POST, step([], ["(on a)"]))
    different = [LiftedAtom(DIFFERENT, pair) for pair in ((0, 2), (1, 2))]
    schema = replace(lifted_schema("press", 2, literals("on 1")), constants=("c",))
    hint = Hint((*literals("by 0 2", "by 2 1"), *different), 1, -4.0)
    missing = supported(replace(schema, hint=hint), traces).missing
    assert missing.literals == ("(by c ?x2)", "(by ?x2 ?x1)")
    alone = Hint(tuple(different), 1, -4.0)
    missing = supported(replace(schema, hint=alone), traces).missing
    assert missing.literals == ("(not (= c ?x2))", "(not (= ?x1 ?x2))")
    assert missing.chance == pytest.approx(math.exp(-4))


def test_that_there_must_be_another_object_is_a_hint():
    """One of two lamps is pressed as long as the other is off; where it is on, nobody does."""
    two = HEADER | {"objects": dict.fromkeys("ab", "object"), "actions": ["press", "rest"]}
    rests = [step(own, own, "rest") for own in (["(on a)"], ["(on b)"])] * 4
    lines = [step([], ["(on a)"]), *rests, step([], ["(on b)"])]
    traces = read(two, *lines)
    group = examples_by_action(traces)["press"]
    schema = lifted_schema("press", 1, literals("on 0"), negative=literals("on 0"))
    found = BindingTable.of(bind(schema.effects, group), 1)
    *_, schema = with_variables(schema, group, found, traces)
    # The two states in which nobody did are passed over four times, among two actions.
    chance = pytest.approx(math.log(1 / 256))
    assert schema.hint == Hint((LiftedAtom(DIFFERENT, (0, 1)),), 1, chance)
    assert supported(schema, traces).missing.literals == ("(not (= ?x1 ?x2))",)
