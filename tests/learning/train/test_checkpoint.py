from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from dias.config import LearningConfig, ModelConfig, TrainingConfig
from dias.errors import CheckpointError, TraceError
from dias.learning import learn as learning
from dias.learning.learn import learn
from dias.learning.train.checkpoint import load_checkpoint, save_checkpoint
from dias.strips.pddl.writer import format_domain
from tests.learning.cases import benchmark, sampled

CONFIG = LearningConfig(
    check_every=5, restarts=2, model=ModelConfig(3, 8, 2), training=TrainingConfig(15, 40)
)
"""Two runs of three looks each: too short to explain everything, so both are made."""


class StoppedError(Exception):
    """Stands for whatever kills a run."""


@pytest.fixture(scope="module")
def traces():
    domain, [training] = benchmark("gripper", "p01")
    return sampled(domain, [training], 40)


@pytest.fixture(scope="module", params=["hybrid", "neural"])
def unbroken(request, traces):
    """The settings, the result, and all that was reported."""
    without = ("fallback",) if request.param == "hybrid" else ()
    config, looks = replace(CONFIG, method=request.param, without=without), []
    return config, learn(traces, config, looks.append), looks


def stop_after(n_looks):
    seen = []

    def report(progress):
        seen.append(progress)
        if len(seen) == n_looks:
            raise StoppedError

    return report


@pytest.mark.parametrize(
    "n_looks", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3)), 4]
)
def test_a_stopped_run_goes_on_to_the_same_domain(traces, tmp_path, unbroken, n_looks):
    config, whole, all_looks = unbroken
    looks = []
    n_looks = min(n_looks, len(all_looks))
    path = tmp_path / "run.ckpt"
    with pytest.raises(StoppedError):
        learn(traces, config, stop_after(n_looks), path)
    resumed = learn(traces, config, looks.append, path)
    assert looks == all_looks[n_looks:]
    assert format_domain(resumed.domain) == format_domain(whole.domain)
    assert (resumed.evidence, resumed.n_steps) == (whole.evidence, whole.n_steps)
    # And once more from the end: nothing is left to train.
    assert format_domain(learn(traces, config, None, path).domain) == format_domain(whole.domain)


def test_a_checkpoint_of_other_settings_or_traces_is_refused(traces, tmp_path):
    path = tmp_path / "run.ckpt"
    config = replace(CONFIG, restarts=1, without=("fallback",))
    learn(traces, config, None, path)
    before = path.read_bytes()
    for other in (replace(config, seed=1), replace(config, model=ModelConfig(2, 8, 2))):
        with pytest.raises(CheckpointError, match="other ones"):
            learn(traces, other, None, path)
    fewer = replace(traces, transitions=traces.transitions[1:])
    with pytest.raises(CheckpointError, match="other ones"):
        learn(fewer, config, None, path)
    assert path.read_bytes() == before
    learn(traces, replace(config, threads=2), None, path)  # threads do not matter
    torch.set_num_threads(1)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04 cut"])
def test_a_damaged_file_is_refused(tmp_path, content):
    path = tmp_path / "run.ckpt"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="damaged or foreign") as error:
        load_checkpoint(path, "run")
    assert error.value.place == str(path)
    assert error.value.remedy


def test_another_file_of_torch_is_refused(tmp_path):
    path = tmp_path / "run.ckpt"
    torch.save([1, 2], path)
    with pytest.raises(CheckpointError, match="found another one"):
        load_checkpoint(path, "run")


def test_no_file_is_no_state(tmp_path):
    assert load_checkpoint(tmp_path / "none", "run") is None


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("text")
    for path, finding in (
        (tmp_path / "no folder" / "run.ckpt", "no folder does not exist"),
        (tmp_path / "file" / "run.ckpt", "expected a folder, found the file"),
        (tmp_path, "found a folder"),
    ):
        with pytest.raises(CheckpointError, match=finding) as error:
            save_checkpoint(path, "run", {})
        assert error.value.place == str(path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_equal_states_give_equal_bytes(tmp_path):
    state = {"weights": torch.arange(6.0), "step": 3}
    for name in ("a.ckpt", "b.ckpt"):
        save_checkpoint(tmp_path / name, "run", state)
    first, second = (tmp_path / name for name in ("a.ckpt", "b.ckpt"))
    assert first.read_bytes() == second.read_bytes()
    assert load_checkpoint(first, "run")["step"] == 3


def test_a_link_and_the_mode_of_a_checkpoint_are_kept(tmp_path):
    target, link = tmp_path / "target.ckpt", tmp_path / "link.ckpt"
    save_checkpoint(target, "run", {"step": 1})
    target.chmod(0o640)
    link.symlink_to(target)
    save_checkpoint(link, "run", {"step": 2})
    assert link.is_symlink()
    assert load_checkpoint(target, "run") == {"step": 2}
    assert target.stat().st_mode & 0o777 == 0o640


def test_validation_transitions_are_counted_and_not_learned_from(traces):
    domain, [training] = benchmark("gripper", "p01")
    other = sampled(domain, [training], 20, seed=9)
    alone = learn(traces)
    result = learn(traces, validation=other)
    assert format_domain(result.domain) == format_domain(alone.domain)
    assert result.validation == (len(other.transitions), len(other.transitions))
    wrong = replace(
        other, transitions=tuple(replace(t, next_state=t.state) for t in other.transitions[:3])
    )
    assert learn(traces, validation=wrong).validation == (0, 3)


def test_validation_transitions_of_other_types_are_refused(traces):
    with pytest.raises(TraceError, match=r"expected the types of .* \(none\), found ball"):
        learn(traces, CONFIG, validation=replace(traces, types={"ball": "object"}))


def test_out_of_time_ends_training_and_still_gives_a_domain(traces, monkeypatch):
    """Nothing was trained; hybrid has what single transitions propose, unless that is left out."""
    monkeypatch.setattr(learning, "FINISHING_S", 1000.0)  # however busy the machine is
    seen = []
    limited = learn(traces, replace(CONFIG, time_limit_s=1e-9), seen.append)
    assert (seen, limited.n_steps) == ([], 0)
    assert limited.n_explained == limited.n_distinct
    assert set(limited.undone) >= {"further parameters", "certificate"}
    for changes in ({"method": "neural"}, {"without": ("fallback",)}):
        alone = learn(traces, replace(CONFIG, **changes, time_limit_s=1e-9), seen.append)
        assert (seen, alone.n_steps) == ([], 0)
        assert not alone.explains_everything
        assert [action.name for action in alone.domain.actions] == ["drop", "move", "pick"]
