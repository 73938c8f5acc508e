"""The best effects proposed so far: by single transitions, then by a network; or by one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from dias.learning.data.transitions import Examples
from dias.learning.explain.at_once import count_explained
from dias.learning.explain.full_labels import of_arguments
from dias.learning.propose.own import propose_with
from dias.learning.propose.repair import MAX_ROUNDS, repair
from dias.learning.propose.single_steps import is_shown, proposed, whole
from dias.learning.schema import Effects, LiftedAtom, Origin, compact
from dias.learning.score import max_odd
from dias.limits import Attempts, OutOfTimeError, remaining_s, within
from dias.methods import Method
from dias.strips.model import Domain

Left = Callable[[int, int], bool]
"""Takes how many steps of an action are left unexplained, and how many it has."""

EFFECTS = "effects"
"""What is left undone where single transitions were not all looked at."""


class Proposals:
    """The best effects proposed so far, action by action.

    Args:
        examples: The transitions by action.
        mend: Whether proposals are repaired.
        attempts: What may be left undone for want of time is tried as one of these.

    Attributes:
        effects: Action name to effects.
        explained: Action name to number of distinct transitions that they reproduce.
        origins: Action name to where its effects come from.
    """

    def __init__(
        self, examples: Mapping[str, Examples], mend: bool = True, attempts: Attempts | None = None
    ) -> None:
        self._examples = examples
        self._attempts = attempts or Attempts()
        self._mend = mend
        self._seen: dict[str, set[Effects]] = {name: set() for name in examples}
        # Nothing has an effect until something says so: that explains what changes nothing.
        n_given = {name: len(group.examples[0].given) for name, group in examples.items()}
        self.effects = {name: Effects(n, (), (), n) for name, n in n_given.items()}
        self.explained = {name: group.n_unchanged for name, group in examples.items()}
        self.origins = dict.fromkeys(examples, Origin("nothing"))

    def update(self, proposed: Mapping[str, Effects], origin: Origin) -> None:
        """Keep what is proposed now, where it explains more.

        Args:
            proposed: Action name to effects.
            origin: Where they come from, for the record.
        """
        for name, effects in proposed.items():
            group = self._examples[name]
            if self.explained[name] == len(group.examples) or effects in self._seen[name]:
                continue
            self._seen[name].add(effects)
            mended, explained = repair(effects, group, MAX_ROUNDS if self._mend else 0)
            if explained > self.explained[name]:
                own = origin._replace(is_repaired=mended != effects)
                self._keep(name, mended, explained, own)

    def ask(self, method: Method) -> None:
        """Have a proposer of one's own propose, for each action once.

        Raises:
            ProposerError: It proposes what cannot be.
        """
        for name, group in self._examples.items():
            effects = propose_with(method, group)
            if effects is not None:
                self.update({name: effects}, Origin(method.name))

    def look_at_steps(
        self,
        min_shown: int = 1,
        widest: Mapping[str, int] | None = None,
        mend: bool = True,
        is_enough: Left | None = None,
    ) -> None:
        """Where something stays unexplained, take what single transitions propose, if better.

        Each action has its share of the time; what takes longer is left where it is, and noted
        unless it is to be looked at again, to be repaired.

        Args:
            min_shown: Steps that must show a change set, by relation, before it is lifted.
            widest: Action to the variables that a proposal may have at most; None: any number.
            mend: Whether what does not explain everything is repaired; else it is not taken.
            is_enough: Whether no further action is looked at, given how many steps of one are left,
                and how many it has.
        """
        for n_done, (name, group) in enumerate(self._examples.items()):
            n_steps, before = len(group.examples), self.effects[name]
            if self.explained[name] == n_steps:
                continue
            limit = widest[name] if widest else None
            share = remaining_s() / (len(self._examples) - n_done)
            attempts = self._attempts if mend else Attempts()
            with attempts.needed(EFFECTS, name), within(share):
                if not mend:
                    if (proposal := whole(group)) is not None:
                        self._keep(name, proposal, n_steps, Origin("transitions"))
                    continue
                for proposal, explained in proposed(group, self._mend, min_shown, limit):
                    if explained > self.explained[name]:
                        self._keep(name, proposal, explained, Origin("transitions"))
            if self.effects[name] is not before:
                is_repaired = not is_shown(self.effects[name], group)
                self.origins[name] = Origin("transitions", is_repaired=is_repaired)
            if is_enough is not None and is_enough(n_steps - self.explained[name], n_steps):
                return

    def look_at_domain(self, domain: Domain) -> bool:
        """Take the effects of a domain's actions where they explain as much.

        Returns:
            Whether that holds of all actions.
        """
        taken = []
        for name, group in self._examples.items():
            action = domain.action(name)
            number = {term: n for n, term in enumerate((*domain.constants, *action.variables))}
            add, delete = (
                [
                    LiftedAtom(atom.predicate, tuple(map(number.__getitem__, atom.terms)))
                    for atom in own
                ]
                for own in (sorted(action.add_effects), sorted(action.delete_effects))
            )
            effects = compact(add, delete, len(group.examples[0].given))
            explained = count_explained(effects, group)
            taken.append(explained >= self.explained[name])
            if taken[-1]:
                self._keep(name, effects, explained, Origin("transitions"))
        return all(taken)

    def look_at_arguments(self) -> None:
        """Take what all steps show where all their arguments are known, if better."""
        for name, group in self._examples.items():
            with suppress(OutOfTimeError):  # they are learned once more, as whole schemas
                schema, found = of_arguments(group)
                if len(found.owner) > self.explained[name]:
                    self._keep(name, schema.effects, len(found.owner), Origin("arguments"))

    def _keep(self, name: str, effects: Effects, explained: int, origin: Origin) -> None:
        self.effects[name], self.explained[name] = effects, explained
        self.origins[name] = origin

    @property
    def n_explained(self) -> int:
        """Distinct transitions explained, all actions together."""
        return sum(self.explained.values())

    @property
    def explain_everything(self) -> bool:
        """Whether no transition is left."""
        return all(self.explained[name] == len(g.examples) for name, g in self._examples.items())

    def leave(self, is_so: Left) -> bool:
        """Whether it is so of some action, given how many steps are left, and how many it has."""
        numbers = {name: len(group.examples) for name, group in self._examples.items()}
        return any(is_so(n - self.explained[name], n) for name, n in numbers.items())

    @property
    def leave_many(self) -> bool:
        """Whether more steps of some action are left than may have been seen wrong."""
        return self.leave(lambda n_left, n_steps: n_left > max_odd(n_steps))

    def state(self) -> dict[str, Any]:
        """Plain values for a checkpoint."""
        return {
            "explained": dict(self.explained),
            "effects": {name: _plain(effects) for name, effects in self.effects.items()},
            "origins": {name: origin._asdict() for name, origin in self.origins.items()},
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        self.explained = dict(state["explained"])
        self.effects = {name: _effects(plain) for name, plain in state["effects"].items()}
        self.origins = {name: Origin(**plain) for name, plain in state["origins"].items()}


def _plain(effects: Effects) -> list[Any]:
    groups = [
        [[a.relation, *a.variables] for a in group] for group in (effects.add, effects.delete)
    ]
    return [effects.n_variables, *groups, effects.n_given]


def _effects(plain: list[Any]) -> Effects:
    n_variables, add, delete, n_given = plain
    groups = [
        tuple(LiftedAtom(relation, tuple(variables)) for relation, *variables in group)
        for group in (add, delete)
    ]
    return Effects(n_variables, groups[0], groups[1], n_given)
