"""What a comparison of successors comes to: the result of `dias.evaluate`."""

from __future__ import annotations

from dataclasses import dataclass, field

from dias.strips.joins.successors import Change


@dataclass
class Score:
    """True and false positives and false negatives, and what follows from them."""

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0

    @property
    def n_true(self) -> int:
        """TP + FN: what there was to predict."""
        return self.true_positives + self.false_negatives

    @property
    def precision(self) -> float:
        """TP / (TP + FP); 1 when nothing was predicted."""
        predicted = self.true_positives + self.false_positives
        return self.true_positives / predicted if predicted else 1.0

    @property
    def recall(self) -> float:
        """TP / (TP + FN); 1 when there was nothing to predict."""
        return self.true_positives / self.n_true if self.n_true else 1.0

    @property
    def is_sound(self) -> bool:
        """No predicted successor is wrong."""
        return self.false_positives == 0

    @property
    def is_complete(self) -> bool:
        """No true successor is missing."""
        return self.false_negatives == 0

    def count(self, true: set[Change], predicted: set[Change]) -> None:
        """Add the comparison of two sets."""
        common = len(true & predicted)
        self.true_positives += common
        self.false_positives += len(predicted) - common
        self.false_negatives += len(true) - common

    def __iadd__(self, other: Score) -> Score:
        self.true_positives += other.true_positives
        self.false_positives += other.false_positives
        self.false_negatives += other.false_negatives
        return self


@dataclass
class ProblemScore:
    """The measurement in one problem.

    Attributes:
        problem: The problem name.
        n_states: Test states compared.
        n_exact: Those with exactly the right successor states.
        states: By successor states, whatever the action names: the paper's measure.
        pairs: By (action name, successor state).
        actions: The same, action by action.
        failure: Why the measurement stopped early; empty if it did not.
        n_capped: States with so many wrong successors that not all of them were counted. If there
            is one, every precision is an upper bound; recall is exact all the same.
    """

    problem: str
    n_states: int = 0
    n_exact: int = 0
    states: Score = field(default_factory=Score)
    pairs: Score = field(default_factory=Score)
    actions: dict[str, Score] = field(default_factory=dict)
    failure: str = ""
    n_capped: int = 0


@dataclass(frozen=True)
class Evaluation:
    """The measurement over several problems, pooled and one by one.

    Attributes:
        problems: One by one.
        actions: The names of the true domain's actions, as they are compared, each once.
        states_from: Where the test states come from, a key of `dias.evaluation.states.SOURCES`.
        seed: Seed of the walks among them.
    """

    problems: tuple[ProblemScore, ...]
    actions: tuple[str, ...] = ()
    states_from: str = "bfs"
    seed: int = 0

    @property
    def pooled(self) -> ProblemScore:
        """All problems taken together."""
        total = ProblemScore("all")
        for problem in self.problems:
            total.n_states += problem.n_states
            total.n_exact += problem.n_exact
            total.n_capped += problem.n_capped
            total.states += problem.states
            total.pairs += problem.pairs
            for name, score in problem.actions.items():
                own = total.actions.setdefault(name, Score())
                own += score
        total.failure = "; ".join(
            f"{problem.problem}: {problem.failure}" for problem in self.problems if problem.failure
        )
        return total

    @property
    def not_tested(self) -> tuple[str, ...]:
        """The true actions that are applicable in no test state, sorted."""
        scores = self.pooled.actions
        return tuple(sorted(n for n in self.actions if n not in scores or not scores[n].n_true))

    @property
    def is_sound(self) -> bool:
        """Every predicted successor state is true, and every state was measured."""
        return self.pooled.states.is_sound and not self.pooled.failure

    @property
    def is_complete(self) -> bool:
        """Every true successor state is predicted, and every state was measured."""
        return self.pooled.states.is_complete and not self.pooled.failure
