"""The examples in docstrings: they run, and every public verb has one."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import dias
from tests.test_structure import MODULES, ROOT

WITH_EXAMPLES = [
    name for name, path in MODULES.items() if ">>> " in Path(path).read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module(name, monkeypatch):
    monkeypatch.chdir(ROOT)  # they read the benchmark domains
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("verb", ["learn", "evaluate", "plan", "sample"])
def test_every_verb_has_an_example(verb):
    assert f"dias.{verb}(" in getattr(dias, verb).__doc__
