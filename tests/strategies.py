"""Hypothesis strategies: random small domains with types, constants, arities 0 to 3."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Parameter, Predicate

TYPES = {"t1": OBJECT, "t2": OBJECT, "t3": "t1"}
CONSTANT = "k"
KINDS = st.sampled_from([(OBJECT,), ("t1",), ("t2",), ("t3",), ("t2", "t3")])
ANY_TYPE = st.sampled_from([OBJECT, *TYPES])
ARITIES = cache(lambda greatest: st.lists(st.integers(0, greatest), min_size=1, max_size=4))


@st.composite
def domains(draw, max_arity: int = 3, with_constant: bool = True) -> Domain:
    """A domain with up to four predicates and three actions; literals are drawn at random."""
    arities = draw(ARITIES(max_arity))
    predicates = tuple(
        Predicate(f"p{number}", ((OBJECT,),) * arity) for number, arity in enumerate(arities)
    )
    constants = {CONSTANT: "t1"} if with_constant and draw(st.booleans()) else {}
    actions = tuple(
        draw(_actions(f"a{number}", predicates, tuple(constants)))
        for number in range(draw(st.integers(1, 3)))
    )
    return Domain("random", TYPES, constants, predicates, actions)


@cache
@st.composite
def _actions(draw, name: str, predicates, constants) -> ActionSchema:
    parameters = tuple(Parameter(f"?x{i}", draw(KINDS)) for i in range(draw(st.integers(0, 3))))
    terms = (*(p.name for p in parameters), *constants)
    usable = tuple(p for p in predicates if terms or p.arity == 0)
    if not usable:
        return ActionSchema(name, parameters)
    atoms = _sets_of_atoms(usable, terms, 3)
    equal, unequal = (draw(_sets_of_pairs(terms, size if terms else 0)) for size in (1, 3))
    return ActionSchema(
        name, parameters, draw(atoms), draw(atoms), equal, unequal, draw(atoms), draw(atoms),
    )  # fmt: skip


@cache
def _sets_of_atoms(predicates, terms, max_size: int) -> st.SearchStrategy[frozenset[Atom]]:
    """Atoms of the predicates over the terms.

    Made once for all examples: making a strategy takes longer than drawing from it.
    """
    kinds, one_term = st.sampled_from(predicates), st.sampled_from(terms)

    @st.composite
    def atoms(draw) -> Atom:
        predicate = draw(kinds)
        return Atom(predicate.name, tuple(draw(one_term) for _ in predicate.types))

    return st.sets(atoms(), max_size=max_size).map(frozenset)


@cache
def _sets_of_pairs(terms, max_size: int) -> st.SearchStrategy[frozenset[tuple[str, str]]]:
    one_pair = st.tuples(*[st.sampled_from(terms or ("",))] * 2)
    return st.sets(one_pair, max_size=max_size).map(frozenset)


@st.composite
def objects(draw, domain: Domain) -> dict[str, str]:
    """Two to four objects with types, and the domain's constants."""
    made = {f"o{i}": draw(ANY_TYPE) for i in range(draw(st.integers(2, 4)))}
    return made | dict(domain.constants)


@st.composite
def states(draw, domain: Domain, names) -> frozenset[Atom]:
    """A random set of ground atoms."""
    return draw(_sets_of_atoms(domain.predicates, tuple(sorted(names)), 14))
