"""Every spelling of a plan means the same steps; a line that is no step is named."""

from __future__ import annotations

import pytest

from dias.errors import PlanError
from dias.planning.plan_file import parse_plan, read_plan
from dias.strips.grounding import GroundAction

STEPS = [GroundAction("drive", ("t1", "a", "b")), GroundAction("wait")]
SPELLINGS = {
    "IPC": "(drive t1 a b)\n(wait)\n; cost = 2 (unit cost)\n",
    "any case and blanks": "\t( DRIVE  T1 A B ) ; first\n\n(Wait)",
    "VAL": "0: (drive t1 a b) [1]\n1: (wait) [1]\n",
    "temporal": "; Time 0.02\n0.00: (DRIVE T1 A B) [1.0]\n1.001: (WAIT) [0.5]\n",
    "temporal, unsorted": "5.5: (wait) [1.0]\n0.25: (drive t1 a b) [5.0]\n",
    "the same time": "0: (drive t1 a b) [1]\n0: (wait) [1]\n",
    "LPG": "0.0003:   (DRIVE T1 A B) [D:1.00; C:0.10]\n1.0005:   (WAIT) [D:1.00; C:0.10]\n",
    "FF": "step    0: DRIVE T1 A B\n        1: WAIT\n",
    "the log of Fast Downward": "drive t1 a b (1)\nwait (0)\n",
    "unified-planning": "SequentialPlan:\n    drive(T1, a, b)\n    wait\n",
    "unified-planning, with brackets": "SequentialPlan:\n    drive(t1,a,b)\n    wait()\n",
    "the output of FF": (
        "ff: parsing domain file\ndomain 'ROAD' defined\n\nff: found legal plan as follows\n\n"
        "step    0: DRIVE T1 A B\n        1: WAIT\n     \n\ntime spent:    0.00 seconds searching\n"
    ),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_spellings(name):
    assert [step.action for step in parse_plan(SPELLINGS[name])] == STEPS


def test_lines_count_remarks_and_blanks():
    assert [step.line for step in parse_plan("; a\n\n(go)\n\n(go)\n")] == [3, 5]
    assert [step.line for step in parse_plan(SPELLINGS["the output of FF"])] == [6, 7]
    assert [step.line for step in parse_plan("2: (b)\n1: (a)")] == [2, 1]


def test_the_order_of_the_file_where_some_step_has_no_time():
    assert [step.line for step in parse_plan("2: (b)\n(c)\n1: (a)")] == [1, 2, 3]


def test_what_comes_after_the_steps_of_ff_is_passed_over():
    """Whatever it is: its remarks may look like steps."""
    text = SPELLINGS["the output of FF"] + "     2: (drive t1 b a)\n"
    assert [step.action for step in parse_plan(text)] == STEPS


def test_times_are_numbers():
    assert [step.line for step in parse_plan("10: (b)\n9: (a)")] == [2, 1]


def test_a_plan_without_steps():
    assert parse_plan("; cost = 0 (unit cost)\n") == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("move a b", '"move a b"'),
        ("move a b (c)", '"move a b (c)"'),
        ("move(a, b)", '"move(a, b)"'),
        ("()", '"()"'),
        ("(move ?x)", '"(move ?x)"'),
        ("(move (a))", '"(move (a))"'),
        ("(move a) (move b)", '"(move a) (move b)"'),
        ("one: (move a)", '"one: (move a)"'),
        ("(move a", '"(move a"'),
        ("3:", '"3:"'),
        ("(move a\u200b)", r'"(move a\u200b)"'),
        ("x" * 100, f'"{"x" * 60}…"'),
    ],
)
def test_what_is_no_step(line, found):
    with pytest.raises(PlanError) as caught:
        parse_plan(f"(go a)\n{line}\n", "p.txt")
    error = caught.value
    assert error.place == "p.txt:2"
    assert error.problem.startswith("expected a step such as `(op x y)`")
    assert error.problem.endswith(f"found {found}")
    assert error.remedy == "Begin remarks with ;"


def test_what_is_no_step_of_unified_planning():
    with pytest.raises(PlanError, match='found "move a b"') as caught:
        parse_plan("SequentialPlan:\n  wait\n\n  move a b\n", "p.txt")
    assert caught.value.place == "p.txt:4"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("(define (domain d))", "a PDDL domain"), ('{"a": 1}', "JSON"), ("a,b\n1,2", "a table (CSV)")],
)
def test_another_kind_of_file(text, kind):
    with pytest.raises(PlanError, match="right file") as caught:
        parse_plan(text, "p.txt")
    assert caught.value.problem.endswith(f"found {kind}")


def test_files(tmp_path):
    path = tmp_path / "plan.txt"
    with pytest.raises(PlanError, match="nothing of that name"):
        read_plan(path)
    path.write_text("\ufeff(go)\r\n(go a)\r\n", "utf-8")
    assert [str(step.action) for step in read_plan(path)] == ["(go)", "(go a)"]
    path.write_text("(go\n", "utf-8")
    with pytest.raises(PlanError) as caught:
        read_plan(path)
    assert caught.value.place == f"{path}:1"
