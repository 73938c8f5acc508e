"""Hypothesis strategies: steps of one action over relations of arity 0 to 3, and effects."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

from hypothesis import strategies as st

from dias.learning.data.transitions import Example, Examples
from dias.learning.schema import Effects, compact, lifted_atoms
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from tests.learning.cases import example, ground
from tests.strategies import lists, some

arities = lists(range(4), range(1, 5)).map(
    lambda drawn: {f"r{number}": arity for number, arity in enumerate(drawn)}
)


@st.composite
def codes(draw, relations: dict[str, int]) -> AtomCodes:
    """A numbering over one to four objects."""
    return AtomCodes(relations, [f"o{i}" for i in range(draw(st.integers(1, 4)))])


@st.composite
def states(draw, numbering: AtomCodes) -> frozenset[Atom]:
    """A random set of ground atoms."""
    return frozenset(draw(_atoms(tuple(numbering.arities.items()), tuple(numbering.objects))))


# Strategies are made once for all examples: making one takes longer than drawing from it.


@cache
def _atoms(arities, objects) -> st.SearchStrategy[tuple[Atom, ...]]:
    atoms = [
        Atom(relation, terms)
        for relation, arity in arities
        for terms in product(objects, repeat=arity)
    ]
    return some(atoms, 10)


@cache
def _literals(arities, n_variables: int) -> st.SearchStrategy | None:
    """Lifted atoms, each added or deleted; None if there are none."""
    pool = lifted_atoms(dict(arities), n_variables)
    if not pool:
        return None
    return some(list(product(pool, (False, True))), 4)


@cache
def _bindings(n_objects: int, n_variables: int, injective: bool) -> st.SearchStrategy:
    numbers = range(n_objects)
    if injective:
        return st.sampled_from(list(permutations(numbers, n_variables)))
    return st.sampled_from(list(product(numbers, repeat=n_variables)))


@st.composite
def effects(draw, relations: dict[str, int], max_variables: int = 3) -> Effects:
    """Random effects, possibly none; no lifted atom is both added and deleted."""
    literals = _literals(tuple(relations.items()), draw(st.integers(0, max_variables)))
    if literals is None:
        return Effects(0, (), ())
    kinds = dict(draw(literals))
    return compact(
        [atom for atom, is_add in kinds.items() if is_add],
        [atom for atom, is_add in kinds.items() if not is_add],
    )


@st.composite
def steps(draw, proposal: Effects, relations: dict[str, int]) -> Example:
    """A step that the effects make under a random binding, or an unrelated one.

    Of the bindings about half repeat no object, where there are enough.
    """
    numbering = draw(codes(relations))
    state = draw(states(numbering))
    if draw(st.integers(0, 4)) == 0:
        return example(numbering, state, draw(states(numbering)))
    n_objects, n_variables = len(numbering.objects), proposal.n_variables
    is_injective = n_variables <= n_objects and draw(st.booleans())
    binding = draw(_bindings(n_objects, n_variables, is_injective))
    add = {ground(atom, binding, numbering) for atom in proposal.add}
    delete = {ground(atom, binding, numbering) for atom in proposal.delete}
    return example(numbering, state, (state - delete) | add)


@st.composite
def examples(draw, proposal: Effects, relations: dict[str, int]) -> Examples:
    """One to five steps, each in a problem of its own."""
    drawn = draw(st.lists(steps(proposal, relations), min_size=1, max_size=5))
    return Examples("act", relations, drawn)
