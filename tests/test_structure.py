"""The order of the house: who may import whom, and which library sits where.

All imports count, those inside functions and under TYPE_CHECKING too.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.cli.helpers import GOOD_PLAN, command, garden, step, traces, write

ROOT = Path(__file__).parents[1]

# A module imports only from its own room and from rooms above it.
ROOMS = (
    ("dias.errors", "dias.arrays"),
    (
        "dias.config",
        "dias.file_kinds",
        "dias.files",
        "dias.limits",
        "dias.methods",
        "dias.settings",
    ),
    ("dias.strips",),
    ("dias.adapters",),
    ("dias.traces",),
    ("dias.evaluation", "dias.planning", "dias.coverage", "dias.diff"),
    ("dias.nn",),
    ("dias.learning",),
    ("dias.adapters.amlgym",),
    ("dias.report",),
    ("dias_cli",),
)
# The only modules, or packages with all that is in them, that import a library. NumPy may be
# used where it helps.
OWNERS = {
    "amlgym": ("dias.adapters.amlgym",),
    "clingo": ("dias.strips.engines.tarski_grounding",),
    "click": ("dias_cli",),
    "jinja2": ("dias.report.page.render",),
    "matplotlib": ("dias.report.figures",),
    "networkx": ("dias.coverage.state_space",),
    "numpy": ("dias", "dias_cli"),
    "pddl": ("dias.strips.pddl.package",),
    "pyperplan": ("dias.planning.searches", "dias.strips.engines.pyperplan_grounding"),
    "rich": ("dias_cli",),
    "tarski": ("dias.strips.engines.tarski_grounding",),
    "torch": ("dias.nn", "dias.learning"),
    "unified_planning": ("dias.adapters.unified_planning",),
}


def modules() -> dict[str, Path]:
    """Module name to file, for all of the packages `dias` and `dias_cli`."""
    found = {}
    for package, folder in (("dias", ROOT / "dias"), ("dias_cli", ROOT / "cli")):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join((package, *(part for part in parts if part != "__init__")))] = path
    return found


MODULES = modules()


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Line and full name of everything that a file imports; relative ones begin with a dot."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # `from dias.strips import reader` imports a module too.
            source = "." * node.level + (node.module or "")
            found += [(node.lineno, f"{source}.{alias.name}") for alias in node.names]
    return tuple(found)


def list_imports(violations: Iterable[tuple[Path, int, str]]) -> str:
    """A line for each import that breaks a rule: where it stands, and what it imports."""
    return "".join(
        f"\n{path.relative_to(ROOT)}:{line} imports {name}" for path, line, name in violations
    )


def is_in(name: str, packages: tuple[str, ...]) -> bool:
    """Whether a module is one of the given ones or inside one of them."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def room(name: str) -> int:
    """The number of a module's room, from the top: of two, that which names it more narrowly."""
    numbers = [
        (len(package), number)
        for number, packages in enumerate(ROOMS)
        for package in packages
        if is_in(name, (package,))
    ]
    assert numbers, f"{name} has no room: add it to ROOMS"
    assert len(numbers) == 1 or is_in(name, ("dias.adapters",))
    return max(numbers)[1]


def test_the_house_is_found():
    assert {"dias.errors", "dias.strips.pddl.reader", "dias.nn.model", "dias_cli.main"} <= set(
        MODULES
    )


def test_no_import_is_relative():
    relative = [
        (path, line, imported)
        for path in MODULES.values()
        for line, imported in imports(path)
        if imported.startswith(".")
    ]
    assert not relative, list_imports(relative)


def test_imports_go_up():
    """The package `dias` itself is left out: it names the verbs of all rooms, lazily."""
    down = [
        (path, line, imported)
        for name, path in MODULES.items()
        if name != "dias"
        for line, imported in imports(path)
        if is_in(imported, ("dias", "dias_cli")) and imported.count(".")
        if imported != "dias.__version__" and room(imported) > room(name)
    ]
    assert not down, list_imports(down)


def test_no_import_goes_round_in_a_circle():
    """The package `dias` is left out here too."""
    graph = {
        name: {imported_module(imported) for _, imported in imports(path)} & set(MODULES) - {name}
        for name, path in MODULES.items()
        if name != "dias"
    }
    TopologicalSorter(graph).prepare()  # CycleError names the circle


def imported_module(name: str) -> str:
    """The module that an import is of: what it names, or where the name is from."""
    return name if name in MODULES else name.rpartition(".")[0]


def test_no_module_is_left_over():
    """Each is imported by another; commands are loaded by name."""
    files = [*MODULES.values(), *(ROOT / "benchmarks").rglob("*.py")]
    used = {imported_module(name) for path in files for _, name in imports(path)}
    assert not [
        name
        for name, path in MODULES.items()
        if name not in used
        and path.stem not in ("__init__", "__main__")
        and not is_in(name, ("dias_cli.commands",))
    ]


def test_each_library_sits_in_one_place():
    astray = [
        (path, line, imported)
        for name, path in MODULES.items()
        for line, imported in imports(path)
        for top in [imported.split(".")[0]]
        if top not in sys.stdlib_module_names and top not in ("dias", "dias_cli")
        if not is_in(name, OWNERS.get(top, ()))
    ]
    assert not astray, list_imports(astray)


