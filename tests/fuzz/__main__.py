"""Tries odd files for as long as is asked for: ``python -m tests.fuzz traces --seconds 600``.

With atheris installed the inputs are steered by the code that they reach, else they are random.
The input that breaks a target is printed, and is made into a test.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import tempfile
import time
from pathlib import Path


def main() -> None:
    """Fuzz one target."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=("traces", "domains", "problems", "dialects", "plans"))
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    try:
        import atheris
    except ImportError:
        test = _test(arguments.target)
        n, end, rng = 0, time.monotonic() + arguments.seconds, random.Random(arguments.seed)
        while time.monotonic() < end:
            test(rng.randbytes(rng.randint(0, 4000)))
            n += 1
        print(f"{n:,} inputs of {arguments.target}")
        return
    with atheris.instrument_imports(include=["dias"]):
        test = _test(arguments.target)
    rng = random.Random(arguments.seed)
    corpus = tempfile.mkdtemp()
    for number in range(50):
        Path(corpus, str(number)).write_bytes(rng.randbytes(2000))
    limits = [f"-max_total_time={arguments.seconds}", f"-seed={arguments.seed + 1}"]
    atheris.Setup(
        [
            sys.argv[0],
            corpus,
            *limits,
            "-max_len=4000",
            "-len_control=0",
            "-artifact_prefix=/dev/null",
        ],
        test,
    )
    atheris.Fuzz()


def _test(name: str):
    """The test of that name as a function of random bytes."""
    from tests.fuzz import test_fuzz

    return getattr(test_fuzz, f"test_{name}").hypothesis.fuzz_one_input


if __name__ == "__main__":
    main()
