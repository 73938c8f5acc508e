from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from dias.nn.batches import make_batch
from tests.nn.cases import TABLES, TRACES, VOCABULARY, true_before
from tests.nn.test_tables import as_relations, decoded


def batch_atoms(batch, group, place, names):
    """The atoms that `group`, such as `batch.state`, lists for one place in the batch."""
    atoms = set()
    for k, table in group.items():
        mine = table.transition == place
        relations, rows = table.relation[mine].tolist(), table.objects[mine].tolist()
        assert table.objects.shape[1] == k
        atoms |= decoded(VOCABULARY, names, k, relations, rows)
    return atoms


@given(st.lists(st.integers(0, len(TABLES) - 1), min_size=1, max_size=12))
def test_a_batch_reads_back_in_any_order_and_with_repeats(index):
    batch = make_batch(TABLES, np.array(index))
    assert sorted(batch.places.tolist()) == sorted(index)
    assert batch.action.tolist() == TABLES.action[batch.places].tolist()
    owner = {
        place: segment for segment, first, end in batch.segments for place in range(first, end)
    }
    assert sorted(owner) == list(range(len(index)))
    assert [segment for segment, _, _ in batch.segments] == sorted(set(owner.values()))
    assert set(batch.static) == set(owner.values())
    for place, number in enumerate(batch.places):
        transition = TRACES.transitions[number]
        state, next_state, segment = transition.state, transition.next_state, transition.segment
        names = tuple(TRACES.segments[segment].objects)
        assert owner[place] == segment
        assert int(batch.n_objects[place]) == len(names)
        constant = set()
        for k, (relations, rows) in batch.static[segment].items():
            constant |= decoded(VOCABULARY, names, k, relations.tolist(), rows.tolist())
        varying = batch_atoms(batch, batch.state, place, names)
        assert varying | constant == true_before(TRACES, transition)
        assert batch_atoms(batch, batch.added, place, names) == as_relations(next_state - state)
        assert batch_atoms(batch, batch.deleted, place, names) == as_relations(state - next_state)


def test_atoms_of_a_batch_are_those_of_its_parts():
    batch = make_batch(TABLES, np.array([4, 1, 0, 6, 6]))
    for k, whole in batch.atoms.items():
        parts = zip(batch.state[k], batch.added[k], batch.deleted[k], strict=True)
        for column, own in zip(whole, parts, strict=True):
            assert torch.equal(column, torch.cat(own))


def test_making_a_batch_leaves_the_index_alone():
    index = np.array([4, 1, 0])
    make_batch(TABLES, index)
    assert index.tolist() == [4, 1, 0]
