from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dias.config import LearningConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import Examples
from dias.learning.explain.bindings import is_explained
from dias.learning.learn import learn
from dias.learning.propose import single_steps
from dias.learning.propose.proposals import Proposals
from dias.learning.propose.repair import MAX_ROUNDS
from dias.learning.propose.single_steps import is_shown, lift, propose, whole
from dias.learning.schema import Effects
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from dias.strips.pddl.writer import format_domain
from tests.learning import cases, strategies
from tests.learning.cases import benchmark, example, ground, literals, sampled

SYMBOLIC = LearningConfig(method="symbolic")


@settings(deadline=None)
@given(st.data())
def test_one_step_that_shows_all_effects_is_enough(data):
    """Planted effects are found if some step changes an atom by each of them."""
    arities = data.draw(strategies.arities)
    planted = data.draw(strategies.effects(arities))
    codes = AtomCodes(arities, ["o0", "o1", "o2", "o3"])

    def step(state, binding):
        add = {ground(atom, binding, codes) for atom in planted.add}
        delete = {ground(atom, binding, codes) for atom in planted.delete}
        return example(codes, state, (state - delete) | add)

    binding = tuple(range(planted.n_variables))
    fresh = {ground(atom, binding, codes) for atom in planted.delete}
    steps = [step(frozenset(fresh), binding)]
    assume(len(steps[0].added) + len(steps[0].deleted) == len(planted.add + planted.delete))
    for _ in range(data.draw(st.integers(0, 4))):
        steps.append(
            step(data.draw(strategies.states(codes)), data.draw(st.permutations(range(4))))
        )
    group = Examples("act", arities, steps)
    effects, explained = propose(group)
    assert explained == len(steps)
    assert all(is_explained(effects, one) for one in steps)


CODES = AtomCodes({"on": 1, "hot": 1, "near": 2}, ["a", "b", "c"])


steps = partial(cases.steps, CODES)


def test_objects_become_variables_in_the_order_of_the_changes():
    """Given arguments come first; then what was added, by code, then what was deleted."""
    change = ("on a, near c a", "near b c, hot b")
    [one] = steps(change).examples
    assert lift(one) == Effects(3, literals("hot 0", "near 0 1"), literals("on 2", "near 1 2"))
    [one] = steps(change, arguments=("a", "c")).examples
    assert lift(one) == Effects(3, literals("hot 2", "near 2 1"), literals("on 0", "near 1 0"), 2)
    [twice] = steps(("on a", ""), arguments=("a", "a")).examples
    assert lift(twice) == Effects(2, (), literals("on 1"), 2)
    [idle] = steps(("on a", "on a"), arguments=("b",)).examples
    assert lift(idle) == Effects(1, (), (), 1)


def test_the_largest_change_of_each_kind_is_lifted_the_first_of_its_kind():
    """A kind is how many atoms of which relation came and went, whatever their order.

    Of equally large ones those that add come first, then by name.
    """
    group = steps(
        ("", "on a"),
        ("hot a", ""),
        ("", "on b"),  # as the first
        ("on a", "hot a"),
        ("on a, on b", "on c, hot c"),
        ("", "near a b, on b"),
        ("", "near c a, on c"),  # as the one before
        ("", ""),
        ("on c", ""),  # of the relation of the first, but it went
    )
    lifted = [lift(group.examples[place]) for place in (4, 3, 5, 0, 1, 8, 7)]
    assert list(single_steps._shapes(group)) == lifted
    assert is_shown(lifted[3], group) and is_shown(lifted[6], group)
    assert not is_shown(Effects(1, literals("hot 0"), ()), group)
    for limit in (1, 6, 7):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(single_steps, "MAX_SHAPES", limit)
            assert list(single_steps._shapes(group)) == lifted[:limit]


def test_the_first_that_explains_most_is_proposed():
    two_kinds = steps(("", "on a"), ("", "hot b"), ("", "on c"), ("", "hot b"))
    hot, on = (Effects(1, literals(text), ()) for text in ("hot 0", "on 0"))
    # Both explain two; by name `hot` comes first.
    assert list(single_steps._shapes(two_kinds)) == [hot, on]
    assert propose(two_kinds, mend=False) == (hot, 2)
    more = steps(("", "hot a"), ("", "on b"), ("", "on a"), ("", ""))
    assert propose(more, mend=False) == (on, 2)


