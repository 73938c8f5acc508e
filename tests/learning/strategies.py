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


# Strategies are made once for all examples: making one takes longer than drawing from it.


def codes(relations: dict[str, int]) -> st.SearchStrategy[AtomCodes]:
    """Numberings over one to four objects."""
    return _codes(tuple(relations.items()))


@cache
def _codes(arities) -> st.SearchStrategy[AtomCodes]:
    numbers = st.integers(1, 4)
    return numbers.map(lambda n: AtomCodes(dict(arities), [f"o{i}" for i in range(n)]))


def states(numbering: AtomCodes) -> st.SearchStrategy[frozenset[Atom]]:
    """Random sets of ground atoms."""
    return _states(tuple(numbering.arities.items()), numbering.objects)


@cache
def _states(arities, objects) -> st.SearchStrategy[frozenset[Atom]]:
    atoms = [
        Atom(relation, terms)
        for relation, arity in arities
        for terms in product(objects, repeat=arity)
    ]
    return some(atoms, 10).map(frozenset)


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


def effects(relations: dict[str, int], max_variables: int = 3) -> st.SearchStrategy[Effects]:
    """Random effects, possibly none; no lifted atom is both added and deleted."""
    return _effects(tuple(relations.items()), max_variables)


@cache
@st.composite
def _effects(draw, arities, max_variables: int) -> Effects:
    literals = _literals(arities, draw(st.integers(0, max_variables)))
    if literals is None:
        return Effects(0, (), ())
    kinds = dict(draw(literals))
    return compact(
        [atom for atom, is_add in kinds.items() if is_add],
        [atom for atom, is_add in kinds.items() if not is_add],
    )


def _step(draw, proposal: Effects, relations: dict[str, int]) -> Example:
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


steps = st.composite(_step)


@st.composite
def examples(draw, proposal: Effects, relations: dict[str, int]) -> Examples:
    """One to five steps, each in a problem of its own."""
    n = draw(st.integers(1, 5))
    return Examples("act", relations, [_step(draw, proposal, relations) for _ in range(n)])
