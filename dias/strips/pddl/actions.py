"""Actions: from ``(:action …)`` to action schemas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dias.errors import did_you_mean
from dias.strips.model import ActionSchema, Atom
from dias.strips.pddl.declarations import EQUALITY, expect_name, read_parameters
from dias.strips.pddl.formulas import FormulaContext, literals
from dias.strips.pddl.package import parse_formulas
from dias.strips.pddl.text import Group, Source, Word


def read_actions(sections: Sequence[Group], domain: FormulaContext) -> dict[str, ActionSchema]:
    """The action schemas of the sections ``(:action …)`` by name, in order.

    Args:
        sections: The sections.
        domain: What names mean outside actions: `terms` are the constants.

    Raises:
        PDDLInputError: An action contradicts PDDL or the declarations, or two have one name.
        UnsupportedPDDLError: An action uses more than STRIPS.
    """
    source = domain.source
    actions: dict[str, ActionSchema] = {}
    lines: dict[str, int] = {}
    for section in sections:
        name, parts = _parts(section, source)
        if name.text in actions:
            raise source.error(
                name,
                f"expected one action `{name.text}`, found one in line {lines[name.text]} "
                f"and one in line {source.line(name)}",
                "Rename or remove one of them.",
            )
        actions[name.text], lines[name.text] = _schema(name, parts, domain), source.line(name)
    return actions


def _parts(section: Group, source: Source) -> tuple[Word, dict[str, Group]]:
    """The name of an action and its parts by keyword; parts that the file leaves out are empty."""
    name = expect_name(
        section.items[1] if len(section.items) > 1 else None, "action", source, section
    )
    parts: dict[str, Group] = {}
    known = (":parameters", ":precondition", ":effect")
    rest = iter(section.items[2:])
    for keyword in rest:
        word = keyword.text if isinstance(keyword, Word) else "("
        if word not in known or word in parts:
            raise source.error(
                keyword,
                f"expected {', '.join(part for part in known if part not in parts) or '`)`'}, "
                f"found `{word}` in action `{name.text}`",
                did_you_mean(word, set(known) - parts.keys()) or "Remove it, or close the action.",
            )
        body = next(rest, None)
        if not isinstance(body, Group):
            found = f"`{body.text}`" if isinstance(body, Word) else "`)`"
            raise source.error(
                body or section,
                f"expected `(` after {word}, found {found} in action `{name.text}`",
                "Put the formula in parentheses.",
            )
        parts[word] = body
    return name, {part: parts.get(part, Group([], section.start)) for part in known}


def _schema(name: Word, parts: dict[str, Group], domain: FormulaContext) -> ActionSchema:
    where = f"action `{name.text}`"
    parameters = read_parameters(parts[":parameters"].items, domain.types, where, domain.source)
    terms = {**domain.terms, **{parameter.name: parameter.types for parameter in parameters}}
    scope = replace(domain, where=where, terms=terms)
    condition = list(literals(parts[":precondition"], scope))
    effect = list(literals(parts[":effect"], scope, equality=False))
    if not effect:
        domain.source.warn(name, f"the action `{name.text}` has no effect")
    required, changed = parse_formulas(condition, effect, domain.source)
    return ActionSchema(
        name=name.text,
        parameters=parameters,
        preconditions=_atoms(required.positive),
        negative_preconditions=_atoms(required.negative),
        equalities=_pairs(required.positive),
        inequalities=_pairs(required.negative),
        add_effects=changed.positive,
        delete_effects=changed.negative,
    )


def _atoms(required: Iterable[Atom]) -> frozenset[Atom]:
    return frozenset(atom for atom in required if atom.predicate != EQUALITY)


def _pairs(required: Iterable[Atom]) -> frozenset[tuple[str, str]]:
    """The pairs of terms in equalities; one spelling of each, since equality is symmetric."""
    return frozenset(
        (min(terms), max(terms)) for predicate, terms in required if predicate == EQUALITY
    )
