"""What a file looks like that is not what was expected: for messages only."""

from __future__ import annotations

import codecs
import re

N_BYTES = 4096
"""How much of a file is looked at."""

GZIP = "a gzip file"
BZIP2, XZ, ZSTD = "a bzip2 file", "an xz file", "a Zstandard file"
ZIP = "a zip archive"
UTF_16, UTF_32 = "UTF-16 text", "UTF-32 text"
DOMAIN = "a PDDL domain"
PROBLEM = "a PDDL problem"
PLAN = "a plan"
TRAJECTORY = "an s-expression trace"
PLAN_TRACE = "a PlanMiner trace"
LITERALS = "a trace of literals like PDDLGym's"
TRACES = "a trace file"
STATES = "a file of states"
JSON = "JSON"

_BEGINNINGS = {
    b"\x1f\x8b": GZIP,
    b"BZh": BZIP2,
    b"\xfd7zXZ\x00": XZ,
    b"\x28\xb5\x2f\xfd": ZSTD,
    b"PK\x03\x04": ZIP,
    b"\x89PNG\r\n": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF-": "a PDF document",
    b"\x93NUMPY": "a NumPy array",
    b"SQLite format 3\x00": "an SQLite database",
    codecs.BOM_UTF32_LE: UTF_32,  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: UTF_32,
    codecs.BOM_UTF16_LE: UTF_16,
    codecs.BOM_UTF16_BE: UTF_16,
}
_LITERAL = r"[^\s(){}\[\],:\"]+\([^()\"]*\)"
"""A literal as Python programs print it: ``on(a:block,b:block)``."""
_COMPRESSED = (GZIP, BZIP2, XZ, ZSTD, ZIP)
_TEXTS = [
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"\(\s*define\s*\(\s*domain\b", DOMAIN),
        (r"\(\s*define\s*\(\s*problem\b", PROBLEM),
        (r"\(\s*(:?trajectory|:?observation|solution|\(\s*:?(init|state|objects))\b", TRAJECTORY),
        (r"(\d[.:\d]*\s*)?\([^():]+\)(\s*\[[\d.]+\])?\s*(\n|$)", PLAN),
        (r"step\s+\d+\s*:|ff: (parsing domain|found legal plan)", PLAN),
        (r"new plan\b|#+\s*(tasks|actions|states)\b", PLAN_TRACE),
        (rf'[\[{{][^()]*?(\[|"action"\s*:)\s*"{_LITERAL}"', LITERALS),
        (
            r"([a-z ]+[:=]\s+)?(state\(literals=)?(frozenset\()?[\[{(]\s*"
            rf"[\"']?{_LITERAL}[\"']?\s*[,}}\])]",
            LITERALS,
        ),
        (r"(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?(<!doctype svg[^>]*>\s*)?<svg\b", "an SVG picture"),
        (r"<!doctype html|<html\b", "an HTML page"),
        (r"<\?xml\b", "an XML document"),
        (r'\{\s*"dias"\s*:\s*"states/', STATES),
        (r'\{\s*"(dias|states?|action|next)"\s*:', TRACES),
        (r"\{|\[", JSON),
    )
]
_COMMENTS = re.compile(r"^(\s|;[^\n]*(\n|$))*")

DIALECTS = frozenset({TRAJECTORY, PLAN_TRACE, LITERALS})
"""The kinds that hold traces in the format of another project."""
NOT_UTF_8 = frozenset(_BEGINNINGS.values())
"""The kinds that no text reader can decode."""


def kind_of(data: bytes) -> str:
    """What a file is that begins with `data`, in words; empty if it cannot be told.

    >>> kind_of(b"(define (domain hanoi)")
    'a PDDL domain'
    >>> kind_of(b"hello")
    ''
    """
    for beginning, kind in _BEGINNINGS.items():
        if data.startswith(beginning):
            return kind
    data = data[:N_BYTES].removeprefix(codecs.BOM_UTF8)
    fewer, more = sorted(data[place::2].count(0) for place in (0, 1))
    if len(data) > 3 and more > len(data) // 4 > fewer:
        return UTF_16  # without its mark: every other byte of a letter is zero
    text = data.decode(errors="replace").lower()
    text = _COMMENTS.sub("", text)
    for pattern, kind in _TEXTS:
        if pattern.match(text):
            return kind
    first_line = text.partition("\n")[0]
    is_table = re.search(r"[,;\t]", first_line) and not re.search(r"[(){}<>\[\]]", first_line)
    return "a table (CSV)" if is_table else ""


def remedy_for(kind: str) -> str:
    """What to do about a file of that kind where text is expected."""
    if kind in (UTF_16, UTF_32):
        return "Save the file as UTF-8."
    return "Decompress it first." if kind in _COMPRESSED else "Is it the right file?"
