"""Which further variables are believed, what is only a hint, and where the search ends."""

from __future__ import annotations

from math import inf, log, nextafter
from types import SimpleNamespace

import pytest

from dias.learning.data.transitions import BindingTable, Examples, examples_by_action
from dias.learning.extend import variables
from dias.learning.extend.evidence import LOG_CHANCE
from dias.learning.extend.variables import (
    LOG_CHANCE_REFUSED,
    LOG_HINT,
    MAX_NEW_VARIABLES,
    MAX_TRIED,
    N_SAMPLED,
    _Extended,
    add_precondition_variables,
    complete,
)
from dias.learning.schema import DIFFERENT, Effects, Hint, Origin, comparisons
from dias.learning.score import MARGIN, ROUNDING
from dias.strips.codes import AtomCodes
from tests.learning.cases import example, lifted_schema, literals
from tests.learning.extend.test_evidence import MOVES, drives
from tests.traces.files import atoms, read

CODES = AtomCodes({"p": 1, "r": 2}, ["a", "b", "c"])
ONE = Examples("act", CODES.arities, [example(CODES, (), ())])
NO_BINDINGS = BindingTable.of([[]], 0)


class Verdicts:
    """Evidence and scores that were made up: queries by name, with their chances and gains."""

    def __init__(self, chances, refuted=(), gains=(), without=-100.0):
        self.chances, self.refuted, self.asked = chances, refuted, []
        self.gains, self.without = dict(gains), without

    def log_chance(self, query, at_least):
        self.asked.append((query[0].relation, at_least))
        return self.chances[query[0].relation]

    def refuted_by(self, query):
        return int(query[0].relation in self.refuted)

    def score(self, schema):
        """A query, or the schema without any."""
        if not isinstance(schema, tuple):
            return self.without
        return -100.0 + self.gains.get(schema[0].relation, 0.0)


N_NEW = 2
PRICE = N_NEW * log(2 + 4)
"""Of the atoms over two new variables, p of one and r of two."""


def best_of(chances, gains=(), refuted=(), at_least=False, idle=(), without=-100.0):
    """Names of the best query and the hint, where the queries come in the order given.

    Before each of them come `idle` queries, which nobody is to ask about.
    """
    evidence = Verdicts(chances, refuted, gains, without)
    queries = [own for name in chances for own in (*idle, literals(f"{name} 0 1"))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variables, "common_queries", lambda *_: queries)
        own = lambda _, query: _Extended(0.0, query, NO_BINDINGS)  # noqa: E731
        patch.setattr(variables._Search, "_extended", own)
        search = variables._Search(ONE, NO_BINDINGS, lifted_schema("act", 0), N_NEW, False)
        best, hint = search.best(evidence, evidence, at_least)
    asked = [(name, at_least) for name in [*chances][:MAX_TRIED]]
    assert evidence.asked == (asked[: len(evidence.asked)] if at_least else asked)
    names = tuple(own and own[0].relation for own in (best and best.schema, hint and hint.query))
    return *names, hint and hint.log_chance


def below(limit):
    return nextafter(limit, -100)


def test_of_the_queries_that_score_better_the_best_is_taken():
    assert best_of({}) == (None, None, None)
    chances = dict.fromkeys("abcd", -50.0)
    assert best_of(chances, {"a": 1.0, "b": 3.0, "c": 3.0, "d": 2.0})[:2] == ("b", None)
    assert best_of(chances, {"a": 3.0, "b": 1.0})[0] == "a"
    assert best_of({"a": -50.0}, {"a": ROUNDING / 2})[:2] == (None, "a")
    assert best_of({"a": -50.0}, {"a": 2 * ROUNDING})[:2] == ("a", None)


def test_what_is_no_hint_is_not_weighed_either():
    """However good it would be: weighing is what takes time."""
    assert best_of({"a": LOG_HINT}, {"a": 9.0}) == (None, None, None)
    assert best_of({"a": below(LOG_HINT)}, {"a": 9.0})[:2] == ("a", None)


def test_of_a_sample_the_first_that_may_be_worth_its_cost_will_do():
    assert best_of({"a": -PRICE, "b": below(-PRICE), "c": -30.0}, at_least=True)[0] == "b"
    assert best_of({"a": -PRICE}, {"a": 9.0}, at_least=True) == (None, None, None)


