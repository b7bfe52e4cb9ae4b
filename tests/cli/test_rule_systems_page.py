"""The rule system of the documentation can be installed, passes the checks, and is played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from emlia3d.rulekit.testing import check_system
from emlia3d.scenario import load
from emlia3d.scenario.systems import InstalledSystems

PAGE = Path(__file__).parents[2] / "docs" / "rule-systems.md"

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
    (code,) = (block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
               if "class Pebbles" in block)  # fmt: skip
    (tmp_path / "pebbles_of_the_page.py").write_text(code)
    info = tmp_path / "pebbles-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[emlia3d.rules]\npebbles = pebbles_of_the_page:SYSTEM\n"
    )
    (tmp_path / "yard.toml").write_text(
        'format = 1\nrules = "pebbles"\ntitle = "Yard"\n[entry.children]\nmembers = 3\n'
    )
    (tmp_path / "battle.toml").write_text(SCENARIO)
    monkeypatch.syspath_prepend(str(tmp_path))
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
