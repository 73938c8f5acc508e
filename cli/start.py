"""The entry point of `dias`: an interrupt ends it quietly, with status 130, whenever it comes.

Here too: how often Python looks for garbage, and how many threads numpy starts, which are matters
of the process, not of the library.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import suppress

INTERRUPTED = 130

GARBAGE_THRESHOLD = 1_000_000
"""Objects made and not yet freed before cycles among them are looked for. With Python's own 700 an
eighth of the time of `dias learn` goes into that, and nearly nothing is found."""

_interrupts: list[int] = []
"""The signals that have come."""


def main() -> None:
    """Import the command and run it."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    # Threads that wait for products of matrices, of which there are few and small ones, take a
    # quarter of the processor time of a short run. Torch has its own.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    is_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heeded:  # a job in the background of a shell may inherit that it is ignored
        signal.signal(signal.SIGINT, _stop)
    from dias_cli.main import main as run

    if is_heeded:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        run()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            # With `python -m` Python would die of the signal instead, if it came while a text
            # was executed, as the making of a dataclass does.
            _leave()
        raise
    except (Exception, KeyboardInterrupt):
        if not _interrupts:
            raise
        _stop()  # the import of a library in C may turn an interrupt into an error of its own
    finally:
        gc.freeze()  # with torch loaded, to look at all objects once more takes half a second


def _interrupt(number: int, _frame: object) -> None:
    """Raise KeyboardInterrupt, but not into the import of torch, which aborts on it."""
    _interrupts.append(number)
    if getattr(getattr(sys.modules.get("torch"), "__spec__", None), "_initializing", False):
        _stop()
    raise KeyboardInterrupt


def _stop(*_: object) -> None:
    """End at once: nothing is there to be cleaned up, and no import to be broken in two."""
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(INTERRUPTED)


def _leave() -> None:
    """End after all has been cleaned up, without what Python does at its end."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # its reader went away, or it is closed
            if stream is not None:
                stream.flush()
    os._exit(INTERRUPTED)
