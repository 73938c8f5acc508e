"""A naive evaluator that compares full successor states, and pairs of domains for it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from dias.strips.joins.successors import SuccessorGenerator
from dias.strips.model import ActionSchema, Atom, Domain, Instance, Predicate
from dias.strips.problem import CodedProblem
from tests.oracles import naive_successors
from tests.strategies import domains, objects, states


def next_states(domain, objects, state):
    """(action name, full successor state) of every applicable ground action."""
    return {
        (action, state - deleted | added)
        for action, _, added, deleted in naive_successors(domain, objects, state)
    }


def naive_levels(domain, objects, init, limit):
    """Reachable states by distance, until there are at least `limit`."""
    levels, seen = [{init}], {init}
    while levels[-1] and len(seen) < limit:
        reached = {s for state in levels[-1] for _, s in next_states(domain, objects, state)}
        levels.append(reached - seen)
        seen |= reached
    return levels


def naive_counts(learned, true, objects, visited):
    """(TP, FP, FN) by successor state, by (name, successor state), by name; exact states."""
    by_state, by_pair, by_name, n_exact = [0, 0, 0], [0, 0, 0], {}, 0
    for state in visited:
        t, p = (next_states(domain, objects, state) for domain in (true, learned))
        t_states, p_states = {s for _, s in t}, {s for _, s in p}
        n_exact += t_states == p_states
        for total, a, b in ((by_state, t_states, p_states), (by_pair, t, p)):
            for place, part in enumerate((a & b, b - a, a - b)):
                total[place] += len(part)
        for name in {name for name, _ in t | p}:
            own = by_name.setdefault(name, [0, 0, 0])
            for place, part in enumerate((t & p, p - t, t - p)):
                own[place] += sum(found == name for found, _ in part)
    return by_state, by_pair, by_name, n_exact


def setting(true, learned, instance):
    """The true domain's generator, the numbering, and the initial state's static part."""
    problem = CodedProblem.of(instance, true, learned)
    generator = SuccessorGenerator(true, problem)
    return generator, problem.codes, problem.static_atoms, problem.init


@st.composite
def pairs(draw):
    """Two domains over the same predicates, unrelated or one made from the other."""
    true = draw(domains())
    learned = draw(domains()) if draw(st.booleans()) else draw(variants(true))
    arities = {predicate.name: predicate.arity for predicate in true.predicates}
    renamed, predicates = {}, list(true.predicates)
    for predicate in learned.predicates:
        alike = [name for name, arity in arities.items() if arity == predicate.arity]
        if alike:
            renamed[predicate.name] = draw(st.sampled_from(alike))
        else:
            renamed[predicate.name] = f"q{predicate.arity}"
            predicates.append(Predicate(f"q{predicate.arity}", predicate.types))
            arities[f"q{predicate.arity}"] = predicate.arity

    def over_the_same(schema: ActionSchema) -> ActionSchema:
        groups = ("preconditions", "negative_preconditions", "add_effects", "delete_effects")
        return replace(
            schema,
            **{
                group: frozenset(Atom(renamed[p], terms) for p, terms in getattr(schema, group))
                for group in groups
            },
        )

    true = replace(true, predicates=tuple(predicates))
    actions = tuple(over_the_same(schema) for schema in learned.actions)
    learned = replace(learned, predicates=true.predicates, actions=actions)
    types = draw(objects(true)) | dict(learned.constants)
    init = draw(states(true, types))
    return true, learned, Instance("p", "random", types, init)


@st.composite
def variants(draw, domain: Domain) -> Domain:
    """The domain with an action or a few literals left out."""
    actions = []
    for schema in domain.actions:
        if draw(st.integers(0, 3)):
            pre, add = (
                frozenset(a for a in sorted(group) if draw(st.integers(0, 3)))
                for group in (schema.preconditions, schema.add_effects)
            )
            actions.append(replace(schema, preconditions=pre, add_effects=add))
    return replace(domain, actions=tuple(actions))


def with_action(domain, schema):
    """The domain with the action of that name exchanged."""
    actions = [schema if a.name == schema.name else a for a in domain.actions]
    return replace(domain, actions=tuple(actions))


ON, RUNNING = (frozenset({Atom(name)}) for name in ("on", "running"))
SWITCH = ActionSchema("switch", negative_preconditions=ON, add_effects=ON)
RUN = ActionSchema("run", preconditions=ON, negative_preconditions=RUNNING, add_effects=RUNNING)
PROPOSITIONS = (Predicate("on"), Predicate("running"))
MACHINE = Domain("machine", predicates=PROPOSITIONS, actions=(SWITCH, RUN))
OFF = Instance("off", "machine", {}, frozenset())
