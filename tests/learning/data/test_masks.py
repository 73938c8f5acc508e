"""What masks say of a schema, against naive enumeration, and of what is learned from them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dias.learning.data.refusals import MaskCheck, check_masks, price_of_mask
from dias.strips.model import ActionSchema, Atom, Domain, Parameter
from dias.traces.record import LabelMode, Mask, Segment, Traces
from tests.oracles import naive_rows
from tests.strategies import domains, objects, states
from tests.traces.files import atoms, read, step


def naive_check(schema: ActionSchema, traces: Traces) -> MaskCheck:
    """Every binding in the state of every mask, by the meaning of a mask."""
    n_states, weak, strict = 0, [], []
    for mask in traces.masks:
        if schema.name in mask.unclear:
            continue
        segment = traces.segments[mask.segment]
        state = mask.state | segment.static
        found = {
            tuple(binding[v] for v in schema.variables)
            for binding in naive_rows(schema, traces.types, segment.objects, state)
        }
        listed = {arguments for name, arguments in mask.listed if name == schema.name}
        n_states += 1
        begin = lambda row, like: row[: len(like)] == like  # noqa: E731
        if any(not any(begin(row, like) for like in listed) for row in found):
            weak.append(mask.line)
        if any(not any(begin(row, like) for row in found) for like in listed):
            strict.append(mask.line)
    return MaskCheck(n_states, tuple(weak), tuple(strict))


def masked(draw, domain: Domain, n_known: int | None) -> Traces:
    """Traces with masks of a first schema, and of what is drawn in place of it."""
    names = draw(objects(domain))
    schema, *_ = domain.actions
    masks = {}
    for line in range(1, 4):
        state = draw(states(domain, names))
        rows = {
            tuple(binding[v] for v in schema.variables)[:n_known]
            for binding in naive_rows(schema, domain.types, names, state)
        }
        if rows and draw(st.booleans()):
            rows.remove(draw(st.sampled_from(sorted(rows))))
        listed = frozenset((schema.name, row) for row in rows)
        unclear = frozenset({schema.name} if draw(st.integers(0, 4)) == 0 else ())
        masks[state] = Mask(0, state, listed, line, unclear)
    return Traces(
        "t", domain.name, LabelMode.FULL, dict(domain.types), domain.predicates,
        (schema.name,), (Segment("p", dict(sorted(names.items())), frozenset()),), (),
        constants=dict(domain.constants), masks=tuple(masks.values()),
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_against_enumeration(data):
    domain = data.draw(domains())
    first, *_ = domain.actions
    n_known = data.draw(st.sampled_from([0, 1, None]))
    traces = masked(data.draw, domain, n_known)
    literals = sorted(first.preconditions)
    gone = data.draw(st.sets(st.sampled_from(literals))) if literals else set()
    for schema in (first, replace(first, preconditions=first.preconditions - gone)):
        assert check_masks(schema, traces) == naive_check(schema, traces)


FULL = {"dias": "trace/1", "labels": "full", "objects": dict.fromkeys("ab", "object")}


def test_too_weak_too_strict_and_both():
    """One door is locked: the mask lists the other one."""
    traces = read(
        FULL,
        step(["(shut a)", "(shut b)", "(locked b)"], "(pull a)", [], applicable=["(pull a)"]),
        step(["(shut a)"], "(pull a)", ["(shut b)"], applicable=["(pull a)"]),
        step(["(locked b)"], "(knock)", [], applicable=["(knock)"]),
    )
    shut = ActionSchema("pull", (Parameter("?x1"),), frozenset({Atom("shut", ("?x1",))}))
    assert check_masks(shut, traces) == MaskCheck(3, (2,), ())
    locked = replace(shut, preconditions=frozenset({Atom("locked", ("?x1",))}))
    check = check_masks(locked, traces)
    assert check == MaskCheck(3, (2, 4), (2, 3))
    assert check.n_against == 3
    exact = replace(shut, negative_preconditions=frozenset({Atom("locked", ("?x1",))}))
    assert check_masks(exact, traces) == MaskCheck(3)
    assert price_of_mask(traces) == pytest.approx(1.791759)  # log of 3 masks, 2 actions
    assert traces.masks[0].state == atoms("shut a", "shut b", "locked b")
