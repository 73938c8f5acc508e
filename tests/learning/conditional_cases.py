"""Small worlds with state-dependent effects, and all their transitions with names only.

The true domains say each action in several schemas, ``press-1`` and ``press-2``; in the traces
the action has one name.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from dias.strips.model import Atom, Domain
from dias.strips.pddl.reader import parse_domain
from dias.strips.variants import common_name
from dias.traces.record import LabelMode, Traces
from tests.learning.cases import World, all_steps

TOGGLE = """\
(define (domain toggle) (:requirements :negative-preconditions)
  (:predicates (lit ?l) (wired ?l))
  (:action press-1 :parameters (?l) :precondition (and (wired ?l) (not (lit ?l)))
    :effect (lit ?l))
  (:action press-2 :parameters (?l) :precondition (and (wired ?l) (lit ?l))
    :effect (not (lit ?l))))
"""
REAP = """\
(define (domain reap) (:requirements :negative-preconditions)
  (:predicates (at ?c) (beside ?c ?d) (ripe ?c) (reaped ?c))
  (:action move-1 :parameters (?c ?d) :precondition (and (at ?c) (beside ?c ?d) (not (ripe ?d)))
    :effect (and (at ?d) (not (at ?c))))
  (:action move-2 :parameters (?c ?d) :precondition (and (at ?c) (beside ?c ?d) (ripe ?d))
    :effect (and (at ?d) (not (at ?c)) (reaped ?d) (not (ripe ?d)))))
"""
FETCH = """\
(define (domain fetch)
  (:predicates (at ?c) (beside ?c ?d) (lies ?i ?c) (bare ?c) (carried ?i))
  (:action move-1 :parameters (?c ?d) :precondition (and (at ?c) (beside ?c ?d) (bare ?d))
    :effect (and (at ?d) (not (at ?c))))
  (:action move-2 :parameters (?c ?d ?i)
    :precondition (and (at ?c) (beside ?c ?d) (lies ?i ?d))
    :effect (and (at ?d) (not (at ?c)) (carried ?i) (bare ?d) (not (lies ?i ?d)))))
"""
ALARM = """\
(define (domain alarm) (:requirements :negative-preconditions)
  (:predicates (lit ?l) (mains ?l) (battery ?l) (solar ?l) (broken ?l))
  (:action press-1 :parameters (?l) :precondition (and (mains ?l) (not (lit ?l)))
    :effect (lit ?l))
  (:action press-2 :parameters (?l) :precondition (and (battery ?l) (not (lit ?l)))
    :effect (lit ?l))
  (:action press-3 :parameters (?l) :precondition (and (solar ?l) (not (lit ?l)))
    :effect (lit ?l))
  (:action press-4 :parameters (?l)
    :precondition (and (not (mains ?l)) (not (battery ?l)) (not (solar ?l)) (not (lit ?l))
                       (not (broken ?l)))
    :effect (broken ?l)))
"""


def nameless(
    domain: Domain, worlds: Iterable[World], labels: LabelMode = LabelMode.NAMES
) -> Traces:
    """All steps of the states, each under its common name."""
    traces = all_steps(domain, worlds)
    steps = tuple(
        replace(
            t,
            action=common_name(t.action),
            arguments=t.arguments if labels is LabelMode.FULL else (),
        )
        for t in traces.transitions
    )
    names = tuple(sorted({t.action for t in steps}))
    return replace(traces, actions=names, transitions=tuple(dict.fromkeys(steps)), labels=labels)


def _atoms(*texts: str) -> frozenset[Atom]:
    return frozenset(Atom(name, tuple(terms)) for name, *terms in map(str.split, texts))


def toggle() -> tuple[Domain, list[World]]:
    """Three lamps, one of them not wired, in all states."""
    lamps = {"a": "object", "b": "object", "c": "object"}
    wired = _atoms("wired a", "wired b")
    states = product(*([(), (f"lit {lamp}",)] for lamp in lamps))
    return parse_domain(TOGGLE), [
        (lamps, wired | _atoms(*(text for own in state for text in own))) for state in states
    ]


def _ring(n: int) -> list[str]:
    return [f"beside c{i} c{j}" for i in range(n) for j in range(n) if (i - j) % n in (1, n - 1)]


def reap() -> tuple[Domain, list[World]]:
    """Five cells in a ring, each bare, ripe or reaped."""
    rng = random.Random(0)
    cells = {f"c{i}": "object" for i in range(5)}
    worlds = []
    for _ in range(24):
        kinds = [rng.choice(["bare", "reaped"]), *rng.choices(["bare", "ripe", "reaped"], k=4)]
        crops = [f"{kind} c{i}" for i, kind in enumerate(kinds) if kind != "bare"]
        worlds.append((cells, _atoms("at c0", *_ring(5), *crops)))
    return parse_domain(REAP), worlds


def fetch() -> tuple[Domain, list[World]]:
    """Five cells in a ring, and three items that lie somewhere or are carried."""
    rng = random.Random(0)
    names = {**{f"c{i}": "object" for i in range(5)}, **{f"i{i}": "object" for i in range(3)}}
    worlds = []
    for _ in range(24):
        places = rng.sample([1, 2, 3, 4], 3)
        items = [
            f"lies i{i} c{place}" if rng.random() < 0.7 else f"carried i{i}"
            for i, place in enumerate(places)
        ]
        full = {text.split()[-1] for text in items if text.startswith("lies")}
        bare = [f"bare c{i}" for i in range(5) if f"c{i}" not in full]
        worlds.append((names, _atoms("at c0", *_ring(5), *items, *bare)))
    return parse_domain(FETCH), worlds


def alarm() -> tuple[Domain, list[World]]:
    """Lamps with any combination of three sources of power."""
    sources = ("mains", "battery", "solar")
    worlds = []
    for choice in product([False, True], repeat=3):
        lamp = "".join("yes"[:1] if own else "n" for own in choice)
        powered = [f"{name} x{lamp}" for name, own in zip(sources, choice, strict=True) if own]
        other = _atoms("mains other", "lit other")
        for extra in ((), (f"lit x{lamp}",), (f"broken x{lamp}",)):
            worlds.append(
                ({f"x{lamp}": "object", "other": "object"}, other | _atoms(*powered, *extra))
            )
    return parse_domain(ALARM), worlds
