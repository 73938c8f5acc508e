"""What a report of learning says of each literal: decided, doubtful or untested."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from dias.diff.literals import literals
from dias.errors import DiasError
from dias.files import read_text
from dias.strips.model import OBJECT, Domain, typed

Words = Mapping[str, Mapping[str, str]]
"""Action to text of a literal, or of a typed parameter, to word."""

NO_WORDS: tuple[Words, Words] = ({}, {})
"""Nothing is said of two domains."""

_EQUALITY = re.compile(r"\(= (\S+) ([^\s)]+)\)")


def read_words(path: Path, domain: Domain) -> Words:
    """Read them from a JSON report.

    Args:
        path: What ``dias learn --report FILE.json`` wrote.
        domain: The domain that it is about.

    Raises:
        DiasError: It is no such report, or is about another domain.
    """
    try:
        supports = {
            name: action["support"]
            for name, action in json.loads(read_text(path))["actions"].items()
            if action["support"]  # there is none where effects are a network
        }
        words = {
            name: {_as_in_a_diff(x["literal"]): str(x["word"]) for x in support["literals"]}
            for name, support in supports.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DiasError(
            "expected a report of what was learned, found something else",
            place=str(path),
            remedy="Write one with dias learn --report FILE.json",
        ) from None
    schemas = {schema.name: schema for schema in domain.actions}
    for name, own in words.items():
        schema = schemas.get(name)
        known = {str(literal) for literal in literals(schema)} if schema else set()
        known |= {typed(*p) for p in schema.parameters if p.types != (OBJECT,)} if schema else set()
        if known != own.keys():
            raise DiasError(
                f"expected the report on domain {domain.name}, found one on another {name}",
                place=str(path),
                remedy="Give the domain and the report of the same dias learn",
            )
    return words


def remark(words: Mapping[str, str], text: str | None) -> str:
    """What stands behind a literal or a typed parameter, nothing if it is decided or not known.

    >>> remark({"(room ?r)": "untested", "(at ?r)": "decided"}, "(room ?r)")
    '  ; untested'
    """
    word = words.get(text or "", "decided")
    return "" if word == "decided" else f"  ; {word}"


def _as_in_a_diff(text: str) -> str:
    """The terms of an equality in alphabetical order."""
    return _EQUALITY.sub(lambda found: f"(= {' '.join(sorted(found.groups()))})", text)
