"""The bridge between network and STRIPS: hard slots and hard schemas are action application."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.nn.aux_loss import EPS
from dias.nn.batches import make_batch
from dias.nn.lifted import lifted_state, slot_weights
from dias.nn.lifted_loss import precondition_probabilities
from dias.nn.model import NONE, Selection
from dias.nn.tables import Symbols, build_tables
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Parameter, Predicate
from tests.nn.cases import (
    TABLES,
    TRACES,
    VOCABULARY,
    facts,
    lifted_main_loss,
    slot_tuples,
    small_model,
)
from tests.nn.hard import (
    N_SLOTS,
    SLOT_OF,
    as_traces,
    changed_steps,
    dense_loss,
    dense_prediction,
    every_step,
    hard_model,
    hard_selection,
    situations,
)
from tests.strategies import TYPES


def slot_space_successors(model, batch, chosen, steps):
    """(action, arguments) to (added, deleted), all computed from lifted tensors."""
    lifted = lifted_state(chosen.selection, batch, model.n_relations)
    p_pre = precondition_probabilities(model, batch, chosen, tau=0.0)
    weights = {k: slot_weights(chosen.slot_probs, k) for k in lifted}
    assert ((p_pre < 1e-5) | (p_pre > 1 - 1e-5)).all()
    effects = model.effects()
    found = {}
    for place in (p_pre > 0.5).nonzero().squeeze(1).tolist():
        action, arguments, _ = steps[place]
        value = dict(zip(SLOT_OF, arguments, strict=False))
        change = (set(), set())
        for k, group in model.vocabulary.relations.items():
            truth = lifted[k][place]
            proposals = (
                effects.positive[k][batch.action[place]] * (weights[k][place] - truth),
                effects.negative[k][batch.action[place]] * truth,
            )
            for atoms, proposed in zip(change, proposals, strict=True):
                for r, column in (proposed > 0.5).nonzero().tolist():
                    slots = slot_tuples(N_SLOTS, k)[column]
                    atoms.add(Atom(group[r].name, tuple(value[slot] for slot in slots)))
        found[action, arguments] = change
    return found


@settings(deadline=None, max_examples=60)
@given(situations())
def test_hard_slots_and_schemas_give_the_strips_successors(situation):
    domain, types, state = situation
    steps, applicable = every_step(domain, types, state)
    if not steps:
        return
    case = as_traces(domain, types, state, steps)
    vocabulary = Symbols.of(case)
    batch = make_batch(build_tables(case, vocabulary), np.arange(len(steps)))
    model, chosen = hard_model(domain, vocabulary), hard_selection(steps, types)
    found = slot_space_successors(model, batch, chosen, steps)
    assert found == {key: tuple(map(set, change)) for key, change in applicable.items()}
    assert lifted_main_loss(model, batch, chosen, 0.0).item() == pytest.approx(0, abs=1e-3)


@settings(deadline=None, max_examples=30)
@given(situations())
def test_tau_does_not_matter_where_the_preconditions_hold(situation):
    domain, types, state = situation
    steps, applicable = every_step(domain, types, state)
    steps = [s for s in steps if s[:2] in applicable]
    if not steps:
        return
    case = as_traces(domain, types, state, steps)
    vocabulary = Symbols.of(case)
    batch = make_batch(build_tables(case, vocabulary), np.arange(len(steps)))
    model, chosen = hard_model(domain, vocabulary), hard_selection(steps, types)
    for tau in (0.0, 0.5, 1.0):
        assert lifted_main_loss(model, batch, chosen, tau).item() == pytest.approx(0, abs=1e-3)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_both_objectives_vanish_exactly_for_the_schemas_that_explain_everything(data):
    drawn = changed_steps(data.draw)
    if drawn is None:
        return
    case, vocabulary, batch, model, chosen, n_wrong = drawn
    n_steps = len(case.transitions)
    lifted = lifted_main_loss(model, batch, chosen, 0.0).item() * n_steps
    dense = dense_loss(model, vocabulary, case, batch, chosen, 0.0)
    for loss in (lifted, dense):
        if n_wrong == 0:
            assert loss == pytest.approx(0, abs=1e-3)
        else:
            assert loss > 0.9 * n_wrong


MOVE = ActionSchema(
    "move",
    (Parameter("?x", ("t1",)), Parameter("?from"), Parameter("?to")),
    facts("at ?x ?from", "clear ?to"),
    facts("locked"),
    add_effects=facts("at ?x ?to", "clear ?from"),
    delete_effects=facts("at ?x ?from", "clear ?to"),
)
WRONG = {
    "add effect dropped": {"add_effects": facts("at ?x ?to")},
    "delete effect dropped": {"delete_effects": facts("at ?x ?from")},
    "add effect too many": {"add_effects": MOVE.add_effects | facts("clear ?x")},
    "delete effect too many": {"delete_effects": MOVE.delete_effects | facts("near ?to ?from")},
    "wrong positive precondition": {"preconditions": MOVE.preconditions | facts("near ?from ?to")},
    "wrong negative precondition": {"negative_preconditions": facts("near ?to ?from")},
    "wrong type": {"parameters": (Parameter("?x", ("t2",)), *MOVE.parameters[1:])},
}


@pytest.mark.parametrize("wrong", ["nothing", *WRONG])
def test_a_wrong_literal_costs_something(wrong):
    predicates = tuple(
        Predicate(name, ((OBJECT,),) * k)
        for name, k in (("at", 2), ("clear", 1), ("locked", 0), ("near", 2))
    )
    domain = Domain("d", TYPES, {}, predicates, (MOVE,))
    types = {"b": "t3", "p": OBJECT, "q": OBJECT}
    state = facts("at b p", "clear q", "near q p")
    moved = facts("at b q", "clear p", "near q p")
    steps = [("move", ("b", "p", "q"), moved)]
    case = as_traces(domain, types, state, steps)
    vocabulary = Symbols.of(case)
    batch = make_batch(build_tables(case, vocabulary), np.array([0]))
    learned = replace(domain, actions=(replace(MOVE, **WRONG.get(wrong, {})),))
    model, chosen = hard_model(learned, vocabulary), hard_selection(steps, types)
    lifted = lifted_main_loss(model, batch, chosen, 0.0).item()
    dense = dense_loss(model, vocabulary, case, batch, chosen, 0.0)
    if wrong == "nothing":
        assert lifted == pytest.approx(0, abs=1e-4)
        assert dense == pytest.approx(0, abs=1e-4)
    else:
        assert lifted > 0.9
        assert dense > 0.9


@pytest.mark.parametrize("seed", range(3))
def test_soft_schemas_in_hard_slots_cost_what_the_dense_objective_says(seed):
    """p_pre is the same; the loss too, but for the first order of -log(1 - p_pre·q)."""
    model = small_model(n_slots=3, seed=seed)
    with torch.no_grad():
        for logits in model.precondition_logits.values():
            logits[..., NONE] += 5.0  # else p_pre is next to nothing
    batch = make_batch(TABLES, np.arange(len(TABLES)))
    rng = np.random.default_rng(seed)
    assignment = torch.zeros(len(TABLES), 3, 5)
    for place, n_objects in enumerate(batch.n_objects.tolist()):
        for slot, item in enumerate(rng.permutation(n_objects)[:3]):
            assignment[place, slot, item] = 1
    slot_probs = torch.tensor([1.0, float(seed != 1), 1.0]).expand(len(TABLES), 3)
    chosen = Selection(assignment, slot_probs, slot_probs.unsqueeze(2) * assignment)
    p_pre = precondition_probabilities(model, batch, chosen, tau=0.0)
    linear = bce = 0.0
    for place, number in enumerate(batch.places):
        before, after, predicted, dense_p_pre = dense_prediction(
            model, VOCABULARY, TRACES, TRACES.transitions[number], chosen.selection[place],
            int(batch.action[place]), 0.0,
        )  # fmt: skip
        assert p_pre[place].item() == pytest.approx(dense_p_pre.item(), rel=1e-3)
        error, changed = (predicted - after).abs(), before != after
        # EPS keeps a change that no slot reaches finite.
        q = (1 - error[changed]) / dense_p_pre
        missed = -(torch.log(q + EPS) + dense_p_pre.log()).sum().item()
        linear += missed + error[~changed].sum().item()
        bce += missed - torch.log(1 - error[~changed]).sum().item()
    found = lifted_main_loss(model, batch, chosen, 0.0).item() * len(TABLES)
    assert found == pytest.approx(linear, rel=1e-4)
    assert linear < 0.99 * bce
