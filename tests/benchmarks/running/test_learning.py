"""What a run types, what its row says, and which rows belong to it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from benchmarks.running import runs
from benchmarks.running.learning import LearningRun, Limits
from benchmarks.running.suite import do_missing, rows_of
from dias.strips.pddl.reader import parse_domain

OLD_ROW = {"domain": "hanoi", "labels": "full", "method": "hybrid", "seed": 3, "failure": None}
LEARNED = {
    "transitions": 60, "distinct_transitions": 40, "explained": 30, "gradient_steps": 50,
    "seconds": {"train": 1.0, "check": 0.5},
    "weak_points": ["move: thin"], "preconditions": "concise",
    "actions": {"move": {
        "arity": 3, "transitions": 19, "refused": {"allowed": 0},
        "support": {
            "weak": [], "missing": None, "either": None, "may_be_needed": [],
            "thin_effects": ["(clear ?x)"],
            "exceptions": None,
        },
    }},
}  # fmt: skip
MEASURED = {
    "failure": None, "sound": False, "complete": True, "states": 1500, "capped_states": 2,
    "successor_states": {"precision": 0.5, "recall": 1.0},
    "actions": {
        "move": {"false_positives": 1, "false_negatives": 0},
        "jump": {"false_positives": 0, "false_negatives": 0},
    },
}  # fmt: skip
DOMAIN = "; learned in 2 s\n(define (domain hanoi) (:predicates (clear ?x)))\n"


@pytest.fixture
def typed(monkeypatch):
    """The commands that the runs typed, as words, and how the next ones end, by name."""
    commands: list[list[str]] = []

    def run_dias(*arguments, time_limit_s):
        commands.append([str(word) for word in arguments])
        if arguments[0] == "learn" and arguments[arguments.index("-o") + 1].suffix == ".pddl":
            arguments[arguments.index("-o") + 1].write_text(DOMAIN)
        done = {
            "status": 0,
            "json": None,
            "message": "",
            "seconds": 1.5,
            "cpu_s": 1.0,
            "peak_mib": 30,
        }
        return done | run_dias.answers[arguments[0]]

    run_dias.answers = {
        "sample": {"json": {}},
        "learn": {"json": LEARNED, "status": 4},
        "evaluate": {"json": MEASURED},
    }
    monkeypatch.setattr(runs, "run_dias", run_dias)
    return commands, run_dias.answers


def option(command: list[str], name: str) -> str:
    return command[command.index(name) + 1]


def test_older_rows_have_the_defaults():
    assert LearningRun.of(OLD_ROW) == LearningRun("hanoi", labels="full", seed=3)
    assert LearningRun.of(OLD_ROW) != LearningRun("hanoi", labels="full", seed=3, noise=1.0)


def test_limits_and_settings_do_not_make_another_run():
    assert LearningRun("hanoi") == LearningRun("hanoi", limits=Limits(1), settings="a = 1")
    assert "limits" not in LearningRun("hanoi").key
    assert LearningRun.of(json.loads(json.dumps(LearningRun("hanoi", noise=1).key))) == (
        LearningRun("hanoi", noise=1)
    )


def test_a_run_says_what_is_special_about_it():
    assert str(LearningRun("hanoi", seed=2)) == "hanoi, hybrid, seed 2"
    assert str(LearningRun("hanoi", labels="full", noise=4.0)) == (
        "hanoi, full, hybrid, noise 4.0, seed 0"
    )


def test_the_three_commands(typed):
    commands, _ = typed
    row = LearningRun("hanoi", labels="partial", seed=5).execute()
    sample, learn, evaluate = commands
    assert sample[0] == "sample"
    assert [word.rsplit("/", 1)[-1] for word in sample[1:3]] == ["domain.pddl", "p01.pddl"]
    assert option(sample, "--labels") == "partial"
    assert option(sample, "--min-per-action") == option(sample, "--max-per-action") == "1000"
    assert option(sample, "--seed") == option(learn, "--seed") == "5"
    assert learn[:2] == ["learn", option(sample, "-o")]
    assert option(learn, "--method") == "hybrid"
    assert option(learn, "--time-limit") == "1200"
    assert not {"--objective", "--alpha", "--without", "--config", "--effects"} & set(learn)
    assert evaluate[:2] == ["evaluate", option(learn, "-o")]
    assert option(evaluate, "--gt") == sample[1]
    assert row.items() >= {
        "domain": "hanoi", "seed": 5, "failure": None, "precision": 0.5, "recall": 1.0,
        "sound": False, "complete": True, "states": 1500, "transitions": 60, "explained": 0.75,
        "steps": 50, "arities": {"move": 3}, "learn_s": 1.5, "evaluate_mib": 30,
        "stages_s": {"train": 1.0, "check": 0.5}, "out_of_time": False,
        "preconditions": "concise",
    }.items()  # fmt: skip
    assert row["estimated_flips"] is None
    assert row["versions"]["dias"].startswith("0.")
    assert "Python" in row["machine"]
    assert LearningRun.of(row) == LearningRun("hanoi", labels="partial", seed=5)
    json.dumps(row, allow_nan=False)


def test_options_of_the_tables(typed):
    commands, _ = typed
    LearningRun("logistics", method="neural", objective="dense").execute()
    assert option(commands[1], "--objective") == "dense"
    assert option(commands[1], "--alpha") == "0.3"
    LearningRun("logistics", method="neural").execute()
    assert "--alpha" not in commands[4]
    LearningRun("logistics", without="extra-variables repair").execute()
    assert " ".join(commands[7]).count("--without extra-variables --without repair") == 1
    LearningRun("sokoban", noise=2.0, min_per_action=200).execute()
    assert option(commands[9], "--noise") == "2.0"
    assert option(commands[9], "--min-per-action") == "200"
    LearningRun("sokoban", method="neural", effects="mlp").execute()
    assert option(commands[13], "--effects") == "mlp"
    assert option(commands[13], "--alpha") == "1.0"
    assert option(commands[13], "-o").endswith(".ckpt")
    assert commands[14][1].endswith(".ckpt")
    LearningRun("hanoi", method="symbolic").execute()
    assert "--time-limit" not in commands[16]
    assert "--applicable" not in commands[15]
    LearningRun("hanoi", applicable="names").execute()
    assert option(commands[18], "--applicable") == "names"


def test_few_samples_are_asked_for(typed):
    commands, _ = typed
    LearningRun("sokoban", samples=10, min_per_action=200).execute()
    assert option(commands[0], "--min-per-action") == "10"
    assert option(commands[0], "--max-per-action") == "20"
    assert LearningRun("sokoban", samples=10) != LearningRun("sokoban")


NO_DOUBT = {
    "weak": [],
    "missing": None,
    "either": None,
    "may_be_needed": [],
    "thin_effects": [],
    "exceptions": None,
}


@pytest.mark.parametrize(
    ("support", "allowed", "n_transitions", "expected"),
    [
        (NO_DOUBT, 0, 20, ([], [])),
        (NO_DOUBT, 0, 19, ([], ["move"])),
        (NO_DOUBT, 1, 20, (["move"], [])),
        (NO_DOUBT | {"weak": [{"chance": 0.5}]}, 0, 20, (["move"], [])),
        (NO_DOUBT | {"missing": {"chance": 0.5}}, 0, 20, (["move"], [])),
        (NO_DOUBT | {"either": {"chance": 1e-9}}, 0, 20, (["move"], [])),
        (NO_DOUBT | {"may_be_needed": ["(not (on ?x1))"]}, 0, 20, (["move"], [])),
        (NO_DOUBT | {"exceptions": {"literals": ["(on ?x1)"]}}, 0, 20, (["move"], [])),
        (NO_DOUBT | {"thin_effects": ["(clear ?x1)"]}, 0, 20, (["move"], [])),
        (None, 1, 20, ([], [])),  # learned as from noisy transitions
    ],
)
def test_what_the_certificate_doubts(typed, support, allowed, n_transitions, expected):
    _, answers = typed
    action = {"arity": 3, "transitions": n_transitions, "support": support}
    action |= {"refused": {"allowed": allowed}}
    answers["learn"] = {"json": LEARNED | {"actions": {"move": action}}}
    row = LearningRun("hanoi").execute()
    assert (row["weak"], row["few"]) == expected
    assert (row["wrong"], row["n_actions"]) == (["move"], 2)
    assert row["weak_points"] == ["move: thin"]


def test_settings_become_a_file(typed, monkeypatch):
    texts = []
    plain = runs.run_dias

    def run_dias(*arguments, time_limit_s):
        if arguments[0] == "learn":
            texts.append(arguments[arguments.index("--config") + 1].read_text())
        return plain(*arguments, time_limit_s=time_limit_s)

    monkeypatch.setattr(runs, "run_dias", run_dias)
    LearningRun("hanoi", settings="batch_size = 50\n").execute()
    assert texts == ["batch_size = 50\n"]


def test_a_kept_domain_is_only_evaluated_again(typed, tmp_path):
    commands, answers = typed
    run, path = LearningRun("hanoi", limits=Limits(evaluate_s=7)), tmp_path / "hanoi.jsonl"
    answers["evaluate"] = {"status": -9, "message": "stopped after 7 s"}
    do_missing("t", [run], path, n_workers=1)
    failed = rows_of([run], path)[run]
    answers["evaluate"] = {"json": MEASURED, "seconds": 4.5}
    commands.clear()
    do_missing("t", [run], path, n_workers=1)
    assert commands == []
    do_missing("t", [run], path, n_workers=1, retry_failed=True)
    [evaluate] = commands
    assert evaluate[0] == "evaluate"
    assert option(evaluate, "--time-limit") == "7"
    row = rows_of([run], path)[run]
    assert row == failed | {
        "failure": None, "precision": 0.5, "recall": 1.0, "sound": False, "complete": True,
        "states": 1500, "capped_states": 2, "evaluate_s": 4.5, "evaluate_mib": 30,
        "wrong": ["move"], "n_actions": 2, "evaluated_with": failed["versions"],
    }  # fmt: skip
    assert (tmp_path / "learned" / row["learned"]).read_text().startswith("(define (domain hanoi)")


def test_a_second_failure_leaves_nothing_of_the_first(typed, tmp_path):
    _, answers = typed
    run, path = LearningRun("hanoi"), tmp_path / "hanoi.jsonl"
    answers["evaluate"] = {"json": MEASURED | {"failure": "out of time"}}
    do_missing("t", [run], path, n_workers=1)
    assert rows_of([run], path)[run]["precision"] == 0.5
    answers["evaluate"] = {"status": -9, "message": "stopped"}
    do_missing("t", [run], path, n_workers=1, retry_failed=True)
    row = rows_of([run], path)[run]
    assert row["failure"] == "evaluate: stopped"
    assert not {"precision", "recall", "sound", "complete", "states", "capped_states"} & set(row)
    assert not {"wrong", "n_actions"} & set(row)


def test_a_domain_that_was_learned_in_another_way_is_learned_again(typed, tmp_path):
    commands, answers = typed
    run, path = LearningRun("hanoi", settings="a = 1\n", min_per_action=9), tmp_path / "h.jsonl"
    answers["evaluate"] = {"status": -9, "message": "stopped"}
    do_missing("t", [run], path, n_workers=1)
    for other, n_commands in (
        (run, 1),
        (replace(run, settings=""), 3),
        (replace(run, settings="a = 2"), 3),
    ):
        commands.clear()
        do_missing("t", [other], path, n_workers=1, retry_failed=True)
        assert len(commands) == n_commands


@pytest.mark.parametrize("loss", ["the domain", "learning"])
def test_what_was_not_kept_is_learned_again(typed, tmp_path, loss):
    commands, answers = typed
    run, path = LearningRun("hanoi"), tmp_path / "hanoi.jsonl"
    answers["learn" if loss == "learning" else "evaluate"] = {"status": -9, "message": "stopped"}
    do_missing("t", [run], path, n_workers=1)
    answers |= {"learn": {"json": LEARNED}, "evaluate": {"json": MEASURED}}
    for kept in (tmp_path / "learned").glob("*") if loss == "the domain" else ():
        kept.unlink()
    commands.clear()
    do_missing("t", [run], path, n_workers=1, retry_failed=True)
    assert [words[0] for words in commands] == ["sample", "learn", "evaluate"]
    assert "evaluated_with" not in rows_of([run], path)[run]


@pytest.mark.parametrize("stage", ["sample", "learn", "evaluate"])
def test_the_first_command_that_fails_ends_the_run(typed, stage):
    commands, answers = typed
    answers[stage] = {"status": -9, "message": "stopped after 10 s"}
    row = LearningRun("hanoi").execute()
    assert row["failure"] == f"{stage}: stopped after 10 s"
    assert [words[0] for words in commands][-1] == stage
    assert row[f"{stage}_s"] == 1.5
    assert ("steps" in row) == (stage == "evaluate")


def test_an_evaluation_cut_short_is_a_failure(typed):
    _, answers = typed
    answers["evaluate"] = {"json": MEASURED | {"failure": "p03: out of time after 12 states"}}
    assert LearningRun("hanoi").execute()["failure"] == (
        "evaluate: p03: out of time after 12 states"
    )


def test_time_limit_and_noise_are_recorded(typed):
    _, answers = typed
    answers["learn"] = {"json": LEARNED | {"noise": {"flips_per_transition": 1.25}}}
    row = LearningRun("hanoi", limits=Limits(1.5)).execute()
    assert row["out_of_time"] is True
    assert row["estimated_flips"] == 1.25


def test_only_the_stages_that_the_limit_ends_reach_it(typed):
    """Reading, importing torch and certifying take their time with any limit."""
    _, answers = typed
    others = {"read": 40.0, "import": 9.0, "complete": 30.0, "certify": 8.0, "validate": 7.0}
    for seconds, is_late in (
        (others, False),
        (others | {"train": 1.0, "check": 0.4}, False),
        (others | {"train": 1.0, "check": 0.5}, True),
        (others | {"train": 1.6}, True),  # effects mlp: one stage
    ):
        answers["learn"] = {"json": LEARNED | {"seconds": seconds}}
        assert LearningRun("hanoi", limits=Limits(1.5)).execute()["out_of_time"] is is_late


def test_a_real_run():
    row = LearningRun("gripper", labels="full").execute()
    assert row["failure"] is None
    assert row["precision"] == row["recall"] == 1.0
    assert row["sound"] and row["complete"]
    assert row["arities"] == {"move": 2, "pick": 3, "drop": 3}
    learned = parse_domain(row["learned"])
    assert {action.name for action in learned.actions} == {"move", "pick", "drop"}
    assert ";" not in row["learned"]
