"""The rule system of the documentation passes the checks, and is played and led by plan."""

from __future__ import annotations

import importlib
import io
import json
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rulekit.testing import check_system
from emlia3d.scenario import load
from emlia3d.scenario.shelves import scenario_file, unit_set_file
from emlia3d.scenario.systems import InstalledSystems
from tests.cli.pebbles import install

SCENARIO = """\
format = 1
rules = "pebbles"
title = "Pebbles"
turns = 4

[field]
size = [60, 40]
metres_per_gsu = 1.0

[[side]]
name = "Alice"
[[side]]
name = "Bob"

[[unit]]
name = "slingers"
side = "Alice"
type = "yard/children"
at = [20, 20]
facing = 90

[[unit]]
name = "throwers"
side = "Bob"
type = "yard/children"
at = [40, 20]
facing = 270
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the system as an installed package, and a scenario of it."""
    install(tmp_path, "system", monkeypatch)
    (tmp_path / "battle.toml").write_text(SCENARIO)
    return tmp_path


def test_the_rule_system_of_the_page_passes_the_checks(folder: Path) -> None:
    scenario = load(folder / "battle.toml", systems=InstalledSystems())

    check_system(lambda: scenario.battle(seed=1))


def test_a_battle_of_the_rule_system_of_the_page_is_played_told_and_reported(
    folder: Path, run
) -> None:
    played = run(["battle", folder / "battle.toml", "--headless", "--seed", "1"])
    reported = run(["report", folder / "battle.toml", "--seed", "1"])

    assert (played.status, played.err) == (0, "")
    assert (reported.status, reported.err) == (0, "")
    assert "Turn 1" in reported.out
    assert "The slingers throw a pebble at the throwers." in reported.out


UNIT = """
[[unit]]
name = "{side} {number}"
side = "{side}"
section = "{section}"
type = "yard/children"
at = [{x}, {y}]
facing = {facing}
"""


