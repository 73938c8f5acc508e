"""States of which not every atom is certain: probabilities, unknown atoms, one-of groups.

What is read is brought to one form: a state holds the atoms that rather hold than not, and beside
it stands the probability of each atom that is not certain. Unknown is 1/2.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import isfinite
from typing import NamedTuple

from dias.strips.model import Atom
from dias.traces.reading.fields import FieldError
from dias.traces.record import HALF, Soft

NOTHING: Soft = frozenset()
FLOOR = 1e-9
"""A probability that a group leaves and that is nearer to 0 or 1 is 0 or 1."""


class Seen(NamedTuple):
    """A state: the atoms that rather hold, and the probabilities of those that are not certain."""

    atoms: frozenset[Atom]
    soft: Soft = NOTHING


class Rules(NamedTuple):
    """What a header says of all states after it.

    Attributes:
        static: The atoms that hold in all of them.
        one_of: Groups of atoms of which exactly one holds.
        is_open: Whether an atom that no state lists is unknown there; else it is false.
    """

    static: frozenset[Atom]
    one_of: tuple[tuple[Atom, ...], ...]
    is_open: bool

    @property
    def is_any(self) -> bool:
        """Whether a state may need more than a look at what it lists."""
        return self.is_open or bool(self.one_of)


def is_pair(value: object) -> bool:
    """Whether a JSON value is an atom with a number."""
    if not isinstance(value, list) or len(value) != 2 or isinstance(value[1], bool):
        return False
    is_atom = isinstance(value[0], list) or (isinstance(value[0], str) and value[0][:1] == "(")
    return is_atom and isinstance(value[1], int | float)


def read_belief(
    items: Sequence[object],
    field: str,
    unknown: Sequence[object],
    unknown_field: str,
    read_atom: Callable[[object, str], Atom],
    rules: Rules,
) -> Seen:
    """A state with its probabilities.

    Args:
        items: Atoms, and pairs of an atom and its probability.
        field: Where they stand.
        unknown: Atoms of which nothing is known.
        unknown_field: Where they stand.
        read_atom: Makes an atom of a JSON value, given where it stands.
        rules: What the header says.

    Raises:
        FieldError: A probability that is none, an atom of which two things are said, a static atom
            that is not certain, a group of which not exactly one atom can hold.
    """
    said: dict[Atom, float] = {}

    def say(atom: Atom, probability: float, where: str) -> None:
        if atom in rules.static and probability != 1:
            expected = f'nothing but certainty of {atom}, which is "static" in the header'
            raise FieldError(where, expected, _shown(probability))
        if said.setdefault(atom, probability) != probability:
            expected = f"{atom} to be {_shown(said[atom])} as before in this state"
            raise FieldError(where, expected, _shown(probability), "Say one thing of each atom")

    for place, item in enumerate(items):
        where = f"{field}[{place}]"
        if isinstance(item, list) and is_pair(item):
            value, number = item
            say(read_atom(value, f"{where}[0]"), _probability(number, f"{where}[1]"), where)
        else:
            say(read_atom(item, where), 1.0, where)
    for place, item in enumerate(unknown):
        where = f"{unknown_field}[{place}]"
        say(read_atom(item, where), HALF, where)
    likeliest = [_share_out(group, said, rules.is_open, field) for group in rules.one_of]
    certain = 0.0 if rules.is_open else None  # what is false for sure need not be listed elsewhere
    return Seen(
        frozenset(a for a, p in said.items() if p > HALF).union(likeliest) - rules.static,
        frozenset((a, p) for a, p in said.items() if 0 < p < 1 or p == certain),
    )


def _probability(value: float, field: str) -> float:
    if not (isfinite(value) and 0 <= value <= 1):
        remedy = "1 is true, 0 is false, 0.5 unknown"
        raise FieldError(field, "a probability from 0 to 1", str(value), remedy)
    return float(value)


def _shown(probability: float) -> str:
    words = {0.0: "false", 1.0: "true", HALF: "unknown"}
    return words.get(probability, f"true with probability {probability:g}")


def _share_out(group: Sequence[Atom], said: dict[Atom, float], is_open: bool, field: str) -> Atom:
    """Bring the probabilities of a group to a sum of 1, in place; the likeliest of its atoms.

    What is unknown shares what the others leave; the rest is scaled.
    """
    names = " ".join(map(str, group))
    holding = [atom for atom in group if said.get(atom) == 1]
    if len(holding) > 1:
        found = f"{holding[0]} and {holding[1]}"
        raise FieldError(field, f'exactly one of the "one-of" group {names}', found)
    default = HALF if is_open else 0.0
    unknown = [atom for atom in group if said.get(atom, default) == HALF]
    known = {atom: said.get(atom, default) for atom in group if atom not in unknown}
    mass = sum(known.values())
    if not unknown and not mass:
        raise FieldError(field, f'exactly one of the "one-of" group {names}', "none")
    left = max(0.0, 1 - mass)
    shares = {atom: left / len(unknown) for atom in unknown}
    total = mass + left * bool(unknown)
    scaled = {atom: p / total for atom, p in known.items()} | shares
    for atom in group:
        p = scaled[atom]
        said[atom] = 0.0 if p < FLOOR else 1.0 if p > 1 - FLOOR else p
    return max(group, key=lambda atom: said[atom])


def check_group(group: Sequence[Atom], static: Collection[Atom], field: str) -> None:
    """Refuse a group of which it cannot be that exactly one atom holds in each state.

    Raises:
        FieldError: An atom stands twice in a group, or is static; or there is only one atom.
    """
    if len(group) < 2:
        raise FieldError(field, "at least two atoms", str(len(group)))
    for place, atom in enumerate(group):
        where = f"{field}[{place}]"
        if atom in group[:place]:
            raise FieldError(where, "each atom once in its group", f"{atom} twice")
        if atom in static:
            expected = "atoms that do not always hold"
            raise FieldError(where, expected, f'{atom}, which is in "static"')
