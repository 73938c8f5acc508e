"""What a PDDL file declares: types, predicates, constants and objects, parameters.

Each function takes nodes of the tree of `dias.strips.pddl.text`, checks them and returns what they
declare in the nouns of `dias.strips.model`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from dias.errors import did_you_mean
from dias.strips.model import OBJECT, Parameter, Predicate
from dias.strips.pddl.text import Group, Node, Source, Word

CONNECTIVES = frozenset({"and", "or", "not", "imply", "exists", "forall", "when", "either"})
"""Words that cannot be the name of a predicate."""

EQUALITY = "="

_MISSING = "Is there a `)` missing before it?"


class Entry(NamedTuple):
    """One name of a typed list ``a b - t``, with the alternatives of its type (none: untyped)."""

    name: Word
    types: tuple[Word, ...]


def expect_name(node: Node | None, what: str, source: Source, after: Node) -> Word:
    """The node as the name of a `what`; an error if it is missing, a group or another word."""
    expected = f"expected the {what}'s name"
    if node is None:
        raise source.error(after, f"{expected}, found `)`", "Add it.")
    if isinstance(node, Group) or node.text[0] == ":":
        raise source.error(node, f"{expected}, found {_shown(node)}", _MISSING)
    if node.text[0] == "?":
        raise source.error(node, f"{expected}, found {_shown(node)}", "Only variables have a `?`.")
    if node.text[0] == "-":
        raise source.error(
            node,
            f"{expected}, found {_shown(node)}",
            "Write `name - type`, with blanks around `-`.",
        )
    return node


def expect_variable(node: Node, source: Source) -> Word:
    """The node as a variable ``?x``; an error if it is anything else."""
    if isinstance(node, Word) and node.text[0] == "?" and len(node.text) > 1:
        return node
    name = isinstance(node, Word) and node.text[0] not in ":?"
    raise source.error(
        node,
        f"expected a variable or `- type`, found {_shown(node)}",
        "A variable is written `?name`." if name else _MISSING,
    )


def _shown(node: Node) -> str:
    return f"`{node.text}`" if isinstance(node, Word) else "`(`"


def typed_list(nodes: Sequence[Node], what: str, source: Source) -> list[Entry]:
    """The entries of ``a b - t c - (either u v) d``; `what` is "variable" or the kind of name."""
    entries: list[Entry] = []
    untyped: list[Word] = []
    rest = iter(nodes)
    for node in rest:
        if isinstance(node, Word) and node.text == "-":
            alternatives = _alternatives(next(rest, None), node, source)
            if not untyped:
                raise source.error(node, "expected a name before `-`, found none", "Add it.")
            entries += (Entry(name, alternatives) for name in untyped)
            untyped = []
        elif what == "variable":
            untyped.append(expect_variable(node, source))
        else:
            untyped.append(expect_name(node, what, source, node))
    return entries + [Entry(name, ()) for name in untyped]


def _alternatives(node: Node | None, dash: Node, source: Source) -> tuple[Word, ...]:
    if not isinstance(node, Group) or node.head != "either":
        return (expect_name(node, "type", source, dash),)
    names = tuple(expect_name(item, "type", source, node) for item in node.items[1:])
    if not names:
        raise source.error(node, "expected types after `either`, found none", "Add them.")
    return names


def single_type(entry: Entry, what: str, source: Source) -> str:
    """The one type of an entry, `OBJECT` if it has none; ``either`` is refused."""
    if len(entry.types) > 1:
        raise source.unsupported(entry.name, f"{what} `{entry.name.text}` of several types")
    return entry.types[0].text if entry.types else OBJECT


def declared_types(entry: Entry, types: Collection[str], source: Source) -> tuple[str, ...]:
    """The alternatives of an entry's type in order of name, each of which must be declared."""
    for word in entry.types:
        if word.text != OBJECT and word.text not in types:
            raise source.error(
                word,
                f"expected a declared type, found `{word.text}`",
                did_you_mean(word.text, types) or "Declare it in (:types …).",
            )
    return tuple(sorted({word.text for word in entry.types})) or (OBJECT,)


def read_parameters(
    nodes: Sequence[Node], types: Collection[str], where: str, source: Source
) -> tuple[Parameter, ...]:
    """The parameters of an action; `where` names it in messages."""
    parameters: dict[str, Parameter] = {}
    for entry in typed_list(nodes, "variable", source):
        name = entry.name.text
        if name in parameters:
            raise source.error(
                entry.name,
                f"expected different parameters, found `{name}` twice in {where}",
                "Rename one of them.",
            )
        parameters[name] = Parameter(name, declared_types(entry, types, source))
    return tuple(parameters.values())


def read_predicates(section: Group, types: Collection[str], source: Source) -> dict[str, Predicate]:
    """The predicates of ``(:predicates …)`` by name, in order."""
    predicates: dict[str, Predicate] = {}
    lines: dict[str, int] = {}
    for item in section.items[1:]:
        if isinstance(item, Word):
            raise source.error(
                item, f"expected `(name …)`, found `{item.text}`", "Put it in parentheses."
            )
        word = expect_name(item.items[0] if item.items else None, "predicate", source, item)
        name = word.text
        if name in CONNECTIVES:
            raise source.error(
                word,
                f"expected the name of a predicate, found the PDDL word `{name}`",
                "Rename it.",
            )
        entries = typed_list(item.items[1:], "variable", source)
        predicate = Predicate(
            name, tuple(declared_types(entry, types, source) for entry in entries)
        )
        if name == EQUALITY:
            source.warn(word, "the predicate `=` is built in; its declaration is ignored")
        elif name not in predicates:
            predicates[name], lines[name] = predicate, source.line(word)
        elif predicates[name] == predicate:
            source.warn(word, f"the predicate `{name}` is declared twice")
        else:
            raise source.error(
                word,
                f"expected one declaration of the predicate `{name}`, "
                f"found another one in line {lines[name]}",
                "Remove one of them.",
            )
    return predicates


def read_objects(
    section: Group,
    what: str,
    known: Mapping[str, str],
    types: Collection[str] | None,
    source: Source,
) -> dict[str, str]:
    """The objects of ``(:objects …)`` or ``(:constants …)`` with their types, in order.

    Args:
        section: The section.
        what: "object" or "constant".
        known: The objects that exist before, with their types: the domain's constants.
        types: The declared types; None when the domain has none, so that every type is read as
            `OBJECT`.
        source: The file.
    """
    objects: dict[str, str] = {}
    for entry in typed_list(section.items[1:], what, source):
        name = entry.name.text
        kind = single_type(entry, what, source)
        if types is not None:
            declared_types(entry, types, source)
        elif kind != OBJECT:
            source.warn(entry.name, "the domain declares no types; all objects are of type object")
            kind = OBJECT
        before = objects.get(name, known.get(name, kind))
        if before != kind:
            raise source.error(
                entry.name,
                f"expected `{name}` to be of type {before} as declared before, found type {kind}",
                "Rename one of them.",
            )
        if name in objects:
            source.warn(entry.name, f"the {what} `{name}` is listed twice")
        objects[name] = kind
    return objects


def warn_of_shared_names(
    names: Iterable[str], roles: Mapping[str, Collection[str]], at: Node, source: Source
) -> None:
    """Warn of those `names` that stand for more than one thing, such as a type and an object."""
    found = []
    for name in names:
        its = [role for role, members in roles.items() if name in members]
        if len(its) > 1:
            found.append(f"{name} ({', '.join(its)})")
    if found:
        source.warn(at, f"names used in several roles, which are kept apart: {', '.join(found)}")
