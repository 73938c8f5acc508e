"""The `dias` command: its subcommands, its messages and its exit status.

0 done · 1 an error the user can mend · 2 wrong usage · 3 no plan · 4 not everything explained, or a
plan that is not valid · 130 interrupted.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from typing import ClassVar

import click

from dias import __version__
from dias.errors import DiasError, did_you_mean
from dias.limits import OutOfTimeError

LOGGERS = ("dias", "dias_cli", "pyperplan")

COMMANDS = (
    "bench", "convert", "demo", "denoise", "diff", "evaluate", "inspect", "learn", "plan", "sample",
    "states", "validate",
)  # fmt: skip
"""Each is the module of that name; it is imported when it is used."""


VERBOSITY = "dias.verbosity"
"""Where the number of ``-v`` is kept, for the group and its commands together."""

PACKAGES = ("torch", "pddl", "pyperplan", "tarski")
"""Those whose versions matter to what a command does."""


class LazyGroup(click.Group):
    """A group that imports a subcommand only when it is needed, so that the start is fast."""

    modules: ClassVar[Mapping[str, str]] = {name: f"dias_cli.commands.{name}" for name in COMMANDS}
    """Subcommand to the module that has it as `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the subcommands."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, or None if there is none of that name."""
        if cmd_name not in self.modules:
            return None
        from dias_cli.common import NearChoice

        command: click.Command = import_module(self.modules[cmd_name]).command
        for parameter in command.params:
            if type(parameter.type) is click.Choice:
                parameter.type = NearChoice(parameter.type.choices)
            elif isinstance(parameter.type, click.IntRange):
                parameter.type.name = "integer"  # in messages and help; click: "integer range"
            elif isinstance(parameter.type, click.FloatRange):
                parameter.type.name = "number"
            if isinstance(parameter, click.Option) and parameter.show_default is None:
                default = parameter.to_info_dict()["default"]  # None where none is given
                parameter.show_default = default is not None and not parameter.is_flag
        if verbose_option not in command.params:
            command.params.append(verbose_option)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand; an unknown name is an error that says what may have been meant.

        So is an empty word: nothing can be meant by it, and as a path it is the current folder.
        """
        name = args[0]
        if name not in self.modules and name[:1] != "-" and not ctx.resilient_parsing:
            ctx.fail(f"No such command {name!r}. {did_you_mean(name, self.modules)}".rstrip())
        empty = _before_empty(args)
        if empty and not ctx.resilient_parsing:
            ctx.fail(f"Expected a value after {empty}, found an empty one. Is a variable unset?")
        return super().resolve_command(ctx, args)


def _before_empty(words: Sequence[str]) -> str | None:
    """The word or option that an empty word follows, if one does: ``-o ""``, ``--gt=``."""
    for before, word in pairwise(words):
        if not word:
            return before
        if word.startswith("--") and word.endswith("="):
            return word.removesuffix("=")
    return None


def _show_versions(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    """Print the versions that are installed; nothing is imported for it."""
    if not is_asked or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    found = [f"Python {'.'.join(map(str, sys.version_info[:3]))}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} missing")
    click.echo(f"dias, version {__version__}\n{', '.join(found)}")
    ctx.exit()


def _set_verbosity(ctx: click.Context, _: click.Parameter, count: int) -> None:
    """Send the logs to standard error; ``-v`` counts before the command's name and after it."""
    ctx.meta[VERBOSITY] = ctx.meta.get(VERBOSITY, 0) + count
    verbosity = ctx.meta[VERBOSITY]
    level = {0: logging.WARNING, 1: logging.INFO}.get(verbosity, logging.DEBUG)
    handler = logging.StreamHandler()
    handler.setLevel(level)
    handler.setFormatter(_Message(is_timed=verbosity > 1))
    handler.addFilter(_Once())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        # pyperplan debugs with a line for every node.
        logger.setLevel(logging.INFO if name == "pyperplan" else logging.DEBUG)
        logger.propagate = False


verbose_option = click.Option(
    ["-v", "--verbose"],
    count=True,
    show_default=False,
    expose_value=False,
    callback=_set_verbosity,
    help="Log what is done; -vv: in more detail, with the time.",
)


@click.group(
    cls=LazyGroup, params=[verbose_option], context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_versions,
    help="Show the versions of dias and of what it builds on, and exit.",
)
def dias() -> None:
    """Learn planning domains from what was seen happening.

    From transitions (state, action name, next state) whose action arguments nobody recorded to
    a PDDL domain: sample or bring traces, learn, evaluate, plan.
    """


class _Message(logging.Formatter):
    """`warning: …` for warnings; the bare message for what -v asks for, -vv with time and place."""

    def __init__(self, is_timed: bool) -> None:
        super().__init__()
        self._is_timed = is_timed

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if record.levelno > logging.INFO:
            text = f"{record.levelname.lower()}: {text}"
        if self._is_timed:
            text = f"{record.relativeCreated / 1000:7.3f} s {record.name}: {text}"
        return text


class _Once(logging.Filter):
    """Lets each message pass once: a file that is both LEARNED and --gt is read twice."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        is_new = record.getMessage() not in self._seen
        self._seen.add(record.getMessage())
        return is_new


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    _open_standard_streams()
    try:
        status = dias.main(arguments, prog_name="dias", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except DiasError as error:
        click.echo(f"error: {error}", err=True)
        status = 1
    except OutOfTimeError:
        click.echo(
            "error: the time limit ended before there was anything to show. Allow more time "
            "(--time-limit)",
            err=True,
        )
        status = 1
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        status = 130
    except MemoryError:
        click.echo("error: out of memory. Give it fewer states, transitions or objects", err=True)
        status = 1
    except SystemExit:  # click's, when the reader of our output went away (`dias plan … | head`)
        status = 0
    except OSError as error:  # of standard output or a temporary file; others are DiasErrors
        place = error.filename or "standard output"
        click.echo(f"error: {place}: {error.strerror}. Is there space left, and access?", err=True)
        if not error.filename:  # Python would complain once more when it flushes at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status or 0)


def _open_standard_streams() -> None:
    """Replace those that the caller has closed (`dias … >&-`), so that nothing trips over it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115 (till the end)
            setattr(sys, name, stream)
