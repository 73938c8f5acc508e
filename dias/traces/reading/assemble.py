"""Puts `Traces` together from what was read.

That waits for the end: types hold only if every segment lists its objects, and a predicate or an
action may show in the last line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dias.errors import did_you_mean
from dias.strips.model import OBJECT, Atom
from dias.traces.findings import trace_findings
from dias.traces.places import names, place_of
from dias.traces.reading.fields import describe
from dias.traces.reading.header import KEYS, Header
from dias.traces.reading.masks import Listings, merge_listings
from dias.traces.reading.scope import Scope
from dias.traces.reading.vocabulary import Vocabulary
from dias.traces.record import RefusedAction, Segment, Soft, Traces, Transition

Attempt = tuple[int, frozenset[Atom], str, tuple[str, ...]]
"""Segment, state, action and arguments."""
Beliefs = tuple[()] | tuple[Soft, Soft, str | int | None, int | None]
"""What is not certain in both states, the walk, and the place in it; nothing if all is certain."""
CountAndLine = list[int]
"""How often, and in which line first."""


@dataclass(slots=True)
class Occurrences:
    """Where a transition occurs.

    Attributes:
        line: The line where it occurs first.
        walk: The walk in which it does; None if nothing says.
        step: Its place there.
        count: How often it occurs.
        last_line: The line where it occurs last.
    """

    line: int
    walk: str | int | None
    step: int | None
    count: int = 0
    last_line: int = 0


def assemble(
    sources: Sequence[str],
    vocabulary: Vocabulary,
    headers: Collection[Header],
    scopes: Sequence[Scope],
    transitions: Mapping[tuple[Attempt, frozenset[Atom], Beliefs], Occurrences],
    refused: Mapping[tuple[Attempt, Soft], CountAndLine],
    listings: Listings,
) -> Traces:
    """All that was read, and what is worth knowing of it.

    Args:
        sources: The files, as they are named in messages.
        vocabulary: What they have said together.
        headers: The distinct headers.
        scopes: Those of the segments, in their order; there is at least one.
        transitions: The distinct transitions, and where they occur.
        refused: The distinct refused attempts, with count and first line.
        listings: What was said to be applicable in states.
    """
    source = names(sources)
    is_typed = all(scope.header.objects is not None for scope in scopes)
    constants = dict(sorted(vocabulary.constants.items()))
    seen = {attempt[2] for attempt, *_ in transitions}
    seen.update(attempt[2] for attempt, _ in refused)
    seen.update(name for own in listings.values() for listing in own for name, _ in listing)
    traces = Traces(
        source=source,
        domain=vocabulary.domain.get("domain", ("", 0))[0],
        labels=scopes[0].mode,
        types=vocabulary.all_types() if is_typed else {},
        predicates=vocabulary.all_predicates(is_typed),
        actions=tuple(sorted(seen | vocabulary.actions)),
        segments=tuple(
            Segment(
                problem=scope.header.problem or "",
                objects=scope.objects() if is_typed else dict.fromkeys(scope.objects(), OBJECT),
                static=scope.static,
                one_of=scope.rules.one_of,
                is_open=scope.rules.is_open,
            )
            for scope in scopes
        ),
        transitions=tuple(
            Transition(
                *(*attempt, next_state, own.count, own.line, own.last_line),
                *(beliefs[:2] or (frozenset(), frozenset())),
                *(own.walk, own.step),
            )
            for (attempt, next_state, beliefs), own in transitions.items()
        ),
        refused=tuple(
            RefusedAction(*attempt, count, line, soft)
            for (attempt, soft), (count, line) in refused.items()
        ),
        constants=constants if is_typed else dict.fromkeys(constants, OBJECT),
        files=tuple(sources) if len(sources) > 1 else (),
    )
    masks, mask_findings = merge_listings(listings, traces)
    own_findings = tuple(_findings(source, headers, scopes, is_typed))
    found = own_findings + trace_findings(traces) + tuple(mask_findings)
    return replace(traces, masks=tuple(masks), findings=found)


def _findings(
    source: str, headers: Collection[Header], scopes: Sequence[Scope], is_typed: bool
) -> Iterator[str]:
    """What is odd in headers, or was left out; `trace_findings` cannot see it any more."""
    for header in headers:
        if header.unknown:
            keys = ", ".join(map(describe, header.unknown))
            close = _suggestions(header.unknown, KEYS)
            where = place_of(source, header.line)
            yield f"{where}: header keys that mean nothing here: {keys}{close}"
    if not is_typed and any(header.type_names() for header in headers):
        yield f'{source}: types are ignored, since not every segment has "objects"'
    for scope in scopes:
        where = place_of(source, scope.header.line or 1)
        labels, listed = scope.labels(), scope.header.actions
        extra = {label.name for label in labels}.difference(listed or ())
        if listed is not None and extra:
            close = _suggestions(sorted(extra), listed)
            unlisted = ", ".join(sorted(extra))
            yield f"{where}: actions that the header does not list: {unlisted}{close}"
        if any(label.written and not label.arguments for label in labels):
            yield f'{where}: labels are "names": the action arguments in the file are ignored'


def _suggestions(names: Iterable[str], known: Collection[str]) -> str:
    """What the names may have been meant to be, where a known one is close to the first of them."""
    close = (did_you_mean(name, known) for name in names)
    return next((f". {text}" for text in close if text), "")
