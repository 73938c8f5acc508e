"""Which queries are believed and which are only a hint; what holds once they are satisfied."""

from __future__ import annotations

from math import inf, log, nextafter

import pytest

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.extend.candidates import Candidates
from dias.learning.extend.evidence import LOG_CHANCE
from dias.learning.extend.search import LOG_CHANCE_REFUSED, LOG_HINT, MAX_TRIED, Extended, Search
from dias.learning.extend.tolerant_queries import N_SAMPLED
from dias.learning.schema import DIFFERENT, Hint, comparisons
from dias.learning.score import MARGIN, MIN_STEPS, ROUNDING, max_odd
from dias.strips.codes import AtomCodes
from tests.learning.cases import example, lifted_schema, literals
from tests.traces.files import atoms

CODES = AtomCodes({"p": 1, "r": 2}, ["a", "b", "c"])
ONE = Examples("act", CODES.arities, [example(CODES, (), ())])
NO_BINDINGS = BindingTable.of([[]], 0)


class Verdicts:
    """Evidence and scores that were made up: queries by name, with their chances and gains."""

    has_masks = is_said = False

    def __init__(self, chances, refuted=(), gains=(), without=-100.0):
        self.chances, self.refuted, self.asked = chances, refuted, []
        self.gains, self.without = dict(gains), without

    def log_chance(self, query, at_least):
        self.asked.append((query[0].relation, at_least))
        return self.chances[query[0].relation]

    def refuted_by(self, query):
        return int(query[0].relation in self.refuted)

    def score(self, schema, bindings):
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
        own = lambda _, found: ((x, Extended(0.0, x, NO_BINDINGS)) for x in found)  # noqa: E731
        patch.setattr(Search, "_extended", own)
        known = lifted_schema("act", 0)
        search = Search(ONE, NO_BINDINGS, known, N_NEW, False, evidence, evidence, True)
        best, hint = search.best(queries, at_least)
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


@pytest.mark.parametrize(("linked", "n_new"), [(True, 1), (False, 1), (False, 2)])
def test_new_variables_are_bound_to_whatever_satisfies_the_query(linked, n_new):
    """Also to a known object, and to what shares no atom with the others.

    What they never are is learned with them.
    """
    states = [atoms("p a", "r b c"), atoms("p a", "r c b")]
    steps = [example(CODES, state, state) for state in states]
    group = Examples("act", CODES.arities, steps)
    schema = lifted_schema("act", 1)
    known = BindingTable.of([[(0,)], [(0,)]], 1)
    search = Search(group, known, schema, n_new, linked, None, None, True)
    query = literals("r 1 2") if n_new == 2 else ()
    [(same, found)] = search._extended([query])
    assert same is query
    owner, rows = (part.tolist() for part in found.bindings)
    rows = [(number, *row) for number, row in zip(owner, rows, strict=True)]
    if linked:
        assert rows == []
    elif n_new == 1:
        assert rows == [(step, 0, new) for step in (0, 1) for new in range(3)]
        assert found.schema.n_variables == 2
        [differ] = comparisons(2, relation=DIFFERENT)
        [(_, found)] = search._extended([(differ,)])
        assert found.bindings.rows.tolist() == [[0, 1], [0, 2]] * 2
        assert literals("= 0 1")[0] in found.schema.negative
    else:
        assert rows == [(0, 0, 1, 2), (1, 0, 2, 1)]
        assert found.schema.positive == literals("p 0", "r 1 2")
        assert set(literals("p 1", "p 2", "r 2 1", "r 0 1")) <= set(found.schema.negative)
        assert set(comparisons(3)) <= set(found.schema.negative)


CODES_OF_MANY = AtomCodes({"p": 1, "q": 1, "r": 2}, ["a", "b", "c"])
LINKED = literals("r 1 0")


def search_of(p=(), q=(), twice=(), bare=(), n=MIN_STEPS, is_exact=False):
    """A search among steps of which a is known, and b is r of it; it is p or q in these alone.

    In those of `twice` so is c, which is neither; in bare ones nothing is true.
    """
    states = []
    for number in range(n):
        true = [text for text, own in (("p b", p), ("q b", q), ("r c a", twice)) if number in own]
        states.append(atoms() if number in bare else atoms("r b a", *true))
    steps = [example(CODES_OF_MANY, state, state) for state in states]
    group = Examples("act", CODES_OF_MANY.arities, steps)
    known = BindingTable.of([[(0,)]] * n, 1)
    return Search(group, known, lifted_schema("act", 1), 1, True, None, None, is_exact)


def given_up(search):
    """The steps that are given up so that literals never hold; None if that is not tried."""
    rows = Candidates.of(search.examples, search.bindings, True).satisfying(LINKED, 1)
    left = search._without_odd(rows)
    if left is None:
        return None
    assert {*zip(*map(list_of, left), strict=True)} < {*zip(*map(list_of, rows), strict=True)}
    return sorted({*rows.owner.tolist()} - {*left.owner.tolist()})


def list_of(part):
    """Numbers, or rows as tuples."""
    return [tuple(own) if isinstance(own, list) else own for own in part.tolist()]


