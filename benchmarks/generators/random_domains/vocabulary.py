"""What a random domain speaks of: kinds of objects, and relations among them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from dias.strips.model import OBJECT, Predicate

MAX_RELATIONS = 6
ARITY_WEIGHTS = (1, 4, 6, 2)
"""How often a relation has 0, 1, 2, 3 terms."""

RANDOM, SYMMETRIC, FUNCTION = "random", "symmetric", "function"
"""What a relation is at the start: any atoms; with an atom of two terms also its reverse; one
second term for each first one."""


@dataclass(frozen=True)
class Relation:
    """A relation of a random domain.

    Attributes:
        name: Its name.
        kinds: The kind of object at each place.
        is_static: Whether no action changes it.
        shape: One of `RANDOM`, `SYMMETRIC`, `FUNCTION`.
        density: Of a relation with one term or none, the share of its atoms that hold at the
            start; of others the number of atoms for each object at the first place.
    """

    name: str
    kinds: tuple[str, ...]
    is_static: bool
    shape: str
    density: float


@dataclass(frozen=True)
class Vocabulary:
    """Kinds and relations.

    Attributes:
        kinds: The kinds; the root type alone if objects are not divided.
        are_types: Whether kinds are types; else, if there are several, static relations of one
            term, which count among the two to six relations of a domain.
        relations: The other relations.
    """

    kinds: tuple[str, ...]
    are_types: bool
    relations: tuple[Relation, ...]

    @property
    def kind_relations(self) -> tuple[str, ...]:
        """The kinds that are relations."""
        return () if self.are_types else self.kinds

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """All relations, as a domain declares them."""
        own = [Predicate(kind, ((OBJECT,),)) for kind in self.kind_relations]
        for relation in self.relations:
            types = ((self.type_of(kind),) for kind in relation.kinds)
            own.append(Predicate(relation.name, tuple(types)))
        return tuple(own)

    def type_of(self, kind: str) -> str:
        """The type of the objects of a kind."""
        return kind if self.are_types else OBJECT


def draw_vocabulary(rng: random.Random) -> Vocabulary:
    """Kinds and relations; the first of these may change and has one or two terms."""
    division = rng.choice(("none", "types", "relations"))
    n_kinds = 1 if division == "none" else rng.randint(2, 3)
    kinds = tuple(f"k{number}" for number in range(1, n_kinds + 1)) if n_kinds > 1 else (OBJECT,)
    are_types = division != "relations"
    n_relations = rng.randint(2, MAX_RELATIONS - (0 if are_types else n_kinds))
    relations = [_draw_relation(rng, number, kinds) for number in range(1, n_relations + 1)]
    return Vocabulary(kinds, are_types, tuple(relations))


def _draw_relation(rng: random.Random, number: int, kinds: tuple[str, ...]) -> Relation:
    is_first = number == 1
    arity = rng.randint(1, 2) if is_first else rng.choices(range(4), ARITY_WEIGHTS)[0]
    own = tuple(rng.choice(kinds) for _ in range(arity))
    is_static = not is_first and arity > 0 and rng.random() < 0.4
    shape = RANDOM
    if arity == 2 and rng.random() < 0.5:
        if not is_static:
            shape = FUNCTION
        elif own[0] == own[1]:
            shape = SYMMETRIC
    density = rng.uniform(0.3, 0.7) if arity < 2 else rng.uniform(0.7, 2.0)
    return Relation(f"r{number}", own, is_static, shape, density)
