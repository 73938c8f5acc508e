"""Which folders hold domains, and which problems are for judging."""

from __future__ import annotations

import pytest

from benchmarks.judging.folders import domain_folders, split_problems
from dias.errors import PDDLInputError


def folder(place, *files):
    place.mkdir(parents=True)
    for name in files:
        (place / f"{name}.pddl").touch()
    return place


@pytest.mark.parametrize(
    ("n_problems", "training", "test"),
    [
        (2, "p01", "p02"),
        (3, "p01 p02", "p03"),
        (4, "p01 p02 p03", "p04"),
        (7, "p01 p02 p03", "p04 p05"),
    ],
)
def test_the_last_problems_are_for_judging(tmp_path, n_problems, training, test):
    names = [f"p{number:02}" for number in range(1, n_problems + 1)]
    domain, *parts = split_problems(folder(tmp_path / "d", "domain", *names, "other"))
    assert domain.name == "domain.pddl"
    assert [[path.stem for path in part] for part in parts] == [training.split(), test.split()]


def test_a_domain_or_a_folder_of_them(tmp_path):
    paths = [folder(tmp_path / name, "domain", "p01", "p02") for name in ("b", "a")]
    folder(tmp_path / "c", "p01")
    assert domain_folders(tmp_path) == paths[::-1]
    assert domain_folders(paths[0]) == [paths[0]]


def test_what_is_missing_is_said(tmp_path):
    with pytest.raises(PDDLInputError, match=r"nowhere: expected domain\.pddl, .*, found none"):
        domain_folders(tmp_path / "nowhere")
    folder(tmp_path / "d", "domain", "p01")
    with pytest.raises(PDDLInputError, match=r"/d: expected p01\.pddl, .*, found 1 of them"):
        domain_folders(tmp_path)
