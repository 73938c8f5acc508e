"""Steps that change nothing: did the action happen, or was it refused?

Many simulators answer an action that is not applicable with the state as it was. Where an action
has steps that change something and steps that do not, and no effects cover both, the latter are
read as refused attempts, if that leaves nothing unexplained. One simulator answers all actions
alike, so then this holds for every action that changes something. With all arguments known, some
steps without change are what the action does anyway: those happened. Where a mask says what is
applicable, there is nothing to find out: what it does not list was refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from dias.errors import InsufficientTracesError
from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.bindings import is_explained
from dias.learning.explain.full_labels import of_arguments
from dias.learning.propose.single_steps import propose
from dias.learning.schema import LiftedSchema
from dias.traces.record import LabelMode, RefusedAction, Traces, Transition

Refusing = Mapping[str, LiftedSchema | None]
"""Action to what it does where it is not refused; None if that does not say which steps these are.
"""


def read_unchanged(
    traces: Traces, reading: str, validation: Traces | None = None
) -> tuple[Traces, Traces | None, dict[str, int]]:
    """The traces with the steps that change nothing read as they are to be read.

    Args:
        traces: The traces.
        reading: One of `dias.config.UNCHANGED`. With `refused` those of every action are refused
            attempts, also where the action never changed anything.
        validation: Traces that are read in the same way, and have no say in which.

    Returns:
        The traces, the validation traces, and per action the distinct steps of the former that
        became refused attempts.

    Raises:
        InsufficientTracesError: All steps are refused attempts.
    """
    refusing: Refusing = {}
    if reading == "refused":
        both = filter(None, (traces, validation))
        refusing = dict.fromkeys(t.action for own in both for t in own.transitions)
    elif reading == "auto":
        refusing = _refusing(as_refused(traces, {}, asks_masks=True) if traces.masks else traces)
    asked = reading != "happened"
    read = as_refused(traces, refusing, asked)
    if traces.transitions and not read.transitions:
        raise InsufficientTracesError(
            f"none of the {len(traces.transitions):,} distinct transitions changes anything, so "
            "read as refused attempts they leave nothing to learn from",
            place=traces.source,
            remedy="Take them as they stand (unchanged: happened)",
        )
    counts = Counter(t.action for t in traces.transitions)
    counts.subtract(t.action for t in read.transitions)
    found = {name: number for name, number in sorted(counts.items()) if number}
    return read, validation and as_refused(validation, refusing, asked), found


def _refusing(traces: Traces) -> Refusing:
    """The actions that change something, if some steps are not covered and refusals explain that.

    Those alone with steps of both kinds are to be explained.
    """
    changing = {t.action for t in traces.transitions if t.state != t.next_state}
    unchanged = {t.action for t in traces.transitions if t.state == t.next_state}
    if not changing & unchanged:
        return {}
    own = tuple(t for t in traces.transitions if t.action in changing)
    groups = examples_by_action(replace(traces, transitions=own))
    if all(_is_covered(groups[name], traces.labels) for name in changing & unchanged):
        return {}
    acting = {
        name: replace(group, examples=[e for e in group.examples if e.state != e.next_state])
        for name, group in groups.items()
    }
    if not all(_is_covered(acting[name], traces.labels) for name in changing & unchanged):
        return {}
    if traces.labels is LabelMode.FULL:
        return {name: of_arguments(group)[0] for name, group in acting.items()}
    return dict.fromkeys(acting)


def _is_covered(group: Examples, labels: LabelMode) -> bool:
    """Whether some effects explain all the steps."""
    if labels is LabelMode.FULL:
        n_explained = len(of_arguments(group)[1].owner)
    else:
        _, n_explained = propose(group)
    return n_explained == len(group.examples)


def as_refused(traces: Traces, refusing: Refusing, asks_masks: bool = False) -> Traces:
    """The traces with the steps of some actions that change nothing as refused attempts.

    Those stay that the action makes by what it does, unless masks are asked and refuse them; these
    are asked about the other actions, too.
    """
    masks = {(mask.segment, mask.state): mask for mask in traces.masks} if asks_masks else {}

    def is_masked(t: Transition) -> bool:
        mask = masks.get((t.segment, t.state))
        return mask is not None and mask.refuses(t.action, t.arguments)

    schemas = {name: schema for name, schema in refusing.items() if schema}
    own = tuple(t for t in traces.transitions if t.action in schemas and t.state == t.next_state)
    groups = examples_by_action(replace(traces, transitions=own)) if own else {}
    happened = {t for name, group in groups.items() for t in _made(schemas[name], group)}
    kept = []
    refused = {(a.segment, a.state, a.action, a.arguments): a for a in traces.refused}
    for t in traces.transitions:
        is_refused = (t.action in refusing and t not in happened) or is_masked(t)
        if t.state != t.next_state or not is_refused:
            kept.append(t)
            continue
        key = t.segment, t.state, t.action, t.arguments
        known = refused.get(key, RefusedAction(*key, count=0, line=t.line))
        line = min(known.line, t.line)
        refused[key] = replace(known, count=known.count + t.count, line=line)
    attempts = sorted(refused.values(), key=lambda attempt: attempt.line)
    return replace(traces, transitions=tuple(kept), refused=tuple(attempts))


def _made(schema: LiftedSchema, group: Examples) -> Iterator[Transition]:
    """The steps that a schema makes with the arguments that they name."""
    table = BindingTable.of([[e.given] for e in group.examples], schema.n_variables)
    holds, fails = (group.truth(*table, own) for own in (schema.positive, schema.negative))
    for number in np.flatnonzero(holds.all(1) & ~fails.any(1)).tolist():
        if is_explained(schema.effects, group.examples[number]):
            yield group.examples[number].transition
