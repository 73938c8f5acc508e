"""Peaks patience: the cards at the tops of the peaks are to be played."""

from __future__ import annotations

import random

from ..problem import Problem, at_least, numbered


def generate(rng: random.Random, *, peaks: int, rows: int, reserve: int, ranks: int = 6) -> Problem:
    """An instance that was played once while its cards got their ranks.

    Args:
        rng: Source of randomness.
        peaks: Number of peaks.
        rows: Number of rows in each peak; row r has r cards.
        reserve: Number of cards in the reserve, one of them a joker.
        ranks: Number of ranks; they go round, and cards of neighbouring ranks are near.
    """
    at_least(1, peaks=peaks, reserve=reserve)
    at_least(2, rows=rows)
    at_least(3, ranks=ranks)
    places = [
        (peak, row, place)
        for peak in range(peaks)
        for row in range(1, rows + 1)
        for place in range(row)
    ]
    names = numbered("card", len(places) + reserve + 1)
    tableau = dict(zip(places, names, strict=False))
    first, *stock = names[len(places) :]
    joker = rng.choice(stock)
    # The covering cards of each card lie in the row below it.
    above = {
        card: [
            tableau[peak, row + 1, beside]
            for beside in (place, place + 1)
            if (peak, row + 1, beside) in tableau
        ]
        for (peak, row, place), card in tableau.items()
    }
    rank = ranks_of_a_game(rng, first, above, [card for card in stock if card != joker], ranks)
    return Problem(
        domain="peaks-patience",
        objects={"object": names},
        init=[
            *(("covers", cover, card) for card, covers in above.items() for cover in covers),
            *(
                ("near", card, other)
                for card in tableau.values()
                for other in names
                if card != other and other != joker
                if (rank[card] - rank[other]) % ranks in (1, ranks - 1)
            ),
            ("joker", joker),
            *(("reserve", card) for card in stock),
            ("top", first),
            *(("open", card) for card, covers in above.items() if not covers),
        ],
        goal=[("gone", tableau[peak, 1, 0]) for peak in range(peaks)],
    )


def ranks_of_a_game(
    rng: random.Random, first: str, above: dict[str, list[str]], stock: list[str], ranks: int
) -> dict[str, int]:
    """Ranks for the cards, so that a game that starts on card `first` clears all peaks.

    Args:
        rng: Source of randomness.
        first: The card on the waste.
        above: The cards of the peaks, each with those that cover it.
        stock: The cards that are dealt during the game.
        ranks: Number of ranks.
    """
    rank = {first: rng.randrange(ranks)}
    top = first
    waiting = list(stock)
    left = list(above)
    while left:
        if waiting and rng.random() < len(waiting) / (len(waiting) + len(left)):
            top = waiting.pop()
            rank[top] = rng.randrange(ranks)
        else:
            card = rng.choice([card for card in left if all(c in rank for c in above[card])])
            left.remove(card)
            rank[card] = (rank[top] + rng.choice((-1, 1))) % ranks
            top = card
    return rank | {card: rng.randrange(ranks) for card in waiting}