def test_steps_that_alone_show_something_of_a_new_variable_are_given_up():
    """As many as may be odd, two of forty; of one step fewer none is."""
    assert (max_odd(MIN_STEPS), max_odd(MIN_STEPS - 1)) == (2, 0)
    assert given_up(search_of()) is None
    assert given_up(search_of(p=[3])) == [3]
    assert given_up(search_of(p=[3, 8])) == [3, 8]
    assert given_up(search_of(p=[3, 8, 9])) is None
    assert given_up(search_of(p=[3], n=MIN_STEPS - 1)) is None
    assert given_up(search_of(p=range(MIN_STEPS))) is None


def test_literals_are_lost_one_after_another_as_long_as_steps_may_be_odd():
    assert given_up(search_of(p=[3], q=[8])) == [3, 8]
    assert given_up(search_of(p=[3, 8], q=[3])) == [3, 8]
    # In the order of the literals; what costs too much comes to nothing, and others go on.
    assert given_up(search_of(p=[3], q=[8, 9])) == [3]
    assert given_up(search_of(p=[3, 8], q=[9])) == [3, 8]
    assert given_up(search_of(p=[3, 8, 9], q=[3, 8])) == [3, 8]
    assert given_up(search_of(p=[3, 8, 9], q=[5])) == [5]


def test_steps_that_the_query_itself_gave_up_count():
    assert given_up(search_of(bare=[4])) is None
    assert given_up(search_of(p=[3], bare=[4])) == [3]
    assert given_up(search_of(p=[3, 8], bare=[4])) is None
    assert given_up(search_of(p=[3], bare=[4, 5])) is None
    assert given_up(search_of(p=[3], bare=[4, 5, 6])) is None


def test_steps_with_another_binding_are_not_lost():
    """Where no step has to be given up there is nothing to try."""
    assert given_up(search_of(p=[3], twice=[3])) is None
    assert given_up(search_of(p=[3, 8, 9], twice=[9])) == [3, 8]
    assert given_up(search_of(p=range(10), twice=range(9))) == [9]


@pytest.mark.parametrize("is_exact", [True, False])
def test_a_query_is_also_tried_without_odd_steps_where_steps_were_put_right(is_exact):
    """What these alone show is then known of the new variable, and of them nothing is asked."""
    search = search_of(p=[3, 8], is_exact=is_exact)
    found = [*search._extended([LINKED, literals("r 0 1")])]
    assert [query for query, _ in found] == [LINKED] * (1 if is_exact else 2) + [literals("r 0 1")]
    (first, *others), [none] = ([own for x, own in found if x == y] for y in dict(found))
    lost = literals("p 1")[0]
    assert (first.gain, len(first.bindings.owner)) == (0.0, MIN_STEPS)
    assert lost not in first.schema.negative and len(none.bindings.owner) == 0
    for other in others:
        assert len(other.bindings.owner) == MIN_STEPS - 2
        assert {*other.schema.negative} == {*first.schema.negative, lost}
        assert other.schema.positive == first.schema.positive


@pytest.mark.parametrize(("n_steps", "is_known"), [(N_SAMPLED, True), (N_SAMPLED + 1, False)])
def test_what_all_of_a_sample_satisfy_is_not_taken_for_what_all_do(n_steps, is_known):
    """Where all steps were asked, it is not asked again; of two variables the sample will do."""
    said, true = literals("r 1 0"), literals("r 0 1")
    steps = [example(CODES, atoms("r a b"), atoms("r a b", "p c"))] * n_steps
    examples = Examples("act", CODES.arities, steps)
    bindings = BindingTable.of([[(0,)]] * n_steps, 1)
    known, evidence = lifted_schema("act", 1), Verdicts({})
    search = Search(examples, bindings, known, 1, True, evidence, evidence, True, satisfied=[said])
    [found] = search.untested()
    assert found == said if is_known else {*true} <= {*found}


@pytest.mark.parametrize(("linked", "n_new", "negative"), [(False, 2, False), (True, 1, True)])
def test_what_some_objects_nearly_always_satisfy_is_not_named(linked, n_new, negative):
    steps = [example(CODES, atoms("r a b"), atoms("r a b", "p c"))]
    examples, bindings = Examples("act", CODES.arities, steps), BindingTable.of([[(0,)]], 1)
    kind, evidence = (lifted_schema("act", 1), n_new, linked), Verdicts({})
    search = Search(examples, bindings, *kind, evidence, evidence, True, negative)
    assert search.untested() == ()
    assert search._untested() != () or n_new > 1


@pytest.mark.parametrize(("linked", "is_hint"), [(True, False), (False, True)])
def test_what_does_not_hold_of_known_variables_and_nearly_pays_is_no_hint(
    linked, is_hint, monkeypatch
):
    hint = Hint(literals("p 1"), 1, -4.0)
    monkeypatch.setattr(Search, "best", lambda self, found, **_: (None, found and hint))
    steps = [example(CODES, atoms("r a b"), atoms("r a b", "p c"))]
    examples, bindings = Examples("act", CODES.arities, steps), BindingTable.of([[(0,)]], 1)
    kind, evidence = (lifted_schema("act", 1), 1, linked), Verdicts({})
    search = Search(examples, bindings, *kind, evidence, evidence, True, negative=True)
    assert search.run() == (None, hint if is_hint else None)
