"""What is no error in a trace file but worth knowing, one line each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

from dias.strips.model import Atom
from dias.traces.record import LabelMode, Traces, Transition

FEW_SAMPLES = 20
"""An action with fewer transitions than this is reported."""
N_NAMED = 5
"""Problems, or atoms, that a finding names."""

MIN_STEPS = 5
"""Distinct steps of a walk below which it says nothing of what is recorded throughout."""

MAX_LOOKED_AT = 2_000
"""Steps of all walks that are looked at for that, about."""


def trace_findings(traces: Traces) -> tuple[str, ...]:
    """All findings; each begins with the file, and the line where there is one."""
    checks = (
        _repeats, unchanging_findings, _unchanged, _few, _never_true, _always_true, _unrecorded,
        _unobserved, _refused, _labels, _conflicts,
    )  # fmt: skip
    return tuple(finding for check in checks for finding in check(traces))


def validation_findings(traces: Traces, validation: Traces) -> tuple[str, ...]:
    """Whether validation transitions can tell anything that the training transitions do not."""
    known = set(map(_content, traces.transitions))
    if all(_content(transition) in known for transition in validation.transitions):
        return (
            f"{validation.source}: all {len(validation.transitions)} distinct transitions are"
            f" among those of {traces.source}, so they check nothing",
        )
    return ()


def _content(transition: Transition) -> tuple[object, ...]:
    return transition.state, transition.action, transition.arguments, transition.next_state


def _repeats(traces: Traces) -> Iterator[str]:
    n_repeats = traces.n_steps - len(traces.transitions)
    if n_repeats:
        commonest = max(traces.transitions, key=lambda transition: transition.count)
        yield (
            f"{traces.place(commonest.line)}: {n_repeats} of {traces.n_steps} transitions repeat"
            f" another one, this one most often ({commonest.count} times);"
            f" {len(traces.transitions)} distinct ones are kept, with counts"
        )


NOTHING_CHANGES = (
    "the first state may have been written again after every action, every action may have been"
    " refused, or what they change is not in the states"
)
"""What it may mean that no step changes anything."""


def unchanging_findings(traces: Traces) -> Iterator[str]:
    """The problems in which no transition changes anything."""
    changing = {t.segment for t in traces.transitions if t.state != t.next_state}
    still: dict[int, list[Transition]] = defaultdict(list)
    for transition in traces.transitions:
        if transition.segment not in changing:
            still[transition.segment].append(transition)
    if still:
        names = [traces.segments[number].problem or "without a name" for number in still]
        more = f" and {len(names) - N_NAMED} more" if len(names) > N_NAMED else ""
        own = [transition for transitions in still.values() for transition in transitions]
        n_steps, n_actions = sum(t.count for t in own), len({t.action for t in own})
        yield (
            f"{traces.place(own[0].line)}: nothing ever changes in problem"
            f" {', '.join(names[:N_NAMED])}{more} ({n_steps} transition(s), {n_actions} action(s)):"
            f" {NOTHING_CHANGES}"
        )


def _unchanged(traces: Traces) -> Iterator[str]:
    n_all: Counter[str] = Counter()
    n_unchanged: Counter[str] = Counter()
    first: dict[str, Transition] = {}
    for transition in traces.transitions:
        n_all[transition.action] += transition.count
        if traces.is_unchanged(transition):
            n_unchanged[transition.action] += transition.count
            first.setdefault(transition.action, transition)
    some = []
    for action, n in sorted(n_unchanged.items()):
        if n == n_all[action]:
            yield (
                f"{traces.place(first[action].line)}: action {action} has no observed effect:"
                f" none of its {n} transition(s) changes the state"
            )
        else:
            some.append((first[action].line, f"{action} {n} of {n_all[action]}"))
    if some:
        shares = ", ".join(share for _, share in some)
        where = traces.place(min(some)[0])
        yield f"{where}: transitions that change nothing: {shares}"


def _few(traces: Traces) -> Iterator[str]:
    seen: Counter[str] = Counter()
    distinct: Counter[str] = Counter()
    for transition in traces.transitions:
        seen[transition.action] += transition.count
        distinct[transition.action] += 1
    few = [
        f"{action} {n}" + (f" ({distinct[action]} distinct)" if distinct[action] < n else "")
        for action, n in sorted(seen.items())
        if n < FEW_SAMPLES
    ]
    if few:
        counts = ", ".join(few)
        yield f"{traces.source}: actions with fewer than {FEW_SAMPLES} transitions: {counts}"


def _visits(traces: Traces) -> Iterator[tuple[int, frozenset[Atom]]]:
    """The states of all lines with the numbers of their segments, some of them again and again."""
    for transition in traces.transitions:
        yield transition.segment, transition.state
        yield transition.segment, transition.next_state
    yield from ((own.segment, own.state) for own in traces.refused)
    yield from ((own.segment, own.state) for own in traces.masks)


def _never_true(traces: Traces) -> Iterator[str]:
    states = {state for _, state in _visits(traces)}
    states.update(segment.static for segment in traces.segments)
    seen = {atom.predicate for state in states for atom in state}
    never = [predicate.name for predicate in traces.predicates if predicate.name not in seen]
    if never:
        yield (
            f"{traces.source}: predicates that are never true: {', '.join(never)};"
            ' atoms that always hold belong in "static" or in every state,'
            " and a domain learned without them may allow too much"
        )


def _always_true(traces: Traces) -> Iterator[str]:
    """Atoms about no other objects than constants: where they hold, all actions may ask for them.

    What never changes of constants is left out of what is learned.
    """

    @cache
    def static(number: int) -> set[Atom]:
        return {*filter(is_fixed, traces.segments[number].static)}

    def is_fixed(atom: Atom) -> bool:
        return traces.constants.keys() >= set(atom.terms)

    always: set[Atom] | None = None
    for number, state in _visits(traces):
        if always is None:
            always = {*filter(is_fixed, state), *static(number)}
        always = {atom for atom in always if atom in state or atom in static(number)}
        if not always:
            return
    named = [
        str(atom)
        for atom in sorted(always or ())
        if not atom.terms or atom.predicate in traces.changing_predicates
    ]
    if named and not traces.is_soft:
        more = f" and {len(named) - N_NAMED} more" if len(named) > N_NAMED else ""
        yield (
            f"{traces.source}: true in every state: {', '.join(named[:N_NAMED])}{more};"
            " which actions need it does not show until a state lacks it"
        )


def _unrecorded(traces: Traces) -> Iterator[str]:
    """Relations that hold of something throughout some walks of a problem, of nothing in others."""
    walks: dict[tuple[int, str | int], list[Transition]] = defaultdict(list)
    for transition in traces.transitions:
        if transition.walk is not None:
            walks[transition.segment, transition.walk].append(transition)
    shown: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)  # how many walks are which
    first: dict[tuple[int, str], int] = {}
    n_each = max(MIN_STEPS, MAX_LOOKED_AT // max(1, len(walks)))
    for (segment, _), steps in walks.items():
        if len(steps) < MIN_STEPS:
            continue
        states = [{atom.predicate for atom in t.state} for t in steps[:: -(-len(steps) // n_each)]]
        for predicate in traces.changing_predicates:
            holds = {predicate in own for own in states}
            kind = "some" if len(holds) > 1 else "all" if True in holds else "none"
            shown[segment, predicate][kind] += 1
            if kind == "none":
                first.setdefault((segment, predicate), steps[0].line)
    for (segment, predicate), n in sorted(shown.items()):
        if n["all"] > 1 and n["none"] and not n["some"]:
            yield (
                f"{traces.place(first[segment, predicate])}: in {n['none']} walk(s) of problem"
                f" {traces.segments[segment].problem or 'without a name'} no atom of {predicate}"
                f" ever holds, in all states of the {n['all']} others some do: was it recorded in"
                " all of them?"
            )


def _unobserved(traces: Traces) -> Iterator[str]:
    if traces.unobserved:
        yield f"{traces.source}: actions without a transition: {', '.join(traces.unobserved)}"


def _refused(traces: Traces) -> Iterator[str]:
    if traces.refused:
        n_refused = sum(refused.count for refused in traces.refused)
        yield (
            f"{traces.place(traces.refused[0].line)}: {n_refused} refused attempt(s)"
            ' ("next": null), kept apart from the transitions'
        )


def _labels(traces: Traces) -> Iterator[str]:
    if traces.labels is not LabelMode.NAMES and not _has_arguments(traces):
        yield (
            f'{traces.source}: labels are "{traces.labels.value}", yet no action has an argument;'
            ' if arguments were not recorded, the labels are "names"'
        )


def _has_arguments(traces: Traces) -> bool:
    return any(transition.arguments for transition in traces.transitions)


def _conflicts(traces: Traces) -> Iterator[str]:
    conflicts = contradictions(traces)
    if conflicts:
        first, second = conflicts[0][:2]
        is_partial = traces.labels is LabelMode.STRIPS_PLUS
        cause = "other arguments that were not recorded, noise," if is_partial else "noise,"
        yield (
            f"{traces.place(second.line)}: {Atom(first.action, first.arguments)} leads to another"
            f" successor than from the same state in line {first.line}; {len(conflicts)} such"
            f" case(s): {cause} or facts that the states do not show"
        )


def contradictions(traces: Traces) -> list[list[Transition]]:
    """Transitions with the same state, action and arguments that lead to different successors.

    Only where arguments are given. With names alone several successors are normal: each is that
    of other arguments. What is not certain differs from nothing.
    """
    if traces.labels is LabelMode.NAMES or not _has_arguments(traces):
        return []
    groups: dict[tuple[int, frozenset[Atom], str, tuple[str, ...]], list[Transition]]
    groups = defaultdict(list)
    for transition in traces.transitions:
        if not transition.soft and not traces.segments[transition.segment].is_open:
            key = (transition.segment, transition.state, transition.action, transition.arguments)
            groups[key].append(transition)
    return [group for group in groups.values() if len(group) > 1 and _differ(group)]


def _differ(group: list[Transition]) -> bool:
    """Whether some atom is certainly true after one transition, and false after another."""
    unknown = [frozenset(atom for atom, _ in t.next_soft) for t in group]
    if not any(unknown):
        return True  # transitions are distinct
    true = frozenset[Atom]().union(*(t.next_state - u for t, u in zip(group, unknown, strict=True)))
    return any(true - t.next_state - u for t, u in zip(group, unknown, strict=True))
