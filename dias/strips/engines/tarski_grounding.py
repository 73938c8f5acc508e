"""Reachable ground actions by Tarski: a logic program, grounded by clingo.

Tarski writes delete-relaxed reachability as a logic program whose model lists the ground actions.
The problem is built through Tarski's own objects rather than read from PDDL: its reader refuses
predicates called ``object``, ``either`` types and names used in two roles. Clingo is called in
this process; Tarski's own call starts another one, leaves a file behind in the temporary folder
and configures the root logger.

This is the only module of the library that imports Tarski and clingo.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from clingo import Control
from tarski import fstrips
from tarski import model as tarski_model
from tarski.reachability import create_reachability_lp
from tarski.syntax import land, neg, top
from tarski.theories import Theory

from dias.errors import PlannerError
from dias.limits import Check
from dias.strips.codes import State
from dias.strips.engines.engine import SuccessorEngine
from dias.strips.grounding import GroundAction, bind_operators
from dias.strips.joins.join import Successor
from dias.strips.model import OBJECT, ActionSchema, Atom, Domain, Instance
from dias.strips.pddl.spelling import hierarchy
from dias.strips.problem import CodedProblem


class TarskiEngine(SuccessorEngine):
    """Tests in a state each ground action that is reachable from the initial one.

    Args:
        domain: The true domain; see `reachable_actions`.
        problem: The problem.
        check: Not called: clingo grounds in one piece.

    Raises:
        PlannerError: The logic program does not fit in memory.
    """

    def __init__(self, domain: Domain, problem: CodedProblem, check: Check | None = None) -> None:
        codes, static = problem.codes, problem.static.atoms
        place = {action.name: number for number, action in enumerate(domain.actions)}
        actions = sorted(reachable_actions(domain, problem.instance), key=lambda a: place[a.name])
        bindings = [(a, tuple(codes.object_number[o] for o in objects)) for a, objects in actions]
        # Bound with their static literals, which Tarski leaves undecided where they are negative.
        operators = bind_operators(domain, codes, frozenset(codes.arities), bindings)
        self._operators = [
            (operator._replace(preconditions=operator.preconditions - static), binding)
            for operator, (_, binding) in zip(operators, bindings, strict=True)
            if operator.negative_preconditions.isdisjoint(static)
        ]

    def successors(self, state: State) -> list[Successor]:
        """All applicable ground actions in `state`, by schema, then by binding."""
        return [
            Successor(action.name, binding, add - state, delete & state)
            for (action, pre, negative, add, delete), binding in self._operators
            if pre <= state and negative.isdisjoint(state)
        ]


def reachable_actions(domain: Domain, instance: Instance) -> list[GroundAction]:
    """The ground actions that Tarski's relaxed reachability from the initial state allows.

    The arguments are of the right types, (in)equalities and positive
    static preconditions hold. Deletes and negative preconditions count for nothing, so this is a
    superset of what is applicable in some reachable state. It says nothing about a domain other
    than the one that made the states: an effect that a learned domain lacks loses all actions
    that need it.

    Args:
        domain: The true domain.
        instance: Objects and initial state; the goal does not matter.

    Returns:
        The actions, sorted by name and arguments.

    Raises:
        PlannerError: The logic program does not fit in memory.
    """
    task = TarskiTask(domain, instance)
    return sorted({task.ground_action(*grounding) for grounding in task.groundings()})


_ACTION = "action_"
"""How the logic program marks the atoms that stand for ground actions."""


class TarskiTask:
    """A domain and an instance as a Tarski problem; every name in it is an alias.

    The goal is empty, since a goal that is out
    of reach would make Tarski refuse to ground.

    Attributes:
        problem: The `tarski.fstrips.Problem`.
    """

    def __init__(self, domain: Domain, instance: Instance) -> None:
        self._name = instance.name
        self._names: list[str] = []
        self._language = fstrips.language("domain", theories=[Theory.EQUALITY])
        self._sorts = {OBJECT: self._language.Object}
        parents = hierarchy(domain)
        for name in parents:
            self._add_sort(name, parents)
        self._predicates = {
            predicate.name: self._language.predicate(
                self._alias(predicate.name), *[self._language.Object] * predicate.arity
            )
            for predicate in domain.predicates
        }
        objects = {**instance.objects, **domain.constants}
        self._objects = {
            name: self._language.constant(
                self._alias(name), self._sorts.get(objects[name], self._language.Object)
            )
            for name in sorted(objects)
        }
        self.problem = fstrips.create_fstrips_problem(self._language, "problem", "domain")
        self.problem.init = self.model(instance.init)
        self.problem.goal = top
        for action in domain.actions:
            # A sort is a single type: `either` becomes one action for each choice of types.
            for types in product(*(p.types for p in action.parameters)):
                self._add_action(action, types)

    def model(self, atoms: Iterable[Atom]) -> Any:
        """The `tarski.model.Model` in which `atoms` hold and nothing else does."""
        model = tarski_model.create(self._language)
        for predicate, terms in atoms:
            if predicate in self._predicates:
                model.add(self._predicates[predicate], *(self._objects[term] for term in terms))
        return model

    def groundings(self) -> list[tuple[str, tuple[str, ...]]]:
        """The reachable ground actions in Tarski's names: action, objects; see `reachable_actions`.

        Raises:
            PlannerError: The logic program does not fit in memory.
        """
        program, _ = create_reachability_lp(
            self.problem, ground_actions=True, include_variable_inequalities=True
        )
        control = Control(["--warn=none"])
        try:
            control.add("base", [], "\n".join(program.rules))
            control.ground([("base", [])])
        except MemoryError:
            raise PlannerError(
                f"the ground actions of problem {self._name} do not fit in memory",
                remedy="Use --engine lifted, which does not ground",
            ) from None
        symbols = (atom.symbol for atom in control.symbolic_atoms)
        return sorted(
            (symbol.name.removeprefix(_ACTION), tuple(o.name for o in symbol.arguments))
            for symbol in symbols
            if symbol.name.startswith(_ACTION)
        )

    def ground_action(self, name: str, arguments: Iterable[str]) -> GroundAction:
        """The ground action that Tarski calls so."""
        name, *objects = (self._names[int(alias[1:])] for alias in (name, *arguments))
        return GroundAction(name, tuple(objects))

    def _alias(self, name: str) -> str:
        """A new name that Tarski and clingo accept, to stand for one that they may not."""
        self._names.append(name)
        return f"n{len(self._names) - 1}"

    def _add_sort(self, name: str, parents: Mapping[str, str]) -> None:
        if name not in self._sorts:
            self._add_sort(parents[name], parents)
            parent = self._sorts[parents[name]]
            self._sorts[name] = self._language.sort(self._alias(name), parent)

    def _add_action(self, action: ActionSchema, types: tuple[str, ...]) -> None:
        variables = [
            self._language.variable(self._alias(name), self._sorts[kind])
            for name, kind in zip(action.variables, types, strict=True)
        ]
        terms = {**self._objects, **dict(zip(action.variables, variables, strict=True))}

        def atoms(group: Iterable[Atom]) -> list[Any]:
            return [
                self._predicates[predicate](*(terms[name] for name in names))
                for predicate, names in sorted(group)
            ]

        # Terms of a language with equality overload ==.
        equal = [terms[left] == terms[right] for left, right in sorted(action.equalities)]
        unequal = [terms[left] == terms[right] for left, right in sorted(action.inequalities)]
        negative = [*atoms(action.negative_preconditions), *unequal]
        self.problem.action(
            self._alias(action.name),
            variables,
            land(*atoms(action.preconditions), *equal, *map(neg, negative), flat=True),
            [
                *(fstrips.AddEffect(atom) for atom in atoms(action.add_effects)),
                *(fstrips.DelEffect(atom) for atom in atoms(action.delete_effects)),
            ],
        )
