"""Variables that every step has may lead to one that something speaks for."""

from __future__ import annotations

import random
from itertools import pairwise
from math import inf

import pytest

from dias.config import LearningConfig
from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable
from dias.learning.explain.at_once import bind
from dias.learning.explain.certify import certify_table
from dias.learning.extend import ahead
from dias.learning.extend.ahead import look_ahead
from dias.learning.extend.choice import Choice
from dias.learning.extend.evidence import Evidence
from dias.learning.extend.search import Search
from dias.learning.learn import learn
from dias.learning.schema import Effects
from tests.learning.cases import literals
from tests.traces.files import read

ROOMS = [f"room{i}" for i in range(6)]
DOORS = {f"door{i}": pair for i, pair in enumerate(pairwise(ROOMS))}
STATIC = [f"(joins {door} {a} {b})" for door, (a, b) in DOORS.items()]
HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "types": {"robot": "object", "room": "object", "door": "object"},
    "predicates": {
        "at": ["robot", "room"],
        "joins": ["door", "room", "room"],
        "locked": ["door"],
        "open": ["door"],
    },
    "objects": {"robot": "robot", **dict.fromkeys(ROOMS, "room"), **dict.fromkeys(DOORS, "door")},
}


def walk(n_steps, seed, may_unlock=lambda place, pair: place in pair):
    """Whoever stands at a door may unlock it, or go through, or lock it again."""
    rng = random.Random(seed)
    place, locked = ROOMS[0], set(DOORS)

    def state():
        doors = [f"({'locked' if door in locked else 'open'} {door})" for door in DOORS]
        return [f"(at robot {place})", *doors]

    steps = []
    while len(steps) < n_steps:
        before, door = state(), rng.choice(list(DOORS))
        if door in locked and may_unlock(place, DOORS[door]):
            action = "unlock"
            locked.discard(door)
        elif door not in locked and place in DOORS[door]:
            action = rng.choice(["go", "lock"])
            if action == "go":
                [place] = {*DOORS[door]} - {place}
            else:
                locked.add(door)
        else:
            continue
        steps.append({"state": before, "action": action, "next": state()})
    return steps


def traces(steps):
    both_ways = [f"(joins {door} {b} {a})" for door, (a, b) in DOORS.items()]
    return read(HEADER | {"static": [*STATIC, *both_ways]}, *steps)


EFFECTS = Effects(1, literals("open 0"), literals("locked 0"))


def search(found):
    """The search for linked pairs of `unlock`, once it was done and found nothing."""
    examples = examples_by_action(found)["unlock"]
    bindings = BindingTable.of(bind(EFFECTS, examples), 1)
    schema = certify_table(EFFECTS, examples, bindings)
    choice, evidence = Choice(examples, bindings, found), Evidence(schema, found)
    own = Search(examples, bindings, schema, 2, True, evidence, choice, True, False, True, [], {})
    assert own.run()[0] is None
    return own


@pytest.fixture(scope="module")
def doors():
    return traces(walk(150, 0))


def test_who_unlocks_a_door_stands_at_it(doors):
    """The two rooms that it joins say nothing of the door, but a robot that is in one does."""
    own = search(doors)
    assert own.satisfied
    best, hint, near = look_ahead(own)
    assert (hint, near) == (None, None)
    assert best.schema.n_variables == 4
    assert set(literals("joins 0 1 2", "locked 0", "at 3 1")) <= set(best.schema.positive)
    gain = own.gain_of(best.schema, best.bindings)
    assert best.gain == pytest.approx(gain)
    assert gain > 10
    result = learn(doors, LearningConfig(method="symbolic"))
    action = result.domain.action("unlock")
    assert {atom.predicate for atom in action.preconditions} == {"at", "joins", "locked"}
    assert action.arity == 4


def test_whoever_may_unlock_any_door_stands_anywhere():
    assert look_ahead(search(traces(walk(150, 0, lambda *_: True)))) == (None, None, None)


