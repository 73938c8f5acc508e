import logging
import subprocess
import sys

import pytest

from dias.errors import PDDLInputError, UnsupportedPDDLError
from dias.strips.model import Atom, Domain, Instance, Parameter, Predicate
from dias.strips.pddl.reader import parse_domain, parse_problem, read_domain, read_problem

PORT = """\
(define (domain port)
 (:requirements :strips :typing)
 (:types ship quay - object tug - ship)
 (:constants home - quay)
 (:predicates (at ?s - ship ?q - quay) (free ?q - quay) (storm))
 (:action sail :parameters (?s - ship ?a ?b - quay)
  :precondition (and (at ?s ?a) (free ?b))
  :effect (and (at ?s ?b) (free ?a) (not (at ?s ?a)) (not (free ?b)))))
"""
TASK = """\
(define (problem p) (:domain port)
 (:objects t - tug s - ship pier - quay)
 (:init (at t home) (free pier))
 (:goal (at t pier)))
"""


def domain_of(body: str, head: str = "(:predicates (p ?x) (q ?x ?y))") -> str:
    return f"(define (domain d) {head}\n{body})"


def problem_of(body: str, objects: str = "t - tug s - ship pier - quay") -> str:
    return f"(define (problem p) (:domain port) (:objects {objects})\n{body})"


def refusal(text: str, domain=None) -> PDDLInputError:
    with pytest.raises(PDDLInputError) as caught:
        if domain is None:
            parse_domain(text, "d.pddl")
        else:
            parse_problem(text, domain, "p.pddl")
    assert caught.value.place and caught.value.remedy
    return caught.value


@pytest.fixture(scope="module")
def port():
    return parse_domain(PORT)


def test_domain_in_the_order_of_the_file(port):
    assert port.name == "port"
    assert port.types == {"ship": "object", "quay": "object", "tug": "ship"}
    assert port.constants == {"home": "quay"}
    assert port.predicates == (
        Predicate("at", (("ship",), ("quay",))),
        Predicate("free", (("quay",),)),
        Predicate("storm"),
    )
    (sail,) = port.actions
    assert sail.parameters == (
        Parameter("?s", ("ship",)),
        Parameter("?a", ("quay",)),
        Parameter("?b", ("quay",)),
    )
    assert sail.preconditions == {Atom("at", ("?s", "?a")), Atom("free", ("?b",))}
    assert sail.add_effects == {Atom("at", ("?s", "?b")), Atom("free", ("?a",))}
    assert sail.delete_effects == {Atom("at", ("?s", "?a")), Atom("free", ("?b",))}


def test_the_smallest_files():
    domain = parse_domain("(define (domain d))")
    assert domain == Domain("d")
    smallest = parse_problem("(define (problem p) (:domain d) (:init))", domain)
    assert smallest == Instance("p", "d", {}, frozenset(), has_goal=False)


@pytest.mark.parametrize(
    "text",
    ["(define)", "(define domain d)", "(defin (domain d))", "(define (domian d))", "(define ())"],
)
def test_what_is_no_definition(text):
    error = refusal(text)
    assert "expected `(define (domain name) …)`, found " in error.problem
    assert error.remedy == "Is this a PDDL file?"


def test_a_definition_needs_its_name(port):
    assert refusal("(define (domain))").problem == "expected the domain's name, found `)`"
    assert refusal("(define (problem))", port).problem == "expected the problem's name, found `)`"


def test_instance_counts_constants_as_objects(port):
    instance = parse_problem(TASK, port)
    assert instance.objects == {"home": "quay", "t": "tug", "s": "ship", "pier": "quay"}
    assert instance.init == {Atom("at", ("t", "home")), Atom("free", ("pier",))}
    assert instance.goal == {Atom("at", ("t", "pier"))}
    assert instance.has_goal


def test_a_correct_file_gives_no_warning(caplog):
    parse_problem(TASK, parse_domain(PORT))
    assert caplog.messages == []


def test_files_are_read_whatever_their_line_ends(tmp_path, port):
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_bytes(b"\xef\xbb\xbf; Zo\xc3\xab\r\n" + PORT.replace("\n", "\r\n").encode())
    problem.write_bytes(TASK.replace("\n", "\r").encode())
    assert read_domain(domain) == port
    assert read_problem(problem, port) == parse_problem(TASK, port)
    with pytest.raises(PDDLInputError, match=r"missing\.pddl: .*found nothing"):
        read_domain(tmp_path / "missing.pddl")


