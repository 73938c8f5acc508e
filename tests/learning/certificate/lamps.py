"""Lamps that are put on, and the support of what is learned of them."""

from __future__ import annotations

from dias.config import LearningConfig
from dias.learning.certificate.count_support import support
from dias.learning.data.coding import examples_by_action
from dias.learning.schema import LiftedAtom, LiftedSchema
from dias.traces.record import Traces
from tests.learning.cases import lifted_schema, literals

SYMBOLIC = LearningConfig(method="symbolic")

LAMPS = {
    "dias": "trace/1",
    "labels": "full",
    "types": {"lamp": "object", "table": "object", "oil-lamp": "lamp"},
    "predicates": {"on": ["lamp"], "warm": ["lamp"], "used": []},
    "objects": {"a": "lamp", "b": "lamp", "t": "table", "o": "oil-lamp"},
}
STEPS = [
    {"state": [], "action": "(light a)", "next": ["(on a)", "(used)"]},
    {"state": ["(used)"], "action": "(light b)", "next": ["(on b)", "(used)"]},
    {"state": ["(used)", "(warm b)"], "action": "(light b)", "next": ["(on b)", "(used)"]},
    {"state": ["(used)", "(on b)"], "action": "(light a)", "next": ["(on a)", "(on b)", "(used)"]},
]
LAMP = LiftedAtom("type lamp", (0,))
LIGHT = lifted_schema(
    "light", 1, literals("on 0", "used"), literals("warm 0"), (LAMP,), literals("on 0")
)


def supported(schema: LiftedSchema, traces: Traces):
    return support(schema, examples_by_action(traces), traces)