def test_what_may_be_any_of_many_objects_is_not_taken_up(doors, monkeypatch):
    """The rooms of a door are two; told either way round they are two bindings."""
    own = search(doors)
    monkeypatch.setattr(ahead, "MAX_EACH", 1.9)
    assert look_ahead(own) == (None, None, None)
    monkeypatch.setattr(ahead, "MAX_EACH", 2)
    monkeypatch.setattr(ahead, "MAX_TAKEN_UP", 0)
    assert look_ahead(own) == (None, None, None)


@pytest.mark.parametrize(("max_known", "is_looked"), [(0, False), (1, True)])
def test_from_wide_schemas_nothing_is_looked_for(doors, monkeypatch, max_known, is_looked):
    monkeypatch.setattr(ahead, "MAX_KNOWN", max_known)
    assert (look_ahead(search(doors))[0] is not None) == is_looked


@pytest.mark.parametrize(("margin", "is_named"), [(1e-3, False), (100.0, True)])
def test_what_nearly_pays_is_a_hint(doors, monkeypatch, margin, is_named):
    """If the three variables are taken to be worth less than they are, by 50 nats."""
    own = search(doors)
    worth = look_ahead(own)[0].gain
    monkeypatch.setattr(Search, "gain_of", lessened(Search.gain_of, worth + 50, own.schema))
    monkeypatch.setattr(ahead, "MARGIN", margin)
    best, hint, near = look_ahead(own)
    assert best is None
    query = hint.query if is_named else near
    assert {"at", "joins"} <= {atom.relation for atom in query}
    if is_named:
        assert hint.n_new == 3
        assert hint.log_chance < -10
        assert near is None
    else:
        assert hint is None


def test_what_does_not_pay_is_named_as_untested(doors, monkeypatch):
    """The first of further parameters that are."""
    gain_of = Search.gain_of
    monkeypatch.setattr(
        Search, "gain_of", lambda own, *of: gain_of(own, *of) - 1000 * (own.schema.n_variables == 1)
    )
    result = learn(doors, LearningConfig(method="symbolic"))
    [unlock] = (own for own in result.evidence if own.action == "unlock")
    assert result.domain.action("unlock").arity == 1
    assert unlock.support.missing is None
    assert any(text.startswith("(at ?") for text in unlock.support.further[0])


def lessened(gain_of, less, first):
    """`gain_of`, less for all that is compared with the first schema."""
    return lambda own, schema, bindings: (
        gain_of(own, schema, bindings) - (less if own.schema is first else 0)
    )


def test_what_is_taken_up_need_not_be_weighed(doors, monkeypatch):
    """The whole counts, against what there was before."""
    own = search(doors)
    gain = look_ahead(own)[0].gain
    score = Choice.score
    monkeypatch.setattr(
        Choice,
        "score",
        lambda self, schema, bindings=None: (
            -inf if schema.n_variables == 3 else score(self, schema, bindings)
        ),
    )
    assert look_ahead(own)[0].gain == pytest.approx(gain)


def test_what_refused_attempts_ask_for_need_not_pay(doors, monkeypatch):
    own = search(doors)
    worth = look_ahead(own)[0].gain
    monkeypatch.setattr(Search, "gain_of", lessened(Search.gain_of, worth + 50, own.schema))
    assert look_ahead(own)[0] is None
    monkeypatch.setattr(Search, "is_refuted_without", lambda *_: True)
    assert look_ahead(own)[0].schema.n_variables == 4


def test_the_closest_is_taken_up_first_and_only_what_every_step_has(doors, monkeypatch):
    """If of the rooms that a door joins both ways only one were told."""
    own, tried, satisfying = search(doors), [], Search.satisfying
    either, both = literals("joins 0 1 2"), literals("joins 0 1 2", "joins 0 2 1")

    def closer(self, query):
        rows = satisfying(self, query)
        return rows.where(slice(None, None, 2)) if query == both else rows

    def certify(effects, examples, rows):
        tried.append(len(rows.owner))
        return certify_table(effects, examples, rows)

    monkeypatch.setattr(Search, "satisfying", closer)
    monkeypatch.setattr(ahead, "certify_table", certify)
    n = len(own.bindings.owner)
    own.satisfied[:] = [either, both]
    look_ahead(own)
    assert tried == [n, 2 * n]
    monkeypatch.setattr(Search, "are_common", lambda *_: False)
    assert look_ahead(own) == (None, None, None)
    assert len(tried) == 2
