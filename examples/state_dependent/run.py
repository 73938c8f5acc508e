"""State-dependent effects, from traces without arguments to a plan.

``python examples/state_dependent/run.py FOLDER [--ablation]``

Two domains: pressing a switch toggles its lamp; driving onto a ripe cell reaps it. Each is
written in STRIPS with two actions for it, ``press-1`` and ``press-2``; the traces know only
``press``. What is learned from them is measured on larger problems, and the domain planned with.
With ``--ablation`` a network is also trained as in the paper, which takes minutes.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from problems import PROBLEMS, write_problems

from dias.config import LearningConfig, lifted_training
from dias.evaluation.evaluate import compare
from dias.learning.learn import LearningResult, learn
from dias.learning.mlp.checkpoint import save_dynamics
from dias.learning.mlp.learn import learn_mlp
from dias.planning.plan import plan
from dias.planning.replay import replay
from dias.report.learning import provenance
from dias.strips.engines.choice import Dynamics, StripsDynamics
from dias.strips.model import Domain
from dias.strips.pddl.reader import read_domain, read_problem
from dias.strips.pddl.writer import format_domain
from dias.strips.variants import common_name
from dias.traces.reading.reader import read_traces
from dias.traces.record import LabelMode
from dias.traces.sampling.sample import sample_traces, trace_block
from dias.traces.sampling.samples import SamplingConfig
from dias.traces.writer import write_traces

SEED = 0
MIN_PER_ACTION = 100
MAX_PER_ACTION = 1000
N_STATES = 600
PLAN_LIMIT_S = 120


def sample(folder: Path) -> Path:
    """Walk in p01 and write the transitions, each action under its common name."""
    domain = read_domain(folder / "domain.pddl")
    training = read_problem(folder / "p01.pddl", domain)
    config = SamplingConfig(MIN_PER_ACTION, MAX_PER_ACTION)
    samples = sample_traces(domain, [training], [config], random.Random(SEED))
    path = folder / "traces.jsonl"
    write_traces(path, [trace_block(domain, own, LabelMode.NAMES) for (own,) in samples])
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if "action" in line:
            line["action"] = f"({common_name(line['action'].strip('()'))})"
        if "actions" in line:  # the header
            line["actions"] = sorted({common_name(name) for name in line["actions"]})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def report(what: str, result: LearningResult, learned: Dynamics, folder: Path) -> None:
    """Print what the transitions say, and soundness and completeness on p02 to p04."""
    true = read_domain(folder / "domain.pddl")
    instances = [read_problem(path, true) for path in sorted(folder.glob("p0[234].pddl"))]
    pooled = compare(learned, StripsDynamics(true), instances, N_STATES, variants=True).pooled
    explained = f"{result.n_explained} of {result.n_distinct} explained"
    shares = f"precision {pooled.states.precision:.2f}, recall {pooled.states.recall:.2f}"
    note = f" ({pooled.failure})" if pooled.failure else ""
    print(f"{folder.name}, {what}: {explained}, {shares}{note}", flush=True)


def solve(what: str, learned: Domain, folder: Path) -> None:
    """Plan for the largest problem and replay the plan in the true domain."""
    true = read_domain(folder / "domain.pddl")
    problem = folder / "p04.pddl"
    found = plan(learned, read_problem(problem, learned), time_limit_s=PLAN_LIMIT_S)
    replayed = replay(found.steps, learned, true, read_problem(problem, true), variants=True)
    is_valid = "valid" if replayed.valid else "not valid"
    print(f"{folder.name}, {what}: {found.message}, {is_valid} in the true domain", flush=True)


def run(folder: Path, with_ablation: bool) -> None:
    """Learn one domain in all ways."""
    traces = read_traces(sample(folder))
    strips = learn(traces, LearningConfig(method="symbolic", seed=SEED))
    report("STRIPS effects", strips, StripsDynamics(strips.domain), folder)

    conditional = learn(traces, LearningConfig(effects="conditional", seed=SEED))
    text = format_domain(conditional.domain, provenance(conditional))
    (folder / "conditional.pddl").write_text(text, encoding="utf-8")
    report("several STRIPS actions", conditional, StripsDynamics(conditional.domain), folder)
    solve("several STRIPS actions", conditional.domain, folder)

    if with_ablation:
        config = LearningConfig(
            effects="mlp", method="neural", seed=SEED, training=lifted_training()
        )
        dynamics, result = learn_mlp(traces, config)
        save_dynamics(folder / "network.ckpt", dynamics)
        report("network, the paper's ablation", result, dynamics, folder)


if __name__ == "__main__":
    target, *options = sys.argv[1:]
    write_problems(Path(target))
    for name in PROBLEMS:
        run(Path(target) / name, "--ablation" in options)
