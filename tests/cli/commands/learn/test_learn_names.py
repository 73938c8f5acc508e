"""`dias learn`: what parameters are called, by default and with `--names-from`."""

from __future__ import annotations

import inspect
import re

import pytest

from dias.diff.domains import diff_domains
from dias.learning.learn import learn
from dias.strips.pddl.reader import read_domain
from tests.cli.helpers import DOMAIN, call, garden, is_one_error, strict_json, traces, write
from tests.cli.helpers import HEADER as GARDEN

VARIABLE = re.compile(r"\?[\w-]+")
LEARN = ("learn", "t.jsonl", "--method", "symbolic", "--json", "-o")
OTHER = """\
(define (domain other)
  (:types thing)
  (:predicates (open ?a - thing) (wet ?a ?b - thing))
  (:action water :parameters (?one ?two ?three - thing)
    :precondition (and (open ?two) (wet ?one ?three)) :effect (wet ?two ?one))
  (:action flood :parameters (?a - thing) :precondition (open ?a) :effect (not (open ?a))))
"""
"""Some predicates and actions are called as in the garden, and mean something else."""


@pytest.fixture
def sampled(tmp_path):
    garden(tmp_path)
    assert call("sample", "domain.pddl", "p.pddl", "-o", "t.jsonl", cwd=tmp_path).status == 0
    return tmp_path


def parameters(folder, name):
    return {a.name: " ".join(a.variables) for a in read_domain(folder / name).actions}


def test_parameters_are_called_what_they_are(sampled):
    assert call(*LEARN, "learned.pddl", cwd=sampled).status == 0
    assert parameters(sampled, "learned.pddl") == {
        "sun": "?bed", "turn-off": "?tank", "turn-on": "?tank", "water": "?bed ?tank",
    }  # fmt: skip


def test_names_and_order_of_a_reference(sampled):
    status, _, err = call(*LEARN, "named.pddl", "--names-from", "domain.pddl", cwd=sampled)
    assert (status, "warning" in err) == (0, False)
    assert parameters(sampled, "named.pddl") == {
        "sun": "?b", "turn-off": "?t", "turn-on": "?t", "water": "?t ?b",
    }  # fmt: skip
    assert ":parameters (?t - tank ?b - bed)" in (sampled / "named.pddl").read_text()


@pytest.mark.parametrize("noise", [(), ("--noise", 0.3)], ids=["exact", "noisy"])
@pytest.mark.parametrize("reference", [DOMAIN, OTHER], ids=["true", "other"])
def test_a_reference_changes_nothing_but_names(tmp_path, noise, reference):
    """The learner never sees it; and all that is said of the domain is the same up to names."""
    assert not any(
        "names" in name or "reference" in name for name in inspect.signature(learn).parameters
    )
    garden(tmp_path)
    write(tmp_path, "reference.pddl", reference)
    call("sample", "domain.pddl", "p.pddl", "-o", "t.jsonl", *noise, cwd=tmp_path)
    plain = call(*LEARN, "plain.pddl", cwd=tmp_path)
    named = call(*LEARN, "named.pddl", "--names-from", "reference.pddl", cwd=tmp_path)
    assert plain.status == named.status
    assert diff_domains(*(read_domain(tmp_path / f"{x}.pddl") for x in ("plain", "named"))).is_equal
    assert parameters(tmp_path, "plain.pddl") != parameters(tmp_path, "named.pddl")
    heads = [
        re.findall("^;.*", (tmp_path / f"{name}.pddl").read_text(), re.MULTILINE)
        for name in ("plain", "named")
    ]
    assert unnamed(heads[0]) == unnamed(heads[1])
    values = [strict_json(outcome.out) for outcome in (plain, named)]
    for value in values:
        del value["seconds"]
    assert unnamed(values[0]) == unnamed(values[1])


def unnamed(value):
    """Without names of variables, and in an order that they have no say in."""
    if isinstance(value, dict):
        return sorted(([unnamed(key), unnamed(own)] for key, own in value.items()), key=repr)
    if isinstance(value, list):
        return sorted(map(unnamed, value), key=repr)
    return VARIABLE.sub("?", value) if isinstance(value, str) else value


def test_an_action_without_a_counterpart_keeps_its_names(sampled):
    write(sampled, "other.pddl", OTHER)
    status, _, err = call(*LEARN, "l.pddl", "--names-from", "other.pddl", cwd=sampled)
    assert status == 0
    assert "warning: no action of other corresponds to sun\n" in err
    found = parameters(sampled, "l.pddl")
    assert found["sun"] == "?bed"
    assert set(found["water"].split()) < {"?one", "?two", "?three"}
    assert "?a" in found.values()  # flood is called otherwise, but shuts as well


@pytest.mark.parametrize("labels", ["full", "partial"])
def test_given_arguments_keep_their_order(tmp_path, labels):
    """It is what the arguments in the traces mean."""
    lines = [GARDEN | {"labels": labels, "static": ["(pipe n rose)"]}]
    for before, after in (("dry", "wet"), ("wet", "wet")):
        lines.append({
            "state": ["(open n)", f"({before} rose)"], "action": "(water rose n)",
            "next": ["(open n)", f"({after} rose)"],
        })  # fmt: skip
    traces(tmp_path, *lines)
    write(tmp_path, "domain.pddl", DOMAIN)
    call(*LEARN, "l.pddl", "--names-from", "domain.pddl", cwd=tmp_path)
    assert parameters(tmp_path, "l.pddl") == {"water": "?b ?t"}
    call(*LEARN, "l.pddl", cwd=tmp_path)
    assert parameters(tmp_path, "l.pddl") == {"water": "?bed ?tank"}


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        (None, ["r.pddl", "nothing of that name"]),
        ("(define (problem p) (:domain garden))", ["r.pddl:1", "expected", "problem"]),
        ("(define (domain d)\n  (:action a :parameters (x)))", ["r.pddl:2:27", "variable"]),
        (
            "(define (domain d) (:predicates (p))\n"
            "  (:action a :parameters () :effect (when (p) (not (p)))))",
            ["r.pddl:2", "when"],
        ),
    ],
)
def test_a_bad_reference_is_one_error_before_anything_is_learned(tmp_path, text, fragments):
    traces(tmp_path, "not a trace file")  # which would be found next
    if text:
        write(tmp_path, "r.pddl", text)
    is_one_error(call(*LEARN, "l.pddl", "--names-from", "r.pddl", cwd=tmp_path), *fragments)
    assert not (tmp_path / "l.pddl").exists()


def test_a_reference_is_an_input_and_for_domains(sampled):
    status, _, err = call(*LEARN, "domain.pddl", "--names-from", "domain.pddl", cwd=sampled)
    assert (status, "domain.pddl is given twice" in err) == (2, True)
    options = ("--names-from", "domain.pddl", "--effects", "mlp")
    status, _, err = call("learn", "t.jsonl", "-o", "n.ckpt", *options, cwd=sampled)
    assert (status, "--names-from is about a domain" in err) == (2, True)
