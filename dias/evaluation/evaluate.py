"""Soundness and completeness of a learned domain, measured by successor states.

Arities and argument orders of learned schemas differ from the true ones, so schemas are not
compared. For every test state s the successor sets 𝒮′_true(s) and 𝒮′_pred(s) are.

Paper: Section "Setup" (``sec:experiments``) and "Test data" (``app:testing-data``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice

from dias.errors import PDDLInputError, PlannerError, did_you_mean
from dias.evaluation.scores import Evaluation, ProblemScore, Score
from dias.evaluation.states import find_states, share_evenly
from dias.limits import OutOfTimeError, active_check, check, remaining_s, within
from dias.strips.codes import State
from dias.strips.engines.choice import UNPRUNED, Dynamics, StripsDynamics
from dias.strips.engines.engine import SuccessorEngine
from dias.strips.joins.successors import MAX_SUCCESSORS, Change
from dias.strips.model import Domain, Instance
from dias.strips.problem import CodedProblem
from dias.strips.type_facts import with_types_said
from dias.strips.variants import common_name

MAX_WHEN_CAPPED = 1_000
"""Wrong successors of a schema counted in one state, once a state of the same problem had more
than `MAX_SUCCESSORS`: the precision is an upper bound then anyway."""

ChangesByName = defaultdict[str, set[Change]]


def evaluate(
    learned: Domain,
    true: Domain,
    instances: Sequence[Instance],
    n_states: int = 1500,
    time_limit_s: float | None = None,
    engine: str = "lifted",
    variants: bool = False,
    states_from: str = "bfs",
    seed: int = 0,
) -> Evaluation:
    """Compare the successors of two domains on reachable states of the true one.

    Args:
        learned: The domain to measure.
        true: The domain to measure it against.
        instances: Problems of the true domain.
        n_states: Test states in all, shared evenly; what a small problem cannot give is taken
            from the others.
        time_limit_s: Seconds for everything. What is left when all problems are set up they share
            evenly, each what those before it did not need. A problem that is cut short, or whose
            turn never comes, is marked as failed.
        engine: How both domains' successors are computed, one of
            `dias.strips.engines.choice.UNPRUNED`; all give the same figures.
        variants: Whether actions that differ only by a number at the end (``press-1``, ``press-2``)
            count as one, in both domains. Successor states are compared without names anyway.
        states_from: Where the test states come from, a key of `dias.evaluation.states.SOURCES`;
            the paper's are the first in breadth-first order.
        seed: Seed of the walks.

    Raises:
        PDDLInputError: The learned domain uses predicates that the true one does not have, or
            has them with another arity.
        PlannerError: The engine is none of `UNPRUNED`, or cannot hold the ground task.
        UnsupportedPDDLError: A schema has too many parameters to be expanded.
        GroundingError: Too many ground actions of the true domain are applicable in one state.
        ValueError: `n_states` is below 1, there is no instance, or `states_from` is unknown.

    Examples:
        >>> from dataclasses import replace
        >>> import dias
        >>> true = dias.read_domain("benchmarks/domains/gripper/domain.pddl")
        >>> problem = dias.read_problem("benchmarks/domains/gripper/p02.pddl", true)
        >>> without_drop = replace(true, actions=true.actions[:-1])
        >>> evaluation = dias.evaluate(without_drop, true, [problem], n_states=50)
        >>> evaluation.is_sound, evaluation.is_complete
        (True, False)
    """
    if engine not in UNPRUNED:
        raise PlannerError(
            f"engine {engine!r} cannot measure a learned domain",
            remedy=f"Choose one of {', '.join(UNPRUNED)}",
        )
    return compare(
        StripsDynamics(learned, engine),
        StripsDynamics(true, engine),
        instances,
        n_states,
        time_limit_s,
        variants,
        states_from,
        seed,
    )


def compare(
    learned: Dynamics,
    true: Dynamics,
    instances: Sequence[Instance],
    n_states: int = 1500,
    time_limit_s: float | None = None,
    variants: bool = False,
    states_from: str = "bfs",
    seed: int = 0,
) -> Evaluation:
    """The same for whatever gives successors; see `evaluate`."""
    if n_states < 1 or not instances:
        raise ValueError("evaluation needs at least one state and one problem")
    _check_predicates(learned.domain, true.domain)
    find = partial(find_states, n_states=n_states, states_from=states_from, seed=seed)
    with within(time_limit_s):
        problems = [_Problem(learned, true, own, find, variants) for own in instances]
        shares = share_evenly([len(problem.states) for problem in problems], n_states)
        for n_done, (problem, share) in enumerate(zip(problems, shares, strict=True)):
            with within(remaining_s() / (len(problems) - n_done)):
                problem.measure(share)
    spell = common_name if variants else str
    actions = tuple(dict.fromkeys(spell(action.name) for action in true.domain.actions))
    return Evaluation(tuple(problem.score for problem in problems), actions, states_from, seed)


def _check_predicates(learned: Domain, true: Domain) -> None:
    arities = {predicate.name: predicate.arity for predicate in true.predicates}
    for name, arity in ((p.name, p.arity) for p in learned.predicates):
        if name not in arities:
            expected, close = f"the predicates of domain {true.name}", did_you_mean(name, arities)
        elif arities[name] != arity:
            expected, close = f"{name} of arity {arities[name]} as in domain {true.name}", ""
        else:
            continue
        raise PDDLInputError(
            f"expected {expected}, found {name} of arity {arity} in domain {learned.name}",
            remedy=f"{close} Compare domains over the same predicates".strip(),
        )


class _Problem:
    """One problem with both domains set up in it."""

    def __init__(
        self,
        learned: Dynamics,
        true: Dynamics,
        instance: Instance,
        find: Callable[[SuccessorEngine, State], list[State]],
        variants: bool,
    ) -> None:
        self.score = ProblemScore(instance.name)
        self._spell = common_name if variants else str
        self.states: list[State] = []
        # Static is only what neither domain touches: a predicate that the learned domain fails
        # to change still changes in the states that it is measured on.
        problem = CodedProblem.of(
            with_types_said(instance, learned.domain),
            true.domain,
            learned.domain,
            fluents=true.fluents | learned.fluents,
        )
        try:
            check()
            self._true, self._learned = (
                dynamics.build(problem, active_check()) for dynamics in (true, learned)
            )
            self.states = find(self._true, problem.init)
        except OutOfTimeError:
            self._give_up()

    def _give_up(self) -> None:
        self.score.failure = f"out of time after {self.score.n_states} states"

    def measure(self, n_states: int) -> None:
        """Compare the successors on the first `n_states` states."""
        try:
            for state in self.states[:n_states]:
                check()
                if not self._measure(state):
                    self.score.failure = (
                        f"more than {MAX_SUCCESSORS:,} predicted successors in state "
                        f"{self.score.n_states + 1} of {n_states}"
                    )
                    return
        except OutOfTimeError:
            self._give_up()

    def _measure(self, state: State) -> bool:
        """Compare them in one state; False if there were too many to tell which are true."""
        true: ChangesByName = defaultdict(set)
        for successor in self._true.successors(state):
            true[self._spell(successor.action)].add((successor.added, successor.deleted))
        wanted = set().union(*true.values())
        # So many wrong ones are counted, whatever comes first.
        n_most = (MAX_WHEN_CAPPED if self.score.n_capped else MAX_SUCCESSORS) + len(wanted)
        predicted: ChangesByName = defaultdict(set)
        capped = set()
        for expansion in self._learned.expansions(state):
            for successor in islice(expansion, n_most):
                check()
                name = self._spell(successor.action)
                predicted[name].add((successor.added, successor.deleted))
            rest = next(expansion, None)
            if rest is not None:
                if self._learned.reached(state, ()) is None:
                    return False
                capped.add(self._spell(rest.action))
        # What was not looked at may be true.
        unknown = [c for c in wanted if any(c not in predicted.get(name, ()) for name in capped)]
        if unknown:
            for action, changes in (self._learned.reached(state, unknown) or {}).items():
                predicted[self._spell(action)].update(changes)
        self.score.n_capped += bool(capped)
        _count(self.score, true, predicted)
        return True


def _count(score: ProblemScore, true: ChangesByName, predicted: ChangesByName) -> None:
    all_true, all_predicted = (set().union(*changes.values()) for changes in (true, predicted))
    score.n_states += 1
    score.n_exact += all_true == all_predicted
    score.states.count(all_true, all_predicted)
    for name in sorted(true.keys() | predicted.keys()):
        own = Score()
        own.count(true[name], predicted[name])
        score.pairs += own
        of_name = score.actions.setdefault(name, Score())
        of_name += own
