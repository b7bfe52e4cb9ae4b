"""The tutorial of own commanders, followed from its first block to its last."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from emlia3d.battle.commanders import Commander
from emlia3d.battle.exchange.channel import Channel
from emlia3d.battle.exchange.outside import OutsideCommander
from emlia3d.scenario import load
from tests.cli.conftest import Run
from tests.cli.own_commanders import PAGE, block, script

pytestmark = pytest.mark.skipif(os.name != "posix", reason="commanders here are shell scripts")

TEXT = PAGE.read_text("utf-8")


def commands() -> list[Any]:
    """Each command line of the page that is run by itself."""
    found = re.findall(r"^```console\n(.*?)^```$", TEXT, re.S | re.M)
    lines = [line.removeprefix("$ ") for part in found for line in part.splitlines()]
    return [
        pytest.param(line, marks=[pytest.mark.slow] if "--times" in line else [])
        for line in lines
        if " report " not in line
    ]


@pytest.fixture
def tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the page has it filled, with its package installed."""
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.delitem(sys.modules, "eager", raising=False)
    (tmp_path / "eager.py").write_text(block("python"), "utf-8")
    script(tmp_path, block("sh"), "eager.sh")
    info = tmp_path / "site" / "eager-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: eager\nVersion: 1.0\n", "utf-8")
    for group, points in tomllib.loads(block("toml"))["project"]["entry-points"].items():
        lines = "".join(f"{name} = {place}\n" for name, place in points.items())
        (info / "entry_points.txt").write_text(f"[{group}]\n{lines}", "utf-8")
    shutil.copy(tmp_path / "eager.py", info.parent)
    monkeypatch.syspath_prepend(str(info.parent))
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize("line", commands())
def test_each_command_of_the_page_runs(
    run: Run, tutorial: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 200))
    _, *words = shlex.split(line)

    ran = run(words)

    assert (ran.status, ran.err) == (0, "")
    if "--save" in words:
        assert "an enemy is in reach" in (tutorial / words[-1]).read_text("utf-8")
        assert run(["report", words[-1]]).status == 0


class Heard:
    """A channel that keeps the messages, and answers with the first option."""

    def __init__(self, battle: dict[str, Any], heard: list[dict[str, Any]]) -> None:
        self.heard = heard
        self.heard.append(battle)

    def ask(self, message: dict[str, Any], limit_s: float) -> Any:
        self.heard.append(message)
        return 0

    def close(self) -> None:
        pass


def rows(heading: str, first: str) -> list[str]:
    """The keys in the first column of a table of the page."""
    part = TEXT.split(f"### {heading}\n", 1)[1].split("\n### ", 1)[0]
    table = next(t for t in part.split("\n\n") if t.lstrip().startswith(f"| {first} |"))
    cells = [line.split("|")[1] for line in table.strip().splitlines()[2:]]
    return [key for cell in cells for key in re.findall(r"`(\w+)`", cell)]


@pytest.mark.parametrize("scenario", ["duel", "kings-road", "shallows"])
def test_the_page_names_each_key_of_each_message(scenario: str) -> None:
    heard: list[dict[str, Any]] = []

    def opened(facts: dict[str, Any]) -> Channel:
        return Heard(facts, heard)

    battle = load(scenario).battle(turns=1)
    usual = battle.commanders()
    led: Sequence[Commander] = [OutsideCommander("x", opened, one, 1.0) for one in usual]
    for _ in battle.run(led):
        pass

    facts = [one for one in heard if one["message"] == "battle"]
    decisions = [one for one in heard if one["message"] == "decision"]
    assert len(facts) == 2
    assert len(decisions) > 5
    for one in facts:
        assert list(one) == rows("The facts of a battle", "key")
    for one in decisions:
        assert list(one) == rows("A decision", "key")
        for unit in one["units"]:
            assert list(unit) == rows("A decision", "key of a unit")
        for option in one["options"]:
            assert list(option)[:2] == ["option", "order"]
            assert list(option)[-1] == "phrase"
    assert json.loads(json.dumps(heard)) == heard


def test_the_example_of_a_message_is_what_is_sent() -> None:
    example = json.loads(block("json"))
    heard: list[dict[str, Any]] = []
    battle = load("duel").battle(turns=1)
    first, *others = battle.commanders()
    for _ in battle.run([OutsideCommander("x", lambda b: Heard(b, heard), first, 1.0), *others]):
        pass

    sent = heard[1]
    sent["units"] = [sent["units"][0], sent["units"][4]]
    sent["options"] = sent["options"][:2]
    assert example == sent
