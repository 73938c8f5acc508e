"""STRIPS+ labels: given arguments in the graph, in the slots, in the bindings and in the domain."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
import torch

from dias.config import LearningConfig, ModelConfig
from dias.evaluation.evaluate import evaluate
from dias.learning.data.coding import examples_by_action
from dias.learning.explain.bindings import explaining_bindings
from dias.learning.learn import learn
from dias.learning.schema import Effects, LiftedAtom, compact
from dias.nn.batches import make_batch
from dias.nn.edges import EdgeTypes
from dias.nn.model import DiasModel
from dias.nn.tables import Symbols, build_tables
from dias.strips.model import Atom, Predicate
from dias.traces.record import LabelMode, Segment, Traces, Transition
from tests.learning.cases import benchmark
from tests.learning.cases import sampled as full_sample

OBJECTS = dict.fromkeys("abcde", "object")


def facts(text):
    return frozenset(Atom(words[0], tuple(words[1:])) for words in map(str.split, text.split(", ")))


def transition(state, action, arguments, next_state):
    return Transition(0, facts(state), action, arguments, facts(next_state), 1, 1, 1)


TRACES = Traces(
    "t.jsonl",
    "d",
    LabelMode.STRIPS_PLUS,
    {},
    (Predicate("at", (("object",), ("object",))), Predicate("up", (("object",),))),
    ("go", "lift", "rest"),
    (Segment("p", OBJECTS, frozenset()),),
    (
        transition("at a b, up c", "go", ("a", "c"), "at a c, up c"),
        transition("at a c, up c", "go", ("a", "d"), "at a d, up c"),
        transition("at a d, up c", "lift", ("e",), "at a d, up c, up e"),
        transition("at a d, up c", "rest", (), "at a d, up c"),
    ),
)
VOCABULARY = Symbols.of(TRACES)
TABLES = build_tables(TRACES, VOCABULARY)
BATCH = make_batch(TABLES, np.array([2, 0, 3, 1]))


def test_given_arguments_are_in_the_tables():
    assert VOCABULARY.actions == ("go", "lift", "rest")
    assert VOCABULARY.n_given == (2, 1, 0)
    assert TABLES.given.tolist() == [[0, 2], [0, 3], [4, -1], [-1, -1]]
    assert BATCH.given.tolist() == [[4, -1], [0, 2], [-1, -1], [0, 3]]


def test_given_arguments_are_marked_by_loops_of_types_of_their_own():
    types = EdgeTypes(VOCABULARY)
    without = EdgeTypes(Symbols(VOCABULARY.relations, VOCABULARY.actions, (0, 0, 0)))
    assert types.n_types == without.n_types + 3
    edges = types.edges(TABLES)
    marked = edges.type >= without.n_types
    go_1, go_2, lift_1 = range(without.n_types, types.n_types)
    found = zip(*(part[marked].tolist() for part in edges), strict=True)
    assert sorted(found) == [
        (0, go_1, 0, 0), (0, go_2, 2, 2), (1, go_1, 0, 0), (1, go_2, 3, 3), (2, lift_1, 4, 4),
    ]  # fmt: skip


def test_given_arguments_fill_their_slots_and_no_other():
    generator = torch.Generator().manual_seed(0)
    model = DiasModel(VOCABULARY, ModelConfig(n_slots=3, dim=8, n_layers=2), generator)
    chosen = model.select(BATCH, generator)
    for place, given in enumerate(BATCH.given.tolist()):
        own = [number for number in given if number >= 0]
        for slot, number in enumerate(own):
            assert chosen.assignment[place, slot].tolist() == [float(o == number) for o in range(5)]
            assert chosen.slot_probs[place, slot] == 1
        free = chosen.assignment[place, len(own) :]
        torch.testing.assert_close(free.sum(1), torch.ones(len(free)), atol=2e-3, rtol=0)
        assert (free[:, own] == 0).all()
        assert (chosen.slot_probs[place, len(own) :] == 0.5).all()
    chosen.selection.square().sum().backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


def test_one_object_given_twice_gives_no_nan():
    """Binding is injective, so nothing explains such a step; the network must stand it."""
    traces = Traces(
        *[getattr(TRACES, name) for name in TRACES.__dataclass_fields__][:7],
        (transition("at a b, up c", "go", ("a", "a"), "at a c, up c"),),
    )
    vocabulary = Symbols.of(traces)
    batch = make_batch(build_tables(traces, vocabulary), np.array([0]))
    model = DiasModel(vocabulary, ModelConfig(3, 8, 2), torch.Generator().manual_seed(0))
    assert model.select(batch, torch.Generator().manual_seed(0)).assignment.isfinite().all()
    effects = Effects(2, (LiftedAtom("up", (0,)),), (), 2)
    [example] = examples_by_action(traces)["go"].examples
    assert list(explaining_bindings(effects, example)) == []


def test_bindings_agree_with_the_given_arguments():
    """Those of brute force over all permutations whose first objects are the given ones."""
    effects = Effects(3, (LiftedAtom("at", (0, 1)),), (LiftedAtom("at", (0, 2)),), 2)
    for example in examples_by_action(TRACES)["go"].examples:
        number = example.codes.object_number
        given = tuple(number[name] for name in example.transition.arguments)
        code = lambda x, y, e=example: e.codes.offset["at"] + 5 * x + y  # noqa: E731
        expected = [
            row
            for row in permutations(range(5), 3)
            if row[:2] == given
            and (example.state - {code(row[0], row[2])}) | {code(row[0], row[1])}
            == example.next_state
        ]
        assert expected
        assert sorted(explaining_bindings(effects, example)) == expected


def test_given_variables_stay_although_no_effect_mentions_them():
    effects = compact([LiftedAtom("up", (3,))], [], n_given=2)
    assert effects == Effects(3, (LiftedAtom("up", (2,)),), (), 2)


@pytest.mark.parametrize(
    ("name", "arguments", "arities"),
    [
        ("gripper", {"move": (), "pick": (0, 2), "drop": (2,)}, {"move": 2, "pick": 3, "drop": 3}),
        (
            "logistics",
            {"load": (0, 1), "unload": (0,), "drive": (0, 2), "fly": (0, 2)},
            {"load": 3, "unload": 3, "drive": 4, "fly": 3},
        ),
    ],
)
def test_learned_from_strips_plus_labels(name, arguments, arities):
    domain, [training, test] = benchmark(name, "p01", "p02")
    full = full_sample(domain, [training], 100, LabelMode.FULL)
    traces = Traces(
        full.source, full.domain, LabelMode.STRIPS_PLUS, full.types, full.predicates,
        full.actions, full.segments,
        tuple(
            Transition(
                t.segment, t.state, t.action,
                tuple(t.arguments[p] for p in arguments[t.action]),
                t.next_state, t.count, t.line, t.last_line,
            )
            for t in full.transitions
        ),
    )  # fmt: skip
    result = learn(traces, LearningConfig(seed=1))
    assert result.explains_everything
    assert {action.name: action.arity for action in result.domain.actions} == arities
    measured = evaluate(result.domain, domain, [test], 150)
    assert measured.is_sound and measured.is_complete
