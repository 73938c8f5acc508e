"""Puts names to what was learned: parameters are called what they are.

This is the last step, after everything is decided: names cannot change what is learned.
"""

from __future__ import annotations

from dias.learning.finish.parameter_names import readable_names
from dias.learning.finish.renaming import renamed
from dias.learning.result import LearningResult


def with_readable_names(result: LearningResult) -> LearningResult:
    """The same with parameters that are called what they are, in the order of `readable_names`."""
    evidence = {own.action: own for own in result.evidence}
    names = {}
    for schema in result.domain.actions:
        own = evidence[schema.name]
        names[schema.name] = readable_names(schema, own.kinds, own.n_given)
    return renamed(result, names)
