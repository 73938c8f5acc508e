"""What is applicable in a state, from several lines that may say it: one mask for each state.

What the file says differently of an action in one state is unclear: two lines list other ground
actions of it, or it happened, with a change, though it is not listed, or was refused though it is.
That is no error, since it spoils nothing else, but it is said, and such an action counts neither as
applicable nor as refused in that state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from dias.strips.model import Atom
from dias.traces.reading.fields import FieldError
from dias.traces.record import LabelMode, Mask, Traces, Transition

Listing = frozenset[tuple[str, tuple[str, ...]]]
"""The actions that a line lists as applicable: name and arguments, as in `Mask.listed`."""
Listings = dict[tuple[int, frozenset[Atom]], dict[Listing, int]]
"""Segment and state to what is listed of it, with the first line that does."""
_Masks = dict[tuple[int, frozenset[Atom]], Mask]


def check_forms(listed: Collection[tuple[str, tuple[str, ...]]], field: str) -> None:
    """Refuse a list that has an action by its name alone and by ground actions, too.

    Raises:
        FieldError: There is one.
    """
    names = {name for name, arguments in listed if not arguments}
    for name, arguments in sorted(listed):
        if arguments and name in names:
            expected = f"{name} by its name alone or by its ground actions"
            raise FieldError(field, expected, f"both ({name}) and {Atom(name, arguments)}")


def merge_listings(listings: Listings, traces: Traces) -> tuple[list[Mask], list[str]]:
    """The masks of a file, and what is odd about them, one line each.

    Args:
        listings: What was listed.
        traces: The rest of the file.
    """
    masks = {state: _merged(*state, own) for state, own in listings.items()}
    findings = [
        *_unlike(listings, masks, traces),
        *_against_steps(masks, traces),
        *_against_attempts(masks, traces),
    ]
    return list(masks.values()), findings


def _merged(segment: int, state: frozenset[Atom], said: Mapping[Listing, int]) -> Mask:
    """One mask of what several lines say of a state; a name alone agrees with ground actions."""
    line = next(iter(said.values()))
    if len(said) == 1:
        return Mask(segment, state, next(iter(said)), line)
    each = [Mask(segment, state, listing, line) for listing in said]
    listed: set[tuple[str, tuple[str, ...]]] = set()
    unclear = set()
    for action in sorted({name for listing in said for name, _ in listing}):
        different = {mask.arguments(action) for mask in each}
        if frozenset() not in different and len(different) > 1:
            different.discard(frozenset({()}))
        if len(different) > 1:
            unclear.add(action)
        listed.update((action, arguments) for arguments in frozenset().union(*different))
    return Mask(segment, state, frozenset(listed), line, frozenset(unclear))


def _unlike(listings: Listings, masks: _Masks, traces: Traces) -> Iterator[str]:
    """Of states of which lines list different actions."""
    states = [state for state, mask in masks.items() if mask.unclear]
    if states:
        first, second = list(listings[states[0]].values())[:2]
        unclear = _names(masks[states[0]].unclear)
        yield (
            f'{traces.place(second)}: "applicable" says otherwise of {unclear}'
            f" than of the same state in line {first}; {len(states)} such state(s): facts that the"
            " states do not show; it counts as not known there"
        )


def _against_steps(masks: _Masks, traces: Traces) -> Iterator[str]:
    """Of steps of actions that are refused where they were taken."""
    changing: list[Transition] = []
    idle: list[Transition] = []
    for t in traces.transitions:
        mask = masks.get((t.segment, t.state))
        if mask is not None and mask.refuses(t.action, t.arguments):
            (idle if t.state == t.next_state else changing).append(t)
    for t in changing:
        _make_unclear(masks, (t.segment, t.state), t.action)
    if changing:
        t = changing[0]
        yield (
            f'{traces.place(t.line)}: {Atom(t.action, t.arguments)} happened though "applicable"'
            f" does not list it; {len(changing)} such transition(s): is it what another state"
            " allows? It counts as not known there"
        )
    if idle:
        yield (
            f"{traces.place(idle[0].line)}: {len(idle)} transition(s) that change nothing, of"
            ' actions that "applicable" does not list there: refused, unless --unchanged happened'
        )


def _against_attempts(masks: _Masks, traces: Traces) -> Iterator[str]:
    """Of refused attempts at ground actions that are listed."""
    if traces.labels is LabelMode.NAMES:  # another ground action may be the one that is listed
        return
    wrong = [
        attempt
        for attempt in traces.refused
        if (mask := masks.get((attempt.segment, attempt.state)))
        and attempt.arguments in mask.arguments(attempt.action)
        and attempt.action not in mask.unclear
    ]
    for attempt in wrong:
        _make_unclear(masks, (attempt.segment, attempt.state), attempt.action)
    if wrong:
        action = Atom(wrong[0].action, wrong[0].arguments)
        yield (
            f'{traces.place(wrong[0].line)}: {action} was refused though "applicable" lists it;'
            f" {len(wrong)} such attempt(s); it counts as not known there"
        )


def _make_unclear(masks: _Masks, state: tuple[int, frozenset[Atom]], action: str) -> None:
    mask = masks[state]
    masks[state] = replace(mask, unclear=mask.unclear | {action})


def _names(actions: Iterable[str]) -> str:
    return ", ".join(sorted(actions))
