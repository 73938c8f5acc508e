"""Settings as frozen dataclasses: symbol, unit and the paper's value on each field."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from dias.methods import METHODS, Method, method_named

STARTS = ("auto", "linked", "undecided")
"""Where training starts. `undecided`: all is as likely as not. `linked`: slots are active, nothing
is an effect, and slots look for objects that are related (`dias.nn.start`). `auto`: `linked` with
`neural` and effects that are the same in every state."""


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of the network, and where it starts.

    Paper: Section "Shared model and training hyperparameters" (``app:model-configuration``).
    """

    n_slots: int = 5
    """M, the largest action arity that can be learned. Paper: 5."""
    dim: int = 32
    """d, embedding size; even. Paper: 32."""
    n_layers: int = 4
    """Layers of the R-GCN. The paper is silent."""
    grow_slots: bool = True
    """Take more slots if some step concerns more objects. Paper: no. Under noise nearly every step
    does, since any object can be in an atom that is observed wrongly."""
    start: str = "auto"
    """One of `STARTS`. Paper: preconditions "randomly initialized"; of the rest it is silent."""

    def __post_init__(self) -> None:
        if self.n_slots < 1:
            raise ValueError("n_slots: at least one slot is needed")
        if self.dim < 2 or self.dim % 2:
            raise ValueError("dim: half of the dimensions are noise, so it must be even")
        if self.n_layers < 1:
            raise ValueError("n_layers: at least one layer is needed")
        if self.start not in STARTS:
            raise ValueError(f"start must be one of {', '.join(STARTS)}")


OBJECTIVES = ("lifted", "dense")
"""`lifted`: the loss in slot space; `dense`: the paper's, over all ground atoms."""


@dataclass(frozen=True)
class TrainingConfig:
    """What to minimise, how long and how fast."""

    n_steps: int = 600
    """Gradient steps at most. Paper: 10,000."""
    batch_size: int = 100
    """Transitions a step, the same number of each action. Paper: 200."""
    learning_rate: float = 2e-2
    """η of AdamW. Paper: 5e-3, for 10,000 steps."""
    weight_decay: float = 1e-4
    """The paper is silent."""
    aux_weight: float = 0.01
    """Weight of L_aux beside L_main where `alpha` is None."""
    tau_steps: int = 500
    """Step at which τ has fallen from 1 to 0.1. Paper: 500."""
    tau_floor: float = 0.0
    """τ falls no lower. Paper: 0, and 0.1 under noise."""
    objective: str = "lifted"
    """One of `OBJECTIVES`. Paper: dense."""
    alpha: float | None = None
    """α of PCGrad; None: the sum L_main + aux_weight·L_aux. Paper: tuned per domain."""
    early_stop: bool = True
    """With `neural`, end when the schemas have not changed for `tau_steps` steps (with `mlp`
    effects: their preconditions) and everything is explained. Paper: no. `hybrid` always ends when
    the proposed effects explain everything."""

    def __post_init__(self) -> None:
        if self.n_steps < 1 or self.batch_size < 1 or self.tau_steps < 1:
            raise ValueError("n_steps, batch_size and tau_steps must be at least 1")
        if self.learning_rate <= 0:
            raise ValueError("learning_rate must be above 0")
        if self.weight_decay < 0 or self.aux_weight < 0:
            raise ValueError("weight_decay and aux_weight must not be negative")
        if not 0 <= self.tau_floor <= 1:
            raise ValueError("tau_floor must be between 0 and 1")
        if self.objective not in OBJECTIVES:
            raise ValueError(f"objective must be one of {', '.join(OBJECTIVES)}")
        if self.alpha is not None and not 0 <= self.alpha < math.inf:
            raise ValueError("alpha must not be negative and not be infinite")


PAPER_ALPHA = 1.0
"""α of PCGrad where no per-domain value is given."""


LIFTED_ALPHA = 0.3
"""α of PCGrad with the lifted objective: with 1, literals of idle effects that L_aux makes
preconditions stay (floor-painting's `paint`); the paper's own are 0.01 to 1."""


def paper_training(**changes: Any) -> TrainingConfig:
    """The paper's settings (``app:model-configuration``), with `changes` to single fields."""
    paper = TrainingConfig(
        n_steps=10_000,
        batch_size=200,
        learning_rate=5e-3,
        tau_steps=500,
        objective="dense",
        alpha=PAPER_ALPHA,
        early_stop=False,
    )
    return replace(paper, **changes)


