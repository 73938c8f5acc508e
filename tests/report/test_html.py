"""The HTML report: whole, self-contained, and safe whatever names hold."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError

from dias.config import LearningConfig
from dias.learning.certificate.causes import Cause
from dias.learning.certificate.support import Doubt, LiteralSupport
from dias.learning.learn import LearningResult
from dias.learning.train.progress import LearningProgress
from dias.report.certificate import next_step
from dias.report.page.charts import bar, line_chart
from dias.report.page.render import environment, html_report, schema_parts
from dias.strips.model import ActionSchema, Atom, Domain, Parameter
from dias.traces.record import LabelMode, Segment, Traces, Transition
from tests.report.test_certificate import DOUBTFUL, SOUND, resulting
from tests.report.test_learning import RESULT

VOID = {"meta", "link", "br", "img"}


class Page(HTMLParser):
    """Checks that every element is closed in order, and keeps what is in the page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


MOVE = ActionSchema(
    "move",
    (Parameter("?x1", ("block",)), Parameter("?x2")),
    frozenset({Atom("clear", ("?x1",)), Atom("red", ("?x1",))}),
    frozenset({Atom("blue", ("?x1",))}),
    inequalities=frozenset({("?x1", "?x2")}),
    add_effects=frozenset({Atom("on", ("?x1", "?x2"))}),
)


def traces(name="t.jsonl", action="move") -> Traces:
    state = frozenset({Atom("clear", ("a",))})
    steps = (
        Transition(0, state, action, (), frozenset(), 3, 1, 4),
        Transition(0, frozenset(), action, (), frozenset(), 1, 2, 2),
    )
    return Traces(
        name, "d", LabelMode.NAMES, {"block": "object"}, (), (action,),
        (Segment("p1", {"a": "block", "b": "block"}, frozenset()),), steps,
        findings=("t.jsonl:1: a finding",),
    )  # fmt: skip


def looks(*steps, restart=0):
    return [
        LearningProgress(restart, 3, s, 600, 100 / s, 10 / s, 0.5, {"move": 2}, min(1.0, s / 200))
        for s in steps
    ]


RED = LiteralSupport("precondition", "(red ?x1)", 100, None, 20, 0.25)
RED_DOUBTED = replace(DOUBTFUL, literals=(*DOUBTFUL.literals, RED))


@pytest.fixture(scope="module")
def doubtful():
    result = replace(resulting(RED_DOUBTED), domain=Domain("d", actions=(MOVE,)))
    return html_report(result, traces(), looks(50, 100, 150, 200))


def test_it_is_one_whole_page(doubtful):
    page = Page(doubtful)
    names = [name for name, _ in page.tags]
    assert names.count("html") == names.count("h1") == names.count("main") == 1
    assert doubtful.startswith("<!DOCTYPE html>\n")
    headings = re.findall("(<summary>)?<h2>(.*?)</h2>", doubtful)
    assert [heading for _, heading in headings] == [
        "The schemas", "Weak points and what would help", "What went in",
        "The certificate, literal by literal", "Training", "Where the time went", "Settings",
    ]  # fmt: skip
    assert [bool(is_folded) for is_folded, _ in headings] == [False] * 2 + [True] * 5


def test_it_needs_nothing_from_outside(doubtful):
    for name, attributes in Page(doubtful).tags:
        assert name not in ("script", "link", "img", "iframe", "object")
        assert not {"src", "href", "onload", "onclick"} & attributes.keys()
    assert "http:" not in doubtful and "https:" not in doubtful
    assert "url(" not in doubtful and "@import" not in doubtful
    assert "default-src 'none'" in doubtful


def test_light_dark_and_print(doubtful):
    assert "@media (prefers-color-scheme: dark)" in doubtful
    assert "@media print" in doubtful
    # Every colour that is used has a value in all three.
    used = set(re.findall(r"var\((--\w+)\)", doubtful))
    for _, block in zip(range(3), re.findall(r":root \{(.*?)\}", doubtful, re.S), strict=True):
        assert used <= set(re.findall(r"(--\w+):", block))
    assert {"--s1", "--s2", "--line"} <= used
    # And the charts have no other.
    for chart in re.findall("<svg.*?</svg>", doubtful, re.S):
        assert "var(--s1)" in chart and not re.search("#[0-9a-f]{6}", chart)