def test_case_does_not_matter(port):
    assert parse_domain(PORT.upper()) == port
    assert parse_problem(TASK.upper(), port) == parse_problem(TASK, port)


def test_names_that_parsers_reserve():
    domain = parse_domain(
        "(define (domain 1-d) (:types at over - define) (:predicates (object ?x - at) (at)"
        " (start_ ?domain - over))"
        " (:action object :parameters (?object ?at - at ?1 - over)"
        " :precondition (object ?object) :effect (start_ ?1)))"
    )
    assert domain.name == "1-d"
    assert [predicate.name for predicate in domain.predicates] == ["object", "at", "start_"]
    (action,) = domain.actions
    assert action.name == "object"
    assert action.variables == ("?object", "?at", "?1")
    assert action.preconditions == {Atom("object", ("?object",))}
    assert action.add_effects == {Atom("start_", ("?1",))}


def test_names_in_two_roles_are_kept_apart(caplog):
    domain = parse_domain(
        "(define (domain d) (:requirements :typing) (:types cart) (:predicates (cart ?c - cart))"
        " (:action cart :parameters (?cart - cart) :effect (cart ?cart)))"
    )
    assert domain.action("cart").add_effects == {Atom("cart", ("?cart",))}
    assert "cart (type, predicate, action)" in caplog.text
    instance = parse_problem(
        "(define (problem d) (:domain d) (:objects cart - cart) (:init (cart cart)))", domain
    )
    assert instance.init == {Atom("cart", ("cart",))}
    assert "cart (object, type, predicate, action)" in caplog.text


def test_non_ascii_and_odd_names_are_kept(port):
    instance = parse_problem(
        problem_of("(:init (at 1st- nordøst))", "1st- - tug nordøst a.1 - quay"), port
    )
    assert set(instance.objects) == {"home", "1st-", "nordøst", "a.1"}
    domain = parse_domain(domain_of("(:action take/1.5+#! :parameters () :effect (and))"))
    assert domain.actions[0].name == "take/1.5+#!"


@pytest.mark.parametrize(
    "formula",
    ["(and (p ?x) (not (q ?x ?y)))", "(and (and (p ?x)) (and) (not (not (not (q ?x ?y)))))",
     "(and (not (and (q ?x ?y))) (p ?x) (p ?x))"],
)  # fmt: skip
def test_conjunctions_are_flattened_and_double_negations_removed(formula):
    text = f"(:action a :parameters (?x ?y) :precondition {formula} :effect {formula})"
    (action,) = parse_domain(domain_of(text)).actions
    assert action.preconditions == action.add_effects == {Atom("p", ("?x",))}
    assert action.negative_preconditions == action.delete_effects == {Atom("q", ("?x", "?y"))}


@pytest.mark.parametrize("precondition", ["", ":precondition ()", ":precondition (and)"])
@pytest.mark.parametrize("effect", ["", ":effect ()", ":effect (and)"])
def test_empty_and_missing_bodies(precondition, effect, caplog):
    (action,) = parse_domain(
        domain_of(f"(:action a :parameters () {precondition} {effect})")
    ).actions
    assert not action.preconditions | action.add_effects | action.delete_effects
    assert "the action `a` has no effect" in caplog.text


def test_parts_of_an_action_in_any_order():
    (action,) = parse_domain(domain_of("(:action a :effect (p ?x) :parameters (?x))")).actions
    assert action.add_effects == {Atom("p", ("?x",))}


def test_equality():
    body = (
        "(:action a :parameters (?x ?y) :precondition (and (= ?y ?x) (not (= ?y k))) :effect (p k))"
    )
    head = "(:constants k) (:predicates (p ?x))"
    (action,) = parse_domain(domain_of(body, head)).actions
    assert action.equalities == {("?x", "?y")}
    assert action.inequalities == {("?y", "k")}
    assert action.preconditions == frozenset()


