"""Files to open at the window: which there are, and what comes of each."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from emlia3d.cli.game_file import begun
from emlia3d.cli.opening import library_of
from emlia3d.errors import Error
from emlia3d.scenario import load
from emlia3d.scenario.shelves import MAPS
from emlia3d.view.window.unit_history import Recorded


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where someone keeps a scenario, a game of it, a torn one, and other things."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(MAPS / "bandits.toml", tmp_path / "mine.toml")
    begun(load("mine.toml"), tmp_path / "game.battle.jsonl", 5, 2)
    (tmp_path / "torn.battle.jsonl").write_bytes(b'{"emlia3d":1,"scen\xff')
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "something"\n', "utf-8")
    (tmp_path / "odd.toml").write_text('title = "odd\n[[unit]]\n', "utf-8")
    return tmp_path


def test_battles_come_first_then_scenarios_and_nothing_else(folder: Path) -> None:
    found = library_of(None).look()

    assert [(one.name, one.what) for one in found] == [
        ("game.battle.jsonl", "Bandits behind the rock, seed 5"),
        ("torn.battle.jsonl", "not a readable battle"),
        ("mine.toml", "Bandits behind the rock"),
        ("odd.toml", "not a readable scenario"),
    ]


@pytest.mark.parametrize("junk", ["x = " + "[" * 20_000, "[[unit]]\nx = " + "9" * 5_000])
def test_a_file_that_no_reader_gets_through_keeps_nobody_from_the_others(
    folder: Path, junk: str
) -> None:
    (folder / "junk.toml").write_text(f"{junk}\n[[unit]]\n", "utf-8")
    (folder / "junk.battle.jsonl").write_text("[" * 200_000, "utf-8")

    found = {one.name: one.what for one in library_of(None).look()}

    assert found["mine.toml"] == "Bandits behind the rock"
    assert found["junk.toml"] == "not a readable scenario"
    assert found["junk.battle.jsonl"] == "not a readable battle"


@pytest.mark.skipif(os.name != "posix", reason="a pipe has a name here")
def test_nothing_is_waited_for_from_a_pipe(folder: Path) -> None:
    pipe = folder / "pipe.battle.jsonl"
    os.mkfifo(pipe)
    both_ends = os.open(pipe, os.O_RDWR)
    os.write(both_ends, b'{"scenario": "title = 7\\n[[unit]]", "seed": 1}\n')

    found = library_of(None).look()

    os.close(both_ends)
    assert {one.name: one.what for one in found}[pipe.name] == "not a readable battle"


def test_what_lies_beside_the_file_that_is_shown_comes_after(folder: Path) -> None:
    away = folder / "away"
    away.mkdir()
    shutil.copy(MAPS / "duel.toml", away / "duel.toml")

    names = [one.name for one in library_of(Path("away/duel.toml")).look()]

    assert names == ["game.battle.jsonl", "torn.battle.jsonl", "mine.toml", "odd.toml",
                     "away/duel.toml"]  # fmt: skip


def test_beside_a_scenario_that_ships_are_the_others_that_ship(folder: Path) -> None:
    whats = {one.what for one in library_of(Path("duel")).look()}

    assert {"The ridge at Aldersyke", "Storm the castle"} <= whats


def test_a_battle_file_is_opened_with_its_record_and_may_be_taken_over(folder: Path) -> None:
    opened = library_of(None).take(Path("game.battle.jsonl"))

    assert opened.setup.title == "Bandits behind the rock"
    assert opened.record == Recorded(Path("game.battle.jsonl"))
    assert opened.take_over is not None
    game_thread = opened.take_over(0, 1)
    assert game_thread.game.path == Path("game-2.battle.jsonl")
    game_thread.game.close()


def test_a_scenario_is_opened_with_its_armies_ready(folder: Path) -> None:
    opened = library_of(None).take(Path("mine.toml"))

    assert opened.record is None
    assert len(tuple(opened.events)) == 1


@pytest.mark.parametrize("name", ["torn.battle.jsonl", "odd.toml", "gone.toml"])
def test_a_bad_file_is_an_error_that_names_it(name: str, folder: Path) -> None:
    with pytest.raises(Error, match=name):
        library_of(None).take(Path(name))
