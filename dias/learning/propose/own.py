"""Asks a proposer of one's own for effects, and takes none that cannot be."""

from __future__ import annotations

from dias.errors import ProposerError
from dias.learning.data.transitions import Examples
from dias.learning.schema import Effects
from dias.methods import Method


def propose_with(method: Method, examples: Examples) -> Effects | None:
    """What a method's proposer says of one action; None where it has nothing to say.

    Raises:
        ProposerError: It is no `Effects`, or not one over these relations and given arguments.
    """
    assert method.proposer is not None
    effects = method.proposer(examples)
    if effects is None:
        return None
    fault = _fault(effects, examples)
    if fault:
        raise ProposerError(
            fault,
            place=f"proposer {method.name}, action {examples.action}",
            remedy="dias.learning.schema.compact numbers the variables that occur",
        )
    return effects


def _fault(effects: object, examples: Examples) -> str:
    """What is wrong with proposed effects; nothing if nothing is."""
    if not isinstance(effects, Effects):
        return f"expected Effects or None, found {type(effects).__name__}"
    n_given = len(examples.examples[0].given)
    if effects.n_given != n_given:
        return f"expected {n_given} given variables, found {effects.n_given}"
    used = set(range(n_given))
    for relation, variables in (*effects.add, *effects.delete):
        arity = examples.arities.get(relation)
        if arity is None:
            return f"expected a relation of the traces, found {relation}"
        if len(variables) != arity:
            return f"expected {arity} variables for {relation}, found {len(variables)}"
        used.update(variables)
    if used != set(range(effects.n_variables)):
        return (
            f"expected the variables 0 to {effects.n_variables - 1}, each in an effect or given, "
            f"found {', '.join(map(str, sorted(used)))}"
        )
    return ""
