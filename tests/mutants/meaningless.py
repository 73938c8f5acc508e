"""Where a change is no bug that a test should see, and is not drawn.

Types, what only a type checker reads, assertions (they state what holds anyway), log messages,
``strict=`` (it does the same where lengths are equal), how a class is made a dataclass, and bare
numbers that are tuned: those bound to an upper-case name and, other than 0 and 1, defaults of
fields and arguments. cosmic-ray itself leaves docstrings and texts alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The outermost nodes of such places."""
    for node in ast.walk(tree):
        match node:
            case ast.Assert() | ast.keyword(arg="strict") | ast.If(test=ast.Name("TYPE_CHECKING")):
                yield node
            case ast.Call(func=ast.Attribute(value=ast.Name("log"))):
                yield node
            case ast.ClassDef():
                yield from node.decorator_list
            case ast.arg(annotation=ast.expr() as types) | ast.FunctionDef(returns=types) if types:
                yield types
            case ast.AnnAssign():
                yield node.annotation
                if node.value and (_is_constant(node.target) or _is_tuned(node.value)):
                    yield node.value
            case ast.Assign(targets=[target]) if _is_constant(target) and _is_numbers(node.value):
                yield node.value
            case ast.arguments():
                yield from (n for n in (*node.defaults, *node.kw_defaults) if _is_tuned(n))


def _is_constant(target: ast.AST) -> bool:
    return isinstance(target, ast.Name) and target.id.isupper()


def _is_tuned(value: ast.AST | None) -> bool:
    return isinstance(value, ast.Constant) and _is_numbers(value) and value.value not in (0, 1)


def _is_numbers(value: ast.AST) -> bool:
    leaves = [n for n in ast.walk(value) if isinstance(n, ast.Constant | ast.Name | ast.Call)]
    return all(type(getattr(leaf, "value", None)) in (int, float) for leaf in leaves)
