"""Hypothesis strategies: random small domains with types, constants, arities 0 to 3.

Most of what the random tests cost is drawing, by the number of draws. So a short list is one draw
from all lists, and several atoms are one draw of bytes; strategies are made once for all examples,
for making one takes longer than drawing from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, product
from typing import TypeVar

from hypothesis import strategies as st

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Parameter, Predicate

T = TypeVar("T")

TYPES = {"t1": OBJECT, "t2": OBJECT, "t3": "t1"}
CONSTANT = "k"
KINDS = ((OBJECT,), ("t1",), ("t2",), ("t3",), ("t2", "t3"))
ANY_TYPE = (OBJECT, *TYPES)


def alike(pools: Iterable[Sequence[T]]) -> list[T]:
    """What is in some pools, repeated so that each pool is as likely to be drawn from.

    The greatest number of elements must be a multiple of all others.
    """
    pools = list(pools)
    longest = max(map(len, pools))
    repeated = (list(pool) * (longest // len(pool)) for pool in pools)
    return list(chain.from_iterable(zip(*repeated, strict=True)))


@cache
def lists(values: Sequence[T], sizes: Sequence[int]) -> st.SearchStrategy[tuple[T, ...]]:
    """Tuples of some values; each size is as likely."""
    return st.sampled_from(alike(list(product(values, repeat=size)) for size in sizes))


def some(pool: Sequence[T], max_size: int) -> st.SearchStrategy[tuple[T, ...]]:
    """So many values of a pool at most, possibly the same again; each is as likely, or nearly so.

    One byte is drawn for each. In a pool of more than 256 its place in the draw decides between
    neighbours.
    """
    if not pool:
        return st.just(())
    n_near = -(-len(pool) // 256)

    def chosen(drawn: bytes) -> tuple[T, ...]:
        numbers = (byte * n_near + place % n_near for place, byte in enumerate(drawn))
        return tuple(pool[number % len(pool)] for number in numbers)

    return st.binary(max_size=max_size).map(chosen)


@cache
@st.composite
def domains(draw, max_arity: int = 3, with_constant: bool = True) -> Domain:
    """A domain with up to four predicates and three actions; literals are drawn at random."""
    arities = draw(lists(range(max_arity + 1), range(1, 5)))
    predicates = tuple(
        Predicate(f"p{number}", ((OBJECT,),) * arity) for number, arity in enumerate(arities)
    )
    constants = {CONSTANT: "t1"} if with_constant and draw(st.booleans()) else {}
    actions = tuple(
        draw(_actions(f"a{number}", predicates, tuple(constants)))
        for number in range(draw(st.integers(1, 3)))
    )
    return Domain("random", TYPES, constants, predicates, actions)


PARAMETERS = lists(KINDS, range(4))


@cache
@st.composite
def _actions(draw, name: str, predicates, constants) -> ActionSchema:
    parameters = tuple(Parameter(f"?x{i}", kind) for i, kind in enumerate(draw(PARAMETERS)))
    terms = (*(p.name for p in parameters), *constants)
    usable = tuple(p for p in predicates if terms or p.arity == 0)
    if not usable:
        return ActionSchema(name, parameters)
    atoms = _some_atoms(usable, terms, 3)
    equal, unequal = (frozenset(draw(_pairs(terms, size if terms else 0))) for size in (1, 3))
    conditions = [frozenset(draw(atoms)) for _ in range(2)]
    effects = [frozenset(draw(atoms)) for _ in range(2)]
    return ActionSchema(name, parameters, *conditions, equal, unequal, *effects)


@cache
def _some_atoms(predicates, terms, max_size: int) -> st.SearchStrategy[tuple[Atom, ...]]:
    """Atoms of the predicates over the terms; each predicate is as likely."""
    return some(alike(_atoms(p.name, terms, p.arity) for p in predicates), max_size)


@cache
def _atoms(predicate: str, terms, arity: int) -> list[Atom]:
    return [Atom(predicate, own) for own in product(terms, repeat=arity)]


@cache
def _pairs(terms, max_size: int) -> st.SearchStrategy[tuple[tuple[str, str], ...]]:
    return some(list(product(terms or ("",), repeat=2)), max_size)


def objects(domain: Domain) -> st.SearchStrategy[dict[str, str]]:
    """Two to four objects with types, and the domain's constants."""
    return _objects(tuple(domain.constants.items()))


@cache
def _objects(constants: tuple[tuple[str, str], ...]) -> st.SearchStrategy[dict[str, str]]:
    def named(types: Sequence[str]) -> dict[str, str]:
        return {f"o{i}": own for i, own in enumerate(types)} | dict(constants)

    return lists(ANY_TYPE, range(2, 5)).map(named)


def states(domain: Domain, names: Iterable[str]) -> st.SearchStrategy[frozenset[Atom]]:
    """Random sets of ground atoms."""
    return _states(domain.predicates, tuple(sorted(names)))


@cache
def _states(predicates, names) -> st.SearchStrategy[frozenset[Atom]]:
    return _some_atoms(predicates, names, 14).map(frozenset)
