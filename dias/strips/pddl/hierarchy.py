"""The type hierarchy of ``(:types …)``."""

from __future__ import annotations

from itertools import groupby

from dias.strips.model import OBJECT
from dias.strips.pddl.declarations import Entry, single_type, typed_list
from dias.strips.pddl.text import Group, Source


def read_types(section: Group, source: Source) -> dict[str, str]:
    """Type to parent type, in order; the root `OBJECT` is no key.

    Raises:
        PDDLInputError: A type with two parents, or one that is its own ancestor.
    """
    entries = typed_list(section.items[1:], "type", source)
    _warn_of_trailing_groups(entries, source)
    parents: dict[str, str] = {}
    for entry in entries:
        name, parent = entry.name.text, single_type(entry, "the type", source)
        if name == parent and name != OBJECT:
            source.warn(entry.name, f"the type `{name}` is its own parent; read as a root type")
            parent = OBJECT
        before = parents.get(name, parent)
        if OBJECT in (before, parent):  # every type is an object: the other parent says more
            parent = parent if before == OBJECT else before
        elif before != parent:
            raise source.error(
                entry.name,
                f"expected one parent of the type `{name}`, found `{before}` and `{parent}`",
                "Keep one of them.",
            )
        parents[name] = parent
    if parents.pop(OBJECT, OBJECT) != OBJECT:
        raise source.error(
            section,
            f"expected `{OBJECT}` as the root type, found a parent of it",
            f"Leave `{OBJECT}` out of (:types …).",
        )
    for entry in entries:
        for word in entry.types:
            if word.text != OBJECT and word.text not in parents:
                source.warn(
                    word, f"the type `{word.text}` is only used as a parent; it is declared"
                )
                parents[word.text] = OBJECT
    _refuse_cycles(parents, entries, source)
    return parents


def _warn_of_trailing_groups(entries: list[Entry], source: Source) -> None:
    """Warn where ``person ⏎ square triangle - shape`` may not mean that a person is a shape."""
    for types, group in groupby(entries, key=lambda entry: entry.types):
        if not types or types[0].text == OBJECT:
            continue
        end, parent = source.line(types[0]), types[0].text
        early = [entry.name for entry in group if source.line(entry.name) < end]
        if early:
            names = ", ".join(f"`{word.text}`" for word in early)
            source.warn(
                early[0],
                f"read as subtypes of `{parent}`, as are all names before `- {parent}`: {names}; "
                f"if that is not meant, end their line with `- {OBJECT}`",
            )


def _refuse_cycles(parents: dict[str, str], entries: list[Entry], source: Source) -> None:
    rooted = {OBJECT}
    for entry in entries:
        path: list[str] = []
        name = entry.name.text
        while name not in rooted:
            if name in path:
                cycle = " - ".join(f"`{other}`" for other in [*path[path.index(name) :], name])
                raise source.error(
                    entry.name,
                    f"expected a hierarchy of types, found the cycle {cycle}",
                    f"Give one of them another parent, such as {OBJECT}.",
                )
            path.append(name)
            name = parents[name]
        rooted.update(path)
