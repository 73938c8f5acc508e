"""`dias evaluate`."""

from __future__ import annotations

import pytest

from tests.cli.helpers import (
    DOMAIN,
    PROBLEM,
    call,
    garden,
    is_one_error,
    rehashed,
    strict_json,
    write,
)

LOOSE = DOMAIN.replace("(open ?t) (pipe ?t ?b) (dry ?b)", "(pipe ?t ?b) (dry ?b)")
"""A domain that waters from shut tanks too."""
STRICT = DOMAIN.replace(":precondition (wet ?b)", ":precondition (and (wet ?b) (dry ?b))")
"""A domain in which the sun never dries a bed."""


def evaluate(folder, learned, *options):
    """The JSON result for a learned domain, measured in the garden."""
    garden(folder)
    write(folder, "learned.txt", learned)
    arguments = ("evaluate", "learned.txt", "--gt", "domain.pddl", *options, "--json")
    outcome = call(*arguments, cwd=folder)
    assert outcome.status == 0, outcome.err
    return strict_json(outcome.out)


def test_a_domain_against_itself(tmp_path):
    """16 states: two tanks and two beds, each in one of two conditions."""
    value = evaluate(tmp_path, DOMAIN)
    assert (value["sound"], value["complete"], value["failure"]) == (True, True, None)
    assert (value["states"], value["exact_states"]) == (16, 16)
    assert value["successor_states"]["false_positives"] == 0
    assert sorted(value["actions"]) == ["sun", "turn-off", "turn-on", "water"]


def test_renamed_and_reordered_parameters_do_not_count(tmp_path):
    learned = DOMAIN.replace("(?t - tank ?b - bed)\n", "(?y - bed ?x - tank)\n").replace(
        "(and (open ?t) (pipe ?t ?b) (dry ?b))\n    :effect (and (wet ?b) (not (dry ?b)))",
        "(and (open ?x) (pipe ?x ?y) (dry ?y))\n    :effect (and (wet ?y) (not (dry ?y)))",
    )
    assert learned != DOMAIN
    value = evaluate(tmp_path, learned)
    assert (value["sound"], value["complete"]) == (True, True)


def test_unsound(tmp_path):
    value = evaluate(tmp_path, LOOSE)
    assert (value["sound"], value["complete"]) == (False, True)
    assert value["successor_states"]["recall"] == 1
    assert value["successor_states"]["precision"] < 1
    assert value["actions"]["water"]["false_positives"] > 0
    assert value["actions"]["sun"]["precision"] == 1


def test_incomplete(tmp_path):
    value = evaluate(tmp_path, STRICT)
    assert (value["sound"], value["complete"]) == (True, False)
    assert value["actions"]["sun"]["recall"] == 0
    assert value["actions"]["sun"]["precision"] == 1  # nothing was predicted


def test_text(tmp_path):
    evaluate(tmp_path, LOOSE)
    status, out, _ = call("evaluate", "learned.txt", "--gt", "domain.pddl", cwd=tmp_path)
    assert status == 0
    assert out.splitlines()[0].split()[:4] == ["problem", "states", "exact", "precision"]
    assert out.splitlines()[-1] == "In the 16 states tried: Sound: no. Complete: yes."


def test_the_problems_beside_the_true_domain(tmp_path):
    """The training problem p01 only if there is no other; which ones is said."""
    true = tmp_path / "true"
    true.mkdir()
    arguments = ("evaluate", "learned.pddl", "--gt", "true/domain.pddl", "--json")
    write(tmp_path, "learned.pddl", DOMAIN)
    write(true, "domain.pddl", DOMAIN)
    is_one_error(call(*arguments, cwd=tmp_path), "true/domain.pddl", "found none", "--problem FILE")
    write(true, "p01.pddl", PROBLEM.replace("plot", "first"))
    one = call(*arguments, cwd=tmp_path)
    assert one.err == "problems: true/p01.pddl\n"
    for number in (3, 2):
        text = PROBLEM.replace("plot", f"number-{number}").replace("(:domain", "( :DOMAIN")
        write(true, f"p0{number}.pddl", text)
    several = call(*arguments, cwd=tmp_path)
    assert several.err == "problems: true/p02.pddl, true/p03.pddl\n"
    names = [problem["problem"] for problem in strict_json(several.out)["problems"]]
    assert names == ["number-2", "number-3"]


