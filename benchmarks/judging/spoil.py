"""Trace files whose states were seen badly: what is lost, and what is taken for something else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

Record = dict[str, Any]
See = Callable[[Record, list[str]], list[str]]
"""A header and the atoms of a state to those that are seen of it."""


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
    lines = []
    for line in source.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "dias" in record:
            header = record
        else:
            record |= {key: see(header, record[key]) for key in ("state", "next")}
        lines.append(json.dumps(record, separators=(",", ":")) + "\n")
    target.write_text("".join(lines), encoding="utf-8")
