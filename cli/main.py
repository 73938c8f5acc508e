"""The `dias` command: its subcommands, its messages and its exit status.

0 done · 1 an error the user can mend · 2 wrong usage · 3 no plan · 4 not everything explained ·
130 interrupted.
"""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module

import click

from dias import __version__
from dias.errors import DiasError

LOGGERS = ("dias", "pyperplan")

COMMANDS = ("bench", "demo", "evaluate", "learn", "plan", "sample", "states")
"""Each is the module of that name; it is imported when it is used."""


class LazyGroup(click.Group):
    """A group that imports a subcommand only when it is needed, so that the start is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the subcommands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, or None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"dias_cli.{cmd_name}").command
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dias")
@click.option("-v", "--verbose", is_flag=True, help="Log what is done.")
def dias(verbose: bool) -> None:
    """Learn planning domains from what was seen happening.

    From transitions (state, action name, next state) whose action arguments nobody recorded to
    a PDDL domain: sample or bring traces, learn, evaluate, plan.
    """
    handler = logging.StreamHandler()
    handler.setLevel(logging.INFO if verbose else logging.WARNING)
    handler.setFormatter(_Message())
    handler.addFilter(_Once())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.INFO)
        logger.propagate = False


class _Message(logging.Formatter):
    """`warning: …` for warnings; the bare message for what -v asks for."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        return f"{record.levelname.lower()}: {text}" if record.levelno > logging.INFO else text


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
