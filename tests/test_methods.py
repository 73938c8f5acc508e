"""Methods: those of this package, and proposers of one's own."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import dias
from dias import methods
from dias.config import LearningConfig
from dias.errors import ProposerError
from dias.learning.data.transitions import Examples
from dias.learning.propose.single_steps import whole
from dias.learning.schema import Effects, LiftedAtom
from dias.methods import METHODS, method_named, own_methods, register
from dias.traces.record import LabelMode, Traces
from tests.cli.helpers import call, garden
from tests.cli.helpers import dias as process
from tests.garden import GARDEN, PLOT

PAGE = Path(__file__).parents[1] / "docs" / "adding_a_method.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def own(monkeypatch) -> Iterator[None]:
    """What a test registers goes with it."""
    monkeypatch.setattr(methods, "_own", {})
    yield


def walks(labels: LabelMode = LabelMode.NAMES) -> Traces:
    return dias.sample(GARDEN, [PLOT], seed=1, labels=labels)


def test_the_methods_of_this_package():
    assert METHODS == ("hybrid", "symbolic", "neural")
    assert [method_named(name).lifts_steps for name in METHODS] == [True, True, False]
    assert [method_named(name).trains for name in METHODS] == [True, False, True]
    assert [method_named(name).asks_network for name in METHODS] == [True, False, False]
    assert [method_named(name).is_network_alone for name in METHODS] == [False, False, True]
    assert own_methods() == []


def test_no_other_file_compares_their_names():
    pattern = re.compile(rf'(==|!=|\bin\b)\s*\(?"({"|".join(METHODS)})"')
    root = Path(methods.__file__).parents[1]
    files = [p for folder in ("dias", "cli", "benchmarks") for p in (root / folder).rglob("*.py")]
    found = [path.name for path in files if pattern.search(path.read_text("utf-8"))]
    assert len(files) > 200
    assert found == []


def test_a_proposer_is_asked_once_for_each_action():
    asked = []

    def propose(examples: Examples) -> Effects | None:
        asked.append(examples.action)
        return whole(examples)

    register("mine", propose)
    assert own_methods() == ["mine"]
    mine = dias.learn(walks(), LearningConfig(method="mine"))
    assert asked == sorted(action.name for action in GARDEN.actions)
    assert mine.method == "mine"
    assert mine.domain == dias.learn(walks(), LearningConfig(method="symbolic")).domain
    assert {e.support.origin.source for e in mine.evidence if e.support} == {"mine"}


def test_what_is_not_proposed_has_no_effects():
    register("silent", lambda examples: None)
    result = dias.learn(walks(), LearningConfig(method="silent"))
    assert not any(action.add_effects for action in result.domain.actions)
    assert result.n_explained == 0


def test_what_it_does_not_explain_is_counted():
    """Of one action nothing is proposed, of another too little."""

    def propose(examples: Examples) -> Effects | None:
        effects = None if examples.action == "sun" else whole(examples)
        return effects._replace(delete=()) if effects and examples.action == "water" else effects

    register("hasty", propose)
    result = dias.learn(walks(), LearningConfig(method="hasty"))
    explained = {e.action: e.n_explained == e.n_transitions for e in result.evidence}
    assert explained == {"sun": False, "turn-off": True, "turn-on": True, "water": False}


def test_with_all_arguments_nobody_is_asked():
    def propose(examples: Examples) -> Effects | None:
        raise AssertionError("asked")

    register("mine", propose)
    result = dias.learn(walks(LabelMode.FULL), LearningConfig(method="mine"))
    assert result.n_explained == result.n_distinct


@pytest.mark.parametrize(
    ("effects", "fault"),
    [
        ("open", "expected Effects or None, found str"),
        (Effects(1, (LiftedAtom("opened", (0,)),), ()), "a relation of the traces, found opened"),
        (Effects(1, (LiftedAtom("pipe", (0,)),), ()), "expected 2 variables for pipe, found 1"),
        (Effects(2, (LiftedAtom("open", (0,)),), ()), "expected the variables 0 to 1"),
        (Effects(1, (LiftedAtom("open", (1,)),), ()), "expected the variables 0 to 0"),
        (Effects(1, (), (LiftedAtom("open", (0,)),), 1), "expected 0 given variables, found 1"),
    ],
)
def test_what_cannot_be(effects, fault):
    register("odd", lambda examples: effects)
    with pytest.raises(ProposerError, match=r"proposer odd, action sun: .*\. ") as caught:
        dias.learn(walks(), LearningConfig(method="odd"))
    assert fault in caught.value.problem


def test_names():
    with pytest.raises(ValueError, match="none of hybrid, symbolic, neural"):
        register("neural", whole)
    register("mine", whole)
    with pytest.raises(ValueError, match="nor empty"):
        register("", lambda examples: None)
    with pytest.raises(ValueError, match="a function of Examples, not 3"):
        register("three", 3)
    with pytest.raises(ValueError, match="method must be one of hybrid, symbolic, neural, mine"):
        LearningConfig(method="yours")
    with pytest.raises(ValueError, match="the mine method has no fallback"):
        LearningConfig(method="mine", without=("fallback",))
    with pytest.raises(ValueError, match="the mine method has no mlp effects"):
        LearningConfig(method="mine", effects="mlp")


def install(folder: Path, value: str = "") -> None:
    """The package of the page, as an installer would leave it; with another function, if given."""
    [code] = [text for language, text in BLOCKS if "def propose" in text]
    (folder / "common_change.py").write_text(code)
    [table] = [text for language, text in BLOCKS if language == "toml"]
    [(group, offered)] = tomllib.loads(table)["project"]["entry-points"].items()
    [(name, function)] = offered.items()
    info = folder / "common_change-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: common-change\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value or function}\n")


def test_the_page_from_python(monkeypatch, capsys):
    monkeypatch.chdir(PAGE.parents[1])
    names: dict[str, object] = {}
    for language, text in BLOCKS:
        if language == "python":
            exec(text, names)
    assert capsys.readouterr().out == "common-change 267 of 267\n"


def test_the_page_on_the_command_line(tmp_path):
    garden(tmp_path)
    install(tmp_path)
    assert call("sample", "domain.pddl", "p.pddl", "-o", "t.jsonl", cwd=tmp_path).status == 0
    [line] = [text for language, text in BLOCKS if language == "text"]
    program, verb, _, *rest = line.split()
    assert (program, verb) == ("dias", "learn")
    path = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    outcome = process(verb, "t.jsonl", *rest, cwd=tmp_path, environment=path)
    assert outcome.status == 0, outcome.err
    assert "method common-change" in (tmp_path / "learned.pddl").read_text()
    assert call("evaluate", "learned.pddl", "--gt", "domain.pddl", cwd=tmp_path).status == 0
    idle = process(verb, "t.jsonl", *rest, "--steps", 5, cwd=tmp_path, environment=path)
    assert idle.status == 2
    assert "--steps would do nothing" in idle.err


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("no_such_module:propose", "cannot be loaded"),
        ("common_change:nothing", "cannot be loaded"),
        ("common_change:__name__", "expected a function at common_change:__name__, found str"),
    ],
)
def test_a_package_that_is_broken(tmp_path, monkeypatch, value, fault):
    install(tmp_path, value)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ProposerError, match=fault):
        method_named("common-change")


def test_a_method_that_is_none(tmp_path):
    garden(tmp_path)
    call("sample", "domain.pddl", "p.pddl", "-o", "t.jsonl", cwd=tmp_path)
    status, out, err = call("learn", "t.jsonl", "--method", "mine", cwd=tmp_path)
    assert (status, out) == (2, "")
    assert "'mine' is not one of 'hybrid', 'symbolic', 'neural'" in err
