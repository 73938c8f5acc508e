"""Settings from a file: what can be set, what is refused, and what goes before what."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from benchmarks.tables.noise import NEURAL_SETTINGS
from dias.config import (
    LIFTED_ALPHA,
    LearningConfig,
    ModelConfig,
    TrainingConfig,
    default_training,
    paper_training,
)
from dias.errors import SettingsError
from dias.settings import known_settings, learning_config, read_settings

ROOT = Path(__file__).parents[1]


@pytest.fixture
def settings(tmp_path):
    def read(text):
        path = tmp_path / "s.toml"
        path.write_text(text)
        return read_settings(path)

    return read


def test_every_field_of_the_configuration_can_be_set():
    known = known_settings()
    names = {field.name for field in fields(LearningConfig)} - {"model", "training"}
    assert set(known[""]) == names
    assert set(known["model"]) == {field.name for field in fields(ModelConfig)}
    assert set(known["training"]) == {field.name for field in fields(TrainingConfig)}
    assert sum(map(len, known.values())) - len(known["learn"]) == len(set().union(*known.values()))
    assert known["training"]["alpha"] is float  # which may also be None
    assert {kind for table in known.values() for kind in table.values()} <= {
        int,
        float,
        str,
        bool,
        tuple,
    }


def test_what_is_set_is_in_the_configuration(settings):
    found = settings(
        """
        method = "neural"
        seed = 7
        time_limit_s = 60
        [model]
        n_slots = 3
        [training]
        objective = "dense"
        early_stop = true
        alpha = 2
        """
    )
    assert found == {
        "method": "neural", "seed": 7, "time_limit_s": 60.0, "model.n_slots": 3,
        "training.objective": "dense", "training.early_stop": True, "training.alpha": 2.0,
    }  # fmt: skip
    assert isinstance(found["training.alpha"], float)
    assert learning_config(found) == LearningConfig(
        method="neural",
        seed=7,
        time_limit_s=60,
        model=ModelConfig(n_slots=3),
        training=paper_training(alpha=2, early_stop=True),
    )


def test_nothing_set_gives_what_the_method_has(settings):
    assert learning_config(settings("# nothing\n")) == LearningConfig()
    for method in ("hybrid", "symbolic", "neural"):
        config = learning_config({"method": method})
        assert config.training == default_training(method, "lifted")
    assert default_training("hybrid", "dense") == TrainingConfig(objective="dense")
    assert default_training("neural", "dense") == paper_training()
    lifted = paper_training(
        n_steps=3_000, batch_size=100, objective="lifted", alpha=0.3, early_stop=True
    )
    assert default_training("neural", "lifted") == lifted


def test_effects_that_one_method_alone_has_choose_it(settings):
    found = settings("effects = 'mlp'\n")
    assert found == {"effects": "mlp"}
    assert learning_config(found).method == "neural"
    assert learning_config(found).training == default_training("neural", "lifted")
    for method in ("hybrid", "symbolic"):
        with pytest.raises(ValueError, match=f"{method} .*--effects conditional"):
            learning_config(found | {"method": method})


def test_the_file_of_a_benchmark_domain_gives_the_papers_alpha_to_the_papers_mode(settings):
    found = read_settings(ROOT / "benchmarks" / "domains" / "logistics" / "dias.toml")
    assert found == {"learn.alpha": 0.3}
    paper = {"method": "neural", "training.objective": "dense"}
    assert learning_config(found | paper).training == paper_training(alpha=0.3)
    assert learning_config(found | paper | {"training.alpha": 0.5}).training.alpha == 0.5
    assert learning_config(found | {"method": "neural"}).training.alpha == LIFTED_ALPHA
    mlp = {"method": "neural", "effects": "mlp"}
    assert learning_config(found | mlp).training.alpha == 0.3
    assert learning_config(found) == LearningConfig()


def test_a_weight_for_the_auxiliary_loss_adds_the_losses_up(settings):
    found = settings("method = 'neural'\n[training]\naux_weight = 0.1\n")
    training = learning_config(found).training
    assert (training.aux_weight, training.alpha) == (0.1, None)
    with pytest.raises(ValueError, match=r"aux_weight .* alpha .* give one"):
        learning_config(found | {"training.alpha": 1.0})


def test_the_examples_in_the_documents_can_be_read(settings):
    text = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    exact, noisy = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert learning_config(settings(exact)).training == paper_training(alpha=0.3)
    # What the benchmark trains with under noise.
    assert settings(noisy) == {"method": "neural"} | settings(NEURAL_SETTINGS)


@pytest.mark.parametrize(
    ("text", "line", "finding", "remedy"),
    [
        ("seeds = 1", 1, "found seeds", "Did you mean seed?"),
        ("\n\nn_steps = 1", 3, "found n_steps", "It belongs in [training]"),
        ("[model]\nseed = 1", 2, "found seed", "It belongs above all tables"),
        ("[model]\nslots = 1", 2, "(n_slots, dim, n_layers, grow_slots, start), found", "n_slots?"),
        ("[training]\nqqq = 1", 2, "found qqq", "Remove it"),
        ("seed = 1\n[traning]\nalpha = 1.0", 2, "found [traning]", "Did you mean training?"),
        ("[learn]\nsteps = 1", 2, "of [learn] (alpha), found steps", "Remove it"),
        ("seed = 1.5", 1, "expected a whole number for seed, found 1.5", ""),
        ("seed = true", 1, "expected a whole number for seed, found true", ""),
        ("seed = -1", 1, "seed must be between 0 and 4294967295, found seed = -1", ""),
        ("method = 3", 1, "expected a text in quotes for method, found 3", ""),
        ('method = "neral"', 1, "hybrid, symbolic, neural, found method = \"neral\"", ""),
        ('[training]\nalpha = "1"', 2, 'a finite number for training.alpha, found "1"', ""),
        ("[training]\nalpha = inf", 2, "a finite number for training.alpha, found inf", ""),
        ("[training]\nlearning_rate = nan", 2, "training.learning_rate, found nan", ""),
        ("[training]\nlearning_rate = 0", 2, "learning_rate must be above 0", ""),
        ("[training]\nearly_stop = 1", 2, "true or false for training.early_stop, found 1", ""),
        ("[model]\ndim = 5", 2, "must be even, found model.dim = 5", ""),
        ("[learn]\nalpha = -1", 2, "alpha must not be negative", ""),
        ("[model]\ndim = [8]", 2, "a whole number for model.dim, found [8]", ""),
        ("[learn]\nalpha = 1\n[training]\nalpha = -1", 4, "found training.alpha = -1", ""),
        ('[ training ]\n "alpha"= -1', 2, "found training.alpha = -1", ""),
        ("[traning.alpha]\nx = 1", 1, "found [traning]", "Did you mean training?"),
        ("[model]\nn_slots = 2\nn_slot = 1", 3, "found n_slot", "Did you mean n_slots?"),
        ('unchanged = "no"', 1, 'auto, happened, refused, found unchanged = "no"', ""),
        ("unchanged = true", 1, "expected a text in quotes for unchanged, found true", ""),
        ("seed = \n", 1, "expected TOML", "key = value"),
        ("seed = 1\nseed = 2\n", 2, "expected TOML", "key = value"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_refused_with_its_place(settings, text, line, finding, remedy):
    with pytest.raises(SettingsError) as raised:
        settings(text)
    assert raised.value.place.endswith(f"s.toml:{line}"), raised.value.place
    assert finding in raised.value.problem
    assert remedy in raised.value.remedy
    assert raised.value.remedy


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(SettingsError, match="found nothing of that name"):
        read_settings(tmp_path / "none.toml")


def test_settings_that_contradict_each_other_are_refused(settings):
    found = settings('method = "neural"\npreconditions = "minimal"')
    with pytest.raises(ValueError, match="preconditions from the network"):
        learning_config(found)


def test_how_steps_without_change_are_read(settings):
    found = settings('unchanged = "refused"\neffects = "conditional"')
    assert found == {"unchanged": "refused", "effects": "conditional"}
    assert learning_config(found).unchanged == "refused"
    assert learning_config({}).unchanged == "auto"


def test_a_list_of_texts(settings):
    assert settings('without = ["repair", "fallback"]') == {"without": ("repair", "fallback")}
    config = learning_config(settings('without = ["repair", "fallback", "repair"]'))
    assert config.without == ("fallback", "repair")
    for text in ('without = "repair"', "without = [1]"):
        with pytest.raises(SettingsError, match="expected a list of texts in quotes for without"):
            settings(text)
    with pytest.raises(SettingsError, match="anything is none of"):
        settings('without = ["anything"]')
