"""The ablation table: what the network, the exact pass and the further variables each give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..generators import SUITES
from ..reports import plots
from ..reports.report import PARTS_NOTE, Report, figure, mean_share, out_of_time_note
from ..reports.results import Results, learning_figures
from ..reports.table import NONE, Table
from ..running.learning import LearningRun, Limits
from ..table_options import Size, table_command

SMALL = Size(1, ("blocks-3", "logistics"), limits=Limits(120))
FULL = Size(3, sorted(SUITES["paper"]), limits=Limits(1800), is_full=True)


class Variant(NamedTuple):
    """A learner with something left out."""

    method: str
    without: str = ""


VARIANTS = {
    "hybrid": Variant("hybrid"),
    "without precondition-only variables": Variant("hybrid", without="extra-variables"),
    "symbolic": Variant("symbolic"),
    "neural": Variant("neural"),
}


def report(results: Results) -> Report:
    """A row for each domain, two columns for each variant; a row for each variant in all."""
    names = {variant: name for name, variant in VARIANTS.items()}
    groups = []
    for (domain, *variant), rows in results.groups("domain", *Variant._fields).items():
        group: dict[str, Any] = {"domain": domain, "method": names[Variant(*variant)]}
        groups.append(group | {"labels": "names", "paper": None} | learning_figures(rows))
    shown = [name for name in VARIANTS if any(g["method"] == name for g in groups)]
    by_key = {(g["domain"], g["method"]): g for g in groups}
    lines = [
        [domain, *(text for name in shown for text in _cells(by_key[domain, name]))]
        for domain in dict.fromkeys(g["domain"] for g in groups)
    ]
    head = [f"{name}{what}" for name in shown for what in (": Pr. / Re.", ": N_sc")]
    return Report(
        "What each part of the learner gives",
        results,
        [("", Table(("domain", *head), lines, 1)), ("In all", _totals(groups, shown))],
        groups,
        [
            "Action names only. hybrid: the network proposes effects, the exact pass checks and "
            "completes them; symbolic: the same without a network; neural: the network alone.",
            "Pr., Re.: mean precision and recall over successor states, cut off after two "
            "decimals. N_sc: sound and complete runs.",
            PARTS_NOTE,
            *out_of_time_note(groups),
        ],
        {
            "perfect": plots.perfect_runs(results, groups, 0),
            "time": plots.run_times(results, lambda run: names[Variant(run.method, run.without)]),
        },
    )


def _cells(group: dict[str, Any]) -> tuple[str, str]:
    return (
        " / ".join(mean_share(group, None, name) for name in ("precision", "recall")),
        f"{group['both']}/{group['runs']}" if group["runs"] else NONE,
    )


def _totals(groups: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The variants over all domains."""
    lines = []
    for name in names:
        own = [group for group in groups if group["method"] == name]
        n_runs, n_failed, n_both = (
            sum(group[what] for group in own) for what in ("runs", "failed", "both")
        )
        longest = max((g["learn_longest_s"] for g in own if g["learn_longest_s"]), default=None)
        lines.append([name, str(n_runs), str(n_failed), f"{n_both}/{n_runs}", figure(longest, 1)])
    head = ("variant", "runs", "failed", "N_sc", "longest learning, s")
    return Table(head, lines, 1)


@table_command("ablation", report, SMALL, FULL)
def command(size: Size) -> list[LearningRun]:
    """The learner without the network, without the exact pass, without further variables.

    Action names only. --full: 13 domains, three seeds.
    """
    return [
        LearningRun(
            domain, method=variant.method, without=variant.without, seed=seed, limits=size.limits
        )
        for seed in size.seeds
        for domain in size.domains
        for variant in VARIANTS.values()
    ]
