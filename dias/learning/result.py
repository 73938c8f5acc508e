"""What learning returns: the domain, and what the transitions say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dias.config import LearningConfig
from dias.learning.certificate.causes import Cause
from dias.learning.certificate.support import ApartEffects, Doubt, Support
from dias.learning.data.refusals import NO_ATTEMPTS, NO_MASKS, MaskCheck, Refusals
from dias.strips.model import Domain
from dias.traces.record import LabelMode

if TYPE_CHECKING:
    from dias.learning.noise.estimate import NoiseEstimate

MAX_TEMPERATURE = 2.0
"""Sightings that claim more than twice the log odds that they prove to have are an alarm: a
classifier is hardly so far off, a wrong domain soon is."""

MAX_SLIPS, MAX_UNTOLD = 0.01, 0.05
"""Share of the steps that may stay unexplained; and of those of them that nobody could explain."""


@dataclass(frozen=True)
class ActionEvidence:
    """What the transitions say about the learned schema of one action.

    Attributes:
        action: The action name.
        n_transitions: Distinct transitions.
        n_explained: Those that the finished schema reproduces (`dias.learning.data.replay`).
        n_ambiguous: Those that the schema explains under more than one binding.
        n_unchanged: Those that change nothing.
        support: What stands behind the schema, literal by literal; None for a network.
        apart: Effects that hardly any step shows together.
        causes: What may be behind the transitions that stay unexplained.
        n_given: How many of the first parameters the traces give.
        kinds: Parameter to what it always is: its type, or a static relation
            (`dias.learning.finish.parameter_names.kinds`).
    """

    action: str
    n_transitions: int
    n_explained: int
    n_ambiguous: int
    n_unchanged: int
    support: Support | None = None
    apart: tuple[ApartEffects, ...] = ()
    causes: tuple[Cause, ...] = ()
    n_given: int = 0
    kinds: Mapping[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> Doubt | None:
        """Parameters that may be missing; None if nothing hints at any."""
        return self.support.missing if self.support else None

    @property
    def refusals(self) -> Refusals:
        """What the schema says of the refused attempts."""
        return self.support.refusals if self.support else NO_ATTEMPTS

    @property
    def masks(self) -> MaskCheck:
        """In which states the schema and what is said to be applicable there disagree."""
        return self.support.masks if self.support else NO_MASKS

    @property
    def has_doubts(self) -> bool:
        """Whether something in the schema is weak, thin, apart, wrong or perhaps missing."""
        is_wrong = self.refusals.n_allowed + self.masks.n_against > 0
        is_doubted = self.missing is not None or is_wrong or bool(self.apart or self.causes)
        return is_doubted or bool(self.support and self.support.has_doubts)


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """What was made of states of which not all is certain (`dias.learning.soft`).

    Attributes:
        n_doubted: Sightings that are not certain, unknown atoms included.
        n_unknown: Those of them of which nothing is known.
        temperatures: Relation to what the log odds of its sightings had to be divided by; above 1
            they claim more than they know.
        n_against: Sightings said to be certain that the states, as they most likely were, are
            against.
        n_rounds: How often was learned.
        n_transitions: Steps that were seen.
        n_untold: Those of them that stay unexplained, and of which too little was seen to tell.
        is_unsettled: Whether the states still look seen wrong after they were put right, or other
            schemas were learned from them each time.
    """

    n_doubted: int
    n_unknown: int
    temperatures: Mapping[str, float]
    n_against: int
    n_rounds: int
    n_transitions: int
    n_untold: int
    is_unsettled: bool

    @property
    def alarms(self) -> tuple[str, ...]:
        """The relations whose sightings are wrong far more often than they say."""
        return tuple(r for r, value in self.temperatures.items() if value > MAX_TEMPERATURE)

    @property
    def n_tolerated(self) -> int:
        """Steps that may stay unexplained."""
        n_untold = min(self.n_untold, round(MAX_UNTOLD * self.n_transitions))
        return round(MAX_SLIPS * self.n_transitions) + n_untold

    @property
    def is_doubtful(self) -> bool:
        """Whether the domain may be wrong, though it explains the steps."""
        return self.is_unsettled or bool(self.alarms)


@dataclass(frozen=True, kw_only=True)
class LearningResult:
    """A learned domain and what the transitions say about it.

    Attributes:
        domain: The domain.
        evidence: Per action the check against its transitions.
        unobserved: Actions that are declared but have no transition; no schema is written.
        method: ``hybrid``, ``symbolic``, ``neural`` or ``full`` (all arguments were given).
        labels: What the arguments in the traces are.
        preconditions: ``safe``, ``minimal``, or ``learned`` by the network.
        seed: The seed.
        n_steps: Gradient steps taken, all restarts together.
        n_transitions: Transitions in the traces, repeats counted.
        files: The trace files, if there were several, as messages name them.
        seconds: Stage to wall-clock time.
        validation: Explained and distinct validation transitions; None if there are none.
        without: The parts of the method that were left out (`dias.config.PARTS`).
        config: The settings; with full labels only some of them matter.
        noise: How much noise the traces hold; None if they were taken as exact. Explained is then
            what noise of that amount accounts for (`dias.learning.noise.estimate`).
        uncertain: What was made of states of which not all is certain; None where all is.
        variants: Action with state-dependent effects to the actions that stand for it.
        read_as_refused: Action to its distinct steps that change nothing and were read as refused
            attempts (`dias.config.UNCHANGED`).
        undone: What the time limit left undone: part of the method to the actions it was left
            undone for (the empty name: for all).
        is_network: Whether a network gives the effects; the domain then holds preconditions alone.
    """

    domain: Domain
    evidence: tuple[ActionEvidence, ...]
    unobserved: tuple[str, ...]
    method: str
    labels: LabelMode
    preconditions: str
    seed: int
    n_steps: int
    n_transitions: int
    files: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    validation: tuple[int, int] | None = None
    without: tuple[str, ...] = ()
    config: LearningConfig = field(default_factory=LearningConfig)
    noise: NoiseEstimate | None = None
    uncertain: Uncertainty | None = None
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    read_as_refused: Mapping[str, int] = field(default_factory=dict)
    undone: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_network: bool = False

    @property
    def n_distinct(self) -> int:
        """Distinct transitions."""
        return sum(evidence.n_transitions for evidence in self.evidence)

    @property
    def n_explained(self) -> int:
        """Distinct transitions that the domain explains."""
        return sum(evidence.n_explained for evidence in self.evidence)

    @property
    def explains_everything(self) -> bool:
        """Whether all that was seen fits the domain, and was looked at in full.

        Every transition is explained, no refused attempt allowed, and what masks list and nothing
        else is applicable (under noise: no more than it accounts for, masks not counted, and no
        relation out of all proportion, no wrong atoms that come together), and every declared
        action was seen.
        """
        n_tolerated = self.noise.n_tolerated if self.noise else 0
        n_against = self.n_distinct - self.n_explained + self.n_wrongly_allowed
        is_alarm = self.noise is not None and (bool(self.noise.alarms) or self.noise.come_together)
        if self.uncertain is not None:
            n_tolerated, is_alarm = self.uncertain.n_tolerated, self.uncertain.is_doubtful
        if self.noise is None:
            n_against += self.n_masks_against
        is_left = bool(self.unobserved or self.undone)
        return n_against <= n_tolerated and not is_left and not is_alarm

    @property
    def n_wrongly_allowed(self) -> int:
        """Refused attempts that the domain allows."""
        return sum(evidence.refusals.n_allowed for evidence in self.evidence)

    @property
    def n_masks_against(self) -> int:
        """States of which it is said otherwise what is applicable, those of each action counted."""
        return sum(evidence.masks.n_against for evidence in self.evidence)

    @property
    def is_weak(self) -> bool:
        """Whether the transitions leave doubts about some schema, few samples not counted."""
        return any(own.has_doubts for own in self.evidence)
