"""Literals that no training state asks for, though one would if a single atom were otherwise.

In a training state some binding breaks a literal L and one other precondition M, and nothing else.
Had an action made M true there, L would have ruled out a successor. That M excludes what breaks L
would explain why it never happened. But M is about other objects, and the two were seen together:

- No box of Sokoban was ever pushed towards the other one. But once player, cell and box were
  in a row, and elsewhere two boxes lay side by side.
- Whoever stood at a lift with open doors had checked in. Others stood there while it was closed,
  and while it was open elsewhere some had not checked in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from dias.learning.data.replay import CodedStates, Visit
from dias.learning.finish.assemble import action_schema, learned_domain
from dias.learning.schema import EQUAL, Effects, LiftedAtom, LiftedSchema, Literal, preconditions
from dias.limits import Check
from dias.strips.joins.successors import SuccessorGenerator
from dias.traces.record import Traces


def asked_nearby(
    schema: LiftedSchema,
    dropped: Iterable[Literal],
    visits: Sequence[Visit],
    traces: Traces,
    coded: CodedStates,
    check: Check,
) -> set[Literal]:
    """Those of some literals that would matter if a single atom of a state were otherwise.

    Args:
        schema: The schema without the literals.
        dropped: The literals; comparisons among them are passed over.
        visits: The training states.
        traces: Where they are from.
        coded: Their states.
        check: Called again and again; it may raise to end the search.
    """
    kept = preconditions(schema)
    same = _one_for_all_that_are_equal(kept, schema.n_variables)

    def objects(literal: Literal) -> set[int]:
        return {same[variable] for variable in literal.atom.variables}

    pairs = [
        (literal, other)
        for literal in dropped
        for other in kept
        if literal.atom.relation != EQUAL
        and other.atom.relation in traces.changing_predicates
        and objects(literal).isdisjoint(objects(other))
    ]

    def said_of_both(literal: Literal, other: Literal) -> list[Literal]:
        own, others = literal.atom.variables, other.atom.variables
        about = [x for x in kept if x is other or {*own, *others}.issuperset(x.atom.variables)]
        apart = (LiftedAtom(EQUAL, (min(pair), max(pair))) for pair in product(own, others))
        return [*about, _negated(literal), *(Literal(pair, False) for pair in apart)]

    def all_but_both(literal: Literal, other: Literal) -> list[Literal]:
        return [*(x for x in kept if x is not other), _negated(literal), _negated(other)]

    for query in (said_of_both, all_but_both):
        occurs = _occur([query(*pair) for pair in pairs], schema, visits, traces, coded, check)
        pairs = [pair for pair, is_found in zip(pairs, occurs, strict=True) if is_found]
    return {literal for literal, _ in pairs}


def _one_for_all_that_are_equal(kept: Iterable[Literal], n_variables: int) -> dict[int, int]:
    """Each variable with one of those that the literals say are the same object."""
    same = {variable: variable for variable in range(n_variables)}
    for (relation, variables), is_positive in kept:
        if relation == EQUAL and is_positive:
            one, other = map(same.__getitem__, variables)
            same = {variable: one if own == other else own for variable, own in same.items()}
    return same


def _negated(literal: Literal) -> Literal:
    return literal._replace(is_positive=not literal.is_positive)


def _occur(
    queries: Sequence[Sequence[Literal]],
    schema: LiftedSchema,
    visits: Sequence[Visit],
    traces: Traces,
    coded: CodedStates,
    check: Check,
) -> list[bool]:
    """Whether some binding satisfies a query in some state, for each."""
    found = [False] * len(queries)
    domain = learned_domain(
        traces,
        (action_schema(_query(query, schema, str(n)), traces) for n, query in enumerate(queries)),
    )
    generators: dict[int, SuccessorGenerator] = {}
    for visit in visits if queries else ():
        problem = coded.problem(visit.segment, domain.fluents)
        if visit.segment not in generators:
            generators[visit.segment] = SuccessorGenerator(domain, problem, check=check)
        generator = generators[visit.segment]
        state = coded.encode(visit.segment, visit.state) | problem.init
        for own, bindings in zip(generator.satisfiable, generator.expansions(state), strict=True):
            number = int(own.name)
            found[number] = found[number] or next(bindings, None) is not None
    return found


def _query(literals: Sequence[Literal], schema: LiftedSchema, name: str) -> LiftedSchema:
    """A schema without effects over the constants and the variables of some literals only."""
    mentioned = {variable for literal in literals for variable in literal.atom.variables}
    used = sorted({*range(len(schema.constants)), *mentioned})
    number = {variable: place for place, variable in enumerate(used)}
    atoms = {
        sign: tuple(x.atom.renamed(number) for x in literals if x.is_positive == sign)
        for sign in (True, False)
    }
    return replace(
        schema,
        action=name,
        effects=Effects(0, (), ()),
        n_variables=len(used),
        positive=atoms[True],
        negative=atoms[False],
    )
