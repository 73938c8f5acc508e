"""What all steps obey and no precondition can say.

Either of two literals, and neither alone: several actions under one name? Trucks go by road and
boats by river: no literal is required of both, so that a schema for all of them allows either to go
anywhere. Or a literal that holds whatever object stands in it: a block is taken if no block is on
it, and no fact such as ``(clear ?b)`` was recorded that says so. If the literal is
about no parameter, it shows where the action was passed over: a shift ends once all is delivered.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, permutations

import numpy as np

from dias.learning.certificate.allowed import Allowed, Sentence
from dias.learning.certificate.literal_counts import atom_text
from dias.learning.certificate.support import Doubt
from dias.learning.data.coded_states import CodedStates
from dias.learning.data.replay import SchemaInTraces
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.data.visited import Rows
from dias.learning.extend.evidence import PassedOver, log_passed_over
from dias.learning.schema import TYPE, LiftedAtom, LiftedSchema, Literal, lifted_atoms
from dias.learning.score import MARGIN
from dias.strips.model import ActionSchema, Atom, typed
from dias.traces.record import Traces, Transition

MIN_STEPS = 20
"""Steps with one explanation below which nothing is looked for."""

MAX_ARITY, MAX_SENTENCES = 3, 2_000
"""Literals over all objects that are looked at: of relations up to such an arity, so many at most.
"""

MIN_SHARE = 0.1
"""Share of the steps that each of the two must explain alone: fewer may have been seen wrong
(`dias.learning.certificate.exceptions`)."""

MAX_WEIGHED = 50
"""Pairs that are weighed, those first of which hold together least often; and literals over all
objects, those first that fewest ground actions obey."""

Pair = tuple[Literal, Literal]


def either(
    written: LiftedSchema,
    group: Examples,
    found: Sequence[Sequence[tuple[int, ...]]],
    allowed: Allowed,
    texts: Callable[[Iterable[Literal]], tuple[str, ...]],
) -> Doubt | None:
    """The two literals that most likely are not obeyed by accident, one or the other.

    Args:
        written: The schema as it is written.
        group: The steps of its action.
        found: The bindings of its parameters that explain each of them.
        allowed: What the schema allows in the states that they start from.
        texts: Literals in the words of the domain file.

    Returns:
        None where an accident is as likely as that, among all pairs of literals.
    """
    clear = _clear(found)
    if len(clear) < MIN_STEPS:
        return None
    steps = [group.examples[n] for n in clear]
    constants = (step.constants[: len(written.constants)] for step in steps)
    rows = [[own + found[n][0]] for own, n in zip(constants, clear, strict=True)]
    bindings = BindingTable.of(rows, written.n_variables).rows
    atoms = [
        atom
        for atom in lifted_atoms(group.arities, written.n_variables)
        if not atom.relation.startswith(TYPE)
    ]
    pairs = _pairs(group, atoms, group.truth(np.array(clear, np.int64), bindings, atoms))
    if not pairs:
        return None
    price = math.log(len(atoms) * (2 * len(atoms) - 1))
    obeyed = map(allowed.either, pairs)
    log_chances = allowed.log_chances(obeyed, [step.transition for step in steps])
    log_chance, best = min(zip(log_chances, pairs, strict=True))
    if log_chance + price > -MARGIN:
        return None
    return Doubt(texts(best), math.exp(log_chance + price))


def for_all(
    schema: ActionSchema,
    transitions: Sequence[Transition],
    found: Sequence[Sequence[tuple[int, ...]]],
    allowed: Allowed,
    traces: Traces,
) -> Doubt | None:
    """What most likely is not obeyed by accident of all literals over one object that may be any.

    Args:
        schema: The schema as it is written.
        transitions: The steps of its action.
        found: The bindings of its parameters that explain each of them.
        allowed: What the schema allows in the states that they start from.
        traces: All steps.

    Returns:
        None where an accident is as likely as that, among all such literals.
    """
    asked = list(islice(_sentences(schema, traces), MAX_SENTENCES))
    alone = [own for own in asked if own.atom.terms == (own.free,)]
    both = [
        *_where_taken([own for own in asked if own not in alone], transitions, found, allowed),
        *_where_passed_over(alone, schema, transitions, allowed, traces),
    ]
    log_chance, best = min(both, default=(0.0, None))
    log_chance += math.log(max(1, len(asked)))
    if best is None or log_chance > -MARGIN:
        return None
    literal = atom_text(best.atom, best.is_positive)
    return Doubt((f"(forall ({typed(best.free, best.types)}) {literal})",), math.exp(log_chance))


def _where_taken(
    asked: Sequence[Sentence],
    transitions: Sequence[Transition],
    found: Sequence[Sequence[tuple[int, ...]]],
    allowed: Allowed,
) -> Iterator[tuple[float, Sentence]]:
    """Log of the chance that steps obeyed each by accident, and it, of literals about parameters.

    Of those that all of them obeyed, and the schema does not ask for.
    """
    clear = _clear(found)
    if len(clear) < MIN_STEPS:
        return
    steps = [transitions[n] for n in clear]
    taken = allowed.taken(steps, np.array([found[n][0] for n in clear], np.int64))
    share = {own: float(allowed.for_all(own).mean()) for own in _obeyed(asked, allowed, taken)}
    rarest = sorted((own for own in share if share[own] < 1), key=share.__getitem__)[:MAX_WEIGHED]
    yield from zip(allowed.log_chances(map(allowed.for_all, rarest), steps), rarest, strict=True)


def _where_passed_over(
    asked: Sequence[Sentence],
    schema: ActionSchema,
    transitions: Sequence[Transition],
    allowed: Allowed,
    traces: Traces,
) -> Iterator[tuple[float, Sentence]]:
    """The same of literals about no parameter: by accident the action was not taken elsewhere.

    That is where one does not hold, and the schema is applicable all the same.
    """
    if len(transitions) < MIN_STEPS or not asked:
        return
    coded, passed = CodedStates.of(traces), PassedOver.of(schema.name, traces)
    is_open = passed.are_applicable(SchemaInTraces(schema, traces))
    rows, n_steps = Rows(passed.numbers[is_open], {}), passed.n_steps[is_open]
    for own in _obeyed(asked, allowed, Rows(coded.numbers(transitions), {})):
        n_ruled_out = int(n_steps[~allowed.for_all(own, rows)].sum())
        yield log_passed_over(traces) * n_ruled_out, own


def _obeyed(asked: Sequence[Sentence], allowed: Allowed, taken: Rows) -> Sequence[Sentence]:
    """Those that all steps obeyed; most are violated early."""
    for rows in (taken.where(slice(MIN_STEPS)), taken):
        asked = [own for own in asked if allowed.for_all(own, rows).all()]
    return asked


def _sentences(schema: ActionSchema, traces: Traces) -> Iterator[Sentence]:
    """Literals over parameters and one object that may be any, those of few terms first."""
    free = f"?x{schema.arity + 1}"
    for predicate in sorted(traces.predicates, key=lambda own: own.arity):
        if not 0 < predicate.arity <= MAX_ARITY:
            continue
        for terms in permutations(schema.variables, predicate.arity - 1):
            for place, types in enumerate(predicate.types):
                atom = Atom(predicate.name, (*terms[:place], free, *terms[place:]))
                yield from (Sentence(atom, free, value, types) for value in (False, True))


def _clear(found: Sequence[Sequence[tuple[int, ...]]]) -> list[int]:
    """The steps with one explanation."""
    return [n for n, own in enumerate(found) if len(own) == 1]


def _pairs(group: Examples, atoms: Sequence[LiftedAtom], holds: np.ndarray) -> list[Pair]:
    """Of two literals, one of them positive, one held in every step: ``[n, L]`` what did."""
    n_atoms, shares = len(atoms), [group.shares[atom.relation] for atom in atoms]
    fails = np.concatenate([~holds, holds], axis=1)
    chances = np.array([*shares, *(1 - share for share in shares)])
    may_be = np.flatnonzero(fails.mean(0) >= MIN_SHARE)
    # Both of a pair fail in no step: products of what fails, counted.
    own = fails[:, may_be].astype(np.float32)
    one, other = (may_be[place] for place in np.nonzero(np.triu(own.T @ own == 0, 1)))
    is_pair = (one < n_atoms) & (other != one + n_atoms)
    one, other = one[is_pair], other[is_pair]
    together = chances[one] + chances[other] - chances[one] * chances[other]
    rarest = np.argsort(together, kind="stable")[:MAX_WEIGHED]
    literals = [Literal(atom, is_positive) for is_positive in (True, False) for atom in atoms]
    return [(literals[one[n]], literals[other[n]]) for n in rarest.tolist()]
