"""The configuration: what is allowed and refused, and the values that the documents state."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from dias import config
from dias.config import (
    LearningConfig,
    ModelConfig,
    TrainingConfig,
    default_training,
    paper_noise_training,
    takes_paper_alpha,
)
from tests.documents.helpers import results

DOCUMENTS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize(
    ("kind", "name", "allowed", "refused"),
    [
        (ModelConfig, "n_slots", [1], [0]),
        (ModelConfig, "dim", [2, 4], [0, 1, 3]),
        (ModelConfig, "n_layers", [1], [0]),
        (TrainingConfig, "n_steps", [1], [0]),
        (TrainingConfig, "batch_size", [1], [0]),
        (TrainingConfig, "tau_steps", [1], [0]),
        (TrainingConfig, "learning_rate", [1e-9], [0, -1]),
        (TrainingConfig, "weight_decay", [0], [-1e-9]),
        (TrainingConfig, "aux_weight", [0], [-1e-9]),
        (TrainingConfig, "tau_floor", [0, 1], [-1e-9, 1.001]),
        (TrainingConfig, "alpha", [None, 0, 1e9], [-1e-9, math.inf, math.nan]),
        (LearningConfig, "threshold", [1e-9, 0.999], [0, 1]),
        (LearningConfig, "time_limit_s", [None, 1e-9], [0, -1, math.nan]),
        (LearningConfig, "restarts", [1], [0]),
        (LearningConfig, "check_every", [None, 1], [0]),
        (LearningConfig, "seed", [0, 4294967295], [-1, 4294967296]),
        (LearningConfig, "threads", [1, 256], [0, 257]),
        (LearningConfig, "method", config.METHODS, ["neral"]),
        (LearningConfig, "effects", ["strips", "conditional"], ["linear"]),
        (LearningConfig, "preconditions", config.PRECONDITIONS, ["none"]),
        (LearningConfig, "unchanged", ["auto", "happened", "refused"], ["", "yes"]),
        (LearningConfig, "noise", config.NOISE, ["", "on"]),
        (LearningConfig, "device", config.DEVICES, ["tpu"]),
        (TrainingConfig, "objective", config.OBJECTIVES, ["sparse"]),
    ],
)
def test_what_is_out_of_range_is_refused_by_its_name(kind, name, allowed, refused):
    for value in allowed:
        assert getattr(kind(**{name: value}), name) == value
    for value in refused:
        with pytest.raises(ValueError, match=rf"\b{name}\b"):
            kind(**{name: value})


@pytest.mark.parametrize(
    ("fitting", "contradicting", "finding"),
    [
        ({"effects": "mlp", "method": "neural"}, {"method": "symbolic"}, "symbolic .* mlp effects"),
        ({"effects": "mlp", "method": "neural"}, {"method": "hybrid"}, "hybrid .* mlp effects"),
        ({"preconditions": "minimal"}, {"method": "neural"}, "preconditions from the network"),
        ({"preconditions": "safe", "method": "neural"}, {"preconditions": "minimal"}, "network"),
        ({"without": ("repair",)}, {"method": "neural"}, "none of the parts"),
        ({"without": ("fallback",)}, {"method": "symbolic"}, "no fallback"),
        ({"without": ("repair",), "method": "symbolic"}, {"without": ("fallback",)}, "fallback"),
        ({"without": config.PARTS}, {"without": (*config.PARTS, "rest", "all")}, "all, rest"),
    ],
)
def test_what_contradicts_something_else_is_refused(fitting, contradicting, finding):
    LearningConfig(**fitting)
    with pytest.raises(ValueError, match=finding):
        LearningConfig(**fitting | contradicting)


def test_steps_without_change_are_read_in_doubt_only_where_effects_are_the_same_in_every_state():
    for method in config.METHODS:
        assert LearningConfig(method=method).reading_of_unchanged == "auto"
    for settings in ({"effects": "conditional"}, {"effects": "mlp", "method": "neural"}):
        assert LearningConfig(**settings).reading_of_unchanged == "happened"
        for reading in ("happened", "refused"):
            chosen = LearningConfig(unchanged=reading, **settings)
            assert chosen.reading_of_unchanged == reading
    for reading in config.UNCHANGED:
        assert LearningConfig(unchanged=reading).reading_of_unchanged == reading


def test_noise_is_looked_for_where_it_can_be_told_from_effects():
    for method in config.METHODS:
        assert LearningConfig(method=method).looks_for_noise == (method != "neural")
        assert not LearningConfig(method=method, noise="off").looks_for_noise
    assert not LearningConfig(effects="conditional").looks_for_noise
    assert not LearningConfig(effects="mlp", method="neural").looks_for_noise


def test_parts_are_left_out_in_any_order():
    chosen = LearningConfig(without=("repair", "fallback", "repair"))
    assert chosen == LearningConfig(without=("fallback", "repair"))
    assert chosen.without == ("fallback", "repair")


def stated(option: str) -> tuple[str, str]:
    """The default of an option of `dias learn` and its meaning, in docs/cli.md."""
    text = (DOCUMENTS / "cli.md").read_text("utf-8").partition("\n## dias learn\n")[2]
    [found] = re.findall(
        rf"^\| `{option}` \| (.*?)\| (.*) \|$", text.partition("\n## ")[0], re.MULTILINE
    )
    return found[0].strip("` "), found[1]


def test_the_defaults_are_those_in_the_documents():
    default = LearningConfig()
    values = {
        "--effects": default.effects,
        "--objective": default.training.objective,
        "--preconditions": default.preconditions,
        "--slots": default.model.n_slots,
        "--restarts": default.restarts,
        "--threads": default.threads,
        "--device": default.device,
        "--seed": default.seed,
        "--unchanged": default.unchanged,
        "--noise": default.noise,
    }
    assert {option: stated(option)[0] for option in values} == {
        option: str(value) for option, value in values.items()
    }
    assert f"Without it: `{default.method}`" in stated("--method")[1]


def test_how_a_method_trains_is_what_the_documents_say():
    hybrid, lifted, dense = (
        default_training(*run)
        for run in (("hybrid", "lifted"), ("neural", "lifted"), ("neural", "dense"))
    )
    n_steps = [int(n.replace(",", "")) for n in re.findall(r"[\d,]*\d", stated("--steps")[1])]
    assert [training.n_steps for training in (hybrid, lifted, dense)] == n_steps
    said = r": (\S+) for `--method neural`, (\S+) with `--objective dense`"
    [alphas] = re.findall(said, stated("--alpha")[1])
    assert [training.alpha for training in (hybrid, lifted, dense)] == [None, *map(float, alphas)]
    looks = re.findall(r"every (\d+)", stated("--checkpoint")[1])
    assert [LearningConfig(method=m).steps_per_look for m in ("hybrid", "neural")] == [
        int(n) for n in looks
    ]
    assert LearningConfig(check_every=7, method="neural").steps_per_look == 7


def test_the_papers_adjustments_under_noise_are_those_in_the_documents():
    text = " ".join(results().split())
    [found] = re.findall(
        r"paper's adjustments: batches of (\d+), τ no lower than ([\d.]+), threshold ([\d.]+)", text
    )
    training = paper_noise_training()
    assert [training.batch_size, training.tau_floor, config.PAPER_NOISE_THRESHOLD] == [
        float(value) for value in found
    ]


@pytest.mark.parametrize(
    ("method", "effects", "start", "expected"),
    [
        ("neural", "strips", "auto", "linked"),
        ("neural", "mlp", "auto", "undecided"),
        ("hybrid", "strips", "auto", "undecided"),
        ("hybrid", "strips", "linked", "linked"),
        ("neural", "strips", "undecided", "undecided"),
    ],
)
def test_where_training_starts_unless_it_is_said(method, effects, start, expected):
    config = LearningConfig(method=method, effects=effects, model=ModelConfig(start=start))
    assert config.network(3) == ModelConfig(n_slots=3, start=expected)


@pytest.mark.parametrize(
    ("method", "objective", "effects", "expected"),
    [
        ("neural", "dense", "strips", True),
        ("neural", "lifted", "mlp", True),
        ("neural", "lifted", "strips", False),
        ("hybrid", "dense", "mlp", False),
    ],
)
def test_the_papers_alpha_is_for_its_own_training_runs(method, objective, effects, expected):
    assert takes_paper_alpha(method, objective, effects) == expected
