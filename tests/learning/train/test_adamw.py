from __future__ import annotations

import torch

from dias.learning.train.adamw import AdamW


def parameters():
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(4, 3, generator=generator), torch.randn(5, generator=generator)]


def loss(values):
    return sum((x**2).sum() + x.sin().sum() for x in values)


def test_equals_the_optimiser_of_torch():
    ours = [x.requires_grad_() for x in parameters()]
    theirs = [x.requires_grad_() for x in parameters()]
    optimiser = AdamW(ours, learning_rate=0.03, weight_decay=0.1)
    reference = torch.optim.AdamW(theirs, lr=0.03, weight_decay=0.1)
    for _ in range(30):
        optimiser.step(list(torch.autograd.grad(loss(ours), ours)))
        reference.zero_grad()
        loss(theirs).backward()
        reference.step()
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, other)
    assert not torch.equal(ours[0], parameters()[0])
