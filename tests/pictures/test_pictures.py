"""The parts of examples/pictures, and the whole in small."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra `pictures`")

import torch

from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import Atom, Parameter
from dias.strips.problem import CodedProblem
from examples.pictures.denoise import DomainDynamics
from examples.pictures.piles import Piles, instance
from examples.pictures.plan import solved_problems
from examples.pictures.puzzle import Puzzle
from examples.pictures.reader import Reader, likely_states, names_of_classes
from examples.pictures.together import Atoms, balanced
from examples.pictures.ways import Seen, is_borne_out, keeps_groups, learned_from

ROOT = Path(__file__).parents[2]
WORLDS = pytest.mark.parametrize("kind", [Puzzle, Piles])


@WORLDS
def test_states_and_atoms_are_two_words_for_one_thing(kind):
    world = kind(0)
    states, actions = world.walk(20)
    assert states.shape == (21, len(world.places)) and actions.shape == (20,)
    for state in states:
        assert (world.state(world.atoms(state)) == state).all()
        counts = np.bincount(state, minlength=len(world.templates))
        assert (counts[world.once] == 1).all()
    doubled = states[0].copy()
    doubled[0] = doubled[1]
    assert (world.state(world.atoms(doubled)) == doubled).all()
    assert world.state(world.atoms(states[0]) | world.atoms(states[5])) is None
    assert world.state(frozenset(list(world.atoms(states[0]))[1:])) is None


@WORLDS
def test_a_walk_is_one_in_the_true_domain(kind):
    world = kind(3)
    states, actions = world.walk(30)
    dynamics = DomainDynamics(world, world.domain)
    for t, action in enumerate(actions):
        ways = dynamics.ways(states[t : t + 1], int(action))
        assert (ways.child == states[t + 1]).all(1).sum() == 1
        np.testing.assert_allclose(np.exp(ways.log_prob).sum(), 1)


def test_ways_are_the_distinct_successors():
    world = Piles(0)
    states, _ = world.walk(6)
    problem = CodedProblem.of(world.instance, world.domain)
    generator = SuccessorGenerator(world.domain, problem)
    dynamics = DomainDynamics(world, world.domain)
    for action, name in enumerate(world.actions):
        ways = dynamics.ways(states, action)
        for w, state in enumerate(states):
            own = problem.codes.encode_state(world.atoms(state))
            expected = {s.next_state(own) for s in generator.successors(own) if s.action == name}
            found = ways.child[ways.parent == w]
            assert len(found) == len(expected)
            assert {problem.codes.encode_state(world.atoms(s)) for s in found} == expected


def test_held_out_digits_are_others():
    world = Puzzle(1)
    states = world.walk(300)[0]
    seen, held_out = (world.draw(states, which).reshape(-1, 64) for which in (False, True))
    assert not {p.tobytes() for p in seen} & {p.tobytes() for p in held_out}


@WORLDS
def test_the_same_seed_draws_the_same(kind):
    pictures = []
    for _ in range(2):
        world = kind(2)
        pictures.append(world.draw(world.walk(5)[0]))
    assert (pictures[0] == pictures[1]).all()
    assert pictures[0].min() >= 0 and pictures[0].max() <= 1


@WORLDS
def test_labels_are_true_and_as_many_as_asked_for(kind):
    world = kind(0)
    pictures, labels = world.labelled(30)
    assert np.bincount(labels).tolist() == [30] * len(world.templates)
    assert Reader(pictures, labels).accuracy(*world.labelled(20)) > 0.7


def test_larger_piles_have_room():
    problem = instance(4, 3)
    counts = {p: sum(a.predicate == p for a in problem.init) for p in ("slot", "at", "empty")}
    assert counts == {"slot": 15, "at": 4, "empty": 11}


@pytest.mark.parametrize("once", [[True] * 3, [False, True, True]])
def test_the_likeliest_state_comes_first_and_all_keep_the_groups(once):
    rng, once = np.random.default_rng(0), np.array(once)
    log_seen = rng.normal(size=(5, 3, 3))
    found = likely_states(log_seen, once, rng, n_tries=6)
    for own, states in zip(log_seen, found, strict=True):
        best = max(permutations(range(3)), key=lambda s: sum(own[p, k] for p, k in enumerate(s)))
        assert states[0].tolist() == list(best)
        for state in states:
            assert (np.bincount(state, minlength=3)[once] == 1).all()


def test_classes_are_called_what_most_labels_say():
    rng = np.random.default_rng(0)
    centres = 4 * np.eye(3)
    classes = np.repeat([0, 1, 2], 50)
    pictures = centres[classes] + rng.normal(size=(150, 3))
    labels = np.array([2, 0, 1])  # what class 0 shows is called 2, and so on
    reader = Reader(pictures, classes)
    names = names_of_classes(reader, centres, labels)
    assert names.tolist() == [2, 0, 1]
    # A picture that looks like another thing is outvoted by the others.
    assert names_of_classes(reader, centres[[1, 1, 2]], labels).tolist() == [2, 0, 1]
    assert reader.renamed(names).accuracy(centres, labels) == 1


def test_atoms_as_tensors():
    world = Piles(0)
    atoms, state = Atoms(world), world.walk(3)[0][-1]
    probs = torch.nn.functional.one_hot(torch.tensor(state[None]), len(world.templates)).float()
    tensors = {**{k: v for k, v in atoms.static.items() if v.any()}, **atoms.tensors(probs)}
    found = {
        (name, *(atoms.objects[o] for o in entry[-atoms.arities[name] :]))
        for name, tensor in tensors.items()
        for entry in tensor.nonzero().tolist()
    }
    assert found == {(a.predicate, *a.terms) for a in world.atoms(state) | world.static}


@pytest.mark.parametrize("once", [[True] * 3, [False, True, True]])
def test_probabilities_are_balanced_over_the_groups(once):
    logits = torch.randn(4, 3, 3, generator=torch.Generator().manual_seed(0))
    probs = balanced(logits, torch.tensor(once))
    torch.testing.assert_close(probs.sum(2), torch.ones(4, 3))
    torch.testing.assert_close(probs.sum(1)[:, once], torch.ones(4, sum(once)), atol=0.1, rtol=0)


def true_domain_of(world, n_steps=80):
    """A reader and a domain learned where all is given."""
    states, actions = world.walk(n_steps)
    pictures = world.draw(states)
    reader = Reader(pictures.reshape(states.size, -1), states.ravel())
    seen = Seen(pictures, actions, pictures[0], states[0])
    return seen, learned_from(world, seen, reader, states)


@pytest.mark.slow
def test_a_true_domain_is_borne_out_and_plans_and_a_wrong_one_is_not():
    world = Puzzle(0)
    seen, learned = true_domain_of(world)
    assert learned.explains_everything
    rng = np.random.default_rng(0)
    assert is_borne_out(world, seen, learned, rng)
    assert solved_problems(world, learned.result.domain, learned.reader, 1) == 1
    others = seen._replace(actions=(seen.actions + 1) % 4)  # up is called down, and so on
    assert not is_borne_out(world, others, learned, rng)


def test_a_domain_in_which_things_come_twice_is_not_believed():
    """It sets down another block than it takes up, as a classifier may have read it."""
    world = Piles(0)
    actions = []
    for action in world.domain.actions:
        extra = Parameter("?other", ("object",))
        taken = {atom for atom in action.delete_effects if atom.predicate == "at"}
        [block] = {atom.terms[0] for atom in taken}
        put = {a.substitute({block: "?other"}) for a in action.add_effects if a.predicate == "at"}
        added = {a for a in action.add_effects if a.predicate != "at"} | put
        kept = action.preconditions | {Atom("block", ("?other",))}
        parameters = (*action.parameters, extra)
        actions.append(
            replace(action, parameters=parameters, preconditions=kept, add_effects=frozenset(added))
        )
    states, _ = world.walk(30)
    twice = DomainDynamics(world, replace(world.domain, actions=tuple(actions)))
    assert keeps_groups(world, DomainDynamics(world, world.domain), states)
    assert not keeps_groups(world, twice, states)


@pytest.mark.slow
def test_one_label_of_each_thing_is_enough(tmp_path):
    """The command of the page, in small."""
    page = (ROOT / "docs" / "pictures.md").read_text("utf-8")
    [command, *_] = re.findall(r"^\$ python (-m examples\.pictures .*)$", page, re.MULTILINE)
    arguments = [*command.split(), "-o", str(tmp_path)]
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, timeout=900)
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert len(rows) == 2
    for row in rows:
        assert (row["perfect"], row["status"]) == (True, 0)
        assert row["reading"] > row["all_labels"] - 0.01
        assert row["labels_alone"] < row["reading"]
    assert (tmp_path / "pictures.png").stat().st_size > 10_000
