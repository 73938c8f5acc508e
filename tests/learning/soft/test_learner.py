"""Learning from walks that are seen in part, or with probabilities."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from dias.config import LearningConfig
from dias.errors import TraceError
from dias.evaluation.evaluate import evaluate
from dias.learning.learn import learn
from dias.learning.soft.first import first_of_arguments
from dias.learning.soft.learner import learn_uncertain
from dias.learning.soft.likeliest import certain
from dias.learning.soft.sightings import lay_out
from dias.learning.soft.smooth import smooth, unguided
from dias.strips.model import Atom
from dias.traces.record import HALF, LabelMode
from tests.garden import GARDEN, PLOT
from tests.learning.cases import benchmark
from tests.learning.soft.cases import seen, seen_in

SYMBOLIC = LearningConfig(method="symbolic")


@pytest.mark.parametrize("labels", [LabelMode.NAMES, LabelMode.FULL])
@pytest.mark.parametrize(("unknown", "flips"), [(0.3, 0), (0, 1), (0.1, 0.5)])
def test_the_true_domain_is_learned(labels, unknown, flips):
    traces = seen(unknown, flips, labels)
    result = learn(traces, SYMBOLIC)
    found = evaluate(result.domain, GARDEN, [PLOT])
    assert (found.is_sound, found.is_complete) == (True, True)
    assert result.explains_everything and result.noise is None
    own = result.uncertain
    assert own.n_doubted == sum(len(t.soft) + len(t.next_soft) for t in traces.transitions)
    assert (own.n_unknown > 0, bool(own.temperatures)) == (unknown > 0, flips > 0)
    assert not own.alarms and own.n_against <= 1


@pytest.mark.parametrize("labels", [LabelMode.NAMES, LabelMode.FULL])
def test_places_that_are_seldom_visited_are_not_taken_for_constants(labels):
    """Each of 25 is one in 25 states, if seen at all."""
    domain, (here, there) = benchmark("visitall", "p01", "p02")
    result = learn(seen_in(domain, here, 0.3, 0, labels, 100), SYMBOLIC)
    found = evaluate(result.domain, domain, [there], 200)
    assert (found.is_sound, found.is_complete) == (True, True)
    assert result.explains_everything


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("unknown", [0.1, 0.3])
def test_of_given_arguments_few_steps_are_enough(unknown, seed):
    """Changes that are known on both sides are effects, and no noise."""
    traces = seen(unknown, 0, LabelMode.FULL, 10, seed)
    result = learn(traces, SYMBOLIC)
    assert result.explains_everything and not result.uncertain.n_against
    for true in GARDEN.actions:
        learned = result.domain.action(true.name)
        number = dict(zip(true.variables, learned.variables, strict=True))
        for part in ("add_effects", "delete_effects", "preconditions"):
            wanted = {atom.substitute(number) for atom in getattr(true, part)}
            found = getattr(learned, part)
            assert found == wanted or (part == "preconditions" and found > wanted)


def test_the_first_domain_of_given_arguments():
    """With probabilities, or by names, nothing is certain enough to begin with."""
    traces = seen(0.3, 0, LabelMode.FULL)
    first = first_of_arguments(lay_out(traces), traces)
    for true in GARDEN.actions:
        own = first.action(true.name)
        number = dict(zip(true.variables, own.variables, strict=True))
        assert own.add_effects == {atom.substitute(number) for atom in true.add_effects}
        assert own.delete_effects == {atom.substitute(number) for atom in true.delete_effects}
        assert [p.types for p in own.parameters] == [p.types for p in true.parameters]
    for other in (seen(0.3), seen(0, 1, LabelMode.FULL)):
        assert first_of_arguments(lay_out(other), other) is None


def test_where_all_is_certain_the_guess_is_what_was_seen():
    """The limit: with probabilities 0 and 1 the first states learned from are those of the file."""
    traces = seen()
    sightings = lay_out(traces)
    (messages,) = unguided(sightings)
    rows = sightings[0].rows
    parts = [(sightings[0], messages.until[rows] > HALF, messages.since[rows + 1] > HALF)]
    assert set(certain(traces, parts).transitions) == {
        replace(t, walk=None, step=None) for t in traces.transitions
    }


def test_the_true_domain_puts_the_states_right():
    traces, true = seen(unknown=0.3), seen()
    sightings = lay_out(traces)
    (found,) = smooth(sightings, GARDEN, traces)
    by_line = {t.line: t for t in true.transitions}
    codes = found.sightings.codes
    holding = found.holding()
    n_right = 0
    for t, row in zip(found.sightings.steps, found.sightings.rows.tolist(), strict=True):
        if t.line in by_line:
            truth = codes.encode_state(by_line[t.line].state)
            static = codes.encode_state(traces.segments[0].static)
            n_right += set(holding[row].nonzero()[0].tolist()) == truth | static
    assert n_right >= 0.97 * len(by_line)


def test_a_wrong_step_that_is_certain_is_said():
    """It contradicts the domain, so the file is not explained as a whole."""
    traces = seen(unknown=0.1)
    steps = list(traces.transitions)
    place = next(n for n, t in enumerate(steps) if t.action == "turn-on" and not t.soft)
    wrong = replace(steps[place], action="sun")
    steps[place] = wrong
    result = learn(replace(traces, transitions=tuple(steps)), SYMBOLIC)
    lines = [line for one in result.evidence for line in one.support.unexplained_lines]
    assert wrong.line in lines


@pytest.mark.parametrize("part", ["negative_preconditions", "preconditions"])
def test_what_is_learned_may_differ_in_what_must_not_hold(part):
    """Whether that is written may hang on a step. Other schemas each time are an alarm."""
    traces = seen(unknown=0.3)
    number = count()

    def in_turns(certain, share):
        """Every other time with a literal more."""
        found = learn(certain, SYMBOLIC)
        first, *others = found.domain.actions
        [variable, *_] = first.variables
        more = (
            getattr(first, part) | {Atom("pipe", (variable, variable))}
            if next(number) % 2 == 0
            else None
        )
        actions = (replace(first, **{part: more}) if more else first, *others)
        return replace(found, domain=replace(found.domain, actions=actions))

    result = learn_uncertain(traces, lambda guessed, _: learn(guessed, SYMBOLIC).domain, in_turns)
    assert result.uncertain.is_unsettled == (part == "preconditions")


def test_shuffled_names_are_not_explained():
    """Where the names say nothing, no domain is believed."""
    traces = seen(unknown=0.3)
    names = [t.action for t in traces.transitions]
    steps = tuple(
        replace(t, action=name)
        for t, name in zip(traces.transitions, names[7:] + names[:7], strict=True)
    )
    result = learn(replace(traces, transitions=steps), SYMBOLIC)
    assert not result.explains_everything


def test_probabilities_that_claim_too_much_are_an_alarm():
    """Each atom that was doubted is said to be nearly certain."""
    traces = seen(flips=2, n_per_action=60)

    def bolder(soft):
        return frozenset((a, 0.998 if p > HALF else 0.002) for a, p in soft)

    steps = tuple(
        replace(t, soft=bolder(t.soft), next_soft=bolder(t.next_soft)) for t in traces.transitions
    )
    own = learn(replace(traces, transitions=steps), SYMBOLIC).uncertain
    assert max(own.temperatures.values()) > 2
    assert own.alarms and own.is_doubtful


def test_what_takes_no_probabilities_refuses_them():
    traces = seen(unknown=0.3)
    with pytest.raises(TraceError, match="every atom is certain"):
        learn(traces, LearningConfig(effects="conditional"))
    with pytest.raises(TraceError, match="every atom is certain"):
        learn(seen(), SYMBOLIC, validation=traces)