@pytest.fixture
def led(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the led system, and a scenario of eight units a side, none beside another."""
    install(tmp_path, "led", monkeypatch)
    head, _, _ = SCENARIO.partition("[[unit]]")
    head = head.replace("[60, 40]", "[200, 140]").replace("turns = 4", "turns = 12")
    head = head.replace('name = "Bob"', 'name = "Bob"\nlines = "north"')
    units = (
        UNIT.format(side=side, number=number, section=("Slingers", "Throwers")[number // 4],
                    x=40 + 16 * number, y=y + 5 * (number % 3), facing=facing)
        for number in range(8)
        for side, y, facing in (("Alice", 25, 0), ("Bob", 105, 180))
    )  # fmt: skip
    (tmp_path / "battle.toml").write_text(head + "".join(units))
    return tmp_path


def test_the_led_system_of_the_page_passes_the_checks(led: Path) -> None:
    scenario = load(led / "battle.toml", systems=InstalledSystems())

    def begin() -> Battle:
        return scenario.battle(seed=1, turns=5)

    check_system(begin, lambda: begin().commanders(), most=10)


def test_the_commander_of_the_page_keeps_a_line_and_wins(led: Path) -> None:
    scenario = load(led / "battle.toml", systems=InstalledSystems())
    scenario = scenario.with_commanders({"Bob": "random"})
    won = []
    for seed in range(3):
        battle = scenario.battle(seed=seed)
        norths = dict[int, list[float]]()
        for event in battle.run():
            if event.gesture == "turn":
                units = [row for row in range(0, 16, 2) if battle.state.units.value("present", row)]
                norths[battle.state.turn] = [float(battle.state.units.value("y", u)) for u in units]
        bob, alice = (
            sum(battle.state.units.ints("members")[first::2].tolist()) for first in (1, 0)
        )
        won.append(alice > bob)

        assert max(norths[1]) - min(norths[1]) == 10
        assert max(norths[5]) - min(norths[5]) < 2, "the line is straight"
        assert min(norths[5]) > max(norths[1]), "and has gone forward"

    assert won == [True, True, True]


def test_the_plans_of_the_page_are_told_and_reported(led: Path, run) -> None:
    played = run(["battle", led / "battle.toml", "--headless", "--seed", "1",
                  "--commander", "Alice=doctrine:bold"])  # fmt: skip
    reported = run(["report", led / "battle.toml", "--seed", "1"])

    assert (played.status, played.err) == (0, "")
    assert (reported.status, reported.err) == (0, "")
    assert "Alice plans to attack the enemy: the Slingers attack" in reported.out


def test_a_player_leads_a_side_of_the_page_by_missions(
    led: Path, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = "mission slingers withdraw\n1\nrest\n" + "1\nrest\n" * 11
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))

    played = run(["play", "--text", led / "battle.toml", "--side", "Alice"])

    assert "Alice gives a mission. Slingers: withdraw" in played.out
    assert "accept this plan: the Slingers withdraw; the Throwers attack" in played.out
    assert "Alice 7 walks" in played.out


def write_version(folder: Path, version: str) -> None:
    """Say in the metadata that the package has another version."""
    importlib.invalidate_caches()
    metadata = folder / "pebbles-1.0.dist-info" / "METADATA"
    metadata.write_text(f"Metadata-Version: 2.1\nName: pebbles\nVersion: {version}\n")


def test_a_battle_file_names_the_package_of_its_rules(folder: Path, run) -> None:
    saved = folder / "saved.jsonl"
    begun = run(["battle", folder / "battle.toml", "--headless", "--seed", "1", "--save", saved])
    lines = saved.read_text("utf-8").splitlines(keepends=True)
    saved.write_text("".join(lines[:-1]), "utf-8")

    same = run(["battle", "--headless", "--resume", saved])
    saved.write_text("".join(lines[:-1]), "utf-8")
    write_version(folder, "1.1")
    other = run(["battle", "--headless", "--resume", saved])

    assert (begun.status, begun.err) == (0, "")
    assert json.loads(lines[0])["package"] == {"name": "pebbles", "version": "1.0"}
    assert (same.status, same.err) == (0, "")
    assert other.status == 0
    assert other.err == (
        f"{saved}: the battle was begun with pebbles 1.0, and continues with pebbles 1.1\n"
    )


def test_a_battle_file_of_rules_that_are_not_installed_names_their_package(
    folder: Path, run
) -> None:
    saved = folder / "saved.jsonl"
    run(["battle", folder / "battle.toml", "--headless", "--seed", "1", "--save", saved])
    shutil.rmtree(folder / "pebbles-1.0.dist-info")
    importlib.invalidate_caches()

    found = run(["battle", "--headless", "--resume", saved])

    assert found.status == 2
    assert found.err == (
        f"{saved}:1: the rule system 'pebbles' is not installed; the battle was begun with the "
        "package pebbles 1.0\n"
    )


def test_the_doctor_names_the_package_of_each_system(folder: Path, run) -> None:
    lines = run(["doctor"]).out.splitlines()

    assert "rules     emlia: Emlia" in lines
    assert "rules     pebbles: Pebbles (package pebbles 1.0)" in lines


def test_own_rules_have_no_package_in_a_battle_file() -> None:
    assert "package" not in load("bandits").header(1)


@pytest.fixture
def shelved(folder: Path) -> Path:
    """The folder, whose package has a unit set and two scenarios, one named as one of ours."""
    points = folder / "pebbles-1.0.dist-info" / "entry_points.txt"
    points.write_text(
        f"{points.read_text()}\n[emlia3d.armies]\npebbles = pebbles.sets\n"
        "[emlia3d.maps]\npebbles = pebbles.fields\nlost = pebbles.nowhere\n"
    )
    for name in ("sets", "fields"):
        (folder / "pebbles" / name).mkdir()
    (folder / "yard.toml").rename(folder / "pebbles" / "sets" / "yard.toml")
    scenario = folder / "battle.toml"
    (folder / "pebbles" / "fields" / "courtyard.toml").write_text(scenario.read_text())
    scenario.rename(folder / "pebbles" / "fields" / "bandits.toml")
    importlib.invalidate_caches()
    return folder


def test_a_package_has_unit_sets_and_scenarios(
    shelved: Path, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shelved)
    saved = shelved / "saved.jsonl"

    listed = run(["scenarios"])
    played = run(["battle", "courtyard", "--headless", "--seed", "1", "--save", saved])
    resumed = run(["report", saved])
    unknown = run(["check", "courtyerd"])

    rows = listed.out.splitlines()
    assert any(
        name.startswith("courtyard ") and "pebbles, " in sizes for name, sizes in pairwise(rows)
    )
    assert (played.status, played.err) == (0, "")
    assert (resumed.status, resumed.err) == (0, "")
    assert "did you mean courtyard?" in unknown.out + unknown.err


def test_our_own_scenarios_go_before_those_of_packages(shelved: Path) -> None:
    assert load("bandits").setup.rules == "emlia"
    assert load("courtyard").setup.rules == "pebbles"


@pytest.mark.parametrize("name", ["../maps/bandits", "", "x" * 300])
def test_a_name_of_no_scenario_finds_no_file(shelved: Path, name: str) -> None:
    assert scenario_file(name) is None
    assert unit_set_file(name) is None


@pytest.mark.parametrize("rules", [None, [], {"a": 1}, "no such rules"])
def test_a_header_with_other_rules_than_its_scenario_is_no_crash(
    folder: Path, run, rules: object
) -> None:
    saved = folder / "saved.jsonl"
    run(["battle", folder / "battle.toml", "--headless", "--seed", "1", "--save", saved])
    first, rest = saved.read_text("utf-8").split("\n", 1)
    header = json.loads(first) | {"rules": rules}
    saved.write_text(f"{json.dumps(header)}\n{rest}", "utf-8")

    found = run(["battle", "--headless", "--resume", saved])

    assert found.status == 2
    assert found.err.count("\n") == 1
    assert "is not installed" in found.err
