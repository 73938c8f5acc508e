"""Trace files for tests, written line by line."""

import json
import tempfile
from pathlib import Path

from dias.strips.model import Atom
from dias.traces.reading.reader import read_traces
from dias.traces.record import Traces

HEADER = {
    "dias": "trace/1",
    "domain": "Yard",
    "problem": "p01",
    "labels": "names",
    "types": {"car": "vehicle", "vehicle": "object", "bay": "object"},
    "predicates": {"at": ["vehicle", "bay"], "road": ["bay", "bay"], "idle": []},
    "objects": {"C": "car", "n": "bay", "m": "bay"},
    "actions": ["drive", "park"],
    "static": ["(road n m)"],
}
DRIVE = {"state": ["(at c n)", "(idle)"], "action": "(drive)", "next": ["(at c m)", "(idle)"]}


def header(**changes) -> dict:
    """The header above with some keys changed, or left out where the change is None."""
    return {key: value for key, value in (HEADER | changes).items() if value is not None}


def step(state=("(p a)",), action="act", next=("(p b)",), **more) -> dict:
    """A transition line."""
    return {"state": state, "action": action, "next": next, **more}


def read(*lines: dict | str | bytes, **options) -> Traces:
    """What the reader makes of a file with these lines, named t.jsonl in messages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_bytes(b"".join(_as_bytes(line) for line in lines))
        return read_traces(path, **options)


def _as_bytes(line: dict | str | bytes) -> bytes:
    if isinstance(line, dict):
        line = json.dumps(line)
    if isinstance(line, str):
        line = line.encode() + b"\n"
    return line


def atoms(*texts: str) -> frozenset[Atom]:
    """Atoms from text such as ``on a b``."""
    return frozenset(Atom(words[0], tuple(words[1:])) for words in map(str.split, texts))
