"""The nouns of learning: lifted atoms, literals, effects, schemas, and where they come from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple


class LiftedAtom(NamedTuple):
    """A relation applied to variables, which are numbers from 0."""

    relation: str
    variables: tuple[int, ...]

    @classmethod
    def lift(
        cls, relation: str, objects: Sequence[int], variable: Mapping[int, int] | Sequence[int]
    ) -> LiftedAtom:
        """A ground atom with the variable of each object in its place."""
        return cls(relation, tuple([variable[o] for o in objects]))

    def renamed(self, number: Mapping[int, int] | Sequence[int]) -> LiftedAtom:
        """The atom with variable ``number[v]`` in place of each v."""
        return self.lift(self.relation, self.variables, number)


NOT = "not "
"""Before the name of a relation: that it does not hold. The blank keeps it apart from every
predicate."""

EQUAL, DIFFERENT = "=", NOT + "="
"""Being one object, and not being one: relations of which every state knows all."""


TYPE = "type "
"""Before the name of a type: its relation."""


def type_relation(name: str) -> str:
    """The relation of a type."""
    return TYPE + name


def lifted_atoms(arities: dict[str, int], n_variables: int) -> list[LiftedAtom]:
    """All relations over all tuples of variables."""
    return list(_lifted_atoms(tuple(arities.items()), n_variables))


@lru_cache(maxsize=16)
def _lifted_atoms(arities: tuple[tuple[str, int], ...], n_variables: int) -> Sequence[LiftedAtom]:
    return [
        LiftedAtom(relation, variables)
        for relation, arity in arities
        for variables in product(range(n_variables), repeat=arity)
    ]


def about_new(atoms: Iterable[LiftedAtom], n_known: int) -> tuple[LiftedAtom, ...]:
    """Those of some atoms that mention a variable beyond the first ones."""
    return tuple([atom for atom in atoms if max(atom.variables, default=-1) >= n_known])


def atoms_over_new(arities: dict[str, int], n_known: int, n_new: int) -> list[LiftedAtom]:
    """Those over the variables 0 … n_known + n_new - 1 that mention one of the last n_new."""
    return [*about_new(lifted_atoms(arities, n_known + n_new), n_known)]


def comparisons(n_variables: int, n_known: int = 0, relation: str = EQUAL) -> list[LiftedAtom]:
    """Each pair of variables, once; without those of which both are known."""
    pairs = combinations(range(n_variables), 2)
    return [LiftedAtom(relation, (one, other)) for one, other in pairs if other >= n_known]


def literals_over(arities: dict[str, int], n_variables: int) -> list[LiftedAtom]:
    """All relations over all tuples of variables, and that any two of these are one object."""
    return [*lifted_atoms(arities, n_variables), *comparisons(n_variables)]


class Literal(NamedTuple):
    """A precondition: an atom that must hold, or one that must not."""

    atom: LiftedAtom
    is_positive: bool


def as_literal(atom: LiftedAtom) -> Literal:
    """An atom of a query as a literal: the name of its relation may begin with `NOT`."""
    is_positive = not atom.relation.startswith(NOT)
    return Literal(atom._replace(relation=atom.relation.removeprefix(NOT)), is_positive)


def negated(literal: Literal) -> Literal:
    """What breaks a literal."""
    return literal._replace(is_positive=not literal.is_positive)


def is_inequality(literal: Literal) -> bool:
    """Whether it says that two objects differ."""
    return literal.atom.relation == EQUAL and not literal.is_positive


class Effects(NamedTuple):
    """Lifted effects over the variables 0 … n_variables - 1.

    The first `n_given` variables are constants and arguments that the transitions give; each of
    the others occurs in an effect.
    """

    n_variables: int
    add: tuple[LiftedAtom, ...]
    delete: tuple[LiftedAtom, ...]
    n_given: int = 0


def compact(add: list[LiftedAtom], delete: list[LiftedAtom], n_given: int = 0) -> Effects:
    """Renumber the variables that are given or occur to 0, 1, …, in the same order."""
    used = sorted({v for atom in add + delete for v in atom.variables} | set(range(n_given)))
    number = {variable: i for i, variable in enumerate(used)}
    new_add, new_delete = (tuple(a.renamed(number) for a in atoms) for atoms in (add, delete))
    return Effects(len(used), new_add, new_delete, n_given)


def after_constants(effects: Effects, n: int) -> Effects:
    """The effects with n constants before their variables."""
    place = [v + n for v in range(effects.n_variables)]
    add, delete = (tuple(x.renamed(place) for x in own) for own in (effects.add, effects.delete))
    return Effects(effects.n_variables + n, add, delete, effects.n_given + n)


class Origin(NamedTuple):
    """How the effects of one action came about.

    Attributes:
        source: ``network``; ``transitions`` (single ones, lifted:
            `dias.learning.propose.single_steps`); ``arguments`` (all were given); ``nothing``
            (nothing ever changed, so there is none); or the name of a proposer of one's own.
        restart: Training run that proposed them, from 0; None without a network.
        step: Gradient steps done by then; None without a network.
        n_slots: M of that network; None without one.
        is_repaired: Whether single effects were added or dropped until they explained more.
        n_dropped: Effects dropped since all is explained without them.
        n_merged: Variables merged or dropped since fewer explain as much.
    """

    source: str
    restart: int | None = None
    step: int | None = None
    n_slots: int | None = None
    is_repaired: bool = False
    n_dropped: int = 0
    n_merged: int = 0


NETWORK = Origin("network")
"""Of schemas that are the network's own."""


