"""The package of the page about adding a rule system is installed afresh and played."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.environments import OFFLINE, Environment, create
from tests.cli.pebbles import files_of_steps, write_project

MOST_LINES = 300


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment into which pip has installed the files of the page.

    The packages of this interpreter are within its reach; nothing comes from the network.
    """
    home, project = tmp_path_factory.mktemp("fresh"), tmp_path_factory.mktemp("project")
    write_project(project)
    found = create(home, project, editable=True)
    found.run("pip", "install", "--quiet", "--no-cache-dir", *OFFLINE, ".")
    return Environment(found.python, tmp_path_factory.mktemp("yard"))


def test_the_rule_system_has_under_three_hundred_lines() -> None:
    lines = [
        line
        for name, text in files_of_steps().items()
        if name.startswith("pebbles/") and name.endswith(".py")
        for line in text.splitlines()
    ]

    assert 100 < len(lines) < MOST_LINES
    assert max(map(len, lines)) <= 100


@pytest.mark.long
def test_the_package_is_not_this_checkout_s(fresh: Environment) -> None:
    told = fresh.run("pip", "show", "--files", "pebbles")

    assert "Version: 1.0" in told
    assert f"Location: {fresh.python.parents[1]}" in told
    for name in files_of_steps():
        if name.startswith("pebbles/"):
            assert f"  {Path(name)}\n" in f"{told}\n"


@pytest.mark.long
def test_its_scenario_is_checked_listed_and_counted(fresh: Environment) -> None:
    listing = files_of_steps()["pebbles/slugs/pebbles.txt"]
    slugs = [line for line in listing.splitlines() if line and not line[0].isspace()]
    untested = files_of_steps()["pebbles/untested/pebbles.txt"].split()

    listed = fresh.run("emlia3d", "scenarios").splitlines()
    rows = [line.split() for line in fresh.run("emlia3d", "rules").splitlines()]
    counts = json.loads(fresh.run("emlia3d", "rules", "pebbles", "--json"))["pebbles"]

    assert fresh.run("emlia3d", "check", "courtyard") == "courtyard: OK\n"
    assert any(
        name.startswith("courtyard ") and "pebbles, " in sizes for name, sizes in pairwise(listed)
    )
    assert list(counts.values()) == [len(slugs), len(slugs), len(slugs) - len(untested)]
    assert rows[-1] == ["pebbles", *map(str, counts.values())]
    assert fresh.run("emlia3d", "rules", "pebbles", "--untested").split() == untested


def test_the_doctor_knows_its_package(fresh: Environment) -> None:
    told = fresh.run("emlia3d", "doctor").splitlines()

    assert "rules     pebbles: Pebbles (package pebbles 1.0)" in told


def test_a_battle_is_played_saved_and_resumed(fresh: Environment) -> None:
    saved = fresh.folder / "yard.jsonl"
    battle = ["emlia3d", "battle", "--headless"]

    whole = fresh.run(*battle, "courtyard", "--seed", "1", "--save", saved)
    lines = saved.read_text("utf-8").splitlines(keepends=True)
    saved.write_text("".join(lines[: len(lines) // 2]), "utf-8")
    resumed = fresh.run(*battle, "--resume", saved)

    assert json.loads(lines[0])["package"] == {"name": "pebbles", "version": "1.0"}
    assert whole.splitlines()[-1] == resumed.splitlines()[-1]
    assert saved.read_text("utf-8") == "".join(lines)
    assert "throws a pebble at the throwers" in fresh.run("emlia3d", "report", saved)


def test_the_tree_hides_a_unit(fresh: Environment) -> None:
    told = fresh.run("emlia3d", "sight", "courtyard", "slingers", "throwers")

    assert "1 stopped by old lime" in told


@pytest.mark.long
def test_its_own_tests_pass(fresh: Environment) -> None:
    write_project(fresh.folder / "copy")

    told = fresh.run("pytest", "-q", "-p", "no:cacheprovider", "copy/tests")

    assert "6 passed" in told
