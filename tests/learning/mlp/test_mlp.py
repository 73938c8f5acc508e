"""Networks with state-dependent effects: trained, planted, replayed, kept in files."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import pytest
import torch

from dias.config import LearningConfig, ModelConfig, TrainingConfig
from dias.errors import CheckpointError, DiasError, InsufficientTracesError
from dias.evaluation.evaluate import compare
from dias.learning.learn import learn
from dias.learning.mlp import dynamics as dynamics_module
from dias.learning.mlp import engine as engine_module
from dias.learning.mlp.checkpoint import FORMAT, load_dynamics, save_dynamics
from dias.learning.mlp.dynamics import MLPDynamics, explains_all, weigh
from dias.learning.mlp.learn import learn_mlp
from dias.learning.train.checkpoint import save_checkpoint
from dias.strips.engines.choice import StripsDynamics
from dias.strips.model import Instance
from dias.strips.problem import CodedProblem
from dias.traces.record import LabelMode
from tests.learning.cases import benchmark, sampled
from tests.learning.conditional_cases import nameless, reap, toggle
from tests.learning.mlp.planted import planted

TRAINED = LearningConfig(
    method="neural",
    effects="mlp",
    check_every=2,
    model=ModelConfig(3, 8, 1),
    training=TrainingConfig(4, 30, objective="lifted", alpha=1.0),
)
"""Far too short to learn anything."""


@pytest.fixture(scope="module")
def gripper():
    domain, [training, test] = benchmark("gripper", "p01", "p02")
    return domain, test, sampled(domain, [training], 12)


DENSE = replace(TRAINED, training=replace(TRAINED.training, objective="dense"))


@pytest.fixture(scope="module")
def trained(gripper):
    """The network, and what was counted. Not to be changed."""
    return learn_mlp(gripper[2], TRAINED)


@pytest.fixture(scope="module")
def trained_dense(gripper):
    """The same with the other objective."""
    return learn_mlp(gripper[2], DENSE)


def instances(domain, worlds):
    return [
        Instance(f"p{number}", domain.name, objects, atoms)
        for number, (objects, atoms) in enumerate(worlds)
    ]


@pytest.mark.parametrize(
    ("config", "once"), [(TRAINED, "trained"), (DENSE, "trained_dense")], ids=["lifted", "dense"]
)
def test_training_is_repeatable_and_goes_on(gripper, tmp_path, config, once, request):
    _, _, traces = gripper
    files = [tmp_path / name for name in "abc"]
    for path, run in zip(
        files, (request.getfixturevalue(once), learn_mlp(traces, config)), strict=False
    ):
        dynamics, result = run
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


def test_the_objectives_train_differently(trained, trained_dense):
    assert not torch.equal(trained[0].network.queries, trained_dense[0].network.queries)


def test_every_part_of_the_network_is_trained(gripper, trained):
    """L_aux reaches the MLP and, through Ã, the selection."""
    _, _, traces = gripper
    first, _ = learn_mlp(traces, replace(TRAINED, training=replace(TRAINED.training, n_steps=1)))
    before, after = (dict(own.network.named_parameters()) for own in (first, trained[0]))
    assert [name for name in before if torch.equal(before[name], after[name])] == []


def test_the_papers_training_learns_a_toggle():
    domain, worlds = toggle()
    traces = nameless(domain, worlds)
    training = TrainingConfig(200, 40, tau_steps=50, alpha=0.3)
    config = replace(TRAINED, model=ModelConfig(1, 16, 3), training=training)
    dynamics, result = learn_mlp(traces, config, validation=traces)
    assert result.explains_everything
    assert result.validation == (len(traces.transitions),) * 2
    measured = compare(
        dynamics, StripsDynamics(domain), instances(domain, worlds), 400, variants=True
    )
    assert measured.is_sound and measured.is_complete


@pytest.mark.parametrize("case", [toggle, reap])
def test_planted_effects_are_replayed_and_measured(case):
    domain, worlds = case()
    traces = nameless(domain, worlds)
    dynamics = planted(domain, traces)
    [evidence] = weigh(dynamics, traces)
    n = len(traces.transitions)
    assert (evidence.n_transitions, evidence.n_explained, evidence.n_ambiguous) == (n, n, 0)
    measured = compare(
        dynamics, StripsDynamics(domain), instances(domain, worlds), 400, variants=True
    )
    assert measured.is_sound and measured.is_complete and measured.pooled.pairs.is_complete


def test_strips_effects_can_be_planted_too(gripper):
    domain, test, traces = gripper
    dynamics = planted(domain, traces)
    assert explains_all(dynamics, traces)
    measured = compare(dynamics, StripsDynamics(domain), [test], 40)
    assert measured.is_sound and measured.is_complete
    assert {e.action: e.n_explained for e in weigh(dynamics, traces)} == {
        e.action: e.n_transitions for e in learn(traces, LearningConfig(method="symbolic")).evidence
    }


def test_what_a_network_does_not_explain_is_counted(gripper):
    """Each of the three actions in turn forgets what it does."""
    domain, _, traces = gripper
    for number, action in enumerate(traces.actions):
        dynamics = planted(domain, traces)
        with torch.no_grad():
            dynamics.network.effect_bias[-1].view(3, -1, 3)[number, :, 0] = 99.0
        for evidence in weigh(dynamics, traces):
            assert evidence.n_explained == (evidence.action != action) * evidence.n_transitions
        assert not explains_all(dynamics, traces)
        others = tuple(t for t in traces.transitions if t.action != action)
        assert explains_all(dynamics, replace(traces, transitions=others))


def test_actions_that_a_network_does_not_know_are_not_held_against_it(gripper):
    domain, _, traces = gripper
    strange = tuple(replace(t, action="juggle") for t in traces.transitions)
    assert explains_all(planted(domain, traces), replace(traces, transitions=strange))


@pytest.mark.parametrize(
    ("limit", "explained"), [(0, ""), (1, "move"), (2, "drop move"), (12, "drop move pick")]
)
def test_only_so_many_groundings_of_the_action_are_looked_at(
    gripper, monkeypatch, limit, explained
):
    """Of six balls in two rooms: one way to move, two at most to drop, twelve to pick."""
    domain, _, traces = gripper
    monkeypatch.setattr(dynamics_module, "MAX_GROUNDINGS", limit)
    found = weigh(planted(domain, traces), traces)
    whole = [e.action for e in found if e.n_explained == e.n_transitions]
    assert " ".join(whole) == explained


def test_groundings_of_one_action_can_be_asked_for(gripper):
    domain, test, traces = gripper
    dynamics = planted(domain, traces)
    problem = CodedProblem.of(test, dynamics.domain, fluents=dynamics.fluents)
    engine = dynamics.build(problem)
    every = list(engine.groundings(problem.init))
    for action in dynamics.network.vocabulary.actions:
        own = list(engine.groundings(problem.init, action))
        assert own == [successor for successor in every if successor.action == action]
    assert {successor.action for successor in every} == {"move", "pick"}


def test_however_little_is_looked_at_and_remembered_at_a_time(gripper, monkeypatch):
    domain, test, traces = gripper
    dynamics = planted(domain, traces)
    found = []
    for n_at_a_time, n_remembered in ((4096, 100_000), (2, 1)):
        monkeypatch.setattr(engine_module, "CHUNK", n_at_a_time)
        monkeypatch.setattr(engine_module, "MAX_REMEMBERED", n_remembered)
        problem = CodedProblem.of(test, dynamics.domain, fluents=dynamics.fluents)
        found.append(replace(dynamics).build(problem).successors(problem.init))
    assert found[0] == found[1] != []


def test_groundings_that_change_the_same_are_given_once(gripper):
    """Every grounding has its successor, and no successor is lost where equal ones are merged."""
    domain, _, traces = gripper
    dynamics = planted(domain, traces, 5)
    with torch.no_grad():
        dynamics.network.slot_logits.fill_(9.0)  # spare slots take any object
    [segment] = traces.segments
    spare = MLPDynamics.of(dynamics.network, traces)
    problem = CodedProblem.of(
        Instance("", "", segment.objects, frozenset()), spare.domain, fluents=spare.fluents
    )
    engine, codes = spare.build(problem), problem.codes
    state = codes.encode_state(traces.transitions[0].state | segment.static)
    every = list(engine.groundings(state))
    merged = [successor for own in engine.expansions(state) for successor in own]
    changes = [(s.action, s.added, s.deleted) for s in every]
    assert {(s.action, s.added, s.deleted) for s in merged} == set(changes)
    assert set(merged) <= set(every)
    assert len(merged) < len(every) == len({(s.action, s.binding) for s in every})
    assert engine.successors(state) == sorted(every, key=lambda s: (s.action, s.binding))


@pytest.mark.parametrize("labels", [LabelMode.STRIPS_PLUS, LabelMode.FULL])
def test_given_arguments_are_forced(labels):
    domain, [training, test] = benchmark("gripper", "p01", "p02")
    traces = sampled(domain, [training], 12, labels)
    dynamics, _ = learn_mlp(traces, TRAINED)
    given = {t.action: len(t.arguments) for t in traces.transitions}
    vocabulary = dynamics.network.vocabulary
    assert dict(zip(vocabulary.actions, vocabulary.n_given, strict=True)) == given
    for schema in dynamics.domain.actions:
        if labels is LabelMode.FULL:
            assert schema.arity == domain.action(schema.name).arity
        else:
            assert schema.arity >= given[schema.name]
    dynamics = planted(domain, traces)
    assert explains_all(dynamics, traces)
    measured = compare(dynamics, StripsDynamics(domain), [test], 40)
    assert measured.is_sound and measured.is_complete


def test_a_file_gives_the_same_network(gripper, tmp_path):
    domain, test, traces = gripper
    dynamics = planted(domain, traces)
    save_dynamics(tmp_path / "a", dynamics)
    again = load_dynamics(tmp_path / "a")
    save_dynamics(tmp_path / "b", again)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert again.domain == dynamics.domain
    true = StripsDynamics(domain)
    assert compare(again, true, [test], 20) == compare(dynamics, true, [test], 20)


def damaged(content):
    return {key: value for key, value in content.items() if key != "weights"}


def misshapen(content):
    return content | {"model": content["model"] | {"n_slots": 2}}


@pytest.mark.parametrize("spoil", [damaged, misshapen])
def test_files_with_wrong_parts_are_refused(trained, tmp_path, spoil):
    path = tmp_path / "model.ckpt"
    save_dynamics(path, trained[0])
    torch.save(spoil(torch.load(path, weights_only=True)), path)
    with pytest.raises(CheckpointError, match="found some missing or misshapen"):
        load_dynamics(path)


def test_foreign_files_are_refused(trained, tmp_path):
    path = tmp_path / "model.ckpt"
    save_dynamics(path, trained[0])
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
    with pytest.raises(CheckpointError, match="found dias-checkpoint/2"):
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


def test_there_is_no_domain_for_networks(gripper):
    with pytest.raises(ValueError, match="learn_mlp"):
        learn(gripper[2], TRAINED)
    with pytest.raises(InsufficientTracesError):
        learn_mlp(replace(gripper[2], transitions=()), TRAINED)
    assert issubclass(CheckpointError, DiasError)


def test_the_threshold_is_kept_with_the_network(gripper, tmp_path):
    _, _, traces = gripper
    high, low = (learn_mlp(traces, replace(TRAINED, threshold=t))[0] for t in (0.999, 0.001))
    assert not any(action.preconditions for action in high.domain.actions)
    assert any(action.preconditions for action in low.domain.actions)
    save_dynamics(tmp_path / "low", low)
    again = load_dynamics(tmp_path / "low")
    assert (again.threshold, again.domain) == (0.001, low.domain)


def test_what_is_reported_while_training(gripper):
    _, _, traces = gripper
    looks = []
    _, result = learn_mlp(traces, TRAINED, looks.append, validation=traces)
    assert result.validation == (result.n_explained, result.n_distinct)
    assert [(look.step, look.n_restarts, look.explained) for look in looks] == [
        (2, 1, None), (4, 1, None)
    ]  # fmt: skip
    assert all(look.aux_loss > 0 and 0 < look.p_pre <= 1 for look in looks)
    assert set(looks[0].active_slots) == set(traces.actions)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"method": "symbolic"}, "symbolic .* no mlp effects.*--effects conditional"),
        ({"method": "hybrid"}, "hybrid .* no mlp effects.*--effects conditional"),
        ({"preconditions": "minimal"}, "preconditions from the network"),
        ({"without": ("repair",)}, "none of the parts"),
    ],
)
def test_settings_that_do_not_fit_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        LearningConfig(**({"effects": "mlp", "method": "neural"} | wrong))
    with pytest.raises(ValueError, match="effects must be one of"):
        LearningConfig(effects="quantum")
