"""A problem that the pddl package reads rightly, from a problem as people write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dias.strips.model import Atom, Domain
from dias.strips.pddl.aliases import Aliases
from dias.strips.pddl.declarations import EQUALITY, read_objects, warn_of_shared_names
from dias.strips.pddl.formulas import FormulaContext, literals, read_atom
from dias.strips.pddl.outline import Outline, check_numbers, read_outline
from dias.strips.pddl.text import Group, Source, Word


class NormalisedProblem(NamedTuple):
    """A problem for the pddl package, what its aliases stand for, and its flat lists."""

    text: str
    names: Mapping[str, str]
    objects: dict[str, str]
    init: frozenset[Atom]
    has_goal: bool


def normalise_problem(source: Source, domain: Domain) -> NormalisedProblem:
    """Check a problem file against its domain and rewrite it.

    Raises:
        PDDLInputError: The file contradicts PDDL, the domain or itself.
        UnsupportedPDDLError: The file uses more than STRIPS.
    """
    outline = read_outline(source, "problem")
    check_numbers(outline, source)
    home = _domain_name(outline, source)
    if home.text != domain.name:
        source.warn(home, f"the problem is for domain `{home.text}`, read with `{domain.name}`")
    section = outline.section(":objects")
    known = dict(domain.constants)
    types = domain.types or None
    objects = read_objects(section, "object", known, types, source) if section else {}
    predicates = {predicate.name: predicate for predicate in domain.predicates}
    actions = {action.name for action in domain.actions}
    roles = {"object": objects, "type": domain.types, "predicate": predicates, "action": actions}
    warn_of_shared_names(objects, roles, section or outline.name, source)
    objects = {**known, **objects}
    terms = {name: (kind,) for name, kind in objects.items()}
    init = _init(outline, FormulaContext(source, ":init", predicates, terms, domain.types))
    section = outline.section(":goal")
    alias = Aliases()
    scope = FormulaContext(source, ":goal", predicates, terms, domain.types)
    goal = _goal(section, scope) if section else []
    text = (
        f"(define (problem {alias('n', outline.name.text)}) (:domain {alias('d', home.text)})\n"
        # For 400,000 atoms the pddl package takes 21 s of 27, and it would find nothing in the
        # flat lists of objects and facts that is not checked here anyway.
        f"(:init) (:goal {alias.conjunction(goal)}))"
    )
    return NormalisedProblem(text, alias.names, objects, init, section is not None)


def _domain_name(outline: Outline, source: Source) -> Word:
    section = outline.section(":domain")
    if section is None or len(section.items) != 2 or not isinstance(section.items[1], Word):
        found = "no such section" if section is None else "another form"
        raise source.error(
            section or outline.name,
            f"expected `(:domain name)`, found {found}",
            "Name the domain of the problem.",
        )
    return section.items[1]


def _init(outline: Outline, scope: FormulaContext) -> frozenset[Atom]:
    section = outline.section(":init")
    if section is None:
        raise scope.source.error(
            outline.name, "expected a section `(:init …)`, found none", "Is the file complete?"
        )
    true: set[Atom] = set()
    false: dict[Atom, Group] = {}
    for item in section.items[1:]:
        for positive, node in literals(item, scope, equality=False):
            if positive:
                true.add(read_atom(node, scope))
            else:
                false[read_atom(node, scope)] = node
    for atom, node in false.items():
        if atom in true:
            raise scope.source.error(
                node, f"expected {atom} to be true or false, found both in :init", "Remove one."
            )
    return frozenset(true)


def _goal(section: Group, scope: FormulaContext) -> list[tuple[bool, Atom]]:
    """The literals of the goal; equalities of objects that hold are left out."""
    if len(section.items) != 2:
        raise scope.source.error(
            section,
            f"expected one formula in :goal, found {len(section.items) - 1}",
            "Join them with `and`.",
        )
    goal = []
    for positive, node in literals(section.items[1], scope):
        atom = read_atom(node, scope)
        if atom.predicate != EQUALITY:
            goal.append((positive, atom))
        elif (atom.terms[0] == atom.terms[1]) != positive:
            raise scope.source.error(
                node, "expected a goal that can hold, found a false equality", "Remove it."
            )
    return goal