def test_it_is_mended_unless_that_is_left_out(monkeypatch):
    """And what explains all ends the search; only what explains more is of interest."""
    group = steps(("", "on a"), ("", "hot a"), ("on b", "on b"))
    asked = []

    def repairs(shape, examples, max_rounds, at_least, widest):
        assert widest is None
        asked.append((shape, max_rounds, at_least))
        yield shape, explained

    monkeypatch.setattr(single_steps, "repairs", repairs)
    shapes = list(single_steps._shapes(group))
    for mend, rounds in ((True, MAX_ROUNDS), (False, 0)):
        for explained, n_asked in ((2, 3), (3, 1)):
            asked.clear()
            assert propose(group, mend) == (shapes[0], explained)
            wanted = [0, explained + 1, explained + 1]
            assert asked == [(x, rounds, n) for x, n in zip(shapes[:n_asked], wanted, strict=False)]


@pytest.mark.parametrize(
    "name",
    [
        "blocks-3",
        "gripper",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("spanner", "logistics")),
    ],
)
def test_learns_benchmarks_soundly_and_completely(name):
    domain, [training, test] = benchmark(name, "p01", "p02")
    traces = sampled(domain, [training], 50)
    result = learn(traces, SYMBOLIC)
    assert (result.method, result.n_steps) == ("symbolic", 0)
    assert result.explains_everything
    measured = evaluate(result.domain, domain, [test], 150)
    assert measured.is_sound and measured.is_complete
    assert format_domain(learn(traces, SYMBOLIC).domain) == format_domain(result.domain)


def test_minimal_preconditions_are_those_of_a_person():
    domain, [training] = benchmark("blocks-3", "p01")
    result = learn(sampled(domain, [training], 100), replace(SYMBOLIC, preconditions="minimal"))
    counts = {a.name: (a.arity, len(a.preconditions)) for a in result.domain.actions}
    assert counts == {"stack": (2, 3), "newtower": (2, 2), "move": (3, 3)}
    assert not any(action.negative_preconditions for action in result.domain.actions)


def test_what_the_network_leaves_unexplained_falls_back_on_it():
    domain, [training] = benchmark("gripper", "p01")
    groups = examples_by_action(sampled(domain, [training], 30))
    best = Proposals(groups)
    assert best.n_explained == 0
    assert {origin.source for origin in best.origins.values()} == {"nothing"}
    best.look_at_steps()
    assert best.explain_everything
    assert {origin.source for origin in best.origins.values()} == {"transitions"}
    assert best.effects["move"] == Effects(2, literals("at-robby 0"), literals("at-robby 1"))


def test_what_too_few_steps_show_is_not_lifted():
    """Steps that change more show it, too."""
    group = steps(
        ("", "on a"), ("", "on b, hot b"), ("", "on c, hot a"), ("", "on a, hot a, near a b"),
        ("", "hot b"), ("on a", ""),
    )  # fmt: skip
    on, hot = (Effects(1, literals(text), ()) for text in ("on 0", "hot 0"))
    both = Effects(2, literals("on 0", "hot 1"), ())
    all_three = Effects(2, literals("on 0", "hot 0", "near 0 1"), ())
    off = Effects(1, (), literals("on 0"))
    lifted = {1: [all_three, both, hot, on, off], 2: [both, hot, on], 3: [both, hot, on],
              4: [hot, on], 5: []}  # fmt: skip
    for least, shapes in lifted.items():
        assert list(single_steps._shapes(group, least)) == shapes
    nothing = Effects(0, (), ())
    assert propose(group, min_shown=5) == (nothing, 0)
    assert propose(steps(("", ""), ("", "on a")), min_shown=3) == (nothing, 1)