def test_either_types():
    domain = parse_domain(
        "(define (domain d) (:types b a - object) (:predicates (p ?x - (either b a) ?y - b))"
        "(:action m :parameters (?z - (either b a)) :effect (p ?z ?z)))"
    )
    assert domain.predicates == (Predicate("p", (("a", "b"), ("b",))),)
    assert domain.actions[0].parameters == (Parameter("?z", ("a", "b")),)


def test_requirements_that_are_missing_are_named(caplog):
    parse_domain(
        "(define (domain d) (:types t) (:predicates (p ?x - t))\n (:action a"
        " :parameters (?x ?y - t) :precondition (and (not (p ?x)) (= ?x ?y)) :effect (p ?x)))"
    )
    assert ":equality :negative-preconditions :typing" in caplog.text
    caplog.clear()
    parse_domain("(define (domain d) (:requirements :adl) (:types t) (:predicates (p ?x - t)))")
    assert caplog.messages == []


def test_trailing_group_of_types(caplog):
    domain = parse_domain(
        "(define (domain d) (:requirements :typing) (:types person\n a b - shape))"
    )
    assert domain.types == {
        "person": "shape", "a": "shape", "b": "shape", "shape": "object",
    }  # fmt: skip
    assert any("1:52" in m and "`person`" in m and "`a`" not in m for m in caplog.messages)
    assert any("`shape` is only used as a parent" in message for message in caplog.messages)


def test_type_hierarchies(caplog):
    domain = parse_domain("(define (domain d) (:types a - b a b - object c - c object))")
    assert domain.types == {"a": "b", "b": "object", "c": "object"}
    assert "`c` is its own parent" in caplog.text
    error = refusal("(define (domain d)\n (:types a - b b - c c - b))")
    assert "`b` - `c` - `b`" in error.problem
    assert error.place.startswith("d.pddl:2:")
    assert "found `b` and `c`" in str(refusal("(define (domain d) (:types a - b a - c))"))
    assert "root type" in str(refusal("(define (domain d) (:types object - a))"))


@pytest.mark.parametrize(
    ("body", "place", "fragments"),
    [
        ("(:action a :parameters (?x ?x))", "2:28", ["`?x` twice", "`a`"]),
        ("(:action a)\n(:action A)", "3:10", ["`a`", "line 2", "line 3"]),
        ("(:action a :parameters (?x) :effect (pp ?x))", "2:37", ["`pp`", "Did you mean p?"]),
        ("(:action a :parameters (?x) :effect (p))", "2:37", ["1 argument", "(p object)"]),
        ("(:action a :parameters (?x) :effect (p ?z))", "2:40", ["`?z`", "action `a`"]),
        ("(:action a :parameters (?x) :effect (p x))", "2:40", ["`x`", "Did you mean ?x?"]),
        ("(:action a :parameters (?x - t) :effect (p ?x))", "2:30", ["type", "`t`"]),
        ("(:action a :parameters (?x -t) :effect (p ?x))", "2:28", ["`-t`"]),
        ("(:action a :parameters (x) :effect (p ?x))", "2:25", ["`x`", "?name"]),
        ("(:action a :parameters (?x) :effect (= ?x ?x))", "2:37", ["`=`"]),
        ("(:action a :parameters (?x) :effect p)", "2:37", ["`p`", "parentheses"]),
        ("(:action a :preconditions (p ?x))", "2:12", ["Did you mean :precondition?"]),
        ("(:action a :parameters (?x) :effect (not (p ?x) (p ?x)))", "2:37", ["`not`"]),
        ("(:action)", "2:1", ["action's name"]),
        ("(:action a (p))", "2:12", [":parameters, :precondition, :effect, found `(`"]),
        ("(:action a :parameters () :effect () :cost 1)", "2:38",
         ["expected :precondition, found `:cost`", "close the action"]),
        ("(:action a :parameters () :precondition () :effect () ())", "2:55", ["expected `)`"]),
        ("(:action a :effect)", "2:1", ["`(` after :effect, found `)`"]),
        ("(:action a :effect p)", "2:20", ["`(` after :effect, found `p`"]),
        ("(:action a :effect (and ()))", "2:25", ["found `()`", "Remove it"]),
        ("(:action a :precondition (not ()))", "2:31", ["found `()`"]),
        ("(:action a :effect ((p a)))", "2:20", ["found `(`"]),
        ("(:action a :effect (and (:p a)))", "2:25", ["found `:p`", "missing before it"]),
        ("(:action a :effect (and (?p a)))", "2:25", ["found `?p`", "missing before it"]),
        ("(:action a :effect (and (not)))", "2:25", ["after `not`, found 0"]),
        ("(:action a :effect (p kim))", "2:23", ["declared object or constant", "Declare it"]),
        ("(:action a :effect (rain))", "2:20", ["declared predicate", "(:predicates …)"]),
        ("other", "2:1", ["section of a domain, found `other`", "The sections are"]),
        ("()", "2:1", ["section of a domain, found `(`"]),
        ("(:actions a)", "2:1", ["Did you mean :action?"]),
        ("(:predicates (p))", "2:1", ["`:predicates`", "line 1"]),
        ("(:constants , a)", "2:13", ["comma"]),
        ("(:constants a - (either b c))", "2:13", ["several types"]),
    ],
)  # fmt: skip
def test_errors_in_domains(body, place, fragments):
    error = refusal(domain_of(body))
    assert error.place == f"d.pddl:{place}"
    for fragment in fragments:
        assert fragment in str(error)


