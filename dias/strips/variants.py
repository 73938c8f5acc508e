"""Names of the schemas that together stand for one action with state-dependent effects.

An action ``press`` that switches a lamp on or off becomes ``press-1`` and ``press-2``.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import count, islice

_NUMBERED = re.compile(r"(.+)-[1-9][0-9]*")


def variant_names(action: str, n: int, taken: Collection[str]) -> tuple[str, ...]:
    """`n` names for the variants of `action`, none of them among `taken`.

    >>> variant_names("press", 2, {"press", "press-1"})
    ('press-2', 'press-3')
    """
    names = (f"{action}-{number}" for number in count(1))
    return tuple(islice((name for name in names if name not in taken), n))


def common_name(action: str) -> str:
    """The name without its number.

    >>> common_name("press-2"), common_name("press")
    ('press', 'press')
    """
    match = _NUMBERED.fullmatch(action)
    return match[1] if match else action
