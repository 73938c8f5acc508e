"""Traces that nobody planned: learning ends with a domain or with one clear error."""

from __future__ import annotations

import json
import logging
import random
from dataclasses import replace

import pytest

from dias.config import LearningConfig, ModelConfig, TrainingConfig
from dias.errors import InsufficientTracesError, TraceError
from dias.learning.explain.bindings import MAX_CHANGES
from dias.learning.learn import learn
from dias.learning.mlp.learn import learn_mlp
from dias.learning.propose.network import MAX_SLOTS, enough_slots
from dias.traces.reading.reader import read_traces

SYMBOLIC = LearningConfig(method="symbolic")
FIVE = ModelConfig(n_slots=5)
TINY = {
    "restarts": 1,
    "check_every": 1,
    "model": ModelConfig(2, 8, 2),
    "training": TrainingConfig(2, 20, tau_steps=1),
}


@pytest.fixture
def read(tmp_path):
    def read(*lines, name="t.jsonl"):
        path = tmp_path / name
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        return read_traces(path)

    return read


def step(before, action, after):
    return {"state": before, "action": f"({action})", "next": after}


def random_files(rng):
    """The lines of two files, a few steps each with random facts over a few objects, or none."""
    labels = rng.choice(["names", "partial", "full"])
    predicates = [(f"p{i}", rng.randint(0, 3)) for i in range(rng.randint(1, 3))]
    objects = [f"o{i}" for i in range(rng.randint(0, 4))]

    def facts():
        chosen = [rng.choice(predicates) for _ in range(rng.randint(0, 4))]
        return sorted(
            {
                f"({' '.join([name, *(rng.choice(objects) for _ in range(arity))])})"
                for name, arity in chosen
                if objects or not arity
            }
        )

    def steps():
        for _ in range(rng.randint(1, 8)):
            n_arguments = rng.randint(0, 2) if objects and labels != "names" else 0
            arguments = [rng.choice(objects) for _ in range(n_arguments)]
            name = f"a{rng.randint(0, 1)}" + (str(n_arguments) if labels != "names" else "")
            yield step(facts(), " ".join([name, *arguments]), facts())

    header = {"dias": "trace/1", "labels": labels, "static": facts() if rng.random() < 0.4 else []}
    return [header, *steps()], [header, *steps()]


METHODS = [("symbolic", "strips"), ("symbolic", "conditional")]
METHODS += [("hybrid", "strips"), ("neural", "strips"), ("neural", "mlp")]


@pytest.mark.parametrize("numbers", [range(7), pytest.param(range(7, 20), marks=pytest.mark.slow)])
@pytest.mark.parametrize(("method", "effects"), METHODS)
def test_random_steps_with_other_random_steps_as_validation(read, method, effects, numbers):
    config = LearningConfig(method=method, effects=effects, **TINY)
    n_learned = 0
    for number in numbers:
        learned, held_out = random_files(random.Random(number))
        try:
            traces, validation = read(*learned), read(*held_out, name="v.jsonl")
            if effects == "mlp":
                _, result = learn_mlp(traces, config, validation=validation)
            else:
                result = learn(traces, config, validation=validation)
        except TraceError:
            continue
        n_learned += 1
        assert 0 <= result.n_explained <= result.n_distinct
        explained, n_distinct = result.validation
        assert 0 <= explained <= n_distinct == len(validation.transitions)
    assert n_learned >= 5


def test_a_validation_file_may_lack_a_predicate(read):
    """Nothing was switched on there, so no state mentions lamps."""
    traces = read(
        step(["(at hall)"], "switch", ["(at hall)", "(lit hall)"]),
        step(["(at hall)", "(door hall yard)"], "go", ["(at yard)", "(door hall yard)"]),
    )
    validation = read(
        step(["(at yard)", "(door yard hall)"], "go", ["(at hall)", "(door yard hall)"]),
        name="v.jsonl",
    )
    assert learn(traces, SYMBOLIC, validation=validation).validation == (1, 1)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([step(["(at hall cold)"], "go", [])], r"the predicates of .* \(at/1\), found at/2"),
        (
            [{"dias": "trace/1", "labels": "full"}, step(["(at hall)"], "go hall", [])],
            r"the labels of .* \(names\), found full",
        ),
    ],
)
def test_validation_that_does_not_fit_is_refused(read, lines, message):
    traces = read({"dias": "trace/1", "labels": "names"}, step(["(at hall)"], "go", []))
    validation = read(*lines, name="v.jsonl")
    with pytest.raises(TraceError, match=message) as caught:
        learn(traces, SYMBOLIC, validation=validation)
    assert caught.value.place.endswith("v.jsonl")


