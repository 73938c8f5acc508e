"""docs/cli.md lists every command with every option, their defaults, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from dias_cli.main import COMMANDS, verbose_option
from dias_cli.main import dias as group

TEXT = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
ROW = re.compile(r"^\| ((?:`-[^|]*`(?:, )?)+) \|(?: (.*?) ?\|)? .* \|$", re.MULTILINE)


def own(name: str) -> list[click.Parameter]:
    """The parameters of a command, without those that all have."""
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return [parameter for parameter in command.params if parameter is not verbose_option]


def rows(section: str) -> dict[str, str]:
    """Option to default, as the table of a section gives them."""
    return {
        option: (default or "").strip("` ")
        for options, default in ROW.findall(SECTIONS[section])
        for option in re.findall(r"`(-[^`]+)`", options)
    }


def test_every_command_has_a_section():
    documented = [name.removeprefix("dias ") for name in SECTIONS if name.startswith("dias ")]
    assert sorted(documented) == sorted(COMMANDS)


def test_the_common_options():
    options = {option for parameter in group.params for option in parameter.opts}
    assert set(rows("Common options")) == options | {"-h", "--help"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_with_its_default(name):
    table = rows(f"dias {name}")
    options = [parameter for parameter in own(name) if isinstance(parameter, click.Option)]
    assert set(table) == {
        option for parameter in options for option in parameter.opts + parameter.secondary_opts
    }
    for option in options:
        plain = option.show_default or option.default == "-"
        expected = str(option.default) if plain and not option.is_flag else ""
        assert table[option.opts[0]] == expected, f"dias {name} {option.opts[0]}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_and_every_choice(name):
    section = SECTIONS[f"dias {name}"]
    for parameter in own(name):
        if isinstance(parameter, click.Argument):
            assert f"`{parameter.human_readable_name}`" in section
        if isinstance(parameter.type, click.Choice):
            for choice in parameter.type.choices:
                assert f"`{choice}`" in section, f"dias {name} {parameter.opts[0]}: {choice}"
