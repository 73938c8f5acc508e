"""Conditions and effects: from nested groups to checked literals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dias.errors import PDDLInputError, did_you_mean
from dias.strips.model import Atom, Predicate, is_subtype
from dias.strips.pddl.declarations import EQUALITY
from dias.strips.pddl.text import Group, Node, Source, Word

_OUTSIDE_STRIPS = {
    "or": "a disjunction",
    "imply": "an implication",
    "forall": "a universal quantifier",
    "exists": "an existential quantifier",
    "when": "a conditional effect",
    "oneof": "a nondeterministic effect",
    "unknown": "an unknown fact",
    "probabilistic": "a probabilistic effect",
    "preference": "a preference",
    **dict.fromkeys(("<", ">", "<=", ">="), "a numeric comparison"),
    **dict.fromkeys(
        ("increase", "decrease", "assign", "scale-up", "scale-down"), "a numeric effect"
    ),
}
TOTAL_COST = "total-cost"


@dataclass(frozen=True)
class FormulaContext:
    """What names mean in one formula of a file.

    Attributes:
        source: The file.
        where: The formula's home in messages: "action `stack`".
        predicates: The declared predicates.
        terms: Variable, constant or object to the alternatives of its type.
        types: Type to parent type.
    """

    source: Source
    where: str
    predicates: Mapping[str, Predicate]
    terms: Mapping[str, tuple[str, ...]]
    types: Mapping[str, str]
    _fits: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = field(default_factory=dict)

    def fits(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether something of one of `types` may stand where one of `wanted` is asked for."""
        answer = self._fits.get((types, wanted))
        if answer is None:
            answer = any(is_subtype(name, wanted, self.types) for name in types)
            self._fits[types, wanted] = answer
        return answer

    def error(self, at: Node, problem: str, remedy: str) -> PDDLInputError:
        """The error to raise for a finding at a node of the formula."""
        return self.source.error(at, f"{problem} in {self.where}", remedy)

    def unsupported(self, at: Node, construct: str) -> PDDLInputError:
        """The error to raise for a construct outside STRIPS."""
        return self.source.unsupported(at, construct, self.where)


def literals(
    formula: Node, scope: FormulaContext, equality: bool = True
) -> Iterator[tuple[bool, Atom, Group]]:
    """The literals (positive or not, atom, its node) of a conjunction, in the order of the text.

    Nested conjunctions are flattened and double negations removed; ``()`` is the empty
    conjunction. An increase of the total cost is left out: costs change no state.

    Args:
        formula: The formula.
        scope: What its names mean.
        equality: Whether `=` may stand in it: in conditions, not in effects.

    Raises:
        PDDLInputError: A predicate, variable or object is not declared, or an atom has a wrong
            number of arguments or an object of a wrong type.
        UnsupportedPDDLError: The formula is no conjunction of literals.
    """
    todo: list[tuple[bool, Node]] = [(True, formula)]
    while todo:
        positive, node = todo.pop()
        if isinstance(node, Word):
            raise scope.error(
                node, f"expected `(`, found `{node.text}`", "Put the atom in parentheses."
            )
        head, items = node.head, node.items
        if not items and positive and node is formula:
            continue
        if head == "and" and (positive or len(items) == 2):
            todo.extend((positive, item) for item in reversed(items[1:]))
        elif head == "not":
            if len(items) != 2:
                raise scope.error(
                    node,
                    f"expected one formula after `not`, found {len(items) - 1}",
                    "Negate each on its own.",
                )
            todo.append((not positive, items[1]))
        elif _is_cost(node, scope):
            scope.source.warn(node, "action costs are ignored")
        elif head in scope.predicates or (equality and head == EQUALITY):
            yield positive, _atom(node, scope), node
        else:
            raise _no_literal(node, positive, scope)