PAPER_NOISE_THRESHOLD = 0.75
"""The paper's threshold for schemas under noise (``app:noise-setup``)."""

PAPER_NOISE_MIN_PER_ACTION = 200
"""The paper's least N_min under noise (``app:noise-setup``)."""


def paper_noise_training(**changes: Any) -> TrainingConfig:
    """The paper's settings under noise (``app:noise-setup``), with `changes` to single fields.

    The paper also raises the threshold to `PAPER_NOISE_THRESHOLD` (`LearningConfig.threshold`) and
    samples at least `PAPER_NOISE_MIN_PER_ACTION` transitions of each action.
    """
    return replace(paper_training(batch_size=50, tau_floor=0.1), **changes)


def lifted_training(**changes: Any) -> TrainingConfig:
    """The paper's settings but for the objective and the steps, with `changes` to single fields.

    Departs: the lifted objective, 3,000 steps instead of 10,000, batches of 100 instead of 200, and
    an early stop. PCGrad stays, with one α for all domains.
    """
    lifted = paper_training(
        n_steps=3_000, batch_size=100, objective="lifted", alpha=LIFTED_ALPHA, early_stop=True
    )
    return replace(lifted, **changes)


def default_training(method: str, objective: str) -> TrainingConfig:
    """How a method trains where nothing else is said.

    `neural` takes the paper's settings, with the lifted objective `lifted_training`.
    """
    if not method_named(method).is_network_alone:
        return TrainingConfig(objective=objective)
    if objective == "dense":
        return paper_training()
    return lifted_training()


def takes_paper_alpha(method: str, objective: str, effects: str) -> bool:
    """Whether the α that the paper gives for a domain is meant for such a training run."""
    return method_named(method).is_network_alone and (objective == "dense" or effects == "mlp")


EFFECTS = ("strips", "conditional", "mlp")
"""`strips`: the same in every state. `conditional`: where that does not explain an action, several
STRIPS actions stand for it. `mlp`: a network gives them state by state, as in the paper's
ablation."""


PRECONDITIONS = ("concise", "safe", "minimal")
"""Which of the literals that were never violated are kept. `concise`: the positive ones, and the
negative ones that the training states ask for. `safe`: all. `minimal`: those that the training
states ask for."""


UNCHANGED = ("auto", "happened", "refused")
"""How steps that change nothing are read. `happened`: as they stand. `refused`: as refused
attempts. `auto`: as refused attempts where no effects cover them and the steps that change
something, and that explains everything; with effects that depend on the state, as they stand."""


NOISE = ("auto", "off")
"""Whether states may have been seen wrong. `auto`: where that scores better. `off`: they are taken
as exact, but for a few odd steps; as they are with `neural`, and where effects depend on the state.
"""


PARTS = ("extra-variables", "fallback", "minimal-effects", "repair")
"""What an ablation can leave out. `extra-variables`: those that occur in preconditions only.
`fallback`: effects lifted from single transitions; without them the network proposes alone.
`minimal-effects`: dropping idle effects, and merging variables where one does. `repair`: mending
proposals that explain nearly everything."""


CHECK_EVERY, NEURAL_CHECK_EVERY = 5, 25
"""Steps between two looks at what the network proposes. With `hybrid` a look is cheaper than a
step, and the first that finds everything explained ends training; `neural` never ends that soon."""


DEVICES = ("cpu", "cuda")
"""Where the network is trained. Only on `cpu` the same seed is sure to give the same bytes."""


