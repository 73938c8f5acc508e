"""Single wrong atoms in a trace file: what one slip of a sensor does to all that is learned."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from dias.strips.model import Domain, is_subtype

Record = dict[str, Any]


def flip_atoms(source: Path, target: Path, domain: Domain, n_flips: int, seed: int) -> None:
    """Copy a trace file, as `dias sample` writes it, with some atoms observed wrongly.

    A flip is in one state of one step, before or after it, all steps alike: half of them leave out
    a true atom, half add a false one of any relation that actions change. The flips of a smaller
    number are the first of those of a larger one.

    Args:
        source: The file.
        target: The file to be written.
        domain: The true domain.
        n_flips: How many flips there are in the whole file, no two of them of the same atom.
        seed: Seed of their choice.
    """
    rng = random.Random(seed)
    records = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    headers: list[Record] = []  # the header of each record
    for record in records:
        headers.append(record if "dias" in record else headers[-1])
    steps = [number for number, record in enumerate(records) if "dias" not in record]
    flipped: set[tuple[int, str, str]] = set()
    while len(flipped) < n_flips:
        number, key = rng.choice(steps), rng.choice(("state", "next"))
        atoms = records[number][key]
        atom = _wrong_atom(rng, headers[number], domain, atoms)
        if atom is None or (number, key, atom) in flipped:
            continue
        flipped.add((number, key, atom))
        records[number][key] = sorted({*atoms} ^ {atom})
    lines = (json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    target.write_text("".join(lines), encoding="utf-8")


def _wrong_atom(rng: random.Random, header: Record, domain: Domain, atoms: list[str]) -> str | None:
    """A true atom, or a false one; None if what was drawn is none."""
    if rng.random() < 0.5:
        return rng.choice(atoms) if atoms else None
    predicate = domain.predicate(rng.choice(sorted(domain.fluents)))
    terms = []
    for types in predicate.types:
        objects = header["objects"].items()
        fitting = [name for name, kind in objects if is_subtype(kind, types, domain.types)]
        terms.append(rng.choice(fitting))
    atom = f"({' '.join([predicate.name, *terms])})"
    return None if atom in atoms else atom
