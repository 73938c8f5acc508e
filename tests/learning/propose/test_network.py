"""How networks are trained run after run, and when that ends; the networks are made up here."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest

from dias.config import LearningConfig, TrainingConfig
from dias.learning.data.coding import examples_by_action
from dias.learning.extend.variables import complete
from dias.learning.passes import Run
from dias.learning.propose import network, watch
from dias.learning.propose.proposals import Proposals
from dias.learning.schema import Effects, LiftedSchema, Origin
from dias.limits import Attempts
from tests.learning.cases import literals
from tests.traces.files import read

HEADER = {"dias": "trace/1", "labels": "names", "objects": dict.fromkeys("ab", "object")}
TRACES = read(
    HEADER,
    {"state": [], "action": "light", "next": ["(on a)"]},
    {"state": ["(on a)"], "action": "light", "next": ["(on a)", "(on b)"]},
    {"state": ["(on a)"], "action": "quench", "next": []},
)
LIT, QUENCHED = Effects(1, literals("on 0"), ()), Effects(1, (), literals("on 0"))
NOTHING = Effects(0, (), ())
CONFIG = LearningConfig(seed=7, check_every=4, restarts=3, training=TrainingConfig(10, tau_steps=4))


class Runs:
    """Trainers of which it is written what they propose, by seed and step."""

    def __init__(self, **says):
        self.says, self.seeds, self.advanced, self.n_looks = says, [], [], 0

    def trainer(self, tables, model_config, config, seed, device):
        self.seeds.append(seed)
        run = SimpleNamespace(step=0, is_finished=False, main_loss=0.5, aux_loss=0.25, p_pre=0.75)

        def advance(n_steps):
            self.advanced.append(n_steps)
            run.step = min(run.step + n_steps, config.n_steps)
            run.is_finished = run.step == config.n_steps

        run.advance = advance
        vocabulary = SimpleNamespace(actions=tables.vocabulary.actions)
        model = SimpleNamespace(
            config=model_config, vocabulary=vocabulary, now=lambda: (seed, run.step)
        )
        model.load_state_dict = lambda now: setattr(model, "now", lambda: now)
        run.model, run.state = model, lambda: {"model": model.now(), "step": run.step}
        run.load = lambda state: setattr(run, "step", state["step"])
        return run

    def effects(self, model, name):
        seed, step = model.now()
        since = [own for (s, n), own in self.says.get(name, {}).items() if s == seed and n <= step]
        return since[-1] if since else NOTHING

    def schema(self, model, name, threshold):
        assert threshold == self.threshold
        return LiftedSchema(name, self.effects(model, name), 1)

    threshold = 0.5


def learn(
    monkeypatch, runs, config=CONFIG, traces=TRACES, validation=None, report=None, checkpoint=None
):
    """Schemas, steps, and what was reported, with these runs for networks."""
    monkeypatch.setattr(network, "Trainer", runs.trainer)
    monkeypatch.setattr(watch, "thresholded_schema", runs.schema)
    monkeypatch.setattr(network, "active_slots", lambda model, name: (0, 2))
    monkeypatch.setattr(watch, "proposed_effects", runs.effects)
    seen = []
    groups = examples_by_action(traces)
    best = Proposals(groups, mend="repair" not in config.without)
    asked = traces, groups, config, {}, {}, report or seen.append, checkpoint, validation
    said, n_steps = network.train(Run(*asked, Attempts()), best)
    schemas = [
        complete(best.effects[name], group, traces, config.without, best.origins[name])
        for name, group in groups.items()
    ]
    return said if config.method == "neural" else schemas, n_steps, seen


def test_every_run_begins_with_a_seed_of_its_own(monkeypatch):
    runs = Runs()
    without = replace(CONFIG, without=("fallback",))
    schemas, n_steps, seen = learn(monkeypatch, runs, without)
    assert (runs.seeds, n_steps) == ([7, 8, 9], 30)
    assert runs.advanced == [4] * 9
    assert [(p.restart, p.step) for p in seen] == [(r, s) for r in range(3) for s in (4, 8, 10)]
    assert {(p.n_restarts, p.n_steps, p.explained) for p in seen} == {(3, 10, 0.0)}
    assert {(p.main_loss, p.aux_loss, p.p_pre) for p in seen} == {(0.5, 0.25, 0.75)}
    assert seen[0].active_slots == {"light": 2, "quench": 2}
    assert [schema.effects for schema in schemas] == [NOTHING, NOTHING]
    assert [schema.origin.source for schema in schemas] == ["nothing"] * 2


def test_it_ends_with_the_look_at_which_everything_is_explained(monkeypatch):
    """What one run explains is kept for the next."""
    runs = Runs(light={(7, 8): LIT}, quench={(8, 4): QUENCHED})
    schemas, n_steps, seen = learn(monkeypatch, runs)
    assert (runs.seeds, n_steps) == ([7, 8], 14)
    assert [p.explained for p in seen] == pytest.approx([0, 2 / 3, 2 / 3, 1])
    assert [(s.origin.source, s.origin.restart, s.origin.step) for s in schemas] == [
        ("network", 0, 8), ("network", 1, 4),
    ]  # fmt: skip
    assert [schema.origin.n_slots for schema in schemas] == [2, 2]


def test_the_last_run_counts_once_although_something_stays_unexplained(monkeypatch, caplog):
    with caplog.at_level(logging.INFO):
        _, n_steps, _ = learn(monkeypatch, Runs(), replace(CONFIG, restarts=1))
    assert n_steps == 10
    assert not caplog.records
    with caplog.at_level(logging.INFO):
        learn(monkeypatch, Runs())
    assert caplog.messages == [f"run {n} left some transitions unexplained" for n in (1, 2)]


def test_out_of_time_no_further_run_begins(monkeypatch):
    for n_looks, expected in ((1, ([7], 4)), (2, ([7], 8)), (4, ([7, 8], 14))):
        runs = Runs()

        class Limits:
            def __init__(self, time_limit_s):
                assert time_limit_s == 5.0

            @property
            def is_out_of_time(self, runs=runs, n_looks=n_looks):
                return len(runs.advanced) >= n_looks

        monkeypatch.setattr(network, "Limits", Limits)
        _, n_steps, _ = learn(monkeypatch, runs, replace(CONFIG, time_limit_s=5.0))
        assert (runs.seeds, n_steps) == expected


def test_proposals_are_mended_unless_that_is_left_out(monkeypatch):
    traces = read(
        HEADER,
        {"state": [], "action": "light", "next": ["(on a)"]},
        {"state": ["(hot a)"], "action": "light", "next": ["(on a)"]},
    )
    mended = Effects(1, literals("on 0"), literals("hot 0"))
    for without, effects in (((), mended), (("fallback", "repair"), LIT)):
        runs = Runs(light={(7, 4): LIT})
        config = replace(CONFIG, without=without)
        [schema], _, _ = learn(monkeypatch, runs, config, traces)
        assert schema.effects == effects
        assert schema.origin.is_repaired == (effects == mended)


NEURAL = replace(
    CONFIG, method="neural", restarts=1, threshold=0.75, training=TrainingConfig(40, tau_steps=8)
)


def neural(monkeypatch, config, explained=True, validation=None, runs=None, traces=TRACES):
    """Schemas and steps of a network on its own, the seeds of its runs, and what was asked.

    Unless others are given, its only run says the same from step 12 on.
    """
    runs, asked = runs or Runs(light={(7, 12): LIT}, quench={(7, 12): QUENCHED}), []
    runs.threshold = config.threshold

    def explain(schemas, traces):
        asked.append((schemas[0].effects, traces))
        return explained if isinstance(explained, bool) else explained(traces)

    if explained is not None:
        monkeypatch.setattr(watch, "schemas_explain", explain)
    schemas, n_steps, seen = learn(monkeypatch, runs, config, traces, validation)
    n_runs = config.restarts if config.training.early_stop else 1
    assert {(p.n_restarts, p.explained) for p in seen} == {(n_runs, None)}
    return [schema.effects for schema in schemas], n_steps, runs.seeds, asked


def test_a_network_on_its_own_is_trained_until_it_has_settled(monkeypatch):
    said = [LIT, QUENCHED]
    assert neural(monkeypatch, NEURAL) == (said, 20, [7], [(LIT, TRACES)])
    effects, steps, seeds, asked = neural(monkeypatch, NEURAL, explained=False)
    # At steps 20, 28 and 36 it had been the same for eight steps since it was last asked.
    assert (effects, steps, seeds, len(asked)) == (said, 40, [7], 3)
    to_the_end = replace(NEURAL, restarts=3, training=replace(NEURAL.training, early_stop=False))
    assert neural(monkeypatch, to_the_end) == (said, 40, [7], [])


def test_both_files_must_be_explained(monkeypatch):
    other = replace(TRACES, source="other")
    asked = [(LIT, TRACES), (LIT, other)]
    assert neural(monkeypatch, NEURAL, validation=other)[1:] == (20, [7], asked)
    for refused in (TRACES, other):
        _, steps, _, asked = neural(
            monkeypatch, NEURAL, lambda traces, refused=refused: traces is not refused, other
        )
        assert steps == 40
        assert [traces.source for _, traces in asked].count("other") == 3 * (refused is other)


LIGHT_ALONE = {"light": {(7, 4): LIT}}
QUENCH_ALONE = {"quench": {(8, 4): QUENCHED}}
BOTH = {"light": {(9, 4): LIT}, "quench": {(9, 4): QUENCHED}}


@pytest.mark.parametrize(
    ("says", "said", "n_steps", "seeds"),
    [
        # Two of the three transitions are of `light`, one is of `quench`.
        (LIGHT_ALONE | QUENCH_ALONE, [LIT, NOTHING], 120, [7, 8, 9]),
        ({"light": {(8, 4): LIT}, "quench": {(7, 4): QUENCHED}}, [LIT, NOTHING], 120, [7, 8, 9]),
        ({"light": {(7, 4): LIT, (9, 4): LIT}}, [LIT, NOTHING], 120, [7, 8, 9]),
        (BOTH, [LIT, QUENCHED], 92, [7, 8, 9]),
        # It explains everything at the end, but not for as long as settling takes.
        ({"light": {(7, 4): LIT}, "quench": {(7, 36): QUENCHED}}, [LIT, QUENCHED], 40, [7]),
        ({"light": {(8, 4): LIT}, "quench": {(8, 4): QUENCHED}}, [LIT, QUENCHED], 52, [7, 8]),
    ],
)
def test_where_one_run_leaves_something_another_begins_and_the_best_is_kept(
    monkeypatch, says, said, n_steps, seeds
):
    config = replace(NEURAL, restarts=3)
    outcome = neural(monkeypatch, config, explained=None, runs=Runs(**says))
    assert outcome == (said, n_steps, seeds, [])


def test_of_what_is_only_checked_all_must_be_explained_too(monkeypatch):
    """The first run explains all that is learned from, the second what is checked besides."""
    dark = replace(TRACES.transitions[0], next_state=frozenset())
    other = replace(TRACES, source="other", transitions=(dark,))
    says = {"light": {(7, 36): LIT, (8, 4): NOTHING}, "quench": {(7, 36): QUENCHED}}
    config = replace(NEURAL, restarts=2)
    outcome = neural(monkeypatch, config, None, other, Runs(**says))
    assert outcome == ([LIT, QUENCHED], 80, [7, 8], [])


def test_what_no_schema_is_about_is_not_waited_for(monkeypatch):
    """An action that the traces never show is in the other file."""
    dance = replace(TRACES.transitions[0], action="dance")
    other = replace(TRACES, source="other", transitions=(*TRACES.transitions, dance))
    says = {"light": {(7, 36): LIT}, "quench": {(7, 36): QUENCHED}}
    config = replace(NEURAL, restarts=2)
    outcome = neural(monkeypatch, config, None, other, Runs(**says))
    assert outcome == ([LIT, QUENCHED], 40, [7], [])


def test_which_run_it_was_is_said(monkeypatch):
    for says, restart in ((QUENCH_ALONE | LIGHT_ALONE, 0), ({"light": {(8, 4): LIT}}, 1)):
        runs = Runs(**says)
        runs.threshold = NEURAL.threshold
        said, *_ = learn(monkeypatch, runs, replace(NEURAL, restarts=3))
        assert [schema.origin for schema in said] == [Origin("network", restart, 40, 2)] * 2


def test_what_explained_most_of_other_steps_does_not_count(monkeypatch):
    """Three of three steps in one run, none of four in the next that knows of a fourth."""
    best = {"n_explained": 3, "n_steps": 3, "model": (7, 40), "origin": {}}
    state = {"settling": (0, False), "best": best}
    alone = watch.Alone(examples_by_action(TRACES), NEURAL, TRACES)
    monkeypatch.setattr(watch, "thresholded_schema", Runs().schema)
    monkeypatch.setattr(Runs, "threshold", NEURAL.threshold)
    model = SimpleNamespace(now=lambda: (8, 4))
    alone.go_on(state, model)
    assert alone.state()["best"] == best
    other = replace(TRACES, transitions=TRACES.transitions[:1])
    alone = watch.Alone(examples_by_action(TRACES), NEURAL, TRACES, other)
    alone.go_on(state, model)
    assert alone.state()["best"] is None


def test_of_runs_that_explain_as_much_the_first_is_kept(monkeypatch):
    one_of_each = replace(TRACES, transitions=TRACES.transitions[1:])
    config = replace(NEURAL, restarts=2)
    runs = Runs(**(LIGHT_ALONE | QUENCH_ALONE))
    effects, *_ = neural(monkeypatch, config, None, runs=runs, traces=one_of_each)
    assert effects == [LIT, NOTHING]


def test_a_stopped_network_still_knows_the_best_run(monkeypatch, tmp_path):
    """It is stopped in the second run, which explains less than the first."""
    says = {"light": {(7, 4): LIT}, "quench": {(8, 4): QUENCHED}}
    config, path = replace(NEURAL, restarts=2), tmp_path / "run.ckpt"

    class StoppedError(Exception):
        pass

    def stop(progress):
        if (progress.restart, progress.step) == (1, 8):
            raise StoppedError

    for report in (stop, None):
        runs = Runs(**says)
        runs.threshold = config.threshold
        with nullcontext() if report is None else pytest.raises(StoppedError):
            said, n_steps, _ = learn(monkeypatch, runs, config, report=report, checkpoint=path)
    assert [schema.effects for schema in said] == [LIT, NOTHING]
    assert (runs.seeds, n_steps, sum(runs.advanced)) == ([8], 80, 32)
