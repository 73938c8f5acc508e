"""Of several bindings that explain a transition those are taken that keep most."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example as case
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain import certify
from dias.learning.explain.certify import certify_table
from tests.learning.cases import literals
from tests.learning.explain.loops import STAMP, STAMPS, certified, kept_one_by_one, stamp


def ones(text):
    return [letter == "x" for letter in text]


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=4),
        min_size=1,
        max_size=8,
    ),
    st.one_of(st.just([0.5] * 5), st.lists(st.floats(0, 1), min_size=5, max_size=5)),
    st.sampled_from([1, 2, 3, 256]),
    st.sampled_from([1, 2, 8]),
    st.sampled_from([1, 2, 5]),
)
@case(
    [[ones("xx.xx"), ones("...x.")], [ones("xx.xx"), ones("xxxxx")], [ones(".xxx.")]],
    [0.5] * 5, 256, 8, 5,
)  # fmt: skip
def test_bindings_chosen_together_keep_what_a_loop_keeps(
    tables, shares, chunk, n_beginnings, n_rounds
):
    """Whatever the shares of true atoms say that a literal is worth; at 1/2 each counts alike."""
    tables = [np.array(table, dtype=bool) for table in tables]
    nats = certify._nats(np.array(shares[: tables[0].shape[1]]))
    owner = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    truth = np.concatenate(tables)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certify, "CHUNK", chunk)
        patch.setattr(certify, "MAX_BEGINNINGS", n_beginnings)
        patch.setattr(certify, "MAX_ROUNDS", n_rounds)
        kept = certify._never_violated(owner, lambda n, own: truth[n][:, own], nats)
        expected = kept_one_by_one(tables, nats.tolist())
    for one, other in zip(kept, expected, strict=True):
        assert one.tolist() == other.tolist()


@given(st.integers(0, 4), st.integers(0, 18), st.randoms(use_true_random=False))
def test_literals_are_packed_as_numpy_packs_bits(n, n_literals, random):
    truth = np.array([[random.random() < 0.5 for _ in range(n_literals)] for _ in range(n)], bool)
    truth = truth.reshape(n, n_literals)
    assert certify._packed(truth).tolist() == packed(truth).tolist()


def packed(truth):
    """Literals as columns, eight to a byte."""
    return np.packbits(truth, axis=1).T


def test_of_equally_good_bindings_the_first_is_taken():
    truth = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=bool)
    wanted = np.array([True, True, False]), np.array([False, False, True])
    start = np.array([0, 2, 4])
    alike = np.ones((2, 3), dtype=int)
    assert certify._best(certify._score(packed(truth), wanted, alike), start).tolist() == [0, 2, 4]
    second = np.array([[1, 2, 1], [1, 1, 1]])
    assert certify._best(certify._score(packed(truth), wanted, second), start).tolist() == [1, 2, 4]


def test_scores_are_what_is_kept_in_nats():
    """Up to what all bindings share: -log of how often a literal holds, or fails, by chance."""
    nats = certify._nats(np.array([0.5, 0.25, 0.0, 1.0]))
    least = -np.log(certify.MIN_CHANCE)
    assert nats[0] == pytest.approx([np.log(2), np.log(4), least, 0], abs=1e-5)
    assert nats[1] == pytest.approx([np.log(2), np.log(4 / 3), 0, least], abs=1e-5)
    truth = np.array([ones("xx.x"), ones(".x..")])
    wanted = np.array(ones("xx..")), np.array(ones("x.xx"))
    whole = np.array([[2, 4, 8, 16], [3, 5, 9, 17]])
    first, second = certify._score(packed(truth), wanted, whole).tolist()
    assert first - second == (2 + 4 + 9) - (4 + 3 + 9 + 17)


def test_the_binding_that_keeps_a_literal_is_chosen():
    """In the second step all three papers could have been stamped; only c was ready."""
    plain = stamp(["ready a"], "stamped a")
    ambiguous = stamp(["stamped a", "stamped b", "stamped c", "ready c"])
    for order in ([plain, ambiguous], [ambiguous, plain]):
        schema = certified(STAMPS, Examples("stamp", STAMP, order))
        assert schema.positive == literals("ready 0")
        assert schema.negative == literals("cold 0")
        assert schema.n_ambiguous == 1


def test_a_negative_literal_guides_the_choice_too():
    plain = stamp(["cold b", "cold c"], "stamped a")
    ambiguous = stamp(["stamped a", "stamped b", "cold a"])
    schema = certified(STAMPS, Examples("stamp", STAMP, [plain, ambiguous]))
    assert schema.negative == literals("ready 0", "cold 0")


def test_ambiguous_steps_agree_with_each_other():
    """The step with two bindings settles what the one with three may keep."""
    three = stamp(["stamped a", "stamped b", "stamped c", "ready a", "cold b"])
    two = stamp(["stamped a", "stamped b", "cold a"])
    plain = stamp(["cold c", "ready c"], "stamped c")
    both = Examples("stamp", STAMP, [three, two, plain])
    schema = certified(STAMPS, both)
    assert schema.n_ambiguous == 2
    assert schema.positive == literals("cold 0")  # `ready` has no binding in `two` with `cold`


@pytest.mark.parametrize("first", ["a", "b"])
def test_where_all_are_ambiguous_any_binding_may_come_first(first):
    """Each time one of two papers at least is not cold; begun with the other one, that is lost."""
    stamped = ["stamped a", "stamped b", "ready a", "ready b"]
    steps = [stamp([*stamped, f"cold {cold}"]) for cold in (first, "a", "b", "b")]
    steps.append(stamp(stamped))
    group = Examples("stamp", STAMP, steps)
    schema = certify_table(STAMPS, group, BindingTable.of([[(0,), (1,)]] * 5, 1))
    assert schema.n_ambiguous == 5
    assert schema.positive == literals("stamped 0", "ready 0")
    assert schema.negative == literals("cold 0")
