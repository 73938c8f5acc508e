"""Hypothesis strategies: random small domains with types, constants, arities 0 to 3."""

from __future__ import annotations

from hypothesis import strategies as st

from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Parameter, Predicate

TYPES = {"t1": OBJECT, "t2": OBJECT, "t3": "t1"}
CONSTANT = "k"


@st.composite
def domains(draw, max_arity: int = 3, with_constant: bool = True) -> Domain:
    """A domain with up to four predicates and three actions; literals are drawn at random."""
    arities = draw(st.lists(st.integers(0, max_arity), min_size=1, max_size=4))
    predicates = tuple(
        Predicate(f"p{number}", ((OBJECT,),) * arity) for number, arity in enumerate(arities)
    )
    constants = {CONSTANT: "t1"} if with_constant and draw(st.booleans()) else {}
    actions = tuple(
        draw(_actions(f"a{number}", predicates, tuple(constants)))
        for number in range(draw(st.integers(1, 3)))
    )
    return Domain("random", TYPES, constants, predicates, actions)


@st.composite
def _actions(draw, name: str, predicates, constants) -> ActionSchema:
    types = st.sampled_from([(OBJECT,), ("t1",), ("t2",), ("t3",), ("t2", "t3")])
    parameters = tuple(Parameter(f"?x{i}", draw(types)) for i in range(draw(st.integers(0, 3))))
    terms = [p.name for p in parameters] + list(constants)
    usable = [p for p in predicates if terms or p.arity == 0]
    if not usable:
        return ActionSchema(name, parameters)
    atoms = st.sets(_lifted_atoms(usable, terms), max_size=3).map(frozenset)
    one_pair = st.tuples(*[st.sampled_from(terms or [""])] * 2)
    equal, unequal = (
        draw(st.sets(one_pair, max_size=size if terms else 0).map(frozenset)) for size in (1, 3)
    )
    return ActionSchema(
        name, parameters, draw(atoms), draw(atoms), equal, unequal, draw(atoms), draw(atoms),
    )  # fmt: skip


@st.composite
def _lifted_atoms(draw, predicates, terms) -> Atom:
    predicate = draw(st.sampled_from(predicates))
    return Atom(predicate.name, tuple(draw(st.sampled_from(terms)) for _ in predicate.types))


@st.composite
def objects(draw, domain: Domain) -> dict[str, str]:
    """Two to four objects with types, and the domain's constants."""
    kinds = st.sampled_from([OBJECT, *TYPES])
    made = {f"o{i}": draw(kinds) for i in range(draw(st.integers(2, 4)))}
    return made | dict(domain.constants)


@st.composite
def states(draw, domain: Domain, names) -> frozenset[Atom]:
    """A random set of ground atoms."""
    return draw(
        st.sets(_lifted_atoms(domain.predicates, sorted(names)), max_size=14).map(frozenset)
    )
