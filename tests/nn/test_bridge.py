"""The bridge between network and STRIPS: hard slots and hard schemas are action application."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.config import ModelConfig
from dias.nn.aux_loss import EPS
from dias.nn.batches import make_batch
from dias.nn.lifted import lifted_state, slot_weights
from dias.nn.lifted_loss import precondition_probabilities
from dias.nn.model import NEGATIVE, NONE, POSITIVE, DiasModel, Selection
from dias.nn.tables import Relation, Symbols, build_tables
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Parameter, Predicate
from dias.traces.record import Segment
from tests.nn.cases import (
    TABLES,
    TRACES,
    VOCABULARY,
    facts,
    lifted_main_loss,
    slot_tuples,
    small_model,
    step,
    traces,
    true_after,
    true_before,
)
from tests.oracles import naive_successors
from tests.strategies import TYPES, domains, objects, states

SLOT_OF = (2, 0, 3)
"""The slot of each parameter; slot 1 is never used."""
N_SLOTS = 4
CERTAIN = 30.0


def in_slot_space(schema: ActionSchema) -> ActionSchema:
    """What can be said with one choice per literal: no `either`, no literal of both signs."""
    return replace(
        schema,
        parameters=tuple(Parameter(p.name, p.types[:1]) for p in schema.parameters),
        negative_preconditions=schema.negative_preconditions - schema.preconditions,
        equalities=frozenset(),
        inequalities=frozenset(),
        delete_effects=schema.delete_effects - schema.add_effects,
    )


def every_step(domain, types, state):
    """(action, arguments, next state) of all injective arguments, applicable or not.

    An action that is not applicable changes nothing. No two slots select the same object.
    """
    applicable = {
        (name, arguments): change
        for name, arguments, *change in naive_successors(domain, types, state)
        if len(set(arguments)) == len(arguments)
    }
    steps = []
    for schema in domain.actions:
        for arguments in permutations(sorted(types), schema.arity):
            added, deleted = applicable.get((schema.name, arguments), ((), ()))
            next_state = (state - frozenset(deleted)) | frozenset(added)
            steps.append((schema.name, arguments, next_state))
    return steps, applicable


def as_traces(domain, types, state, steps):
    return traces(
        {p.name: p.arity for p in domain.predicates},
        [Segment("", dict(sorted(types.items())), frozenset())],
        [step(0, action, state, next_state) for action, _, next_state in steps],
        dict(domain.types),
    )


def hard_model(domain: Domain, vocabulary: Symbols) -> DiasModel:
    """The schemas of `domain` as logits; every literal of the unused slot is in use."""
    model = DiasModel(vocabulary, ModelConfig(N_SLOTS, 2, 1), torch.Generator().manual_seed(0))
    with torch.no_grad():
        for logits in (model.effect_logits, model.precondition_logits):
            for k in vocabulary.arities:
                for column, slots in enumerate(slot_tuples(N_SLOTS, k)):
                    case = POSITIVE if 1 in slots else NONE
                    logits[str(k)][:, :, column, case] = CERTAIN
        for number, action in enumerate(vocabulary.actions):
            schema = domain.action(action)
            slot = dict(zip(schema.variables, SLOT_OF, strict=False))
            types = [
                (Relation(p.types[0], 1, is_type=True), (p.name,))
                for p in schema.parameters
                if p.types[0] != OBJECT
            ]
            plain = lambda atoms: [(Relation(a.predicate, len(a.terms)), a.terms) for a in atoms]  # noqa: E731
            for logits, atoms, case in (
                (model.precondition_logits, plain(schema.preconditions) + types, POSITIVE),
                (model.precondition_logits, plain(schema.negative_preconditions), NEGATIVE),
                (model.effect_logits, plain(schema.add_effects), POSITIVE),
                (model.effect_logits, plain(schema.delete_effects), NEGATIVE),
            ):
                for relation, terms in atoms:
                    k = relation.arity
                    column = slot_tuples(N_SLOTS, k).index(tuple(slot[t] for t in terms))
                    entry = logits[str(k)][number, vocabulary.relations[k].index(relation), column]
                    entry.zero_()
                    entry[case] = CERTAIN
    return model


def hard_selection(steps, types) -> Selection:
    names = sorted(types)
    assignment = torch.zeros(len(steps), N_SLOTS, len(names))
    slot_probs = torch.zeros(len(steps), N_SLOTS)
    for place, (_, arguments, _) in enumerate(steps):
        free = [n for n in names if n not in arguments]
        for slot, name in zip(SLOT_OF, arguments, strict=False):
            assignment[place, slot, names.index(name)] = 1
            slot_probs[place, slot] = 1
        if free:  # a closed slot looks at some object all the same
            assignment[place, 1, names.index(free[0])] = 1
    return Selection(assignment, slot_probs, slot_probs.unsqueeze(2) * assignment)


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


def dense_prediction(model, vocabulary, case, transition, selection, action, tau):
    """The paper's dense formulas over all R·O^k ground atoms of one transition, in float64.

    Returns:
        A, A′, Â′ (flat, over all relations) and p_pre.
    """
    names = list(case.segments[transition.segment].objects)
    selection = selection[:, : len(names)].double()

    def adjacency(atoms):
        return {
            k: torch.tensor(
                [[float((r, terms) in atoms) for terms in product(names, repeat=k)] for r in group]
            ).double()
            for k, group in vocabulary.relations.items()
        }

    def grounded(probs):
        """P̃ = S̃ᵀ P S̃, one factor S̃ for each axis."""
        result = {}
        for k, value in probs.items():
            full = value[action].double().reshape(-1, *[len(selection)] * k)
            for _ in range(k):
                full = torch.tensordot(full, selection, dims=([1], [0]))
            result[k] = full.flatten(1) if k else full.unsqueeze(1)
        return result

    before, after = (adjacency(f(case, transition)) for f in (true_before, true_after))
    effects, preconditions = model.effects(), model.preconditions()
    add, delete = grounded(effects.positive), grounded(effects.negative)
    positive, negative = grounded(preconditions.positive), grounded(preconditions.negative)
    holds = torch.cat(
        [((1 - positive[k] * (1 - A)) * (1 - negative[k] * A)).flatten() for k, A in before.items()]
    )
    p_pre = holds.prod() ** (1 / (tau * len(holds) + 1 - tau))
    predicted = {k: A + p_pre * ((1 - A) * add[k] - A * delete[k]) for k, A in before.items()}
    flat = lambda tensors: torch.cat([t.flatten() for t in tensors.values()])  # noqa: E731
    return flat(before), flat(after), flat(predicted), p_pre


def dense_loss(model, vocabulary, case, batch, chosen, tau):
    """L_adj summed over the batch: BCE of Â′ against A′; logarithms end at -100, as in torch."""
    total = 0.0
    for place, number in enumerate(batch.places):
        _, after, predicted, _ = dense_prediction(
            model, vocabulary, case, case.transitions[number], chosen.selection[place],
            int(batch.action[place]), tau,
        )  # fmt: skip
        total += torch.nn.functional.binary_cross_entropy(
            predicted.clamp(0, 1), after, reduction="sum"
        ).item()
    return total


@st.composite
def situations(draw):
    """A random domain, typed objects and a state in which some action is likely applicable."""
    domain = draw(domains(with_constant=False))
    domain = replace(domain, actions=tuple(map(in_slot_space, domain.actions)))
    types = draw(objects(domain))
    state = draw(states(domain, types))
    schema = draw(st.sampled_from(domain.actions))
    arguments = draw(st.permutations(sorted(types)))
    if schema.arity <= len(types):
        binding = dict(zip(schema.variables, arguments, strict=False))
        types |= {binding[p.name]: p.types[0] for p in schema.parameters}
        state |= {atom.substitute(binding) for atom in schema.preconditions}
        state -= {atom.substitute(binding) for atom in schema.negative_preconditions}
    return domain, types, state


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


@st.composite
def changed_domains(draw, domain):
    """`domain` with one literal put in or taken out, in each of its actions at most once."""
    actions = []
    for schema in domain.actions:
        atoms = [
            Atom(p.name, terms)
            for p in domain.predicates
            for terms in product(schema.variables, repeat=p.arity)
        ]
        if atoms:
            kinds = ["preconditions", "negative_preconditions", "add_effects", "delete_effects"]
            kind = draw(st.sampled_from(kinds))
            literal = frozenset({draw(st.sampled_from(atoms))})
            schema = in_slot_space(replace(schema, **{kind: getattr(schema, kind) ^ literal}))
        actions.append(schema)
    return replace(domain, actions=tuple(actions))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_both_objectives_vanish_exactly_for_the_schemas_that_explain_everything(data):
    domain, types, state = data.draw(situations())
    steps, _ = every_step(domain, types, state)
    steps = steps[:12]
    if not steps:
        return
    case = as_traces(domain, types, state, steps)
    vocabulary = Symbols.of(case)
    batch = make_batch(build_tables(case, vocabulary), np.arange(len(steps)))
    other = data.draw(changed_domains(domain))
    predictions, _ = every_step(other, types, state)
    n_wrong = sum(ours != theirs for ours, theirs in zip(predictions, steps, strict=False))
    model, chosen = hard_model(other, vocabulary), hard_selection(steps, types)
    lifted = lifted_main_loss(model, batch, chosen, 0.0).item() * len(steps)
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
