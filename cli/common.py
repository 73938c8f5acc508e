"""What several commands share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from dias.errors import PDDLInputError
from dias.files import read_text

Command = TypeVar("Command", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of all chance."
)


def echo_json(value: object) -> None:
    """Print a value as JSON; NaN and infinity are refused, since JSON has no such numbers."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def problems_beside(domain: Path) -> list[Path]:
    """The problem files in the folder of a domain file, the training problem p01 left out.

    If p01 is the only one, it is returned.

    Raises:
        PDDLInputError: There is none.
    """
    found = [
        path
        for path in sorted(domain.parent.glob("*.pddl"))
        if path.resolve() != domain.resolve() and "(:domain" in _squeezed(path)
    ]
    if not found:
        raise PDDLInputError(
            "expected problem files beside the domain, found none",
            place=str(domain),
            remedy="Name the problems with --problem FILE",
        )
    return [path for path in found if path.stem != "p01"] or found


def _squeezed(path: Path) -> str:
    """The text in lower case without blanks, so that `( :DOMAIN` is found too."""
    return "".join(read_text(path, PDDLInputError).lower().split())
