"""PlanMiner's plans: times, sections, what is not recorded."""

from __future__ import annotations

import pytest

from dias.errors import TraceError
from tests.traces.dialects.texts import TEXTS, atoms, read, steps, walk

TEXT = TEXTS["planminer"]


def test_actions_with_one_number_lead_to_the_next_state():
    text = "#Actions\n0: (GO A)\n1: (GO B)\n#States\n[1]: (AT B)\n[0]: (AT A)\n[2]: (AT C)\n"
    assert steps(read(text)) == [
        (atoms("(at a)"), "(go a)", atoms("(at b)")),
        (atoms("(at b)"), "(go b)", atoms("(at c)")),
    ]


def test_several_plans():
    traces = read(TEXT + TEXT)
    assert traces.n_steps == 6 and steps(traces) == walk()


def test_states_that_are_not_recorded():
    lines = TEXT.split("\n")
    text = "\n".join(line for line in lines if not line.startswith("[5]: "))
    traces = read(text)
    assert steps(traces) == walk()[:1]
    place = lines.index("[2, 5]: (WATER N - TANK ROSE - BED)") + 1
    assert f":{place}: 2 action(s) are left out, since the state before" in traces.findings[1]


def test_what_is_not_said_is_not_known():
    text = TEXT.replace(" (not (OPEN N - TANK))", "", 1)
    doubts = [(sorted(t.soft), sorted(t.next_soft)) for t in read(text).transitions]
    [atom] = atoms("(open n)")
    assert doubts == [([(atom, 0.5)], []), ([], []), ([], [])]


def test_an_object_of_two_types_leaves_types_out():
    traces = read(TEXT.replace("(WATER N - TANK", "(WATER N - POT"))
    assert dict(traces.types) == {}
    finding = 'types are left out, since "n" is "tank" first, and "pot" in line 5'
    assert traces.findings[1].endswith(finding)
    assert steps(traces) == walk()


@pytest.mark.parametrize(
    ("old", "new", "line", "finding"),
    [
        ("[2, 5]", "[1, 5]", 5, "one action after the other, found it at the time of the one in"),
        ("[2, 5]", "[0, 5]", 5, "one action after the other"),
        ("[0]: ", "[2]: ", 16, "one state of each time, found another one of 2 in line 12"),
        ("##Tasks##", "##Things##", 3, "expected a section"),
        ("##Tasks##", "", 4, "expected a section"),
        ("[2, 5]: ", "", 5, "expected a section"),
        ("(TURN-OFF N - TANK)", "", 6, "expected one action"),
        ("(TURN-OFF N - TANK)", "(A)(B)", 6, "expected one action"),
        ("(TURN-OFF N - TANK)", "(A", 6, "expected a `)`"),
        ("(TURN-OFF N - TANK)", "(A N - )", 6, "names with their types"),
        ("(TURN-OFF N - TANK)", "()", 6, "expected one action"),
    ],
)
def test_errors(old, new, line, finding):
    assert old in TEXT
    with pytest.raises(TraceError) as caught:
        read(TEXT.replace(old, new, 1))
    assert caught.value.place.split("walk.txt:")[1].split(":")[0] == str(line), caught.value
    assert finding in caught.value.problem
    assert caught.value.remedy
