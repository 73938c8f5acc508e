"""`dias plan`."""

from __future__ import annotations

import pytest

from dias.planning import plan as planning
from dias.strips import reachability
from dias.strips.joins import successors
from dias_cli.commands.plan import HEURISTICS, SEARCHES
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

PLAN = ("plan", "domain.pddl", "p.pddl")


def test_a_plan(tmp_path):
    garden(tmp_path)
    status, out, err = call(*PLAN, "--search", "astar", "--heuristic", "lmcut", cwd=tmp_path)
    assert status == 0
    first, *waters, last, cost = out.splitlines()
    assert (first, last, cost) == ("(turn-on south)", "(turn-off south)", "; cost = 4 (unit cost)")
    assert sorted(waters) == ["(water south leek)", "(water south rose)"]
    assert err == "found a plan of 4 steps\n"


def test_an_action_that_fits_everything(tmp_path, monkeypatch):
    """Eleven parameters, no preconditions: that would not end."""
    monkeypatch.setattr(reachability, "MAX_BINDINGS", 5_000)
    monkeypatch.setattr(successors, "MAX_APPLICABLE", 5_000)
    parameters = " ".join(f"?x{number}" for number in range(11))
    write(
        tmp_path,
        "domain.pddl",
        f"(define (domain d) (:predicates (p ?x)) (:action a :parameters ({parameters}) "
        ":precondition () :effect (p ?x0)))",
    )
    names = " ".join(f"o{number}" for number in range(20))
    write(
        tmp_path,
        "p.pddl",
        f"(define (problem x) (:domain d) (:objects {names}) (:init) (:goal (p o1)))",
    )
    for command in (PLAN, ("sample", "domain.pddl", "p.pddl", "-o", "t.jsonl")):
        is_one_error(call(*command, cwd=tmp_path), "more than 5,000 ground actions")
    assert not (tmp_path / "t.jsonl").exists()


def test_to_a_file(tmp_path):
    garden(tmp_path)
    text = call(*PLAN, cwd=tmp_path).out
    assert call(*PLAN, "-o", "plan.txt", cwd=tmp_path).out == ""
    assert (tmp_path / "plan.txt").read_text() == text
    assert call(*PLAN, "-o", "-", cwd=tmp_path).out == text
    assert not (tmp_path / "-").exists()


def test_every_choice_is_known_to_the_library():
    """They are listed twice, since `--help` should not load pyperplan."""
    assert set(SEARCHES) == set(planning.SEARCHES)
    assert set(HEURISTICS) == set(planning.HEURISTICS)


@pytest.mark.parametrize(
    "options",
    [
        *(["--search", "astar", "--heuristic", heuristic] for heuristic in HEURISTICS),
        *(["--search", search] for search in SEARCHES),
    ],
)
def test_searches_and_heuristics(tmp_path, options):
    garden(tmp_path)
    status, out, _ = call(*PLAN, "--gt", "domain.pddl", *options, "--json", cwd=tmp_path)
    assert status == 0
    value = strict_json(out)
    assert value["valid"]
    if options[1] in ("bfs", "ids") or options[-1] in ("blind", "hmax", "lmcut"):
        assert len(value["plan"]) == 4  # the shortest


@pytest.mark.parametrize(
    ("goal", "options", "message"),
    [
        ("(pipe north leek)", [], "no plan exists: the goal (pipe north leek)"),
        ("(dry rose)", ["--search", "bfs"], "no plan exists: all reachable states"),
        ("(dry rose)", [], "no plan exists: all reachable states"),
        ("(dry rose)", ["--search", "ehs"], "no plan found, but enforced hill-climbing"),
        ("(shut south)", ["--time-limit", 1e-9], "no plan found within 1e-09 s"),
    ],
)
def test_no_plan(tmp_path, goal, options, message):
    """Whether there is none or none was found is said; an old plan is not overwritten."""
    garden(tmp_path)
    write(tmp_path, "p.pddl", PROBLEM.replace("(shut south)))", f"{goal}))"))
    write(tmp_path, "plan.txt", "old")
    status, out, err = call(*PLAN, "-o", "plan.txt", *options, cwd=tmp_path)
    assert (status, out) == (3, "")
    assert err.startswith(message)
    assert (tmp_path / "plan.txt").read_text() == "old"
    value = strict_json(call(*PLAN, *options, "--json", cwd=tmp_path).out)
    assert (value["plan"], value["valid"]) == ([], None)
    assert value["message"].startswith(message)


