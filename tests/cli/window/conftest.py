"""Someone sits down to a battle in a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from emlia3d.cli.game_file import begun
from emlia3d.cli.playing import sat_down
from emlia3d.scenario import load
from emlia3d.view.rules import Rules
from tests.cli.window.table import SIZE, Sit, Table
from tests.view.panda.window_driver import opened


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Sit down to a scenario in a window."""
    tables: list[Table] = []

    def sit_down(name: str, *people: int, turns: int = 2, fog: bool = True) -> Table:
        file = tmp_path / f"{name}.battle.jsonl"
        battle = load(name).battle(3, turns)
        if not file.exists():
            begun(load(name), file, 3, turns)
        known, game_thread = sat_down(file, battle, people, fog=fog)
        stage = battle.setup, battle.state, known
        try:
            app = opened(*stage, rules=Rules(battle), game_thread=game_thread, size=SIZE)
        except BaseException:  # also where the test is left out
            game_thread.leave()
            raise
        tables.append(Table(app, game_thread))
        app.viewer.playback.playing = True
        return tables[-1]

    yield sit_down
    for table in tables:
        table.app.close()


@pytest.fixture
def table(sit: Sit) -> Table:
    """Someone plays the archers, and is asked what they do."""
    table = sit("bandits", 0)
    table.wait()
    return table
