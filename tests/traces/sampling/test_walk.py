"""What a walk remembers of the states that it comes back to."""

from __future__ import annotations

from dias.strips.joins.successors import Successor
from dias.traces.sampling import walk
from dias.traces.sampling.walk import remembering

STATES = [frozenset({number}) for number in range(3)]
NOTHING = frozenset()


def test_a_state_is_asked_about_once_as_long_as_there_is_room(monkeypatch):
    """A state with one atom and two ground actions takes room for three."""
    asked = []

    def successors(state):
        asked.append(state)
        return [Successor(name, (0,), NOTHING, NOTHING) for name in ("go", "stay")]

    by_name = {name: [(name, (0,), NOTHING, NOTHING)] for name in ("go", "stay")}
    for room, n_kept in ((5, 1), (6, 2), (100, 3)):
        monkeypatch.setattr(walk, "MAX_REMEMBERED", room)
        applicable = remembering(successors)
        asked.clear()
        assert [applicable(state) for state in STATES * 2] == [by_name] * 6
        assert [asked.count(state) for state in STATES] == [1] * n_kept + [2] * (3 - n_kept)
