"""Traces for the tests of learning: sampled in a known domain, or all steps of given states."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from benchmarks.generate import DOMAINS
from dias.learning.data.transitions import Example, Examples
from dias.learning.likelihood import Likelihood
from dias.learning.schema import EQUAL, NOT, Effects, LiftedAtom, LiftedSchema
from dias.strips.codes import AtomCodes
from dias.strips.model import ActionSchema, Atom, Domain, Instance
from dias.strips.pddl.reader import read_domain, read_problem
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode, Segment, Traces, Transition
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.writer import write_traces
from tests.oracles import naive_successors
from tests.traces.files import atoms

World = tuple[Mapping[str, str], frozenset[Atom]]
"""Objects with their types, and a state."""


@cache
def benchmark(name: str, *problems: str) -> tuple[Domain, tuple[Instance, ...]]:
    """A benchmark domain and some of its problems."""
    domain = read_domain(DOMAINS / name / "domain.pddl")
    return domain, tuple(read_problem(DOMAINS / name / f"{p}.pddl", domain) for p in problems)


def sampled(
    domain: Domain,
    instances: Sequence[Instance],
    n_per_action: int,
    labels: LabelMode = LabelMode.NAMES,
    seed: int = 0,
) -> Traces:
    """A balanced walk in each problem, written and read back."""
    config = SamplingConfig(n_per_action, 2 * n_per_action)
    arguments = None
    if labels is LabelMode.STRIPS_PLUS:
        arguments = StripsPlusArguments({action.name: action.arity for action in domain.actions})
    samples = list(sample_traces(domain, instances, [config], random.Random(seed), arguments))
    blocks = [trace_block(domain, sample, labels, arguments) for (sample,) in samples]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces.jsonl"
        write_traces(path, blocks)
        return read_traces(path)


def all_steps(domain: Domain, worlds: Iterable[World], static: Iterable[str] = ()) -> Traces:
    """Every applicable ground action of every state, with its arguments; one segment a world.

    The atoms of the predicates in `static` are left out of the states.
    """
    segments, transitions = [], []
    for number, (objects, state) in enumerate(worlds):
        fixed = frozenset(atom for atom in state if atom.predicate in static)
        segments.append(Segment(f"p{number}", dict(sorted(objects.items())), fixed))
        for action, arguments, added, deleted in sorted(
            naive_successors(domain, objects, state), key=lambda step: step[:2]
        ):
            next_state = (state - deleted | added) - fixed
            transitions.append(
                Transition(number, state - fixed, action, arguments, next_state, 1, 1, 1)
            )
    return Traces(
        source="worlds",
        domain=domain.name,
        labels=LabelMode.FULL,
        types=dict(sorted(domain.types.items())),
        predicates=tuple(sorted(domain.predicates)),
        actions=tuple(sorted({t.action for t in transitions})),
        segments=tuple(segments),
        transitions=tuple(transitions),
        constants=dict(sorted(domain.constants.items())),
    )


def example(codes: AtomCodes, state: Iterable[Atom], next_state: Iterable[Atom]) -> Example:
    """One step of an action `act`, coded."""
    before, after = frozenset(state), frozenset(next_state)
    transition = Transition(0, before, "act", (), after, 1, 1, 1)
    return Example(transition, codes, codes.encode_state(before), codes.encode_state(after))


def steps(codes: AtomCodes, *pairs: tuple[str, str], arguments: Sequence[str] = ()) -> Examples:
    """Steps from text: ``("on a, red b", "on a")``, all with the same given arguments."""
    found = []
    for pair in pairs:
        one = example(codes, *(atoms(*filter(None, text.split(", "))) for text in pair))
        transition = replace(one.transition, arguments=tuple(arguments))
        found.append(replace(one, transition=transition))
    return Examples("act", codes.arities, found)


def ground(literal: LiftedAtom, binding: Sequence[int], codes: AtomCodes) -> Atom:
    """The atom that a lifted one becomes under a binding."""
    names = tuple(codes.objects[binding[variable]] for variable in literal.variables)
    return Atom(literal.relation, names)


def is_true(literal: LiftedAtom, binding: Sequence[int], step: Example) -> bool:
    """Whether a lifted atom, or that two variables are one object or not, holds in s."""
    if literal.relation.startswith(NOT):
        return not is_true(literal._replace(relation=literal.relation[len(NOT) :]), binding, step)
    if literal.relation == EQUAL:
        one, other = (binding[variable] for variable in literal.variables)
        return one == other
    objects = tuple(binding[variable] for variable in literal.variables)
    return (literal.relation, objects) in _true(step.codes, step.state)


@lru_cache(maxsize=100)
def _true(codes: AtomCodes, state: frozenset[int]) -> set[tuple[str, tuple[int, ...]]]:
    """The true atoms, as relation and object numbers."""
    number = codes.object_number
    atoms = map(codes.decode, state)
    return {(atom.predicate, tuple(number[name] for name in atom.terms)) for atom in atoms}


def literals(*texts: str) -> tuple[LiftedAtom, ...]:
    """Lifted atoms from text: ``literals("on 0 1", "power")``."""
    return tuple(
        LiftedAtom(words[0], tuple(map(int, words[1:]))) for words in map(str.split, texts)
    )


def lifted_schema(
    action: str,
    n_variables: int,
    add: tuple[LiftedAtom, ...] = (),
    delete: tuple[LiftedAtom, ...] = (),
    positive: tuple[LiftedAtom, ...] = (),
    negative: tuple[LiftedAtom, ...] = (),
) -> LiftedSchema:
    """A schema as certification gives it; variables that no effect has come last."""
    n_effect_variables = 1 + max((v for atom in add + delete for v in atom.variables), default=-1)
    effects = Effects(n_effect_variables, add, delete)
    return LiftedSchema(action, effects, n_variables, positive, negative)


def said_of(schema: ActionSchema, traces: Traces) -> tuple[float, int]:
    """What the steps of its action say of a schema."""
    return Likelihood(schema.name, traces).of(schema)


def typed(*texts):
    """Lifted atoms; ``car! 0`` is the type of that name."""
    return tuple(
        atom._replace(relation=f"type {atom.relation[:-1]}") if atom.relation[-1] == "!" else atom
        for atom in literals(*texts)
    )