def test_where_nothing_can_be_weighed_the_chance_decides():
    """The schema without a query allows too much to be weighed."""
    assert best_of({"a": LOG_CHANCE}, without=-inf)[:2] == (None, "a")
    assert best_of({"a": LOG_CHANCE - 1e-6}, without=-inf)[:2] == ("a", None)
    assert best_of({"a": -15.0, "b": -16.0}, without=-inf)[:2] == ("b", None)


def test_a_query_that_rules_out_a_refused_attempt_needs_not_score_better():
    worse = {"a": -1.0, "b": -0.5, "c": -1.5}
    assert best_of({"a": below(LOG_CHANCE_REFUSED)}, worse, "a")[:2] == ("a", None)
    assert best_of({"a": below(LOG_CHANCE_REFUSED)}, worse)[:2] == (None, "a")
    assert best_of({"a": LOG_CHANCE_REFUSED}, worse, "a")[:2] == (None, "a")
    assert best_of({"a": -6.0, "b": -7.0, "c": -5.0}, worse, "ac")[:2] == ("a", "b")


def test_the_strongest_of_those_that_are_hardly_worse_is_a_hint():
    assert best_of({"a": below(LOG_HINT)}) == (None, "a", below(LOG_HINT))
    assert best_of({"a": -50.0}, {"a": -MARGIN}) == (None, None, None)
    assert best_of({"a": -50.0}, {"a": 1e-6 - MARGIN}) == (None, "a", -50.0)
    chances = {"a": -4.0, "b": -9.0, "c": -9.0, "d": -20.0}
    assert best_of(chances, {"b": -2.5, "d": -5.0}) == (None, "b", -9.0)
    assert best_of({"a": -4.0, "b": -50.0, "c": -4.5}, {"b": 1.0}) == ("b", "c", -4.5)


def test_so_many_queries_are_weighed():
    """Those that a known variable, or the other new one, satisfies anyway are not counted."""
    chances = {f"q{i}": 0.0 for i in range(MAX_TRIED - 1)} | {"last": -20.0, "late": -30.0}
    gains = {"last": 1.0, "late": 2.0}
    assert best_of(chances, gains)[:2] == ("last", None)
    idle = [literals("p 0"), literals("r 0 0", "r 0 1")]
    assert best_of(chances, gains, idle=idle)[:2] == ("last", None)


class Script:
    """Searches that find what is written, and note what they were asked for."""

    def __init__(self, n_transitions, *outcomes, has_refused=False):
        self.asked, self.dropped, self.outcomes = [], [], list(outcomes)
        self.has_refused = has_refused
        self.examples = Examples("act", CODES.arities, [None] * n_transitions)
        self.found = BindingTable.of([[()]] * n_transitions, 0)

    def search(self, examples, bindings, schema, n_new, linked):
        self.now = (schema.n_variables, linked, n_new, len(bindings.owner))
        return self

    def best(self, evidence, choice, at_least):
        self.asked.append((*self.now, at_least))
        return self.outcomes.pop(0) if self.outcomes else (None, None)

    def run(self, monkeypatch, schema):
        evidence = SimpleNamespace(has_refused=self.has_refused)
        monkeypatch.setattr(variables, "Evidence", lambda schema, traces, coded: evidence)
        monkeypatch.setattr(variables, "_Search", self.search)
        monkeypatch.setattr(variables, "Choice", lambda *_: self)
        return add_precondition_variables(schema, self.examples, self.found, None)

    coded = None

    def bind_anew(self, known):
        return known

    def without_variables(self, known, n_least, n_most):
        """What was new last was looked for since nothing else would do."""
        self.dropped.append((known.schema.n_variables, n_least, n_most))
        return known


def widened(n_variables, n_rows=1, gain=20.0):
    schema = lifted_schema("act", n_variables, literals("p 0"), positive=literals("r 0 1", "r 0 2"))
    return _Extended(gain, schema, BindingTable.of([[()]] * n_rows, 0)), None


START = widened(1)[0].schema
KINDS = [(True, 1), (True, 2), (False, 1), (False, 2)]