def test_what_is_beside_the_true_domain_and_does_not_belong_to_it(tmp_path):
    garden(tmp_path)
    write(tmp_path, "empty.pddl", "")
    write(tmp_path, "q.pddl", "(define (problem q) (:domain other) (:init) (:goal (and)))")
    status, out, err = call("evaluate", "domain.pddl", "--gt", "domain.pddl", cwd=tmp_path)
    assert status == 0
    assert "Sound: yes. Complete: yes." in out
    left_out, used = err.splitlines()
    assert left_out.startswith("warning: left out: empty.pddl: expected text, found an empty file")
    assert used == "problems: p.pddl"


def test_named_problems(tmp_path):
    value = evaluate(tmp_path, DOMAIN, "--problem", "p.pddl", "--problem", "p.pddl")
    assert [problem["states"] for problem in value["problems"]] == [16, 16]


def test_states_are_shared_and_topped_up(tmp_path):
    garden(tmp_path)
    write(tmp_path, "small.pddl", PROBLEM.replace("(pipe south leek)", ""))  # 8 states
    value = evaluate(
        tmp_path, DOMAIN, "--states", 20, "--problem", "small.pddl", "--problem", "p.pddl"
    )
    assert [problem["states"] for problem in value["problems"]] == [8, 12]


def test_a_predicate_of_another_domain(tmp_path):
    garden(tmp_path)
    for learned, finding in [
        (DOMAIN.replace("(wet ?b - bed)", "(wet ?b - bed) (ripe ?b - bed)"), "ripe of arity 1"),
        (DOMAIN.replace("(pipe ?t - tank ?b - bed)", "(pipe ?t - tank)")
         .replace(" (pipe ?t ?b)", " (pipe ?t)"), "arity 1"),
        (DOMAIN.replace("(wet ?b", "(wett ?b"), "Did you mean wet?"),
    ]:  # fmt: skip
        write(tmp_path, "learned.txt", learned)
        outcome = call("evaluate", "learned.txt", "--gt", "domain.pddl", cwd=tmp_path)
        is_one_error(outcome, "learned.txt", finding, "Compare domains over the same predicates")


def test_an_action_of_another_name(tmp_path):
    garden(tmp_path)
    write(tmp_path, "learned.pddl", DOMAIN.replace("(:action water", "(:action watter"))
    arguments = ("learned.pddl", "--gt", "domain.pddl", "--problem", "p.pddl")
    outcome = call("evaluate", *arguments, cwd=tmp_path)
    assert outcome.status == 0
    assert outcome.err == (
        "warning: learned.pddl: domain.pddl has no action watter. Did you mean water?\n"
    )


@pytest.mark.parametrize("engine", ["lifted", "pyperplan"])
def test_out_of_time_is_not_perfect(tmp_path, engine):
    value = evaluate(tmp_path, DOMAIN, "--time-limit", 1e-9, "--engine", engine)
    assert (value["sound"], value["complete"], value["states"]) == (False, False, 0)
    assert "out of time" in value["failure"]
    assert value["successor_states"]["precision"] is None


def test_both_engines_agree(tmp_path):
    first, second = (
        evaluate(tmp_path, LOOSE, "--engine", engine) for engine in ("lifted", "pyperplan")
    )
    assert first == second


def test_same_input_same_bytes(tmp_path):
    garden(tmp_path)
    write(tmp_path, "learned.txt", LOOSE)
    arguments = ("evaluate", "learned.txt", "--gt", "domain.pddl", "--states", 9, "--json")
    here = call(*arguments, cwd=tmp_path)
    assert here.out == rehashed(*arguments, cwd=tmp_path).out


GATED = DOMAIN.rstrip()[:-1] + (
    "\n  (:action dig :parameters (?b - bed) :precondition (and (wet ?b) (dry ?b))"
    "\n    :effect (not (wet ?b))))\n"
)
"""A domain with an action that no state of the garden allows."""


