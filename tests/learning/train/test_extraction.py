"""Which literals of a network count: those above the threshold, over active slots."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from dias.config import LearningConfig, ModelConfig
from dias.learning.schema import Effects, LiftedAtom, LiftedSchema
from dias.learning.train.extraction import (
    active_slots,
    proposed_effects,
    thresholded_preconditions,
    thresholded_schema,
)
from dias.nn.model import DiasModel, Probabilities
from dias.nn.tables import Relation, Symbols
from tests.learning.cases import literals
from tests.nn.cases import TABLES

RELATIONS = {
    0: (Relation("dark", 0), Relation("power", 0)),
    1: (Relation("lamp", 1), Relation("lamp", 1, True)),
    2: (Relation("by", 2),),
}
SYMBOLS = Symbols(RELATIONS, ("light", "look"), (0, 2))
M = 3


def model(action, slots=(9, 9, 9), n_given=(0, 2), **probabilities):
    """A network that says this of one action and nothing of the other.

    Args:
        action: The action.
        slots: Logits of its slots.
        n_given: Given arguments of the two actions.
        probabilities: `add`, `delete`, `positive`, `negative`: literal to probability.
    """
    number = SYMBOLS.actions.index(action)

    def tables(case):
        found = {k: torch.zeros(2, len(own), M**k) for k, own in RELATIONS.items()}
        for text, probability in probabilities.get(case, {}).items():
            name, *variables = text.split()
            relation = Relation(name.strip("!"), len(variables), name.endswith("!"))
            place = sum(int(v) * M**power for power, v in enumerate(reversed(variables)))
            k = len(variables)
            found[k][number, RELATIONS[k].index(relation), place] = probability
        return found

    def cases(positive, negative):
        return Probabilities({}, tables(positive), tables(negative))

    logits = torch.full((2, M), -9.0)
    logits[number] = torch.tensor(slots, dtype=torch.float32)
    return SimpleNamespace(
        vocabulary=replace(SYMBOLS, n_given=n_given),
        config=ModelConfig(n_slots=M),
        slot_logits=logits,
        effects=lambda: cases("add", "delete"),
        preconditions=lambda: cases("positive", "negative"),
    )


def test_what_is_proposed_is_above_one_half_whatever_the_slots():
    """A literal at the threshold is none; types and predicates of one name stay apart."""
    found = model(
        "light",
        (-9, -9, -9),
        add={"by 2 1": 0.75, "lamp 2": 0.5, "lamp! 1": 0.625, "by 0 0": 0.25},
        delete={"dark": 0.5625, "power": 0.5, "by 1 2": 1.0},
    )
    lamp = LiftedAtom("type lamp", (0,))
    expected = Effects(2, (lamp, *literals("by 1 0")), literals("dark", "by 0 1"))
    assert proposed_effects(found, "light") == expected
    assert proposed_effects(found, "look") == Effects(2, (), (), 2)


def test_given_arguments_stay_variables():
    found = model("look", add={"lamp 2": 1.0}, delete={"by 1 2": 1.0})
    assert proposed_effects(found, "look") == Effects(3, literals("lamp 2"), literals("by 1 2"), 2)
    assert proposed_effects(found, "light") == Effects(0, (), ())
    none = model("look", n_given=(0, 0), add={"lamp 2": 1.0}, delete={"by 1 2": 1.0})
    assert proposed_effects(none, "look") == Effects(2, literals("lamp 1"), literals("by 0 1"))


@pytest.mark.parametrize(
    ("slots", "action", "active"),
    [
        ((9, -9, 9), "light", (0, 2)),
        ((0, 0.01, -0.01), "light", (1,)),
        ((0.4, -9, 0.6), "light", (0, 2)),
        ((-9, -9, -9), "light", ()),
        ((-9, -9, -9), "look", (0, 1)),
        ((-9, -9, 9), "look", (0, 1, 2)),
    ],
)
def test_active_slots(slots, action, active):
    """Those above one half, and always those of given arguments."""
    found = model(action, slots)
    assert active_slots(found, action) == active
    other = "look" if action == "light" else "light"
    assert active_slots(found, other) == ((0, 1) if other == "look" else ())


SAYS = {
    "add": {"lamp 2": 0.875, "lamp 1": 1.0, "dark": 0.625},
    "delete": {"by 0 2": 0.875, "by 0 1": 1.0, "by 1 0": 1.0, "lamp 0": 0.625},
    "positive": {"lamp! 0": 0.75, "by 2 0": 0.8125, "by 2 1": 1.0, "power": 0.625},
    "negative": {"lamp 2": 0.8125, "by 2 2": 0.625, "by 0 0": 1.0, "lamp 1": 1.0},
}


def test_literals_over_active_slots_are_renumbered():
    """With another threshold others count; those over an inactive slot never do."""
    found = model("light", (1, -1, 1), **SAYS)
    assert thresholded_schema(found, "light", 0.75) == LiftedSchema(
        "light",
        Effects(2, literals("lamp 1"), literals("by 0 1")),
        2,
        literals("by 1 0"),
        literals("lamp 1", "by 0 0", "= 0 1"),
    )
    lamp = LiftedAtom("type lamp", (0,))
    low = thresholded_schema(found, "light")
    assert low.effects == Effects(2, literals("dark", "lamp 1"), literals("lamp 0", "by 0 1"))
    assert low.positive == (*literals("power"), lamp, *literals("by 1 0"))
    assert low.negative == literals("lamp 1", "by 0 0", "by 1 1", "= 0 1")
    assert thresholded_schema(found, "look") == LiftedSchema(
        "look", Effects(2, (), ()), 2, negative=literals("= 0 1")
    )


def test_slots_that_no_effect_mentions_are_parameters():
    found = model("light", (1, 1, 1), add={"lamp 2": 1.0}, positive={"lamp 0": 1.0})
    schema = thresholded_schema(found, "light")
    assert (schema.effects, schema.n_variables) == (Effects(3, literals("lamp 2"), ()), 3)
    assert schema.positive == literals("lamp 0")
    assert schema.negative == literals("= 0 1", "= 0 2", "= 1 2")  # no object is selected twice


def test_preconditions_alone():
    for threshold in (0.5, 0.75):
        found = model("look", (-9, -9, 1), **SAYS)
        whole = thresholded_schema(found, "look", threshold)
        alone = thresholded_preconditions(found, "look", threshold)
        assert alone.effects == Effects(3, (), ())
        assert (alone.positive, alone.negative) == (whole.positive, whole.negative)
        assert alone.n_variables == whole.n_variables == 3


def test_a_higher_threshold_keeps_fewer_literals():
    vocabulary = TABLES.vocabulary
    generator = torch.Generator().manual_seed(0)
    model = DiasModel(vocabulary, ModelConfig(n_slots=2, dim=8, n_layers=2), generator)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator))

    def literals(threshold):
        schema = thresholded_schema(model, vocabulary.actions[0], threshold)
        return {*schema.positive}, {*schema.negative}, {*schema.effects.add}

    low, high = literals(0.5), literals(0.75)
    assert all(fewer <= more for fewer, more in zip(high, low, strict=True))
    assert high != low


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_a_threshold_without_meaning_is_refused(threshold):
    with pytest.raises(ValueError, match="threshold"):
        LearningConfig(threshold=threshold)
