"""Names of the schemas that together stand for one action with state-dependent effects.

An action ``press`` that switches a lamp on or off becomes ``press-1`` and ``press-2``.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_NUMBERED = re.compile(r"(.+)-[1-9][0-9]*")


def variant_names(action: str, n: int, taken: Collection[str]) -> tuple[str, ...]:
    """`n` names for the variants of `action`, none of them among `taken`.

    >>> variant_names("press", 2, {"press", "press-1"})
    ('press-2', 'press-3')
    """
    names: list[str] = []
    number = 1
    while len(names) < n:
        name = f"{action}-{number}"
        if name not in taken:
            names.append(name)
        number += 1
    return tuple(names)


def common_name(action: str) -> str:
    """The name without its number.

    >>> common_name("press-2"), common_name("press")
    ('press', 'press')
    """
    match = _NUMBERED.fullmatch(action)
    return match[1] if match else action
