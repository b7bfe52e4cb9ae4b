"""Chapter 10.5 in a battle file: a division that had one way only is played again as recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.files import log
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import read_record
from emlia3d.rules.emlia import SYSTEM

FOE: dict[str, Any] = {"name": "foe", "side": "Bob", "members": 4, "at": (60, 180)}
THREE: dict[str, Any] = {
    "name": "bandits", "members": 3, "files": 2, "formation": "close", "at": (60, 40),
    "skills": {"leadership": "12"},
}  # fmt: skip
WALL: dict[str, Any] = {"kind": "wall", "box": (58, 38.75, 59.2, 39.75), "height": 4}
"""Bars the left file to the one in the rear rank: only the line between the ranks is left."""


class Splitter:
    """Splits what it can; once one has parted from the two others it is done."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        for verb in ("split-unit", "divide", "done"):
            if offered := decision.of(verb):
                return offered[0]
        return decision.options[0]


def play(battle: Battle, written: BattleLog) -> str:
    for _ in battle.run([Splitter(), Splitter()], written):
        pass
    assert battle.result is not None
    written.finish(battle.result)
    written.close()
    return battle.digest.hexdigest()


@pytest.mark.rule("emlia.lead.split")
@pytest.mark.parametrize("asked", [True, False], ids=["asked", "not asked"])
def test_a_record_of_the_only_division_there_was_is_played_on(field_of_battle, tmp_path, asked):
    setup = field_of_battle(THREE, FOE, terrain=[WALL], turn=0, turns=1).setup
    battle = Battle(setup, SYSTEM, 1)
    whole = tmp_path / "whole.jsonl"
    digest = play(battle, BattleLog.begin(whole, {"seed": 1}, battle))
    lines = whole.read_text("utf-8").splitlines(keepends=True)
    bodies = [json.loads(line) for line in lines]
    (at,) = [row for row, body in enumerate(bodies) if body.get("order") == "divide"]
    assert bodies[at + 1]["event"] == "split"
    # Programs that knew divisions between ranks and files only did not ask where there was one.
    kept = [line for row, line in enumerate(lines[: at + 2]) if asked or row != at]
    broken = tmp_path / "broken.jsonl"
    broken.write_text("".join(kept), "utf-8")

    fresh = Battle(setup, SYSTEM, 1)
    again = play(fresh, log.resume(read_record(broken), fresh))

    assert again == digest
    assert broken.read_text("utf-8").startswith("".join(kept))
