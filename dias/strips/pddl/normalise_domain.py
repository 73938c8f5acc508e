"""A domain that the pddl package reads rightly, from a domain as people write it.

The package refuses upper-case keywords, many names (``object`` as a predicate, a leading digit,
anything but ASCII), ``=`` without its requirement and an action without precondition; it takes
``()`` for false and cannot name the root type in a typed hierarchy; and it checks no meaning.
So the file is checked here, on its tree, and rewritten: every name by an alias that the package
accepts, every formula as one flat conjunction, every requirement declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dias.strips.model import OBJECT, Predicate
from dias.strips.pddl.aliases import Aliases
from dias.strips.pddl.declarations import (
    EQUALITY,
    read_objects,
    read_parameters,
    read_predicates,
    warn_of_shared_names,
)
from dias.strips.pddl.formulas import FormulaContext, literals, read_atom
from dias.strips.pddl.hierarchy import read_types
from dias.strips.pddl.outline import Outline, check_numbers, read_action, read_outline
from dias.strips.pddl.text import Group, Source, Word

REQUIREMENTS = ":strips :typing :negative-preconditions :equality"


class NormalisedDomain(NamedTuple):
    """A domain for the pddl package, and what its aliases stand for.

    The numbers in the aliases of predicates and actions follow the order of the file.
    """

    text: str
    names: Mapping[str, str]


class _Declared(NamedTuple):
    """Types with their parents, constants with their types, predicates by name."""

    types: dict[str, str]
    constants: dict[str, str]
    predicates: dict[str, Predicate]


def normalise_domain(source: Source) -> NormalisedDomain:
    """Check a domain file and rewrite it.

    Raises:
        PDDLInputError: The file contradicts PDDL or itself.
        UnsupportedPDDLError: The file uses more than STRIPS.
    """
    outline = read_outline(source, "domain")
    check_numbers(outline, source)
    declared = _declarations(outline, source)
    alias = Aliases()
    used = {":typing"} if outline.section(":types") else set()
    actions: dict[str, Word] = {}
    lines = _heading(outline.name.text, declared, alias)
    for section in outline.sections.get(":action", []):
        name, parts = read_action(section, source)
        if name.text in actions:
            raise source.error(
                name,
                f"expected one action `{name.text}`, found one in line "
                f"{source.line(actions[name.text])} and one in line {source.line(name)}",
                "Rename or remove one of them.",
            )
        actions[name.text] = name
        lines.append(_action(name, parts, declared, used, alias, source))
    _warn_of_requirements(outline, used, source)
    roles: dict[str, Mapping[str, object]] = {
        "type": declared.types,
        "constant": declared.constants,
        "predicate": declared.predicates,
        "action": actions,
    }
    names = dict.fromkeys(name for members in roles.values() for name in members)
    warn_of_shared_names(names, roles, outline.name, source)
    return NormalisedDomain("\n".join([*lines, ")"]), alias.names)


def _declarations(outline: Outline, source: Source) -> _Declared:
    section = outline.section(":types")
    types = read_types(section, source) if section else {}
    section = outline.section(":constants")
    constants = read_objects(section, "constant", {}, types, source) if section else {}
    section = outline.section(":predicates")
    predicates = read_predicates(section, types, source) if section else {}
    return _Declared(types, constants, predicates)


def _heading(name: str, declared: _Declared, alias: Aliases) -> list[str]:
    """All of the domain before its actions."""
    types = (alias.typed(alias("t", kind), (parent,)) for kind, parent in declared.types.items())
    lines = [
        f"(define (domain {alias('d', name)}) (:requirements {REQUIREMENTS})",
        f"(:types {' '.join(types)} {alias('t', OBJECT)})",
    ]
    if declared.constants:
        constants = (
            alias.typed(alias.term(name), (kind,)) for name, kind in declared.constants.items()
        )
        lines.append(f"(:constants {' '.join(constants)})")
    if declared.predicates:
        predicates = (_skeleton(predicate, alias) for predicate in declared.predicates.values())
        lines.append(f"(:predicates {' '.join(predicates)})")
    return lines


def _action(
    name: Word,
    parts: Mapping[str, Group],
    declared: _Declared,
    used: set[str],
    alias: Aliases,
    source: Source,
) -> str:
    """One action rewritten; the requirements that it needs are added to `used`."""
    where = f"action `{name.text}`"
    parameters = read_parameters(parts[":parameters"].items, declared.types, where, source)
    terms: dict[str, tuple[str, ...]] = {
        constant: (kind,) for constant, kind in declared.constants.items()
    }
    terms |= {parameter.name: parameter.types for parameter in parameters}
    scope = FormulaContext(source, where, declared.predicates, terms, declared.types)
    condition = [
        (positive, read_atom(node, scope))
        for positive, node in literals(parts[":precondition"], scope)
    ]
    if any(atom.predicate == EQUALITY for _, atom in condition):
        used.add(":equality")
    if any(not positive and atom.predicate != EQUALITY for positive, atom in condition):
        used.add(":negative-preconditions")
    effect = [
        (positive, read_atom(node, scope))
        for positive, node in literals(parts[":effect"], scope, equality=False)
    ]
    if not effect:
        source.warn(name, f"the action `{name.text}` has no effect")
    listed = (alias.typed(alias.term(variable), kinds) for variable, kinds in parameters)
    return (
        f"(:action {alias('a', name.text)} :parameters ({' '.join(listed)})\n"
        f" :precondition {alias.conjunction(condition)}\n"
        f" :effect {alias.conjunction(effect)})"
    )


def _skeleton(predicate: Predicate, alias: Aliases) -> str:
    terms = (alias.typed(f"?x{i}", kinds) for i, kinds in enumerate(predicate.types))
    return f"({' '.join([alias('p', predicate.name), *terms])})"


def _warn_of_requirements(outline: Outline, used: set[str], source: Source) -> None:
    section = outline.section(":requirements")
    declared = {item.text for item in section.items if isinstance(item, Word)} if section else set()
    missing = sorted(used - declared)
    if missing and ":adl" not in declared:
        source.warn(
            section or outline.name, f"used but not declared as requirements: {' '.join(missing)}"
        )