@dataclass(frozen=True)
class LearningConfig:
    """How to learn a domain."""

    method: str = METHODS[0]
    """One of `dias.methods.METHODS`, or the name of a proposer of one's own."""
    effects: str = "strips"
    """One of `EFFECTS`."""
    preconditions: str = "concise"
    """One of `PRECONDITIONS`; with `neural` they are what the network says."""
    unchanged: str = "auto"
    """One of `UNCHANGED`."""
    noise: str = "auto"
    """One of `NOISE`."""
    threshold: float = 0.5
    """Probability above which a literal counts with `neural` or `mlp`. Paper: "high", and 3/4 under
    noise."""
    seed: int = 0
    """Fixes everything that chance decides."""
    restarts: int = 3
    """Training runs at most, where `may_restart`; the next one begins when some transition stays
    unexplained. Three of 3,000 steps are fewer than the paper's one of 10,000."""
    check_every: int | None = None
    """Steps between two looks at what the network proposes; None: as many as suit the method."""
    time_limit_s: float | None = None
    """Seconds for all of learning; the best domain found by then comes within two more. None for no
    limit."""
    device: str = "cpu"
    """One of `DEVICES`. Paper: a GPU."""
    threads: int = 1
    """Threads of torch. These are small tensors; more threads rarely help."""
    without: tuple[str, ...] = ()
    """The `PARTS` to leave out, to see what they contribute."""
    model: ModelConfig = field(default_factory=ModelConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)

    def __post_init__(self) -> None:
        way = self.way
        if self.effects not in EFFECTS:
            raise ValueError(f"effects must be one of {', '.join(EFFECTS)}")
        if self.effects == "mlp" and not way.is_network_alone:
            raise ValueError(
                f"the {self.method} method has no mlp effects: take the neural one, or "
                "--effects conditional, which the transitions decide"
            )
        if self.preconditions not in PRECONDITIONS:
            raise ValueError(f"preconditions must be one of {', '.join(PRECONDITIONS)}")
        if self.unchanged not in UNCHANGED:
            raise ValueError(f"unchanged must be one of {', '.join(UNCHANGED)}")
        if self.noise not in NOISE:
            raise ValueError(f"noise must be one of {', '.join(NOISE)}")
        if self.preconditions == "minimal" and way.is_network_alone:
            raise ValueError(f"the {self.method} method takes its preconditions from the network")
        object.__setattr__(self, "without", tuple(sorted(set(self.without))))
        unknown = set(self.without).difference(PARTS)
        if unknown:
            raise ValueError(f"without: {', '.join(sorted(unknown))} is none of {', '.join(PARTS)}")
        if self.without and way.is_network_alone:
            raise ValueError(f"the {self.method} method has none of the parts that can be left out")
        if "fallback" in self.without and not way.trains:
            raise ValueError(f"the {self.method} method has no fallback that could be left out")
        if not 0 < self.threshold < 1:
            raise ValueError("threshold must be between 0 and 1")
        if self.device not in DEVICES:
            raise ValueError(f"device must be one of {', '.join(DEVICES)}")
        if self.time_limit_s is not None and not self.time_limit_s > 0:
            raise ValueError("time_limit_s must be above 0")
        if self.restarts < 1 or self.steps_per_look < 1:
            raise ValueError("restarts and check_every must be at least 1")
        if not 0 <= self.seed < 2**32:
            raise ValueError("seed must be between 0 and 4294967295")
        if not 1 <= self.threads <= 256:
            raise ValueError("threads must be between 1 and 256")

    @property
    def may_restart(self) -> bool:
        """Whether a training run, if there is any, may be followed by another one."""
        return not self.why_once

    @property
    def why_once(self) -> str:
        """The setting for which a network alone is trained once; none if it `may_restart`.

        Its effects depend on the state, its objective is the paper's, or nobody looks at it on the
        way.
        """
        if not self.way.is_network_alone:
            return ""
        if self.effects == "mlp":
            return "--effects mlp"
        if self.training.objective == "dense":
            return "--objective dense"
        return "" if self.training.early_stop else "early_stop = false"

    @property
    def way(self) -> Method:
        """The method itself."""
        return method_named(self.method)

    def network(self, n_slots: int) -> ModelConfig:
        """The `model` with so many slots, and a start that suits the method."""
        is_asked = self.way.is_network_alone and self.effects == "strips"
        suits = "linked" if is_asked else "undecided"
        start = suits if self.model.start == "auto" else self.model.start
        return replace(self.model, n_slots=n_slots, start=start)

    @property
    def reading_of_unchanged(self) -> str:
        """How steps that change nothing are read: `unchanged`, `auto` only with `strips`."""
        decides = self.unchanged != "auto" or self.effects == "strips"
        return self.unchanged if decides else "happened"

    @property
    def looks_for_noise(self) -> bool:
        """Whether states may have been seen wrong; dividing actions takes each at its word."""
        return self.noise == "auto" and self.way.lifts_steps and self.effects == "strips"

    @property
    def steps_per_look(self) -> int:
        """Steps between two looks at what the network proposes."""
        if self.check_every is not None:
            return self.check_every
        return NEURAL_CHECK_EVERY if self.way.is_network_alone else CHECK_EVERY