def test_errors_in_predicates():
    assert "line 1" in str(refusal(domain_of("", "(:predicates (p ?x)\n (p ?x ?y))")))
    assert "`and`" in str(refusal(domain_of("", "(:predicates (and ?x))")))
    assert "Did you mean block?" in str(
        refusal(domain_of("", "(:types block) (:predicates (p ?x - blok))"))
    )


@pytest.mark.parametrize(
    ("body", "construct", "line"),
    [
        ("(:action a :parameters (?x)\n :precondition (or (p ?x)) :effect (p ?x))", "`or`", 3),
        ("(:action a :parameters (?x) :precondition (imply (p ?x) (p ?x)))", "`imply`", 2),
        ("(:action a :precondition (forall (?x) (p ?x)))", "`forall`", 2),
        ("(:action a :precondition (not (exists (?x) (p ?x))))", "`exists`", 2),
        ("(:action a :parameters (?x) :precondition (not (and (p ?x) (p ?x))))", "negated", 2),
        ("(:action a :parameters (?x) :effect (when (p ?x) (p ?x)))", "`when`", 2),
        ("(:action a :parameters (?x) :effect (oneof (p ?x) (p ?x)))", "`oneof`", 2),
        ("(:action a :parameters (?x) :effect (increase (fuel ?x) 1))", "`increase`", 2),
        ("(:action a :parameters (?x) :precondition (>= (fuel ?x) 1))", "`>=`", 2),
        ("(:action a :parameters (?x) :precondition (= (fuel ?x) 1))", "function", 2),
        ("(:durative-action a :parameters ())", "`:durative-action`", 2),
    ],
)
def test_constructs_outside_strips_are_named_with_action_and_line(body, construct, line):
    error = refusal(domain_of(body))
    assert isinstance(error, UnsupportedPDDLError)
    assert construct in error.problem
    assert "action `a`" in error.problem
    assert error.place.startswith(f"d.pddl:{line}:")


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("(:derived (p ?x) (p ?x))", "`:derived`"),
        ("(:constraints (always (p ?x)))", "`:constraints`"),
        ("(:derived (p ?x) (p ?x))", "in the predicate `p`"),
        ("(:process p)", "`:process` (a process) in action `p`"),
        ("(:durative-action)", "`:durative-action` (a durative action)"),
        ("(:functions (fuel ?x))", "`fuel`"),
    ],
)
def test_sections_outside_strips(body, construct):
    error = refusal(domain_of(body))
    assert isinstance(error, UnsupportedPDDLError)
    assert construct in error.problem


def test_action_costs_are_ignored_with_one_warning(caplog, port):
    (action,) = parse_domain(
        domain_of(
            "(:functions (total-cost) - number (far ?x ?y) - number) (:action a :parameters (?x)"
            " :effect (and (p ?x) (increase (total-cost) (far ?x ?x))))"
        )
    ).actions
    assert action.add_effects == {Atom("p", ("?x",))}
    instance = parse_problem(
        problem_of("(:init (= (total-cost) 0) (storm)) (:metric minimize (total-cost))"), port
    )
    assert instance.init == {Atom("storm")}
    assert [message.split(": ")[1] for message in caplog.messages] == [
        "action costs are ignored"
    ] * 2
    with pytest.raises(UnsupportedPDDLError, match="metric"):
        parse_problem(problem_of("(:init) (:metric minimize (total-time))"), port)


