"""A learning run as one self-contained page: data, schemas, certificate, training, time."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from dias import __version__
from dias.learning.certificate.coincidence import LOG_WEAK
from dias.learning.certificate.literal_counts import atom_text
from dias.learning.certificate.support import Support
from dias.learning.propose.unchanged import read_unchanged
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.schema import EQUAL
from dias.learning.train.progress import LearningProgress
from dias.report.causes import reading
from dias.report.certificate import evidence_line, is_contradicted
from dias.report.doubts import weak_points
from dias.report.page.charts import bar, training_charts
from dias.report.text import LABELS, percent, plural, undone_lines
from dias.report.to_record import advice
from dias.strips.model import ActionSchema, Atom, typed
from dias.traces.record import Traces

LITERAL = re.compile(
    r"(\(not \([^()]*\)\)|\([^()\s]+\)|\((?=[^()]*\?)[^()\s]+(?: [^()\s]+)+\)|\?[^\s,]+ - [^\s,]+)"
)
"""A literal or a typed parameter in running text; of constants alone only if it is negative."""

STAGES = {
    "read": "reading the trace file",
    "prepare": "tables of atoms, set-up of the network",
    "import": "loading PyTorch",
    "train": "gradient steps",
    "check": "checking proposed effects against the transitions",
    "complete": "preconditions and further parameters",
    "shorten": "dropping preconditions that no training state asks for",
    "replay": "replaying the finished schemas",
    "certify": "counting what stands behind each literal",
    "validate": "replaying the validation transitions",
}
"""What happens in each stage."""


def html_report(
    result: LearningResult, traces: Traces, progress: Sequence[LearningProgress] = ()
) -> str:
    """The page.

    Args:
        result: What was learned.
        traces: What it was learned from.
        progress: All that was reported while training.
    """
    template = environment().get_template("report.html.j2")
    if result.read_as_refused:
        traces, _, _ = read_unchanged(traces, result.config.reading_of_unchanged)
    total = sum(result.seconds.values())
    return template.render(
        version=__version__,
        result=result,
        traces=traces,
        progress=progress,
        labels=LABELS[result.labels],
        verdict=list(_verdict(result)),
        weak_points=weak_points(result),
        advice=advice(result),
        weak_chance=math.exp(LOG_WEAK),
        transitions=_transitions(result, traces),
        reading=reading(result),
        problems=[
            (s.problem or number, len(s.objects), len(s.static))
            for number, s in enumerate(traces.segments, start=1)
        ],
        schemas=[schema_parts(result.domain.action(e.action), e.support) for e in result.evidence],
        charts=list(training_charts(progress)) if len(progress) > 1 else [],
        total=total,
        times=[
            (stage, STAGES.get(stage), f"{s:.2f}", f"{100 * s / (total or 1.0):.0f} %")
            for stage, s in result.seconds.items()
        ],
        time_bar=bar("Shares of the stages in the time", result.seconds),
        settings=_settings(result),
    )


def environment() -> Environment:
    """The templates of this folder: all that they are given is escaped, and must be there.

    Whole numbers are written with thousands separators, others with two digits, None as nothing.
    """

    def shown(value: Any) -> Any:
        form = {int: ",", float: ".2g"}.get(type(value), "")
        return "" if value is None else format(value, form) if form else value

    found = Environment(
        loader=PackageLoader("dias.report.page", "."), autoescape=True, undefined=StrictUndefined,
        finalize=shown, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    found.globals |= {"evidence_line": evidence_line, "literal_rows": _literal_rows}
    found.globals |= {"percent": percent, "plural": plural, "split_at_literals": LITERAL.split}
    return found


def _verdict(result: LearningResult) -> Iterator[tuple[str, str]]:
    """Whether the transitions bear the domain out: ``good`` or ``bad``, and in words."""
    n_left = result.n_distinct - result.n_explained
    left = f"{n_left:,} of {result.n_distinct:,} distinct transitions not explained"
    if not n_left:
        yield "good", f"All {result.n_distinct:,} distinct transitions explained"
    elif is_contradicted(result):
        yield "bad", left
    else:
        yield "good", f"{left}, as many as noise may"
    if result.n_wrongly_allowed:
        yield "bad", f"{plural(result.n_wrongly_allowed, 'refused attempt')} allowed"
    if result.n_masks_against:
        yield "bad", f"not what {plural(result.n_masks_against, 'mask')} of single actions say"
    if result.unobserved:
        yield "bad", f"{plural(len(result.unobserved), 'action')} never observed"
    yield from (("bad", text) for text in undone_lines(result.undone, is_whole=True))


def _transitions(result: LearningResult, traces: Traces) -> Iterator[tuple[str | int, ...]]:
    """By action: seen, distinct, states, changing nothing, explained, ambiguous."""
    n_steps: Counter[str] = Counter()
    states: defaultdict[str, set[object]] = defaultdict(set)
    for t in traces.transitions:
        n_steps[t.action] += t.count
        states[t.action].add((t.segment, t.state))
    owner = {name: action for action, names in result.variants.items() for name in names}
    evidence: defaultdict[str, list[ActionEvidence]] = defaultdict(list)
    for e in result.evidence:
        evidence[owner.get(e.action, e.action)].append(e)
    for action, own in evidence.items():
        yield (
            action, n_steps[action], sum(e.n_transitions for e in own), len(states[action]),
            sum(e.n_unchanged for e in own), sum(e.n_explained for e in own),
            sum(e.n_ambiguous for e in own),
        )  # fmt: skip


def schema_parts(schema: ActionSchema, support: Support | None) -> dict[str, Any]:
    """A schema as literals of PDDL, each with its word where the transitions say one.

    Untested preconditions come last. ``types`` has the parameters whose types are not decided, by
    word.
    """
    words = {x.text: support.word(x) for x in support.literals} if support else {}

    def literals(
        positive: Iterable[Atom], negative: Iterable[Atom]
    ) -> Iterator[tuple[str, str | None]]:
        for is_positive, atoms in ((True, positive), (False, negative)):
            for atom in sorted(atoms):
                # The file has the terms of an equality in alphabetical order.
                terms = tuple(sorted(atom.terms)) if atom.predicate == EQUAL else atom.terms
                shown = atom_text(Atom(atom.predicate, terms), is_positive)
                yield shown, words.get(atom_text(atom, is_positive))

    conditions = [
        *literals(schema.preconditions, schema.negative_preconditions),
        *literals(*([Atom(EQUAL, x) for x in y] for y in (schema.equalities, schema.inequalities))),
    ]
    types: dict[str, list[str]] = {}
    for name, own in schema.parameters:
        if (word := words.get(typed(name, own), "decided")) != "decided":
            types.setdefault(word, []).append(name)
    return {
        "name": schema.name,
        "parameters": [typed(*parameter) for parameter in schema.parameters],
        "types": types,
        "precondition": sorted(conditions, key=lambda x: x[1] == "untested"),
        "effect": list(literals(schema.add_effects, schema.delete_effects)),
    }


def _literal_rows(support: Support) -> Iterator[tuple[str | float | None, ...]]:
    for x in support.literals:
        if x not in support.untested:
            yield x.text, x.role, x.n_samples, x.n_changed, x.n_instances, x.chance


def _settings(result: LearningResult) -> Iterator[tuple[str, str]]:
    """Names and values; those of a group under its name and a dot."""
    yield "labels", LABELS[result.labels]
    for name, value in asdict(result.config).items():
        inner = value if isinstance(value, dict) else {"": value}
        for key, setting in inner.items():
            shown = ", ".join(setting) if isinstance(setting, tuple) else setting
            yield f"{name}.{key}".rstrip("."), "none" if shown in (None, "") else str(shown)
