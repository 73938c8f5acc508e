"""Checks that there are transitions to learn from, and that those of validation fit them."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import NoReturn

from dias.errors import InsufficientTracesError, TraceError
from dias.learning.explain.bindings import MAX_CHANGES
from dias.traces.findings import NOTHING_CHANGES
from dias.traces.record import Traces

log = logging.getLogger(__name__)

MAX_ARITY = 5
"""Arguments of a predicate at most: over n variables a relation of arity k has n^k lifted atoms."""


def check_traces(traces: Traces) -> None:
    """Refuse what nothing can be learned from, and say what will not be looked at.

    Raises:
        InsufficientTracesError: There is no transition.
    """
    if not traces.transitions:
        raise InsufficientTracesError("no transitions to learn from", place=traces.source)
    for transition in traces.transitions:
        n_changed = len(transition.state ^ transition.next_state)
        if n_changed > MAX_CHANGES:
            log.warning(
                "line %s changes %d atoms; steps that change more than %d stay unexplained",
                transition.line, n_changed, MAX_CHANGES,
            )  # fmt: skip
            break


def check_certain(traces: Traces) -> None:
    """Refuse states of which not all is certain.

    Raises:
        TraceError: Some atom of some state is not.
    """
    if traces.is_soft:
        raise TraceError(
            "expected states in which every atom is certain, found others",
            place=traces.source,
            remedy="`dias denoise` writes the states as they most likely were",
        )


def check_changes(traces: Traces) -> None:
    """Ask back where no transition changes anything: that is hardly what was meant to be recorded.

    Raises:
        InsufficientTracesError: None does. It says what that may mean and what to do.
    """
    if any(transition.state != transition.next_state for transition in traces.transitions):
        return
    n_actions = len({transition.action for transition in traces.transitions})
    raise InsufficientTracesError(
        f"expected transitions that change something, found {traces.n_steps} of {n_actions}"
        f" action(s) in which nothing ever changes: {NOTHING_CHANGES}",
        place=traces.place(traces.transitions[0].line),
        remedy="Record the state that follows each action, with all that it changes; if the actions"
        " really change nothing, say so with --unchanged happened",
    )


def check_arities(traces: Traces) -> None:
    """Refuse predicates whose lifted atoms would be too many.

    Raises:
        TraceError: A predicate has more than `MAX_ARITY` arguments.
    """
    wide = [f"{p.name}/{p.arity}" for p in traces.predicates if p.arity > MAX_ARITY]
    if wide:
        raise TraceError(
            f"expected predicates of at most {MAX_ARITY} arguments, found {', '.join(wide)}",
            place=traces.source,
            remedy="Record the action arguments (labels: full), or split the predicates",
        )


def as_validation(validation: Traces, traces: Traces) -> Traces:
    """The validation transitions over the predicates of those that are learned from as well.

    Where a file has no header, it shows only the predicates that something is true of.

    Raises:
        TraceError: They have other types, constants or labels, or predicates of other arities, or
            not all of their states is certain.
    """
    check_certain(validation)

    def refuse(kind: str, wanted: str, found: str, remedy: str) -> NoReturn:
        raise TraceError(
            f"expected the {kind} of {traces.source} ({wanted}), found {found}",
            place=validation.source,
            remedy=remedy,
        )

    for kind, theirs, own in (
        ("types", traces.types, validation.types),
        ("constants", traces.constants, validation.constants),
    ):
        if dict(theirs) != dict(own):
            wanted, found = (", ".join(names) or "none" for names in (theirs, own))
            refuse(kind, wanted, found, f"Give both files headers with the same {kind}")
    arities = {predicate.name: predicate.arity for predicate in traces.predicates}
    for predicate in validation.predicates:
        arity = arities.get(predicate.name, predicate.arity)
        if arity != predicate.arity:
            wanted, found = (f"{predicate.name}/{n}" for n in (arity, predicate.arity))
            refuse("predicates", wanted, found, "Give the validation file of the same domain")
    if traces.labels is not validation.labels:
        wanted, found = traces.labels.value, validation.labels.value
        refuse("labels", wanted, found, "Give both files headers with the same labels")
    known = {predicate.name for predicate in validation.predicates}
    missing = (predicate for predicate in traces.predicates if predicate.name not in known)
    return replace(validation, predicates=(*validation.predicates, *missing))
