"""The states of walks, given the domain that they are of."""

from __future__ import annotations

import pytest

from dias.learning.soft.denoise import denoise
from dias.strips.pddl.reader import parse_domain, parse_problem
from dias.traces.record import LabelMode
from tests.learning.cases import benchmark, sampled
from tests.learning.soft.cases import seen_in

ROOMS = parse_domain(
    """(define (domain rooms) (:requirements :strips :typing)
    (:types ball room hand - object)
    (:predicates (at ?b - ball ?r - room) (here ?r - room) (free ?h - hand)
                 (held ?b - ball ?h - hand))
    (:action move :parameters (?a ?b - room)
      :precondition (here ?a) :effect (and (here ?b) (not (here ?a))))
    (:action pick :parameters (?b - ball ?r - room ?h - hand)
      :precondition (and (at ?b ?r) (here ?r) (free ?h))
      :effect (and (held ?b ?h) (not (at ?b ?r)) (not (free ?h))))
    (:action swap :parameters (?b ?c - ball ?h ?k - hand)
      :precondition (and (held ?b ?h) (held ?c ?k))
      :effect (and (held ?b ?k) (held ?c ?h) (not (held ?b ?h)) (not (held ?c ?k))))
    (:action drop :parameters (?b - ball ?r - room ?h - hand)
      :precondition (and (held ?b ?h) (here ?r))
      :effect (and (at ?b ?r) (free ?h) (not (held ?b ?h)))))"""
)
"""Moves and exchanges with no word about two that must differ."""

HOUSE = parse_problem(
    """(define (problem house) (:domain rooms)
    (:objects b1 b2 b3 - ball r1 r2 - room left right - hand)
    (:init (here r1) (free left) (free right) (at b1 r1) (at b2 r1) (at b3 r2))
    (:goal (at b1 r2)))""",
    ROOMS,
)


@pytest.mark.parametrize("labels", [LabelMode.NAMES, LabelMode.FULL])
@pytest.mark.parametrize("flips", [0, 0.2])
def test_two_parameters_may_be_one_object(labels, flips):
    """What they have in common speaks once: states that all steps explain stay as they are."""
    found = denoise(seen_in(ROOMS, HOUSE, 0, flips, labels, 40), ROOMS, is_certain=True)
    assert found.n_following == found.n_steps
    assert not found.n_changed


@pytest.mark.parametrize("name", ["gripper", "logistics", "blocks-3"])
def test_arguments_of_partial_labels_stand_where_they_fit(name):
    """They are not the leading ones of a domain that somebody wrote."""
    domain, instances = benchmark(name, "p01")
    traces = sampled(domain, instances, 15, LabelMode.STRIPS_PLUS)
    found = denoise(traces, domain, is_certain=True)
    assert found.n_following == found.n_steps and not found.n_changed
