"""Tables that a rule system declares: ``[game]``, ``game`` of a side, and levels of victory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, Strict
from typing_extensions import override

from emlia3d.battle.entries import Fault
from emlia3d.battle.setup import Setup
from emlia3d.errors import LogError, ScenarioError
from emlia3d.scenario import check, load
from emlia3d.scenario.scenario import from_header
from tests.scenario.conftest import Plain

Write = Callable[..., Path]


class Game(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    victory: str = Field(default="last", description="the name of a victory")
    markers: Annotated[tuple[float, ...], Strict(False)] = Field(
        default=(), description="a list of lengths"
    )


class SideGame(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    bonus: int = Field(default=0, description="a whole number")


class Skirmish(Plain):
    """A system that declares both tables, and no level of victory."""

    name = "emlia"
    title = "Skirmish"
    game_model = Game
    side_game_model = SideGame
    levels = ()

    @override
    def faults(self, setup: Setup) -> Iterable[Fault]:
        assert isinstance(setup.game, Game)
        far = [
            Fault(message=f"markers: expected at most 9, got {far:g}", at=("game", "markers", row))
            for row, far in enumerate(setup.game.markers)
            if far > 9
        ]
        bandits = setup.unit_of("bandits")
        lost = setup.units[bandits].muster.at[1] > 85
        return [*far, *([Fault(message="too far", at=("unit", bandits, "at"))] if lost else [])]


SKIRMISH = {"emlia": Skirmish()}
VICTORY = '[[victory]]\nside = "Alice"\nlevel = "victory"\ncontrols = "hill"\n'
NO_VICTORY = (VICTORY, "")
GAMES = (
    NO_VICTORY,
    ("[field]", '[game]\nvictory = "objectives"\nmarkers = [3, 4.5]\n\n[field]'),
    ('objective = "hill"\n', 'objective = "hill"\ngame = {bonus = 2}\n'),
)


def test_the_models_of_the_system_read_its_tables(write: Write) -> None:
    setup = load(write(*GAMES), SKIRMISH).setup

    assert setup.game == Game(victory="objectives", markers=(3.0, 4.5))
    assert [side.game for side in setup.sides] == [SideGame(bonus=2), SideGame(bonus=0)]


def test_without_the_tables_the_defaults_hold(write: Write) -> None:
    setup = load(write(NO_VICTORY), SKIRMISH).setup

    assert setup.game == Game()
    assert [side.game for side in setup.sides] == [SideGame(), SideGame()]


def test_a_system_without_models_has_no_game(write: Write, systems: dict[str, Any]) -> None:
    scenario = load(write(), systems)

    assert scenario.setup.game is None
    assert {side.game for side in scenario.setup.sides} == {None}
    assert "game" not in scenario.header(1)


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (
            ("[field]", "[game]\nvictry = 1\n\n[field]"),
            7,
            "unknown key victry; did you mean victory?",
        ),
        (
            ("[field]", "[game]\nvictory = 1\n\n[field]"),
            7,
            "victory: expected the name of a victory",
        ),
        (("[field]", "[game]\nmarkers = [\n1,\n11]\n\n[field]"), 9, "expected at most 9, got 11"),
        (("[field]", "game = 3\n[field]"), 6, "game: expected a table [game], got 3"),
        (('"hill"\n\n[[side]]', '"hill"\ngame = {bonos = 1}\n[[side]]'), 17, "did you mean bonus?"),
        (('"hill"\n\n[[side]]', '"hill"\ngame = 1\n[[side]]'), 17, "a table of the side's game"),
        (("at = [60, 80]", "at = [60, 90]"), 37, "too far"),
    ],
)
def test_an_error_has_one_line_with_its_place(
    write: Write, change: tuple[str, str], line: int, message: str
) -> None:
    (diagnostic,) = check(write(NO_VICTORY, change), SKIRMISH)

    assert diagnostic.line == line
    assert message in diagnostic.message


def test_a_system_refuses_tables_that_it_does_not_declare(
    write: Write, systems: dict[str, Any]
) -> None:
    path = write(*GAMES[1:])

    told = [str(diagnostic).removeprefix(f"{path}:") for diagnostic in check(path, systems)]

    assert told == [
        "6: game: Emlia has no table game of a scenario; remove it",
        "21: game: Emlia has no table game of a side; remove it",
    ]


def test_a_system_without_levels_refuses_each_victory_condition(write: Write) -> None:
    (diagnostic,) = check(write((VICTORY, VICTORY)), SKIRMISH)

    assert diagnostic.line == 42
    assert diagnostic.message == "Skirmish has victory conditions of its own; remove this"


def header_of(path: Path) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(json.dumps(load(path, SKIRMISH).header(1)))
    return header


def test_a_battle_file_keeps_the_game(write: Write, tmp_path: Path) -> None:
    header = header_of(write(*GAMES))
    assert header["game"] == {
        "scenario": {"victory": "objectives", "markers": [3.0, 4.5]},
        "sides": {"Alice": {"bonus": 2}, "Bob": {"bonus": 0}},
    }

    header["game"]["scenario"]["victory"] = "as it was then"
    header["game"]["sides"]["Bob"]["bonus"] = 7
    setup = from_header(header, tmp_path, SKIRMISH).setup

    assert setup.game == Game(victory="as it was then", markers=(3.0, 4.5))
    assert [side.game for side in setup.sides] == [SideGame(bonus=2), SideGame(bonus=7)]


@pytest.mark.parametrize(
    "game",
    [3, {"scenario": 3}, {"scenario": {"victory": 3}}, {"sides": []}, {"sides": {"Bob": {"x": 1}}}],
)
def test_a_header_with_another_game_is_refused(write: Write, tmp_path: Path, game: Any) -> None:
    header = header_of(write(*GAMES)) | {"game": game}

    with pytest.raises(LogError, match="a game that cannot be used"):
        from_header(header, tmp_path, SKIRMISH)


def test_a_system_that_no_longer_reads_a_game_refuses_it(
    write: Write, tmp_path: Path, systems: dict[str, Any]
) -> None:
    header = header_of(write(NO_VICTORY))

    with pytest.raises(LogError, match="a game that cannot be used"):
        from_header(header, tmp_path, systems)


def test_faults_of_the_system_come_only_without_errors_of_units(write: Write) -> None:
    path = write(NO_VICTORY, ("at = [60, 80]", "at = [60, 90]"), ("facing = 180", "facing = true"))
    (line,) = [number for number, row in enumerate(path.read_text().split("\n"), 1)
               if row == "facing = true"]  # fmt: skip

    with pytest.raises(ScenarioError) as raised:
        load(path, SKIRMISH)

    assert [diagnostic.line for diagnostic in raised.value.diagnostics] == [line]
