"""Battle files of games: their names, and games that start or continue in them."""

from __future__ import annotations

from pathlib import Path

from emlia3d.battle.battle import Battle
from emlia3d.battle.files.copying import free_name
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import read_record
from emlia3d.battle.game import branch
from emlia3d.cli.battle_file import is_battle_file
from emlia3d.scenario import Scenario, load
from emlia3d.view.orders.game_thread import GameThread


def fresh(battle: Battle) -> Battle:
    """Return the battle before its first event."""
    return Battle(battle.setup, battle.system, battle.seed)


def taken_over(name: str, battle: Battle, events: int, side: int) -> GameThread:
    """Start a game in a new file, from a battle file or a scenario after *events* events."""
    if is_battle_file(Path(name)):
        file = free_name(Path(name))
        branch(read_record(Path(name)), fresh(battle), events, file)
    else:
        file = free_name(named_after(name))
        begun(load(name), file)
    return GameThread(file, fresh(battle), (side,), before=events, fog=False)


def begun(scenario: Scenario, file: Path, seed: int = 0, turns: int | None = None) -> Battle:
    """Begin a battle file of a scenario; return its battle before the first event."""
    battle = scenario.battle(seed, turns)
    BattleLog.begin(file, scenario.header(seed, turns), battle).close()
    return battle


def named_after(scenario: str) -> Path:
    """Return the default name of a game's battle file."""
    return Path(f"{Path(scenario).stem}.battle.jsonl")
