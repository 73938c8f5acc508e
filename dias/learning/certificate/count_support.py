"""Counts what stands behind a finished schema, literal by literal.

The numbers come from replaying the finished schema, whatever method it comes from: which bindings
lead from s to s′, and what held and what changed under them.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import islice

from dias.arrays import spread
from dias.learning.certificate.allowed import Allowed
from dias.learning.certificate.coincidence import Group, groups_of_preconditions
from dias.learning.certificate.either import either
from dias.learning.certificate.exceptions import exceptions
from dias.learning.certificate.literal_counts import chances_of, fixed_parameters, literals_of
from dias.learning.certificate.literal_texts import literal_text, said
from dias.learning.certificate.rivals import rivals
from dias.learning.certificate.settled import Trials, needed, with_needed
from dias.learning.certificate.shown_states import States
from dias.learning.certificate.support import Doubt, Support, Trial
from dias.learning.certificate.untested import is_never_tried, left_out, replaceable, untested
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.masks import check_masks
from dias.learning.data.refusals import count_refusals, has_refusals
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.transitions import Examples
from dias.learning.finish.assemble import action_schema, over_terms
from dias.learning.finish.mirrored import mirrored
from dias.learning.finish.parameter_types import narrows, tells_apart
from dias.learning.schema import LiftedSchema, Literal, is_inequality, preconditions
from dias.learning.score import MAX_DOUBTED
from dias.limits import Allowance, OutOfWorkError
from dias.strips.model import ActionSchema, Atom, typed
from dias.traces.infer_types import infer_types
from dias.traces.record import Traces, Transition

MAX_STATES = 500
"""Distinct states in which the successors are counted, spread evenly."""

CHUNK = 50
"""States of which they are counted together."""

MAX_TRIALS = 12
"""Literals of one schema for which something to try is looked for, the doubted ones first. Of those
that nothing tests none is, where they are more: most of them nobody means."""

MAX_CHECKS = 200_000
"""How long that may take, in successors and loops of the search for them. Only a schema whose
preconditions rule out next to nothing needs more; then only the first of the states are counted."""


def support(
    written: LiftedSchema,
    examples: Mapping[str, Examples],
    traces: Traces,
    safe: LiftedSchema | None = None,
    coded: CodedStates | None = None,
    states: States | None = None,
    is_exact: bool = True,
) -> Support:
    """Count what stands behind a schema.

    Args:
        written: The schema as it is written; it alone is counted.
        examples: The transitions of every action.
        traces: The same transitions, and the refused attempts.
        safe: The schema with every literal that never fails; None if nothing was left out.
        coded: The coded states of the traces, to be shared; None for new ones.
        states: Some of them (`States.of`), to be shared; None for new ones.
        is_exact: Whether the transitions are as they were seen. What was tried in states that may
            be seen wrong settles nothing.
    """
    safe = safe or written

    def text(literal: Literal) -> str:
        if literal in barred and narrows(literal, written, traces):
            term = written.terms[literal.atom.variables[0]]
            return typed(term, given[term])
        return literal_text(literal, written.terms, traces)

    def texts(literals: Iterable[Literal]) -> tuple[str, ...]:
        return tuple(map(text, literals))

    transitions = [example.transition for example in examples[written.action].examples]
    schema = action_schema(written, traces)
    given = dict(schema.parameters)
    barred = [Literal(x, False) for x in written.negative if tells_apart(x, written, traces)]
    coded = coded or CodedStates(traces)
    applied = SchemaInTraces(schema, traces, coded)
    found = applied.explanations_of(transitions)
    groups = groups_of_preconditions(
        written, examples, [next(iter(own), None) for own in found], traces
    )
    groups = [g for g in groups if not is_never_tried(g.literals, written, traces)]
    types = infer_types(traces).widest if any(map(_may_be_kinds, groups)) else frozenset[str]()
    groups = [g for g in groups if -g.log_chance > MAX_DOUBTED or not _is_meant(g, types)]
    sure = set[Literal]()
    if is_exact and has_refusals(written.action, traces):
        sure = needed(written, safe, traces, coded)
    groups = with_needed(groups, sure & {*preconditions(written)})
    named = [(texts(group.literals), group) for group in groups]
    unwritten = _unwritten_kinds(written, safe, traces)
    explained = [t for t, own in zip(transitions, found, strict=True) if own]
    allowed = Allowed.of(written, traces, coded, explained)
    both = list(
        literals_of(schema, applied, transitions, found, chances_of(named), unwritten, allowed)
    )
    literals, kinds = both[: len(both) - len(unwritten)], both[len(both) - len(unwritten) :]
    known = {literal.text for literal in literals if literal.role in ("type", "precondition")}
    weak: dict[tuple[str, ...], float] = {}  # of groups with the same literals left the weakest
    broken: dict[tuple[str, ...], Sequence[Literal]] = {}
    for every, group in named:
        own = tuple(one for one in every if one in known)
        if group.is_weak and own and not _is_meant(group, types):
            weak.setdefault(own, math.exp(group.log_chance))
            broken.setdefault(own, group.literals)
    doubtful = _doubtful(written, known, traces)
    if doubtful and -math.log(doubtful.chance) <= MAX_DOUBTED:
        weak.setdefault(doubtful.literals, doubtful.chance)
    doubts = [Doubt(own, chance) for own, chance in weak.items()]
    for rival in rivals(written, safe, traces):
        kept, instead = texts(rival[:2])
        if rival[0] not in sure:
            doubts.append(Doubt((kept,), math.exp(min(0.0, rival.log_chance)), (instead,)))
            broken.setdefault((kept,), rival[:1])
    for way in written.second_ways:
        if gone := tuple(one for one in texts(way.lost) if one in known):
            doubts.append(Doubt(gone, math.exp(min(0.0, way.log_chance)), texts(way.instead)))
    unsaid = [x for x in barred if not narrows(x, written, traces)]
    not_tested = untested(written, safe, examples, traces, coded, states)
    may_be_idle = examples[written.action].n_unchanged > 0
    others = [*replaceable(written, safe, states or States.of(examples), may_be_idle)]
    others += [
        (Literal(one, True), Literal(other, True))
        for one, other in mirrored(written.positive, {*safe.positive} - {*written.positive}, traces)
    ]
    others = [(own, other) for own, other in others if own not in sure]
    trials = Trials(written, safe, states or States.of(examples), traces, coded)
    is_open = {literal.text for literal in literals if literal.is_untested}
    open_ones = [x for x in preconditions(written) if text(x) in is_open]
    open_ones = [x for x in open_ones if trials.may_break(x)] if len(is_open) <= MAX_TRIALS else []
    broken |= {(text(x),): (x,) for x in (*not_tested.needed, *open_ones)}
    missing = missing_variable(written, traces)
    tried = [
        (own, trials.breaking(literals)) for own, literals in islice(broken.items(), MAX_TRIALS)
    ]
    if missing and written.hint:
        tried.append((missing.literals, trials.without(*written.hint[:2])))
    n_states, n_allowed, n_observed = _successors(schema, transitions, found, traces, coded)
    unexplained = tuple(place for place, own in enumerate(found) if not own)
    return Support(
        origin=written.origin,
        n_extra=written.n_variables - written.effects.n_variables,
        literals=tuple(literals),
        kinds=tuple(kinds),
        weak=tuple(sorted(doubts, key=lambda doubt: -doubt.chance)),
        missing=missing,
        refusals=count_refusals(schema, traces),
        masks=check_masks(schema, traces, coded),
        unexplained_lines=tuple(transitions[place].line for place in unexplained),
        n_states=n_states,
        n_allowed=n_allowed,
        n_observed=n_observed,
        fixed=tuple(fixed_parameters(schema, applied, transitions, found, traces)),
        unexplained=unexplained,
        doubtful=doubtful,
        left_out=texts([*left_out(written, safe), *unsaid]),
        may_be_needed=texts([*not_tested.needed, *unsaid]),
        implied=texts(not_tested.implied),
        open=texts(not_tested.open),
        replaceable=tuple((text(x), text(y)) for x, y in others),
        trials=tuple(Trial(own, *where) for own, where in tried if where),
        exceptions=exceptions(safe, examples[written.action], found, traces, texts)
        if is_exact
        else None,
        either=either(written, examples[written.action], found, allowed, texts)
        if allowed and is_exact
        else None,
        further=tuple(said(query, written, traces) for query in written.further),
    )


def _is_meant(group: Group, types: Container[str]) -> bool:
    """Whether it says what people mean unless something speaks against it.

    That parameters differ, and what they are: relations that divide the objects are like types.
    Of kinds of kinds it takes more: that all was loaded into airplanes may be an accident, that it
    was loaded into vehicles is none.
    """
    return all(
        is_inequality(x) or (x.is_positive and x.atom.relation in types) for x in group.literals
    )


def _may_be_kinds(group: Group) -> bool:
    """Whether it is weak, and says of single parameters what holds of them, or that they differ."""
    single = (
        is_inequality(x) or (x.is_positive and len(x.atom.variables) == 1) for x in group.literals
    )
    return group.is_weak and all(single)


def _unwritten_kinds(written: LiftedSchema, safe: LiftedSchema, traces: Traces) -> list[Atom]:
    """The literals that say what a parameter is and were left out, though they never fail."""
    static = {p.name for p in traces.predicates if p.arity == 1} - traces.changing_predicates
    left = {atom for atom in safe.positive if atom.relation in static} - {*written.positive}
    constants = {*range(len(written.constants))}
    return sorted(
        over_terms(atom, written.terms) for atom in left if constants.isdisjoint(atom.variables)
    )


def _doubtful(written: LiftedSchema, known: Container[str], traces: Traces) -> Doubt | None:
    """What the last parameters satisfy, as far as it is known; None if nothing doubts them."""
    if written.doubtful is None:
        return None
    new = (Literal(atom, is_positive=True) for atom in written.doubtful.query)
    own = (literal_text(literal, written.terms, traces) for literal in new)
    texts = tuple(text for text in own if text in known)
    return Doubt(texts, math.exp(written.doubtful.log_chance)) if texts else None


def missing_variable(schema: LiftedSchema, traces: Traces) -> Doubt | None:
    """What a schema's hint says, as text; None if it has none."""
    if schema.hint is None:
        return None
    query, _, log_chance = schema.hint
    return Doubt(said(query, schema, traces), math.exp(log_chance))


def _successors(
    schema: ActionSchema,
    transitions: Sequence[Transition],
    found: Sequence[Sequence[tuple[int, ...]]],
    traces: Traces,
    coded: CodedStates,
) -> tuple[int, int, int]:
    """Distinct states, successors allowed in them, and those of them that were observed."""
    applied = SchemaInTraces(schema, traces, coded, Allowance(MAX_CHECKS))
    by_state: dict[tuple[int, frozenset[Atom]], list[int]] = {}
    for number, transition in enumerate(transitions):
        by_state.setdefault((transition.segment, transition.state), []).append(number)
    states = spread(list(by_state.values()), MAX_STATES)
    n_states = n_allowed = n_observed = 0
    for steps in (states[first : first + CHUNK] for first in range(0, len(states), CHUNK)):
        try:
            n_changes = applied.n_changes([transitions[own[0]] for own in steps])
        except OutOfWorkError:
            break
        n_states += len(steps)
        n_allowed += int(n_changes.sum())
        explained = [[transitions[number] for number in own if found[number]] for own in steps]
        n_observed += sum(len({applied.change(t) for t in own}) for own in explained)
    return n_states, n_allowed, n_observed
