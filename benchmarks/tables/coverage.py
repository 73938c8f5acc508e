"""How much of Hanoi's state space a random walk sees.

Paper: ``fig:hanoi-walk``, ``app:hanoi-state-space``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dias.coverage.state_space import explore
from dias.strips.model import Atom
from dias.strips.pddl.reader import read_domain, read_problem

from ..generate import DOMAINS
from ..generators import PAPER
from ..paper import paper_figures
from ..reports import plots
from ..reports.report import Report, figure
from ..reports.results import Results, median, succeeded
from ..reports.table import Table
from ..running.rawlines import Row
from ..running.runs import Run, sample
from ..table_options import Size, table_command

SMALL, FULL = Size(1), Size(10, is_full=True)
DOMAIN, PROBLEM = "hanoi", "p01"
N_DISCS, N_PEGS = PAPER[DOMAIN].sizes[0]["discs"], PAPER[DOMAIN].sizes[0]["pegs"]
N_STEPS = 1500
"""As in the paper: N_min of training and of validation together."""


@dataclass(frozen=True)
class WalkRun(Run):
    """A balanced random walk of `N_STEPS` steps.

    Attributes:
        seed: That of sampling.
    """

    seed: int = 0

    def measure(self, row: Row, place: Path) -> None:
        """Walk, and list the states that were visited."""
        from dias.traces.reading.reader import read_traces

        problem, traces = DOMAINS / DOMAIN / f"{PROBLEM}.pddl", place / "traces.jsonl"
        if sample(row, DOMAIN, problem, traces, self.seed, (N_STEPS, N_STEPS)):
            steps = read_traces(traces).transitions
            states = {atoms for step in steps for atoms in (step.state, step.next_state)}
            row |= {"steps": N_STEPS, "visited": sorted(map(state_name, states))}


def state_name(atoms: Iterable[Atom]) -> str:
    """The pegs of the discs, largest disc first: ``113`` is d3 and d2 on peg1, d1 on peg3."""
    below = {atom.terms[0]: atom.terms[1] for atom in atoms if atom.predicate == "on"}

    def peg(name: str) -> str:
        while name in below:
            name = below[name]
        return name.removeprefix("peg")

    return "".join(peg(f"d{number}") for number in range(len(below), 0, -1))


def state_graph() -> tuple[list[str], list[tuple[str, str]]]:
    """All states of the problem by name, and the pairs that one move joins."""
    domain = read_domain(DOMAINS / DOMAIN / "domain.pddl")
    problem = read_problem(DOMAINS / DOMAIN / f"{PROBLEM}.pddl", domain)
    space = explore(domain, problem, N_PEGS**N_DISCS)
    names = [state_name(space.problem.codes.decode_state(state)) for state in space.number]
    ends = ((names[edge.source], names[edge.target]) for edge in space.edges)
    return names, sorted((a, b) for a, b in ends if a < b)  # every move can be taken back


def sierpinski(state: str) -> tuple[float, float]:
    """Where a state is drawn: the state space of three pegs is a Sierpiński triangle.

    The largest disc's peg chooses one of three triangles. Within each, the other two corners change
    places, so that states that one move joins lie side by side.
    """
    corners = ((0.0, 0.0), (1.0, 0.0), (0.5, 0.75**0.5))
    place = [0, 1, 2]  # of the pegs
    x, y, side = 0.0, 0.0, 1.0
    for peg in state:
        own = place[int(peg) - 1]
        side /= 2
        x, y = x + side * corners[own][0], y + side * corners[own][1]
        place = [other if other == own else 3 - own - other for other in place]
    return x, y


def report(results: Results) -> Report:
    """A row for each walk; the figure shows the first."""
    states, moves = state_graph()
    reference = paper_figures()["hanoi"]
    groups = [
        {"seed": row["seed"], "steps": row["steps"], "visited": len(row["visited"])}
        for row in succeeded(results.rows.values())
    ]
    counts = [group["visited"] for group in groups]
    lines = [
        [str(g["seed"]), str(g["visited"]), f"{100 * g['visited'] / len(states):.0f} %"]
        for g in groups
    ]
    figures = {}
    if groups:
        row = succeeded(results.rows.values())[0]
        figures["states"] = plots.state_space(
            results,
            {state: sierpinski(state) for state in states},
            moves,
            set(row["visited"]),
            f"{DOMAIN}, {N_DISCS} discs: {N_STEPS:,} steps of a balanced walk, seed {row['seed']}",
        )
    return Report(
        "What a random walk sees of Hanoi",
        results,
        [("", Table(("seed", "states visited", f"of {len(states)}"), lines, 1))],
        groups,
        [
            f"Median of the walks: {figure(median(counts))} states; "
            f"the paper's walk of {reference['steps']:,} steps: {reference['visited']} of "
            f"{reference['states']}. The instances differ in where the discs lie at the start."
        ],
        figures,
    )


@table_command("coverage", report, SMALL, FULL)
def command(size: Size) -> list[WalkRun]:
    """How much of Hanoi's state space a random walk sees, with a picture of it.

    Six discs, 1,500 steps. --full: ten seeds.
    """
    return [WalkRun(seed) for seed in size.seeds]