class Hint(NamedTuple):
    """Further variables that the transitions speak for, but not loud enough.

    Attributes:
        query: What the new variables, those after the schema's own, would have to satisfy.
        n_new: How many they are.
        log_chance: Log of the chance that the steps obeyed it by accident.
    """

    query: tuple[LiftedAtom, ...]
    n_new: int
    log_chance: float


class SecondWay(NamedTuple):
    """Literals in place of some of a schema's own, other bindings of the steps being taken.

    Attributes:
        lost: Preconditions of the schema that then fail in some step.
        instead: Those that then never fail.
        log_chance: The score that is lost, in nats; above 0 if it is more.
    """

    lost: tuple[Literal, ...]
    instead: tuple[Literal, ...]
    log_chance: float


@dataclass(frozen=True)
class LiftedSchema:
    """A lifted schema over relations and numbered variables.

    Attributes:
        action: The action name.
        effects: Effects over the first variables.
        n_variables: Number of variables; those beyond the effects' own occur in preconditions
            only.
        positive, negative: Precondition literals over them.
        constants: The constants that the first variables stand for; the others are parameters.
        n_ambiguous: Transitions that more than one binding of the variables explains.
        n_certain: Transitions that any does, those that are taken for odd ones left out.
        origin: Where the effects come from.
        hint: Further variables that may be missing; None if nothing hints at it.
        doubtful: The last variables, if without them the schema would be hardly worse; None if not.
        further: What every step satisfies of one more variable, though too little speaks for it:
            maximal sets of atoms, the largest first.
        second_ways: Other ways to bind the steps that explain as much.
    """

    action: str
    effects: Effects
    n_variables: int
    positive: tuple[LiftedAtom, ...] = ()
    negative: tuple[LiftedAtom, ...] = ()
    n_ambiguous: int = 0
    n_certain: int = 0
    origin: Origin = NETWORK
    hint: Hint | None = None
    constants: tuple[str, ...] = ()
    doubtful: Hint | None = None
    further: tuple[tuple[LiftedAtom, ...], ...] = ()
    second_ways: tuple[SecondWay, ...] = ()

    @property
    def arity(self) -> int:
        """Number of parameters."""
        return self.n_variables - len(self.constants)

    @property
    def terms(self) -> tuple[str, ...]:
        """What stands for the variables in PDDL: the constants, then ``?x1`` …."""
        return (*self.constants, *(f"?x{number + 1}" for number in range(self.arity)))


def preconditions(schema: LiftedSchema) -> list[Literal]:
    """All of them, the positive ones first."""
    groups = ((schema.positive, True), (schema.negative, False))
    return [Literal(atom, is_positive) for atoms, is_positive in groups for atom in atoms]


def with_preconditions(schema: LiftedSchema, literals: Iterable[Literal]) -> LiftedSchema:
    """The schema with these preconditions instead of its own."""
    groups: dict[bool, list[LiftedAtom]] = {True: [], False: []}
    for literal in literals:
        groups[literal.is_positive].append(literal.atom)
    return replace(schema, positive=tuple(groups[True]), negative=tuple(groups[False]))


def without_literals(schema: LiftedSchema, literals: Collection[Literal]) -> LiftedSchema:
    """The schema without some of its preconditions."""
    return with_preconditions(schema, [x for x in preconditions(schema) if x not in literals])
