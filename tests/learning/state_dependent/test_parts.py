"""Parts of an action and how they exclude one another, against loops."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import example as case
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import Examples
from dias.learning.schema import Effects, compact, lifted_atoms
from dias.learning.state_dependent import parts as module
from dias.learning.state_dependent.conditional import _by_change
from dias.learning.state_dependent.parts import Part, exclusive, n_misapplied, placements
from dias.strips.codes import AtomCodes
from tests.learning import strategies
from tests.learning.cases import ground, literals, steps
from tests.learning.conditional_cases import alarm, fetch, nameless, reap, toggle
from tests.traces.files import atoms


def naive_placements(small, large):
    """Places by score: a common atom of the same sign counts two, of the other sign one."""

    def score(place):
        signed = [(atom, 1) for atom in small.add] + [(atom, -1) for atom in small.delete]
        total = 0
        for atom, sign in signed:
            moved = atom._replace(variables=tuple(place[v] for v in atom.variables))
            same, other = (large.add, large.delete)[::sign]
            total += 2 * (moved in same) + (moved in other)
        return total

    ways = [
        place
        for place in permutations(range(large.n_variables), small.n_variables)
        if place[: small.n_given] == tuple(range(small.n_given))
    ]
    best = max(map(score, ways), default=0)
    return [place for place in ways if score(place) == best]


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 2), st.data())
def test_placements_are_those_with_most_in_common(n_given, data):
    arities = data.draw(strategies.arities)
    small, large = (
        compact(list(own.add), list(own.delete), n_given)
        for own in (data.draw(strategies.effects(arities)) for _ in range(2))
    )
    assert placements(small, large) == naive_placements(small, large)


def test_a_common_sign_counts_double_and_given_arguments_keep_their_places():
    on = Effects(1, literals("lit 0"), ())
    assert placements(on, Effects(2, literals("lit 1"), literals("lit 0"))) == [(1,)]
    assert placements(on, Effects(3, literals("hot 0"), literals("lit 1", "hot 2"))) == [(1,)]
    # Two of the other sign weigh as much as one of the same.
    two = Effects(1, literals("lit 0", "hot 0", "low 0"), ())
    large = Effects(2, literals("low 0"), literals("lit 1", "hot 1"))
    assert placements(two, large) == [(0,), (1,)]
    assert placements(on._replace(n_given=1), Effects(2, literals("lit 1"), (), 1)) == [(0,)]


@pytest.mark.parametrize(("limit", "n_found"), [(5, 0), (6, 6), (7, 6)])
def test_too_many_placements_are_not_looked_at(monkeypatch, limit, n_found):
    monkeypatch.setattr(module, "MAX_PLACEMENTS", limit)
    small, large = Effects(2, literals("by 0 1"), ()), Effects(3, literals("row 0 1 2"), ())
    assert len(placements(small, large)) == n_found


def holds(effects, binding, step, atom):
    return ground(atom, binding, step.codes) in step.transition.state


def naive_misapplied(part, other):
    """Truth under the first row of each step in which all rows apply and none leads to s′."""
    pool = lifted_atoms(part.examples.arities, part.effects.n_variables)
    own = list(zip(part.examples.examples, part.bindings, strict=True))
    found = []
    for step, bindings in zip(other.examples.examples, other.bindings, strict=True):
        rows = [
            tuple(binding[place] for place in way)
            for binding in bindings
            for way in placements(part.effects, other.effects)
        ]

        def leads_there(row, step=step):
            add = {ground(atom, row, step.codes) for atom in part.effects.add}
            delete = {ground(atom, row, step.codes) for atom in part.effects.delete}
            return (step.transition.state - delete) | add == step.transition.next_state

        def is_applicable(row, step=step):
            return all(
                len({holds(part.effects, b, e, atom) for e, bs in own for b in bs[:1]}) > 1
                or holds(part.effects, row, step, atom)
                == holds(part.effects, own[0][1][0], own[0][0], atom)
                for atom in pool
            )

        if rows and not any(map(leads_there, rows)) and all(map(is_applicable, rows)):
            found.append([holds(part.effects, rows[0], step, atom) for atom in pool])
    return found


@pytest.mark.parametrize("world", [toggle, reap, fetch, alarm])
def test_misapplied_equals_a_loop(world):
    """Each step of these parts has one explanation, so that there is nothing to choose."""
    [examples] = examples_by_action(nameless(*world())).values()
    parts = [
        Part(part.effects, Examples("act", examples.arities, part.examples.examples[:12]))
        for part in _by_change(examples)
    ]
    assert all(len(own) == 1 for part in parts for own in part.bindings)
    counts = {}
    for x, y in permutations(range(len(parts)), 2):
        found = parts[x].misapplied(parts[y])
        assert found.tolist() == naive_misapplied(parts[x], parts[y])
        counts[x, y] = len(found)
    for x, y in permutations(range(len(parts)), 2):
        assert n_misapplied([parts[x]], [parts[y]]) == counts[x, y] + counts[y, x]
    assert n_misapplied(parts[:1], parts[1:]) == sum(n for pair, n in counts.items() if 0 in pair)


RELATIONS = {"on": 1, "hot": 1, "red": 1}
CODES = AtomCodes(RELATIONS, ["a", "b", "c"])


def part(effects, *pairs):
    """A part from text: ``("on a, red b", "on a")``."""
    return Part(effects, steps(CODES, *pairs))


LIT, OUT = Effects(1, literals("on 0"), ()), Effects(1, (), literals("on 0"))


def truths(*rows):
    """Truth of on, hot and red, each as a letter or a dot."""
    return [[letter != "." for letter in row] for row in rows]


def test_it_counts_only_if_a_part_applies_under_every_explanation():
    """Any red lamp was lit so far; where a or b went out, it was perhaps a, which is red."""
    lit = part(LIT, ("red a", "red a, on a"))
    # What went out was a, or b or c, which were out and are no more than out.
    quench = part(OUT, ("red a, on a", "red a"))
    assert lit.misapplied(quench).tolist() == []  # a is on, and none that is lit was
    warm = Effects(1, literals("hot 0"), ())
    both = part(warm, ("red a, red b", "red a, red b, hot a"))
    assert lit.misapplied(both).tolist() == truths("..r")
    other = part(warm, ("red a", "red a, hot b"))
    assert lit.misapplied(other).tolist() == []
    idle = part(warm, ("hot a, hot b, red a, red b", "hot a, hot b, red a, red b"))
    hot = part(LIT, ("red a, hot a", "red a, hot a, on a"))
    assert hot.misapplied(idle).tolist() == truths(".hr")
    half = part(warm, ("hot a, hot b, red a", "hot a, hot b, red a"))
    assert hot.misapplied(half).tolist() == []
    # Where it leads to what was seen under one of the explanations it is no mistake.
    lucky = part(warm, ("hot a, on a, red a", "hot a, on a, red a"))
    any_lamp = part(LIT, ("", "on a"), ("hot a, red a", "hot a, red a, on a"), ("on b", "on b"))
    assert any_lamp.misapplied(lucky).tolist() == []
    several = part(warm, ("red a", "red a, hot b"), ("red a, red b", "red a, red b, hot b"))
    assert lit.misapplied(several).tolist() == truths("..r")


def test_no_effects_of_more_variables_are_placed():
    larger = part(Effects(2, literals("on 0", "hot 1"), ()), ("", "on a, hot b"))
    # Three relations of either variable, and whether both are one object.
    assert larger.misapplied(part(LIT, ("", "on a"))).shape == (0, 7)


def test_parts_are_joined_under_the_effects_of_the_first():
    one, other = part(LIT, ("", "on a"), ("hot a", "hot a, on b")), part(OUT, ("on c", ""))
    joined = one.joined(other)
    assert joined.effects == LIT
    assert joined.examples.examples == [*one.examples.examples, *other.examples.examples]
    assert (len(joined), len(one), len(other)) == (3, 2, 1)


def test_a_part_that_misapplies_nowhere_stays_as_it_is():
    lit = part(LIT, ("red a", "red a, on a"), ("hot a", "hot a, on a"))
    quench = part(OUT, ("red a, on a", "red a"))
    assert exclusive([lit, quench], 4) == [lit, quench]
    assert exclusive([lit], 4) == [lit]


def test_a_part_is_divided_by_the_literal_that_excludes_most():
    """Red or hot lamps are lit, and those that are neither get hot: a disjunction."""
    lit = part(
        LIT,
        ("red a", "red a, on a"),
        ("hot a", "hot a, on a"),
        ("red a, hot a", "red a, hot a, on a"),
    )
    heat = part(Effects(1, literals("hot 0"), ()), ("", "hot a"), ("", "hot b"))
    assert len(lit.misapplied(heat)) == 2
    divided = exclusive([lit, heat], 2)
    assert [len(own) for own in divided] == [2, 1, 2]
    assert [n_misapplied([own], [heat]) for own in divided[:2]] == [0, 0]
    assert exclusive([lit, heat], 1)[0].examples.examples == lit.examples.examples


def test_the_explanation_under_which_the_part_applies_is_the_one_divided_by():
    """Of two lamps that may have been lit, b is red, as all others were."""
    lit = part(LIT, ("red a", "red a, on a"), ("on a, on b, red b", "on a, on b, red b"))
    rows = lit.divided(np.zeros((0, 3), dtype=bool), 4)
    assert [len(own) for own in rows] == [2]
    divided = lit.divided(np.array(truths("..r")), 4)
    after = [e.transition.next_state for own in divided for e in own.examples.examples]
    assert after == [atoms("on a", "on b", "red b"), atoms("red a", "on a")]


def naive_divide(own, others, limit):
    """Groups of row numbers, by the first literal that leaves the fewest rows that fit."""

    def n_fitting(rows):
        agreed = [j for j in range(len(own[0])) if len({own[i][j] for i in rows}) == 1]
        return sum(all(other[j] == own[rows[0]][j] for j in agreed) for other in others)

    def cost(groups):
        return sum(len(rows) * n_fitting(rows) for rows in groups)

    def divide(rows, limit):
        best, fewest = [rows], cost([rows])
        for j in range(len(own[0]) if limit > 1 else 0):
            sides = [[i for i in rows if own[i][j]], [i for i in rows if not own[i][j]]]
            if all(sides) and cost(sides) < fewest:
                best, fewest = sides, cost(sides)
        return best if len(best) == 1 else [g for side in best for g in divide(side, limit // 2)]

    return divide(list(range(len(own))), limit)


def matrices(width):
    rows = st.lists(st.booleans(), min_size=width, max_size=width)
    return st.tuples(st.lists(rows, min_size=1, max_size=6), st.lists(rows, max_size=6))


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 4).flatmap(matrices), st.integers(1, 9))
@case((truths("a.", ".b", "ab"), truths("..", "..")), 2)
@case((truths("a.", ".b"), truths("..")), 1)
@case((truths("abc", "ab.", "a.c", ".bc", "a..", ".b.", "..c"), truths("...", "..c")), 8)
@case((truths("abc", "ab.", "a.c", ".bc", "a..", ".b.", "..c"), truths("...", "..c")), 3)
def test_dividing_equals_a_loop(drawn, limit):
    own, others = drawn
    width = len(own[0])
    masks = module._divide(np.array(own), np.array(others, dtype=bool).reshape(-1, width), limit)
    found = [np.flatnonzero(mask).tolist() for mask in masks]
    assert found == naive_divide(own, others, limit)
    assert sorted(number for group in found for number in group) == list(range(len(own)))
    assert len(found) <= limit
