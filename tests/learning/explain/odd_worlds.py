"""Many steps of one action that all obey something, and a few that do not."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import BindingTable, Examples
from dias.learning.explain.at_once import bind
from dias.learning.schema import Effects
from dias.traces.record import Traces
from tests.traces.files import read

NAMES = tuple("abcdef")
HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"on": ["object"], "ready": ["object"], "red": ["object"], "hot": ["object"]},
    "objects": dict.fromkeys(NAMES, "object"),
}
"""Objects of which any may be ready, red and hot."""


def press_steps(
    n_steps: int,
    odd: Mapping[int, str] | Sequence[int] = (),
    obeyed: Sequence[str] = ("ready",),
    is_positive: bool = True,
    share: float = 0.5,
    labels: str = "names",
    seed: int = 0,
) -> list[dict]:
    """Lines of steps that switch on an object, in states that chance decides, all different.

    Args:
        n_steps: How many.
        odd: Which of them do it to an object that violates what the others obey; which predicate.
        obeyed: The predicates that must hold of the object, or must not.
        is_positive: Whether they must.
        share: Objects of which each is as it must be.
        labels: `names`, or whether the object is given.
        seed: For chance.
    """
    rng, lines, seen = random.Random(seed), [], set()
    violated = odd if isinstance(odd, Mapping) else dict.fromkeys(odd, obeyed[0])
    while len(lines) < n_steps:
        good = {p: {name for name in NAMES if rng.random() < share} for p in obeyed}
        holds = {p: own if is_positive else set(NAMES) - own for p, own in good.items()}
        state = {f"({p} {name})" for p, own in holds.items() for name in own}
        others = [p for p in ("ready", "red", "hot") if p not in obeyed]
        state |= {f"({p} {name})" for p in others for name in NAMES if rng.random() < 0.5}
        wrong = {violated.get(len(lines))}
        fitting = [n for n in NAMES if all((n in own) != (p in wrong) for p, own in good.items())]
        if not fitting:
            continue
        pressed, before = rng.choice(fitting), sorted(state)
        if (key := (pressed, *before)) not in seen:
            seen.add(key)
            action = "(press)" if labels == "names" else f"(press {pressed})"
            lines.append({"state": before, "action": action, "next": [*before, f"(on {pressed})"]})
    return lines


def press(
    n_steps: int, odd: Mapping[int, str] | Sequence[int] = (), labels: str = "names", **more
) -> Traces:
    """The same as traces."""
    return read(HEADER | {"labels": labels}, *press_steps(n_steps, odd, labels=labels, **more))


def explained(effects: Effects, traces: Traces) -> tuple[Examples, BindingTable]:
    """The steps of the only action, and how the effects explain them."""
    [group] = examples_by_action(traces).values()
    return group, BindingTable.of(bind(effects, group), effects.n_variables)
