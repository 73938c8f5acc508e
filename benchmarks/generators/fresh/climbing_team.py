"""Climbing team: novices to be brought from the foot of a cliff to ledges further up."""

from __future__ import annotations

import random
from itertools import permutations

from ..problem import Problem, at_least, numbered


def generate(
    rng: random.Random, *, guides: int, novices: int, anchors: int, ledges: int
) -> Problem:
    """An instance with everybody on the lowest ledge, novices bound for the upper half.

    From the highest ledge a path leads down to the lowest. Every other one leads to a higher one,
    so a guide takes a novice anywhere and comes back over the top.

    Args:
        rng: Source of randomness.
        guides: Number of guides, who trust each other.
        novices: Number of novices, each of whom trusts at least one guide.
        anchors: Number of anchors, at least one for each ledge but the lowest.
        ledges: Number of ledges.
    """
    at_least(1, guides=guides, novices=novices)
    at_least(3, ledges=ledges)
    at_least(ledges - 1, anchors=anchors)
    guide_names = numbered("guide", guides)
    novice_names = numbered("novice", novices)
    ledge_names = numbered("ledge", ledges)  # from the lowest to the highest
    anchor_names = numbered("anchor", anchors)
    fixed_to = [*ledge_names[1:], *rng.choices(ledge_names[1:], k=anchors - ledges + 1)]
    faces = random_faces(rng, ledges)
    paths = [(ledges - 1, 0)]
    for lower in range(ledges - 1):
        if (lower, lower + 1) not in faces and rng.random() < 1 / 2:
            paths += [(lower, lower + 1), (lower + 1, lower)]
    trust = list(permutations(guide_names, 2))
    for novice in novice_names:
        friend = rng.choice(guide_names)
        trust += [(novice, g) for g in guide_names if g == friend or rng.random() < 1 / 2]
    return Problem(
        domain="climbing-team",
        objects={
            "guide": guide_names,
            "novice": novice_names,
            "anchor": anchor_names,
            "ledge": ledge_names,
        },
        init=[
            *(("face", ledge_names[x], ledge_names[y]) for x, y in sorted(faces)),
            *(("path", ledge_names[x], ledge_names[y]) for x, y in paths),
            *(("trusts", *pair) for pair in trust),
            *(("fixed", *pair) for pair in zip(anchor_names, fixed_to, strict=True)),
            *(("at", climber, ledge_names[0]) for climber in (*guide_names, *novice_names)),
        ],
        goal=[("at", novice, rng.choice(ledge_names[ledges // 2 :])) for novice in novice_names],
    )


def random_faces(rng: random.Random, ledges: int) -> set[tuple[int, int]]:
    """Pairs of a ledge and a higher one, by number; none spans more than three steps.

    Each ledge but the lowest is the upper one of some pair, each but the highest the lower one.
    """
    faces = {(rng.randrange(max(0, upper - 3), upper), upper) for upper in range(1, ledges)}
    for lower in range(ledges - 1):
        if all(other != lower for other, _ in faces):
            faces.add((lower, rng.randint(lower + 1, min(lower + 3, ledges - 1))))
    return faces