def _is_cost(node: Group, scope: FormulaContext) -> bool:
    """``(increase (total-cost) …)``, or ``(= (function …) number)`` in an initial state."""
    argument = node.items[1] if len(node.items) == 3 else None
    if not isinstance(argument, Group):
        return False
    if node.head == EQUALITY:
        return scope.where == ":init"
    return node.head == "increase" and argument.head == TOTAL_COST


def _no_literal(node: Group, positive: bool, scope: FormulaContext) -> PDDLInputError:
    head = node.head
    if head == "and":
        return scope.unsupported(node, "a negated conjunction (`not` before `and`)")
    if head in _OUTSIDE_STRIPS:
        return scope.unsupported(node, f"`{head}` ({_OUTSIDE_STRIPS[head]})")
    if head == EQUALITY:
        problem = "expected an atom that can change, found `=`"
        return scope.error(node, problem, "Equalities can only be conditions.")
    if not head:
        found = "`(`" if node.items else "`()`"
        return scope.error(node, f"expected `(predicate …)`, found {found}", "Remove it.")
    if head[0] in ":?":
        problem = f"expected the name of a predicate, found `{head}`"
        return scope.error(node, problem, "Is there a `)` missing before it?")
    remedy = did_you_mean(head, scope.predicates) or "Declare it in (:predicates …)."
    return scope.error(node, f"expected a declared predicate, found `{head}`", remedy)


def _atom(node: Group, scope: FormulaContext) -> Atom:
    """The atom of a literal, its arity, terms and types checked."""
    head, arguments = node.head, node.items[1:]
    declared = ((), ()) if head == EQUALITY else scope.predicates[head].types
    if len(arguments) != len(declared):
        signature = " ".join([head, *(" or ".join(types) or "object" for types in declared)])
        raise scope.error(
            node,
            f"expected {len(declared)} argument(s) of `{head}`, found {len(arguments)}",
            f"Its argument types are ({signature}).",
        )
    terms = []
    for argument, wanted in zip(arguments, declared, strict=True):
        if isinstance(argument, Group):
            raise scope.unsupported(argument, "a function as an argument")
        types = scope.terms.get(argument.text)
        if types is None:
            raise _unknown_term(argument, scope)
        if wanted and not scope.fits(types, wanted):
            _check_type(argument, types, wanted, head, scope)
        terms.append(argument.text)
    return Atom(head, tuple(terms))


_IN_PROBLEM = (
    "Declare it in (:objects …). If it is a constant of the true domain that this domain does not"
    " declare, add (:constants {}) to the domain, or give `dias plan` the true one with --gt."
)


def _unknown_term(word: Word, scope: FormulaContext) -> PDDLInputError:
    name = word.text
    in_action = scope.where.startswith("action")
    close = did_you_mean(name, scope.terms)
    if name.startswith("?"):
        expected = "a parameter" if in_action else "an object"
        remedy = close or ("Add it to the parameters." if in_action else "Name an object.")
    else:
        expected = "a declared object or constant"
        remedy = close or "Declare it, or is it a variable?"
        if not in_action:
            remedy = f"{close} {_IN_PROBLEM.format(name)}".lstrip()
    return scope.error(word, f"expected {expected}, found `{name}`", remedy)


def _check_type(
    word: Word,
    types: tuple[str, ...],
    wanted: tuple[str, ...],
    predicate: str,
    scope: FormulaContext,
) -> None:
    """Refuse an object of a wrong type; warn of a variable that never has a right one."""
    expected, found = " or ".join(wanted), " or ".join(types)
    if not word.text.startswith("?"):
        raise scope.error(
            word,
            f"expected an object of type {expected} as argument of `{predicate}`, "
            f"found `{word.text}` of type {found}",
            "Correct the object or its type. If `dias learn` inferred the types, with "
            "--no-infer-types any object may stand there.",
        )
    if not scope.fits(wanted, types):
        scope.source.warn(
            word,
            f"`{word.text}` is of type {found}, which `{predicate}` never holds of "
            f"(its argument is of type {expected}), in {scope.where}",
        )
