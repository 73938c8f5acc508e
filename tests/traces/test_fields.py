"""What an atom may be written as, and what only looks like one."""

from __future__ import annotations

import pytest

from dias.errors import TraceError
from dias.traces.reading.fields import FieldError, parse_atom
from tests.traces.files import read, step


@pytest.mark.parametrize("value", ["(p a)", " ( p  a ) ", ["p", "a"]])
def test_forms_of_an_atom(value):
    assert parse_atom(value, "state[0]") == ("p", "a")


@pytest.mark.parametrize("value", ["p a)", "(p a", ")p a(", "(", ")", "", "p", None, {}])
def test_a_parenthesis_at_one_end_is_no_atom(value):
    with pytest.raises(FieldError, match="expected a list of names"):
        parse_atom(value, "state[0]")


def test_letters_are_not_the_names_of_an_array_before():
    with pytest.raises(TraceError, match=r't.jsonl:2: state\[0\]: .*, found "pa"'):
        read(step([["p", "a"]]), step(["pa"]))


@pytest.mark.parametrize(("n_keys", "more"), [(6, ""), (7, ", …")])
def test_six_keys_of_a_line_are_named(n_keys, more):
    with pytest.raises(TraceError, match=rf'found "k0", "k1".*, "k5"{more}(\.|;|$| )'):
        read(step(), {f"k{number}": 0 for number in range(n_keys)})
