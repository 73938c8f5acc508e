"""Trace files whose states were seen badly: what is wrong, lost, or taken for something else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from dias.strips.model import Domain, is_subtype

Record = dict[str, Any]
See = Callable[[Record, list[str]], list[str]]
"""A header and the atoms of a state to those that are seen of it."""


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
    records = _read(source)
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
    _write(target, records)


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


def leave_out(source: Path, target: Path, share: float, seed: int) -> None:
    """Copy a trace file in which true atoms are not seen, each with the same chance.

    Args:
        source: The file, as `dias sample` writes it.
        target: The file to be written.
        share: The chance, from 0 to 1, anew for each atom of each state of each step.
        seed: Seed of what is left out.
    """
    rng = random.Random(seed)
    _copy(source, target, lambda _, atoms: [atom for atom in atoms if rng.random() >= share])


def confuse(source: Path, target: Path, share: float, seed: int) -> None:
    """Copy a trace file in which two objects of one type are taken for each other again and again.

    Of each problem it is the same two. The state after a step is seen once, also where the next
    step starts from it. What a header says is not confused.

    Args:
        source: The file, as `dias sample` writes it.
        target: The file to be written.
        share: The share of the states in which they are, from 0 to 1.
        seed: Seed of the choice of objects and states.
    """
    rng = random.Random(seed)
    pairs: dict[str, dict[str, str]] = {}
    last: tuple[list[str], list[str]] = ([], [])

    def see(header: Record, atoms: list[str]) -> list[str]:
        nonlocal last
        if atoms != last[0]:
            other = _pair(header, pairs, rng) if rng.random() < share else {}
            last = atoms, sorted(_renamed(atom, other) for atom in atoms)
        return last[1]

    _copy(source, target, see)


def _pair(header: Record, pairs: dict[str, dict[str, str]], rng: random.Random) -> dict[str, str]:
    """Two objects of a type that has two, each with the other."""
    key = json.dumps(header, sort_keys=True)
    if key not in pairs:
        by_type: dict[str, list[str]] = {}
        for name, kind in header["objects"].items():
            by_type.setdefault(kind, []).append(name)
        several = sorted(own for own in by_type.values() if len(own) > 1)
        one, other = rng.sample(sorted(rng.choice(several)), 2) if several else ("", "")
        pairs[key] = {one: other, other: one}
    return pairs[key]


def _renamed(atom: str, other: dict[str, str]) -> str:
    predicate, *terms = atom.strip("()").split()
    return f"({' '.join([predicate, *(other.get(term, term) for term in terms)])})"


def _copy(source: Path, target: Path, see: See) -> None:
    """Copy a trace file with what is seen of each state."""
    header: Record = {}
    records = _read(source)
    for record in records:
        if "dias" in record:
            header = record
        else:
            record |= {key: see(header, record[key]) for key in ("state", "next")}
    _write(target, records)


def _read(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _write(path: Path, records: Iterable[Record]) -> None:
    lines = (json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    path.write_text("".join(lines), encoding="utf-8")
