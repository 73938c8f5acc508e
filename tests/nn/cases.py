"""Hand-made traces for the tests of the network, and their plain reading atom by atom.

`TRACES` has relations of every arity 0 to 3, relations that never change (declared static or
just constant), a predicate and a type of one name (``box``), types with ancestors, segments of
four, two, three and five objects, one of them without a transition, and transitions whose
segments alternate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import exp

import torch
from torch import Tensor

from dias.config import ModelConfig
from dias.nn import dense_loss, lifted_loss
from dias.nn.batches import Batch
from dias.nn.model import DiasModel, Selection
from dias.nn.tables import Relation, Symbols, build_tables
from dias.strips.model import OBJECT, Atom, Predicate
from dias.traces.record import LabelMode, RefusedAction, Segment, Traces, Transition

GroundAtom = tuple[Relation, tuple[str, ...]]


def facts(*lines: str) -> frozenset[Atom]:
    """Atoms from text: ``facts("at a b", "open")``."""
    return frozenset(Atom(name, tuple(terms)) for name, *terms in map(str.split, lines))


def step(segment: int, action: str, state: frozenset[Atom], next_state: frozenset[Atom]):
    return Transition(segment, state, action, (), next_state, 1, 1, 1)


def traces(
    arities: dict[str, int],
    segments: Sequence[Segment],
    transitions: Sequence[Transition],
    types: dict[str, str] | None = None,
    refused: Sequence[RefusedAction] = (),
) -> Traces:
    """A `Traces` value around hand-made segments and transitions."""
    actions = {t.action for t in [*transitions, *refused]}
    return Traces(
        source="hand-made",
        domain="",
        labels=LabelMode.NAMES,
        types=types or {},
        predicates=tuple(Predicate(p, ((OBJECT,),) * k) for p, k in sorted(arities.items())),
        actions=tuple(sorted(actions)),
        segments=tuple(segments),
        transitions=tuple(transitions),
        refused=tuple(refused),
    )


def _traces() -> Traces:
    arities = {
        "at": 2,  # changes in segment 0, stays in the others
        "between": 3,
        "box": 1,  # also the name of a type
        "linked": 2,  # declared static
        "lucky": 2,  # no transition changes it, but two states of segment 0 differ in it
        "open": 0,
        "route": 3,  # constant, though listed in every state
        "sunny": 0,  # declared static in segment 0, absent elsewhere
        "unheard": 2,  # no atom at all
    }
    segments = [
        Segment(
            "one",
            {"a": "crate", "b": "crate", "p": "place", "q": "place"},
            facts("linked p q", "linked q p", "linked p p", "sunny"),
        ),
        Segment("idle", {"a": "crate", "p": OBJECT}, facts("linked p p")),
        Segment("two", {"a": "crate", "p": "place", "r": OBJECT}, frozenset()),
        Segment(
            "three",
            {"a": "box", "b": "crate", "c": "place", "d": "place", "e": "thing"},
            facts("linked c d"),
        ),
    ]
    route0, route3 = facts("route p q p", "route a b q"), facts("route c d e", "route c d c")
    start0 = facts("at a p", "at b q", "box a", "between a b p") | route0
    end0 = facts("at a q", "at b q", "box a", "open", "between a b p", "between b b q") | route0
    start2 = facts("at a p", "at a a", "between a p r", "between a p a", "open")
    start3 = facts("at a c", "at b d", "at e e", "box a", "box b", "between a b c") | route3
    end3 = facts("at a c", "at b d", "at e e", "box b", "open") | route3
    transitions = [
        step(3, "take", start3, end3),
        step(0, "move", start0, end0),
        step(2, "take", start2, start2 - facts("open", "between a p a") | facts("box a", "box p")),
        step(0, "move", end0 | facts("lucky a b"), start0 | facts("lucky a b")),
        step(3, "wait", end3, end3),
        step(2, "wait", start2, start2),
        step(3, "move", end3, start3 | facts("open")),
    ]
    refused = [RefusedAction(1, facts("open"), "never", (), 1, 1)]
    types = {"box": "thing", "crate": "box", "place": OBJECT, "thing": OBJECT}
    return traces(arities, segments, transitions, types, refused)


TRACES = _traces()
VOCABULARY = Symbols.of(TRACES)
TABLES = build_tables(TRACES, VOCABULARY)


def with_ancestors(type_name: str, parents: Mapping[str, str]) -> Iterator[str]:
    """The type and those above it, without the root."""
    while type_name != OBJECT:
        yield type_name
        type_name = parents[type_name]


def true_atoms(traces: Traces, segment: int, atoms: frozenset[Atom]) -> set[GroundAtom]:
    """The atoms of a state with the static ones and the types of its segment."""
    problem = traces.segments[segment]
    plain = {(Relation(a.predicate, len(a.terms)), a.terms) for a in atoms | problem.static}
    typed = {
        (Relation(name, 1, is_type=True), (item,))
        for item, type_name in problem.objects.items()
        for name in with_ancestors(type_name, traces.types)
    }
    return plain | typed


def true_before(traces: Traces, transition: Transition) -> set[GroundAtom]:
    return true_atoms(traces, transition.segment, transition.state)


def true_after(traces: Traces, transition: Transition) -> set[GroundAtom]:
    return true_atoms(traces, transition.segment, transition.next_state)


def small_model(
    vocabulary: Symbols = VOCABULARY, n_slots: int = 2, seed: int = 0, n_layers: int = 2
) -> DiasModel:
    """A model with random logits instead of the zeros that training starts from."""
    generator = torch.Generator().manual_seed(seed)
    model = DiasModel(vocabulary, ModelConfig(n_slots, 4, n_layers), generator)
    with torch.no_grad():
        logits = [*model.effect_logits.values(), *model.precondition_logits.values()]
        for parameter in [*logits, model.slot_logits]:
            parameter.copy_(torch.randn(parameter.shape, generator=generator))
    return model


def random_selection(batch: Batch, model: DiasModel, seed: int = 0) -> Selection:
    """A soft selection with exact row sums, zero on padding."""
    generator = torch.Generator().manual_seed(seed)
    n_objects = int(batch.n_objects.max())
    shape = (len(batch.places), model.config.n_slots, n_objects)
    scores = torch.randn(shape, generator=generator)
    missing = torch.arange(n_objects) >= batch.n_objects.unsqueeze(1)
    assignment = torch.softmax(scores.masked_fill(missing.unsqueeze(1), -torch.inf), 2)
    slot_probs = torch.sigmoid(model.slot_logits.detach())[batch.action]
    return Selection(assignment, slot_probs, slot_probs.unsqueeze(2) * assignment)


def slot_tuples(n_slots: int, k: int) -> list[tuple[int, ...]]:
    """Every k-tuple of slots; its place in the list is its place in the axis M^k."""
    return list(product(range(n_slots), repeat=k))


def weight_of(
    selection: Tensor | Sequence[Sequence[float]], slots: Sequence[int], objects: Sequence[int]
) -> float:
    """Π_l S̃[slot l, object l] of one ``[M, O]`` selection."""
    weight = 1.0
    for slot, item in zip(slots, objects, strict=True):
        weight *= float(selection[slot][item])
    return weight


def lifted_main_loss(model: DiasModel, batch: Batch, chosen: Selection, tau: float) -> Tensor:
    """L_main of the effects that the model has in every state."""
    return lifted_loss.main_loss(model, batch, chosen, model.effects().rows(batch.action), tau)


def dense_main_loss(model: DiasModel, batch: Batch, chosen: Selection, tau: float) -> Tensor:
    """The same of the paper's objective."""
    return dense_loss.main_loss(model, batch, chosen, model.effects().rows(batch.action), tau)


def softmax(logits: Sequence[float]) -> list[float]:
    total = sum(map(exp, logits))
    return [exp(x) / total for x in logits]


def lifted_atoms(n_slots: int) -> Iterator[tuple[Relation, int, tuple[int, ...], int]]:
    """Every (relation, its place in its group, slots, column of the slots)."""
    for k, group in VOCABULARY.relations.items():
        for r, relation in enumerate(group):
            for column, slots in enumerate(slot_tuples(n_slots, k)):
                yield relation, r, slots, column
