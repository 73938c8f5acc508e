"""Whether literals are true, beside the nats that speak for them."""

from __future__ import annotations

import pytest

from benchmarks.judging.literals import IDLE, TRUE, WRONG, reliability, weighed_literals
from dias.diff.domains import diff_domains
from tests.benchmarks.judging.test_named import domain

SUPPORT = {
    "literals": [
        {"role": "type", "literal": "?a - object", "nats": 1.0},
        {"role": "precondition", "literal": "(p ?a)", "nats": 12.5, "word": "decided"},
        {"role": "precondition", "literal": "(not (q ?b))", "nats": 50.0, "word": "untested"},
        {"role": "precondition", "literal": "(r ?a ?b)", "nats": 2.0, "word": "doubtful"},
        {"role": "add", "literal": "(t ?a)", "nats": None},
    ]
}


@pytest.mark.parametrize(("recall", "other"), [(1.0, IDLE), (0.99, WRONG)])
def test_what_the_true_schema_lacks_is_idle_or_wrong(recall, other):
    learned = domain("?a ?b", "(p ?a)", "(not (q ?b))", "(r ?a ?b)")
    true = domain("?c ?d", "(p ?c)", "(not (q ?d))", "(s ?c)")
    (diff,) = diff_domains(learned, true).actions
    found = weighed_literals(diff, SUPPORT, recall)
    assert found == [(12.5, TRUE), (None, TRUE), (2.0, other)]


def test_each_literal_is_in_one_band():
    """A band begins with its lower bound."""
    nats = [None, 0.0, 2.9, 3.0, 7.0, 13.9, 14.0, 500.0]
    verdicts = [TRUE, WRONG, IDLE, TRUE, TRUE, IDLE, TRUE, WRONG]
    rows = reliability(zip(nats, verdicts, strict=True))
    assert [tuple(row.values()) for row in rows] == [
        ("untested", 1, 1, 0, 0),
        ("0 to 3", 2, 0, 1, 1),
        ("3 to 7", 1, 1, 0, 0),
        ("7 to 14", 2, 1, 1, 0),
        ("14 and more", 2, 1, 0, 1),
    ]
    assert all(row["literals"] == 0 for row in reliability([]))
