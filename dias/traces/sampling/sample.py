"""The trace sampler: from a known domain and problems to samples, and from samples to files."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from dias.errors import InsufficientTracesError
from dias.strips.codes import State
from dias.strips.engines.choice import build_engine
from dias.strips.model import OBJECT, Atom, Domain, Instance
from dias.strips.problem import CodedProblem
from dias.traces.reading.reader import collect_traces
from dias.traces.record import HALF, LabelMode, Soft, Traces
from dias.traces.sampling.deadline import Deadline
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.samples import Sample, SamplingConfig, WalkStep
from dias.traces.sampling.walk import EXPLORERS
from dias.traces.writer import Block, Step, problem_header

Sensor = Callable[[State, State, int, int], Soft]
"""Says which atoms of a state are not certain (`dias.traces.sampling.sensor`)."""

APPLICABLE = ("names", "ground")
"""What a trace may say of what is applicable: names, or ground actions with the arguments that the
labels keep (with names alone: with all)."""

ListActions = Callable[[State], set[tuple[str, tuple[str, ...]]]]
"""Name and arguments of what is applicable in a state."""


def sample(
    domain: Domain,
    instances: Sequence[Instance],
    config: SamplingConfig | None = None,
    *,
    labels: LabelMode | str = LabelMode.NAMES,
    seed: int = 0,
    applicable: str = "",
) -> Traces:
    """Walk in problems of a domain and return the transitions, as if they were read from a file.

    Args:
        domain: The true domain.
        instances: The problems.
        config: How much to collect of each problem, and how to walk.
        labels: The action arguments to keep.
        seed: Seed of all choices; the same one gives what ``dias sample`` writes.
        applicable: What is said to be applicable, as for `trace_block`.

    Raises:
        InsufficientTracesError: No action is applicable.
        ValueError: There is no problem, the seed is negative, or labels or what is said to be
            applicable are none.

    Examples:
        >>> import dias
        >>> domain = dias.read_domain("benchmarks/domains/gripper/domain.pddl")
        >>> problem = dias.read_problem("benchmarks/domains/gripper/p01.pddl", domain)
        >>> traces = dias.sample(domain, [problem], seed=1)
        >>> traces.actions, traces.n_steps
        (('drop', 'move', 'pick'), 339)
    """
    labels, arguments = LabelMode(labels), None
    if not instances or seed < 0:
        raise ValueError("sampling needs a problem, and a seed of 0 or more")
    if applicable not in ("", *APPLICABLE):
        raise ValueError(f"applicable must be one of {', '.join(APPLICABLE)}, or empty")
    if labels is LabelMode.STRIPS_PLUS:
        arguments = StripsPlusArguments({action.name: action.arity for action in domain.actions})
    splits = [config or SamplingConfig()]
    walks = list(sample_traces(domain, instances, splits, random.Random(seed), arguments))
    check_not_empty([walk for [walk] in walks])
    return collect_traces(
        trace_block(domain, walk, labels, arguments, applicable=applicable) for [walk] in walks
    )


def sample_traces(
    domain: Domain,
    instances: Sequence[Instance],
    splits: Sequence[SamplingConfig],
    rng: random.Random,
    arguments: StripsPlusArguments | None = None,
    engine: str = "lifted",
    deadline: Deadline | None = None,
) -> Iterator[list[Sample]]:
    """Explore each problem and collect one sample per split, going on between them.

    N_min and N_max hold for each problem.

    Args:
        domain: The true domain.
        instances: The problems.
        splits: The limits of each split; the first says how to walk.
        rng: Source of all choices.
        arguments: Told of every state that is visited for the first time.
        engine: A key of `dias.strips.engines.choice.ENGINES`; all give the same samples.
        deadline: What ends the walks early; problems whose turn never comes have empty samples.

    Yields:
        For each problem, the samples of all splits (training, validation).
    """
    for instance in instances:
        explorer = EXPLORERS[splits[0].strategy](
            domain, instance, splits[0], rng, arguments, engine, deadline
        )
        yield [explorer.collect(config) for config in splits]


def check_not_empty(samples: Sequence[Sample]) -> None:
    """Refuse samples of several problems that hold no step at all.

    Raises:
        InsufficientTracesError: None has a step; it says why.
    """
    if any(sample.steps for sample in samples):
        return
    names = ", ".join(sample.problem.name for sample in samples)
    if any(sample.is_out_of_time for sample in samples):
        why, remedy = f"the time was over before the first step in {names}", "Give it more time"
    elif not any(sample.visited.states for sample in samples):
        why = f"no action is applicable in the initial state of {names}"
        remedy = "Does :init hold all that the preconditions ask for?"
    else:
        why = f"all steps from the reachable states of {names} are in the samples before"
        remedy = "Sample fewer before, or with another strategy"
    raise InsufficientTracesError(f"expected transitions, found none: {why}", remedy=remedy)


def trace_block(
    domain: Domain,
    sample: Sample,
    labels: LabelMode,
    arguments: StripsPlusArguments | None = None,
    noise: Callable[[State], State] | None = None,
    applicable: str = "",
    sensor: Sensor | None = None,
) -> Block:
    """A sample as a header and its steps, for `dias.traces.writer.write_traces`.

    Args:
        domain: The domain that was walked in.
        sample: What was collected.
        labels: The action arguments to keep.
        arguments: The STRIPS+ arguments; needed for `LabelMode.STRIPS_PLUS`.
        noise: How states are observed (`dias.traces.sampling.noise`). No atom is declared static
            then.
        applicable: What is said to be applicable in the true states: one of `APPLICABLE`; empty:
            nothing.
        sensor: What says which atoms are not certain; None: all are.
    """
    problem = sample.problem
    kept = _kept_arguments(domain, labels, arguments)
    static = frozenset() if noise else problem.static_atoms
    header = problem_header(domain, problem.instance, static) | {"labels": labels.value}
    if noise:  # what is observed may hold of objects of any type
        header["predicates"] = {name: [OBJECT] * len(types) for name, types in domain.predicates}

    list_actions = action_lister(domain, problem, kept, labels, applicable) if applicable else None
    return header, (
        trace_step(problem, step, kept, noise, list_actions, sensor) for step in sample.steps
    )


def action_lister(
    domain: Domain,
    problem: CodedProblem,
    kept: Mapping[str, Sequence[int]],
    labels: LabelMode,
    applicable: str,
) -> ListActions:
    """What lists the actions applicable in a state as they are to be written.

    Args:
        domain: The domain that was walked in.
        problem: The problem.
        kept: Action name to the positions of the arguments that are kept.
        labels: What keeps them.
        applicable: One of `APPLICABLE`.
    """
    engine = build_engine("lifted", domain, problem)
    if applicable == "names":
        kept = dict.fromkeys(kept, ())
    elif labels is LabelMode.NAMES:  # there is no other place for arguments that names keep out
        kept = {action.name: range(action.arity) for action in domain.actions}
    objects = problem.codes.objects

    def list_actions(state: State) -> set[tuple[str, tuple[str, ...]]]:
        return {
            (own.action, tuple(objects[own.binding[p]] for p in kept[own.action]))
            for own in engine.successors(state)
        }

    return cache(list_actions)


def trace_step(
    problem: CodedProblem,
    step: WalkStep,
    kept: Mapping[str, Sequence[int]],
    noise: Callable[[State], State] | None = None,
    list_actions: ListActions | None = None,
    sensor: Sensor | None = None,
) -> Step:
    """A step as it is written.

    Args:
        problem: The problem.
        step: The step.
        kept: Action name to the positions of the arguments that are kept.
        noise: How states are observed, static atoms too.
        list_actions: What lists the actions applicable in a state; None: nothing is said of them.
        sensor: What says which atoms are not certain; None: all are.
    """
    codes = problem.codes

    def observed(state: State, place: int) -> tuple[frozenset[Atom], Soft]:
        true = state | problem.static.atoms if noise else state
        seen = noise(true) if noise else true
        soft: Soft = sensor(true, seen, step.walk, place) if sensor else frozenset()
        unknown = {atom for atom, probability in soft if probability == HALF}
        return codes.decode_state(seen) - unknown, soft

    successor = step.successor
    (state, soft), (after, next_soft) = (
        observed(own, step.place + later) for later, own in enumerate((step.state, step.next_state))
    )
    return Step(
        state,
        successor.action,
        tuple(codes.objects[successor.binding[p]] for p in kept[successor.action]),
        after,
        step.walk,
        step.place,
        list_actions and list_actions(step.state),
        soft,
        next_soft,
    )


def _kept_arguments(
    domain: Domain, labels: LabelMode, arguments: StripsPlusArguments | None
) -> dict[str, tuple[int, ...]]:
    """Action name to the positions of the arguments that the labels keep."""
    if labels is LabelMode.STRIPS_PLUS:
        if arguments is None:
            raise ValueError("STRIPS+ labels need the arguments that were observed")
        return {action.name: arguments.positions(action.name) for action in domain.actions}
    n_kept = {a.name: a.arity if labels is LabelMode.FULL else 0 for a in domain.actions}
    return {name: tuple(range(n)) for name, n in n_kept.items()}
