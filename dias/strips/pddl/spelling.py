"""Names that PDDL readers accept, for names that they do not.

A legal name is made of letters (of any script), digits, ``_`` and ``-`` and does not begin with
``-``. Legal names are written as they are, whatever else they mean in PDDL (``at``, ``start``,
``object``); only the connectives cannot name a predicate. All other names get a legal and unique
spelling: ``take/1.5`` becomes ``take_1_5``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain
from dias.strips.pddl.declarations import CONNECTIVES

_LEGAL = re.compile(r"\w[\w-]*")


def legal_names(names: Iterable[str], reserved: Collection[str] = ()) -> dict[str, str]:
    """A legal spelling for each name, all different; a legal name outside `reserved` stays."""
    names = set(names)
    kept = {name for name in names if _LEGAL.fullmatch(name) and name not in reserved}
    spelling = {name: name for name in sorted(kept)}
    taken = kept | set(reserved)
    for name in sorted(names - kept):
        stem = re.sub(r"[^\w-]+", "_", name).strip("_-")
        if not stem[:1].isalpha():
            stem = f"x{stem}"
        candidate, number = stem, 2
        while candidate in taken:
            candidate, number = f"{stem}_{number}", number + 1
        spelling[name] = candidate
        taken.add(candidate)
    return spelling


def changes(role: str, spelling: Mapping[str, str]) -> list[str]:
    """``action take/1.5 is written take_1_5`` for each name that is not written as it is."""
    return [f"{role} {name} is written {new}" for name, new in spelling.items() if name != new]


class Spelling(NamedTuple):
    """How the names of a domain are written, by role: each role has its own names."""

    domain: Mapping[str, str]
    types: Mapping[str, str]
    constants: Mapping[str, str]
    predicates: Mapping[str, str]
    actions: Mapping[str, str]

    def changes(self) -> list[str]:
        """What to tell about the names that are not written as they are."""
        roles = zip(("domain", "type", "constant", "predicate", "action"), self, strict=True)
        return [text for role, spelling in roles for text in changes(role, spelling)]

    def terms(self, action: ActionSchema) -> dict[str, str]:
        """The spelling of the terms in an action: its variables and the domain's constants."""
        variables = legal_names(name.removeprefix("?") for name in action.variables)
        return {**self.constants, **{f"?{name}": f"?{new}" for name, new in variables.items()}}

    def atom(self, atom: Atom, terms: Mapping[str, str]) -> str:
        """An atom in PDDL."""
        return f"({' '.join([self.predicates[atom.predicate], *(terms[t] for t in atom.terms)])})"


def spell(domain: Domain) -> Spelling:
    """The spelling of the names of a domain."""
    return Spelling(
        domain=legal_names([domain.name]),
        types={**legal_names(hierarchy(domain), {OBJECT}), OBJECT: OBJECT},
        constants=legal_names(domain.constants),
        predicates=legal_names((predicate.name for predicate in domain.predicates), CONNECTIVES),
        actions=legal_names(action.name for action in domain.actions),
    )


def hierarchy(domain: Domain) -> dict[str, str]:
    """Type to parent type, with the types that the domain uses without listing them."""
    used = {*domain.types.values(), *domain.constants.values()}
    for predicate in domain.predicates:
        used.update(name for types in predicate.types for name in types)
    for action in domain.actions:
        used.update(name for parameter in action.parameters for name in parameter.types)
    return {**dict.fromkeys(sorted(used - {OBJECT}), OBJECT), **domain.types}
