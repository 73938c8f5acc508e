"""The neural half: the paper's network and its objectives.

`SchemaLoss` is the way in for networks of others; it is loaded, and torch, when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dias.nn.soft.component import SchemaLoss as SchemaLoss

__all__ = ["SchemaLoss"]


def __getattr__(name: str) -> object:
    if name != "SchemaLoss":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dias.nn.soft.component import SchemaLoss

    return SchemaLoss
