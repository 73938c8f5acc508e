"""The order of the house: who may import whom, and which library sits where.

All imports count, those inside functions and under TYPE_CHECKING too.
"""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.helpers import command, garden, step, traces

ROOT = Path(__file__).parents[1]

# A module imports only from its own room and from rooms above it.
ROOMS = (
    ("dias.errors", "dias.arrays"),
    ("dias.config", "dias.file_kinds", "dias.files", "dias.limits", "dias.settings"),
    ("dias.strips",),
    ("dias.traces",),
    ("dias.evaluation", "dias.planning", "dias.coverage", "dias.diff"),
    ("dias.nn",),
    ("dias.learning",),
    ("dias.report",),
    ("dias_cli",),
)
# The only modules, or packages with all that is in them, that import a library. NumPy may be
# used where it helps.
OWNERS = {
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


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative"
            # `from dias.strips import reader` imports a module too.
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def is_in(name: str, packages: tuple[str, ...]) -> bool:
    """Whether a module is one of the given ones or inside one of them."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def room(name: str) -> int:
    """The number of a module's room, from the top."""
    numbers = [number for number, packages in enumerate(ROOMS) if is_in(name, packages)]
    assert len(numbers) == 1, f"{name} has no room: add it to ROOMS"
    return numbers[0]


def test_the_house_is_found():
    assert {"dias.errors", "dias.strips.pddl.reader", "dias.nn.model", "dias_cli.main"} <= set(
        MODULES
    )


@pytest.mark.parametrize("name", [name for name in MODULES if name != "dias"])
def test_imports_go_up(name):
    """The package `dias` itself is left out: it names the verbs of all rooms, lazily."""
    for line, imported in imports(MODULES[name]):
        if is_in(imported, ("dias", "dias_cli")) and imported.count("."):
            if imported == "dias.__version__":
                continue
            assert room(imported) <= room(name), f"{MODULES[name]}:{line} imports {imported}"


def test_no_imports_go_in_a_circle():
    """Again without the package `dias` itself."""
    own = {name: path for name, path in MODULES.items() if name != "dias"}
    graph = {
        name: {
            module for _, imported in imports(path) for module in own if is_in(imported, (module,))
        }
        - {name}
        for name, path in own.items()
    }
    order = list(graphlib.TopologicalSorter(graph).static_order())  # CycleError names the circle
    assert sorted(order) == sorted(own)


@pytest.mark.parametrize("name", MODULES)
def test_each_library_sits_in_one_place(name):
    for line, imported in imports(MODULES[name]):
        top = imported.split(".")[0]
        if top not in sys.stdlib_module_names and top not in ("dias", "dias_cli"):
            if top == "dias_benchmarks":
                assert name in ("dias_cli.commands.bench", "dias_cli.commands.demo")
                continue
            assert top in OWNERS, f"{MODULES[name]}:{line}: {top} belongs nowhere yet"
            assert is_in(name, OWNERS[top]), f"{MODULES[name]}:{line} imports {imported}"


@pytest.mark.parametrize("library", OWNERS)
def test_no_owner_is_named_in_vain(library):
    """An owner that has gone would let the library in there again."""
    for owner in OWNERS[library]:
        files = [path for name, path in MODULES.items() if is_in(name, (owner,))]
        tops = {imported.split(".")[0] for path in files for _, imported in imports(path)}
        assert library in tops, f"{owner} does not import {library}"


def test_nothing_but_tests_imports_the_command():
    for path in sorted((ROOT / "benchmarks").rglob("*.py")):
        for line, imported in _absolute_imports(path):
            assert not is_in(imported, ("dias_cli", "cli")), f"{path}:{line} imports {imported}"


BENCHMARK_OWNERS = {
    "clingo": (),
    "dask": ("running.cluster",),
    "dask_jobqueue": ("running.cluster",),
    "distributed": ("running.cluster",),
    "matplotlib": ("reports",),  # its types; dias.report.figures makes figures
    "networkx": (),
    "rich": ("running.progress",),
    "torch": ("tables.step_time",),
}
"""The same as OWNERS for the benchmark suite, which takes the rest as it comes."""


@pytest.mark.parametrize(
    "room", sorted((ROOT / "benchmarks").rglob("__init__.py")), ids=lambda p: p.parent.name
)
def test_libraries_of_the_benchmark_suite(room):
    for path in sorted(room.parent.glob("*.py")):
        name = ".".join(path.relative_to(ROOT / "benchmarks").with_suffix("").parts)
        for line, imported in _absolute_imports(path):
            owners = BENCHMARK_OWNERS.get(imported.split(".")[0], (name,))
            assert is_in(name, owners), f"{path}:{line} imports {imported}"


def _absolute_imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.lineno, str(node.module)


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
