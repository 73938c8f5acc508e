"""The entry point of `dias`: an interrupt while it is still being imported ends it quietly too."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Import the command and run it."""
    is_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heeded:  # a job in the background of a shell may inherit that it is ignored
        signal.signal(signal.SIGINT, _stop)
    from dias_cli.main import main as run

    if is_heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _stop(*_: object) -> None:
    """End at once: so early there is nothing to clean up, and no import to be broken in two."""
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(130)
