"""Domains as values."""

from __future__ import annotations

from dias.strips.model import Domain

TRUE = Domain(
    "true",
    {"works": "place", "place": "object", "tool": "object"},
    {"mill": "works", "field": "place", "saw": "tool"},
)


def test_constants_of_another_domain_get_the_nearest_type_that_is_known():
    learned = Domain("learned", {"place": "object"}, {"field": "object"})
    assert learned.with_constants_of(TRUE).constants == {
        "mill": "place",
        "field": "object",  # its own stays as it is
        "saw": "object",
    }
    assert Domain("untyped").with_constants_of(TRUE).constants == dict.fromkeys(
        ("mill", "field", "saw"), "object"
    )
    assert TRUE.with_constants_of(learned) == TRUE
    assert learned.constants == {"field": "object"}
