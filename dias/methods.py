"""The methods of learning, and all in which they differ: no other file compares their names.

A method says who proposes what actions add and delete: single transitions, a network, or a
proposer of one's own. What follows is the same for all but the network alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dias.errors import ProposerError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Proposer = Callable[[Any], Any]
"""`dias.learning.data.transitions.Examples`, all transitions of one action, to
`dias.learning.schema.Effects`, or None where it has none to propose."""

GROUP = "dias.proposers"
"""The entry points by which installed packages offer proposers."""


@dataclass(frozen=True)
class Method:
    """How effects are found.

    Attributes:
        name: What it is asked for by.
        lifts_steps: Whether single transitions propose effects, and noise is looked for.
        trains: Whether a network is trained where steps are left unexplained.
        is_network_alone: Whether the schemas are what the network says, as in the paper.
        proposer: Who proposes in place of single transitions and network.
    """

    name: str
    lifts_steps: bool = False
    trains: bool = False
    is_network_alone: bool = False
    proposer: Proposer | None = None

    @property
    def asks_network(self) -> bool:
        """Whether a network proposes for what single transitions leave unexplained."""
        return self.trains and not self.is_network_alone


_BUILT_IN = {
    method.name: method
    for method in (
        Method("hybrid", lifts_steps=True, trains=True),
        Method("symbolic", lifts_steps=True),
        Method("neural", trains=True, is_network_alone=True),
    )
}
METHODS = tuple(_BUILT_IN)
"""`hybrid`: single transitions propose effects, a network where those leave steps unexplained, and
an exact pass checks and completes them. `symbolic`: the same without a network. `neural`: the
schemas are what the network says, as in the paper."""

NETWORK_BESIDE_OTHERS = tuple(name for name, method in _BUILT_IN.items() if method.asks_network)
"""The methods of which it is worth saying that a network proposed."""

_own: dict[str, Method] = {}


def default_method(effects: str) -> str:
    """The method where none is given: effects that a network says are the network's alone."""
    return "neural" if effects == "mlp" else METHODS[0]


def register(name: str, proposer: Proposer) -> None:
    """Make a proposer of one's own a method, for this process.

    Raises:
        ValueError: A method of this package has that name, there is none, or nothing to call.
    """
    if name in ("", *_BUILT_IN):
        raise ValueError(f"the name of a proposer must be none of {', '.join(METHODS)}, nor empty")
    if not callable(proposer):
        raise ValueError(f"a proposer must be a function of Examples, not {proposer!r}")
    _own[name] = Method(name, proposer=proposer)


def method_named(name: str) -> Method:
    """The method of a name: of this package, registered, or an installed package's.

    Raises:
        ValueError: There is none.
        ProposerError: The package that offers it cannot be loaded.
    """
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    if name not in _own:
        offered = _offered()
        if name not in offered:
            raise ValueError(f"method must be one of {', '.join([*METHODS, *own_methods()])}")
        register(name, _load(offered[name]))
    return _own[name]


def own_methods() -> list[str]:
    """Names of the methods that are not of this package."""
    return sorted({*_own, *_offered()} - set(METHODS))


def _offered() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # a fifth of the start of a command

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _load(entry: EntryPoint) -> Proposer:
    try:
        proposer = entry.load()
    except (ImportError, AttributeError) as error:
        raise ProposerError(
            f"expected proposer {entry.name} at {entry.value}, found that it cannot be loaded: "
            f"{error}",
            remedy="Mend or remove the package that offers it",
        ) from error
    if not callable(proposer):
        raise ProposerError(
            f"expected a function at {entry.value}, found {type(proposer).__name__}",
            remedy=f"Let the entry point {entry.name} name a function of Examples",
        )
    return proposer