def test_every_given_argument_has_a_slot(read):
    """Also where one object is given twice, or some step concerns too many objects."""
    twice = read(
        {"dias": "trace/1", "labels": "partial"}, step(["(p a)", "(p b)"], "mv a b a", ["(p a)"])
    )
    assert enough_slots(twice, FIVE) == 3
    objects = [f"o{i}" for i in range(MAX_SLOTS + 1)]
    many = read(
        {"dias": "trace/1", "labels": "partial"},
        step([], f"pack {' '.join(objects[:6])}", ["(p o0)"]),
        step([], f"pack {' '.join(objects[:6])}", [f"(p {name})" for name in objects]),
    )
    assert enough_slots(many, FIVE) == 6
    assert enough_slots(many, replace(FIVE, grow_slots=False)) == 6
    assert learn(twice, LearningConfig(**TINY)).explains_everything


def test_slots_that_suffice_are_not_too_few(read, caplog):
    objects = [f"o{i}" for i in range(MAX_SLOTS + 1)]
    traces = read(step([], "pack", [f"(p {name})" for name in objects]))
    with caplog.at_level(logging.WARNING):
        assert enough_slots(traces, ModelConfig(MAX_SLOTS + 2)) == MAX_SLOTS + 1
        assert not caplog.records
        assert enough_slots(traces, FIVE) == 5
    assert "more than 10 slots are not tried" in caplog.text


def test_slots_grow_unless_they_must_not(read, caplog):
    traces = read(step([], "pack", [f"(p {name})" for name in "abcdefg"]))
    assert enough_slots(traces, FIVE) == 7
    assert "going on with 7 slots" in caplog.text
    caplog.clear()
    assert enough_slots(traces, replace(FIVE, grow_slots=False)) == 5
    assert caplog.messages == ["5 slots are too few: some step concerns 7 objects"]


@pytest.mark.parametrize(("effects", "n_explained"), [("strips", 1), ("conditional", 3)])
def test_an_object_given_as_two_arguments_is_an_object_like_others(read, effects, n_explained):
    """No effects explain all three; were the last two one part, it would apply in the first."""
    traces = read(
        {"dias": "trace/1", "labels": "full"},
        step([], "join a b", ["(glued a b)"]),
        step([], "join b b", ["(glued b b)", "(stuck b)"]),
        step(["(stuck a)"], "join b a", ["(stuck a)", "(glued b a)", "(stuck b)"]),
    )
    result = learn(traces, replace(SYMBOLIC, effects=effects))
    assert (result.n_explained, result.n_distinct) == (n_explained, 3)
    lines = [own.support.unexplained_lines for own in result.evidence]
    assert lines == ([(3, 4)] if effects == "strips" else [(), (), ()])


def test_noise_without_any_object(read):
    """Six lamps without names, switched at random."""
    rng = random.Random(0)
    lamps = [f"(lamp{i})" for i in range(6)]
    lines = [
        step([x for x in lamps if rng.random() < 0.5], f"a{i % 2}", rng.sample(lamps, 3))
        for i in range(80)
    ]
    result = learn(read(*lines), SYMBOLIC)
    assert result.n_explained < result.n_distinct


def test_a_network_with_nothing_to_see_says_so(read):
    traces = read(step([], "wait", []))
    assert learn(traces, SYMBOLIC).explains_everything
    with pytest.raises(InsufficientTracesError, match="no state has a fact"):
        learn_mlp(traces, LearningConfig(method="neural", effects="mlp", **TINY))


def test_a_step_that_changes_hundreds_of_atoms_stays_unexplained(read, caplog):
    facts = [f"(on o{i})" for i in range(MAX_CHANGES + 500)]
    with caplog.at_level(logging.WARNING):
        result = learn(read(step(facts, "reset", [])), SYMBOLIC)
    assert (result.n_explained, result.n_distinct) == (0, 1)
    assert "line 1 changes 600 atoms" in caplog.text


def test_successors_that_several_steps_show_count_once(read):
    traces = read(
        {"dias": "trace/1", "labels": "full"},
        *(step(["(p a)", "(p b)", "(p c)"], f"touch {name}", ["(p a)", "(p b)", "(p c)"])
          for name in "abc"),
    )  # fmt: skip
    (evidence,) = learn(traces, SYMBOLIC).evidence
    support = evidence.support
    assert support.outcomes == (1, 1, 1)
