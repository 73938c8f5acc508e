"""Hypothesis strategies: steps of one action over relations of arity 0 to 3, and effects."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from dias.learning.data.transitions import Example, Examples
from dias.learning.schema import Effects, compact, lifted_atoms
from dias.strips.codes import AtomCodes
from dias.strips.model import Atom
from tests.learning.cases import example, ground

arities = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(
    lambda drawn: {f"r{number}": arity for number, arity in enumerate(drawn)}
)


@st.composite
def codes(draw, relations: dict[str, int]) -> AtomCodes:
    """A numbering over one to four objects."""
    return AtomCodes(relations, [f"o{i}" for i in range(draw(st.integers(1, 4)))])


@st.composite
def states(draw, numbering: AtomCodes) -> frozenset[Atom]:
    """A random set of ground atoms."""
    atoms = [
        Atom(relation, terms)
        for relation, arity in numbering.arities.items()
        for terms in product(numbering.objects, repeat=arity)
    ]
    return frozenset(draw(st.sets(st.sampled_from(atoms), max_size=10)))


@st.composite
def effects(draw, relations: dict[str, int], max_variables: int = 3) -> Effects:
    """Random effects, possibly none; no lifted atom is both added and deleted."""
    pool = lifted_atoms(relations, draw(st.integers(0, max_variables)))
    if not pool:
        return Effects(0, (), ())
    drawn = draw(st.lists(st.tuples(st.sampled_from(pool), st.booleans()), max_size=4))
    kinds = dict(drawn)
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
    numbers = range(len(numbering.objects))
    if draw(st.integers(0, 4)) == 0:
        return example(numbering, state, draw(states(numbering)))
    n = proposal.n_variables
    any_objects = st.lists(st.sampled_from(numbers), min_size=n, max_size=n)
    is_injective = n <= len(numbers) and draw(st.booleans())
    binding = draw(st.permutations(numbers) if is_injective else any_objects)
    add = {ground(atom, binding, numbering) for atom in proposal.add}
    delete = {ground(atom, binding, numbering) for atom in proposal.delete}
    return example(numbering, state, (state - delete) | add)


@st.composite
def examples(draw, proposal: Effects, relations: dict[str, int]) -> Examples:
    """One to five steps, each in a problem of its own."""
    drawn = draw(st.lists(steps(proposal, relations), min_size=1, max_size=5))
    return Examples("act", relations, drawn)
