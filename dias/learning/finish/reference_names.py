"""Names what was learned as a reference does.

This is the last step, after everything is decided: the reference cannot change what is learned.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from dias.diff.domains import Pair, diff_domains
from dias.learning.finish.renaming import free_names, renamed
from dias.learning.result import LearningResult
from dias.strips.model import ActionSchema, Domain, Parameter

log = logging.getLogger(__name__)


def with_names_of(result: LearningResult, reference: Domain) -> LearningResult:
    """The same with the parameters of a reference in their order, as far as it has them.

    Parameters correspond as in `dias.diff.domains`. Those that the reference lacks come last and
    keep their names, with another number if these are taken. Those that the traces give stay the
    first ones in their order, since that is what the arguments in the traces are. Actions without
    a counterpart stay as they are, with a warning.
    """
    given = {own.action: own.n_given for own in result.evidence}
    names = {}
    for own in diff_domains(result.domain, reference).actions:
        if own.left and own.right:
            names[own.name] = _names_of(own.left, own.right, own.parameters, given[own.name])
        elif own.left:
            log.warning("no action of %s corresponds to %s", reference.name, own.name)
    return renamed(result, names)


def _names_of(
    schema: ActionSchema, reference: ActionSchema, pairs: Iterable[Pair[Parameter]], n_given: int
) -> dict[str, str]:
    """Variable of the schema to its name, in the order of the parameters."""
    theirs = {pair.left.name: pair.right.name for pair in pairs if pair.left and pair.right}
    own = free_names([v for v in schema.variables if v not in theirs], theirs.values())
    names = own | theirs
    rank = {name: number for number, name in enumerate(reference.variables)}
    given, free = schema.variables[:n_given], list(schema.variables[n_given:])
    free.sort(key=lambda variable: rank.get(names[variable], len(rank)))
    return {variable: names[variable] for variable in (*given, *free)}
