"""Parameters that may be exchanged, and that binding them in one order loses no change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Parameter, Predicate
from dias.strips.problem import CodedProblem
from dias.strips.symmetry import Alike, interchangeable
from tests.oracles import naive_successors

PREDICATES = Predicate("p", (("object",),)), Predicate("r", (("object",), ("object",)))
NAMES = "?x", "?y", "?z"


def schema(**parts) -> ActionSchema:
    """A schema over the three names, whose atoms and pairs are given as words."""
    written = {}
    for part, texts in parts.items():
        words = [text.split() for text in texts]
        pairs = part.endswith("equalities")
        written[part] = frozenset(
            tuple(own) if pairs else Atom(own[0], tuple(own[1:])) for own in words
        )
    return ActionSchema("a", tuple(Parameter(name, ("object",)) for name in NAMES), **written)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"delete_effects": ["p ?x", "p ?y", "p ?z"]}, [Alike(NAMES, False, True)]),
        ({"delete_effects": ["p ?x", "p ?y"], "add_effects": ["p ?z"]},
         [Alike(("?x", "?y"), False, True)]),
        ({"delete_effects": ["p ?x", "p ?y"], "preconditions": ["p ?y"]}, []),
        ({"delete_effects": ["p ?x", "p ?y"], "inequalities": ["?y ?x"]},
         [Alike(("?x", "?y"), True, False)]),
        ({"delete_effects": ["p ?x", "p ?y", "p ?z"], "inequalities": ["?x ?y"]},
         [Alike(("?x", "?y"), True, False)]),
        ({"add_effects": ["r ?x ?y", "r ?y ?x"], "preconditions": ["p ?z"]},
         [Alike(("?x", "?y"), False, False)]),
        ({"add_effects": ["r ?x ?y"]}, []),
        ({"add_effects": ["r ?x ?z", "r ?y ?z"]}, [Alike(("?x", "?y"), False, True)]),
        ({"add_effects": ["p ?x", "p ?y"], "equalities": ["?x ?y"], "preconditions": ["p ?z"]},
         [Alike(("?x", "?y"), False, False)]),
    ],
)  # fmt: skip
def test_groups(parts, expected):
    assert list(interchangeable(schema(**parts))) == expected


ATOMS = [f"p {x}" for x in NAMES] + [f"r {x} {y}" for x in NAMES for y in NAMES]
PAIRS = [f"{x} {y}" for x, y in (NAMES[:2], NAMES[1:], NAMES[::2])]


@given(
    st.builds(
        schema,
        preconditions=st.sets(st.sampled_from(ATOMS), max_size=1),
        negative_preconditions=st.sets(st.sampled_from(ATOMS), max_size=1),
        inequalities=st.sets(st.sampled_from(PAIRS)),
        add_effects=st.sets(st.sampled_from(ATOMS), max_size=2),
        delete_effects=st.sets(st.sampled_from(ATOMS), max_size=3),
    ),
    st.sets(
        st.sampled_from([f"p {o}" for o in "abcd"] + [f"r {o} {q}" for o in "ab" for q in "ac"])
    ),
)
def test_no_change_is_lost(action, true):
    """Against all bindings; few idle objects and one order are enough."""
    domain = Domain("d", predicates=PREDICATES, actions=(action,))
    state = frozenset(Atom(text.split()[0], tuple(text.split()[1:])) for text in true)
    types = dict.fromkeys("abcd", "object")
    problem = CodedProblem.of(Instance("p", "d", types, state), domain, fluents={"p", "r"})
    found = list(SuccessorGenerator(domain, problem, distinct=True).iterate(problem.init))
    decode = problem.codes.decode_state
    changes = {(decode(s.added), decode(s.deleted)) for s in found}
    assert len(changes) == len(found)
    assert changes == {(s[2], s[3]) for s in naive_successors(domain, types, state)}


@pytest.mark.parametrize(("apart", "most"), [(False, 2**10), (True, 2**14)])
def test_many_are_bound_once(apart, most):
    """Ten lamps that go off: of 10! bindings, or a hundred thousand sets, few are looked at."""
    names = [f"?x{n}" for n in range(10)]
    action = ActionSchema(
        "off",
        tuple(Parameter(name, ("object",)) for name in names),
        inequalities=frozenset((a, b) for a in names for b in names if a < b and apart),
        delete_effects=frozenset(Atom("p", (name,)) for name in names),
    )
    objects = {f"o{n}": "object" for n in range(40)}
    state = frozenset(Atom("p", (name,)) for name in list(objects)[:4])
    domain = Domain("d", predicates=PREDICATES, actions=(action,))
    problem = CodedProblem.of(Instance("p", "d", objects, state), domain)
    loops = []
    generator = SuccessorGenerator(domain, problem, distinct=True, check=lambda: loops.append(0))
    assert len(list(generator.iterate(problem.init))) == 2**4
    assert len(loops) < most
