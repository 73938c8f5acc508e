"""What is mended, how far, and in which order it is tried."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import Examples
from dias.learning.explain.bindings import is_explained
from dias.learning.propose import repair as module
from dias.learning.propose.repair import repair, repairs
from dias.learning.schema import Effects, LiftedAtom
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from tests.learning import cases, strategies
from tests.learning.cases import example, literals

RELATIONS = {"on": 1, "ready": 1, "warm": 1, "dusty": 1}
CODES = AtomCodes(RELATIONS, ["a", "b", "c"])


def switches(*warm):
    """Switching on a lamp that may be ready: it is on, not ready, and not warm afterwards."""
    steps = []
    for name, is_warm in zip("abc" * 10, warm, strict=False):
        before = [Atom("ready", (name,))] + [Atom("warm", (name,))] * is_warm
        steps.append(example(CODES, before, [Atom("on", (name,))]))
    return Examples("switch", RELATIONS, steps)


TRUE = Effects(1, literals("on 0"), literals("ready 0", "warm 0"))
RARELY_WARM = [False] * 19 + [True]


def n_explained(effects, group):
    return sum(is_explained(effects, one) for one in group.examples)


def test_an_effect_that_nearly_always_holds_already_is_added():
    group = switches(*RARELY_WARM)
    proposal = Effects(1, literals("on 0"), literals("ready 0"))
    assert n_explained(proposal, group) == 19
    assert repair(proposal, group) == (TRUE, 20)


def test_an_effect_that_is_not_one_is_dropped():
    """Few lamps are dusty, and they stay so."""
    dusty = [Atom("ready", ("a",)), Atom("dusty", ("a",))]
    after = [Atom("on", ("a",)), Atom("dusty", ("a",))]
    group = switches(*RARELY_WARM)
    group = Examples("switch", RELATIONS, [*group.examples, example(CODES, dusty, after)])
    proposal = Effects(1, literals("on 0"), literals("ready 0", "dusty 0", "warm 0"))
    assert n_explained(proposal, group) == 20
    assert repair(proposal, group) == (TRUE, 21)


def test_an_effect_that_only_keeps_what_would_be_deleted_is_added():
    """What something is put on is free no more; but the rest a, constant 0, always stays so."""
    relations = {"at": 2, "free": 1}
    codes = AtomCodes(relations, ["a", "b", "c", "d", "x"])

    def puts(*pairs):
        for start, goal in pairs:
            before = {Atom("free", (name,)) for name in "abcd" if name == "a" or name != start}
            after = before - {Atom("free", (goal,))} | {Atom("free", (n,)) for n in ("a", start)}
            one = example(
                codes, before | {Atom("at", ("x", start))}, after | {Atom("at", ("x", goal))}
            )
            yield replace(one, constants=(0,))

    steps = [*puts(("b", "c"), ("c", "d"), ("d", "b"), ("b", "a"), ("d", "a"))]
    group = Examples("put", relations, steps, ("a",))
    add, delete = literals("at 1 3", "free 2"), literals("at 1 2", "free 3")
    proposal = Effects(4, add, delete, 1)
    assert n_explained(proposal, group) == 3
    assert repair(proposal, group) == (proposal._replace(add=(*add, *literals("free 0"))), 5)


def test_what_explains_next_to_nothing_is_left_alone():
    group = switches(*RARELY_WARM)
    proposal = Effects(1, literals("warm 0"), ())
    assert repair(proposal, group) == (proposal, 0)


LIT = Effects(1, literals("on 0"), literals("ready 0"))


@pytest.mark.parametrize(
    ("n_cold", "n_warm", "is_mended"), [(3, 3, True), (2, 3, False), (1, 1, True), (4, 3, True)]
)
def test_exactly_half_is_mended(n_cold, n_warm, is_mended):
    group = switches(*[False] * n_cold, *[True] * n_warm)
    expected = (TRUE, n_cold + n_warm) if is_mended else (LIT, n_cold)
    assert repair(LIT, group) == expected
    assert repair(LIT, group, 0) == (LIT, n_cold)


def test_what_is_neither_of_interest_nor_worth_mending_is_not_counted_out():
    group = switches(*[True] * 3, *[False] * 2)
    counted = [repair(LIT, group, at_least=n)[1] for n in range(5)]
    assert counted == [2, 2, 2, 0, 0]
    assert repair(LIT, switches(True, False), at_least=2) == (TRUE, 2)


steps = partial(cases.steps, CODES)


@pytest.mark.parametrize("max_rounds", [0, 1, 2, 3])
def test_a_round_for_each_literal(max_rounds):
    """Two of five steps ask for an effect each, one of them for both."""
    group = steps(*[("", "on a")] * 3, ("warm b", "on b"), ("warm b, dusty b", "on b"))
    effects, explained = repair(Effects(1, literals("on 0"), ()), group, max_rounds)
    kept = ((), literals("warm 0"), literals("warm 0", "dusty 0"))[min(max_rounds, 2)]
    assert (effects.add, effects.delete, explained) == (
        literals("on 0"), kept, 3 + min(max_rounds, 2),
    )  # fmt: skip


def test_what_explains_as_much_is_no_better():
    """One step says `warm`, the other that it stays: whichever is missed, it is one."""
    group = steps(*[("", "on a")] * 2, ("warm b", "on b"), ("warm c", "warm c, on c"))
    effects = Effects(1, literals("on 0"), ())
    for max_rounds in (1, 2, 6):
        assert repair(effects, group, max_rounds) == (effects, 3)


def test_the_first_that_explains_more_is_taken_not_the_one_that_explains_most():
    group = steps(*[("", "on a")] * 3, ("warm b", "on b"), *[("dusty c", "on c")] * 2)
    for max_rounds, deleted in ((1, "warm 0"), (2, "warm 0, dusty 0")):
        effects = Effects(1, literals("on 0"), literals(*deleted.split(", ")))
        assert repair(Effects(1, literals("on 0"), ()), group, max_rounds) == (
            effects, 2 + 2 * max_rounds,
        )  # fmt: skip


def candidates(effects, group, widest=None):
    explained = [is_explained(effects, one) for one in group.examples]
    return list(module._candidates(effects, group, explained, widest))


def test_what_is_tried_is_one_literal_more_or_less():
    """From the unexplained step, in the order of the codes; then without each of the effects."""
    group = steps(("", "on a"), ("on b, warm a", "on a, ready a"))
    effects = Effects(1, literals("on 0", "dusty 0"), literals("ready 0", "warm 0"))
    one_less = [
        Effects(1, literals("dusty 0"), effects.delete),
        Effects(1, literals("on 0"), effects.delete),
        Effects(1, effects.add, literals("warm 0")),
        Effects(1, effects.add, literals("ready 0")),
    ]
    assert candidates(effects, group) == one_less
    assert candidates(Effects(0, (), ()), steps(("", "on a"))) == []
    # `on b` went and `warm b` came: either effect alone asks for the other.
    moved = steps(("on b", "warm b"), ("on b", "on b"))
    assert candidates(Effects(1, (), literals("on 0")), moved) == [
        Effects(1, literals("warm 0"), literals("on 0")),
        Effects(0, (), ()),
    ]
    assert candidates(Effects(1, literals("warm 0"), ()), moved)[0] == Effects(
        1, literals("warm 0"), literals("on 0")
    )


PIPES = {"flow": 2}


def turns(*seen):
    """What flows from a pipe b, before and after; `x > y` is written `xy`."""
    codes = AtomCodes(PIPES, list("abcde"))
    flows = [[[Atom("flow", tuple(own)) for own in state.split()] for state in one] for one in seen]
    return Examples("turn", PIPES, [example(codes, *one) for one in flows])


def test_no_step_has_to_show_all_effects_with_different_objects():
    """Pipe a flows into b no more, b into d, and some pipe into b: mostly one that did so before.

    A step in which that is news is explained by no effect over a, b and d.
    """
    before = [("ab cb", "bd cb"), ("bc ec", "ca ec"), ("db ab eb", "be ab eb")] * 4
    group = turns(*before, ("ab", "bd cb"))
    known = Effects(3, literals("flow 1 2"), literals("flow 0 1"))
    true = Effects(4, literals("flow 1 2", "flow 3 1"), literals("flow 0 1"))
    assert n_explained(known, group) == 12
    assert repair(known, group) == (true, 13)
    assert [*repairs(known, group, widest=4)][-1] == (true, 13)
    assert [*repairs(known, group, widest=3)][-1] == (known, 12)


def test_a_new_variable_stands_beside_one_that_is_known():
    effects = Effects(2, (), literals("flow 0 1"))
    new = Effects(3, literals("flow 2 0"), literals("flow 0 1"))
    group = turns(("ab", "ca"))
    assert candidates(effects, group) == [Effects(0, (), ()), new]
    assert candidates(effects, group, widest=2) == [Effects(0, (), ())]
    # Two pipes that are not known say nothing of those that are.
    assert candidates(effects, turns(("ab", "cd"))) == [Effects(0, (), ())]


def test_given_arguments_stay_variables():
    effects = Effects(2, literals("on 1"), literals("warm 1"), 2)
    group = steps(("ready c, warm a", "on a"), ("", ""), arguments=("c", "a"))
    assert candidates(effects, group) == [
        Effects(2, literals("on 1"), literals("warm 1", "ready 0"), 2),
        Effects(2, (), literals("warm 1"), 2),
        Effects(2, literals("on 1"), (), 2),
    ]


def test_unexplained_steps_are_taken_from_all_over():
    """Each for a literal of its own: three of them, evenly spread, or a few more."""
    relations = {"on": 1} | {f"r{i}": 0 for i in range(9)}
    codes = AtomCodes(relations, ["a"])

    def group(n):
        own = [[Atom("on", ("a",)), Atom(f"r{i}", ())] for i in range(n)]
        return Examples("act", relations, [example(codes, (), after) for after in own])

    effects = Effects(1, literals("on 0"), ())
    for n, places in ((1, [0]), (5, [0, 1, 2, 3, 4]), (6, [0, 2, 4]), (8, [0, 2, 4, 6])):
        added = [one.add[-1] for one in candidates(effects, group(n)) if len(one.add) == 2]
        assert added == [LiftedAtom(f"r{i}", ()) for i in places]


def test_only_so_many_bindings_of_a_step_are_looked_at():
    """Any of five lamps may be the one that was on already: three of them are asked."""
    codes = AtomCodes({"on": 1, "next": 2}, list("abcde"))
    on = [Atom("on", (name,)) for name in codes.objects]
    step = example(codes, on, [*on, Atom("next", ("a", "c"))])
    group = Examples("act", codes.arities, [step])
    effects = Effects(2, literals("on 0", "on 1"), ())
    found = [one.add[-1] for one in candidates(effects, group, 2) if len(one.add) == 3]
    # (a b), (a c) and (a d): only in the second both are bound to what is new.
    assert found == list(literals("next 0 1"))


@settings(deadline=None)
@given(st.data())
def test_never_explains_less_and_counts_right(data):
    arities = data.draw(strategies.arities)
    effects = data.draw(strategies.effects(arities))
    group = data.draw(strategies.examples(effects, arities))
    proposal = data.draw(strategies.effects(arities))
    better, explained = repair(proposal, group)
    assert explained == n_explained(better, group) >= n_explained(proposal, group)
    assert repair(effects, group)[1] >= n_explained(effects, group)


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_a_candidate_promises_if_it_explains_more_of_a_sample_than_it_loses(data):
    """Of either kind up to twice as many are looked at as are asked for; of few, all."""
    arities = data.draw(strategies.arities)
    effects, candidate = (data.draw(strategies.effects(arities)) for _ in range(2))
    n_steps = data.draw(st.integers(1, 6))
    own = [data.draw(strategies.steps(effects, arities)) for _ in range(n_steps)]
    group = Examples("act", arities, own)
    explained = [False, *(data.draw(st.booleans()) for _ in own[1:])]
    now = [is_explained(candidate, one) for one in own]
    n_gained = sum(new and not old for new, old in zip(now, explained, strict=True))
    n_lost = sum(old and not new for new, old in zip(now, explained, strict=True))
    promises = module._promises(group, explained)(candidate)
    assert promises == (n_gained > 0 and n_lost <= n_gained)


@pytest.mark.parametrize(
    ("n_kept", "promised"), [(24, True), (48, True), (50, False), (500, False)]
)
def test_a_sample_is_weighed_by_what_it_stands_for(n_kept, promised):
    """All that was explained is lost, all of the 48 others is gained."""
    on, warm = (example(CODES, [], [Atom(name, ("a",))]) for name in ("on", "warm"))
    group = Examples("act", RELATIONS, [on] * n_kept + [warm] * 48)
    promises = module._promises(group, [True] * n_kept + [False] * 48)
    assert promises(Effects(1, literals("warm 0"), ())) == promised


def test_what_gains_nothing_in_the_sample_does_not_promise():
    """Every fourth of 96 steps is looked at."""
    assert module.N_SAMPLED == 24
    dark = [example(CODES, [Atom("ready", ("a",))], [Atom("ready", ("a",))])] * 96
    warm = example(CODES, [], [Atom("warm", ("a",))])
    candidate = Effects(1, literals("warm 0"), ())
    for place, promised in ((0, True), (4, True), (5, False)):
        steps = [*dark[:place], warm, *dark[place:-1]]
        group = Examples("act", RELATIONS, steps)
        assert module._promises(group, [False] * 96)(candidate) == promised
