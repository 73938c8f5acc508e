"""Learn lifted STRIPS action schemas from transitions whose action arguments nobody recorded.

The verbs of the command line, resolved when they are first used, so that ``import dias`` is
cheap and only `learn` imports torch:

>>> import dias
>>> sorted(dias.__all__)
['evaluate', 'learn', 'plan', 'read_domain', 'read_problem', 'read_traces', 'sample']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from dias.evaluation.evaluate import evaluate as evaluate
    from dias.learning.learn import learn as learn
    from dias.planning.plan import plan as plan
    from dias.strips.pddl.reader import read_domain as read_domain
    from dias.strips.pddl.reader import read_problem as read_problem
    from dias.traces.reading.reader import read_traces as read_traces
    from dias.traces.sampling.sample import sample as sample

_HOME = {
    "evaluate": "dias.evaluation.evaluate",
    "learn": "dias.learning.learn",
    "plan": "dias.planning.plan",
    "read_domain": "dias.strips.pddl.reader",
    "read_problem": "dias.strips.pddl.reader",
    "read_traces": "dias.traces.reading.reader",
    "sample": "dias.traces.sampling.sample",
}

__all__ = ["evaluate", "learn", "plan", "read_domain", "read_problem", "read_traces", "sample"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
