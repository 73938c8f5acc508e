"""A problem with its atoms numbered: what the successors of a domain are computed in."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from dias.strips.codes import AtomCodes, State
from dias.strips.joins.relations import StaticRelations
from dias.strips.model import Atom, Domain, Instance


@dataclass(frozen=True)
class CodedProblem:
    """A problem with its atoms numbered, those that never change told from those of states.

    Attributes:
        instance: The objects with their types; types that a domain does not know count as
            `dias.strips.model.OBJECT`. The initial state, for engines that ground from it.
        codes: The numbering of atoms; it must know the predicates and constants of every domain
            that is asked for successors.
        static: The atoms that hold in every state and are not listed in states.
        fluents: The predicates whose atoms the states list. It must contain every predicate that
            such a domain adds or deletes: where two are compared, both of them do.
        init: The initial state.
    """

    instance: Instance
    codes: AtomCodes
    static: StaticRelations
    fluents: frozenset[str]
    init: State = frozenset()

    @property
    def name(self) -> str:
        """The problem's name."""
        return self.instance.name

    @property
    def static_atoms(self) -> frozenset[Atom]:
        """The static atoms, decoded."""
        return self.codes.decode_state(self.static.atoms)

    @classmethod
    def of(
        cls, instance: Instance, *domains: Domain, fluents: Collection[str] | None = None
    ) -> CodedProblem:
        """A problem for some domains. Atoms of predicates that none of them knows are left out.

        Args:
            instance: The problem.
            domains: The domains.
            fluents: By default what one of the domains may change.
        """
        codes = codes_for(instance, *domains)
        if fluents is None:
            fluents = frozenset[str]().union(*(domain.fluents for domain in domains))
        # Sorted: the order in which a set is built can show in its iteration, and so in plans.
        known = sorted(atom for atom in instance.init if atom.predicate in codes.arities)
        static, init = split_static(known, codes, fluents)
        return cls(instance, codes, StaticRelations(codes, static), frozenset(fluents), init)


def codes_for(instance: Instance, *domains: Domain) -> AtomCodes:
    """A numbering for the objects of `instance` and the predicates of all `domains`."""
    arities = {p.name: p.arity for domain in domains for p in domain.predicates}
    objects = dict(instance.objects)
    for domain in domains:
        objects.update(domain.constants)
    return AtomCodes(arities, sorted(objects))


def split_static(
    atoms: Iterable[Atom], codes: AtomCodes, fluents: Collection[str]
) -> tuple[State, State]:
    """The codes of the static atoms, and of the fluent ones, the state."""
    static: set[int] = set()
    state: set[int] = set()
    for atom in atoms:
        (state if atom.predicate in fluents else static).add(codes.encode(atom))
    return frozenset(static), frozenset(state)
