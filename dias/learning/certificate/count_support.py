"""Counts what stands behind a finished schema, literal by literal.

The numbers come from replaying the finished schema, whatever method it comes from: which bindings
lead from s to s′, and what held and what changed under them.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice

from dias.learning.certificate.allowed import Allowed
from dias.learning.certificate.coincidence import Group, groups_of_preconditions
from dias.learning.certificate.exceptions import exceptions
from dias.learning.certificate.literal_counts import chances_of, fixed_parameters, literals_of
from dias.learning.certificate.literal_texts import literal_text, said
from dias.learning.certificate.rivals import rivals
from dias.learning.certificate.settled import Trials, needed, with_needed
from dias.learning.certificate.shown_states import States
from dias.learning.certificate.support import NO_OUTCOMES, Doubt, LiteralSupport, Support, Trial
from dias.learning.certificate.unsayable import either, for_all
from dias.learning.certificate.untested import is_never_tried, left_out, replaceable, untested
from dias.learning.data.refusals import check_masks, count_refusals, has_refusals
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.transitions import Examples
from dias.learning.finish.assemble import action_schema, over_terms
from dias.learning.finish.mirrored import mirrored
from dias.learning.finish.parameter_types import narrower_than_asked, narrows, tells_apart
from dias.learning.schema import LiftedSchema, Literal, is_inequality, preconditions
from dias.learning.score import MAX_DOUBTED
from dias.strips.model import Atom, typed
from dias.traces.infer_types import infer_types
from dias.traces.record import Traces

MAX_TRIALS = 12
"""Literals of one schema for which something to try is looked for, the doubted ones first. Of those
that nothing tests none is, where they are more: most of them nobody means."""

Broken = dict[tuple[str, ...], Sequence[Literal]]
"""Texts of literals that are doubted or untested, with those that would have to be broken."""


def support(
    written: LiftedSchema,
    examples: Mapping[str, Examples],
    traces: Traces,
    safe: LiftedSchema | None = None,
    states: States | None = None,
    is_exact: bool = True,
) -> Support:
    """Count what stands behind a schema.

    Args:
        written: The schema as it is written; it alone is counted.
        examples: The transitions of every action.
        traces: The same transitions, and the refused attempts.
        safe: The schema with every literal that never fails; None if nothing was left out.
        states: Some of them (`States.of`), to be shared; None for new ones.
        is_exact: Whether the transitions are as they were seen. What was tried in states that may
            be seen wrong settles nothing.
    """
    states = states or States.of(examples)
    return _Count(written, safe or written, examples, traces, states, is_exact).support()


class _Count:
    """What is counted of one schema; arguments as of `support`."""

    def __init__(
        self,
        written: LiftedSchema,
        safe: LiftedSchema,
        examples: Mapping[str, Examples],
        traces: Traces,
        states: States,
        is_exact: bool,
    ) -> None:
        self.written, self.safe, self.traces, self.is_exact = written, safe, traces, is_exact
        self.examples, self.states = examples, states
        self.group = examples[written.action]
        self.transitions = [example.transition for example in self.group.examples]
        self.schema = action_schema(written, traces)
        self.applied = SchemaInTraces(self.schema, traces)
        self.found = self.applied.explanations_of(self.transitions)
        self.barred = [
            Literal(x, False) for x in written.negative if tells_apart(x, written, traces)
        ]
        self.sure = set[Literal]()
        if is_exact and has_refusals(written.action, traces):
            self.sure = needed(written, safe, traces)
        explained = [t for t, own in zip(self.transitions, self.found, strict=True) if own]
        self.allowed = Allowed.of(written, traces, explained)
        self.missing = missing_variable(written, traces)
        self.not_tested = untested(written, safe, examples, traces, states)

    def support(self) -> Support:
        """All of it together."""
        written, traces, found, texts = self.written, self.traces, self.found, self.texts
        unwritten = _unwritten_kinds(written, self.safe, traces)
        both = list(
            literals_of(
                self.schema, self.applied, self.transitions, found,
                chances_of(self.groups), unwritten,
                {*narrower_than_asked(self.schema, traces)}, self.allowed,
            )
        )  # fmt: skip
        n_written = len(both) - len(unwritten)
        known = {x.text for x in both[:n_written] if x.role in ("type", "precondition")}
        doubtful = _doubtful(written, known, traces)
        doubts, broken = self.doubts(known, doubtful)
        broken |= {(self.text(x),): (x,) for x in self.untested_ones(both[:n_written])}
        unsaid = [x for x in self.barred if not narrows(x, written, traces)]
        unexplained = tuple(place for place, own in enumerate(found) if not own)
        allowed = self.allowed if self.is_exact else None
        return Support(
            origin=written.origin,
            n_extra=written.n_variables - written.effects.n_variables,
            literals=tuple(both[:n_written]),
            kinds=tuple(both[n_written:]),
            weak=tuple(sorted(doubts, key=lambda doubt: -doubt.chance)),
            missing=self.missing,
            refusals=count_refusals(self.schema, traces),
            masks=check_masks(self.schema, traces),
            unexplained_lines=tuple(self.transitions[place].line for place in unexplained),
            outcomes=self.allowed.outcomes(self.applied) if self.allowed else NO_OUTCOMES,
            fixed=tuple(
                fixed_parameters(self.schema, self.applied, self.transitions, found, traces)
            ),
            unexplained=unexplained,
            doubtful=doubtful,
            left_out=texts([*left_out(written, self.safe), *unsaid]),
            may_be_needed=texts([*self.not_tested.needed, *unsaid]),
            implied=texts(self.not_tested.implied),
            open=texts(self.not_tested.open),
            replaceable=tuple(self.replaceable()),
            trials=tuple(self.trials(broken)),
            exceptions=exceptions(self.safe, self.group, found, traces, texts)
            if self.is_exact
            else None,
            either=either(written, self.group, found, allowed, texts) if allowed else None,
            for_all=for_all(self.schema, self.transitions, found, allowed, traces)
            if allowed
            else None,
            further=tuple(said(query, written, traces) for query in written.further),
        )

    def text(self, literal: Literal) -> str:
        """A literal in the words of the domain file."""
        if literal in self.barred and narrows(literal, self.written, self.traces):
            term = self.written.terms[literal.atom.variables[0]]
            return typed(term, dict(self.schema.parameters)[term])
        return literal_text(literal, self.written.terms, self.traces)

    def texts(self, literals: Iterable[Literal]) -> tuple[str, ...]:
        """The same of many."""
        return tuple(map(self.text, literals))

    @cached_property
    def types(self) -> Container[str]:
        """The relations that are like types, as far as it matters."""
        may_matter = any(map(_may_be_kinds, self._tried_groups))
        return infer_types(self.traces).widest if may_matter else frozenset()

    @cached_property
    def _tried_groups(self) -> list[Group]:
        """The groups of preconditions that exclude something, and that somebody may have broken."""
        first = [next(iter(own), None) for own in self.found]
        groups = groups_of_preconditions(self.written, self.examples, first, self.traces)
        return [g for g in groups if not is_never_tried(g.literals, self.written, self.traces)]

    @cached_property
    def groups(self) -> list[tuple[tuple[str, ...], Group]]:
        """Those that count, in the words of the domain file, too."""
        groups = [
            group
            for group in self._tried_groups
            if -group.log_chance > MAX_DOUBTED or not _is_meant(group, self.types)
        ]
        groups = with_needed(groups, self.sure & {*preconditions(self.written)})
        return [(self.texts(group.literals), group) for group in groups]

    def doubts(self, known: Container[str], doubtful: Doubt | None) -> tuple[list[Doubt], Broken]:
        """What may be a coincidence, or another literal, and what to break to find out.

        Args:
            known: The types and preconditions that are written.
            doubtful: What the last parameters satisfy, if they are hardly worth it.
        """
        weak: dict[tuple[str, ...], float] = {}  # of groups with the same literals left the weakest
        broken: Broken = {}
        for every, group in self.groups:
            own = tuple(one for one in every if one in known)
            if group.is_weak and own and not _is_meant(group, self.types):
                weak.setdefault(own, math.exp(group.log_chance))
                broken.setdefault(own, group.literals)
        if doubtful and -math.log(doubtful.chance) <= MAX_DOUBTED:
            weak.setdefault(doubtful.literals, doubtful.chance)
        doubts = [Doubt(own, chance) for own, chance in weak.items()]
        for rival in rivals(self.written, self.safe, self.traces):
            kept, instead = self.texts(rival[:2])
            if rival[0] not in self.sure:
                doubts.append(Doubt((kept,), math.exp(min(0.0, rival.log_chance)), (instead,)))
                broken.setdefault((kept,), rival[:1])
        for way in self.written.second_ways:
            if gone := tuple(one for one in self.texts(way.lost) if one in known):
                chance = math.exp(min(0.0, way.log_chance))
                doubts.append(Doubt(gone, chance, self.texts(way.instead)))
        return doubts, broken

    def replaceable(self) -> Iterator[tuple[str, str]]:
        """Preconditions, each with what excludes the same, or says the same the other way round."""
        written, safe = self.written, self.safe
        more = {*safe.positive} - {*written.positive}
        pairs = chain(
            replaceable(written, safe, self.states, self.group.n_unchanged > 0),
            (
                (Literal(one, True), Literal(other, True))
                for one, other in mirrored(written.positive, more, self.traces)
            ),
        )
        return ((self.text(x), self.text(y)) for x, y in pairs if x not in self.sure)

    @cached_property
    def _trials(self) -> Trials:
        return Trials(self.written, self.safe, self.states, self.traces)

    def untested_ones(self, literals: Iterable[LiteralSupport]) -> list[Literal]:
        """The untested literals, left out or written, for which something to try is looked for."""
        is_open = {literal.text for literal in literals if literal.is_untested}
        written = preconditions(self.written) if len(is_open) <= MAX_TRIALS else []
        own = (x for x in written if self.text(x) in is_open and self._trials.may_break(x))
        return [*self.not_tested.needed, *own]

    def trials(self, broken: Broken) -> Iterator[Trial]:
        """What would settle these, as far as some state offers it."""
        tried = [
            (own, self._trials.breaking(literals))
            for own, literals in islice(broken.items(), MAX_TRIALS)
        ]
        if self.missing and self.written.hint:
            tried.append((self.missing.literals, self._trials.without(*self.written.hint[:2])))
        return (Trial(own, *where) for own, where in tried if where)


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
