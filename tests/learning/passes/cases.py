"""Traces of lamps, and passes that find what a test says."""

from __future__ import annotations

from dataclasses import replace

from dias.config import LearningConfig
from dias.learning.certificate.support import ApartEffects
from dias.learning.learn import learn
from dias.learning.noise.estimate import NoiseEstimate
from dias.learning.result import ActionEvidence, LearningResult
from dias.strips.model import ActionSchema, Atom, Domain, Parameter
from dias.traces.record import LabelMode
from tests.traces.files import read

SYMBOLIC = LearningConfig(method="symbolic")
HEADER = {
    "dias": "trace/1",
    "labels": "names",
    "predicates": {"on": ["object"], "hot": ["object"], "wired": ["object"]},
    "objects": dict.fromkeys("abc", "object"),
    "static": ["(wired a)", "(wired b)", "(wired c)"],
}
LIGHT = {"state": [], "action": "light", "next": ["(on a)"]}
AGAIN = {"state": ["(hot b)"], "action": "light", "next": ["(on b)", "(hot b)"]}
OUT = {"state": ["(on a)"], "action": "light", "next": []}
TRACES = read(HEADER, LIGHT, AGAIN, LIGHT)
ODD = read(HEADER, LIGHT, AGAIN, OUT)
HOT = {"state": ["(hot c)"], "action": "light", "next": ["(on a)", "(hot c)"]}
HOTS = (["(hot a)"], ["(hot b)"])
SHOWN_ODD = read(HEADER, LIGHT, AGAIN, HOT, OUT)
FULL_ODD = read(
    HEADER | {"labels": "full"}, *(one | {"action": "(light a)"} for one in (LIGHT, OUT))
)
PAIR = ApartEffects(("(on ?x1)", "(not (on ?x2))"), 0, 80, 1e-7)
NOISY = frozenset({Atom("noisy")})
"""What no exact schema asks for."""
NOISE, NONE = NoiseEstimate(1.0, {}, 0, 0), NoiseEstimate(0.0, {}, 0, 0)


def outcome(noise=NOISE, n_explained=3, arity=1, apart=(), labels=LabelMode.NAMES):
    """What learning under noise may come to."""
    parameters = tuple(Parameter(f"?x{i}") for i in range(1, arity + 1))
    domain = Domain("noisy", {}, {}, (), (ActionSchema("light", parameters, NOISY),))
    evidence = (
        ActionEvidence("light", 3, n_explained, 0, 0, apart=apart),
        ActionEvidence("rest", 0, 0, 0, 0),
    )
    return LearningResult(
        domain=domain, evidence=evidence, unobserved=(), method="symbolic", labels=labels,
        preconditions="safe", seed=0, n_steps=0, n_transitions=3, noise=noise,
    )  # fmt: skip


def is_tolerant(passes, traces, config=SYMBOLIC):
    """Whether what was learned under noise is the result, and which passes were gone through."""
    passes.asked.clear()
    result = learn(traces, config)
    assert set(result.seconds) >= {"prepare"}
    return replace(result, seconds=passes.tolerant.seconds) == passes.tolerant, [
        name.strip("_").removeprefix("learn_") for name in passes.asked
    ]
