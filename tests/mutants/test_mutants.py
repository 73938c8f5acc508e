"""The parts of `make mutants` that need no mutation tool, and what may be changed, with one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutants import areas, meaningless
from tests.mutants.choose import choose, statement
from tests.mutants.draw import Mutant, ranked
from tests.mutants.run import Run, mutated
from tests.mutants.table import table

ROOT = Path(__file__).parents[2]
PATHS = [
    path.relative_to(ROOT).as_posix()
    for part in ("dias", "cli", "tests")
    for path in sorted((ROOT / part).rglob("*.py"))
]
MUTANTS = [
    Mutant("a.py", 10 * line, f"line {line}", "Number", 2 * line + choice, choice)
    for line in range(30)
    for choice in range(2)
]


def test_the_seed_decides_on_the_sample():
    assert ranked(MUTANTS, 1) == ranked(MUTANTS[::-1], 1)
    assert ranked(MUTANTS, 1)[:10] != ranked(MUTANTS, 2)[:10]


def test_one_mutant_of_each_place_and_either_variant():
    found = ranked(MUTANTS, 1)
    assert sorted(m.line for m in found) == [10 * line for line in range(30)]
    assert {m.choice for m in found} == {0, 1}


def test_what_moves_is_drawn_again():
    moved = [
        Mutant(f"b/{m.path}", m.line + 7, *m[2:4], m.occurrence + 3, m.choice) for m in MUTANTS
    ]
    assert [m.name for m in ranked(moved, 1)] == [f"b/{m.name}" for m in ranked(MUTANTS, 1)]


def test_a_place_less_leaves_the_order_of_the_others():
    before = ranked(MUTANTS, 1)
    fewer = [m for m in MUTANTS if m.place != before[3].place]
    assert ranked(fewer, 1) == before[:3] + before[4:]


def test_the_table():
    outcomes = ["killed"] * 6 + ["survived"] * 3 + ["timed out"]
    results = [{"area": "nn", "outcome": outcome} for outcome in outcomes]
    assert table([*results, {"area": "cli", "outcome": "survived"}]) == (
        "area          mutants     killed   survived  timed out  score\n"
        "nn                 10          6          3          1     70\n"
        "cli                 1          0          1          0      0"
    )


def test_every_file_has_one_area_and_every_area_files_and_tests():
    of_area = {area: areas.sources(area, PATHS) for area in areas.AREAS}
    assert sorted(p for paths in of_area.values() for p in paths) == [
        path for path in sorted(PATHS) if not path.startswith("tests/")
    ]
    for area in areas.USUAL:
        assert of_area[area], area
        assert areas.tests(area, PATHS), area


def test_the_longest_beginning_decides():
    paths = ["dias/learning/noise/a.py", "dias/learning/a.py", "dias/a.py", "dias/nn/b/a.py"]
    owners = {path: [a for a in areas.AREAS if areas.sources(a, [path])] for path in paths}
    assert list(owners.values()) == [["noise"], ["learning"], ["top"], ["nn"]]


def test_tests_of_a_statement_its_own_first_then_the_quickest_within_the_budget():
    measured = {
        test: {"seconds": seconds, "lines": {"dias/join.py": lines}}
        for test, seconds, lines in (
            ("t/test_slow.py", 9, [1, 2]),
            ("t/test_quick.py", 1, [2]),
            ("t/test_other.py", 1, [3]),
            ("t/test_join.py", 5, [2]),
        )
    }
    own, quick, slow = (f"t/test_{name}.py" for name in ("join", "quick", "slow"))
    assert choose(measured, "dias/join.py", range(2, 3), 15) == [own, quick, slow]
    assert choose(measured, "dias/join.py", range(2, 3), 14) == [own, quick]
    assert choose(measured, "dias/join.py", range(2, 3), 0) == [own]
    assert choose(measured, "dias/else.py", range(2, 3), 15) == []


def test_the_lines_of_a_statement_end_where_its_body_begins():
    source = "def f(\n    x,\n):\n    return (\n        x\n    )\n"
    assert statement(source, 2) == range(1, 4)
    assert statement(source, 5) == range(4, 7)


def test_what_is_not_drawn():
    source = """\
N: int = 5
PAIRS = ((True, 1),)
BLOCKS = (1, 2)
if TYPE_CHECKING:
    from x import y
@dataclass(frozen=True)
class C:
    a: int = 7
    b: int = 0
def f(a: int | None = 1, *, b: float = 0.5) -> int | None:
    assert a > 0
    log.info("%s", a + 1)
    return zip(a, b, strict=True)
"""
    found = [ast.unparse(node) for node in meaningless.nodes(ast.parse(source))]
    types = ["int", "int", "int", "int | None", "float", "int | None"]
    numbers = ["5", "(1, 2)", "7", "0.5"]
    rest = ["dataclass(frozen=True)", "if TYPE_CHECKING:\n    from x import y", "strict=True"]
    assert sorted(found) == sorted(
        [*types, *numbers, *rest, "assert a > 0", "log.info('%s', a + 1)"]
    )


def test_a_mutated_file_is_put_back(tmp_path):
    file = tmp_path / "a.py"
    file.write_text("x = 1\n")
    before = file.stat().st_mtime_ns
    with pytest.raises(KeyboardInterrupt), mutated(file, "x = 2\n", 1):
        assert file.read_text() == "x = 2\n"
        raise KeyboardInterrupt
    assert file.read_text() == "x = 1\n"
    assert file.stat().st_mtime_ns == before


def test_the_file_that_failed():
    output = "...F\nFAILED tests/a/test_b.py::test_c[1] - assert 0\n1 failed in 0.1s\n"
    assert Run("killed", 1.0, output).failed == "tests/a/test_b.py"
    assert Run("survived", 1.0, "2 passed").failed is None


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("if a and b:\n    f(x)\n", ["True and b", "a and True", "a or b", "not a", "pass"]),
        ("x += a in b\n", ["pass", "not in"]),
        ("return min(a, x[1])\n", ["max(", "[ 2]", "[ 0]"]),
        ("try:\n    a\nexcept b.C as error:\n    raise\n", ["except () as error"]),
        ("x: int | None = None\n", []),
    ],
)
def test_what_may_be_changed(source, changed):
    pytest.importorskip("cosmic_ray")
    from tests.mutants.find import mutants, mutated

    codes = [mutated(source, mutant) for mutant in mutants("a.py", source)]
    for text in changed:
        assert sum(text in code for code in codes) == 1, codes
    assert len(codes) >= len(changed)
    assert changed or not codes