def test_a_goal_that_holds_needs_no_step(tmp_path):
    garden(tmp_path)
    write(tmp_path, "p.pddl", PROBLEM.replace("(:goal (and (wet rose) (wet leek)", "(:goal (and"))
    assert call(*PLAN, cwd=tmp_path)[:2] == (0, "; cost = 0 (unit cost)\n")


def test_no_goal(tmp_path):
    garden(tmp_path)
    text = PROBLEM[: PROBLEM.index("(:goal")] + ")"
    write(tmp_path, "p.pddl", text)
    is_one_error(call(*PLAN, cwd=tmp_path), "p.pddl", "found none", "Add (:goal")


def test_a_valid_plan_in_the_true_domain(tmp_path):
    garden(tmp_path)
    status, out, err = call(*PLAN, "--gt", "domain.pddl", cwd=tmp_path)
    assert status == 0
    assert out.endswith("(unit cost)\n")
    assert err.splitlines()[-1] == "valid in the true domain: yes"
    # With a plan file, standard output is free for the verdict.
    status, out, _ = call(*PLAN, "--gt", "domain.pddl", "-o", "plan.txt", cwd=tmp_path)
    assert out == "valid in the true domain: yes\n"


def test_each_wrong_step_is_named(tmp_path):
    """The learned domain waters from shut tanks, and calls by `sun` what is `turn-off`."""
    garden(tmp_path)
    learned = DOMAIN.replace("(open ?t) (pipe", "(pipe").replace("(:action turn-off", "(:action ")
    learned = learned.replace("(:action sun", "(:action turn-off").replace(
        "(:action  :", "(:action sun :"
    )
    write(tmp_path, "learned.pddl", learned)
    goal = "(wet rose) (wet leek) (shut south)"
    write(tmp_path, "p.pddl", PROBLEM.replace(goal, "(wet leek) (shut north)").replace(
        "(:init (shut north)", "(:init (open north)"))  # fmt: skip
    arguments = ("plan", "learned.pddl", "p.pddl", "--gt", "domain.pddl", "-o", "plan.txt")
    status, out, _ = call(*arguments, cwd=tmp_path)
    assert status == 4
    steps = (tmp_path / "plan.txt").read_text().splitlines()
    number = {line: place for place, line in enumerate(steps, start=1)}
    water, off = "(water south leek)", "(sun north)"
    assert sorted(out.splitlines()) == sorted(
        [
            f"step {number[water]} {water}: not a true transition: (open south) does not hold",
            f"step {number[off]} {off}: really (turn-off north)",
            "valid in the true domain: no",
        ]
    )
    value = strict_json(call(*arguments, "--json", cwd=tmp_path).out)
    assert value["valid"] is False
    verdicts = {step["step"]: (step["verdict"], step["true_action"]) for step in value["steps"]}
    assert verdicts == {water: ("invalid", None), off: ("other action", "(turn-off north)")}
    reasons = {step["step"]: (step["nearest"], step["faults"]) for step in value["steps"]}
    assert reasons == {water: (water, ["(open south) does not hold"]), off: (None, [])}
    assert value["unmet_goals"] == []


WATER = """(:action water :parameters (?t - tank ?b - bed)
    :precondition (and (open ?t) (pipe ?t ?b) (dry ?b))
    :effect (and (wet ?b) (not (dry ?b))))"""


