"""Learning networks with state-dependent effects: trained, certified, kept in files, read out."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import pytest
import torch

from dias.config import LearningConfig, ModelConfig, TrainingConfig
from dias.errors import CheckpointError, DiasError, InsufficientTracesError
from dias.evaluation.evaluate import compare
from dias.learning.data.transitions import examples_by_action
from dias.learning.learn import learn
from dias.learning.mlp.checkpoint import FORMAT, load_dynamics, save_dynamics
from dias.learning.mlp.dynamics import MLPDynamics
from dias.learning.mlp.learn import learn_mlp
from dias.learning.mlp.read_out import read_out_domain
from dias.learning.mlp.selections import certified_selections
from dias.learning.train.checkpoint import save_checkpoint
from dias.strips.engines.choice import StripsDynamics
from dias.strips.model import Instance
from dias.strips.problem import CodedProblem
from dias.traces.record import LabelMode
from tests.learning.cases import benchmark, sampled
from tests.learning.conditional_cases import fetch, nameless, reap, toggle

TRAINED = LearningConfig(
    method="neural",
    effects="mlp",
    check_every=2,
    model=ModelConfig(3, 8, 1),
    training=TrainingConfig(4, 30, objective="lifted", alpha=1.0),
)
"""Far too short to learn anything."""

CERTIFIED = LearningConfig(method="hybrid", effects="mlp")


@pytest.fixture(scope="module")
def gripper():
    domain, [training, test] = benchmark("gripper", "p01", "p02")
    return domain, test, sampled(domain, [training], 30)


def instances(domain, worlds):
    return [
        Instance(f"p{number}", domain.name, objects, atoms)
        for number, (objects, atoms) in enumerate(worlds)
    ]


@pytest.mark.parametrize("objective", ["lifted", "dense"])
def test_training_is_repeatable_and_goes_on(gripper, tmp_path, objective):
    _, _, traces = gripper
    config = replace(TRAINED, training=replace(TRAINED.training, objective=objective))
    files = [tmp_path / name for name in "abc"]
    for path in files[:2]:
        dynamics, result = learn_mlp(traces, config)
        save_dynamics(path, dynamics)
    assert result.n_steps == 4

    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_mlp(traces, config, stop, tmp_path / "state")
    looks = []
    dynamics, _ = learn_mlp(traces, config, looks.append, tmp_path / "state")
    save_dynamics(files[2], dynamics)
    assert [progress.step for progress in looks] == [4]
    first, *others = [path.read_bytes() for path in files]
    assert all(other == first for other in others)


def test_the_objectives_train_differently(gripper):
    _, _, traces = gripper
    dense = replace(TRAINED, training=replace(TRAINED.training, objective="dense"))
    weights = [learn_mlp(traces, config)[0].network.queries for config in (TRAINED, dense)]
    assert not torch.equal(*weights)


def test_every_part_of_the_network_is_trained(gripper):
    """L_aux reaches the MLP and, through Ã, the selection."""
    _, _, traces = gripper
    before, after = (
        dict(learn_mlp(traces, replace(TRAINED, training=replace(TRAINED.training, n_steps=n)))[0]
             .network.named_parameters())
        for n in (1, 4)
    )  # fmt: skip
    assert [name for name in before if torch.equal(before[name], after[name])] == []


@pytest.mark.parametrize("name", ["toggle", "reap"])
def test_certified_selections_make_it_exact(name):
    domain, worlds = {"toggle": toggle, "reap": reap}[name]()
    traces = nameless(domain, worlds)
    dynamics, result = learn_mlp(traces, CERTIFIED)
    assert result.explains_everything
    measured = compare(
        dynamics, StripsDynamics(domain), instances(domain, worlds), 400, variants=True
    )
    assert measured.is_sound and measured.is_complete and measured.pooled.pairs.is_complete
    # And the same as a domain.
    found = read_out_domain(dynamics, traces, result)
    assert found.explains_everything
    assert sum(map(len, found.variants.values())) == 2
    compared = compare(
        dynamics, StripsDynamics(found.domain), instances(domain, worlds), 400, variants=True
    )
    assert compared.is_sound and compared.is_complete


def test_strips_domains_are_learned_too(gripper):
    domain, test, traces = gripper
    dynamics, result = learn_mlp(traces, CERTIFIED, validation=traces)
    assert result.explains_everything
    assert result.validation == (len(traces.transitions),) * 2
    measured = compare(dynamics, StripsDynamics(domain), [test], 40)
    assert measured.is_sound and measured.is_complete
    assert {e.action: e.n_explained for e in result.evidence} == {
        e.action: e.n_transitions for e in learn(traces, LearningConfig(method="symbolic")).evidence
    }
    assert read_out_domain(dynamics, traces, result).variants == {}


def test_groundings_that_change_the_same_are_given_once(gripper):
    """Every grounding has its successor, and no successor is lost where equal ones are merged."""
    _, _, traces = gripper
    dynamics, _ = learn_mlp(traces, replace(CERTIFIED, model=ModelConfig(5, 8, 1)))
    with torch.no_grad():
        dynamics.network.slot_logits.fill_(9.0)  # spare slots take any object
    [segment] = traces.segments
    spare = MLPDynamics.of(dynamics.network, traces)
    problem = CodedProblem.of(Instance("", "", segment.objects, frozenset()), spare)
    engine, codes = spare.build(problem), problem.codes
    state = codes.encode_state(traces.transitions[0].state | segment.static)
    every = list(engine.groundings(state))
    merged = [successor for own in engine.expansions(state) for successor in own]
    changes = [(s.action, s.added, s.deleted) for s in every]
    assert {(s.action, s.added, s.deleted) for s in merged} == set(changes)
    assert set(merged) <= set(every)
    assert len(merged) < len(every) == len({(s.action, s.binding) for s in every})
    assert engine.successors(state) == sorted(every, key=lambda s: (s.action, s.binding))


def test_an_argument_that_is_there_in_some_states_only_is_left_out():
    """`fetch` moves with two arguments or with three; static preconditions cannot say that."""
    domain, worlds = fetch()
    traces = nameless(domain, worlds)
    [examples] = examples_by_action(traces).values()
    chosen = certified_selections(examples, traces).chosen
    assert {len(t.next_state - t.state) for t, _ in chosen} == {3}
    assert 0 < len(chosen) < len(traces.transitions)


@pytest.mark.parametrize("labels", [LabelMode.STRIPS_PLUS, LabelMode.FULL])
def test_given_arguments_are_forced(labels):
    domain, [training, test] = benchmark("gripper", "p01", "p02")
    traces = sampled(domain, [training], 30, labels)
    dynamics, _ = learn_mlp(traces, TRAINED)
    given = {t.action: len(t.arguments) for t in traces.transitions}
    assert dict(zip(dynamics.actions, dynamics.network.vocabulary.n_given, strict=True)) == given
    for schema in dynamics.preconditions.actions:
        if labels is LabelMode.FULL:
            assert schema.arity == domain.action(schema.name).arity
        else:
            assert schema.arity >= given[schema.name]
    dynamics, result = learn_mlp(traces, CERTIFIED)
    assert result.explains_everything
    measured = compare(dynamics, StripsDynamics(domain), [test], 40)
    assert measured.is_sound and measured.is_complete


def test_a_file_gives_the_same_network(gripper, tmp_path):
    domain, test, traces = gripper
    dynamics, _ = learn_mlp(traces, CERTIFIED)
    save_dynamics(tmp_path / "a", dynamics)
    again = load_dynamics(tmp_path / "a")
    save_dynamics(tmp_path / "b", again)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert again.preconditions == dynamics.preconditions
    true = StripsDynamics(domain)
    assert compare(again, true, [test], 20) == compare(dynamics, true, [test], 20)


def damaged(content):
    return {key: value for key, value in content.items() if key != "weights"}


def misshapen(content):
    return content | {"model": content["model"] | {"n_slots": 2}}


@pytest.mark.parametrize("spoil", [damaged, misshapen])
def test_files_with_wrong_parts_are_refused(gripper, tmp_path, spoil):
    _, _, traces = gripper
    dynamics, _ = learn_mlp(traces, TRAINED)
    path = tmp_path / "model.ckpt"
    save_dynamics(path, dynamics)
    torch.save(spoil(torch.load(path, weights_only=True)), path)
    with pytest.raises(CheckpointError, match="found some missing or misshapen"):
        load_dynamics(path)


def test_foreign_files_are_refused(gripper, tmp_path):
    _, _, traces = gripper
    path = tmp_path / "model.ckpt"
    save_dynamics(path, learn_mlp(traces, TRAINED)[0])
    whole = path.read_bytes()
    for content in (whole[: len(whole) // 2], b"(define (domain d))", b""):
        path.write_bytes(content)
        with pytest.raises(CheckpointError, match="damaged or foreign file"):
            load_dynamics(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", "b")
    with pytest.raises(CheckpointError, match="damaged or foreign file"):
        load_dynamics(path)
    torch.save([1, 2], path)
    with pytest.raises(CheckpointError, match="found something else"):
        load_dynamics(path)
    save_checkpoint(path, "run", {})
    with pytest.raises(CheckpointError, match="found dias-checkpoint/1"):
        load_dynamics(path)
    with pytest.raises(CheckpointError):
        load_dynamics(tmp_path / "nothing")


def test_nothing_in_a_file_is_run(tmp_path):
    class Evil:
        def __reduce__(self):
            return print, ("run",)

    torch.save({"format": FORMAT, "domain": Evil()}, tmp_path / "evil.ckpt")
    with pytest.raises(CheckpointError, match="damaged or foreign file"):
        load_dynamics(tmp_path / "evil.ckpt")


def test_an_untrained_network_is_read_out_too(gripper):
    """It explains next to nothing, and the domain says so."""
    _, _, traces = gripper
    dynamics, result = learn_mlp(traces, TRAINED)
    found = read_out_domain(dynamics, traces, result)
    assert found.n_distinct == result.n_distinct == len(traces.transitions)
    assert found.n_explained <= result.n_explained < result.n_distinct


def test_there_is_no_domain_for_networks(gripper):
    with pytest.raises(ValueError, match="learn_mlp"):
        learn(gripper[2], TRAINED)
    with pytest.raises(InsufficientTracesError):
        learn_mlp(replace(gripper[2], transitions=()), TRAINED)
    assert issubclass(CheckpointError, DiasError)


def test_the_threshold_is_kept_with_the_network(gripper, tmp_path):
    _, _, traces = gripper
    high, low = (learn_mlp(traces, replace(TRAINED, threshold=t))[0] for t in (0.999, 0.001))
    assert not any(action.preconditions for action in high.preconditions.actions)
    assert any(action.preconditions for action in low.preconditions.actions)
    save_dynamics(tmp_path / "low", low)
    again = load_dynamics(tmp_path / "low")
    assert (again.threshold, again.preconditions) == (0.001, low.preconditions)


def test_what_is_reported_while_training(gripper):
    _, _, traces = gripper
    looks = []
    learn_mlp(traces, TRAINED, looks.append)
    assert [(look.step, look.n_restarts, look.explained) for look in looks] == [
        (2, 1, None), (4, 1, None)
    ]  # fmt: skip
    assert all(look.aux_loss > 0 and 0 < look.p_pre <= 1 for look in looks)
    assert set(looks[0].active_slots) == set(traces.actions)


@pytest.mark.parametrize(
    "wrong", [{"method": "symbolic"}, {"preconditions": "minimal"}, {"without": ("repair",)}]
)
def test_settings_that_do_not_fit_are_refused(wrong):
    with pytest.raises(ValueError, match="mlp effects"):
        LearningConfig(**({"effects": "mlp", "method": "hybrid"} | wrong))
    with pytest.raises(ValueError, match="effects must be one of"):
        LearningConfig(effects="quantum")
