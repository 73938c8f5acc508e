"""What the parameters of a schema are called, and in which order they stand, as people write them.

A name is what the parameter always is: its type, or where there are no types a static relation
(``?ball``). Where something goes from one parameter to another they are ``?from-room`` and
``?to-room``; others of one kind are numbered (``?block1 ?block2``), and so are those of no kind
(``?x1``). Learning itself knows numbers only: names come after it and change nothing else.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Parameter, supertypes
from dias.strips.pddl.declarations import CONNECTIVES

NO_KIND = "x"
"""What parameters of no kind are called."""

ALWAYS_NUMBERED = CONNECTIVES | {
    NO_KIND, OBJECT, "oneof", "define", "domain", "problem", "total-cost", "assign", "increase",
    "decrease", "scale-up", "scale-down", "maximize", "minimize",
}  # fmt: skip
"""With words that mean something else in PDDL: the pddl package refuses them even after a ``?``."""

_STEM = re.compile(r"(?!x\d*$)[^\W\d_][\w-]*")
"""What can be a name in PDDL, and is none of a parameter of no kind."""


def kinds(domain: Domain, changing: Collection[str] = ()) -> dict[str, dict[str, str]]:
    """Action to what its parameters are: the type, or a static relation that has to hold of it.

    Static are those that no action changes, without `changing`. Of several it is the one that has
    to hold of the fewest parameters of the domain, which is the most specific one, then the first
    by name. Parameters of no kind are left out.
    """
    unary = {predicate.name for predicate in domain.predicates if predicate.arity == 1}
    static = sorted(unary - domain.fluents.union(changing))

    def relations(action: ActionSchema, variable: str) -> list[str]:
        return [name for name in static if Atom(name, (variable,)) in action.preconditions]

    n_parameters = Counter(
        name for action in domain.actions for v in action.variables for name in relations(action, v)
    )

    def kind(action: ActionSchema, parameter: Parameter) -> str:
        name = _common(parameter.types, domain.types)
        if name == OBJECT:
            held = relations(action, parameter.name)
            return min(held, key=lambda name: n_parameters[name], default="")
        return name

    return {
        action.name: {
            parameter.name: name
            for parameter in action.parameters
            if _STEM.fullmatch(name := kind(action, parameter))
        }
        for action in domain.actions
    }


def _common(types: Sequence[str], parents: Mapping[str, str]) -> str:
    """The narrowest type that includes all of some types."""
    first, *others = (supertypes(name, parents) for name in types)
    return next(name for name in first if all(name in own for own in others))


def readable_names(
    schema: ActionSchema, kind: Mapping[str, str], n_given: int = 0
) -> dict[str, str]:
    """Variable to name, in the order of the parameters.

    Those that effects mention most often come first, and where one thing moves what it moves from
    before what it moves to. Otherwise the order stays, and that of the given ones always.

    Args:
        schema: The schema.
        kind: Variable to what it always is, as `kinds` says.
        n_given: How many of the first parameters are given by the traces.
    """
    moved = _moved(schema, kind)
    effects = Counter(v for a in schema.add_effects | schema.delete_effects for v in set(a.terms))
    given, free = list(schema.variables[:n_given]), list(schema.variables[n_given:])
    free.sort(key=lambda variable: (-effects[variable], variable in moved))
    if moved and all(variable in free for variable in moved):
        source, target = moved
        free.remove(source)
        free.insert(free.index(target), source)
    ends = dict(zip(moved, ("from", "to"), strict=False))
    order = given + free
    stems = [
        "-".join(filter(None, (ends.get(v), kind.get(v, "" if v in ends else NO_KIND))))
        for v in order
    ]
    return dict(zip(order, numbered(stems), strict=True))


def _moved(schema: ActionSchema, kind: Mapping[str, str]) -> tuple[str, str] | tuple[()]:
    """What something moves from, and to: ``(at ?t ?from)`` is deleted and ``(at ?t ?to)`` added.

    If atoms of several arities say it, the widest decide: who puts a disc on another one makes
    that one not clear. Nothing if they are of two kinds, or these atoms name several pairs.
    """
    pairs: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for gone in schema.delete_effects:
        for new in schema.add_effects:
            if gone.predicate != new.predicate:
                continue
            differ = [(x, y) for x, y in zip(gone.terms, new.terms, strict=True) if x != y]
            if len(differ) == 1 and all(term in schema.variables for term in differ[0]):
                pairs[len(gone.terms)].add(differ[0])
    widest = list(pairs[max(pairs)]) if pairs else []
    if len(widest) != 1 or len({kind.get(variable) for variable in widest[0]}) != 1:
        return ()
    return widest[0]


def numbered(stems: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Each stem as a variable, with a number where it is not alone, or may not be."""
    counts = Counter(stems)
    alone = {stem for stem in stems if counts[stem] == 1} - ALWAYS_NUMBERED - set(taken)
    known = alone | set(taken)
    names = []
    for stem in stems:
        name = stem
        if stem not in alone:
            dash = "-" * stem[-1].isdigit()
            tries = (f"{stem}{dash}{number}" for number in count(1))
            name = next(one for one in tries if one not in known)
            known.add(name)
        names.append(f"?{name}")
    return names