def test_what_has_too_many_variables_is_not_lifted():
    """Given arguments count, whether they change or not; what is too wide takes no place."""
    pairs = ("", "on a, hot b, near b c"), ("", "near a b"), ("", "hot a"), ("", "")
    group = steps(*pairs)
    whole = Effects(3, literals("on 0", "hot 1", "near 1 2"), ())
    near, hot = Effects(2, literals("near 0 1"), ()), Effects(1, literals("hot 0"), ())
    nothing = Effects(0, (), ())
    every = [whole, hot, near, nothing]
    assert list(single_steps._shapes(group)) == every
    narrow = {4: every, 3: every, 2: [hot, near, nothing], 1: [hot, nothing], 0: [nothing]}
    for widest, shapes in narrow.items():
        assert list(single_steps._shapes(group, widest=widest)) == shapes
        assert propose(group, mend=False, widest=widest)[0] in shapes
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(single_steps, "MAX_SHAPES", 2)
        assert list(single_steps._shapes(group, widest=2)) == [hot, near]
    given = steps(*pairs, arguments=("a", "b"))
    assert {shape.n_variables for shape in single_steps._shapes(given, widest=2)} == {2}
    assert list(single_steps._shapes(given, widest=1)) == []
    assert propose(given, widest=1) == (Effects(2, (), (), 2), 1)
    assert list(single_steps._shapes(steps(*pairs, ("on a", "hot a")), 2, widest=1)) == [
        hot,
        nothing,
    ]


def test_kinds_that_hardly_explain_any_of_a_sample_are_left(monkeypatch):
    """Less than a quarter of it, unless none explains more."""
    common, rare = [("", "hot a")] * 31, [("", "on a, near a b")] * 9
    asked = []

    def repairs(shape, examples, *_):
        asked.append(shape)
        yield shape, 0

    monkeypatch.setattr(single_steps, "repairs", repairs)
    assert single_steps.N_SAMPLED == 40
    hot, near = Effects(1, literals("hot 0"), ()), Effects(2, literals("on 0", "near 0 1"), ())
    for n_rare, kinds in ((9, [hot]), (10, [near, hot])):
        asked.clear()
        propose(steps(*common[: 40 - n_rare], *rare, *rare[: n_rare - 9]))
        assert asked == kinds
    asked.clear()
    each = [("", f"{one} {name}") for one in ("hot", "on") for name in "abc"]
    propose(steps(*each, ("hot a", ""), ("on a", ""), ("on a, hot b", "near a b")))
    assert len(asked) == 2


def test_what_needs_no_effect_is_counted_whole():
    """Else effects that explain less than none at all would be taken for better."""
    codes = AtomCodes({"on": 1}, ["a"])
    nothing, switched = example(codes, [], []), example(codes, [], [Atom("on", ("a",))])
    group = Examples("press", {"on": 1}, [switched] * 50 + [nothing] * 150)
    assert Proposals({"press": group}).explained == {"press": 150}


def test_command_needs_no_torch_where_steps_propose_all(tmp_path):
    """One run after another: the last one trains a network, without torch's compiler."""
    lines = [
        '{"state":["(off a)"],"action":"press","next":["(on a)"]}',
        '{"state":["(off b)","(on a)"],"action":"press","next":["(on a)","(on b)"]}',
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(lines) + "\n")
    code = """
import sys
from dias_cli.main import main
for more in "--method symbolic", "", "--without fallback --steps 5 --restarts 1":
    try:
        main(["learn", "t.jsonl", *more.split()])
    except SystemExit as end:
        print("ended", end.code, "torch" in sys.modules, flush=True)
assert "torch._dynamo" not in sys.modules
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    *shown, rest = re.split(r"ended (\d True|\d False)\n", done.stdout)
    assert rest == ""
    assert shown[1:4:2] == ["0 False", "0 False"] and shown[5] in ("0 True", "4 True")
    for text, method in zip(shown[::2], ("symbolic", "hybrid", "hybrid"), strict=True):
        assert f"method {method}" in text
    assert all("(on ?x1)" in text for text in shown[:4:2])


def test_a_change_set_that_explains_the_whole():
    """The largest that does; where steps differ too much there is none."""
    codes = AtomCodes({"on": 1, "hot": 1}, ["a", "b"])
    both, one = ("", "on a, hot a"), ("hot a", "on a, hot a")
    found = whole(cases.steps(codes, one, both, both))
    assert found == Effects(1, literals("on 0", "hot 0"), ())
    assert whole(cases.steps(codes, both, ("on a", ""))) is None
