"""Weighs what was learned against the transitions, and checks that there are any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dias.errors import InsufficientTracesError, TraceError
from dias.learning.certify import LiftedSchema
from dias.learning.examples import Examples
from dias.learning.result import ActionEvidence
from dias.learning.support import MissingVariable, Support
from dias.traces.record import Traces


def check_traces(traces: Traces, validation: Traces | None) -> None:
    """Refuse what nothing can be learned from, or measured on.

    Raises:
        InsufficientTracesError: There is no transition.
        TraceError: The validation transitions have other types.
    """
    if not traces.transitions:
        raise InsufficientTracesError("no transitions to learn from", place=traces.source)
    if validation is not None and dict(traces.types) != dict(validation.types):
        wanted, found = (", ".join(t.types) or "none" for t in (traces, validation))
        raise TraceError(
            f"expected the types of {traces.source} ({wanted}), found {found}",
            place=validation.source,
            remedy="Give both files headers with the same types",
        )


def weigh_schemas(
    schemas: Sequence[LiftedSchema],
    examples: Mapping[str, Examples],
    n_explained: Mapping[str, int],
    supports: Sequence[Support | None] | None = None,
    suspected: Sequence[MissingVariable | None] | None = None,
) -> tuple[ActionEvidence, ...]:
    """What the transitions say about each schema.

    Args:
        schemas: The schemas.
        examples: Their transitions, in the same order.
        n_explained: Action to transitions that the finished domain explains.
        supports: What stands behind each schema, if that was looked at.
        suspected: Else the parameters that each may lack.
    """
    supports = supports or [None] * len(schemas)
    suspected = suspected or [None] * len(schemas)
    return tuple(
        ActionEvidence(
            schema.action,
            len(group.examples),
            n_explained[schema.action],
            schema.n_ambiguous,
            sum(example.state == example.next_state for example in group.examples),
            own,
            missing,
        )
        for schema, group, own, missing in zip(
            schemas, examples.values(), supports, suspected, strict=True
        )
    )
