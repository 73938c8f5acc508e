"""A yard with carts, and a simulator of it that leaves the state as it is where it refuses."""

from __future__ import annotations

import random
from functools import cache, partial
from itertools import product

from dias.config import LearningConfig
from dias.strips.model import OBJECT, ActionSchema, Domain, Parameter, Predicate
from dias.traces.record import LabelMode, RefusedAction, Transition
from tests.oracles import naive_successors
from tests.traces.files import atoms, read

SYMBOLIC = LearningConfig(method="symbolic")


def schema(name, parameters, pre="", add="", delete="", different=()):
    """An action from text, such as ``"at ?r ?a, free"``."""
    parts = [atoms(*filter(None, text.split(", "))) for text in (pre, add, delete)]
    own = tuple(map(Parameter, parameters.split()))
    return ActionSchema(name, own, parts[0], inequalities=frozenset(different),
                        add_effects=parts[1], delete_effects=parts[2])  # fmt: skip


YARD = Domain(
    "yard",
    predicates=(
        Predicate("at", ((OBJECT,),) * 2), Predicate("cart", ((OBJECT,),)),
        Predicate("full", ((OBJECT,),)), Predicate("lit", ()), Predicate("place", ((OBJECT,),)),
        Predicate("ready", ()), Predicate("warm", ()),
    ),
    actions=(
        schema("move", "?r ?a ?b", "cart ?r, at ?r ?a, place ?b", "at ?r ?b", "at ?r ?a"),
        schema("fill", "?r ?a", "cart ?r, at ?r ?a, ready", "full ?r"),
        schema("tip", "?r", "full ?r", "", "full ?r"),
        schema("arm", "", "", "ready", ""),
        schema("light", "", "ready", "lit, warm", ""),  # does nothing where both hold
        schema("douse", "", "ready, lit", "", "lit, ready"),
        schema("cool", "", "warm", "", "warm"),
        schema("fly", "?r", "cart ?r, place ?r", "full ?r", ""),  # can never be done
    ),
)  # fmt: skip
"""`move r a a` and `light` may change nothing though they happen."""


def yard(number, *places):
    """A world of the yard with two carts."""
    objects = dict.fromkeys(["r", "s", *places], OBJECT)
    fixed = atoms("cart r", "cart s", *(f"place {name}" for name in places))
    return f"y{number}", objects, fixed, fixed | atoms(f"at r {places[0]}", f"at s {places[1]}")


def simulated(labels, *worlds, n, domain=YARD, with_refusals=True):
    """A random run in which an action that is not applicable leaves the state as it is.

    The first argument is a cart, the others are places. Without refusals, only what is applicable
    is sent.

    Returns:
        The traces, and those of the transitions that were answers to inapplicable actions alone.
    """
    rng = random.Random(0)
    lines, answers = [], {}
    for name, objects, fixed, state in worlds:
        lines.append(
            {"dias": "trace/1", "problem": name, "labels": labels.value, "objects": objects,
             "predicates": {p.name: [OBJECT] * p.arity for p in domain.predicates},
             "static": [str(atom) for atom in sorted(fixed)]}
        )  # fmt: skip
        carts, places = "rs", [name for name in objects if name not in "rs"]
        kinds = {action.name: [carts, *[places] * 2][: action.arity] for action in domain.actions}
        successors = cache(partial(naive_successors, domain, objects))
        for _ in range(n):
            possible = {(a, b): change for a, b, *change in successors(state)}
            action = rng.choice(sorted(kinds))
            sent = [own for own in product(*kinds[action])
                    if with_refusals or (action, own) in possible]  # fmt: skip
            if not sent:
                continue
            arguments = rng.choice(sent)
            applied = possible.get((action, arguments))
            added, deleted = applied or (frozenset(), frozenset())
            after = state - deleted | added
            shown = {LabelMode.FULL: arguments, LabelMode.NAMES: ()}.get(labels, arguments[:1])
            key = name, state - fixed, action, shown
            answers[key, after - fixed] = answers.get((key, after - fixed), False) or bool(applied)
            lines.append(
                {"state": [str(atom) for atom in sorted(state - fixed)],
                 "action": f"({' '.join((action, *shown))})",
                 "next": [str(atom) for atom in sorted(after - fixed)]}
            )  # fmt: skip
            state = after
    traces = read(*lines)
    names = [segment.problem for segment in traces.segments]
    return traces, {
        t
        for t in traces.transitions
        if not answers[(names[t.segment], t.state, t.action, t.arguments), t.next_state]
    }


def as_key(one: Transition | RefusedAction):
    return one.segment, one.state, one.action, one.arguments


WORLDS = yard(1, "a", "b"), yard(2, "a", "b", "c")
