"""PDDL files to domains and instances.

Reading is a list of passes, one module each: `text` (words and groups with their positions),
`sections` (what stands where), `declarations` and `hierarchy` (names and types), `formulas`
(literals, checked), `normalise_domain` and `normalise_problem` (rewritten with `aliases`), the
pddl package (parsed), and this module (its result in the nouns of `dias.strips.model`).

This is the only module that knows the pddl package; it is loaded at the first call.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from dias.errors import PDDLInputError
from dias.files import read_text
from dias.strips.model import (
    OBJECT,
    ActionSchema,
    Atom,
    Domain,
    Instance,
    Parameter,
    Predicate,
)
from dias.strips.pddl.declarations import EQUALITY
from dias.strips.pddl.normalise_domain import normalise_domain
from dias.strips.pddl.normalise_problem import normalise_problem
from dias.strips.pddl.text import Source

log = logging.getLogger(__name__)
T = TypeVar("T")


def read_domain(path: str | os.PathLike[str]) -> Domain:
    """The domain in a PDDL file.

    Raises:
        PDDLInputError: The file cannot be read, or contradicts PDDL or itself.
        UnsupportedPDDLError: The file uses more than STRIPS.
    """
    return parse_domain(read_text(path, PDDLInputError), os.fspath(path))


def read_problem(path: str | os.PathLike[str], domain: Domain) -> Instance:
    """The instance in a PDDL problem file of `domain`.

    Raises:
        PDDLInputError: The file cannot be read, or contradicts PDDL, the domain or itself.
        UnsupportedPDDLError: The file uses more than STRIPS.
    """
    return parse_problem(read_text(path, PDDLInputError), domain, os.fspath(path))


def parse_domain(text: str, source: str = "<string>") -> Domain:
    """The domain in a PDDL text; `source` names the text in messages. Errors as `read_domain`."""
    normalised = normalise_domain(Source(text, source))
    names = normalised.names
    log.debug("%s: domain, %d names, now for the pddl package", source, len(names))
    parsed = _parse(_domain_parser(), normalised.text, source)
    types = {
        names[str(alias)]: names[str(parent)] for alias, parent in parsed.types.items() if parent
    }
    return Domain(
        name=names[str(parsed.name)],
        types=types,
        constants={
            names[str(constant.name)]: names[str(constant.type_tag)]
            for constant in sorted(parsed.constants, key=_number)
        },
        predicates=tuple(
            Predicate(names[str(predicate.name)], tuple(_types(t, names) for t in predicate.terms))
            for predicate in sorted(parsed.predicates, key=_number)
        ),
        actions=tuple(_action(action, names) for action in sorted(parsed.actions, key=_number)),
    )


def parse_problem(text: str, domain: Domain, source: str = "<string>") -> Instance:
    """The instance in a PDDL text of `domain`. Errors as `read_problem`."""
    normalised = normalise_problem(Source(text, source), domain)
    log.debug(
        "%s: problem, %d objects, %d atoms", source, len(normalised.objects), len(normalised.init)
    )
    names = normalised.names
    parsed = _parse(_problem_parser(), normalised.text, source)
    literals = list(_literals(parsed.goal, names))
    return Instance(
        name=names[str(parsed.name)],
        domain_name=names[str(parsed.domain_name)],
        objects=normalised.objects,
        init=normalised.init,
        goal=_chosen(literals, True),
        negative_goal=_chosen(literals, False),
        has_goal=normalised.has_goal,
    )


@cache  # building the grammar takes 70 ms, parsing a domain with it 5 ms
def _domain_parser() -> Any:
    from pddl.parser.domain import DomainParser

    return DomainParser()


@cache
def _problem_parser() -> Any:
    from pddl.parser.problem import ProblemParser

    return ProblemParser()


def _parse(parser: Callable[[str], Any], text: str, source: str) -> Any:
    try:
        return parser(text)
    except Exception as error:  # of lark or pddl, of many classes without a common base
        # The parsers keep the state of the failed call, and the package switches tracebacks off.
        _domain_parser.cache_clear()
        _problem_parser.cache_clear()
        sys.tracebacklimit = None
        message = str(error).strip().splitlines() or [type(error).__name__]
        raise PDDLInputError(
            f"expected STRIPS in PDDL, found what the pddl package refuses: {message[0]}",
            place=source,
            remedy="Simplify the file step by step until it is read.",
        ) from error


def _number(item: Any) -> int:
    """The number in an alias: the place in the file, which the sets of the package forget."""
    return int(item.name[1:])


def _types(term: Any, names: Mapping[str, str]) -> tuple[str, ...]:
    """The alternatives of a term's type, in order of name."""
    return tuple(sorted(names[str(alias)] for alias in term.type_tags)) or (OBJECT,)


def _action(action: Any, names: Mapping[str, str]) -> ActionSchema:
    condition = list(_literals(action.precondition, names))
    effect = list(_literals(action.effect, names))
    atoms = [(positive, atom) for positive, atom in condition if atom.predicate != EQUALITY]
    pairs = [(positive, _pair(atom)) for positive, atom in condition if atom.predicate == EQUALITY]
    return ActionSchema(
        name=names[str(action.name)],
        parameters=tuple(
            Parameter(names[str(variable.name)], _types(variable, names))
            for variable in action.parameters
        ),
        preconditions=_chosen(atoms, True),
        negative_preconditions=_chosen(atoms, False),
        equalities=_chosen(pairs, True),
        inequalities=_chosen(pairs, False),
        add_effects=_chosen(effect, True),
        delete_effects=_chosen(effect, False),
    )


def _pair(equality: Atom) -> tuple[str, str]:
    left, right = sorted(equality.terms)  # equality is symmetric: one spelling of each pair
    return left, right


def _chosen(literals: Iterable[tuple[bool, T]], wanted: bool) -> frozenset[T]:
    return frozenset(value for positive, value in literals if positive == wanted)


def _literals(formula: Any, names: Mapping[str, str]) -> Iterator[tuple[bool, Atom]]:
    """The literals (positive or not, atom) of a flat conjunction or of a single literal."""
    from pddl.logic.base import And, Not
    from pddl.logic.predicates import EqualTo

    for literal in formula.operands if isinstance(formula, And) else (formula,):
        negative = isinstance(literal, Not)
        atom = literal.argument if negative else literal
        if isinstance(atom, EqualTo):
            predicate, terms = EQUALITY, (atom.left, atom.right)
        else:
            predicate, terms = names[str(atom.name)], atom.terms
        yield not negative, Atom(predicate, tuple(names[str(term.name)] for term in terms))
