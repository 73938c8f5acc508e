from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dias.planning.search_space import SearchSpace
from dias.planning.task import compile_task
from dias.strips.codes import AtomCodes
from dias.strips.model import Instance
from dias.strips.problem import codes_for
from tests.oracles import naive_successors
from tests.planning.test_task import switches
from tests.strategies import domains, objects, states


def nothing():
    pass


def atoms_of(state, codes: AtomCodes):
    return codes.decode_state(code for code in state if code >= 0)


@pytest.mark.filterwarnings("ignore")
@given(st.data())
def test_successors_equal_naive_ones_in_every_state_of_a_walk(data):
    domain = data.draw(domains())
    types = data.draw(objects(domain))
    instance = Instance("p", domain.name, types, data.draw(states(domain, types)))
    codes = codes_for(instance, domain)
    static = frozenset(a for a in instance.init if a.predicate not in domain.fluents)
    space = SearchSpace(compile_task(domain, instance), nothing)
    state = space.initial_state
    for _ in range(4):
        atoms = atoms_of(state, codes)
        pairs = space.get_successor_states(state)
        found = {(op.name, atoms_of(next_state, codes)) for op, next_state in pairs}
        effective = {a.name for a in domain.actions if a.add_effects or a.delete_effects}
        expected = {
            (" ".join((f"({name}", *arguments)) + ")", (atoms - deleted) | added)
            for name, arguments, added, deleted in naive_successors(domain, types, static | atoms)
            if name in effective
        }
        # An action whose effects can never matter may be left out.
        assert found <= expected
        assert all(next_atoms == atoms for _, next_atoms in expected - found)
        assert [op.number for op, _ in pairs] == sorted(op.number for op, _ in pairs)
        if not pairs:
            break
        state = data.draw(st.sampled_from(pairs))[1]


def test_expanding_and_asking_for_operators_check_the_limits():
    def check():
        raise TimeoutError

    task = compile_task(*switches(["lit"]))
    with pytest.raises(TimeoutError):
        SearchSpace(task, check).get_successor_states(task.init)
    with pytest.raises(TimeoutError):
        _ = SearchSpace(task, check).operators


def test_a_copied_space_has_operators_of_its_own():
    space = SearchSpace(compile_task(*switches(["lit"])), nothing)
    copied = copy.deepcopy(space)
    copied.operators[0].del_effects = frozenset()
    assert space.operators[0].del_effects
