"""The command that writes benchmark problems."""

import inspect
import re
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner

from benchmarks.generate import DOMAINS, main, problem_text, write, write_all
from benchmarks.generators import BENCHMARKS

each_domain = pytest.mark.parametrize("domain", sorted(BENCHMARKS))


def test_all_rewrites_the_same_bytes(tmp_path: Path):
    for domain in BENCHMARKS:
        (tmp_path / domain).mkdir()
    for path in write_all(tmp_path):
        assert path.read_bytes() == (DOMAINS / path.relative_to(tmp_path)).read_bytes(), path


@each_domain
def test_the_first_line_is_the_command_that_writes_the_file(domain: str, tmp_path: Path):
    kept = DOMAINS / domain / "p02.pddl"
    command = kept.read_text().splitlines()[0].removeprefix("; python -m benchmarks.generate ")
    on_screen = CliRunner().invoke(main, command.split())
    to_file = CliRunner().invoke(main, [*command.split(), "-o", str(tmp_path / "p.pddl")])
    assert on_screen.exit_code == to_file.exit_code == 0
    assert on_screen.stdout == kept.read_text()
    assert to_file.stdout == ""
    assert (tmp_path / "p.pddl").read_bytes() == kept.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["p.pddl"]


def test_seeds_matter():
    sizes = {"floors": 9, "persons": 9}
    assert problem_text("miconic", sizes, 1) == problem_text("miconic", sizes, 1)
    first, second = (problem_text("miconic", sizes, seed).splitlines()[3:] for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("blocks-3 --blocks 1", "blocks must be at least 2, found 1"),
        ("n-puzzle --size 1", "size must be at least 2, found 1"),
        ("delivery --size 3 --packages 0 --trucks 1", "packages must be at least 1, found 0"),
        (
            "driverlog --drivers 1 --trucks 1 --packages 1 --places 4 --links 2 --paths 4",
            "4 places are connected by 3 to 6 links, found 2",
        ),
        (
            "driverlog --drivers 1 --trucks 1 --packages 1 --places 4 --links 3 --paths 7",
            "4 places are connected by 3 to 6 paths, found 7",
        ),
        ("gripper --balls 1 --rooms 1", "rooms must be at least 2, found 1"),
        ("hanoi --discs 0", "discs must be at least 1, found 0"),
        ("hanoi --discs 3 --pegs 2", "pegs must be at least 3, found 2"),
        (
            "logistics --cities 3 --locations 1 --packages 1 --airplanes 1 --trucks 2",
            "3 cities need a truck each, found 2 trucks",
        ),
        (
            "logistics --cities 1 --locations 1 --packages 1 --airplanes 1 --trucks 1",
            "locations must be at least 2, found 1",
        ),
        ("miconic --floors 1 --persons -3", "floors must be at least 2, found 1"),
        (
            "satellite --satellites 3 --instruments 2 --modes 1 --directions 2",
            "instruments must be at least 3, found 2",
        ),
        ("sokoban --size 2 --boxes 1", "size must be at least 3, found 2"),
        ("sokoban-pull --size 4 --boxes 3", "size 4 has room for 1 to 2 boxes, found 3"),
        (
            "spanner --spanners 2 --nuts 3 --locations 1",
            "3 nuts need a spanner each, found 2 spanners",
        ),
        ("visitall --size 1", "size must be at least 2, found 1"),
        ("bar --glasses 1 --shakers 1 --taps 1", "taps must be at least 2, found 1"),
        ("double-parking --cars 5 --bays 3", "3 bays have room for 4 cars, found 5"),
        ("floor-painting --size 2 --robots 4 --colours 1", "size 2 has room for 3 robots, found 4"),
        ("lift-doors --lifts 0 --floors 3 --persons 1", "lifts must be at least 1, found 0"),
        (
            "print-queue --printers 3 --trays 2 --formats 2 --jobs 1",
            "trays must be at least 3, found 2",
        ),
        (
            "climbing-team --guides 1 --novices 1 --anchors 1 --ledges 2",
            "ledges must be at least 3, found 2",
        ),
        (
            "library --readers 2 --copies 3 --references 4 --titles 2 --limit 1",
            "there are 3 copies, found 4 references",
        ),
        ("peaks-patience --peaks 1 --rows 1 --reserve 1", "rows must be at least 2, found 1"),
        (
            "rail-yard --trains 1 --switches 2 --sections 4",
            "2 switches join at least 5 sections, found 4",
        ),
        (
            "rail-yard --trains 5 --switches 2 --sections 5",
            "5 sections have room for 4 trains, found 5",
        ),
        (
            "water-mains --tanks 3 --valves 4 --springs 1",
            "3 places are connected by 2 to 3 valves, found 4",
        ),
        ("water-mains --tanks 2 --valves 1 --springs 2", "2 tanks hold 1 to 1 springs, found 2"),
    ],
)
def test_bad_sizes_are_one_line(command: str, message: str, tmp_path: Path):
    output = tmp_path / "p.pddl"
    result = CliRunner().invoke(main, [*command.split(), "-o", str(output)])
    assert result.exit_code == 1
    assert result.stderr == f"Error: {command.split()[0]}: {message}\n"
    assert not output.exists()


def test_output_that_cannot_be_written(tmp_path: Path):
    output = tmp_path / "missing" / "p.pddl"
    result = CliRunner().invoke(main, ["hanoi", "--discs", "3", "-o", str(output)])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {output}: the folder {output.parent} does not exist")


def test_a_failed_write_leaves_what_was_there(tmp_path: Path):
    output = tmp_path / "p.pddl"
    output.mkdir()
    result = CliRunner().invoke(main, ["hanoi", "--discs", "3", "-o", str(output)])
    assert result.exit_code != 0
    with pytest.raises(ClickException, match="found a folder"):
        write(output, "text")
    with pytest.raises(ClickException, match="cannot be written"):
        write(tmp_path / "q.pddl", "\ud800")  # a lone surrogate is no text
    assert [path.name for path in tmp_path.iterdir()] == ["p.pddl"]


@pytest.mark.parametrize("command", [[], ["--all", "hanoi", "--discs", "3"], ["hanoi"]])
def test_wrong_usage(command: list[str]):
    assert CliRunner().invoke(main, command).exit_code == 2


@each_domain
def test_help_lists_every_size(domain: str):
    signature = inspect.signature(BENCHMARKS[domain].module.generate)
    sizes = [p.name for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    result = CliRunner().invoke(main, [domain, "--help"])
    assert set(BENCHMARKS[domain].sizes[0]) == set(sizes)
    for size in sizes:
        assert re.search(rf"--{size} INTEGER +[A-Z]", result.output), size