@pytest.mark.parametrize(
    ("learned", "true", "finding"),
    [
        (DOMAIN.replace("(open ?t) (pipe ?t ?b)", "(pipe ?t ?b)"), DOMAIN,
         "not a true transition: (open south) does not hold"),
        (DOMAIN.replace("(open ?t) (pipe ?t ?b)", "(pipe ?t ?b)").replace(
            "(?t - tank ?b - bed)", "(?b - bed ?t - tank)"), DOMAIN,
         "not a true transition: nearest is (water south leek), but (open south) does not hold"),
        (DOMAIN, DOMAIN.replace("(open ?t) (pipe", "(shut ?t) (pipe"),
         "not a true transition: (shut south) does not hold"),
        (DOMAIN, DOMAIN.replace("(pipe ?t ?b) (dry ?b))", "(pipe ?t ?b) (not (dry ?b)))"),
         "not a true transition: (dry leek) holds"),
        (DOMAIN, DOMAIN.replace("(and (open ?t) (pipe", "(and (not (= ?t south)) (pipe").replace(
            "(:predicates", "(:constants south - tank)\n  (:predicates"),
         "not a true transition: ?t and south must differ"),
        (DOMAIN, DOMAIN.replace("(wet ?b) (not (dry ?b))", "(wet ?b)"),
         "not a true transition: (dry leek) holds afterwards"),
        (DOMAIN, DOMAIN.replace("(and (wet ?b) (not (dry ?b)))", "(not (dry ?b))"),
         "not a true transition: (wet leek) does not hold afterwards"),
        (DOMAIN, DOMAIN.replace(WATER, ""),
         "not a true transition: there is no true action water of these objects"),
        (DOMAIN.replace("(:action water", "(:action rain"), DOMAIN, "really (water south leek)"),
    ],
)  # fmt: skip
def test_a_plan_that_is_not_valid(tmp_path, learned, true, finding):
    """Status 4, with the step and the literal; the plan is there all the same."""
    garden(tmp_path)
    assert (learned, true) != (DOMAIN, DOMAIN)
    write(tmp_path, "learned.pddl", learned)
    write(tmp_path, "true.pddl", true)
    arguments = ("plan", "learned.pddl", "p.pddl", "--gt", "true.pddl", "-o", "plan.txt")
    status, out, err = call(*arguments, "--search", "bfs", cwd=tmp_path)
    assert (status, out.splitlines()[-1]) == (4, "valid in the true domain: no"), err
    steps = (tmp_path / "plan.txt").read_text().splitlines()
    [number] = [n for n, step in enumerate(steps, start=1) if "leek" in step]
    assert f"step {number} {steps[number - 1]}: {finding}" in out.splitlines()
    value = strict_json(call(*arguments, "--search", "bfs", "--json", cwd=tmp_path).out)
    told = value["steps"][number - 1]
    assert (value["valid"], value["status"]) == (False, "solved")
    assert finding.endswith("; ".join(told["faults"]))
    assert told["verdict"] in ("invalid", "other action")


def test_no_plan_is_no_matter_of_validity(tmp_path):
    garden(tmp_path)
    write(tmp_path, "learned.pddl", DOMAIN.replace("(:action turn-on", "(:action turn-oon"))
    assert call("plan", "learned.pddl", "p.pddl", "--gt", "domain.pddl", cwd=tmp_path).status == 4
    write(tmp_path, "learned.pddl", DOMAIN.replace(WATER, ""))
    assert call("plan", "learned.pddl", "p.pddl", "--gt", "domain.pddl", cwd=tmp_path).status == 3
    assert call("plan", "learned.pddl", "p.pddl", cwd=tmp_path).status == 3


def test_a_true_domain_that_does_not_fit_is_found_before_the_search(tmp_path):
    garden(tmp_path)
    write(tmp_path, "true.pddl", DOMAIN.replace("bed", "pot"))
    outcome = call(*PLAN, "--gt", "true.pddl", cwd=tmp_path)
    is_one_error(outcome, "p.pddl:2:", "expected a declared type, found `bed`")


TOWERS = """\
(define (domain towers)
  (:requirements :strips :negative-preconditions)
  (:predicates (clear ?x) (eq ?x ?y) (on ?x ?y) (on-table ?x))
  (:action move :parameters (?f ?t ?b)
    :precondition (and (clear ?t) (clear ?b) (on ?b ?f) (not (clear ?f)) (not (on-table ?b)))
    :effect (and (clear ?f) (on ?b ?t) (not (clear ?t)) (not (on ?b ?f))))
  (:action unstack :parameters (?f ?b)
    :precondition (and (clear ?b) (on ?b ?f) (not (clear ?f)))
    :effect (and (clear ?f) (on-table ?b) (not (on ?b ?f))))
  (:action stack :parameters (?t ?b)
    :precondition (and (clear ?b) (clear ?t) (on-table ?b))
    :effect (and (on ?b ?t) (not (clear ?t)) (not (on-table ?b)))))
"""
TEN_BLOCKS = """\
(define (problem ten) (:domain towers)
  (:objects b1 b2 b3 b4 b5 b6 b7 b8 b9 b10)
  (:init (clear b3) (clear b7) (clear b1) (clear b5) (clear b9) (clear b6)
         (on-table b10) (on-table b8) (on-table b1) (on-table b5) (on-table b4) (on-table b6)
         (on b2 b10) (on b3 b2) (on b7 b8) (on b9 b4))
  (:goal (and (on-table b2) (on-table b4) (on-table b6)
              (on b8 b2) (on b10 b8) (on b7 b10) (on b5 b4) (on b1 b5) (on b3 b1) (on b9 b6))))
"""


