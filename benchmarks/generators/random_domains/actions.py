"""Random action schemas: effects, then what these take for granted, then further conditions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Parameter

from .vocabulary import Relation, Vocabulary

ARITY_WEIGHTS = (1, 3, 5, 5, 3, 2)
"""How often an action has 0 to 5 parameters at most."""

P_MOVE = 0.5
"""An atom is deleted, and added with another object in one place; else it is added or deleted."""

P_REQUIRED, P_FORBIDDEN = 0.9, 0.4
"""What is deleted must hold before; what is added must not."""

P_LINKED = 0.7
"""A parameter that no positive precondition mentions gets one."""

P_DIFFERENT = 0.3
"""Two parameters must differ, where not all must."""


def draw_domain(
    rng: random.Random, name: str, vocabulary: Vocabulary, is_injective: bool
) -> Domain:
    """A domain of two to six actions."""
    n_actions = rng.randint(2, 6)
    actions: list[ActionSchema] = []
    while len(actions) < n_actions:
        draft = _Draft(rng, vocabulary)
        if draft.has_effects:
            actions.append(draft.schema(f"a{len(actions) + 1}", is_injective))
    types = dict.fromkeys(vocabulary.kinds, OBJECT) if len(vocabulary.kinds) > 1 else {}
    return Domain(
        name,
        types=types if vocabulary.are_types else {},
        predicates=vocabulary.predicates,
        actions=tuple(actions),
    )


class _Draft:
    """An action in the making: the parameters come with the atoms that mention them."""

    def __init__(self, rng: random.Random, vocabulary: Vocabulary) -> None:
        self._rng = rng
        self._vocabulary = vocabulary
        self._max_parameters = rng.choices(range(6), ARITY_WEIGHTS)[0]
        self._kinds: dict[str, str] = {}  # of the parameters
        self._add: set[Atom] = set()
        self._delete: set[Atom] = set()
        self._positive: set[Atom] = set()
        self._negative: set[Atom] = set()
        self._draw_effects()
        if self.has_effects:
            self._draw_preconditions()

    @property
    def has_effects(self) -> bool:
        """Whether it changes anything."""
        return bool(self._add or self._delete)

    def _draw_effects(self) -> None:
        fluents = [one for one in self._vocabulary.relations if not one.is_static]
        for _ in range(self._rng.choices((1, 2, 3), (3, 3, 1))[0]):
            relation = self._rng.choice(fluents)
            atom = self._atom(relation, p_new=0.7)
            if atom is None or atom in self._add | self._delete:
                continue
            if self._rng.random() < P_MOVE:
                other = self._elsewhere(relation, atom)
                self._delete.add(atom)
                if other is not None and other not in self._delete:
                    self._add.add(other)
            else:
                self._rng.choice((self._add, self._delete)).add(atom)

    def _draw_preconditions(self) -> None:
        rng, relations = self._rng, self._vocabulary.relations
        self._positive.update(a for a in sorted(self._delete) if rng.random() < P_REQUIRED)
        self._negative.update(a for a in sorted(self._add) if rng.random() < P_FORBIDDEN)
        for _ in range(rng.choices((0, 1, 2, 3), (3, 4, 2, 1))[0]):
            self._require(self._atom(rng.choice(relations), p_new=0.4))
        for _ in range(rng.choices((0, 1, 2), (5, 3, 1))[0]):
            atom = self._atom(rng.choice(relations), p_new=0.15)
            if atom is not None and atom not in self._positive | self._delete:
                self._negative.add(atom)
        bound = {term for atom in self._positive for term in atom.terms}
        for name, kind in list(self._kinds.items()):
            fitting = [one for one in relations if kind in one.kinds]
            if name not in bound and fitting and rng.random() < P_LINKED:
                self._require(self._atom(rng.choice(fitting), p_new=0.2, mentions=name))

    def _require(self, atom: Atom | None) -> None:
        """A further positive precondition, unless it is idle or contradicts what is there."""
        if atom is not None and atom not in self._negative | self._add:
            self._positive.add(atom)

    def _atom(self, relation: Relation, p_new: float, mentions: str = "") -> Atom | None:
        """An atom over different parameters; None if that takes more of them than there may be.

        Args:
            relation: Its relation.
            p_new: The chance of a new parameter where an old one would do.
            mentions: A parameter that stands in it; empty for any.
        """
        kinds = dict(self._kinds)
        terms: list[str] = []
        place = relation.kinds.index(kinds[mentions]) if mentions else None
        for number, kind in enumerate(relation.kinds):
            old = [name for name in kinds if kinds[name] == kind and name not in (*terms, mentions)]
            may_be_new = len(kinds) < self._max_parameters
            if number == place:
                terms.append(mentions)
            elif may_be_new and (not old or self._rng.random() < p_new):
                terms.append(f"?x{len(kinds) + 1}")
                kinds[terms[-1]] = kind
            elif old:
                terms.append(self._rng.choice(old))
            else:
                return None
        self._kinds = kinds
        return Atom(relation.name, tuple(terms))

    def _elsewhere(self, relation: Relation, atom: Atom) -> Atom | None:
        """The atom with another parameter in one place; None if there is none."""
        if not atom.terms:
            return None
        place = self._rng.randrange(len(atom.terms))
        kind = relation.kinds[place]
        others = [name for name in self._kinds if self._kinds[name] == kind]
        others = [name for name in others if name not in atom.terms]
        if len(self._kinds) < self._max_parameters:
            others.append(f"?x{len(self._kinds) + 1}")
        if not others:
            return None
        chosen = self._rng.choice(others)
        self._kinds[chosen] = kind
        return Atom(atom.predicate, (*atom.terms[:place], chosen, *atom.terms[place + 1 :]))

    def schema(self, name: str, is_injective: bool) -> ActionSchema:
        """The action, with the parameters that are mentioned."""
        literals = self._add | self._delete | self._positive | self._negative
        used = {term for atom in literals for term in atom.terms}
        kinds = {own: kind for own, kind in self._kinds.items() if own in used}
        are_relations = not self._vocabulary.are_types
        return ActionSchema(
            name,
            tuple(Parameter(own, (self._vocabulary.type_of(kinds[own]),)) for own in kinds),
            frozenset(self._positive)
            | {Atom(kind, (own,)) for own, kind in kinds.items() if are_relations},
            frozenset(self._negative),
            inequalities=self._inequalities(list(kinds), is_injective),
            add_effects=frozenset(self._add),
            delete_effects=frozenset(self._delete),
        )

    def _inequalities(self, names: Sequence[str], is_injective: bool) -> frozenset[tuple[str, str]]:
        """All pairs of parameters, or some of those that might be the same object."""
        return frozenset(
            (one, other)
            for one, other in combinations(names, 2)
            if is_injective
            or (self._kinds[one] == self._kinds[other] and self._rng.random() < P_DIFFERENT)
        )
