"""The parts that an HTML report is put together from: one page, no outside resources.

Everything that comes from a result goes through `text`, which escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1c2024; --soft: #5d6670; --paper: #ffffff; --panel: #f6f7f9; --line: #d9dde2;
  --good: #1a7f4b; --warn: #9a5b00; --bad: #b3261e; --blue: #0b5cad;
  --s1: #0072b2; --s2: #d55e00; --s3: #009e73; --s4: #cc79a7; --s5: #e69f00; --s6: #56b4e9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e7e9ec; --soft: #a2abb5; --paper: #14171a; --panel: #1d2125; --line: #363c43;
    --good: #5fcf95; --warn: #f0b35a; --bad: #ff8a80; --blue: #7ab8ff;
    --s1: #4aa8e0; --s2: #ff8a3d; --s3: #37c79b; --s4: #e2a0c4; --s5: #f0b840; --s6: #8fd0f5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 62rem; background: var(--paper);
  color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .35rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .7rem; padding-bottom: .3rem;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.8rem 0 .5rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
.lead { font-size: 1.05rem; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: .92em; overflow-wrap: anywhere; }
.pddl { display: inline-block; max-width: 100%; vertical-align: bottom; white-space: pre-wrap; }
pre { margin: .6rem 0; padding: .8rem 1rem; background: var(--panel); border-radius: 6px;
  border: 1px solid var(--line); font-size: .82rem; line-height: 1.5;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.side-by-side { columns: 24rem 2; column-gap: .9rem; }
.side-by-side pre { margin: 0 0 .9rem; break-inside: avoid; }
ul { padding-left: 1.2rem; max-width: 48rem; }
li { margin: .3rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .88rem;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .35rem; }
th, td { padding: .32rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
  vertical-align: top; }
th { font-weight: 600; }
thead th { border-bottom: 1.5px solid var(--soft); white-space: nowrap; }
th:first-child, td:first-child, .left { text-align: left; }
tbody th { font-weight: 400; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: .7rem;
  margin: 1.4rem 0; padding: 0; }
.facts div { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: .6rem .8rem; }
.facts dt { color: var(--soft); font-size: .8rem; }
.facts dd { margin: 0; font-size: 1.1rem; font-weight: 600; overflow-wrap: anywhere; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.key { color: var(--blue); } .idle { color: var(--soft); }
.weak { color: var(--warn); text-decoration: underline wavy; text-underline-offset: .2em; }
figure { margin: .8rem 0; } figcaption { color: var(--soft); font-size: .88rem; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
footer { margin-top: 3rem; padding-top: .8rem; border-top: 1px solid var(--line);
  color: var(--soft); font-size: .85rem; }
@media print {
  :root {
    color-scheme: light;
    --ink: #000; --soft: #444; --paper: #fff; --panel: #fff; --line: #bbb;
    --good: #1a7f4b; --warn: #8a5000; --bad: #b3261e; --blue: #0b5cad;
    --s1: #0072b2; --s2: #d55e00; --s3: #009e73; --s4: #cc79a7; --s5: #e69f00; --s6: #56b4e9;
  }
  @page { margin: 18mm 16mm; }
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; font-size: 1rem; }
  thead th { white-space: normal; }
  .scroll { overflow: visible; }
  .side-by-side { columns: 2; }
  h2, h3, h3 + p { break-after: avoid; }
  .scroll, tr, figure, pre, .facts div, li { break-inside: avoid; }
  thead { display: table-header-group; }
}
"""
"""The look: light and dark by the reader's preference, black on white in print."""

LITERAL = re.compile(r"\(not \([^()]*\)\)|\([^()\s]+(?: \?x\d+)*\)|\?x\d+ - [^\s,]+")
"""A literal or a typed parameter in running text."""


def page(title: str, body: Iterable[str]) -> str:
    """A whole page; `title` is escaped, `body` is HTML."""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            # Nothing is to be loaded or run, whatever a name in the traces says.
            '<meta http-equiv="Content-Security-Policy"'
            " content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>{text(title)}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            *body,
            "</body>",
            "</html>",
            "",
        ]
    )


def text(value: object) -> str:
    """Any value as text that holds no markup."""
    return escape(str(value))


def code(value: object) -> str:
    """A name, a file or a literal within a sentence."""
    return f'<code class="pddl">{text(value)}</code>'


def sentence(words: str) -> str:
    """Plain words, with the literals among them as code."""
    return LITERAL.sub(lambda found: f'<code class="pddl">{found[0]}</code>', text(words))


def paragraph(content: str, kind: str = "") -> str:
    """A paragraph of HTML."""
    return f'<p class="{kind}">{content}</p>' if kind else f"<p>{content}</p>"


def bullets(items: Iterable[str]) -> str:
    """A list; the items are HTML."""
    return "\n".join(["<ul>", *(f"<li>{item}</li>" for item in items), "</ul>"])


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Names with their values in boxes; both are HTML."""
    boxes = (f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in pairs)
    return "\n".join(['<dl class="facts">', *boxes, "</dl>"])


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], n_left: int = 1) -> str:
    """A table with a header row; the first cell of each row is its header.

    Args:
        caption: What it shows, HTML.
        head: The column names, HTML.
        rows: Cells, HTML.
        n_left: Columns of words, which are set to the left; the others hold numbers.
    """

    def cell(place: int, content: str) -> str:
        kind = ' class="left"' if 0 < place < n_left else ""
        tag = 'th scope="row"' if place == 0 else "td"
        return f"<{tag}{kind}>{content}</{tag.split()[0]}>"

    # A wide table scrolls by itself; with a tab index also by keyboard.
    lines = ['<div class="scroll" tabindex="0"><table>']
    lines += [f"<caption>{caption}</caption>", "<thead><tr>"]
    for place, name in enumerate(head):
        kind = ' class="left"' if 0 < place < n_left else ""
        lines.append(f'<th scope="col"{kind}>{name}</th>')
    lines.append("</tr></thead>\n<tbody>")
    for row in rows:
        lines.append(f"<tr>{''.join(cell(*pair) for pair in enumerate(row))}</tr>")
    return "\n".join([*lines, "</tbody></table></div>"])