@pytest.mark.parametrize(
    ("goal", "positive", "negative", "has_goal"),
    [
        ("", set(), set(), False),
        ("(:goal ())", set(), set(), True),
        ("(:goal (and))", set(), set(), True),
        ("(:goal (storm))", {"(storm)"}, set(), True),
        ("(:goal (not (storm)))", set(), {"(storm)"}, True),
        ("(:goal (and (storm) (not (free pier)) (not (= t s)) (= t t)))", {"(storm)"},
         {"(free pier)"}, True),
    ],
)  # fmt: skip
def test_goals(port, goal, positive, negative, has_goal):
    instance = parse_problem(problem_of(f"(:init) {goal}"), port)
    assert set(map(str, instance.goal)) == positive
    assert set(map(str, instance.negative_goal)) == negative
    assert instance.has_goal == has_goal


@pytest.mark.parametrize("goal", ["(:goal (storm))", "(:goal (or (storm)))", "(:goal (= t s))", ""])
def test_a_goal_that_is_not_needed_is_not_read(port, goal):
    """Nor a metric or constraints; an instance read so cannot pass for one with an empty goal."""
    rest = "(:metric maximize (profit)) (:constraints (always (storm)))"
    instance = parse_problem(problem_of(f"(:init (storm)) {goal} {rest}"), port, needs_goal=False)
    assert not (instance.goal or instance.negative_goal or instance.has_goal)
    assert set(map(str, instance.init)) == {"(storm)"}
    with pytest.raises(UnsupportedPDDLError, match="constraints"):
        parse_problem(problem_of(f"(:init (storm)) {goal} {rest}"), port)


def test_what_else_is_wrong_is_said_without_a_goal_too(port):
    for body in ("(:init (att t pier)) (:goal (storm))", "(:goal (storm))", "(:gaol (storm))"):
        with pytest.raises(PDDLInputError):
            parse_problem(problem_of(body), port, needs_goal=False)


@pytest.mark.parametrize(
    ("body", "place", "fragments"),
    [
        ("(:init (att t pier))", "2:8", ["`att`", "Did you mean at?"]),
        ("(:init (at t))", "2:8", ["2 argument", "(at ship quay)"]),
        ("(:init (at t peer))", "2:14", ["`peer`", "Did you mean pier?"]),
        ("(:init (at t ?x))", "2:14", ["`?x`"]),
        ("(:init (at pier t))", "2:12", ["type ship", "`pier` of type quay", ":init"]),
        ("(:init) (:goal (at t s))", "2:22", ["type quay", "`s` of type ship", ":goal"]),
        ("(:init (= t t))", "2:8", ["`=`"]),
        ("(:init (storm) (not (storm)))", "2:21", ["(storm)", "both"]),
        ("(:init storm)", "2:8", ["parentheses"]),
        ("(:init) (:goal (storm) (storm))", "2:9", ["one formula"]),
        ("(:init) (:goal (= t s))", "2:16", ["false equality"]),
        ("(:goal (storm))", "1:18", [":init"]),
        ("(:init) (:init)", "2:9", ["`:init`", "line 2"]),
        ("(:init (or (storm)))", "2:8", ["`or`"]),
        ("(:init (at (f) pier))", "2:12", ["function"]),
        ("(:init) (:goal (at t ?x))", "2:22", ["an object, found `?x`", "Name an object"]),
        ("(:init) (:goal (= (total-cost) 0))", "2:19", ["function"]),
        ("(:init) (:constants a)", "2:9", ["section of a problem, found `:constants`"]),
    ],
)
def test_errors_in_problems(port, body, place, fragments):
    error = refusal(problem_of(body), port)
    assert error.place == f"p.pddl:{place}"
    for fragment in fragments:
        assert fragment in str(error)


def test_negative_facts_are_read_as_absent(port):
    assert parse_problem(problem_of("(:init (not (storm)) (and (free pier)))"), port).init == {
        Atom("free", ("pier",))
    }


