"""The trace sampler: from a known domain and problems to samples, and from samples to files."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from dias.strips.codes import State
from dias.strips.model import OBJECT, Atom, Domain, Instance
from dias.traces.reading.reader import collect_traces
from dias.traces.record import LabelMode, Traces
from dias.traces.sampling.labels import StripsPlusArguments
from dias.traces.sampling.samples import Sample, SamplingConfig
from dias.traces.sampling.walk import EXPLORERS
from dias.traces.writer import Block, Step, trace_header


def sample(
    domain: Domain,
    instances: Sequence[Instance],
    config: SamplingConfig | None = None,
    *,
    labels: LabelMode = LabelMode.NAMES,
    seed: int = 0,
) -> Traces:
    """Walk in problems of a domain and return the transitions, as if they were read from a file.

    Args:
        domain: The true domain.
        instances: The problems.
        config: How much to collect of each problem, and how to walk.
        labels: The action arguments to keep.
        seed: Seed of all choices; the same one gives what ``dias sample`` writes.

    Raises:
        InsufficientTracesError: No action is applicable.

    Examples:
        >>> import dias
        >>> domain = dias.read_domain("benchmarks/domains/gripper/domain.pddl")
        >>> problem = dias.read_problem("benchmarks/domains/gripper/p01.pddl", domain)
        >>> traces = dias.sample(domain, [problem], seed=1)
        >>> traces.actions, traces.n_steps
        (('drop', 'move', 'pick'), 339)
    """
    arguments = None
    if labels is LabelMode.STRIPS_PLUS:
        arguments = StripsPlusArguments({action.name: action.arity for action in domain.actions})
    splits = [config or SamplingConfig()]
    walks = list(sample_traces(domain, instances, splits, random.Random(seed), arguments))
    return collect_traces(trace_block(domain, walk, labels, arguments) for [walk] in walks)


def sample_traces(
    domain: Domain,
    instances: Sequence[Instance],
    splits: Sequence[SamplingConfig],
    rng: random.Random,
    arguments: StripsPlusArguments | None = None,
    engine: str = "lifted",
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

    Yields:
        For each problem, the samples of all splits (training, validation).
    """
    for instance in instances:
        explorer = EXPLORERS[splits[0].strategy](
            domain, instance, splits[0], rng, arguments, engine
        )
        yield [explorer.collect(config) for config in splits]


def trace_block(
    domain: Domain,
    sample: Sample,
    labels: LabelMode,
    arguments: StripsPlusArguments | None = None,
    noise: Callable[[State], State] | None = None,
) -> Block:
    """A sample as a header and its steps, for `dias.traces.writer.write_traces`.

    Args:
        domain: The domain that was walked in.
        sample: What was collected.
        labels: The action arguments to keep.
        arguments: The STRIPS+ arguments; needed for `LabelMode.STRIPS_PLUS`.
        noise: How states are observed (`dias.traces.sampling.noise`). No atom is declared static
            then.
    """
    problem = sample.problem
    codes = problem.codes
    kept = {}
    for action in domain.actions:
        if labels is LabelMode.FULL:
            kept[action.name] = tuple(range(action.arity))
        elif labels is LabelMode.STRIPS_PLUS:
            if arguments is None:
                raise ValueError("STRIPS+ labels need the arguments that were observed")
            kept[action.name] = arguments.positions(action.name)
        else:
            kept[action.name] = ()
    static = frozenset() if noise else problem.static_atoms
    header = problem_header(domain, problem.instance, static) | {"labels": labels.value}
    if noise:  # what is observed may hold of objects of any type
        header["predicates"] = {name: [OBJECT] * len(types) for name, types in domain.predicates}

    def observed(state: State) -> frozenset[Atom]:
        return codes.decode_state(noise(state | problem.static.atoms) if noise else state)

    steps = (
        Step(
            observed(step.state),
            step.successor.action,
            tuple(codes.objects[step.successor.binding[p]] for p in kept[step.successor.action]),
            observed(step.next_state),
            step.walk,
            step.place,
        )
        for step in sample.steps
    )
    return header, steps


def problem_header(
    domain: Domain, instance: Instance, static: frozenset[Atom]
) -> dict[str, object]:
    """The header that declares a problem of a domain, with labels ``names``."""
    return trace_header(
        domain=domain.name,
        problem=instance.name,
        labels=LabelMode.NAMES,
        types=domain.types,
        predicates=domain.predicates,
        objects={**instance.objects, **domain.constants},
        constants=domain.constants,
        actions=[action.name for action in domain.actions],
        static=static,
    )
