"""JSON values as names and atoms.

An atom or action comes as a string in PDDL form, ``"(on b1 b2)"``, or as an array of strings,
``["on", "b1", "b2"]``.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable

from dias.errors import did_you_mean

NAME = re.compile(r"[^\s()?;,]+")
ATOM_EXAMPLE = '"(on b1 b2)" or ["on","b1","b2"]'
N_SHOWN = 60
"""Characters of a refused string that a message repeats."""


class FieldError(Exception):
    """A value that the format does not allow. The reader adds the file and the line.

    Args:
        field: Where in the line, for example ``state[3][1]``; empty for the whole line.
        expected: What should stand there.
        found: What stands there.
        remedy: What the user can do about it.
        name: A name that stands there.
        known: The names that could stand there.
    """

    def __init__(
        self,
        field: str,
        expected: str,
        found: str,
        remedy: str = "",
        name: str = "",
        known: Iterable[str] = (),
    ) -> None:
        self.field = field
        self.finding = f"expected {expected}, found {found}"
        self.problem = f"{field}: {self.finding}" if field else self.finding
        self._remedy, self._name, self._known = remedy, name, known
        super().__init__(self.problem)

    def remedy(self) -> str:
        """What the user can do about it; looked for only when it is asked for."""
        return " ".join(filter(None, (self.suggestion(), self._remedy)))

    def suggestion(self) -> str:
        """What a name may have been meant to be; empty if nothing is close."""
        return did_you_mean(self._name, self._known) if self._name else ""


def describe(value: object) -> str:
    """A JSON value in a few words for a message, free of characters that cannot be printed."""
    if isinstance(value, list):
        return "an array" if value else "an empty array"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, str) and len(value) > N_SHOWN:
        value = value[:N_SHOWN] + "…"
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def parse_array(value: object, field: str, content: str) -> list[object]:
    """An array, its elements unchecked; `content` names them for the message.

    Raises:
        FieldError: The value is not an array.
    """
    if not isinstance(value, list):
        raise FieldError(field, f"an array of {content}", describe(value))
    return value


def parse_name(value: object, field: str) -> str:
    """A name in lower case.

    Raises:
        FieldError: The value is not a string, or holds a character that no PDDL name can have.
    """
    if not isinstance(value, str):
        raise FieldError(field, "a name", describe(value))
    if not NAME.fullmatch(value) or not value.isprintable() or value == "-":
        raise FieldError(field, "a name without blanks, parentheses and , ; ?", describe(value))
    return sys.intern(value.lower())


def parse_atom(value: object, field: str) -> tuple[str, ...]:
    """An atom as predicate and objects.

    Raises:
        FieldError: The value is not an atom in one of the two forms.
    """
    words = _words(value, field)
    if words and isinstance(words[0], str) and words[0].lower() in ("not", "="):
        raise FieldError(
            field,
            f"an atom such as {ATOM_EXAMPLE}",
            describe(value),
            "States are complete: an atom that is left out is false, and equality is built in",
        )
    return _names(value, words, field)


def parse_action(value: object, field: str) -> tuple[str, ...]:
    """An action as name and arguments; the bare name ``"roll"`` will do for ``"(roll)"``.

    Raises:
        FieldError: The value is not an action in one of these forms.
    """
    if isinstance(value, str) and NAME.fullmatch(value.strip()):
        return (parse_name(value.strip(), field),)
    return _names(value, _words(value, field), field)


def _words(value: object, field: str) -> list[object]:
    """The elements of an array or the words between the parentheses, not yet checked."""
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        text = value.strip()
        if len(text) > 1 and text[0] == "(" and text[-1] == ")":
            return list(text[1:-1].split())
    raise FieldError(field, f"a list of names such as {ATOM_EXAMPLE}", describe(value))


def _names(value: object, words: list[object], field: str) -> tuple[str, ...]:
    if not words:
        raise FieldError(field, f"at least one name, as in {ATOM_EXAMPLE}", describe(value))
    if isinstance(value, str):
        return tuple(parse_name(word, field) for word in words)
    return tuple(parse_name(word, f"{field}[{place}]") for place, word in enumerate(words))
