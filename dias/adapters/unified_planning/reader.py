"""Problems of unified-planning to domains and instances."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import unified_planning.model as up
from unified_planning.model.fluent import get_all_fluent_exp

from dias.errors import PDDLInputError, UnsupportedPDDLError
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance, Parameter, Predicate

log = logging.getLogger(__name__)

_BEYOND_PROBLEMS = (
    ("timed_goals", "goals at a time"),
    ("timed_effects", "effects at a time"),
    ("trajectory_constraints", "trajectory constraints"),
    ("state_invariants", "state invariants"),
    ("processes", "processes"),
    ("events", "events"),
)
"""What a problem may have and STRIPS has not: attribute, its name."""


def from_problem(problem: up.Problem) -> tuple[Domain, Instance]:
    """The domain and the instance in a problem of unified-planning.

    Names are lower case afterwards, as in PDDL. Objects that actions name are constants. The
    domain is called like the problem. Metrics are left out, with a warning.

    Raises:
        UnsupportedPDDLError: The problem says what STRIPS with types, negative preconditions and
            equality cannot say: numbers, time, conditional effects, quantifiers, … It is named.
        PDDLInputError: Names differ in case only, or an initial value is missing.
    """
    place = f"problem {problem.name}"
    if type(problem) is not up.Problem:
        raise _beyond(place, f"a {type(problem).__name__}")
    for attribute, what in _BEYOND_PROBLEMS:
        if getattr(problem, attribute, None):
            raise _beyond(place, what)
    if problem.quality_metrics:
        log.warning("%s: left out: the metric %s", place, problem.quality_metrics[0])
    for role, things in (
        ("type", problem.user_types),
        ("fluent", problem.fluents),
        ("action", problem.actions),
        ("object", problem.all_objects),
    ):
        _check_names(role, [thing.name for thing in things], place)
    name = (problem.name or "problem").lower()
    objects = {_name(thing): _type(thing.type, place) for thing in problem.all_objects}
    actions = tuple(_action(action, place) for action in problem.actions)
    named = {term for action in actions for term in _terms(action)}
    domain = Domain(
        name=name,
        types={_name(kind): _name(kind.father) if kind.father else OBJECT
               for kind in problem.user_types if _name(kind) != OBJECT},
        constants={term: kind for term, kind in objects.items() if term in named},
        predicates=tuple(_predicate(fluent, place) for fluent in problem.fluents),
        actions=actions,
    )  # fmt: skip
    goal = _read_condition(problem.goals, f"{place}, goal")
    if any(term != other for term, other in goal.equalities):
        raise PDDLInputError("expected a goal that can hold, found a false equality", place=place)
    if any(term == other for term, other in goal.inequalities):
        raise PDDLInputError("expected a goal that can hold, found a false inequality", place=place)
    instance = Instance(
        name=name,
        domain_name=name,
        objects=objects,
        init=_initial_state(problem, place),
        goal=goal.positive,
        negative_goal=goal.negative,
        has_goal=bool(problem.goals),
    )
    return domain, instance


class _Condition(NamedTuple):
    positive: frozenset[Atom]
    negative: frozenset[Atom]
    equalities: frozenset[tuple[str, str]]
    inequalities: frozenset[tuple[str, str]]


def _beyond(place: str, found: object) -> UnsupportedPDDLError:
    return UnsupportedPDDLError(
        f"expected STRIPS, found {found}",
        place=place,
        remedy="Take it out, or have it compiled away by unified-planning's compilers",
    )


def _check_names(role: str, names: list[str], place: str) -> None:
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise PDDLInputError(
                f"expected {role}s whose names differ in more than case, found {other} and {name}",
                place=place,
                remedy="Rename one of them",
            )


def _name(thing: Any) -> str:
    return thing.name.lower()


def _type(kind: Any, place: str) -> str:
    if not kind.is_user_type():
        raise _beyond(place, f"the type {kind} of a parameter or an object")
    return _name(kind)


def _predicate(fluent: Any, place: str) -> Predicate:
    if not fluent.type.is_bool_type():
        raise _beyond(place, f"fluent {fluent.name} of type {fluent.type}")
    place = f"{place}, fluent {fluent.name}"
    return Predicate(_name(fluent), tuple((_type(p.type, place),) for p in fluent.signature))


def _action(action: Any, place: str) -> ActionSchema:
    place = f"{place}, action {action.name}"
    if type(action) is not up.InstantaneousAction:
        raise _beyond(place, f"a {type(action).__name__}")
    if action.simulated_effect:
        raise _beyond(place, "a simulated effect")
    condition = _read_condition(action.preconditions, place)
    effects: dict[bool, set[Atom]] = {True: set(), False: set()}
    for effect in action.effects:
        if effect.is_conditional() or effect.is_forall():
            raise _beyond(place, f"the conditional or quantified effect {effect}")
        if not effect.is_assignment() or not effect.value.is_bool_constant():
            raise _beyond(place, f"the effect {effect}")
        effects[effect.value.bool_constant_value()].add(_atom(effect.fluent, place))
    return ActionSchema(
        name=_name(action),
        parameters=tuple(
            Parameter(f"?{_name(p)}", (_type(p.type, place),)) for p in action.parameters
        ),
        preconditions=condition.positive,
        negative_preconditions=condition.negative,
        equalities=condition.equalities,
        inequalities=condition.inequalities,
        add_effects=frozenset(effects[True]),
        delete_effects=frozenset(effects[False]),
    )


def _terms(schema: ActionSchema) -> Iterator[str]:
    for atoms in schema.atom_sets:
        for atom in atoms:
            yield from atom.terms
    for pair in schema.equalities | schema.inequalities:
        yield from pair


def _read_condition(formulas: Iterable[Any], place: str) -> _Condition:
    atoms: dict[bool, set[Atom]] = {True: set(), False: set()}
    pairs: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    open_formulas = [(formula, True) for formula in formulas]
    while open_formulas:
        formula, positive = open_formulas.pop()
        if formula.is_and() and positive:
            open_formulas += [(part, True) for part in formula.args]
        elif formula.is_not():
            open_formulas.append((formula.arg(0), not positive))
        elif formula.is_equals():
            first, second = (_term(part, place) for part in formula.args)
            pairs[positive].add((first, second))
        elif formula.is_fluent_exp():
            atoms[positive].add(_atom(formula, place))
        elif not (formula.is_bool_constant() and formula.bool_constant_value() == positive):
            raise _beyond(place, f"the condition {formula if positive else f'(not {formula})'}")
    return _Condition(
        frozenset(atoms[True]),
        frozenset(atoms[False]),
        frozenset(pairs[True]),
        frozenset(pairs[False]),
    )


def _atom(expression: Any, place: str) -> Atom:
    if not expression.type.is_bool_type():
        raise _beyond(place, f"{expression}, which is of type {expression.type}")
    return Atom(
        _name(expression.fluent()), tuple(_term(argument, place) for argument in expression.args)
    )


def _term(expression: Any, place: str) -> str:
    if expression.is_parameter_exp():
        return f"?{_name(expression.parameter())}"
    if expression.is_object_exp():
        return _name(expression.object())
    raise _beyond(place, f"{expression} where a parameter or an object should stand")


def _initial_state(problem: up.Problem, place: str) -> frozenset[Atom]:
    values = dict(problem.explicit_initial_values)  # `initial_values` would change the problem
    for fluent in problem.fluents:
        default = problem.fluents_defaults.get(fluent)
        if default is not None and default.is_false():
            continue
        for atom in get_all_fluent_exp(problem, fluent):
            if values.setdefault(atom, default) is None:
                raise PDDLInputError(
                    f"expected {atom} to be true or false at the start, found neither",
                    place=place,
                    remedy="Set it, or give its fluent a default_initial_value",
                )
    return frozenset(_atom(atom, place) for atom, value in values.items() if value.is_true())
