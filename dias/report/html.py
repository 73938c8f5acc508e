"""A learning run as one self-contained page: data, schemas, certificate, training, time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from math import isfinite

from dias import __version__
from dias.learning.result import ActionEvidence, LearningResult
from dias.learning.train.progress import LearningProgress
from dias.report.certificate import advice, is_contradicted, weak_points
from dias.report.charts import Series, bar, line_chart
from dias.report.html_schemas import certificate, schemas
from dias.report.page import bullets, code, facts, page, paragraph, sentence, table, text
from dias.report.text import LABELS, percent, plural
from dias.traces.record import Traces

MAX_SEGMENTS = 12
"""Problems listed one by one."""

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
    name = result.domain.name
    body = [
        f"<header><h1>Learned domain {text(name)}</h1>",
        paragraph(_verdict(result), "lead"),
        "</header><main>",
        _facts(result),
        *_section("What went in", _data(result, traces)),
        *_section("The schemas", schemas(result)),
        *_section("Weak points and what would help", _doubts(result)),
        *_section("The certificate, literal by literal", certificate(result)),
        *_section("Training", _training(result, progress)),
        *_section("Where the time went", _times(result)),
        *_section("Settings", _settings(result)),
        f"</main><footer>Written by dias {__version__}. The domain file and this page come from "
        "the same run.</footer>",
    ]
    return page(f"Learned domain {name}", body)


def _section(title: str, content: Iterator[str]) -> Iterator[str]:
    yield f"<section><h2>{title}</h2>"
    yield from content
    yield "</section>"


def _verdict(result: LearningResult) -> str:
    points = weak_points(result)
    n_left = result.n_distinct - result.n_explained
    if not n_left:
        said = f'<span class="good">All {result.n_distinct:,} distinct transitions explained</span>'
    else:
        kind = "bad" if is_contradicted(result) else "good"
        said = f'<span class="{kind}">{n_left:,} of {result.n_distinct:,} distinct transitions not '
        said += "explained</span>" if kind == "bad" else "explained, as many as noise may</span>"
    if result.n_wrongly_allowed:
        said += f', <span class="bad">{result.n_wrongly_allowed:,} refused attempts allowed</span>'
    if result.unobserved:
        said += f', <span class="bad">{len(result.unobserved)} actions never observed</span>'
    if points:
        return f'{said}; <span class="warn">{plural(len(points), "weak point")}</span>.'
    return f"{said}; no weak point found."


def _facts(result: LearningResult) -> str:
    pairs = [
        ("explained", percent(result.n_explained, result.n_distinct)),
        ("transitions", f"{result.n_transitions:,}"),
        ("distinct", f"{result.n_distinct:,}"),
        ("actions", f"{len(result.evidence)}"),
        ("method", text(result.method)),
        ("gradient steps", f"{result.n_steps:,}"),
        ("time", f"{sum(result.seconds.values()):.1f} s"),
    ]
    if result.validation:
        pairs.insert(1, ("validation", percent(*result.validation)))
    return facts(pairs)


def _data(result: LearningResult, traces: Traces) -> Iterator[str]:
    yield paragraph(f"File {code(traces.source)}; labels: {text(LABELS[traces.labels])}.")
    n_steps: Counter[str] = Counter()
    states: defaultdict[str, set[object]] = defaultdict(set)
    for t in traces.transitions:
        n_steps[t.action] += t.count
        states[t.action].add((t.segment, t.state))
    owner = {name: action for action, names in result.variants.items() for name in names}
    evidence: defaultdict[str, list[ActionEvidence]] = defaultdict(list)
    for e in result.evidence:
        evidence[owner.get(e.action, e.action)].append(e)
    yield table(
        "Transitions by action",
        ["action", "seen", "distinct", "states", "change nothing", "explained",
         "ambiguous"],
        (
            [code(action), *(f"{n:,}" for n in (
                n_steps[action], sum(e.n_transitions for e in own), len(states[action]),
                sum(e.n_unchanged for e in own), sum(e.n_explained for e in own),
                sum(e.n_ambiguous for e in own),
            ))]
            for action, own in evidence.items()
        ),
    )  # fmt: skip
    for action, names in result.variants.items():
        yield paragraph(
            f"The effects of {code(action)} depend on the state: {', '.join(map(code, names))} "
            "stand for it."
        )
    if result.unobserved:
        unseen = ", ".join(map(code, result.unobserved))
        yield paragraph(f"Declared but never observed, so without a schema: {unseen}.")
    yield table(
        f"Problems ({len(traces.segments)})",
        ["problem", "objects", "static atoms"],
        (
            [code(s.problem or number), f"{len(s.objects):,}", f"{len(s.static):,}"]
            for number, s in enumerate(traces.segments[:MAX_SEGMENTS], start=1)
        ),
    )
    if len(traces.segments) > MAX_SEGMENTS:
        yield paragraph(f"and {len(traces.segments) - MAX_SEGMENTS:,} more.", "soft")
    if traces.findings:
        yield "<h3>Noted while reading</h3>"
        yield bullets(map(text, traces.findings))


def _doubts(result: LearningResult) -> Iterator[str]:
    points = weak_points(result)
    points[:0] = [
        f"{e.action}: {e.n_transitions - e.n_explained:,} transitions stay unexplained"
        for e in result.evidence
        if e.n_explained < e.n_transitions
    ]
    if points:
        yield bullets(map(sentence, points))
    else:
        yield paragraph(
            "None found: every precondition that the states seen could test would hardly have "
            "survived by accident, and every effect was seen at work more than once."
        )
    if hints := advice(result):
        yield "<h3>What to record next</h3>"
        yield bullets(map(sentence, hints))


def _training(result: LearningResult, progress: Sequence[LearningProgress]) -> Iterator[str]:
    if not progress:
        reason = {
            "full": "All action arguments were given, so nothing had to be trained.",
            "symbolic": "Effects were lifted from single transitions; no network was trained.",
        }
        said = reason.get(result.method, "No gradient step was taken in this run.")
        if result.noise is not None:
            said = "Under noise effects are found by their likelihoods; no network was trained."
        yield paragraph(said)
        return
    if len(progress) == 1:
        (look,) = progress
        share = "" if look.explained is None else f"; {look.explained:.1%} explained"
        yield paragraph(f"One look, after {look.step:,} steps: loss {look.main_loss:.3g}{share}.")
        return
    runs = sorted({look.restart for look in progress})
    losses = [f.name for f in fields(progress[0]) if f.name.endswith("_loss")]
    shares, series = [], []
    for run in runs:
        looks = [look for look in progress if look.restart == run]
        suffix = f", run {run + 1}" if len(runs) > 1 else ""
        for loss in losses:
            points = [(look.step, getattr(look, loss)) for look in looks]
            points = [(x, y) for x, y in points if isfinite(y)]
            if points:
                series.append(Series(loss.removesuffix("_loss") + suffix, points))
        points = [(k.step, 100 * k.explained) for k in looks if k.explained is not None]
        shares.append(Series(f"explained{suffix}", points))
    n_runs = plural(len(runs), "training run")
    yield _figure(
        line_chart("Loss by gradient step", series, "gradient step", "loss", logarithmic=True),
        f"Loss at each of the {len(progress)} looks in {n_runs}, on a logarithmic scale.",
    )
    if any(one.points for one in shares):
        yield _figure(
            line_chart("Share of transitions explained", shares, "gradient step", "% explained"),
            "Share of the distinct transitions that the proposed effects reproduce. Training ends "
            "when it is all of them.",
        )


def _figure(chart: str, caption: str) -> str:
    return f"<figure>\n{chart}\n<figcaption>{caption}</figcaption></figure>"


def _times(result: LearningResult) -> Iterator[str]:
    total = sum(result.seconds.values()) or 1.0
    yield bar("Shares of the stages in the time", list(result.seconds.items()))
    yield table(
        "Wall-clock time of each stage",
        ["stage", "what", "seconds", "share"],
        (
            [text(stage), text(STAGES.get(stage, "")), f"{s:.2f}", f"{100 * s / total:.0f} %"]
            for stage, s in result.seconds.items()
        ),
        n_left=2,
    )


def _settings(result: LearningResult) -> Iterator[str]:
    plain = asdict(result.config)
    rows = [("labels", LABELS[result.labels])]
    for name, value in plain.items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        for key, setting in inner:
            shown = ", ".join(setting) if isinstance(setting, tuple) else setting
            shown = "none" if shown in (None, "") else shown
            rows.append((f"{name}.{key}" if key else name, shown))
    yield table(
        "As given or by default",
        ["setting", "value"],
        ([code(name), text(value)] for name, value in rows),
        n_left=2,
    )
