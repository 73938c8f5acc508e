"""The changes that a mutant may be: a choice of cosmic-ray's, and five in the same form."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import parso
from cosmic_ray.operators.operator import Operator
from cosmic_ray.operators.provider import OperatorProvider
from parso.tree import NodeOrLeaf

CHOSEN = {
    "ReplaceComparisonOperator_": "Eq_NotEq NotEq_Eq Is_IsNot IsNot_Is Lt_LtE LtE_Lt Gt_GtE GtE_Gt "
    "Lt_GtE LtE_Gt Gt_LtE GtE_Lt",
    "ReplaceBinaryOperator_": "Add_Sub Sub_Add Mul_Div Div_Mul FloorDiv_Mul Mod_FloorDiv Pow_Mul "
    "BitOr_BitAnd BitAnd_BitOr BitXor_BitOr LShift_RShift RShift_LShift",
    "ReplaceUnaryOperator_Delete_": "Not USub Invert",
    "Replace": "AndWithOr OrWithAnd TrueWithFalse FalseWithTrue BreakWithContinue "
    "ContinueWithBreak",
    "": "AddNot NumberReplacer ZeroIterationForLoop",
}
"""Of cosmic-ray's, the neighbour and the opposite of an operator, not all eleven: most others fail
at once. Decorators stay: without `property` nothing runs, without a cache nothing changes."""

NEUTRAL = {"and_test": "True", "or_test": "False"}
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Own(Operator):
    """Replaces a child of a node: ``changes`` gives the children's numbers and the new code."""

    def __init__(self, changes: Callable[[NodeOrLeaf], list[tuple[int, str]]]) -> None:
        self._changes = lambda node: changes(node) if hasattr(node, "children") else []

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[tuple]:
        for at, _ in self._changes(node):
            yield node.children[at].start_pos, node.children[at].end_pos

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        at, code = self._changes(node)[index]
        node.children[at] = parso.parse(node.children[at].get_first_leaf().prefix + code)
        return node

    @classmethod
    def examples(cls) -> tuple:
        return ()


def dropped_operand(node: NodeOrLeaf) -> list[tuple[int, str]]:
    """Forgets one of several conditions."""
    operands = range(0, len(node.children), 2) if node.type in NEUTRAL else ()
    return [(at, NEUTRAL[node.type]) for at in operands]


def dropped_statement(node: NodeOrLeaf) -> list[tuple[int, str]]:
    """Forgets a call made for what it does, or an augmented assignment."""
    first = node.children[0]
    is_call = first.type == "atom_expr" and first.get_last_leaf() == ")"
    sign = first.children[1].get_code().strip() if first.type == "expr_stmt" else "="
    is_augmented = sign.endswith("=") and sign != "="
    return [(0, "pass")] if node.type == "simple_stmt" and (is_call or is_augmented) else []


def dropped_handler(node: NodeOrLeaf) -> list[tuple[int, str]]:
    """Catches nothing (cosmic-ray's own for this fails on dotted names)."""
    return [(1, "()")] if node.type == "except_clause" else []


def swapped_in(node: NodeOrLeaf) -> list[tuple[int, str]]:
    """Takes ``in`` for ``not in``, and the other way round."""
    signs = [(at, " ".join(child.get_code().split())) for at, child in enumerate(node.children)]
    other = {"in": "not in", "not in": "in"}
    return [(at, other[s]) for at, s in signs if node.type == "comparison" and s in other]


def swapped_name(node: NodeOrLeaf) -> list[tuple[int, str]]:
    """Takes ``min`` for ``max``, ``any`` for ``all``, and the other way round."""
    called = [(at, c) for at, c in enumerate(node.children) if c.get_next_leaf() == "("]
    return [(at, OTHER_NAME[c.value]) for at, c in called if getattr(c, "value", 0) in OTHER_NAME]


OPERATORS: dict[str, Operator] = {
    f"{begin}{end}": OperatorProvider()[f"{begin}{end}"]()
    for begin, ends in CHOSEN.items()
    for end in ends.split()
}
for own in (dropped_operand, dropped_statement, dropped_handler, swapped_in, swapped_name):
    OPERATORS[own.__name__] = Own(own)
