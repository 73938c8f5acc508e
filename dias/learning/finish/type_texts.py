"""What is said about a schema in terms of types instead of the relations that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from dias.learning.certificate.support import Doubt, Support
from dias.strips.model import OBJECT, is_subtype
from dias.traces.infer_types import Types

Given = Mapping[str, str]
"""Parameters and constants to their types."""

_UNARY = re.compile(r"(\(not )?\(([^\s()=]+) ([^\s()]+)\)\)?")
_UNEQUAL = re.compile(r"\(not \(= ([^\s()]+) ([^\s()]+)\)\)")


class Unary(NamedTuple):
    """A literal of one argument."""

    is_positive: bool
    relation: str
    term: str


def unary(text: str) -> Unary | None:
    """The literal of one argument that a text is, as a domain file has it; None for others.

    >>> unary("(not (lamp ?x))")
    Unary(is_positive=False, relation='lamp', term='?x')
    """
    found = _UNARY.fullmatch(text)
    return Unary(not found[1], found[2], found[3]) if found else None


def are_apart(kind: str, other: str, types: Types) -> bool:
    """Whether nothing is of both types."""
    return not any(is_subtype(x, (y,), types.parents) for x, y in ((kind, other), (other, kind)))


def typed_support(
    support: Support, given: Given, types: Types, idle: Iterable[str] = ()
) -> Support:
    """The support of a schema once it has types.

    Args:
        support: That of the schema without them.
        given: What its terms are; parameters that it may lack are not in it.
        types: The types.
        idle: Preconditions that hold of all objects of the types of their parameters.
    """
    gone = frozenset(idle)

    def texts(own: Iterable[str]) -> tuple[str, ...]:
        return tuple(_texts([*own], given, types))

    def doubt(own: Doubt) -> Doubt:
        return Doubt(texts(own.literals), own.chance, texts(own.instead))

    said = {literal.text: literal for literal in (*support.kinds, *support.literals)}
    kinds = (
        replace(said[f"({relation} {term})"], role="type", text=f"{term} - {kind}")
        for term, given_kind in given.items()
        for relation, kind in types.relations.items()
        if kind == given_kind and f"({relation} {term})" in said
    )
    rest = [x for x in support.literals if texts([x.text]) == (x.text,) and x.text not in gone]
    doubtful = support.doubtful and doubt(support.doubtful)
    missing = support.missing and doubt(support.missing)
    either = support.either and doubt(support.either)
    for_all = support.for_all and doubt(support.for_all)
    exceptions = support.exceptions
    if exceptions:
        exceptions = replace(exceptions, literals=texts(exceptions.literals))
    return replace(
        support,
        literals=(*kinds, *rest),
        kinds=tuple(own for own in support.kinds if texts([own.text]) == (own.text,)),
        weak=tuple(own for own in map(doubt, support.weak) if own.literals),
        doubtful=doubtful if doubtful and doubtful.literals else None,
        missing=missing if missing and missing.literals else None,
        either=either if either and len(either.literals) > 1 else None,
        for_all=for_all if for_all and for_all.literals else None,
        exceptions=exceptions if exceptions and exceptions.literals else None,
        fixed=tuple(own for own in support.fixed if _has_others(*own, given, types)),
        left_out=texts(support.left_out),
        may_be_needed=texts(support.may_be_needed),
        implied=texts(support.implied),
        open=texts(support.open),
        of_type=tuple(sorted(gone)),
        replaceable=tuple(
            own for own in support.replaceable if texts(own) == own and own[0] not in gone
        ),
        further=tuple(filter(None, map(texts, support.further))),
        trials=tuple(own._replace(literals=texts(own.literals)) for own in support.trials),
    )


def _texts(literals: Sequence[str], given: Given, types: Types) -> Iterator[str]:
    """Literals with types in place of what they say, without what they rule out; each once."""
    known = dict(given)
    for found in filter(None, map(unary, literals)):
        if found.is_positive and found.relation in types.relations and found.term not in given:
            kind, before = types.relations[found.relation], known.get(found.term, OBJECT)
            known[found.term] = kind if is_subtype(kind, (before,), types.parents) else before
    done = set[str]()
    for text in literals:
        own, unequal = unary(text), _UNEQUAL.fullmatch(text)
        if own and own.relation in types.relations:
            kind = known.get(own.term, OBJECT)
            if own.is_positive:
                text = f"{own.term} - {kind}"
            elif are_apart(types.relations[own.relation], kind, types):
                continue
        elif unequal:
            one, other = (known.get(term, OBJECT) for term in unequal.groups())
            if are_apart(one, other, types):
                continue
        if text not in done:
            done.add(text)
            yield text


def _has_others(variable: str, name: str, given: Given, types: Types) -> bool:
    """Whether there are others of the type of a parameter that always was one object."""
    problems = {number for number, other in types.objects if other == name}
    return any(
        is_subtype(kind, (given[variable],), types.parents)
        for (number, other), kind in types.objects.items()
        if number in problems and other != name
    )
