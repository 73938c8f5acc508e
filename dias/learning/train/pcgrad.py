"""Gradients of two losses, of which one has precedence, put together.

Paper: Section "Gradient projection and auxiliary loss weighting" (``app:grad-projection``).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def total_gradient(main: Sequence[Tensor], aux: Sequence[Tensor], alpha: float) -> list[Tensor]:
    """∇L_total = ∇L_main + α·min(‖∇L_main‖ / ‖∇̃L_aux‖, 1)·∇̃L_aux.

    ∇̃L_aux is ∇L_aux without its component along ∇L_main where that component opposes ∇L_main,
    and ∇L_aux itself elsewhere.

    Paper: ``app:grad-projection``. All weights together are one vector, so the projection moves
    weights that L_aux does not touch as well.

    Args:
        main: ∇L_main, one tensor for each parameter.
        aux: ∇L_aux, likewise.
        alpha: α.
    """
    dot, main_square = _dot(main, aux), _dot(main, main)
    if dot < 0:
        aux = [a - dot / main_square * m for m, a in zip(main, aux, strict=True)]
    main_norm, aux_norm = main_square.sqrt(), _dot(aux, aux).sqrt()
    weight = alpha * (main_norm / aux_norm if aux_norm > main_norm else 1.0)
    return [m + weight * a for m, a in zip(main, aux, strict=True)]


def _dot(left: Sequence[Tensor], right: Sequence[Tensor]) -> Tensor:
    return torch.stack([(a * b).sum() for a, b in zip(left, right, strict=True)]).sum()
