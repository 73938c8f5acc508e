"""The counts of what a trace file holds, on files written by hand."""

from __future__ import annotations

from dias.traces.inspect import inspect_traces
from tests.traces.files import HEADER, atoms, header, read, step

FULL = {"dias": "trace/1", "labels": "full"}


def inspected(*lines):
    """The counts of a file with these lines."""
    return inspect_traces(read(*lines))


def action(inspection, name):
    """The counts of one action."""
    return next(own for own in inspection.actions if own.name == name)


def test_samples_of_an_action():
    """Six steps, four distinct, in three states; one that changes nothing, twice."""
    found = inspected(
        step(["(p a)"], "go", ["(q a)"]),
        step(["(p a)"], "go", ["(q a)"]),
        step(["(p a)"], "go", ["(q b)"]),
        step(["(p b)"], "go", ["(p b)"]),
        step(["(p b)"], "go", ["(p b)"]),
        step(["(p c)"], "go", ["(p c)", "(q a)", "(q b)"]),
        step(["(p c)"], "stay", ["(p c)"]),
        step(["(p c)"], "stay", None),
    )
    go = action(found, "go")
    assert (go.n_steps, go.n_distinct, go.n_states, go.n_unchanged, go.n_refused) == (6, 4, 3, 2, 0)
    assert go.changes == (((("+q", 1), ("-p", 1)), 2), ((("+q", 2),), 1))
    stay = action(found, "stay")
    assert (stay.n_steps, stay.n_unchanged, stay.n_refused, stay.changes) == (1, 1, 1, ())
    assert found.n_states == 6


def test_an_action_that_was_never_seen():
    found = inspected(HEADER | {"actions": ["drive", "park"]},
                      step(["(at c n)"], "drive", ["(at c m)"]))  # fmt: skip
    assert [own.name for own in found.actions] == ["drive", "park"]
    park = action(found, "park")
    assert (park.n_steps, park.n_distinct, park.n_states, park.changes) == (0, 0, 0, ())


def test_arguments_that_are_the_same_object_throughout():
    found = inspected(
        FULL,
        step(["(p a)"], "(go a b c)", ["(q a)"]),
        step(["(p b)"], "(go b b c)", ["(q b)"]),
        step(["(p b)"], "(go b b c)", ["(q b)"]),
        step(["(p b)"], "(once a)", ["(q a)"]),
        step(["(p b)"], "(once a)", ["(q a)"]),
        step(["(p b)"], "(wait)", []),
        step(["(p a)"], "(wait)", []),
    )
    assert action(found, "go").same_arguments == ((2, "b"), (3, "c"))
    assert action(found, "once").same_arguments == ()  # one transition says nothing
    assert action(found, "wait").same_arguments == ()
    elsewhere = step(["(p a)"], "(go a b a)", ["(q a)"])
    found = inspected(FULL, step(["(p a)"], "(go a b c)", []), FULL | {"problem": "p"}, elsewhere)
    assert action(found, "go").same_arguments == ((1, "a"), (2, "b"))
    names = FULL | {"labels": "names"}
    found = inspected(names, step(["(p a)"], "(go a)", []), step(["(p b)"], "(go a)", []))
    assert action(found, "go").same_arguments == ()


def test_states_that_no_step_leaves():
    found = inspected(
        step(["(p a)"], "go", ["(p b)"]),
        step(["(p b)"], "go", ["(p c)"]),
        step(["(p a)"], "go", ["(p d)"]),
        step(["(p b)"], "stop", ["(p d)"]),
        {"states": [["(p e)"], ["(p f)"], ["(p e)"]], "actions": ["go", "go"]},
    )
    assert [(end.line, end.state) for end in found.dead_ends] == [
        (2, atoms("p c")), (3, atoms("p d")),
    ]  # fmt: skip


def test_problems_are_kept_apart():
    """The same state in two problems is two states; where it ends in one, it is a dead end."""
    lines = [step(["(p a)"], "go", ["(p b)"]), step(["(p b)"], "go", ["(p a)"])]
    found = inspected({"dias": "trace/1", "problem": "one"}, *lines,
                      {"dias": "trace/1", "problem": "two"}, lines[0])  # fmt: skip
    assert found.n_states == 4
    assert action(found, "go").n_states == 3
    assert [(end.segment, end.line) for end in found.dead_ends] == [(1, 5)]


def test_predicates_that_change_that_stay_and_that_never_hold():
    found = inspected(
        header(predicates={"at": ["vehicle", "bay"], "road": ["bay", "bay"], "idle": [],
                           "lit": [], "shut": ["bay"]}),
        step(["(at c n)", "(idle)"], "drive", ["(at c m)", "(idle)"]),
    )  # fmt: skip
    assert found.changing == ("at",)
    assert found.static == ("idle", "road")  # in the states, and in the header
    assert found.never_true == ("lit", "shut")


def test_contradictions():
    lines = [
        step(["(p a)"], "(go a)", ["(p b)"]),
        step(["(p a)"], "(go b)", ["(p c)"]),
        step(["(p a)"], "(go a)", ["(p c)"]),
        step(["(p b)"], "(go a)", ["(p a)"]),
        step(["(p a)"], "(go a)", ["(p d)"]),
    ]
    [group] = inspected(FULL, *lines).contradictions
    assert [transition.line for transition in group] == [2, 4, 6]
    assert inspected(FULL | {"labels": "names"}, *lines).contradictions == ()


def test_what_is_unknown_contradicts_nothing():
    """Nor is a transition without change that may have had one."""

    def unknown(*atoms, **more):
        return {"next-unknown": [f"({atom})" for atom in atoms], **more}

    lines = [
        step(["(p a)"], "(go a)", ["(p b)"], **unknown("p c")),
        step(["(p a)"], "(go a)", [], **unknown("p b", "p c")),
        step(["(p b)"], "(go a)", ["(p b)"], **unknown("p a")),
    ]
    found = inspected(FULL, *lines)
    assert found.contradictions == ()
    assert [own.n_unchanged for own in found.actions if own.n_steps] == [0]
    assert not any("change nothing" in text for text in found.traces.findings)
    # After one of them it certainly is not.
    [group] = inspected(FULL, *lines, step(["(p a)"], "(go a)", ["(p d)"])).contradictions
    assert [transition.line for transition in group] == [2, 3, 5]
    # Where the state before is not known, it may have been another one.
    open_ones = [step(["(p a)"], "(go a)", [f"(p {x})"], unknown=["(q a)"]) for x in "bc"]
    assert inspected(FULL, *open_ones).contradictions == ()
