"""Domains and instances to PDDL text.

The text depends on the value alone: sections in one order, one literal a line, lists sorted by
what is written. Reading it and writing it again gives the same bytes. It keeps within what pddl,
tarski, pyperplan and Fast Downward's translator accept, as far as they accept the domain at all.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence

from dias.strips.model import OBJECT, ActionSchema, Domain, Instance
from dias.strips.pddl.spelling import Spelling, changes, hierarchy, legal_names, spell

log = logging.getLogger(__name__)


def format_domain(domain: Domain, header: Sequence[str] = ()) -> str:
    """The domain as PDDL, declaring exactly the requirements that it uses.

    Names that PDDL readers refuse (``take/1.5``) are written otherwise: the file says how in a
    comment, and a warning is logged.

    Args:
        domain: The domain.
        header: Lines of comment for the top of the file, without the ``;``.
    """
    spelling = spell(domain)
    types = hierarchy(domain)
    lines = [
        *_comments(header),
        *_changes(spelling.changes()),
        f"(define (domain {spelling.domain[domain.name]})",
        f"  (:requirements {' '.join(_requirements(domain, types))})",
        *_section(":types", _type_lines(types, spelling)),
        *_section(
            ":constants",
            _object_lines(
                (spelling.constants[name], spelling.types[kind])
                for name, kind in domain.constants.items()
            ),
        ),
        *_section(":predicates", _predicate_lines(domain, spelling)),
    ]
    for action in domain.actions:
        lines += _action_lines(action, spelling)
    _warn_of_letters(name for own in spelling for name in own.values())
    return "\n".join([*lines, ")"]) + "\n"


def format_problem(instance: Instance, domain: Domain) -> str:
    """The instance as PDDL, its names written as `format_domain` writes those of `domain`.

    Types that the domain does not have are left out, as its reader would leave them out.

    Raises:
        KeyError: The instance has a predicate that the domain does not have.
    """
    spelling = spell(domain)
    names = [name for name in instance.objects if name not in domain.constants]
    objects = legal_names(names, set(spelling.constants.values()))
    problem = legal_names([instance.name])
    home = legal_names([instance.domain_name])
    terms = {**spelling.constants, **objects}
    init = sorted(spelling.atom(atom, terms) for atom in instance.init)
    goal = sorted(spelling.atom(atom, terms) for atom in instance.goal)
    goal += sorted(f"(not {spelling.atom(atom, terms)})" for atom in instance.negative_goal)
    _warn_of_letters(objects.values())
    lines = [
        *_changes([*changes("problem", problem), *changes("object", objects)]),
        f"(define (problem {problem[instance.name]})",
        f"  (:domain {home[instance.domain_name]})",
        *_section(
            ":objects",
            _object_lines(
                (objects[name], spelling.types.get(instance.objects[name], OBJECT))
                for name in names
            ),
        ),
        *(_section(":init", init) or ["  (:init)"]),
        *([f"  (:goal {_conjunction(goal, '    ')})"] if instance.has_goal else []),
    ]
    return "\n".join([*lines, ")"]) + "\n"


def _comments(header: Iterable[str]) -> list[str]:
    return [f"; {line}".rstrip() for text in header for line in text.splitlines() or [""]]


def _changes(changed: Sequence[str]) -> list[str]:
    for change in changed:
        log.warning("the name is not legal in PDDL: %s", change)
    return _comments(changed)


def _warn_of_letters(names: Iterable[str]) -> None:
    """Of names that are legal here, and not everywhere."""
    if others := sorted({name for name in names if not name.isascii()}):
        shown = ", ".join(others[:3]) + ", …" * (len(others) > 3)
        log.warning("names with letters that some planners refuse, Fast Downward too: %s", shown)


def _section(keyword: str, content: Sequence[str]) -> list[str]:
    """``(keyword ⏎ content)``, or nothing if there is no content."""
    if not content:
        return []
    return [f"  ({keyword}", *(f"    {line}" for line in content[:-1]), f"    {content[-1]})"]


def _requirements(domain: Domain, types: Mapping[str, str]) -> list[str]:
    requirements = [":strips"]
    if types:
        requirements.append(":typing")
    # An inequality is a negated formula, too.
    if any(action.negative_preconditions or action.inequalities for action in domain.actions):
        requirements.append(":negative-preconditions")
    if any(action.equalities or action.inequalities for action in domain.actions):
        requirements.append(":equality")
    return requirements


def _type_lines(types: Mapping[str, str], spelling: Spelling) -> list[str]:
    """The subtypes of each type in a line, parents first (tarski needs that)."""
    children: dict[str, list[str]] = {}
    for name, parent in types.items():
        children.setdefault(spelling.types[parent], []).append(spelling.types[name])
    lines = []
    parents = [OBJECT]
    for parent in parents:  # grows as it goes: the hierarchy level by level
        names = sorted(children.get(parent, []))
        parents += names
        if names:
            lines.append(f"{' '.join(names)} - {parent}")
    return lines


def _object_lines(objects: Iterable[tuple[str, str]]) -> list[str]:
    """The objects of each type in a line; those of the root type last, without type.

    The pddl package refuses ``- object`` wherever it may be left out.
    """
    members: dict[str, list[str]] = {}
    for name, kind in objects:
        members.setdefault(kind, []).append(name)
    root = members.pop(OBJECT, [])
    lines = [f"{' '.join(sorted(members[kind]))} - {kind}" for kind in sorted(members)]
    return [*lines, " ".join(sorted(root))] if root else lines


def _predicate_lines(domain: Domain, spelling: Spelling) -> list[str]:
    lines = []
    for predicate in domain.predicates:
        terms = [(f"?x{i}", types) for i, types in enumerate(predicate.types, start=1)]
        name = spelling.predicates[predicate.name]
        lines.append(f"({' '.join([name, *_typed(terms, spelling)])})")
    return lines


def _typed(terms: Sequence[tuple[str, tuple[str, ...]]], spelling: Spelling) -> list[str]:
    """``?x - t`` for each term; the last ones have no type if theirs is the root type."""
    typed = len(terms)
    while typed and terms[typed - 1][1] == (OBJECT,):
        typed -= 1
    words = []
    for name, types in terms[:typed]:
        kinds = sorted(spelling.types[kind] for kind in types)
        kind = kinds[0] if len(kinds) == 1 else f"(either {' '.join(kinds)})"
        words.append(f"{name} - {kind}")
    return words + [name for name, _ in terms[typed:]]


def _action_lines(action: ActionSchema, spelling: Spelling) -> list[str]:
    terms = spelling.terms(action)
    parameters = [(terms[name], types) for name, types in action.parameters]
    condition = [
        *sorted(spelling.atom(atom, terms) for atom in action.preconditions),
        *sorted(f"(not {spelling.atom(atom, terms)})" for atom in action.negative_preconditions),
        *_equalities(action.equalities, terms),
        *(f"(not {equality})" for equality in _equalities(action.inequalities, terms)),
    ]
    effect = [
        *sorted(spelling.atom(atom, terms) for atom in action.add_effects),
        *sorted(f"(not {spelling.atom(atom, terms)})" for atom in action.delete_effects),
    ]
    return [
        f"  (:action {spelling.actions[action.name]}",
        f"    :parameters ({' '.join(_typed(parameters, spelling))})",
        f"    :precondition {_conjunction(condition, '      ')}",
        f"    :effect {_conjunction(effect, '      ')})",
    ]


def _equalities(pairs: Iterable[tuple[str, str]], terms: Mapping[str, str]) -> list[str]:
    """Each pair once: equality is symmetric."""
    return sorted({f"(= {' '.join(sorted(terms[term] for term in pair))})" for pair in pairs})


def _conjunction(literals: Sequence[str], indent: str) -> str:
    return "".join(["(and", *(f"\n{indent}{literal}" for literal in literals), ")"])
