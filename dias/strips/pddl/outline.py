"""The outline of a PDDL file: its name and its sections."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from dias.errors import did_you_mean
from dias.strips.pddl.declarations import expect_name
from dias.strips.pddl.formulas import TOTAL_COST
from dias.strips.pddl.text import NO_PDDL, Group, Node, Source, Word, other_kind, read_tree

_SECTIONS = {
    "domain": (":requirements", ":types", ":constants", ":predicates", ":functions", ":action"),
    "problem": (":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length"),
}
FOR_PLANNERS = (":goal", ":metric", ":constraints")
"""Sections of a problem that say what a plan should be like, and nothing of its states."""
FOR_SUCCESSORS = (":action", ":derived", ":durative-action", ":process", ":event", ":functions")
"""Sections of a domain that say how states follow each other, and not what there is in them."""
_OUTSIDE_STRIPS = {
    ":derived": "a derived predicate",
    ":axiom": "a derived predicate",
    ":durative-action": "a durative action",
    ":process": "a process",
    ":event": "an event",
    ":constraints": "trajectory constraints",
    ":task": "a task network",
    ":method": "a task network",
    ":htn": "a task network",
}


class Outline(NamedTuple):
    """The name of a domain or problem, and its sections by keyword in the order of the file."""

    name: Word
    sections: dict[str, list[Group]]

    def section(self, keyword: str) -> Group:
        """The one section of that keyword; empty, at the file's name, if the file lacks it."""
        return self.sections.get(keyword, [Group([], self.name.start)])[0]


def read_outline(source: Source, kind: str, left_out: Collection[str] = ()) -> Outline:
    """The outline of a file.

    Args:
        source: The file.
        kind: "domain" or "problem".
        left_out: Keywords of sections that are passed over.

    Raises:
        PDDLInputError: The text is no definition of that kind, or a section is unknown or occurs
            twice.
        UnsupportedPDDLError: A section outside STRIPS.
    """
    tree = read_tree(source)
    title = tree.items[1] if len(tree.items) > 1 else tree
    if tree.head != "define" or not isinstance(title, Group) or title.head != kind:
        other = "problem" if kind == "domain" else "domain"
        is_other = isinstance(title, Group) and title.head == other
        raise source.error(
            title,
            f"expected `(define ({kind} name) …)`, found "
            + (f"a {other}" if is_other else other_kind(source) or "other text"),
            "Were the domain and the problem given in each other's place?" if is_other else NO_PDDL,
        )
    name = expect_name(title.items[1] if len(title.items) > 1 else None, kind, source, title)
    if len(title.items) > 2:
        raise source.error(title, f"expected one name of the {kind}, found more", "Join the words.")
    sections: dict[str, list[Group]] = {}
    for node in tree.items[2:]:
        if isinstance(node, Group) and node.head in left_out:
            continue
        section = _section(node, kind, source)
        before = sections.setdefault(section.head, [])
        if before and section.head != ":action":
            raise source.error(
                section,
                f"expected one section `{section.head}`, found another one in line "
                f"{source.line(before[0])}",
                "Join them.",
            )
        before.append(section)
    return Outline(name, sections)


def _section(node: Node, kind: str, source: Source) -> Group:
    keyword = node.head if isinstance(node, Group) else node.text
    if isinstance(node, Group) and keyword in _SECTIONS[kind]:
        return node
    if isinstance(node, Group) and keyword in _OUTSIDE_STRIPS:
        name = node.items[1] if len(node.items) > 1 else node
        if isinstance(name, Word):
            where = f"action `{name.text}`"
        else:
            where = f"the predicate `{name.head}`" if keyword == ":derived" else ""
        raise source.unsupported(node, f"`{keyword}` ({_OUTSIDE_STRIPS[keyword]})", where)
    raise source.error(
        node,
        f"expected a section of a {kind}, found `{keyword or '('}`",
        did_you_mean(keyword, _SECTIONS[kind]) or f"The sections are {', '.join(_SECTIONS[kind])}.",
    )


def check_numbers(outline: Outline, source: Source) -> None:
    """Pass over action costs with a warning; refuse all other functions and metrics.

    Raises:
        UnsupportedPDDLError: Functions without a total cost, or a metric of anything else.
    """
    functions, metric = outline.section(":functions"), outline.section(":metric")
    if functions.items:
        heads = [item.head for item in functions.items if isinstance(item, Group)]
        if heads and TOTAL_COST not in heads:
            raise source.unsupported(functions, f"the numeric function `{heads[0]}`")
        source.warn(functions, "action costs are ignored")
    if metric.items:
        words = [item.text if isinstance(item, Word) else item.head for item in metric.items]
        if words != [":metric", "minimize", TOTAL_COST]:
            raise source.unsupported(metric, "a `:metric` other than `minimize (total-cost)`")
        source.warn(metric, "action costs are ignored")