def test_tables_have_headers_and_charts_have_words(doubtful):
    page = Page(doubtful)
    for table_html in re.findall("<table>.*?</table>", doubtful, re.S):
        assert "<caption>" in table_html
        n_columns = table_html.count('scope="col"')
        for row in re.findall("<tr>(.*?)</tr>", table_html, re.S):
            assert len(re.findall("<t[hd]", row)) == n_columns > 1
    charts = [attributes for name, attributes in page.tags if name == "svg"]
    assert len(charts) == 3
    assert all(chart["role"] == "img" and chart["aria-label"] for chart in charts)


def test_no_two_things_have_one_name(doubtful):
    tags = Page(doubtful).tags
    names = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(names) == len(set(names)) > 1
    used = {attributes["xlink:href"] for name, attributes in tags if name == "use"}
    assert used == {f"#{name}" for name in names}


def test_what_it_says(doubtful):
    words = Page(doubtful).text
    for piece in (
        "All 100 distinct transitions explained , 2 refused attempts allowed ; 5 weak points .",
        "t.jsonl:1: a finding",
        "may be a coincidence (chance 0.25)",
        "no state seen has objects that violate",
        "Untested (1): ?x1 - block .",
        "In 40 states in which it was taken the schema allows 80 successors; 60 of them were seen.",
    ):
        assert piece in words
    assert '<span class="doubtful">(red ?x1)</span>' in doubtful
    assert "(not (= ?x1 ?x2))" in words and '">(not (= ' not in doubtful


def test_the_word_of_each_literal_stands_behind_it(doubtful):
    """So that nobody needs to see colours, and what is copied is PDDL with remarks."""
    (schema,) = re.findall("<pre>(.*?)</pre>", doubtful, re.S)
    assert re.sub("<[^>]*>", "", schema).splitlines() == [
        "(:action move",
        "  :parameters (?x1 - block ?x2)",
        "      ; untested types: ?x1",
        "  :precondition (and",
        "      (clear ?x1)",
        "      (red ?x1)  ; doubtful",
        "      (not (blue ?x1))",
        "      (not (= ?x1 ?x2)))",
        "  :effect (and",
        "      (on ?x1 ?x2)))",
    ]
    for word in ("doubtful", "untested"):
        assert f'<span class="{word}">; {word}</span>:' in doubtful  # the legend


def test_what_has_no_literal_is_closed():
    result = replace(resulting(SOUND), domain=Domain("d", actions=(ActionSchema("move"),)))
    (schema,) = re.findall("<pre>(.*?)</pre>", html_report(result, traces()), re.S)
    lines = re.sub("<[^>]*>", "", schema).splitlines()
    assert lines == [
        "(:action move",
        "  :parameters ()",
        "  :precondition (and)",
        "  :effect (and))",
    ]


def test_no_word_without_a_count():
    """Effects that are a network have no support."""
    result = replace(RESULT, domain=Domain("d", actions=(MOVE, ActionSchema("wait"))))
    assert "; untested" not in html_report(result, traces())


def test_comparisons_are_shown_like_other_literals():
    """With their word, in the order of the file, the equalities too."""
    literal = LiteralSupport("precondition", "(not (= ?x2 ?x1))", 100, None, 20, None)
    schema = replace(
        MOVE, equalities=frozenset({("?x3", "?x2")}), inequalities=frozenset({("?x2", "?x1")})
    )
    untested = replace(SOUND, literals=(*SOUND.literals, literal))
    weak = replace(untested, weak=(Doubt(("(not (= ?x2 ?x1))",), 0.1),))
    plain = ["(clear ?x1)", "(red ?x1)", "(not (blue ?x1))", "(= ?x2 ?x3)", "(not (= ?x1 ?x2))"]
    for support, word in ((None, None), (SOUND, None), (weak, "doubtful"), (untested, "untested")):
        found = schema_parts(schema, support)["precondition"]
        assert [shown for shown, _ in found] == plain
        assert found[-1] == ("(not (= ?x1 ?x2))", word)


