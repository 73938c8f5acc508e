"""What a trace file is worth, as text for people and as plain values for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any

from dias.coverage.coverage import Coverage
from dias.report.advice import advice, notes, verdict
from dias.report.text import LABELS, percent, plural, some, table
from dias.strips.model import Atom
from dias.traces.inspect import ActionSamples, ChangeCounts, Inspection
from dias.traces.places import as_value
from dias.traces.record import LabelMode

NO_BREAK = "\u00a0"


def inspection_text(inspection: Inspection, coverages: Sequence[Coverage], width: int) -> str:
    """What the file holds, what is odd about it, and what would help.

    Args:
        inspection: The counts.
        coverages: What the file shows of state spaces, one a problem.
        width: Columns that a line may have.
    """
    head = ["action", "steps", "distinct", "states", "no-op", "kinds"]
    blocks = [
        _paragraphs(_head(inspection), width),
        [
            *table(head, [_row(action) for action in inspection.actions]),
            *_paragraphs(
                ["no-op: steps that change nothing; kinds: of change, by predicate"], width
            ),
        ],
        _paragraphs(_facts(inspection), width),
        *(_coverage_lines(coverage, width) for coverage in coverages),
        _list("Notes", notes(inspection, coverages), width),
        [
            *_paragraphs([f"Samples: {verdict(inspection)}."], width),
            *_list("What would help most", advice(inspection, coverages), width),
        ],
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


def _paragraphs(texts: Iterable[str], width: int) -> list[str]:
    """Each text on as many lines as it needs, the second and further ones indented."""
    lines: list[str] = []
    for text in texts:
        whole = text.replace(" %", f"{NO_BREAK}%")
        lines += wrap(
            whole, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
    return [line.replace(NO_BREAK, " ") for line in lines]


def _list(title: str, items: Iterator[str], width: int) -> list[str]:
    lines = [f"- {item}" for item in items]
    return _paragraphs([f"{title}:", *lines] if lines else [f"{title}: nothing to say."], width)


def _head(inspection: Inspection) -> Iterator[str]:
    traces = inspection.traces
    domain = f" of {traces.domain}" if traces.domain else ""
    yield f"{traces.source}: {plural(traces.n_steps, 'step')}{domain}, {LABELS[traces.labels]}"
    yield (
        f"{plural(len(traces.transitions), 'distinct transition')} between"
        f" {plural(inspection.n_states, 'state')}"
    )
    problems = [
        f"{segment.problem or 'without a name'} ({plural(len(segment.objects), 'object')})"
        for segment in traces.segments
    ]
    yield f"{plural(len(problems), 'problem')}: {some(problems)}"
    if traces.constants:
        yield f"{plural(len(traces.constants), 'constant')}: {some(list(traces.constants))}"
    yield from _doubts(inspection)


def _doubts(inspection: Inspection) -> Iterator[str]:
    """What is not certain, and what the headers say of it."""
    traces = inspection.traces
    n_states = 2 * len(traces.transitions)
    if inspection.n_soft:
        soft, unknown = (n / n_states for n in (inspection.n_soft, inspection.n_unknown))
        yield f"atoms a state that are not certain: {soft:.1f}, {unknown:.1f} of them unknown"
    if any(segment.is_open for segment in traces.segments):
        yield "what a state does not list is unknown"
    n_groups = sum(len(segment.one_of) for segment in traces.segments)
    if n_groups:
        yield f"{plural(n_groups, 'group')} of atoms of which exactly one holds"


def _row(action: ActionSamples) -> list[str]:
    counts = (
        action.n_steps, action.n_distinct, action.n_states, action.n_unchanged, len(action.changes),
    )  # fmt: skip
    return [action.name, *(f"{count:,}" for count in counts)]


def _facts(inspection: Inspection) -> Iterator[str]:
    for action in inspection.actions:
        if action.changes:
            change, count = action.changes[0]
            n_changing = sum(number for _, number in action.changes)
            often = (
                "" if count == n_changing else f" in {percent(count, n_changing)} of its changes"
            )
            yield f"{action.name}: {' '.join(_signs(change))}{often}"
        for place, name in action.same_arguments:
            is_known = name in inspection.traces.constants
            what = "a constant" if is_known else "may be a constant"
            yield f"{action.name}: argument {place} is {name} throughout ({what})"
    yield f"changing predicates: {some(inspection.changing)}"
    yield f"static predicates: {some(inspection.static)}"
    if inspection.never_true:
        yield f"predicates that never hold: {some(inspection.never_true)}"
    if inspection.traces.masks:
        counts = (f"{a.name} {a.n_unlisted:,}" for a in inspection.actions if a.n_unlisted)
        yield (
            f"states of which is said what is applicable: {len(inspection.traces.masks):,};"
            f" refused there: {', '.join(counts) or 'nothing'}"
        )
    yield f"contradictions: {_contradictions(inspection)}"
    lines = [str(end.line) for end in inspection.dead_ends]
    where = f", reached in line{'s' * (len(lines) > 1)} {some(lines)}" if lines else ""
    yield f"states that no step leaves: {len(lines):,}{where}"


def _signs(change: ChangeCounts) -> list[str]:
    """``+on``, or ``+on*2`` for two atoms."""
    return [sign if number == 1 else f"{sign}*{number}" for sign, number in change]


def _contradictions(inspection: Inspection) -> str:
    if inspection.traces.labels is LabelMode.NAMES:
        return "cannot be told without action arguments"
    groups = [
        f"{Atom(group[0].action, group[0].arguments)} in lines"
        f" {some([str(transition.line) for transition in group])}"
        for group in inspection.contradictions
    ]
    return f"{len(groups):,}: {some(groups, '; ')}" if groups else "none"


def _coverage_lines(coverage: Coverage, width: int) -> list[str]:
    n_states, n_visited = len(coverage.space.number), len(coverage.visited)
    extent = "" if coverage.space.is_whole else "the first "
    title = (
        f"State space of {coverage.space.problem.name}: {n_visited:,} of {extent}{n_states:,}"
        f" reachable states visited ({percent(n_visited, n_states)})"
    )
    if not coverage.space.is_whole and coverage.n_elsewhere:
        title += f", and {coverage.n_elsewhere:,} that are further away"
    rows = [
        [
            action.name,
            f"{action.n_reachable:,}",
            f"{action.n_seen:,}",
            percent(action.n_seen, action.n_reachable) if action.n_reachable else "-",
            f"{action.n_next:,}",
        ]
        for action in coverage.actions
    ]
    note = "next: not seen, though their state was visited"
    head = ["action", "transitions", "seen", "share", "next"]
    return [*_paragraphs([title], width), *table(head, rows), *_paragraphs([note], width)]


def _doubts_json(inspection: Inspection) -> dict[str, Any]:
    """What is not certain; nothing if all is."""
    if not inspection.traces.is_soft:
        return {}
    segments = inspection.traces.segments
    return {
        "uncertain": {
            "sightings": inspection.n_soft,
            "unknown": inspection.n_unknown,
            "unlisted": "unknown" if any(segment.is_open for segment in segments) else "false",
            "one-of": sum(len(segment.one_of) for segment in segments),
        }
    }


def inspection_json(inspection: Inspection, coverages: Sequence[Coverage]) -> dict[str, Any]:
    """The same as plain values, and with nothing left out."""
    traces = inspection.traces
    return {
        "file": traces.source,
        **({"sources": list(traces.files)} if traces.files else {}),
        "domain": traces.domain or None,
        "labels": traces.labels.value,
        "transitions": traces.n_steps,
        "distinct_transitions": len(traces.transitions),
        "states": inspection.n_states,
        **({"masked_states": len(traces.masks)} if traces.masks else {}),
        **_doubts_json(inspection),
        "problems": [
            {"problem": segment.problem or None, "objects": len(segment.objects)}
            for segment in traces.segments
        ],
        "constants": dict(traces.constants),
        "actions": {action.name: _action_json(action) for action in inspection.actions},
        "predicates": {
            "changing": list(inspection.changing),
            "static": list(inspection.static),
            "never_true": list(inspection.never_true),
        },
        "contradictions": [
            {
                "action": str(Atom(group[0].action, group[0].arguments)),
                "lines": [as_value(transition.line) for transition in group],
            }
            for group in inspection.contradictions
        ],
        "dead_ends": [
            {
                "problem": traces.segments[end.segment].problem or None,
                "line": as_value(end.line),
                "state": sorted(map(str, end.state)),
            }
            for end in inspection.dead_ends
        ],
        "state_spaces": [_coverage_json(coverage) for coverage in coverages],
        "notes": list(notes(inspection, coverages)),
        "verdict": verdict(inspection),
        "advice": list(advice(inspection, coverages)),
    }


def _action_json(action: ActionSamples) -> dict[str, Any]:
    masked = {"applicable": action.n_listed, "refused": action.n_unlisted}
    return {
        "transitions": action.n_steps,
        "distinct_transitions": action.n_distinct,
        "states": action.n_states,
        "unchanged": action.n_unchanged,
        "refused": action.n_refused,
        "changes": [
            {"change": _signs(change), "distinct_transitions": number}
            for change, number in action.changes
        ],
        "same_arguments": [
            {"place": place, "object": name} for place, name in action.same_arguments
        ],
        **({"masked_states": masked} if any(masked.values()) else {}),
    }


def _coverage_json(coverage: Coverage) -> dict[str, Any]:
    return {
        "problem": coverage.space.problem.name,
        "reachable_states": len(coverage.space.number),
        "all_reachable_states": coverage.space.is_whole,
        "visited_states": len(coverage.visited),
        "other_states": coverage.n_elsewhere,
        "actions": {
            action.name: {
                "reachable_transitions": action.n_reachable,
                "seen": action.n_seen,
                "unseen_in_visited_states": action.n_next,
            }
            for action in coverage.actions
        },
        "impossible_transitions": [as_value(transition.line) for transition in coverage.impossible],
        "missing_static_atoms": dict(coverage.missing_static),
    }
