"""What holds for all tests: random examples are the same every time, however busy the machine."""

from __future__ import annotations

import gc
import logging

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal import entropy

from dias_cli.main import LOGGERS

settings.register_profile(
    "same",
    deadline=None,
    derandomize=True,  # `make fuzz` looks for new examples
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("same")

# Nothing here draws from numpy's one generator for all: to put it aside and back takes a third of
# what every random example costs beside itself.
entropy.NP_RANDOM = object()

gc.disable()  # imports leave no waste


def pytest_collection_finish():
    """What the imports left is for good: a tenth of the time went into looking for waste in it.

    Tests leave little in cycles, so that it is looked for seldom. And pytest adds its handlers, six
    times a test, to every logger that keeps its records to itself: it asks all that are listed, of
    which torch makes most.
    """
    listed = logging.root.manager.loggerDict
    for name in [name for name in listed if name.split(".")[0] == "torch"]:
        del listed[name]
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


@pytest.fixture(autouse=True)
def _log_levels():
    """What a command run in this process sets for its own logs ends with the test."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger.level, logger.propagate, list(logger.handlers)) for logger in loggers]
    yield
    for logger, (level, propagate, handlers) in zip(loggers, before, strict=True):
        if logger.level != level:  # setting one takes a while
            logger.setLevel(level)
        logger.propagate = propagate
        logger.handlers[:] = handlers
