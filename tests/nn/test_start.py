"""Where training starts: what slots look for against a count tuple by tuple."""

from __future__ import annotations

from itertools import product
from math import log

import pytest
import torch

from dias.config import ModelConfig
from dias.nn.mlp_effects import MLPEffectsModel
from dias.nn.model import DiasModel
from dias.nn.start import ACTIVE, NO_EFFECT, POSITIVE, link_logits, linked, shares
from dias.nn.tables import Symbols, build_tables
from dias.strips.model import Atom
from dias.traces.record import Segment
from tests.nn.cases import TABLES, TRACES, VOCABULARY, step, traces

STARTS = {"linked": (ACTIVE, NO_EFFECT), "undecided": (0.0, 0.0), "auto": (0.0, 0.0)}


def share_by_hand(relation):
    """The share of the tuples of objects, over all transitions, of which a predicate holds."""
    n_true = n_tuples = 0
    for t in TRACES.transitions:
        segment = TRACES.segments[t.segment]
        for objects in product(segment.objects, repeat=relation.arity):
            n_tuples += 1
            n_true += Atom(relation.name, objects) in t.state | segment.static
    return n_true / n_tuples


def test_shares_are_those_of_all_tuples_of_objects():
    found = shares(TABLES)
    assert sorted(found) == sorted(VOCABULARY.relations)
    for k, relations in VOCABULARY.relations.items():
        for number, relation in enumerate(relations):
            if not relation.is_type:
                assert found[k][number] == pytest.approx(share_by_hand(relation))


def test_what_is_looked_for_has_the_probability_of_not_being_so_by_accident():
    logits = link_logits(TABLES)
    assert sorted(logits) == [k for k in sorted(VOCABULARY.relations) if k >= 2]
    for k, own in logits.items():
        said = linked(torch.zeros(2, len(own), 3**k, 3), own, 1.0).softmax(-1)
        for number, share in enumerate(shares(TABLES)[k]):
            assert share < 2 / 3
            if share:
                expected = torch.full_like(said[:, number, :, 1], 1 - share)
                torch.testing.assert_close(said[:, number, :, 1], expected)
            else:  # nobody can find it
                torch.testing.assert_close(said[:, number], torch.full((2, 3**k, 3), 1 / 3))


def test_what_nearly_always_holds_is_not_avoided():
    always = [Atom("by", pair) for pair in product("ab", repeat=2)]
    for atoms, expected in ((always, 0), (always[:2], log(2))):
        state = frozenset(atoms)
        segment = Segment("p", dict.fromkeys("ab", "object"), frozenset())
        seen = traces({"by": 2}, [segment], [step(0, "go", state, state)])
        logits = link_logits(build_tables(seen, Symbols.of(seen)))
        assert logits[2].tolist() == pytest.approx([expected])


def test_a_weight_of_zero_changes_nothing():
    logits = torch.randn(2, 1, 9, 3)
    links = torch.tensor([3.0])
    assert linked(logits, links, 0.0) is logits
    assert linked(logits, None, 1.0) is logits
    added = linked(logits, links, 0.5) - logits
    torch.testing.assert_close(added[..., 1], torch.full((2, 1, 9), 1.5))
    assert not added[..., [0, 2]].any()


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("kind", [DiasModel, MLPEffectsModel])
def test_the_first_logits(kind, start):
    active, no_effect = STARTS[start]
    model = kind(VOCABULARY, ModelConfig(2, 8, 1, start=start), torch.Generator().manual_seed(0))
    assert (model.slot_logits == active).all()
    assert not any(logits.any() for logits in model.precondition_logits.values())
    last = kind is MLPEffectsModel and model.effect_bias[-1].view(-1, 3)
    for logits in [last] if kind is MLPEffectsModel else model.effect_logits.values():
        assert (logits[..., 0] == no_effect).all()
        assert not logits[..., 1:].any()


def test_links_go_where_the_logits_are():
    """They are made of the transitions, before it is known where the network is."""
    logits = torch.zeros(1, 2, 4, 3, device="meta")
    assert linked(logits, torch.ones(2), 0.5).device == logits.device
    assert linked(torch.zeros(1, 2, 4, 3), torch.ones(2), 0.5)[..., POSITIVE].unique() == 0.5
