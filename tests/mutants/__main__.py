"""Breaks the code on purpose and counts what the tests see.

A sample of an area's mutants is drawn, and the area's tests are run on each, in a copy of the
checkout. What came of each is kept: a run that was interrupted goes on from there, and after a
change of tests only the mutants that it concerns are run again.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import signal
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tests.mutants import areas, find
from tests.mutants.choose import choose, statement
from tests.mutants.draw import ranked
from tests.mutants.measure import measure
from tests.mutants.run import Run, copy, mutated, run
from tests.mutants.table import table


def main() -> None:
    """Run the mutants of the areas asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("areas", nargs="*", default=areas.USUAL, help=", ".join(areas.AREAS))
    parser.add_argument("-n", type=int, default=50, help="mutants of each area")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--budget", type=float, default=60, help="processor seconds of tests for a mutant"
    )
    parser.add_argument("--kept", type=Path, default=Path("build/mutants"), help="raw results")
    parser.add_argument("--survivors", type=Path, help="a JSON file to write them to")
    options = parser.parse_args()
    results: list[dict[str, Any]] = []
    status = 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started ends too
    try:
        with copy() as root:
            for area in options.areas:
                for result in _run(area, root, options):
                    results.append(result)
    except KeyboardInterrupt:
        print("Interrupted: the same command goes on from here.")
        status = 130
    survivors = [result for result in results if result["outcome"] == "survived"]
    for result in survivors:
        print(f"\n{result['path']}:{result['line']} {result['operator']}\n{result['diff']}")
    print(f"\n{table(results)}")
    if options.survivors:
        options.survivors.write_text(json.dumps(survivors, indent=1) + "\n")
    sys.exit(status)


def _run(area: str, root: Path, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The results of an area, each written down as it comes."""
    digests = {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*.py"))
    }
    code = [item for item in digests.items() if not Path(item[0]).name.startswith("test_")]
    state = hashlib.sha256(repr(code).encode()).hexdigest()
    tests = areas.tests(area, digests)
    print(f"{area}: which lines the {len(tests)} test files run", flush=True)
    measured = {
        test: measure(root, test, state + digests[test], options.kept / "lines" / f"{test}.json")
        for test in tests
    }
    if not any(one["lines"] for one in measured.values()):
        raise SystemExit(
            "expected the lines that the tests run, found none: coverage does not start with "
            "Python; run this with the interpreter that coverage is installed for"
        )
    texts = {path: (root / path).read_text("utf-8") for path in areas.sources(area, digests)}
    found = ranked((m for item in texts.items() for m in find.mutants(*item)), options.seed)
    drawn = ((mutant, find.mutated(texts[mutant.path], mutant)) for mutant in found)
    file = options.kept / f"{area}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    kept = {result["name"]: result for result in map(json.loads, lines)}
    for number, (mutant, changed) in enumerate(islice((d for d in drawn if d[1]), options.n), 1):
        text = texts[mutant.path]
        chosen = choose(measured, mutant.path, statement(text, mutant.line), options.budget)
        now = {test: digests[test] for test in chosen}
        result = kept.get(mutant.name)
        if not (result and result["state"] == state and _holds(result, now)):
            limit_s = 10 + 2 * sum(measured[test]["seconds"] for test in chosen)
            with mutated(root / mutant.path, changed, number):
                done = run(root, chosen, limit_s) if chosen else Run("survived", 0, "")
            both = (text.splitlines(), changed.splitlines())
            result = {
                "area": area,
                "name": mutant.name,
                "state": state,
                "outcome": done.outcome,
                "tests": now,
                "failed": done.failed,
                "seconds": done.seconds,
                "path": mutant.path,
                "line": mutant.line,
                "operator": mutant.operator,
                "diff": "\n".join([*difflib.unified_diff(*both, n=2, lineterm="")][2:]),
            }
            with file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(result) + "\n")
        where = f"{mutant.path}:{mutant.line} {mutant.operator}"
        print(f"{number:4} {result['outcome']:9} {result['seconds']:6} s  {where}", flush=True)
        yield result


def _holds(result: dict[str, Any], tests: dict[str, str]) -> bool:
    """Whether a kept result is what these tests would come to."""
    failed = result["failed"]
    same = failed in tests and result["tests"][failed] == tests[failed]
    return same or result["tests"] == tests


if __name__ == "__main__":
    main()
