"""Library: readers who are to get to know some titles."""

from __future__ import annotations

import random
from itertools import pairwise

from ..problem import Problem, SizeError, at_least, numbered


def generate(
    rng: random.Random, *, readers: int, copies: int, references: int, titles: int, limit: int
) -> Problem:
    """An instance with half the copies lent; each reader is to know half the titles.

    Half the lent copies are to be kept for another reader in the end.

    Args:
        rng: Source of randomness.
        readers: Number of readers.
        copies: Number of copies, at least one of each title.
        references: Number of copies that are not lent.
        titles: Number of titles.
        limit: Most copies that a reader has at a time.
    """
    at_least(2, readers=readers)
    at_least(1, titles=titles, limit=limit)
    at_least(0, references=references)
    at_least(titles, copies=copies)
    if references > copies:
        raise SizeError(f"there are {copies} copies, found {references} references")
    reader_names = numbered("reader", readers)
    copy_names = numbered("copy", copies)
    title_names = numbered("title", titles)
    counts = [f"n{number}" for number in range(limit + 1)]
    # The titles go round the copies.
    contents = [title_names[number % titles] for number in range(copies)]
    references_drawn = set(rng.sample(copy_names, references))
    lendable = [copy for copy in copy_names if copy not in references_drawn]
    room = [reader for reader in reader_names for _ in range(limit)]
    n_lent = min(len(lendable) // 2, len(room))
    # In the order of `lendable`, so that only who has what is random.
    lent = sorted(rng.sample(lendable, n_lent), key=lendable.index)
    lent_to = dict(zip(lent, rng.sample(room, n_lent), strict=True))
    borrowers = list(lent_to.values())
    kept = set(rng.sample(lent, (n_lent + 1) // 2))
    return Problem(
        domain="library",
        objects={"object": [*reader_names, *copy_names, *title_names, *counts]},
        init=[
            *(("reader", reader) for reader in reader_names),
            *(("copy-of", *pair) for pair in zip(copy_names, contents, strict=True)),
            *(("reference", copy) for copy in copy_names if copy in references_drawn),
            *(("succ", lower, upper) for lower, upper in pairwise(counts)),
            *(("loans", reader, counts[borrowers.count(reader)]) for reader in reader_names),
            *(("shelved", copy) for copy in copy_names if copy not in lent_to),
            *(("has", reader, copy) for copy, reader in lent_to.items()),
        ],
        goal=[
            *(
                ("knows", reader, title)
                for reader in reader_names
                for title in sorted(
                    rng.sample(title_names, (titles + 1) // 2), key=title_names.index
                )
            ),
            *(("kept", copy) for copy in lent if copy in kept),
        ],
    )