def test_the_same_plan_whatever_the_hash_seed(tmp_path):
    """A set of numbers shows the order in which it was filled, and heuristics break ties by it."""
    write(tmp_path, "domain.pddl", TOWERS)
    write(tmp_path, "p.pddl", TEN_BLOCKS)
    here = call(*PLAN, cwd=tmp_path)
    assert here.status == 0
    assert here == rehashed(*PLAN, cwd=tmp_path)


def test_a_heuristic_that_the_search_does_not_use(tmp_path):
    garden(tmp_path)
    for search in ("bfs", "ids"):
        arguments = (*PLAN, "--search", search, "--heuristic", "hff")
        status, out, err = call(*arguments, cwd=tmp_path)
        assert (status, out) == (2, "")
        assert f"--heuristic would do nothing with --search {search}" in err


MILL = """\
(define (domain grain)
  (:requirements :strips :typing)
  (:types sack place - object works - place)
  (:constants mill - works)
  (:predicates (at ?s - sack ?p - place) (path ?p ?q - place) (ground ?s - sack))
  (:action carry :parameters (?s - sack ?p ?q - place)
    :precondition (and (at ?s ?p) (path ?p ?q))
    :effect (and (at ?s ?q) (not (at ?s ?p))))
  (:action grind :parameters (?s - sack)
    :precondition (at ?s mill)
    :effect (ground ?s)))
"""
WITHOUT_CONSTANTS = (
    MILL.replace("(:constants mill - works)", "")
    .replace(" works - place)", ")")
    .replace("grind :parameters (?s - sack)", "grind :parameters (?s - sack ?p - place)")
    .replace("(at ?s mill)", "(at ?s ?p)")
)
SACKS = """\
(define (problem harvest) (:domain grain)
  (:objects rye - sack field - place)
  (:init (at rye field) (path field mill))
  (:goal (ground rye)))
"""


@pytest.mark.parametrize("learned", [WITHOUT_CONSTANTS, MILL])
def test_a_problem_may_name_the_constants_of_the_true_domain(tmp_path, learned):
    """Also where the learned domain knows neither them nor their type; what it learned is kept."""
    for name, text in (("learned.pddl", learned), ("true.pddl", MILL), ("p.pddl", SACKS)):
        write(tmp_path, name, text)
    arguments = ("plan", "learned.pddl", "p.pddl", "--gt", "true.pddl", "--search", "bfs")
    value = strict_json(call(*arguments, "--json", cwd=tmp_path).out)
    if learned == MILL:
        assert value["plan"] == ["(carry rye field mill)", "(grind rye)"]
        assert value["valid"]
    else:  # grinds anywhere, which the true domain does not
        assert value["plan"] == ["(grind rye field)"]
        assert [step["verdict"] for step in value["steps"]] == ["invalid"]
    write(tmp_path, "p.pddl", SACKS.replace("(ground rye)", "(at rye mill)"))
    value = strict_json(call(*arguments, "--json", cwd=tmp_path).out)
    assert (value["plan"], value["valid"]) == (["(carry rye field mill)"], True)


def test_an_object_that_may_be_a_constant_of_the_true_domain(tmp_path):
    write(tmp_path, "domain.pddl", WITHOUT_CONSTANTS)
    write(tmp_path, "p.pddl", SACKS)
    is_one_error(
        call(*PLAN, cwd=tmp_path),
        "p.pddl:3:37: expected a declared object or constant, found `mill` in :init. Declare it"
        " in (:objects …). If it is a constant of the true domain that this domain does not"
        " declare, add (:constants mill) to the domain, or give `dias plan` the true one with --gt",
    )
    write(tmp_path, "p.pddl", SACKS.replace("path field mill", "path field feld"))
    is_one_error(
        call(*PLAN, cwd=tmp_path), "found `feld` in :init. Did you mean field? Declare", "--gt"
    )