def test_objects(port, caplog):
    instance = parse_problem(problem_of("(:init)", "t s t - tug home - quay x"), port)
    assert instance.objects == {"home": "quay", "t": "tug", "s": "tug", "x": "object"}
    assert "the object `t` is listed twice" in caplog.text
    assert "type quay" in str(refusal(problem_of("(:init)", "home - tug"), port))
    assert "Did you mean tug?" in str(refusal(problem_of("(:init)", "t - tog"), port))


def test_an_untyped_domain_reads_typed_objects(caplog):
    domain = parse_domain("(define (domain port) (:predicates (free ?q)))")
    instance = parse_problem(problem_of("(:init (free pier))"), domain)
    assert instance.objects == {"t": "object", "s": "object", "pier": "object"}
    assert len(caplog.messages) == 1
    assert "declares no types" in caplog.text


def test_domain_name_of_a_problem(port, caplog):
    parse_problem("(define (problem p) (:domain PORT) (:init))", port)
    assert caplog.messages == []
    instance = parse_problem("(define (problem p) (:domain docks) (:init))", port)
    assert instance.domain_name == "docks"
    assert "`docks`" in caplog.text and "`port`" in caplog.text
    assert "(:domain name)" in str(refusal("(define (problem p) (:init))", port))


def test_domain_and_problem_in_each_others_place(port):
    assert "found a problem" in str(refusal(TASK))
    assert "found a domain" in str(refusal(PORT, port))


def test_a_variable_that_never_fits_is_warned_of(caplog):
    parse_domain(PORT.replace("?s - ship ?a ?b", "?s ?a ?b"))
    assert "`?s` is of type quay, which `at` never holds of" in caplog.text


def test_refusals_of_the_pddl_package_become_ours(monkeypatch, port):
    monkeypatch.setattr("dias.strips.pddl.package.REQUIREMENTS", ":no-such-requirement")
    with pytest.raises(PDDLInputError, match="pddl package refuses"):
        parse_domain(PORT)
    with pytest.raises(PDDLInputError, match="pddl package refuses"):
        parse_problem(TASK, port)
    monkeypatch.undo()
    assert parse_domain(PORT).name == "port"
    assert getattr(sys, "tracebacklimit", None) is None


def test_deep_nesting_and_long_lists_are_no_problem(port):
    depth = 20_000
    text = f"(:action a :parameters (?x) :effect {'(and ' * depth}(p ?x){')' * depth})"
    assert parse_domain(domain_of(text)).actions[0].add_effects == {Atom("p", ("?x",))}
    facts = " ".join(f"(free q{i})" for i in range(5000))
    names = " ".join(f"q{i}" for i in range(5000))
    assert len(parse_problem(problem_of(f"(:init {facts})", f"{names} - quay"), port).init) == 5000


def test_hash_seeds_do_not_change_the_order():
    code = (
        "from dias.strips.pddl.reader import parse_domain;"
        "d = parse_domain('(define (domain d) (:types b a c) (:constants z y x) (:predicates"
        " (q) (p) (r)) (:action n) (:action m) (:action l))');"
        "print(d)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert "'b': 'object', 'a': 'object', 'c': 'object'" in outputs.pop()


def test_importing_the_reader_does_not_import_pddl():
    code = "import sys, dias.strips.pddl.reader; print('pddl' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "False\n"


def test_warnings_name_the_place(caplog):
    with caplog.at_level(logging.WARNING):
        parse_domain("(define (domain d)\n (:action a))", "d.pddl")
    assert caplog.messages == ["d.pddl:2:11: the action `a` has no effect"]


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("(define (domain d e f)\n (:predicates (p)))", "1:9", "one name of the domain"),
        ("(define (domain d e))", "1:9", "one name of the domain"),
        (domain_of("(:predicates (q))"), "2", "found another one in line 1"),
        (domain_of("(:action a :effect (p ?x)\n:effect (p ?x))"), "3", ":effect"),
        (domain_of("(:action a :effect (decrease (total-cost) 1))"), "2", "decrease"),
    ],
)
def test_what_is_said_too_often_or_is_no_cost(text, place, said):
    found = refusal(text)
    assert found.place.startswith(f"d.pddl:{place}")
    assert said in str(found)


def test_predicates_of_a_domain_by_name(port):
    assert port.predicate("free") == Predicate("free", (("quay",),))
    with pytest.raises(KeyError):
        port.predicate("none")
