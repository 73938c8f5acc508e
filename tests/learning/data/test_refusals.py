"""Refused attempts: what they say, and that learning listens."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dias.config import LearningConfig
from dias.learning.data.refusals import Refusals, count_refusals
from dias.learning.extend.evidence import Evidence
from dias.learning.finish.assemble import action_schema
from dias.learning.finish.shorten import minimal_preconditions
from dias.learning.learn import learn
from dias.strips.model import ActionSchema, Atom, Parameter
from dias.traces.record import LabelMode, RefusedAction
from tests.learning.cases import lifted_schema, literals
from tests.learning.extend.test_evidence import (
    MOVES,
    SAME_CITY,
    WIDE,
    drives,
    learned,
    narrowed,
    with_relation,
)
from tests.traces.files import read

SYMBOLIC = LearningConfig(method="symbolic")

DOORS = {
    "dias": "trace/1",
    "labels": "full",
    "predicates": {"shut": ["object"], "open": ["object"], "locked": ["object"], "dark": []},
    "objects": dict.fromkeys("abc", "object"),
}


def door(shut, open_=(), locked=(), dark=False):
    atoms = [f"(shut {d})" for d in shut] + [f"(open {d})" for d in open_]
    return atoms + [f"(locked {d})" for d in locked] + ["(dark)"] * dark


def pull(action, before, after):
    return {"state": before, "action": action, "next": after}


OPENED = [
    pull("(pull a)", door("abc"), door("bc", "a")),
    pull("(pull b)", door("bc", "a"), door("c", "ab")),
    pull("(pull c)", door("abc", dark=True), door("ab", "c", dark=True)),
]
LOCKED = pull("(pull b)", door("abc", locked="b"), None)


def test_with_all_arguments_one_ground_action_is_refused():
    traces = read(DOORS, *OPENED, LOCKED)
    weak = ActionSchema("pull", (Parameter("?x1"),), frozenset({Atom("shut", ("?x1",))}))
    strict = replace(weak, negative_preconditions=frozenset({Atom("locked", ("?x1",))}))
    assert count_refusals(weak, traces) == Refusals(0, 1, 0, (5,))
    assert count_refusals(strict, traces) == Refusals(1, 0, 0)
    assert Refusals(1, 2, 3, (7, 9)).n_attempts == 6


def test_names_alone_contradict_only_what_has_no_parameter():
    traces = read(DOORS | {"labels": "names"}, *OPENED, LOCKED)
    weak = ActionSchema("pull", (Parameter("?x1"),), frozenset({Atom("shut", ("?x1",))}))
    assert count_refusals(weak, traces) == Refusals(0, 0, 1)
    assert count_refusals(ActionSchema("pull"), traces) == Refusals(0, 1, 0, (5,))
    never = replace(weak, preconditions=frozenset({Atom("open", ("?x1",))}))
    assert count_refusals(never, traces) == Refusals(1, 0, 0)


def test_each_attempt_at_the_action_counts_and_no_other():
    """Two of each kind, and one at another action."""
    shut = frozenset({Atom("shut", ("?x1",))})
    weak = ActionSchema("pull", (Parameter("?x1"),), shut)
    attempts = [
        pull(f"(pull {name})", door(shut), None)
        for shut, name in (("ab", "a"), ("c", "a"), ("abc", "b"), ("c", "b"))
    ]
    other = pull("(push a)", door("ab"), None)
    traces = read(DOORS, *OPENED, *attempts, other)
    assert count_refusals(weak, traces) == Refusals(2, 2, 0, (5, 7))
    named = [attempt | {"action": "pull"} for attempt in attempts]
    traces = read(DOORS | {"labels": "names"}, *OPENED, *named, other | {"action": "push"})
    assert len(traces.refused) == 4  # without names two attempts are the same
    assert count_refusals(weak, traces) == Refusals(0, 0, 3)
    assert count_refusals(replace(weak, preconditions=frozenset({Atom("dark")})), traces) == (
        Refusals(3, 0, 0)
    )


def test_leading_arguments_refuse_every_completion():
    header = {
        "dias": "trace/1", "labels": "partial", "objects": dict.fromkeys("abk", "object"),
        "predicates": {"at": ["object", "object"], "free": ["object"]},
    }  # fmt: skip
    at_a, at_b = ["(at k a)", "(free b)"], ["(at k b)", "(free a)"]
    traces = read(header, pull("(go k)", at_a, at_b), pull("(go b)", at_a, None))
    schema = learn(traces, SYMBOLIC).domain.action("go")
    assert schema.arity == 3
    assert count_refusals(schema, traces) == Refusals(1, 0, 0)
    anything = ActionSchema("go", schema.parameters)
    assert count_refusals(anything, traces) == Refusals(0, 1, 0, (3,))


def test_minimal_keeps_what_rules_an_attempt_out():
    """Without the attempt no state asks for `not locked`."""
    config = replace(SYMBOLIC, preconditions="minimal")
    assert learn(read(DOORS, *OPENED), config).domain.action("pull").negative_preconditions == set()
    result = learn(read(DOORS, *OPENED, LOCKED), config)
    (name,) = result.domain.action("pull").variables
    assert result.domain.action("pull").negative_preconditions == {Atom("locked", (name,))}
    assert result.explains_everything


def test_an_attempt_with_the_same_outcome_as_another_binding_is_ruled_out_too():
    """Looking at something changes nothing, whichever thing it is: successors do not tell."""
    one, two = door("a", "b"), door("b")
    looks = [pull("(look a)", one, one), pull("(look b)", two, two)]
    traces = read(DOORS, *looks, pull("(look b)", one, None))
    schema = lifted_schema(
        "look", 1, positive=literals("shut 0"), negative=literals("open 0", "locked 0", "dark")
    )
    short = action_schema(minimal_preconditions(schema, traces), traces)
    assert count_refusals(short, traces) == Refusals(1, 0, 0)


def test_what_no_literal_rules_out_is_not_explained():
    """The same door in the same state, once opened and once refused."""
    traces = read(DOORS, *OPENED, pull("(pull a)", door("abc"), None))
    result = learn(traces)
    assert (result.n_explained, result.n_distinct) == (3, 3)
    assert not result.explains_everything
    assert result.n_wrongly_allowed == 1
    assert result.evidence[0].support.refusals == Refusals(0, 1, 0, (5,))


@pytest.mark.parametrize("is_listed", [False, True])
def test_what_never_changes_of_a_constant_may_differ_between_problems(is_listed):
    """The gate g is open in the first alone, where one goes; in the second nobody is let go."""
    header = {
        "dias": "trace/1", "labels": "full", "objects": dict.fromkeys("abg", "object"),
        "predicates": {"open": ["object"], "high": ["object"], "done": ["object"]},
        "constants": ["g"],
    }  # fmt: skip

    def problem(name, *fixed):
        always = [] if is_listed else fixed
        own = fixed if is_listed else ()
        yield header | {"problem": name, "static": ["(high g)", *always]}
        for door in "ab":
            after = None if name == "two" else [*own, f"(done {door})"]
            yield pull(f"(go {door})", [*own], after)

    result = learn(read(*problem("one", "(open g)"), *problem("two", "(open a)")), SYMBOLIC)
    assert result.domain.action("go").preconditions == {Atom("open", ("g",))}
    assert result.explains_everything
    assert result.evidence[0].support.refusals == Refusals(2, 0, 0)


def refused_drive(traces, *arguments):
    """An attempt to send the truck at l1 somewhere."""
    state = next(t.state for t in traces.transitions if Atom("at", ("k1", "l1")) in t.state)
    attempt = RefusedAction(0, state, "drive", arguments, 1, 1)
    return replace(traces, labels=LabelMode.STRIPS_PLUS, refused=(attempt,))


def test_a_refused_attempt_is_evidence():
    traces = refused_drive(drives(("l1", "l2")), "k1", "l1", "l3")
    plain = replace(traces, refused=())
    wide = replace(WIDE, effects=WIDE.effects._replace(n_given=3))
    narrow = replace(narrowed(SAME_CITY), effects=wide.effects)
    with_it, without = (Evidence(wide, t) for t in (traces, plain))
    # 15 changes are possible by the wide schema, 3 by the narrow one.
    factor = with_it.log_chance(narrow) - without.log_chance(narrow)
    assert factor == pytest.approx(math.log(12 / 16))
    assert (with_it.refuted_by(narrow), without.refuted_by(narrow)) == (1, 0)
    assert with_it.refuted_by(wide) == 0


def said_by_attempts(wide, narrow, traces, max_states=2000):
    """What the refused attempts alone say of a schema that is narrower than another one."""
    with_them, without = (
        Evidence(wide, own, max_states).log_chance(narrow)
        for own in (traces, replace(traces, refused=()))
    )
    return with_them - without


def test_an_attempt_that_repeats_an_object_speaks_for_an_inequality():
    """A truck does not drive to where it is: of the 15 changes one, which is none, is ruled out."""
    traces = refused_drive(drives(("l1", "l2")), "k1", "l1", "l1")
    wide = replace(WIDE, effects=WIDE.effects._replace(n_given=3))
    for pair, n_ruled_out, n_refuted in (("= 1 2", 1, 1), ("= 0 1", 0, 0)):
        narrow = replace(wide, negative=literals(pair))
        assert Evidence(wide, traces).refuted_by(narrow) == n_refuted
        chance = said_by_attempts(wide, narrow, traces)
        assert chance == (pytest.approx(math.log(n_ruled_out / 16)) if n_ruled_out else 0)
    schema = action_schema(wide, traces)
    assert count_refusals(schema, traces) == Refusals(0, 1, 0, (1,))
    apart = action_schema(replace(wide, negative=literals("= 1 2")), traces)
    assert count_refusals(apart, traces) == Refusals(1, 0, 0)


def test_names_alone_contradict_what_has_constants_and_no_parameter():
    """Only parameters can have been something else."""
    unlock = pull("turn", door("abc", locked="a"), door("abc"))
    traces = read(DOORS | {"labels": "names", "constants": ["b"]}, *OPENED, LOCKED, unlock)
    fixed = ActionSchema("pull", (), frozenset({Atom("shut", ("b",))}))
    assert count_refusals(fixed, traces) == Refusals(0, 1, 0, (5,))
    lifted = lifted_schema("pull", 1, positive=literals("shut 0"))
    locked = replace(lifted, constants=("b",), negative=literals("locked 0"))
    evidence = Evidence(replace(lifted, constants=("b",)), traces)
    assert evidence.refuted_by(locked) == 1
    # With a parameter in place of the constant nobody knows which door it was.
    one_of_all = replace(lifted, negative=literals("locked 0"))
    assert Evidence(lifted, traces).refuted_by(one_of_all) == 0


def test_refused_attempts_are_weighed_one_by_one():
    """Those that the wide schema rules out say nothing, and only so many are looked at."""
    traces = refused_drive(drives(("l1", "l2")), "k1", "l1", "l3")
    [attempt] = traces.refused
    wide = replace(WIDE, effects=WIDE.effects._replace(n_given=3))
    narrow = replace(narrowed(SAME_CITY), effects=wide.effects)
    never = replace(narrowed(literals("loc 3 3")), effects=wide.effects)
    kinds = [("k1", "l1", "l3"), ("k1", "l4", "l3"), ("k1", "l1", "l2"), ("k1", "l1", "l4")]
    kinds += [("k2", "l3", "l1")]
    attempts = tuple(replace(attempt, arguments=own) for own in kinds)
    attempts += (replace(attempt, action="wait", arguments=()),)
    traces = replace(traces, refused=attempts)

    def factor(schema, max_states=2000, traces=traces):
        return said_by_attempts(wide, schema, traces, max_states)

    # Of fifteen changes twelve are ruled out, so are the drives to l3, to l4 and of the other truck
    # to l1.
    assert factor(narrow) == pytest.approx(3 * math.log(12 / 16))
    assert factor(narrow, 4) == pytest.approx(2 * math.log(12 / 16))
    assert factor(never) == pytest.approx(4 * math.log(15 / 16))
    assert Evidence(wide, traces).refuted_by(narrow) == 3
    assert factor(wide) == 0
    assert factor(narrow, traces=replace(traces, labels=LabelMode.NAMES)) == 0


def test_what_an_attempt_is_weighed_by_are_changes():
    """Two further parameters can be anything; at first the fourth is no place, then any is."""
    traces = refused_drive(drives(("l1", "l2")), "k1", "l1", "l3", "c1")
    wide = replace(WIDE, n_variables=5, effects=WIDE.effects._replace(n_given=4))
    city = replace(wide, positive=(*wide.positive, *literals("loc 1 4", "loc 2 4")))
    assert said_by_attempts(wide, city, traces) == pytest.approx(math.log(12 / 16))
    # The attempt is ruled out, but none of the fifteen changes.
    place = replace(wide, positive=(*wide.positive, *literals("loc 3 4")))
    assert said_by_attempts(wide, place, traces) == pytest.approx(math.log(1 / 16))


def test_without_arguments_an_attempt_at_an_action_with_parameters_has_no_weight():
    """Also where none of them occurs in an effect."""
    traces = refused_drive(drives(("l1", "l2")))
    for n_variables, labels, log_chance in (
        (1, LabelMode.NAMES, 0), (1, LabelMode.STRIPS_PLUS, math.log(1 / 2)),
        (0, LabelMode.NAMES, math.log(1 / 2)),
    ):  # fmt: skip
        wide = lifted_schema("drive", n_variables)
        never = lifted_schema("drive", 1, positive=literals("loc 0 0"))
        said = said_by_attempts(wide, never, replace(traces, labels=labels))
        assert said == pytest.approx(log_chance)


def test_fewer_steps_do_where_an_attempt_was_refused():
    """Something is missing for sure; the steps only have to say what."""
    few = with_relation(drives(*MOVES[:3], count=1), 4)
    assert learned(few).n_variables == 3
    schema = learned(refused_drive(few, "k1", "l1", "l3"))
    assert schema.n_variables == 4
    assert set(SAME_CITY) <= set(schema.positive)
    # That the truck can go nowhere, which no query explains, makes none more believable.
    assert learned(refused_drive(few, "k1")).n_variables == 3
