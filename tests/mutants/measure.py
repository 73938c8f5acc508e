"""Measures which lines of the source a test file runs.

Each file in a process of its own: what one test computes for others, in a fixture or a cache, is
then seen. What the tests run in further processes counts too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from coverage import Coverage

from tests.mutants.run import run

MAX_SECONDS = 1200
CONFIGURATION = """\
[run]
parallel = true
data_file = {folder}/data
source = {root}/dias, {root}/cli
disable_warnings = no-data-collected, module-not-imported, module-not-measured
"""


def measure(root: Path, test: str, state: str, file: Path) -> dict[str, Any]:
    """The ``seconds`` of a test file and the ``lines`` it runs of each source file.

    They are kept in a file, for as long as the state is the same.

    Raises:
        SystemExit: A test fails without any mutant.
    """
    kept = json.loads(file.read_text()) if file.exists() else {}
    if kept.get("state") == state:
        return kept
    folder = root.parent / test.replace("/", ".")
    folder.mkdir()
    (folder / "rc").write_text(CONFIGURATION.format(folder=folder, root=root))
    done = run(root, [test], MAX_SECONDS, COVERAGE_PROCESS_START=str(folder / "rc"))
    if done.outcome != "survived":
        raise SystemExit(f"{test} fails before anything is mutated:\n{done.output[-3000:]}")
    coverage = Coverage(str(folder / "all"), config_file=False, messages=False)
    coverage.combine([str(path) for path in folder.glob("data.*")])
    data = coverage.get_data()
    lines = {
        str(Path(path).relative_to(root)): data.lines(path) or [] for path in data.measured_files()
    }
    kept = {"state": state, "seconds": done.seconds, "lines": lines}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(kept))
    return kept