def test_what_no_state_could_try(tmp_path):
    """Neither the action that the learned domain lacks nor the one that it has all wrong."""
    garden(tmp_path)
    write(tmp_path, "true.pddl", GATED)
    arguments = ("evaluate", "learned.pddl", "--gt", "true.pddl", "--problem", "p.pddl")
    eager = GATED.replace(":precondition (and (wet ?b) (dry ?b))", ":precondition (wet ?b)")
    for learned, row, verdict in [
        (DOMAIN, ["dig", "-", "-"], "Sound: yes. Complete: yes."),
        (GATED, ["dig", "-", "-"], "Sound: yes. Complete: yes."),
        (eager, ["dig", "0.00", "-"], "Sound: no. Complete: yes."),
    ]:
        write(tmp_path, "learned.pddl", learned)
        lines = call(*arguments, cwd=tmp_path).out.splitlines()
        assert row in [line.split() for line in lines]
        assert lines[-1] == f"In the 16 states tried (not tested: dig): {verdict}"
        value = strict_json(call(*arguments, "--json", cwd=tmp_path).out)
        assert value["not_tested"] == ["dig"]
    # What only the learned domain has is no true action, and needs no mention.
    back = ("evaluate", "true.pddl", "--gt", "domain.pddl", "--problem", "p.pddl")
    assert call(*back, cwd=tmp_path).out.splitlines()[-1] == (
        "In the 16 states tried: Sound: yes. Complete: yes."
    )


def test_states_from_walks(tmp_path):
    found = {
        states_from: evaluate(tmp_path, LOOSE, "--states-from", states_from, "--seed", 4)
        for states_from in ("bfs", "walk", "both")
    }
    for states_from, value in found.items():
        assert (value["states_from"], value["seed"]) == (states_from, 4)
        # All 16 states are found, in whichever order.
        assert {**value, "states_from": "", "seed": 0} == {
            **found["bfs"], "states_from": "", "seed": 0
        }  # fmt: skip
    few = [
        evaluate(tmp_path, LOOSE, "--states-from", "walk", "--states", 6, "--seed", seed)
        for seed in range(6)
    ]
    assert len({value["successor_states"]["false_positives"] for value in few}) > 1
    arguments = ("evaluate", "learned.txt", "--gt", "domain.pddl", "--states", 6)
    out = call(*arguments, "--states-from", "both", cwd=tmp_path).out
    assert "In the 6 states tried, breadth first and from random walks: Sound: no." in out


@pytest.mark.parametrize("states_from", ["walk", "both"])
def test_walks_from_the_same_seed_give_the_same_bytes(tmp_path, states_from):
    garden(tmp_path)
    write(tmp_path, "learned.txt", LOOSE)
    options = ("--states", 9, "--states-from", states_from, "--seed", 3)
    evaluated = ("evaluate", "learned.txt", "--gt", "domain.pddl", *options, "--json")
    listed = ("states", "domain.pddl", "p.pddl", *options)
    for arguments in (evaluated, listed):
        assert call(*arguments, cwd=tmp_path).out == rehashed(*arguments, cwd=tmp_path).out


def test_how_many_states_were_written_where(tmp_path):
    garden(tmp_path)
    listed = ("states", "domain.pddl", "p.pddl", "--states")
    assert call(*listed, 9, cwd=tmp_path).err == "standard output: 9 states\n"
    assert call(*listed, 17, "-o", "s.jsonl", cwd=tmp_path).err == (
        "s.jsonl: 16 states\nnote: only 16 states are reachable\n"
    )
    walked = call(*listed, 17, "--states-from", "walk", cwd=tmp_path)
    assert walked.err.endswith("note: only 16 states are met by the walks\n")


def test_a_problem_whose_turn_never_comes_tries_nothing(tmp_path):
    value = evaluate(tmp_path, DOMAIN, "--time-limit", 1e-9)
    assert value["not_tested"] == ["sun", "turn-off", "turn-on", "water"]
