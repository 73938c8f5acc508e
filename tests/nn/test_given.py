"""Given arguments (STRIPS+): the loops that mark them, and the slots that they fill."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from dias.nn.batches import make_batch
from dias.nn.edges import EdgeTypes
from dias.nn.tables import Symbols, build_tables
from dias.traces.record import LabelMode
from tests.nn.cases import TABLES, TRACES, VOCABULARY, small_model

ARGUMENTS = {"move": ("b", "a"), "take": ("a",), "wait": ()}
CASE = replace(
    TRACES,
    labels=LabelMode.STRIPS_PLUS,
    transitions=tuple(replace(t, arguments=ARGUMENTS[t.action]) for t in TRACES.transitions),
)
SYMBOLS = Symbols.of(CASE)
GIVEN = build_tables(CASE, SYMBOLS)


def numbers(transition):
    """The given objects of a transition by number."""
    names = list(CASE.segments[transition.segment].objects)
    return [names.index(name) for name in transition.arguments]


def test_every_given_argument_is_a_loop_of_its_own_type():
    plain, marked = EdgeTypes(VOCABULARY), EdgeTypes(SYMBOLS)
    assert marked.n_types == plain.n_types + 3
    marks = {
        (t, plain.n_types + (transition.action == "take") * 2 + argument, number, number)
        for t, transition in enumerate(CASE.transitions)
        for argument, number in enumerate(numbers(transition))
    }
    edges = [set(zip(*e, strict=True)) for e in (plain.edges(TABLES), marked.edges(GIVEN))]
    assert edges[1] - edges[0] == marks
    assert edges[0] < edges[1]


@pytest.mark.parametrize("index", [[6, 0, 4, 2, 1, 5, 3], [4, 5], [0]])
def test_given_arguments_fill_the_first_slots_and_no_other(index):
    batch, model = make_batch(GIVEN, np.array(index)), small_model(SYMBOLS, n_slots=3)
    chosen = model.select(batch, torch.Generator().manual_seed(0))
    own = torch.sigmoid(model.slot_logits)[batch.action]
    for place, number in enumerate(batch.places):
        taken = numbers(CASE.transitions[number])
        rows, n = chosen.assignment[place], len(taken)
        for slot, item in enumerate(taken):
            assert rows[slot].nonzero().tolist() == [[item]] and rows[slot, item] == 1
        assert (rows[n:, taken] == 0).all()
        torch.testing.assert_close(rows.sum(1), torch.ones(3), atol=0.01, rtol=0)
        assert (chosen.slot_probs[place, :n] == 1).all()
        assert torch.equal(chosen.slot_probs[place, n:], own[place, n:])
    assert torch.equal(chosen.selection, chosen.slot_probs.unsqueeze(2) * chosen.assignment)