def test_causes_and_steps_read_as_refused():
    (evidence,) = resulting(SOUND, n_explained=98).evidence
    evidence = replace(evidence, causes=(Cause("constant", 2, 7, ("hub",)),))
    result = replace(
        RESULT, domain=Domain("d", actions=(MOVE,)), evidence=(evidence,), unobserved=()
    )
    state = frozenset({Atom("clear", ("b",))})
    idle = Transition(0, state, "move", (), state, 5, 3, 6)
    seen = replace(traces(), transitions=(*traces().transitions, idle))
    words = Page(html_report(result, seen)).text
    assert "move: 2 steps that stay unexplained change atoms of hub" in words
    assert "refused attempts" not in words
    counts = "move {} 100 {} 0 98 0"  # seen and states, with what stands between them
    assert counts.format(9, 3) in words
    config = LearningConfig(unchanged="refused")
    result = replace(result, read_as_refused={"move": 2}, config=config)
    words = Page(html_report(result, seen)).text
    assert "Distinct steps that change nothing, read as refused attempts: 2 of move" in words
    assert counts.format(3, 1) in words


def test_each_stage_has_its_share_of_the_time():
    result = replace(RESULT, domain=Domain("d", actions=(MOVE, ActionSchema("wait"))))
    for seconds, rows in (
        ({"train": 1.5, "check": 0.5}, ["1.50 75 %", "0.50 25 %"]),
        ({"train": 0.0}, ["0.00 0 %"]),
    ):
        words = Page(html_report(replace(result, seconds=seconds), traces())).text
        section = words[words.index("Where the time went") :]
        places = [section.index(row) for row in rows]
        assert places == sorted(places)


def test_without_doubts_and_without_training():
    result = replace(resulting(SOUND), domain=Domain("d", actions=(MOVE,)), n_steps=0)
    words = Page(html_report(result, traces())).text
    assert "All 100 distinct transitions explained ; no weak point found." in words
    assert "None found" in words
    for method, reason in (
        ("hybrid", "Effects were lifted from single transitions; no network was needed."),
        ("symbolic", "Effects were lifted from single transitions; no network was trained."),
        ("full", "All action arguments were given, so nothing had to be trained."),
        ("neural", "No gradient step was taken in this run."),
    ):
        assert reason in Page(html_report(replace(result, method=method), traces())).text
    one = html_report(result, traces(), looks(50))
    assert "One look, after 50 steps: loss 2; 25.0% explained." in Page(one).text


def test_a_result_without_support():
    result = replace(RESULT, domain=Domain("d", actions=(MOVE, ActionSchema("wait"))))
    both = traces()
    words = Page(html_report(result, both, looks(50, 100))).text
    assert "1 of 1,205 distinct transitions not explained" in words
    assert "never observed" in words and "fly" in words


def test_what_is_doubtful_is_not_among_the_untested():
    """Though it excludes nothing alone. What is listed is as many as is said."""
    red = replace(DOUBTFUL.literals[1], text="(red ?x1)", chance=0.25, is_alone=False)
    support = replace(DOUBTFUL, literals=(*DOUBTFUL.literals, red))
    assert red.is_untested and support.n_untested == 1
    page = html_report(resulting(support), traces())
    assert "Untested (1): ?x1 - block ." in Page(page).text
    assert "(red ?x1)</code></th>" in page


def test_what_time_left_undone_is_said():
    late = replace(resulting(DOUBTFUL), undone={"certificate": ["move", "wait"]})
    words = Page(html_report(late, traces())).text
    assert "The time limit left undone: certificate (move, wait)." in words


def test_names_hold_no_markup():
    evil = '<img src=x onerror="alert(1)">&'
    schema = replace(MOVE, name=evil, preconditions=frozenset({Atom(evil, ("?x1",))}))
    result = resulting(DOUBTFUL)
    evidence = replace(result.evidence[0], action=evil)
    result = replace(
        result, domain=Domain(evil, actions=(schema,)), evidence=(evidence,), unobserved=(evil,)
    )
    report = html_report(result, traces(evil, evil))
    page = Page(report)
    assert "img" not in {name for name, _ in page.tags}
    assert "<img" not in report
    assert evil in page.text


def test_several_runs_are_told_apart(doubtful):
    result = replace(resulting(SOUND), domain=Domain("d", actions=(MOVE,)))
    report = html_report(result, traces(), looks(50, 100) + looks(50, 100, restart=1))
    assert "main, run 1" in report and "main, run 2" in report
    assert "run 1" not in doubtful
    assert "in 2 training runs" in Page(report).text


