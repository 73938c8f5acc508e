"""A sample of a sequence without chance: every so many of its items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def spread(items: Sequence[Item], n: int) -> Sequence[Item]:
    """At most n of the items, evenly spread; all of them where there are no more."""
    return items[:: -(-len(items) // n) or 1]
