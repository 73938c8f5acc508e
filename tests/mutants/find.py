"""Finds the mutants of a file and makes the mutated file."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from tests.mutants import meaningless
from tests.mutants.draw import Mutant
from tests.mutants.operators import OPERATORS


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """All mutants of a file whose change could be a bug."""
    lines, nodes = source.splitlines(), list(ast_nodes(get_ast(source)))

    def position(line: int, n_bytes: int) -> tuple[int, int]:
        return line, len(lines[line - 1].encode()[:n_bytes].decode())

    skipped = [
        (position(n.lineno, n.col_offset), position(n.end_lineno, n.end_col_offset))
        for n in meaningless.nodes(ast.parse(source))
    ]
    same = defaultdict(list)  # a place is its text, columns, and number among those with the same
    for name, operator in OPERATORS.items():
        seen = []
        spans = (span for node in nodes for span in operator.mutation_positions(node))
        for occurrence, (start, stop) in enumerate(spans):
            if any(begin <= start and stop <= end for begin, end in skipped):
                continue
            text = f"{lines[start[0] - 1].strip()} [{start[1]}:{stop[1]}]"
            if start not in same[text]:
                same[text].append(start)
            place = f"{text} {same[text].index(start)}"
            yield Mutant(path, start[0], place, name, occurrence, seen.count(place))
            seen.append(place)


def mutated(source: str, mutant: Mutant) -> str | None:
    """The file with the change, or None if the change says the same or is not Python."""
    code = mutate_code(source, OPERATORS[mutant.operator], mutant.occurrence)
    try:
        return None if ast.dump(ast.parse(code)) == ast.dump(ast.parse(source)) else code
    except SyntaxError:
        return None
