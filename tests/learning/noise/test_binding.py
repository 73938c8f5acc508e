"""The effects that roles amount to, and the roles that a finished schema amounts to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dias.learning.noise.bind.binding import ActionRoles, effects, roles_of
from dias.learning.noise.bind.roles import (
    ADDED,
    ADDED_ANYWAY,
    ALWAYS,
    DELETED,
    DELETED_ANYWAY,
    FREE,
    NEVER,
    UNCLEAR,
    Judgement,
)
from dias.learning.schema import Effects
from tests.learning.cases import lifted_schema, literals


def action(n_variables, n_given=0, **roles):
    """Roles by what they are of: ``p_0=ADDED``."""
    verdicts = {
        literals(text.replace("_", " "))[0]: Judgement(role, np.full(len(role.truths), 0.25))
        for text, role in roles.items()
    }
    changes = frozenset(x for x, own in verdicts.items() if own.role.adds or own.role.deletes)
    return ActionRoles("act", np.arange(3), n_given, n_variables, changes, verdicts)


def roles(own):
    """Text of an atom to its role."""
    return {
        " ".join([atom.relation, *map(str, atom.variables)]): verdict.role
        for atom, verdict in own.verdicts.items()
    }


def test_effects_are_what_is_added_or_deleted():
    own = action(
        3, 1, r_1_0=ADDED, q_2=DELETED, p_1=ADDED_ANYWAY, p_0=DELETED_ANYWAY,
        q_0=ALWAYS, q_1=NEVER, r_0_0=FREE, r_1_1=UNCLEAR,
    )  # fmt: skip
    assert effects(own) == Effects(3, literals("p 1", "r 1 0"), literals("p 0", "q 2"), 1)
    assert effects(action(2, q_0=ALWAYS)) == Effects(2, (), ())


ROWS = np.array([1, 4, 6])


def found(n_variables, add=(), delete=(), positive=(), negative=(), constants=(), n_given=None):
    """What `roles_of` makes of a schema over these literals."""
    schema = lifted_schema(
        "act", n_variables, *(literals(*own) for own in (add, delete, positive, negative))
    )
    given = len(constants) if n_given is None else n_given
    effects = schema.effects._replace(n_given=given)
    schema = replace(schema, effects=effects, constants=tuple(constants))
    return roles_of(schema, ROWS)


def test_preconditions_become_roles():
    own = found(2, ["p 0"], positive=["q 0", "r 0 1"], negative=["p 0", "q 1"])
    assert (own.name, own.rows.tolist(), own.n_given) == ("act", ROWS.tolist(), 0)
    assert own.n_variables == 2
    assert roles(own) == {"p 0": ADDED, "q 0": ALWAYS, "r 0 1": ALWAYS, "q 1": NEVER}
    assert all(verdict.mixture.tolist() == [1] for verdict in own.verdicts.values())


@pytest.mark.parametrize(
    ("schema", "role"),
    [
        ({"add": ["p 0"]}, ADDED_ANYWAY),
        ({"add": ["p 0"], "negative": ["p 0"]}, ADDED),
        ({"add": ["p 0"], "positive": ["p 0"]}, ADDED_ANYWAY),
        ({"delete": ["p 0"]}, DELETED_ANYWAY),
        ({"delete": ["p 0"], "positive": ["p 0"]}, DELETED),
        ({"delete": ["p 0"], "negative": ["p 0"]}, DELETED_ANYWAY),
        ({"positive": ["p 0"]}, ALWAYS),
        ({"negative": ["p 0"]}, NEVER),
        # What is both added and deleted is true afterwards.
        ({"add": ["p 0"], "delete": ["p 0"]}, ADDED_ANYWAY),
        ({"add": ["p 0"], "delete": ["p 0"], "positive": ["p 0"]}, ADDED_ANYWAY),
        ({"add": ["p 0"], "delete": ["p 0"], "negative": ["p 0"]}, ADDED),
    ],
)
def test_what_is_required_before_decides_between_the_roles_of_an_effect(schema, role):
    """Each truth that a role leaves open is as likely as the others."""
    own = found(1, **schema)
    assert roles(own) == {"p 0": role}
    (verdict,) = own.verdicts.values()
    assert verdict.mixture.tolist() == [1 / len(role.truths)] * len(role.truths)
    assert effects(own).add == (literals("p 0") if role.adds else ())
    assert effects(own).delete == (literals("p 0") if role.deletes else ())


def test_atoms_that_no_literal_is_about_have_no_role():
    assert roles(found(2)) == {}
    assert roles(found(2, ["r 0 1"])) == {"r 0 1": ADDED_ANYWAY}


def test_constants_and_equalities_are_passed_over():
    """The first two variables of the schema are constants; an atom without any stays."""
    own = found(
        4, ["p 2", "r 1 2"], ["p 1", "s"], ["q 2", "q 0", "r 2 1", "r 2 3", "power", "= 2 3"],
        ["q 3", "q 1", "r 0 1", "= 0 2", "= 2 3", "blocked"], ("c", "d"),
    )  # fmt: skip
    assert (own.n_variables, own.n_given) == (2, 0)
    assert effects(own) == Effects(2, literals("p 0"), literals("s"))
    assert roles(own) == {
        "p 0": ADDED_ANYWAY, "s": DELETED_ANYWAY, "q 0": ALWAYS, "r 0 1": ALWAYS, "power": ALWAYS,
        "q 1": NEVER, "blocked": NEVER,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("constants", "n_given", "n_left"),
    [((), 0, 0), ((), 2, 2), (("c",), 1, 0), (("c",), 2, 1), (("c", "d"), 0, 0)],
)
def test_given_arguments_are_counted_without_the_constants(constants, n_given, n_left):
    own = found(3, ["p 2"], constants=constants, n_given=n_given)
    assert (own.n_given, own.n_variables) == (n_left, 3 - len(constants))
    assert roles(own) == {f"p {2 - len(constants)}": ADDED_ANYWAY}
