"""In which order further variables are searched for, and what comes of those that are found."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product
from math import inf
from types import SimpleNamespace

import pytest

from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend import variables
from dias.learning.extend.search import Extended
from dias.learning.extend.variables import MAX_NEW_VARIABLES, complete, with_variables
from dias.learning.schema import Effects, Hint, Origin
from dias.learning.score import MARGIN
from dias.limits import Attempts, OutOfTimeError
from dias.strips.codes import AtomCodes
from tests.learning.cases import example, lifted_schema, literals
from tests.learning.extend.test_evidence import MOVES, drives
from tests.traces.files import atoms, read

CODES = AtomCodes({"p": 1, "r": 2}, ["a", "b", "c"])
NO_BINDINGS = BindingTable.of([[]], 0)


class Script:
    """Searches that find what is written, and note what they were asked for."""

    def __init__(self, n_transitions, *outcomes, has_refused=False):
        self.asked, self.dropped, self.outcomes = [], [], list(outcomes)
        self.evidence = SimpleNamespace(has_refused=has_refused, has_masks=False, is_said=False)
        self.examples = Examples("act", CODES.arities, [None] * n_transitions)
        self.found = BindingTable.of([[()]] * n_transitions, 0)

    def search(self, examples, bindings, schema, n_new, linked, evidence, choice, is_exact, *rest):
        negative, *rest = rest
        assert (examples, evidence, choice, rest) == (
            self.examples,
            self.evidence,
            self,
            [True, [], {}],
        )

        def run():
            kind = linked, n_new, negative
            self.asked.append((schema.n_variables, *kind, len(bindings.owner), is_exact))
            return self.outcomes.pop(0) if self.outcomes else (None, None)

        assert not negative or n_new == 1
        is_none = n_new > 1 or (linked and negative)
        left = () if is_none else self.left if linked else self.unlinked[negative]
        return SimpleNamespace(run=run, untested=lambda: left, n_new=n_new, linked=linked)

    def run(self, monkeypatch, schema, *is_exact):
        monkeypatch.setattr(variables, "Evidence", lambda schema, traces: self.evidence)
        monkeypatch.setattr(variables, "Search", self.search)
        monkeypatch.setattr(variables, "Choice", lambda *_: self)
        monkeypatch.setattr(variables, "second_ways", lambda choice, known: self.ways)
        monkeypatch.setattr(variables, "look_ahead", self.look_ahead)
        if not self.has_steps:
            monkeypatch.setattr(variables, "_obeying", lambda schema, examples, found: found)
        with suppress(OutOfTimeError):
            for better in with_variables(schema, self.examples, self.found, None, *is_exact):
                schema = better
        return schema

    left, unlinked, ways = (), ((), ()), ()
    has_steps = False
    ahead = ()

    def look_ahead(self, search):
        """Asked where nothing was found, of linked pairs."""
        assert (search.linked, search.n_new) == (True, 2)
        self.n_looks += 1
        nothing = None, None, None
        return self.ahead[self.n_looks - 1] if self.n_looks <= len(self.ahead) else nothing

    n_looks = 0

    def bind_anew(self, known):
        return known

    def without_variables(self, known, n_least, n_most):
        """What was new last was looked for since nothing else would do."""
        self.dropped.append((known.schema.n_variables, n_least, n_most))
        return known


def widened(n_variables, n_rows=1, gain=20.0):
    schema = lifted_schema("act", n_variables, literals("p 0"), positive=literals("r 0 1", "r 0 2"))
    return Extended(gain, schema, BindingTable.of([[()]] * n_rows, 0)), None


START = widened(1)[0].schema
KINDS = [(True, 1, False), (True, 2, False), (False, 1, False), (False, 2, False), (False, 1, True)]
KINDS += [(True, 1, True)]


def test_linked_variables_come_before_others_and_one_before_two(monkeypatch):
    script = Script(1)
    assert script.run(monkeypatch, START) == START
    assert script.asked == [(1, *kind, 1, True) for kind in KINDS]
    nothing = (None, None)
    script = Script(1, nothing, nothing, widened(2), nothing, widened(4))
    assert script.run(monkeypatch, START).n_variables == 4
    assert script.asked == [
        *((1, *kind, 1, True) for kind in KINDS[:3]),
        *((2, *kind, 1, True) for kind in KINDS[:2]),
        *((4, *kind, 1, True) for kind in KINDS),
    ]


def test_bindings_that_the_schema_rules_out_are_not_looked_at(monkeypatch):
    """What a step can be bound to, but for one object, lacks a precondition."""
    codes = AtomCodes({"p": 1, "r": 2}, [f"o{n}" for n in range(20)])
    step = example(codes, atoms("r o0 o3"), ())
    script = Script(1)
    script.examples, script.has_steps = Examples("act", codes.arities, [step]), True
    script.found = BindingTable.of([[(0, n) for n in range(4)]], 2)
    schema = lifted_schema("act", 2, literals("p 0"), positive=literals("r 0 1"))
    script.run(monkeypatch, schema)
    assert script.asked == [(2, *kind, 1, True) for kind in KINDS]


def test_there_are_only_so_many_new_variables(monkeypatch):
    script = Script(1, *(widened(n) for n in range(2, 20)))
    assert script.run(monkeypatch, START).n_variables == 1 + MAX_NEW_VARIABLES
    full = widened(1 + MAX_NEW_VARIABLES)[0].schema
    assert Script(1).run(monkeypatch, full) == full
    nearly = Script(1, widened(1 + MAX_NEW_VARIABLES))
    assert nearly.run(monkeypatch, widened(MAX_NEW_VARIABLES)[0].schema) == full


def test_variables_before_the_last_may_be_dropped_and_either_of_a_pair(monkeypatch):
    script = Script(1, widened(2), widened(4), widened(5))
    script.run(monkeypatch, START)
    assert script.dropped == [(2, 1, 1), (4, 1, 4), (5, 1, 4)]
    script = Script(1, widened(2), widened(3), has_refused=True)
    script.run(monkeypatch, START)
    assert script.dropped == []


@pytest.mark.parametrize(("gain", "is_doubtful"), [(0.5, True), (MARGIN, False), (-1.0, False)])
def test_the_last_variable_is_doubtful_if_the_schema_is_hardly_better_with_it(
    monkeypatch, gain, is_doubtful
):
    last = widened(3, gain=gain)
    found = Script(1, widened(2), last).run(monkeypatch, START)
    assert found.doubtful == (Hint(literals("r 0 2"), 1, -gain) if is_doubtful else None)
    # Later ones speak for those before them, and where any was dropped it is another schema.
    assert Script(1, widened(2, gain=gain), widened(3)).run(monkeypatch, START).doubtful is None
    monkeypatch.setattr(Script, "without_variables", lambda *_: (START, NO_BINDINGS))
    assert Script(1, widened(4), last).run(monkeypatch, START).doubtful is None


def test_each_search_is_told_whether_the_steps_are_exact(monkeypatch):
    script = Script(3, widened(2, 5))
    script.run(monkeypatch, START, False)
    kinds = KINDS[:4]  # of what was put right nothing that does not hold is asked
    assert script.asked == [(1, *kinds[0], 3, False), *((2, *kind, 5, False) for kind in kinds)]


def test_the_strongest_hint_of_the_last_round_is_kept(monkeypatch):
    hints = [Hint(literals(f"r 0 {i}"), 1, chance) for i, chance in enumerate((-5, -9, -9, -4))]
    script = Script(1, *((None, hint) for hint in hints))
    assert script.run(monkeypatch, START).hint is hints[1]
    script = Script(1, (None, hints[1]), widened(2), (None, None), (None, hints[3]))
    assert script.run(monkeypatch, START).hint is hints[3]
    script = Script(1, (None, hints[1]), widened(2))
    assert script.run(monkeypatch, START).hint is None


def test_what_is_satisfied_of_one_more_variable_is_kept_but_the_hint(monkeypatch):
    """Of the last schema; where masks say what is applicable there is nothing to be told."""
    one, other = literals("r 0 1"), literals("r 1 0")
    script = Script(1, (None, Hint(one, 1, -5.0)))
    script.left = one, other
    found = script.run(monkeypatch, START)
    assert (found.hint.query, found.further) == (one, (other,))
    script = Script(1)
    script.left = one, other
    script.unlinked = (literals("p 1"),), (literals("not_p 1"),)
    assert script.run(monkeypatch, START).further == (
        one,
        other,
        literals("p 1"),
        literals("not_p 1"),
    )
    assert script.run(monkeypatch, START, False).further == (one, other, literals("p 1"))
    script.evidence.has_masks = script.evidence.is_said = True
    assert script.run(monkeypatch, START).further == ()


def test_where_nothing_pays_a_pair_may_lead_to_what_does(monkeypatch):
    """Then all goes on from there, as long as there is room for three variables."""
    script = Script(1)
    script.ahead = [(*widened(4), None)]
    assert script.run(monkeypatch, START).n_variables == 4
    assert script.asked == [(n, *kind, 1, True) for n in (1, 4) for kind in KINDS]
    assert (script.n_looks, script.dropped) == (1, [(4, 1, 4)])
    script = Script(1, widened(2))
    script.run(monkeypatch, START)
    assert script.n_looks == 1  # not before something was found
    script = Script(1, widened(3))
    script.run(monkeypatch, START)
    assert script.n_looks == 0


def test_a_hint_stays_if_time_ends_looking_ahead(monkeypatch):
    def look_ahead(search):
        raise OutOfTimeError

    near = Hint(literals("r 0 1"), 1, -5.0)
    monkeypatch.setattr(Script, "look_ahead", lambda self, search: look_ahead(search))
    assert Script(1, (None, near)).run(monkeypatch, START).hint is near


def test_the_best_schema_so_far_stays_when_time_ends(monkeypatch):
    """What was looked for then is left undone."""
    traces, attempts, better = drives(MOVES[0]), Attempts(), lifted_schema("drive", 4)

    def with_variables(*_):
        yield from (START, better)
        raise OutOfTimeError

    monkeypatch.setattr(variables, "with_variables", with_variables)
    effects = Effects(3, literals("at 0 2"), literals("at 0 1"))
    group = examples_by_action(traces)["drive"]
    own = complete(effects, group, traces, is_exact=False, origin=ORIGIN, attempts=attempts)
    assert own.n_variables == better.n_variables
    assert attempts.undone == {"further parameters": ["drive"]}


def test_a_hint_further_on_counts_where_there_is_no_nearer_one(monkeypatch):
    far, near = (Hint(literals(f"r 0 {n}"), n, -5.0) for n in (3, 1))
    for outcomes, hint in (([], far), ([(None, near)], near)):
        script = Script(1, *outcomes)
        script.ahead = [(None, far, None)]
        assert script.run(monkeypatch, START).hint is hint


ORIGIN = Origin("network", 1, 2, 3)


def test_completing_counts_what_it_drops_and_merges():
    """Two vessels where one does, an effect that is never one, and one that is always idle.

    As the two vessels may be one object, that the first is held no longer goes before they merge.
    """
    relations = {"holds": 1, "full": 1, "shaken": 1, "tick": 0, "lit": 0}
    codes = AtomCodes(relations, ["g", "s", "x"])
    steps = [
        example(codes, atoms("holds g", "full g", "lit"), atoms("lit")),
        example(codes, atoms("holds s", "shaken s", "lit"), atoms("lit")),
    ]
    group = Examples("empty", relations, steps)
    split = Effects(
        2, literals("lit"), literals("holds 0", "shaken 0", "holds 1", "full 1", "tick")
    )
    schema = complete(split, group, None, ("extra-variables",), ORIGIN)
    assert schema.effects == Effects(1, (), literals("shaken 0", "holds 0", "full 0"))
    assert schema.origin == ORIGIN._replace(n_dropped=3, n_merged=1)
    assert (schema.positive, schema.negative) == (literals("holds 0", "lit"), literals("tick"))
    whole = complete(split, group, None, ("extra-variables", "minimal-effects"), ORIGIN)
    assert (whole.effects, whole.origin) == (split, ORIGIN)


def test_further_variables_are_looked_for_unless_they_are_left_out():
    traces = drives(*MOVES, count=20)
    group = examples_by_action(traces)["drive"]
    effects = Effects(3, literals("at 0 2"), literals("at 0 1"))
    schema = complete(effects, group, traces, origin=ORIGIN)
    assert (schema.n_variables, schema.origin) == (4, ORIGIN)
    without = complete(effects, group, traces, ("extra-variables",))
    assert without.n_variables == 3
    assert without.effects == schema.effects == effects


def finished(states, passed_over, effects, **header):
    """What is learned of `finish`, which adds `done a`, from these states and those of `rest`.

    Of the latter each is visited thirty times, before.
    """
    predicates = {"of": ["object"] * 2, "open": ["object"], "done": ["object"]}
    objects = dict.fromkeys("abgh", "object")
    rests = [{"state": own, "action": "rest", "next": own} for own in passed_over] * 30
    steps = [{"state": own, "action": "finish", "next": [*own, "(done a)"]} for own in states]
    header = {"dias": "trace/1", "predicates": predicates, "objects": objects, **header}
    traces = read(header, *rests, *steps)
    return complete(effects, examples_by_action(traces)["finish"], traces)


def test_a_new_variable_may_be_a_known_object_in_some_steps():
    """Whoever is of what is finished must be open: b once, once a itself."""
    schema = finished(
        [["(of b a)", "(open b)"], ["(of a a)", "(open a)"]],
        [["(of b a)", "(open a)"], ["(of a a)", "(open b)"]],
        Effects(1, literals("done 0"), ()),
    )
    assert (schema.n_variables, schema.positive) == (2, literals("of 1 0", "open 1"))
    assert schema.negative == literals("done 0", "done 1")


def test_a_new_variable_may_be_linked_to_a_constant():
    """Some gate of the hub must be open, a or g; another thing that is open does not help."""
    gates = ["(of g h)", "(of a h)"]
    schema = finished(
        [["(open g)"], ["(open a)"], ["(open g)", "(open b)"]],
        [["(open b)"], []],
        Effects(2, literals("done 1"), (), 1),
        constants=["h"],
        static=gates,
    )
    assert (schema.constants, schema.n_variables, schema.arity) == (("h",), 3, 2)
    assert set(literals("of 2 0", "open 2")) <= set(schema.positive)
    assert set(literals("= 0 1", "= 0 2")) <= set(schema.negative)
    assert literals("= 1 2")[0] not in schema.negative


def test_a_new_variable_may_be_what_something_does_not_hold_of(monkeypatch):
    """Some box that is not locked must be there; one that is locked always is, and hides it."""
    predicates = {"done": ["object"], "locked": ["box"], "mark": ["object"]}
    objects = dict.fromkeys("abc", "object") | dict.fromkeys("xyz", "box")
    header = {
        "dias": "trace/1",
        "types": {"box": "object"},
        "predicates": predicates,
        "objects": objects,
    }
    some = ["(locked x)"], ["(locked y)", "(locked z)"], ["(locked x)", "(locked z)"]
    marks = [f"(mark {name})" for name in "abc"]
    every = [[*(f"(locked {name})" for name in "xyz"), mark] for mark in marks]
    rests = [{"state": own, "action": "rest", "next": own} for own in every] * 20
    states = [[*own, mark] for own in some for mark in marks]
    steps = [{"state": own, "action": "finish", "next": [*own, "(done a)"]} for own in states]
    traces = read(header, *rests, *steps)
    effects = Effects(1, literals("done 0"), ())
    group = examples_by_action(traces)["finish"]
    schema = complete(effects, group, traces)
    assert schema.n_variables == 2
    assert literals("locked 1")[0] in schema.negative
    monkeypatch.setattr(variables, "KINDS", variables.KINDS[:4])
    assert complete(effects, group, traces).n_variables == 1


def test_a_new_variable_may_be_linked_by_what_does_not_hold_alone(monkeypatch):
    """A box is lifted where some crane is not too weak for it; for other boxes all may be."""
    header = {
        "dias": "trace/1",
        "types": {"box": "object", "crane": "object"},
        "predicates": {"lifted": ["box"], "weak": ["crane", "box"]},
        "objects": dict.fromkeys("abc", "box") | dict.fromkeys("xyz", "crane"),
    }
    every = {f"(weak {crane} {box})" for crane in "xyz" for box in "abc"}
    rests = [every, *(every - {f"(weak {crane} b)"} for crane in "xyz")]
    steps = [{"state": [*own], "action": "rest", "next": [*own]} for own in rests * 30]
    for box, crane in product("abc", "xyz"):
        state = every - {f"(weak {crane} {box})"}
        steps += [{"state": [*state], "action": "lift", "next": [*state, f"(lifted {box})"]}] * 4
    traces = read(header, *steps)
    effects, group = Effects(1, literals("lifted 0"), ()), examples_by_action(traces)["lift"]
    schema = complete(effects, group, traces)
    assert schema.n_variables == 2
    assert literals("weak 1 0")[0] in schema.negative
    monkeypatch.setattr(variables, "KINDS", variables.KINDS[:5])
    assert complete(effects, group, traces).n_variables == 1


def test_searches_are_told_whether_steps_may_be_odd(monkeypatch):
    told = []

    def search(*arguments):
        told.append(arguments[-3])
        return SimpleNamespace(
            run=lambda: (None, None), untested=tuple, n_new=arguments[3], linked=arguments[4]
        )

    script = Script(1)
    script.search = search
    monkeypatch.setattr(variables, "Evidence", lambda schema, traces: script.evidence)
    for module_name, fake in (
        ("Search", search),
        ("Choice", lambda *_: script),
        ("second_ways", lambda choice, known: ()),
        ("look_ahead", lambda search: (None, None, None)),
        ("_obeying", lambda schema, examples, found: found),
    ):
        monkeypatch.setattr(variables, module_name, fake)
    for may_be_odd in (True, False):
        list(with_variables(START, script.examples, script.found, None, may_be_odd=may_be_odd))
    assert told == [True] * len(KINDS) + [False] * len(KINDS)


EVERY, FEWER = Effects(2, literals("p 0", "p 1"), ()), Effects(1, literals("p 0"), ())


def decided(monkeypatch, n_certain, is_exact=True, n_every=60, **scores):
    """Which of the schemas that are completed stays, and which those were.

    All effects, those that are paid for, the same where no step may be odd; of sixty steps.
    """
    names = {(EVERY, True): "every", (FEWER, True): "fewer"}
    names |= {(EVERY, False): "all", (FEWER, False): "sure"}
    tried = []

    def whole(effects, examples, traces, without, is_exact, attempts, may_be_odd=True):
        tried.append(names[effects, may_be_odd])
        schema = lifted_schema(tried[-1], effects.n_variables, effects.add)
        n_kept = {"fewer": n_certain, "every": n_every}.get(tried[-1], 60)
        return replace(schema, n_certain=n_kept)

    monkeypatch.setattr(variables, "_whole", whole)
    monkeypatch.setattr(variables, "minimal_effects", lambda effects, examples: EVERY)
    paid = FEWER if "every" in scores else EVERY
    monkeypatch.setattr(variables, "paid_effects", lambda *_: paid)
    if paid is EVERY:
        names = {(EVERY, True): "fewer", (EVERY, False): "sure"}
    scale = SimpleNamespace(score=lambda schema: scores[schema.action])
    monkeypatch.setattr(variables.Choice, "among_all", lambda *_: scale)
    examples = Examples("act", CODES.arities, [None] * 60)
    return complete(EVERY, examples, None, is_exact=is_exact).action, tried


def test_whether_steps_are_odd_is_decided_on_whole_schemas(monkeypatch):
    """Three of sixty may be odd; of two that are as good the one stays that leaves none out."""
    assert decided(monkeypatch, 60, fewer=0.0) == ("fewer", ["fewer"])  # nothing was left out
    for score, best in ((-0.1, "fewer"), (0.0, "sure"), (0.1, "sure"), (-inf, "fewer")):
        assert decided(monkeypatch, 57, fewer=0.0, sure=score) == (best, ["fewer", "sure"])
    assert decided(monkeypatch, 57, fewer=-inf, sure=-inf) == ("fewer", ["fewer", "sure"])
    assert decided(monkeypatch, 56, fewer=0.0) == ("fewer", ["fewer"])  # too many for odd ones
    for score, best in ((-0.1, "fewer"), (0.0, "every")):
        assert decided(monkeypatch, 60, every=score, fewer=0.0) == (best, ["fewer", "every"])
    # All effects without any odd step, too: further variables may make them worth more.
    for own, best in ((2.0, "all"), (0.5, "sure")):
        scores = {"every": 1.0, "fewer": 0.0, "all": own, "sure": 1.5}
        tried = ["fewer", "every", "sure", "all"]
        assert decided(monkeypatch, 57, n_every=58, **scores) == (best, tried)
        if best == "sure":  # unless they leave none out anyway
            assert decided(monkeypatch, 57, **scores) == (best, tried[:3])
    # Of steps that were put right some are still wrong.
    assert decided(monkeypatch, 57, False, fewer=0.0) == ("fewer", ["fewer"])
