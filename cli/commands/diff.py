"""`dias diff`: two domains side by side."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import click

from dias_cli.common import FILE, STDOUT, echo_json, json_option, write_result

STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "left": {"fg": "red"},
    "right": {"fg": "green"},
}


@click.command("diff")
@click.argument("domain", type=FILE)
@click.argument("other", type=FILE, required=False)
@click.option("--gt", type=FILE, help="The true domain, to the left of DOMAIN; instead of OTHER.")
@click.option(
    "--report",
    type=FILE,
    help="What `dias learn --report FILE.json` wrote with DOMAIN: a literal that is doubtful or "
    "untested says so.",
)
@json_option
def command(
    domain: Path, other: Path | None, gt: Path | None, report: Path | None, as_json: bool
) -> None:
    """Show two domains side by side, with what stands on one side only in colour.

    Give the true domain with --gt, or two domains: DOMAIN goes to the left, OTHER to the right.
    Parameters are matched so that most literals are the same, whatever their names; so are
    predicates whose names differ. Also says whether the domains are equal up to these names.
    """
    from dias.diff.domains import diff_domains
    from dias.report.diff.lines import diff_json, diff_lines
    from dias.report.diff.words import read_words
    from dias.strips.pddl.reader import read_domain
    from dias.strips.type_facts import type_relations

    if (other is None) == (gt is None):
        raise click.UsageError("give two domains: DOMAIN OTHER, or DOMAIN --gt TRUE")
    left, right = (gt, domain) if gt else (domain, other)
    assert left is not None and right is not None
    domains = {path: read_domain(path) for path in (left, right)}
    for path, other_path in ((left, right), (right, left)):
        unary = {p.name for p in domains[other_path].predicates if p.arity == 1}
        if both := sorted(type_relations(domains[path]).keys() & unary):
            names = ", ".join(both)
            click.echo(f"note: {names}: types in {path}, predicates in {other_path}", err=True)
    said = read_words(report, domains[domain]) if report else {}
    words = ({}, said) if gt else (said, {})
    result = diff_domains(domains[left], domains[right])
    if as_json:
        echo_json(diff_json(result, str(left), str(right), words))
        return
    width = shutil.get_terminal_size().columns
    lines = diff_lines(result, str(left), str(right), width, words)
    if _has_colours():
        for line in lines:
            click.echo("".join(click.style(text, **STYLES.get(style, {})) for text, style in line))
    else:
        text = "\n".join("".join(text for text, _ in line).rstrip() for line in lines)
        write_result(STDOUT, text + "\n")


def _has_colours() -> bool:
    """Whether standard output shows colours, and the user wants them (https://no-color.org)."""
    is_asked_for = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return sys.stdout.isatty() and is_asked_for
