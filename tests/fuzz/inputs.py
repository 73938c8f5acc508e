"""Input that is nearly right: what people and broken programs write.

Everything is a mutation of a file that is right, or a soup of the words that such files are made
of, so that most of it gets past the first check.
"""

from __future__ import annotations

import json
import re

from hypothesis import strategies as st

from tests.cli.helpers import DOMAIN, PROBLEM
from tests.traces.dialects.test_literals import FORMS
from tests.traces.dialects.texts import TEXTS as WALKS
from tests.traces.files import DRIVE, HEADER, step

ODD_TEXT = ["", " ", "-", "?", ",", "é", "\u200b", "\x00", "\ud800", "\ufeff", "\n", "\r", "'", '"']

DIALECT_TEXTS = [*WALKS.values(), *FORMS.values()]

# PDDL

PORT = """\
(define (domain port) (:requirements :strips :typing :equality) (:types ship quay - object
 tug - ship) (:constants home - quay) (:predicates (at ?s - ship ?q - (either quay ship)) (storm))
 (:functions (total-cost) - number)
 (:action sail :parameters (?s - ship ?a ?b - quay)
  :precondition (and (at ?s ?a) (not (storm)) (not (= ?a ?b)))
  :effect (and (at ?s ?b) (not (at ?s ?a)) (increase (total-cost) 1))))
"""
PORT_PROBLEM = """\
(define (problem trip) (:domain port) (:objects t - tug pier - quay)
 (:init (at t home) (= (total-cost) 0) (not (storm))) (:goal (and (at t pier) (not (storm))))
 (:metric minimize (total-cost)))
"""
TOKEN = re.compile(r"[()]|[^\s()]+")
DOMAIN_TOKENS = [TOKEN.findall(text) for text in (DOMAIN, PORT)]
PROBLEM_TOKENS = [TOKEN.findall(text) for text in (PROBLEM, PORT_PROBLEM)]
WORDS = sorted({word for text in DOMAIN_TOKENS + PROBLEM_TOKENS for word in text})
ODD_WORDS = [
    *"()?-=;,:", "not", "and", "or", "when", "forall", "either", "object", "number", "?x", "0",
    "- object", "(not", "(and", "()", "(:action", "(:action a", "(:types", "(:derived", "(= ?a ?b)",
    "1.5", "; x", "; x\n", "a.1", "É", "ß", "İ", "ǅ", "\u200b", "\x00", "\ufeff", "\x85", "\r",
]  # fmt: skip
ANY_WORD = st.sampled_from(WORDS) | st.sampled_from(ODD_WORDS) | st.text(max_size=3)


@st.composite
def changed(draw, tokens: list[str], word: st.SearchStrategy[str], most: int = 4) -> list[str]:
    """The tokens with some of them left out, doubled, exchanged or replaced."""
    tokens = list(tokens)
    for _ in range(draw(st.integers(0, most))):
        place = draw(st.integers(0, len(tokens)))
        end = place + draw(st.integers(0, 3))
        kind = draw(st.sampled_from(["replace", "insert", "delete", "double", "move", "cut"]))
        if kind == "replace":
            tokens[place : place + 1] = [draw(word)]
        elif kind == "insert":
            tokens.insert(place, draw(word))
        elif kind == "delete":
            del tokens[place:end]
        elif kind == "double":
            tokens[place:place] = tokens[place:end]
        elif kind == "move":
            part, tokens[place:end] = tokens[place:end], []
            to = draw(st.integers(0, len(tokens)))
            tokens[to:to] = part
        elif draw(st.booleans()):
            del tokens[place:]
    return tokens


def pddl(texts: list[list[str]], frame: str) -> st.SearchStrategy[str]:
    """PDDL text: a file with changes, or words in the frame of one."""
    near = st.sampled_from(texts).flatmap(lambda tokens: changed(tokens, ANY_WORD))
    soup = st.lists(ANY_WORD, max_size=25).map(lambda words: [frame, *words, ")"])
    separator = st.sampled_from([" ", " ", "\n", "\r\n", ""])
    return st.builds(lambda between, words: between.join(words), separator, near | soup)


DOMAINS = pddl(DOMAIN_TOKENS, "(define (domain d)")
PROBLEMS = pddl(PROBLEM_TOKENS, "(define (problem p) (:domain garden) (:init")

# Plans and traces of other projects