def test_same_result_same_bytes(doubtful):
    result = replace(resulting(RED_DOUBTED), domain=Domain("d", actions=(MOVE,)))
    assert html_report(result, traces(), looks(50, 100, 150, 200)) == doubtful


def test_line_chart_places_points_by_their_scale():
    chart = line_chart("t", {"a": [(0, 1), (50, 10), (100, 100)]}, "x", "y", True)
    points, *_ = re.findall(r'd="M ([^"]*)" style="fill: none; stroke: var\(--s1\)', chart)
    (x0, y0), (x1, y1), (x2, y2) = (map(float, p.split()) for p in points.split("L"))
    assert x1 - x0 == pytest.approx(x2 - x1) and y0 - y1 == pytest.approx(y1 - y2)
    assert y0 > y2  # upwards is up


def test_line_chart_has_its_words_in_the_picture():
    chart = line_chart("t", {"explained": [(0, 1), (9, 40)]}, "x", "y", True)
    width, height = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', chart).groups())
    words = re.findall(r'<text [^>]*x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)', chart)
    assert {"explained", "1", "2", "5", "10", "20"} <= {word for *_, word in words}
    assert all(0 <= float(x) < width and 0 < float(y) <= height for x, y, _ in words)


@pytest.mark.parametrize("logarithmic", [True, False])
@pytest.mark.parametrize("values", [[], [float("nan")], [3.0], [0.0, 0.0], [1e-9, 1e9]])
def test_charts_of_odd_values(values, logarithmic):
    chart = line_chart("t", {"a": list(enumerate(values))}, "x", "y", logarithmic)
    assert "nan" not in chart and "inf" not in chart
    Page(chart)


def test_bar_shows_what_is_not_too_small():
    drawn = bar("t", {"a": 9.0, "b": 1.0, "c": 0.001})
    assert len(re.findall(r"fill: var\(--s\d\)", drawn)) == drawn.count("<path") == 2
    Page(bar("t", {}))


def test_pieces(doubtful):
    shown = environment().from_string("{{ words }} {{ number }} {{ nothing }}")
    assert shown.render(words="<b>&", number=1234, nothing=None) == "&lt;b&gt;&amp; 1,234 "
    pieces = environment().get_template("pieces.html.j2").module
    assert pieces.sentence("a (on ?x1 ?x2) may, (not (p)) & (chance 0.2)") == (
        'a <code class="pddl">(on ?x1 ?x2)</code> may, <code class="pddl">(not (p))</code>'
        " &amp; (chance 0.2)"
    )
    assert pieces.sentence("(at ?x1 mill) or (not (at mill)), see (line 7)") == (
        '<code class="pddl">(at ?x1 mill)</code> or <code class="pddl">(not (at mill))</code>,'
        " see (line 7)"
    )
    assert pieces.sentence("(wire ?switch ?to-room), ?to-room - room may be a coincidence") == (
        '<code class="pddl">(wire ?switch ?to-room)</code>, '
        '<code class="pddl">?to-room - room</code> may be a coincidence'
    )
    assert '<th scope="col" class="left">role</th>' in doubtful
    assert '<td class="left">precondition</td>' in doubtful


def test_what_a_template_lacks_is_an_error():
    with pytest.raises(UndefinedError):
        environment().from_string("{{ result.speed }}").render(result=RESULT)


class Tolerant(LearningResult):
    """A result in which noise accounts for what is not explained."""

    explains_everything = True


def test_what_noise_accounts_for_is_no_fault():
    evidence = resulting(SOUND, n_explained=98).evidence
    plain = replace(RESULT, evidence=evidence, domain=Domain("d", actions=(MOVE,)))
    noisy = Tolerant(**{f.name: getattr(plain, f.name) for f in fields(plain)})
    for result, kind in ((plain, "bad"), (noisy, "good")):
        assert f'<span class="{kind}">2 of 100 distinct transitions not' in html_report(
            result, traces()
        )
    assert "contradicts" in next_step(plain, "d.pddl")
    assert "contradicts" not in next_step(replace(noisy, unobserved=()), "d.pddl")
