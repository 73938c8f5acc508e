"""What several commands share."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from dias.errors import PDDLInputError, did_you_mean
from dias.files import check_writable, read_text, write_text_atomically

if TYPE_CHECKING:
    from dias.strips.model import Instance

STDIN = "-"
STDOUT = "-"
Command = TypeVar("Command", bound=Callable[..., Any])

FILE = click.Path(path_type=Path, readable=False)
"""A file. What is wrong with it is found by who reads it, whose message says more than click's."""
STREAM = click.Path(allow_dash=True, readable=False)
"""A file as a string, or ``-`` for standard input or output."""


def output_option(help: str) -> Callable[[Command], Command]:
    """The option that names the output, standard output unless it is given."""
    text = f"{help} Default: stdout."
    return click.option("-o", "output", type=STREAM, default=STDOUT, show_default=False, help=text)


json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), default=0, help="Seed of all chance."
)
labels_option = click.option(
    "--labels",
    type=click.Choice(["auto", "full", "partial", "names"]),
    default="auto",
    help="What the action arguments in the file are; auto: what the file says.",
)
skip_bad_lines_option = click.option(
    "--skip-bad-lines", is_flag=True, help="Drop unreadable lines and say how many."
)
variants_option = click.option(
    "--variants",
    is_flag=True,
    help="Actions that differ only by a number at the end (press-1, press-2) count as one, as "
    "learn --effects conditional writes them.",
)

states_from_option = click.option(
    "--states-from",
    type=click.Choice(["bfs", "walk", "both"]),
    default="bfs",
    help="bfs: the first states in breadth-first order, as in the paper; walk: those that random "
    "walks meet, also far from the start; both: half of each.",
)


class NearChoice(click.Choice[str]):
    """A choice whose error says what may have been meant."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        """All choices, and the one that is closest to the value."""
        message = super().get_invalid_choice_message(value, ctx)
        return f"{message} {did_you_mean(str(value), map(str, self.choices))}".rstrip()


class FiniteRange(click.FloatRange):
    """A range of numbers that ends somewhere."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; NaN, which no range excludes, and infinity are wrong usage."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


SECONDS = FiniteRange(0, min_open=True)


def is_given(parameter: str) -> bool:
    """Whether the user gave this option of the running command, or it stands at its default."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is not ParameterSource.DEFAULT


def echo_json(value: object) -> None:
    """Print a value as JSON; NaN and infinity are refused, since JSON has no such numbers."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def check_outputs(outputs: Iterable[str], inputs: Iterable[str | Path] = ()) -> None:
    """Find out before the work whether its results can be written.

    Args:
        outputs: The files to write; ``-`` is standard output.
        inputs: The files to read.

    Raises:
        UsageError: Two outputs are the same file, or an output is an input.
        DiasError: An output cannot be written.
    """
    taken = {os.path.realpath(path) for path in inputs}
    for path in outputs:
        place = os.path.realpath(path) if path != STDOUT else STDOUT
        is_plain = os.path.isfile(place) or not os.path.exists(place)  # no device, no pipe
        if is_plain and place in taken:
            raise click.UsageError(f"{path} is given twice: an output needs a file of its own")
        taken.add(place)
        if path != STDOUT:
            check_writable(path)


def write_result(path: str, text: str) -> None:
    """Write a text to a file, whole or not at all, or (``-``) to standard output, as UTF-8."""
    if path == STDOUT:
        click.echo(text.encode(), nl=False)
    else:
        write_text_atomically(path, text)


def check_goal(instance: Instance, problem: Path) -> None:
    """Refuse a problem without a goal where a plan is made or judged.

    Raises:
        PDDLInputError: It has none.
    """
    if not instance.has_goal:
        raise PDDLInputError(
            "expected a goal, found none", place=str(problem), remedy="Add (:goal …)"
        )


def problems_beside(domain: Path, name: str) -> list[Path]:
    """The problem files in the folder of a domain file, the training problem p01 left out.

    If p01 is the only one, it is returned. Problems of other domains are left out if some are of
    this one. A file that cannot be read is left out with a warning.

    Args:
        domain: The domain file.
        name: The name of the domain.

    Raises:
        PDDLInputError: There is none.
    """
    texts = {}
    for path in sorted(domain.parent.glob("*.pddl")):
        if path.resolve() == domain.resolve():
            continue
        try:
            texts[path] = _squeezed(path)
        except PDDLInputError as error:
            click.echo(f"warning: left out: {error}", err=True)
    found = [path for path, text in texts.items() if "(:domain" in text]
    found = [path for path in found if f"(:domain{name})" in texts[path]] or found
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