def test_linked_variables_come_before_others_and_one_before_two(monkeypatch):
    script = Script(1)
    assert script.run(monkeypatch, START) == START
    assert script.asked == [(1, *kind, 1, False) for kind in KINDS]
    nothing = (None, None)
    script = Script(1, nothing, nothing, widened(2), nothing, widened(4))
    assert script.run(monkeypatch, START).n_variables == 4
    assert script.asked == [
        *((1, *kind, 1, False) for kind in KINDS[:3]),
        *((2, *kind, 1, False) for kind in KINDS[:2]),
        *((4, *kind, 1, False) for kind in KINDS),
    ]


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


def test_many_transitions_are_asked_once_a_sample_agrees(monkeypatch):
    n, sampled = 2 * N_SAMPLED + 1, -(-(2 * N_SAMPLED + 1) // 3)
    script = Script(n, (None, None), widened(2, n), widened(3, n))
    assert script.run(monkeypatch, START).n_variables == 3
    assert script.asked[:4] == [
        (1, True, 1, sampled, True),
        (1, True, 2, sampled, True),
        (1, True, 2, n, False),
        (3, True, 1, sampled, True),
    ]
    few = Script(N_SAMPLED)
    few.run(monkeypatch, START)
    assert few.asked[0] == (1, True, 1, N_SAMPLED, False)
    more = Script(N_SAMPLED + 1)
    more.run(monkeypatch, START)
    assert more.asked[0] == (1, True, 1, N_SAMPLED // 2 + 1, True)


def test_a_sample_is_one_of_transitions_not_of_bindings():
    found = [[(0,), (1,)], [(2,)]] * N_SAMPLED
    [sample] = variables._samples(BindingTable.of(found, 1), len(found))
    assert sample.owner.tolist() == [n for n in range(0, 2 * N_SAMPLED, 2) for _ in range(2)]
    assert list(variables._samples(BindingTable.of(found, 1), N_SAMPLED)) == []


def test_the_strongest_hint_of_the_last_round_is_kept(monkeypatch):
    hints = [Hint(literals(f"r 0 {i}"), 1, chance) for i, chance in enumerate((-5, -9, -9, -4))]
    script = Script(1, *((None, hint) for hint in hints))
    assert script.run(monkeypatch, START).hint is hints[1]
    script = Script(1, (None, hints[1]), widened(2), (None, None), (None, hints[3]))
    assert script.run(monkeypatch, START).hint is hints[3]
    script = Script(1, (None, hints[1]), widened(2))
    assert script.run(monkeypatch, START).hint is None


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


@pytest.mark.parametrize(("linked", "n_new"), [(True, 1), (False, 1), (False, 2)])
def test_new_variables_are_bound_to_whatever_satisfies_the_query(linked, n_new):
    """Also to a known object, and to what shares no atom with the others.

    What they never are is learned with them.
    """
    states = [atoms("p a", "r b c"), atoms("p a", "r c b")]
    steps = [example(CODES, state, state) for state in states]
    group = Examples("act", CODES.arities, steps)
    schema = lifted_schema("act", 1)
    search = variables._Search(group, BindingTable.of([[(0,)], [(0,)]], 1), schema, n_new, linked)
    query = literals("r 1 2") if n_new == 2 else ()
    found = search._extended(query)
    owner, rows = (part.tolist() for part in found.bindings)
    rows = [(number, *row) for number, row in zip(owner, rows, strict=True)]
    if linked:
        assert rows == []
    elif n_new == 1:
        assert rows == [(step, 0, new) for step in (0, 1) for new in range(3)]
        assert found.schema.n_variables == 2
        [differ] = comparisons(2, relation=DIFFERENT)
        found = search._extended((differ,))
        assert found.bindings.rows.tolist() == [[0, 1], [0, 2]] * 2
        assert literals("= 0 1")[0] in found.schema.negative
    else:
        assert rows == [(0, 0, 1, 2), (1, 0, 2, 1)]
        assert found.schema.positive == literals("p 0", "r 1 2")
        assert set(literals("p 1", "p 2", "r 2 1", "r 0 1")) <= set(found.schema.negative)
        assert set(comparisons(3)) <= set(found.schema.negative)


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
