"""Settings as frozen dataclasses: symbol, unit and the paper's value on each field."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of the network.

    Paper: Section "Shared model and training hyperparameters" (``app:model-configuration``).
    """

    n_slots: int = 5
    """M, the largest action arity that can be learned. Paper: 5."""
    dim: int = 32
    """d, embedding size; even. Paper: 32."""
    n_layers: int = 4
    """Layers of the R-GCN. The paper is silent."""

    def __post_init__(self) -> None:
        if self.n_slots < 1:
            raise ValueError("n_slots: at least one slot is needed")
        if self.dim < 2 or self.dim % 2:
            raise ValueError("dim: half of the dimensions are noise, so it must be even")
        if self.n_layers < 1:
            raise ValueError("n_layers: at least one layer is needed")


@dataclass(frozen=True)
class TrainingConfig:
    """How long and how fast to train."""

    n_steps: int = 2000
    """Gradient steps at most. Paper: 10,000."""
    batch_size: int = 200
    """Transitions a step, the same number of each action. Paper: 200."""
    learning_rate: float = 2e-2
    """η of AdamW. Paper: 5e-3, for 10,000 steps."""
    weight_decay: float = 1e-4
    """The paper is silent."""
    aux_weight: float = 0.01
    """Weight of L_aux beside L_main. The paper projects gradients instead (PCGrad)."""
    tau_steps: int = 500
    """Step at which τ has fallen from 1 to 0.1. Paper: 500."""

    def __post_init__(self) -> None:
        if self.n_steps < 1 or self.batch_size < 1 or self.tau_steps < 1:
            raise ValueError("n_steps, batch_size and tau_steps must be at least 1")
        if self.learning_rate <= 0:
            raise ValueError("learning_rate must be above 0")
        if self.weight_decay < 0 or self.aux_weight < 0:
            raise ValueError("weight_decay and aux_weight must not be negative")


METHODS = ("hybrid", "neural")
"""`hybrid`: the network proposes effects, an exact pass checks and completes them. `neural`: the
schemas are what the network says, as in the paper."""


@dataclass(frozen=True)
class LearningConfig:
    """How to learn a domain."""

    method: str = "hybrid"
    """One of `METHODS`."""
    seed: int = 0
    """Fixes everything that chance decides."""
    restarts: int = 3
    """Training runs at most; the next one begins when some transition stays unexplained."""
    check_every: int = 50
    """Steps between two looks at what the network proposes."""
    threads: int = 1
    """Threads of torch. These are small tensors; more threads rarely help."""
    model: ModelConfig = field(default_factory=ModelConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}")
        if self.restarts < 1 or self.check_every < 1 or self.threads < 1:
            raise ValueError("restarts, check_every and threads must be at least 1")
