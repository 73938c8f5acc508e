"""Random instances of a random domain."""

from __future__ import annotations

import random
from itertools import product

from dias.strips.model import Atom, Instance

from .vocabulary import FUNCTION, SYMMETRIC, Relation, Vocabulary

N_OBJECTS = {False: ((4, 6), (3, 4)), True: ((7, 9), (5, 6))}
"""Least and most objects by whether the instance is large: in all where they are not divided, of
each kind where they are."""


def draw_instance(
    rng: random.Random, name: str, domain_name: str, vocabulary: Vocabulary, is_large: bool
) -> Instance:
    """Objects and an initial state; no goal, since nobody plans in it."""
    sizes = N_OBJECTS[is_large][len(vocabulary.kinds) > 1]
    members: dict[str, list[str]] = {}
    n_objects = 0
    for kind in vocabulary.kinds:
        n_own = rng.randint(*sizes)
        members[kind] = [f"o{n_objects + number}" for number in range(1, n_own + 1)]
        n_objects += n_own
    init = {Atom(kind, (own,)) for kind in vocabulary.kind_relations for own in members[kind]}
    for relation in vocabulary.relations:
        init |= _draw_atoms(rng, relation, members)
    objects = {own: vocabulary.type_of(kind) for kind in members for own in members[kind]}
    return Instance(name, domain_name, objects, frozenset(init), has_goal=False)


def _draw_atoms(rng: random.Random, relation: Relation, members: dict[str, list[str]]) -> set[Atom]:
    """The atoms of a relation that hold at the start."""
    places = [members[kind] for kind in relation.kinds]
    if relation.shape == FUNCTION:
        return {Atom(relation.name, (own, rng.choice(places[1]))) for own in places[0]}
    rows = list(product(*places))
    share = relation.density if len(places) < 2 else relation.density * len(places[0]) / len(rows)
    drawn = {row for row in rows if rng.random() < share}
    if relation.shape == SYMMETRIC:
        drawn |= {row[::-1] for row in drawn}
    return {Atom(relation.name, row) for row in drawn}