def test_no_owner_is_named_in_vain():
    """An owner that has gone would let the library in there again."""
    vain = [
        f"{owner} does not import {library}"
        for library, owners in OWNERS.items()
        for owner in owners
        if not any(
            is_in(name, (owner,)) and is_in(imported, (library,))
            for name, path in MODULES.items()
            for _, imported in imports(path)
        )
    ]
    assert not vain, vain


def test_nothing_but_tests_imports_the_command():
    wrong = [
        (path, line, imported)
        for path in sorted((ROOT / "benchmarks").rglob("*.py"))
        for line, imported in imports(path)
        if is_in(imported, ("dias_cli", "cli"))
    ]
    assert not wrong, list_imports(wrong)


BENCHMARK_OWNERS = {
    "amlgym": ("amlgym_bench",),
    "clingo": (),
    "dask": ("running.cluster",),
    "dask_jobqueue": ("running.cluster",),
    "distributed": ("running.cluster",),
    "matplotlib": ("reports",),  # its types; dias.report.figures makes figures
    "networkx": (),
    "rich": ("running.progress",),
    "torch": ("tables.scale.step_time",),
}
"""The same as OWNERS for the benchmark suite, which takes the rest as it comes."""


def test_libraries_of_the_benchmark_suite():
    astray = []
    for path in sorted((ROOT / "benchmarks").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT / "benchmarks").with_suffix("").parts)
        for line, imported in imports(path):
            owners = BENCHMARK_OWNERS.get(imported.split(".")[0], (name,))
            if not is_in(name, owners):
                astray.append((path, line, imported))
    assert not astray, list_imports(astray)


MAX_FILES = 16
"""As many modules in one folder as a reader takes in at once."""


def test_no_folder_is_crowded():
    folders = Counter(
        path.parent.relative_to(ROOT).as_posix()
        for top in ("dias", "cli", "benchmarks", "tests")
        for path in (ROOT / top).rglob("*.py")
    )
    crowded = {folder: n_files for folder, n_files in folders.items() if n_files > MAX_FILES}
    assert not crowded


HEAVY = ("torch", "networkx", "matplotlib", "jinja2", "scipy", "sympy")
LIGHT_COMMANDS = {
    "help": (["--help"], (*HEAVY, "numpy", "pddl", "pyperplan", "tarski")),
    "bench --help": (
        ["bench", "--help"],
        (*HEAVY, "distributed", "numpy", "pddl", "pyperplan", "rich", "tarski"),
    ),
    "learn --help": (["learn", "--help"], (*HEAVY, "numpy", "pddl", "pyperplan", "tarski")),
    "learn": (
        ["learn", "walk.jsonl", "--method", "symbolic", "-o", "learned.pddl"],
        (*HEAVY, "pyperplan", "tarski", "clingo"),
    ),
    "evaluate": (
        ["evaluate", "domain.pddl", "--gt", "domain.pddl"],
        (*HEAVY, "pyperplan", "tarski", "clingo"),
    ),
    "plan": (
        ["plan", "domain.pddl", "p.pddl", "--gt", "domain.pddl"],
        (*HEAVY, "tarski", "clingo"),
    ),
    "sample": (
        ["sample", "domain.pddl", "p.pddl", "-o", "t.jsonl"],
        (*HEAVY, "pyperplan", "tarski", "clingo"),
    ),
    "validate": (
        ["validate", "plan.txt", "--domain", "domain.pddl", "--problem", "p.pddl"],
        (*HEAVY, "numpy", "pyperplan", "tarski", "clingo"),
    ),
    "convert": (
        ["convert", "walk.jsonl", "-o", "t.jsonl"],
        (*HEAVY, "numpy", "pddl", "pyperplan", "tarski"),
    ),
    "convert --domain": (
        ["convert", "plan.txt", "--domain", "domain.pddl", "--problem", "p.pddl", "-o", "t.jsonl"],
        (*HEAVY, "numpy", "pyperplan", "tarski", "clingo"),
    ),
    "diff": (["diff", "domain.pddl", "domain.pddl"], (*HEAVY, "numpy", "pyperplan", "tarski")),
    "inspect": (["inspect", "walk.jsonl"], (*HEAVY, "numpy", "pddl", "pyperplan", "tarski")),
    "inspect --domain": (
        ["inspect", "walk.jsonl", "--domain", "domain.pddl", "--problem", "p.pddl"],
        (*HEAVY, "numpy", "pyperplan", "tarski"),
    ),
}


@pytest.mark.parametrize("name", LIGHT_COMMANDS)
def test_only_learning_loads_torch(tmp_path, name):
    """What a command does not use it does not load, so that it starts at once."""
    garden(tmp_path)
    traces(
        tmp_path,
        {"dias": "trace/1"},
        step("shut north", "turn-on", "open north"),
        name="walk.jsonl",
    )
    write(tmp_path, "plan.txt", GOOD_PLAN)
    arguments, unwanted = LIGHT_COMMANDS[name]
    python, *rest = command(*arguments)
    done = subprocess.run(
        [python, "-X", "importtime", *rest], cwd=tmp_path, capture_output=True, timeout=60
    )
    assert done.returncode == 0
    times = [line for line in done.stderr.decode().splitlines() if line.startswith("import time:")]
    loaded = {line.split("|")[2].strip().split(".")[0] for line in times}
    assert {"click", "dias", "dias_cli"} <= loaded
    assert not loaded & set(unwanted)
