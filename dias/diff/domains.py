"""Two domains compared: what is the same up to the names of parameters and predicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from dias.diff.alignment import align
from dias.diff.constants import constants_instead
from dias.diff.literals import EFFECT, PlacedLiteral, literals
from dias.diff.predicates import match_predicates
from dias.strips.model import ActionSchema, Domain, Parameter, Predicate
from dias.strips.pddl.spelling import hierarchy

T = TypeVar("T")
Typed = TypeVar("Typed", Parameter, Predicate)


@dataclass(frozen=True)
class Pair(Generic[T]):
    """The same thing on both sides, or a thing that stands on one side only.

    Attributes:
        left: None if there is none.
        right: None if there is none.
        is_equal: Whether it is the same on both sides up to its name.
    """

    left: T | None
    right: T | None
    is_equal: bool


@dataclass(frozen=True)
class ActionDiff:
    """Two schemas compared, or a schema that stands on one side only.

    Attributes:
        left: The left schema; None if the left domain has none.
        right: The right schema; None if the right domain has none.
        parameters: Matched parameters, in the order of the left schema, then those of the right
            one that have no counterpart. Equal means of the same type.
        literals: Those on both sides first, then those of the left side, then of the right one.
        constants: A parameter of one side and the constant that the other one has in its place:
            left term, right term.
        is_best: False if a better match of the parameters may exist: the search gave up.
    """

    left: ActionSchema | None
    right: ActionSchema | None
    parameters: tuple[Pair[Parameter], ...]
    literals: tuple[Pair[PlacedLiteral], ...]
    constants: tuple[tuple[str, str], ...]
    is_best: bool

    @property
    def name(self) -> str:
        """The name; the left one if they differ."""
        schema = self.left or self.right
        assert schema is not None
        return schema.name

    @property
    def to_left(self) -> dict[str, str]:
        """Right variable to the matched left one; an unmatched one keeps its name.

        If that means another variable on the left side, it gets a prime.
        """
        matched = {p.right.name: p.left.name for p in self.parameters if p.left and p.right}
        taken = set(self.left.variables if self.left else ())
        for pair in self.parameters:
            if pair.right and not pair.left:
                name = pair.right.name
                while name in taken:
                    name += "'"
                matched[pair.right.name] = name
                taken.add(name)
        return matched

    @property
    def is_equal(self) -> bool:
        """The same name, types and literals."""
        return (
            self.left is not None
            and self.right is not None
            and self.left.name == self.right.name
            and all(pair.is_equal for pair in self.parameters)
            and not self.only_left
            and not self.only_right
        )

    @property
    def only_left(self) -> list[PlacedLiteral]:
        """The literals that the right schema lacks."""
        return [p.left for p in self.literals if p.left and not p.right]

    @property
    def only_right(self) -> list[PlacedLiteral]:
        """The literals that the left schema lacks."""
        return [p.right for p in self.literals if p.right and not p.left]


@dataclass(frozen=True)
class DomainDiff:
    """Two domains compared.

    Attributes:
        types: ``name - parent`` of each type, by name.
        constants: ``name - type`` of each constant, by name.
        predicates: By name, or by use where names differ. Equal means of the same types.
        actions: By name; those whose names differ by the literals that are equal.
    """

    types: tuple[Pair[str], ...]
    constants: tuple[Pair[str], ...]
    predicates: tuple[Pair[Predicate], ...]
    actions: tuple[ActionDiff, ...]

    @property
    def is_equal(self) -> bool:
        """Whether the domains differ in nothing but the names of parameters and predicates."""
        declared: tuple[Pair[Any], ...] = (*self.types, *self.constants, *self.predicates)
        return all(pair.is_equal for pair in declared) and all(a.is_equal for a in self.actions)

    @property
    def has_same_effects(self) -> bool:
        """Whether every action has a counterpart with the same effects."""
        return all(
            action.left
            and action.right
            and all(literal.part != EFFECT for literal in action.only_left + action.only_right)
            for action in self.actions
        )


def diff_domains(left: Domain, right: Domain) -> DomainDiff:
    """Compare two domains.

    Parameters are matched so that most literals are equal (`dias.diff.alignment`), predicates and
    actions by name. Where names differ, predicates are matched so that most literals are equal
    (`dias.diff.predicates`), then actions, those with most equal literals first.
    """
    names = {action.name for action in right.actions}
    pairs = [(a, right.action(a.name)) for a in left.actions if a.name in names]
    predicates = match_predicates(left, right, pairs)
    pairs += _pair_by_literals(left, right, predicates)
    partners = {x.name: y for x, y in pairs}
    taken = {y.name for _, y in pairs}
    actions = [_diff_schemas(x, partners.get(x.name), predicates) for x in left.actions]
    actions += [_diff_schemas(None, y, predicates) for y in right.actions if y.name not in taken]
    return DomainDiff(
        types=_declared(hierarchy(left), hierarchy(right)),
        constants=_declared(left.constants, right.constants),
        predicates=_pair_typed(left.predicates, right.predicates, predicates),
        actions=tuple(actions),
    )


def _pair_by_literals(
    left: Domain, right: Domain, predicates: Mapping[str, str]
) -> list[tuple[ActionSchema, ActionSchema]]:
    """Schemas whose names differ, paired by most equal literals, ties by the order in the files."""
    lefts, rights = ({action.name for action in domain.actions} for domain in (left, right))
    candidates = [
        (-align(x, y, predicates).n_literals, x, y)
        for x in left.actions
        if x.name not in rights
        for y in right.actions
        if y.name not in lefts
    ]
    pairs: list[tuple[ActionSchema, ActionSchema]] = []
    for score, x, y in sorted(candidates, key=lambda candidate: candidate[0]):
        if score and all(x.name != a.name and y.name != b.name for a, b in pairs):
            pairs.append((x, y))
    return pairs


def _diff_schemas(
    left: ActionSchema | None, right: ActionSchema | None, predicates: Mapping[str, str]
) -> ActionDiff:
    """Compare two schemas; a missing one has no parameters and no literals."""
    x, y = left or ActionSchema(""), right or ActionSchema("")
    alignment = align(x, y, predicates)
    parameters = _pair_typed(x.parameters, y.parameters, alignment.parameters)
    # In the names of the right side; no name there begins with two question marks or with one
    # where a predicate is meant, so what has no counterpart equals nothing.
    terms = {v: alignment.parameters.get(v, f"?{v}") for v in x.variables}
    symbols = {a.atom.predicate: f"?{a.atom.predicate}" for a in literals(x)} | dict(predicates)
    renamed = {a.rename(terms, symbols): a for a in literals(x)}
    theirs = literals(y)
    rows = [Pair(a, b, True) for b, a in renamed.items() if b in theirs]
    rows += [Pair(a, None, False) for b, a in renamed.items() if b not in theirs]
    rows += [Pair(None, b, False) for b in theirs if b not in renamed]
    only_x = [pair.left.name for pair in parameters if pair.left and not pair.right]
    only_y = [pair.right.name for pair in parameters if pair.right and not pair.left]
    constants = list(constants_instead(x, y, terms, only_x, symbols).items())
    back, names = ({b: a for a, b in table.items()} for table in (terms, symbols))
    instead = constants_instead(y, x, {**back, **{v: f"?{v}" for v in only_y}}, only_y, names)
    constants += [(constant, variable) for variable, constant in instead.items()]
    return ActionDiff(left, right, parameters, tuple(rows), tuple(constants), alignment.is_best)


def _pair_typed(
    lefts: Sequence[Typed], rights: Sequence[Typed], partners: Mapping[str, str]
) -> tuple[Pair[Typed], ...]:
    """Parameters or predicates with their partners, by name; equal if their types are."""
    by_name = {right.name: right for right in rights}
    pairs: list[tuple[Typed | None, Typed | None]] = [
        (left, by_name.get(partners.get(left.name, ""))) for left in lefts
    ]
    pairs += [(None, right) for right in rights if right.name not in partners.values()]
    return tuple(Pair(x, y, bool(x and y and x.types == y.types)) for x, y in pairs)


def _declared(left: Mapping[str, str], right: Mapping[str, str]) -> tuple[Pair[str], ...]:
    """``name - type`` for each name that either side declares."""
    pairs = []
    for name in sorted({*left, *right}):
        x, y = (f"{name} - {side[name]}" if name in side else None for side in (left, right))
        pairs.append(Pair(x, y, x == y))
    return tuple(pairs)