PLAN_TEXTS = [
    "(turn-on north)\n(water north rose) ; second\n; cost = 2\n",
    "0: (turn-on north) [1]\n1.5: (water north rose) [1.0]\n",
    "ff: found legal plan as follows\nstep 0: TURN-ON N\n1: WATER N ROSE\n\ntime spent: 0\n",
]
ANY_TOKEN = re.compile(r"\s+|[()\[\]{}:;,]|[^\s()\[\]{}:;,]+")
ODD_TOKENS = [
    *"()[]{}:;,-=#?'\"", "\n", " ", "(not ", "(= ", "(and ", "(:state", "(:objects", "operator:",
    ":action", "[0]", "##States##", "New plan", "frozenset({", '"state"', "\u200b", "\x00", "é",
    "1e5", "null", "objects=",
]  # fmt: skip


def near_texts(texts: list[str]) -> st.SearchStrategy[str]:
    """One of the texts with some of its tokens changed."""
    word = st.sampled_from(ODD_TOKENS) | st.text(max_size=3)
    near = st.sampled_from([ANY_TOKEN.findall(text) for text in texts])
    return near.flatmap(lambda tokens: changed(tokens, word)).map("".join)


PLANS = near_texts(PLAN_TEXTS)
DIALECT_FILES = near_texts(DIALECT_TEXTS)

# Trace files

LETTERS = st.characters(exclude_categories=("Z", "C"), exclude_characters="()?;,")
NAMES = st.text(LETTERS, min_size=1, max_size=3)
TEXTS = [
    "(at c n)", "(at c m)", "(at n c)", "(idle)", "(road n m)", "(p a)", "(p a b)", "(q)", "go",
    "(not (p))", "(go a)", "(drive)", "(drive c n)", "drive", "full", "partial", "names", "object",
    "car", "vehicle", "bay", "c", "n", "m", "at", "trace/1", "states/1", "( )", "(AT C N)",
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | NAMES | st.text(max_size=8)
    | st.sampled_from(TEXTS) | st.sampled_from(ODD_TEXT) | st.integers().map(lambda n: n**40),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["p", "q", "a", "at", "c", "object"]) | NAMES, inner,
                      max_size=3),
    max_leaves=8,
)  # fmt: skip
MORE_KEYS = ("state", "weight")
TRAJECTORY = {
    "states": [DRIVE["state"], DRIVE["next"], DRIVE["state"]],
    "actions": ["drive", "park"],
}
GOOD = [
    HEADER, DRIVE, TRAJECTORY, step(), step(next=None), {**HEADER, "labels": "full"},
    {**HEADER, "problem": "p02", "static": []}, {"dias": "trace/1"},
    {**HEADER, "constants": ["n"]}, {"dias": "trace/1", "constants": ["k"]},
    {**DRIVE, "action": "(drive c n)"},
]  # fmt: skip


@st.composite
def near_records(draw) -> object:
    """A line that is right, with some of its values exchanged for others."""
    record = json.loads(json.dumps(draw(st.sampled_from(GOOD))))
    for _ in range(draw(st.integers(0, 2))):
        holder, key = record, draw(st.sampled_from(sorted({*record, *MORE_KEYS})))
        for _ in range(draw(st.integers(0, 3))):
            inner = holder.get(key) if isinstance(holder, dict) else holder[key]
            if not inner or not isinstance(inner, dict | list):
                break
            places = sorted(inner) if isinstance(inner, dict) else range(len(inner))
            holder, key = inner, draw(st.sampled_from(places))
        if draw(st.booleans()):
            holder[key] = draw(JSON)
        elif isinstance(holder, list) or key in holder:
            del holder[key]
    return record


RECORDS = near_records() | near_records() | near_records() | JSON
LINES = RECORDS.map(json.dumps).map(str.encode)


@st.composite
def cut_lines(draw) -> bytes:
    """A line with some of its bytes left out or replaced."""
    line = draw(LINES)
    place = draw(st.integers(0, len(line)))
    return line[:place] + draw(st.binary(max_size=3)) + line[draw(st.integers(0, len(line))) :]


ENDS = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b"\n\n", b"", b"\r"])
LINE = st.sampled_from([json.dumps(record).encode() for record in GOOD])
TRACE_FILES = st.lists(
    st.builds(bytes.__add__, LINE | LINE | LINES | cut_lines() | st.binary(max_size=30), ENDS),
    max_size=6,
).map(b"".join)
