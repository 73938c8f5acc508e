"""What stands behind a finished schema, as plain values.

`dias.learning.certificate.count_support` counts it; reports read it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from dias.learning.certificate.coincidence import LOG_WEAK
from dias.learning.data.refusals import NO_MASKS, MaskCheck, Refusals
from dias.learning.schema import Origin

LOG_FEW = -5.0
"""Log of a chance below which so few steps show an effect that it is named. In none of 100 random
domains (seeds 1000 to 1099) is any; what noise makes up has -6 to -24 (decision 85)."""


@dataclass(frozen=True)
class LiteralSupport:
    """How often a literal of a schema was observed.

    Attributes:
        role: ``type``, ``precondition``, ``add`` or ``delete``.
        text: The literal as in the domain file; for a type ``?x1 - block``.
        n_samples: Explained transitions in which it held (before; an effect: afterwards).
        n_changed: Those in which the effect changed something, whichever explanation is right;
            None for a precondition.
        n_instances: Different ground atoms that stood for it in them.
        chance: Chance that a literal that is no precondition survived the transitions; None for
            an effect, and where no transition could have violated it, alone or with a few others.
        is_alone: Whether it excludes something alone; if not, one of the others would do, too.
        is_narrow: Of a type: whether it bars objects that all the literals about it would take.
        log_few: Of an effect: log of the chance that as few of them or fewer would have changed
            something, if the ground actions that the schema allows were alike; at most 0.
    """

    role: str
    text: str
    n_samples: int
    n_changed: int | None
    n_instances: int
    chance: float | None
    is_alone: bool = True
    log_few: float = 0.0
    is_narrow: bool = False

    @property
    def is_untested(self) -> bool:
        """Whether it is a condition that excludes nothing in the states seen but what others do."""
        excludes = self.chance is not None and self.is_alone
        return self.role in ("type", "precondition") and not excludes

    @property
    def is_thin(self) -> bool:
        """Of an effect: whether so few transitions show it that these may have been seen wrong.

        One at most; or far fewer than would by chance: what binds its parameters may be no effect,
        but whatever is so already.
        """
        return self.n_changed in (0, 1) or self.log_few < LOG_FEW


@dataclass(frozen=True)
class Doubt:
    """Literals that may be a coincidence: preconditions, or what missing parameters satisfy.

    Attributes:
        literals: As in the domain file. Preconditions exclude something together, no part of them
            does; of missing parameters, what they would have to satisfy.
        chance: Chance that all steps obeyed them by accident.
        instead: What was left out and explains as much: if it holds, that is the chance.
    """

    literals: tuple[str, ...]
    chance: float
    instead: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exceptions:
    """What all but a few steps obey, so that these may have been seen wrong.

    Attributes:
        literals: As in the domain file; they are no preconditions of the schema.
        lines: Where the steps stand that violate them.
        n_steps: Steps of the action that are explained, these included.
        chance: Chance that the others obeyed by accident, as against these being seen wrong.
    """

    literals: tuple[str, ...]
    lines: tuple[int, ...]
    n_steps: int
    chance: float


class Trial(NamedTuple):
    """What to try, to settle a doubt.

    Attributes:
        literals: Those of the doubt, as in the domain file. They are broken there, or of a
            parameter that may be missing: nothing satisfies them there.
        line: Of the traces: in the state that it begins with.
        objects: Parameters with the objects that are meant.
    """

    literals: tuple[str, ...]
    line: int
    objects: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ApartEffects:
    """Two effects that hardly ever changed something in the same step.

    `dias.learning.certificate.apart` finds them.

    Attributes:
        literals: As in the domain file.
        n_together: Steps in which both did.
        n_steps: Steps looked at.
        chance: Chance that this is an accident, at most.
    """

    literals: tuple[str, str]
    n_together: int
    n_steps: int
    chance: float


class Outcomes(NamedTuple):
    """What a schema allows in the states in which steps that it explains begin.

    Attributes:
        n_states: Distinct states; none if there are too many successors to count them.
        n_allowed: Successors that it allows in them.
        n_observed: Those that were observed.
    """

    n_states: int
    n_allowed: int
    n_observed: int


NO_OUTCOMES = Outcomes(0, 0, 0)
"""Nothing was counted."""


@dataclass(frozen=True)
class Support:
    """What the transitions say about one schema beyond explained or not.

    Attributes:
        origin: Where its effects come from.
        n_extra: Parameters that occur in no effect.
        fixed: Parameters that were one and the same object in all explained transitions, two at
            least, though others have their types; with that object.
        literals: Types, preconditions, effects.
        weak: Preconditions that may be coincidences, the weakest first.
        doubtful: What the last parameters satisfy, if the schema is hardly better with them.
        missing: Parameters that may be missing, for which the transitions speak but not loud
            enough; None if nothing hints at any.
        refusals: What the schema says of the refused attempts.
        unexplained_lines: Where the transitions that it does not explain occur first.
        unexplained: Their places among those of the action: several may be in one line.
        left_out: Negative literals that never fail and are not written, untested all of them.
        may_be_needed: Those of them of which nothing says that they follow from what is written
            (`dias.learning.certificate.untested`).
        implied: Other ones that people mean even where they hardly ever matter.
        open: Others of which nothing says that they follow, though people hardly ever mean them.
        replaceable: Preconditions, each with a literal that was left out and excludes the same in
            the states seen: either may be meant.
        further: What every transition satisfies of one more parameter, though too little speaks for
            it: sets of literals.
        of_type: Static literals about one parameter that hold of all objects of its inferred type,
            and are not written.
        kinds: Literals of one static relation over one parameter that always hold and are not
            written.
        trials: What would settle weak points, and kept literals that are untested, as far as some
            state seen offers it.
        either: Two literals of which each step obeyed one or the other.
        for_all: What every step obeyed whatever object stands in it.
        exceptions: What all but a few steps obey, if more speaks for it than against it, though
            not enough; None if there is nothing of the kind.
        masks: In which states the schema and what is said to be applicable there disagree.
        outcomes: What it allows where it was taken. Many successors that are allowed and few that
            were observed hint at a missing precondition, unless states were visited only a few
            times.
    """

    origin: Origin
    n_extra: int
    literals: tuple[LiteralSupport, ...]
    weak: tuple[Doubt, ...]
    missing: Doubt | None
    refusals: Refusals
    unexplained_lines: tuple[int, ...]
    outcomes: Outcomes
    fixed: tuple[tuple[str, str], ...] = ()
    unexplained: tuple[int, ...] = ()
    doubtful: Doubt | None = None
    left_out: tuple[str, ...] = ()
    may_be_needed: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    replaceable: tuple[tuple[str, str], ...] = ()
    further: tuple[tuple[str, ...], ...] = ()
    of_type: tuple[str, ...] = ()
    kinds: tuple[LiteralSupport, ...] = ()
    exceptions: Exceptions | None = None
    either: Doubt | None = None
    for_all: Doubt | None = None
    masks: MaskCheck = NO_MASKS
    trials: tuple[Trial, ...] = ()

    @property
    def thin_effects(self) -> tuple[LiteralSupport, ...]:
        """Effects that hardly any transition shows (`LiteralSupport.is_thin`)."""
        return tuple(literal for literal in self.literals if literal.is_thin)

    @property
    def untested(self) -> tuple[LiteralSupport, ...]:
        """Types and preconditions that exclude nothing in the states seen but what others do."""
        return tuple(one for one in self.literals if self.word(one) == "untested")

    @property
    def n_untested(self) -> int:
        """How many these are."""
        return len(self.untested)

    @property
    def has_doubts(self) -> bool:
        """Whether something in the schema is weak, thin or perhaps missing."""
        missing = (
            self.missing or self.either or self.for_all or self.may_be_needed or self.exceptions
        )
        return bool(self.weak or self.thin_effects or missing or self.fixed)

    def word(self, literal: LiteralSupport) -> str:
        """``decided``, ``doubtful`` or ``untested``: what the transitions say of a literal."""
        doubts = *self.weak, *([self.doubtful] if self.doubtful else [])
        is_doubted = any(literal.text in own.literals for own in doubts)
        may_be_chance = literal.chance is not None and literal.chance > math.exp(LOG_WEAK)
        if is_doubted or may_be_chance or literal in self.thin_effects:
            return "doubtful"
        if literal.is_untested or literal.text in dict(self.replaceable):
            return "untested"
        return "decided"
