"""Bindings of steps against a list of all of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dias.learning.soft.averages import kernels
from dias.learning.soft.bindings import NOTHING, SLIP, Binder, touches
from dias.learning.soft.sightings import lay_out
from dias.learning.soft.smooth import unguided
from dias.strips.pddl.reader import parse_domain
from dias.traces.record import LabelMode
from tests.garden import GARDEN, PLOT
from tests.learning.soft.cases import seen

RATE = 0.01
ROWS = np.arange(0, 60, 3)
SWAP = parse_domain(
    """(define (domain garden) (:requirements :strips :typing :equality :negative-preconditions)
    (:types tank bed) (:constants rose - bed)
    (:predicates (open ?t - tank) (shut ?t - tank) (pipe ?t - tank ?b - bed) (dry ?b - bed)
                 (wet ?b - bed))
    (:action water :parameters (?t - tank ?s - tank ?b - bed)
      :precondition (and (open ?t) (not (open ?s)) (not (= ?t ?s)) (pipe ?t ?b) (dry rose))
      :effect (and (wet ?b) (not (dry ?b)) (open ?s))))"""
)
ALIKE = parse_domain(
    """(define (domain garden) (:requirements :strips :typing :negative-preconditions)
    (:types tank bed) (:constants rose - bed)
    (:predicates (open ?t - tank) (shut ?t - tank) (pipe ?t - tank ?b - bed) (dry ?b - bed)
                 (wet ?b - bed))
    (:action water :parameters (?b ?c ?d - bed)
      :precondition (and (dry ?b) (dry ?c) (not (wet ?c)))
      :effect (and (wet ?b) (wet ?c) (not (dry ?b)) (not (dry rose)) (not (wet ?d))))
    (:action sun :parameters (?b - bed ?t ?s - tank)
      :precondition (and (open ?t) (not (open ?s)) (pipe ?s ?b))
      :effect (and (not (open ?t)) (open ?s) (dry ?b))))"""
)
"""Several parameters may be the same bed, and then its atoms are asked for or changed twice."""


def binder(domain, name):
    """Of a partly seen walk, with what is known of it and the atoms' rates."""
    traces = seen(unknown=0.3, labels=LabelMode.FULL)
    (sightings,) = lay_out(traces)
    (messages,) = unguided([sightings])
    rates = np.full(sightings.log_odds.shape[1], RATE)
    own = Binder(domain.action(name), domain, traces.segments[0], sightings, messages, rates)
    return own, sightings, messages


def naive(schema, sightings, messages, row, binding):
    """Log of how much better a binding goes with what is known than nothing."""
    total, codes = 0.0, sightings.codes

    def ground(atoms):
        return {codes.encode(atom.substitute(binding)) for atom in atoms}

    asked, denied, added, deleted = map(
        ground,
        (
            schema.preconditions,
            schema.negative_preconditions,
            schema.add_effects,
            schema.delete_effects,
        ),
    )
    for code in asked | denied | added | deleted:
        true, later = messages.until[row, code], messages.since[row + 1, code]
        fits = 0.0
        for value in (True, False):
            if (code in asked and not value) or (code in denied and value):
                continue
            after = (value and code not in deleted) or code in added
            fits += (true if value else 1 - true) * (later if after else 1 - later)
        same = true * later + (1 - true) * (1 - later)
        idle = (1 - RATE) * same + RATE * (1 - same)
        total += np.log(((1 - SLIP) * fits + SLIP / 2) / idle)
    return total


@pytest.mark.parametrize(
    ("domain", "name"),
    [(GARDEN, "water"), (GARDEN, "sun"), (SWAP, "water"), (ALIKE, "water"), (ALIKE, "sun")],
)
def test_against_all_bindings(domain, name):
    """Where all are kept, shares are exact; so is how much better the step goes with the schema."""
    own, sightings, messages = binder(domain, name)
    schema = domain.action(name)
    ranked = own.rank(ROWS, np.zeros((len(ROWS), 0), np.int64))
    kinds = [
        [o for o, kind in PLOT.objects.items() if kind in types] for _, types in schema.parameters
    ]
    for place, row in enumerate(ROWS.tolist()):
        scores = {}
        for objects in product(*kinds):
            binding = dict(zip(schema.variables, objects, strict=True))
            if all(binding[x] != binding[y] for x, y in schema.inequalities):
                numbers = tuple(sightings.codes.object_number[o] for o in objects)
                scores[numbers] = naive(schema, sightings, messages, row, binding)
        mean = sum(np.exp(s) for s in scores.values()) / np.prod([len(own) for own in kinds])
        assert ranked.gains[place] == pytest.approx(np.log(mean), abs=1e-3)
        any_ = (1 - NOTHING) * mean / ((1 - NOTHING) * mean + NOTHING)
        total = sum(np.exp(s) for s in scores.values())
        found = {
            tuple(b): share
            for b, share in zip(ranked.bindings[place].tolist(), ranked.shares[place], strict=True)
            if share > 0
        }
        for numbers, score in scores.items():
            expected = any_ * np.exp(score) / total
            assert found.get(numbers, 0) == pytest.approx(expected, abs=1e-3)


def test_given_arguments_are_kept():
    own, sightings, _ = binder(GARDEN, "water")
    number = sightings.codes.object_number
    given = np.array([[number["south"], number["leek"]]] * len(ROWS))
    ranked = own.rank(ROWS, given)
    assert (ranked.bindings == given[:, None]).all()


def test_what_the_steps_do_on_the_average():
    """Each kernel is that of the bindings, as likely as all other atoms say; the rest is idle.

    With what is known of the atom the kernel gives the share of the binding.
    """
    own, sightings, messages = binder(GARDEN, "sun")
    wets = next(touch for touch in own.touches if touch.predicate == "wet")
    ranked = own.rank(ROWS, np.zeros((len(ROWS), 0), np.int64))
    rates = np.full(sightings.log_odds.shape[1], RATE)
    found = kernels([(own, ROWS, ranked)], rates, len(sightings.first))
    idle = np.array([[1 - RATE, RATE], [RATE, 1 - RATE]])
    dries = np.array([[0.0, 0.0], [1.0, 0.0]])
    for place, row in enumerate(ROWS.tolist()):
        codes, tables = found.of(row)
        for bed, share in zip(ranked.bindings[place, :, 0], ranked.shares[place], strict=True):
            wet = sightings.codes.encode_words("wet", [sightings.codes.objects[bed]])
            if share > 0.01:
                gain = own.gain(wets.table(), row, np.array(wet))
                dried = share / np.exp(gain) * ((1 - SLIP) * dries + SLIP / 2)
                expected = dried + (1 - share) * idle
                assert np.allclose(tables[codes == wet], expected / expected.sum(), atol=1e-6)
                true, later = messages.until[row, wet], messages.since[row + 1, wet]
                known = np.outer([1 - true, true], [1 - later, later])
                assert (dried * known).sum() / (expected * known).sum() == pytest.approx(
                    share, abs=1e-6
                )


def test_an_atom_that_is_asked_for_and_changed_is_touched_once():
    by_name = {t.predicate: t for t in touches(GARDEN.action("sun"), [])}
    assert (by_name["wet"].requires, by_name["wet"].makes) == (True, False)
    assert (by_name["dry"].requires, by_name["dry"].makes) == (None, True)
