"""A port and its tugs as text, and what is said when such a text is refused."""

from __future__ import annotations

import pytest

from dias.errors import PDDLInputError
from dias.strips.pddl.reader import parse_domain, parse_problem

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
