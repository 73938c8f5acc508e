"""What a trace of another project is a trace of: the domain with its types, the problem's objects.

Nothing of the domain's actions is looked at: traces say what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dias.strips.model import OBJECT, Domain, Instance, is_subtype
from dias.traces.dialects.seen import SeenState, Trajectory, error
from dias.traces.writer import problem_header


@dataclass(frozen=True)
class Home:
    """Where traces come from.

    Attributes:
        domain: Its types, predicates and constants.
        instance: The problem, for its name and its objects; None if it is not known.
    """

    domain: Domain
    instance: Instance | None = None

    def header(self) -> dict[str, object]:
        """What a header says of it, as far as it is known; nothing of actions and labels."""
        instance = self.instance or Instance("", "", {}, frozenset())
        header = problem_header(self.domain, instance, frozenset())
        left_out = {"dias", "labels", "actions", "static"}
        if self.instance is None:
            left_out |= {"problem", "objects"}
        return {key: value for key, value in header.items() if key not in left_out}


def object_header(trajectory: Trajectory, home: Home | None, source: str) -> dict[str, object]:
    """The keys of a header that say what objects there are, and of which types.

    Without a problem they are those that the trajectory lists or types. Where it gives no types and
    the domain has some, each object gets the most special one of those that its places in atoms ask
    for.

    Raises:
        TraceError: Nothing can stand in two places that an object has.
    """
    if home is not None and home.instance is not None:
        return home.header()
    is_typed = any(trajectory.objects.values()) and not trajectory.mixed_types
    objects = {name: type_ if is_typed else "" for name, type_ in trajectory.objects.items()}
    if home is not None:
        if not is_typed:
            objects |= _types_by_place(trajectory, home.domain, source)
        listed = {name: type_ or OBJECT for name, type_ in objects.items()}
        return home.header() | {"objects": {**listed, **home.domain.constants}}
    if not trajectory.lists_objects and not is_typed:
        return {}
    types = sorted(set(filter(None, objects.values())))
    header: dict[str, object] = {"objects": {n: type_ or OBJECT for n, type_ in objects.items()}}
    return header | ({"types": dict.fromkeys(types, OBJECT)} if types else {})


def _types_by_place(trajectory: Trajectory, domain: Domain, source: str) -> dict[str, str]:
    """Object to the most special type that its places in atoms ask for."""
    found: dict[str, str] = {}
    for name, wanted, line in _places(trajectory, domain):
        known = found.get(name, OBJECT)
        if is_subtype(wanted, [known], domain.types):
            found[name] = wanted
        elif not is_subtype(known, [wanted], domain.types):
            raise error(
                source, line, f"{name} to be of one type", f"it as {known} before and as {wanted}",
                "Give the problem with --problem, which says what it is",
            )  # fmt: skip
    return found


def _places(trajectory: Trajectory, domain: Domain) -> Iterator[tuple[str, str, int]]:
    """Object, the type that one of its places asks for, and the line; where there is just one."""
    kinds = {predicate.name: predicate.types for predicate in domain.predicates}
    for item in trajectory.items:
        if not isinstance(item, SeenState):
            words = item.value if isinstance(item.value, list) else []
            yield from ((str(name), OBJECT, item.line) for name in words[1:])
            continue
        for atom in (*item.true, *item.false):
            words = atom.value if isinstance(atom.value, list) else [""]
            for name, types in zip(words[1:], kinds.get(str(words[0]), ()), strict=False):
                yield str(name), types[0] if len(types) == 1 else OBJECT, atom.line
