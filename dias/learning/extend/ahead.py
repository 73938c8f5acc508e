"""A look ahead: variables that say nothing themselves may lead to one that does.

A door joins two places, whichever they are, and is unlocked by who stands at one of them. That it
joins places excludes nothing; who stands where cannot be asked before there is a place. So what
every step satisfies is taken up on trial, and it stays if one variable more pays for all of them.
"""

from __future__ import annotations

from itertools import islice

from dias.learning.explain.certify import certify_table
from dias.learning.extend.idle import idle
from dias.learning.extend.queries import Query
from dias.learning.extend.search import LOG_HINT, MAX_TRIED, Extended, Search
from dias.learning.schema import Hint, about_new
from dias.learning.score import MARGIN, ROUNDING

MAX_TAKEN_UP = 2
"""Queries that are taken up on trial, those first that leave the fewest bindings. In eleven of the
twelve domains of decision 78 in which one led on it was among the first two."""

MAX_KNOWN = 4
"""Variables, but constants, of the schemas that are looked ahead from. Of wider ones too many
bindings have to be counted: with six and seven, of Tetris, it took a third of all of learning."""

MAX_EACH = 2
"""Bindings, for each one without them, that these leave at most in the mean: the two ends of a link
may be told either way round. What may be any of many objects leads to no one in particular. In the
domains of decision 78 there were two at most."""


def look_ahead(search: Search) -> tuple[Extended | None, Hint | None, Query | None]:
    """The best extension by what every step satisfies and one variable more, or what is near one.

    That is an extension that pays for its last variable, and nearly for all of them: a hint. One
    that does not, but that the steps hardly obey by accident, is untested: its query. Of steps that
    were put right nothing is known that all satisfy, so there is none.

    Args:
        search: A search that found nothing, with what every step satisfies.
    """
    if search.schema.n_variables - len(search.schema.constants) > MAX_KNOWN:
        return None, None, None
    queries = idle(search.schema, search.n_new).passed(search.satisfied or ())
    tables = [search.satisfying(query) for query in islice(queries, MAX_TRIED)]
    n_most = MAX_EACH * len(search.bindings.owner)
    few = [rows for rows in tables if len(rows.owner) <= n_most and search.are_common(rows)]
    best: Extended | None = None
    for rows in sorted(few, key=lambda rows: len(rows.owner))[:MAX_TAKEN_UP]:
        schema = certify_table(search.schema.effects, search.examples, rows)
        further = search._replace(
            bindings=rows, schema=schema, n_new=1, may_be_odd=False, satisfied=None, excluding=None
        )
        found, _ = further.run()
        if found is not None:
            gain = search.gain_of(found.schema, found.bindings)
            gain = found.gain if gain is None else gain
            if best is None or gain > best.gain:
                best = found._replace(gain=gain)
    if best is None:
        return None, None, None
    chance = search.evidence.log_chance(best.schema)
    if best.gain > ROUNDING or search.is_refuted_without(best.schema, chance):
        return best, None, None
    n_known, n_new = search.schema.n_variables, search.n_new + 1
    query = about_new(best.schema.positive, n_known)
    if best.gain > -MARGIN:
        return None, Hint(query, n_new, chance), None
    return None, None, query if chance < LOG_HINT else None
