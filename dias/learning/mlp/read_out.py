"""A domain out of a network with state-dependent effects, where it has learned few kinds of them.

The MLP is a function of the lifted state. In the states of the traces it has a value for each
grounding that explains a transition: the lifted atoms that change. Groundings with one value become
a STRIPS action, its preconditions the literals that hold for all of them; several values become
several actions (`dias.learning.state_dependent.conditional`). The arguments are the network's
slots. The outcome is replayed on the transitions like any other domain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from dias.errors import DiasError
from dias.learning.certificate.count_support import support
from dias.learning.certificate.weigh import weigh_schema
from dias.learning.data.replay import CodedStates, count_reproduced
from dias.learning.data.transitions import Example, Examples, examples_by_action
from dias.learning.explain.bindings import Bindings
from dias.learning.explain.certify import certify_bindings
from dias.learning.finish.assemble import action_schema, learned_domain
from dias.learning.mlp.dynamics import MLPDynamics
from dias.learning.mlp.replay import ActionInTraces
from dias.learning.result import LearningResult
from dias.learning.schema import Effects, LiftedAtom, LiftedSchema
from dias.learning.state_dependent.conditional import rename_parts
from dias.learning.state_dependent.division import MAX_PARTS
from dias.learning.train.extraction import thresholded_preconditions
from dias.strips.joins.successors import Successor
from dias.traces.record import Traces


def read_out_domain(
    dynamics: MLPDynamics, traces: Traces, result: LearningResult
) -> LearningResult:
    """The domain that the network amounts to, and what the transitions say about it.

    Args:
        dynamics: The network.
        traces: The transitions that it was learned from.
        result: What is known about the network.

    Raises:
        DiasError: An action has more than `MAX_PARTS` kinds of effects.
    """
    coded = CodedStates(traces)
    schemas: list[LiftedSchema] = []
    parts: dict[str, list[Examples]] = {}
    for action, examples in examples_by_action(traces).items():
        own = _schemas(dynamics, examples, traces, coded)
        schemas += [schema for schema, _ in own]
        parts[action] = [group for _, group in own]
    divided, variants = rename_parts(
        traces,
        {a: [[e.transition for e in group.examples] for group in own] for a, own in parts.items()},
    )
    names = chain.from_iterable(variants.get(action, (action,)) for action in parts)
    named = {name: replace(s, action=name) for name, s in zip(names, schemas, strict=True)}
    groups = dict(zip(named, chain.from_iterable(parts.values()), strict=True))
    domain = learned_domain(divided, (action_schema(s, divided) for s in named.values()))
    reproduced = count_reproduced(domain, divided)
    evidence = tuple(
        weigh_schema(s, groups[n], reproduced[n], support=support(s, s, groups, divided))
        for n, s in named.items()
    )
    return replace(
        result,
        domain=domain,
        evidence=evidence,
        method=f"mlp effects ({result.method}), read out",
        preconditions="safe",
        validation=None,
        variants=variants,
        is_network=False,
    )


def _schemas(
    dynamics: MLPDynamics, examples: Examples, traces: Traces, coded: CodedStates
) -> list[tuple[LiftedSchema, Examples]]:
    """The schemas of one action with the transitions of each, the most frequent one first.

    A transition that the network does not explain goes to the first.
    """
    applied = ActionInTraces(dynamics, examples.action, coded)
    network = thresholded_preconditions(dynamics.network, examples.action, dynamics.threshold)
    explained = [
        _by_effects(list(applied.explanations(example.transition)), example, network.n_variables)
        for example in examples.examples
    ]
    n_explained = Counter(effects for own in explained for effects in own)
    groups: dict[Effects, list[tuple[Example, Bindings]]] = {}
    rest: list[tuple[Example, Bindings]] = []
    for example, own in zip(examples.examples, explained, strict=True):
        if own:
            effects = max(own, key=lambda effects: (n_explained[effects], effects))
            groups.setdefault(effects, []).append((example, own[effects]))
        else:
            rest.append((example, []))
    if len(groups) > MAX_PARTS:
        raise DiasError(
            f"expected at most {MAX_PARTS} kinds of effects of {examples.action}, found "
            f"{len(groups)}: the network has learned no small function of the state",
            place=traces.source,
            remedy="Train longer, or evaluate the checkpoint as it is",
        )
    if not groups:
        return [(network, examples)]
    found = []
    for effects, pairs in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        pairs, rest = pairs + rest, []
        group = replace(examples, examples=[example for example, _ in pairs])
        bindings = [own for _, own in pairs]
        found.append((certify_bindings(effects, group, bindings, network.n_variables), group))
    return found


def _by_effects(
    explanations: Sequence[Successor], example: Example, n_variables: int
) -> dict[Effects, Bindings]:
    """The bindings that explain a transition, by the lifted atoms that change under them."""
    found: dict[Effects, Bindings] = {}
    for binding in (successor.binding for successor in explanations):
        add, delete = (
            _lifted(codes, binding, example) for codes in (example.added, example.deleted)
        )
        effects = Effects(n_variables, add, delete, len(example.transition.arguments))
        found.setdefault(effects, []).append(binding)
    return found


def _lifted(
    codes: Iterable[int], binding: tuple[int, ...], example: Example
) -> tuple[LiftedAtom, ...]:
    """Atoms over bound objects, said over the variables."""
    variable = {o: v for v, o in enumerate(binding)}
    atoms = map(example.codes.split, codes)
    return tuple(sorted(LiftedAtom(r, tuple(variable[o] for o in own)) for r, own in atoms))
