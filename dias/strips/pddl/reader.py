"""PDDL files to domains and instances.

Reading is a list of passes: `text` (words and groups with their positions), `outline` (what stands
where), `declarations` and `hierarchy` (names and types), `actions` with their `formulas` (literals,
checked), which `package` has parsed by the pddl package, as it does with goals. Flat lists do not
go through the package: for 400,000 initial atoms it takes 20 s, and would find nothing in them that
is not checked here anyway.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Mapping

from dias.errors import PDDLInputError
from dias.files import read_text
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance, Predicate, is_subtype
from dias.strips.pddl.actions import read_actions
from dias.strips.pddl.declarations import (
    EQUALITY,
    read_objects,
    read_predicates,
    warn_of_shared_names,
)
from dias.strips.pddl.formulas import FormulaContext, literals
from dias.strips.pddl.hierarchy import read_types
from dias.strips.pddl.outline import (
    FOR_PLANNERS,
    FOR_SUCCESSORS,
    Outline,
    check_numbers,
    read_outline,
)
from dias.strips.pddl.package import Conjunction, parse_formulas
from dias.strips.pddl.text import Group, Node, Source, Word
from dias.strips.type_facts import narrower, type_relations

log = logging.getLogger(__name__)


def read_domain(path: str | os.PathLike[str], needs_actions: bool = True) -> Domain:
    """The domain in a PDDL file.

    Args:
        path: The file.
        needs_actions: Whether the actions are wanted. Without it they are passed over, whatever
            they are, and the domain has none.

    Raises:
        PDDLInputError: The file cannot be read, or contradicts PDDL or itself.
        UnsupportedPDDLError: The file uses more than STRIPS.
    """
    return parse_domain(read_text(path, PDDLInputError), os.fspath(path), needs_actions)


def read_problem(
    path: str | os.PathLike[str], domain: Domain, needs_goal: bool = True, needs_init: bool = True
) -> Instance:
    """The instance in a PDDL problem file of `domain`.

    Args:
        path: The file.
        domain: The domain.
        needs_goal: Whether the goal is wanted. Without it what a planner is asked for (goal,
            metric, constraints) is passed over, whatever it is, and the instance has no goal.
        needs_init: Whether the initial state is wanted. Without it no atom holds in it.

    Raises:
        PDDLInputError: The file cannot be read, or contradicts PDDL, the domain or itself.
        UnsupportedPDDLError: The file uses more than STRIPS.
    """
    text = read_text(path, PDDLInputError)
    return parse_problem(text, domain, os.fspath(path), needs_goal, needs_init)


def parse_domain(text: str, source: str = "<string>", needs_actions: bool = True) -> Domain:
    """The domain in a PDDL text; `source` names the text in messages. Errors as `read_domain`."""
    file = Source(text, source)
    outline = read_outline(file, "domain", () if needs_actions else FOR_SUCCESSORS)
    check_numbers(outline, file)
    types = read_types(outline.section(":types"), file)
    constants = read_objects(outline.section(":constants"), "constant", {}, types, file)
    predicates = read_predicates(outline.section(":predicates"), types, file)
    terms = {name: (kind,) for name, kind in constants.items()}
    scope = FormulaContext(file, "the domain", predicates, terms, types)
    actions = read_actions(outline.sections.get(":action", []), scope)
    _warn_of_requirements(outline, actions, file)
    roles: dict[str, Mapping[str, object]] = {
        "type": types,
        "constant": constants,
        "predicate": predicates,
        "action": actions,
    }
    names = dict.fromkeys(name for members in roles.values() for name in members)
    warn_of_shared_names(names, roles, outline.name, file)
    log.debug("%s: domain, %d names", source, len(names))
    return Domain(
        name=outline.name.text,
        types=types,
        constants=constants,
        predicates=tuple(predicates.values()),
        actions=tuple(actions.values()),
    )


def parse_problem(
    text: str,
    domain: Domain,
    source: str = "<string>",
    needs_goal: bool = True,
    needs_init: bool = True,
) -> Instance:
    """The instance in a PDDL text of `domain`. Arguments and errors as for `read_problem`."""
    file = Source(text, source)
    left_out = (*(() if needs_goal else FOR_PLANNERS), *(() if needs_init else (":init",)))
    outline = read_outline(file, "problem", left_out)
    check_numbers(outline, file)
    home = _domain_name(outline, file)
    if home.text != domain.name:
        file.warn(home, f"the problem is for domain `{home.text}`, read with `{domain.name}`")
    section = outline.section(":objects")
    # An untyped domain reads typed objects.
    objects = read_objects(section, "object", domain.constants, domain.types or None, file)
    predicates = {predicate.name: predicate for predicate in domain.predicates}
    actions = {action.name for action in domain.actions}
    roles = {"object": objects, "type": domain.types, "predicate": predicates, "action": actions}
    warn_of_shared_names(objects, roles, section, file)
    objects = {**domain.constants, **objects}
    facts = _types_said(_facts(outline, file), objects, domain, file) if needs_init else []
    terms = {name: (kind,) for name, kind in objects.items()}
    init: frozenset[Atom] = frozenset()
    if needs_init:
        init = _init(facts, FormulaContext(file, ":init", predicates, terms, domain.types))
    section = outline.section(":goal")
    said = {name: Predicate(name, ((OBJECT,),)) for name in type_relations(domain)}
    scope = FormulaContext(file, ":goal", predicates | said, terms, domain.types)
    goal = _goal(section, scope, said)
    log.debug("%s: problem, %d objects, %d atoms", source, len(objects), len(init))
    return Instance(
        name=outline.name.text,
        domain_name=home.text,
        objects=objects,
        init=init,
        goal=goal.positive,
        negative_goal=goal.negative,
        has_goal=bool(section.items),
    )


def _warn_of_requirements(
    outline: Outline, actions: Mapping[str, ActionSchema], source: Source
) -> None:
    uses = {
        ":typing": bool(outline.section(":types").items),
        ":equality": any(a.equalities or a.inequalities for a in actions.values()),
        ":negative-preconditions": any(a.negative_preconditions for a in actions.values()),
    }
    section = outline.section(":requirements")
    declared = {item.text for item in section.items if isinstance(item, Word)}
    missing = sorted(name for name, used in uses.items() if used and name not in declared)
    if missing and ":adl" not in declared:
        source.warn(section, f"used but not declared as requirements: {' '.join(missing)}")


def _domain_name(outline: Outline, source: Source) -> Word:
    section = outline.section(":domain")
    if len(section.items) == 2 and isinstance(section.items[1], Word):
        return section.items[1]
    found = "another form" if section.items else "no such section"
    raise source.error(
        section, f"expected `(:domain name)`, found {found}", "Name the domain of the problem."
    )


def _facts(outline: Outline, source: Source) -> list[Node]:
    section = outline.section(":init")
    if not section.items:
        raise source.error(
            section, "expected a section `(:init …)`, found none", "Is the file complete?"
        )
    return section.items[1:]


def _types_said(
    facts: list[Node], objects: dict[str, str], domain: Domain, source: Source
) -> list[Node]:
    """The other facts; what those say that are about types (`dias.strips.type_facts`) is noted."""
    relations = type_relations(domain)
    rest: list[Node] = []
    for node in facts:
        if not (isinstance(node, Group) and node.head in relations and len(node.items) == 2):
            rest.append(node)
            continue
        word = node.items[1]
        if not (isinstance(word, Word) and word.text in objects):
            raise source.error(node, "expected an object of that type, found none", "Declare it.")
        before = objects[word.text]
        said = relations[node.head]
        known = narrower(said, before, domain.types)
        if known is None:
            raise source.error(
                node,
                f"expected `{word.text}` to be of type {before}, found type {said}",
                "Remove one of them, or learn the domain with --no-infer-types.",
            )
        objects[word.text] = known
    return rest


def _init(facts: list[Node], scope: FormulaContext) -> frozenset[Atom]:
    true: set[Atom] = set()
    false: dict[Atom, Group] = {}
    for item in facts:
        for positive, atom, node in literals(item, scope, equality=False):
            if positive:
                true.add(atom)
            else:
                false[atom] = node
    for atom, node in false.items():
        if atom in true:
            raise scope.source.error(
                node, f"expected {atom} to be true or false, found both in :init", "Remove one."
            )
    return frozenset(true)


def _goal(section: Group, scope: FormulaContext, kinds: Collection[str]) -> Conjunction:
    """The atoms of the goal; equalities of objects, and types said of them, are left out."""
    if not section.items:
        return Conjunction()
    if len(section.items) != 2:
        raise scope.source.error(
            section,
            f"expected one formula in :goal, found {len(section.items) - 1}",
            "Join them with `and`.",
        )
    goal = []
    for positive, atom, node in literals(section.items[1], scope):
        if atom.predicate == EQUALITY:
            what, holds = "equality", atom.terms[0] == atom.terms[1]
        elif atom.predicate in kinds:
            own = scope.terms[atom.terms[0]]
            what, holds = "type", is_subtype(own[0], (atom.predicate,), scope.types)
        else:
            goal.append((positive, atom, node))
            continue
        if holds != positive:
            raise scope.source.error(
                node, f"expected a goal that can hold, found a false {what}", "Remove it."
            )
    return parse_formulas(goal, [], scope.source)[0]
