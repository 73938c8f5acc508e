"""Causes and readings in words."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dias.learning.certificate.causes import Cause
from dias.report.causes import cause_json, cause_text, reading
from tests.report.test_learning import RESULT


@pytest.mark.parametrize(
    ("cause", "begin", "end"),
    [
        (
            Cause("constant", 7, 12, ("depot", "hub")),
            "7 steps that stay unexplained change atoms of depot, hub",
            "name it in the header (constants)",
        ),
        (Cause("unnamed", 1200, 3), "1,200 steps that stay", "are they all recorded, and right?"),
        (Cause("repeated", 2, 3), "2 steps, all that stay", "something else then?"),
        (Cause("odd", 2, 3), "2 steps do not fit what all the others", "or wrongly named?"),
        (Cause("noise", 300, 3), "300 steps stay unexplained, more", "or several things?"),
        (Cause("unchanged", 2, 3), "2 steps change nothing", "learn with --unchanged refused"),
    ],
)
def test_a_cause_says_how_many_where_and_what_would_help(cause, begin, end):
    text = cause_text(cause)
    assert text.startswith(begin)
    assert text.endswith(end)
    assert f"(line {cause.line})" in text
    assert "line 4" in cause_text(cause._replace(line=4))
    value = cause_json(cause)
    assert json.loads(json.dumps(value)) == value
    assert Cause(**value | {"objects": tuple(value["objects"])}) == cause


def test_changes_that_noise_may_have_made():
    text = cause_text(Cause("feigned", 34, 3, ("knows",)))
    assert "change of knows that about 34 steps are bound by" in text


def test_an_action_without_an_effect():
    text = cause_text(Cause("idle", 34, 3))
    assert text == "has no effect: what 34 steps change (line 3) is taken for noise"


def test_what_was_read_as_refused():
    assert reading(RESULT) == []
    [text] = reading(replace(RESULT, read_as_refused={"move": 1}))
    assert text == (
        "Distinct steps that change nothing, read as refused attempts: 1 of move "
        "(--unchanged happened takes them as they stand)."
    )
    [text] = reading(replace(RESULT, read_as_refused={"a": 1, "b": 2345}))
    assert "refused attempts: 1 of a, 2,345 of b (" in text
