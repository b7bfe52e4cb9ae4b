"""Chapter 21.6 as play: what low morale makes a unit do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.retreat.compulsion import (
    at_lines_point,
    is_compelled,
    obey,
)
from emlia3d.rules.emlia.play.retreat.retreat_path import bearing_home, flight
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.activation import activate

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
ROCKS = {"name": "Rocks", "base_damage": 1, "range": (40, 80, 200), "use": ["aimed fire"]}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}


def shy(morale: int, **unit: Any) -> dict[str, Any]:
    return {"at": (50, 100), "put": {"morale": morale}, **unit}


def sides(lines: Any) -> list[Side]:
    return [
        Side(name="Alice", colour="#2a5caa", lines=lines),
        Side(name="Bob", colour="#b03030", lines="north"),
    ]


def south_by(battle: Battle, unit: int = 0) -> float:
    return 100 - situation_of(battle).centre(unit)[1]


@pytest.mark.parametrize(
    ("morale", "back"),
    [
        pytest.param(0, 0, id="shaken"),
        pytest.param(-1, 15, id="falling back"),
        pytest.param(-3, 15, id="still falling back"),
        pytest.param(-4, 30, id="retreating"),
        pytest.param(-7, 30, id="routed"),
    ],
)
def test_low_units_go_back_towards_their_lines(
    morale: int, back: float, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(shy(morale), BOB)

    play(battle, obey(battle, 0))

    assert south_by(battle) == pytest.approx(back, abs=0.01)


@pytest.mark.rule("emlia.orders.morale-priority")
def test_what_morale_compels_comes_before_any_order(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(shy(-1), BOB)
    seen = []

    def look(decision: Any) -> Any:
        seen.append(south_by(battle))
        return next(option for option in decision.options if option.verb == "done")

    events = play(battle, activate(battle, 0), answers=["done", look])

    assert [event.name for event in events] == ["activated", "fell back", "activation ended"]
    assert seen == [pytest.approx(15, abs=0.01)]


@pytest.mark.rule("emlia.orders.leftover")
def test_a_disordered_unit_may_use_what_its_flight_has_left(
    field_of_battle: Build, play: Play
) -> None:
    thrower = {"skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(shy(-1, **thrower, put={"morale": -1, "disordered": 1}), BOB)
    offered: list[set[str]] = []

    def look(decision: Any) -> Any:
        offered.append({option.verb for option in decision.options})
        return next(option for option in decision.options if option.verb == "done")

    play(battle, activate(battle, 0), answers=["done", look])

    assert "fire" in offered[0]
    assert not offered[0] & {"move", "double-pace", "drop-down", "delay"}


@pytest.mark.rule("emlia.orders.leftover")
def test_a_condition_that_calls_for_no_action_leaves_nothing_over(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(shy(0, put={"morale": 0, "disordered": 1}), BOB)

    offered: list[set[str]] = []

    def look(decision: Any) -> Any:
        offered.append({option.verb for option in decision.options})
        return decision.options[-1]

    events = play(battle, activate(battle, 0), answers=[look])

    assert [event.name for event in events] == ["activated", "activation ended"]
    assert offered == [{"ignore-initiative", "done"}]


@pytest.mark.rule("emlia.orders.leftover")
def test_who_finds_no_way_back_stays_and_has_nothing_left_over(
    field_of_battle: Build, play: Play
) -> None:
    pen = [
        {"kind": "rock", "box": (45, 97, 55, 98), "height": 9},
        {"kind": "rock", "box": (45, 102, 55, 103), "height": 9},
        {"kind": "rock", "box": (47, 97, 48, 103), "height": 9},
        {"kind": "rock", "box": (52, 97, 53, 103), "height": 9},
    ]
    unit = {"formation": "close", "base": (7.0, 7.0), "put": {"morale": -1, "disordered": 1}}
    battle = field_of_battle(shy(-1, **unit), BOB, terrain=pen)

    play(battle, activate(battle, 0), answers=["done", ...])

    assert south_by(battle) == pytest.approx(0, abs=0.01)
    assert battle.state.units.value("leftover", 0) == 0


@pytest.mark.rule("emlia.morale.routed")
def test_the_routed_run_through_friends_and_do_not_end_on_them(
    field_of_battle: Build, play: Play
) -> None:
    wall_of_men = {"at": (50, 85), "members": 60, "files": 60, "formation": "ranked"}
    at_the_end = {"at": (50, 70), "members": 60, "files": 60, "formation": "ranked"}
    routed = shy(-7, formation="close")
    battle = field_of_battle(routed, wall_of_men, at_the_end, BOB)

    play(battle, obey(battle, 0))

    situation = situation_of(battle)
    assert 20 < south_by(battle) < 30
    assert situation.distance(0, 1) > 0
    assert not situation.outline(0).buffer(-0.05).intersects(situation.outline(2))


@pytest.mark.rule("emlia.morale.routed")
def test_the_routed_run_through_enemies_whom_they_pass_and_who_engage_them_may_strike(
    field_of_battle: Build, play: Play
) -> None:
    foe = {"side": "Bob", "at": (50, 98.5)}
    battle = field_of_battle(shy(-7), foe)

    events = play(battle, obey(battle, 0), dice=[1] * 5, answers=["close-combat"])

    assert [event.name for event in events][:2] == ["free strike", "struck free"]
    assert events[-1].name == "fled"
    assert south_by(battle) == pytest.approx(30, abs=0.1)


@pytest.mark.rule("emlia.morale.routed")
def test_the_routed_run_towards_an_enemy_and_others_do_not(
    field_of_battle: Build, play: Play
) -> None:
    foe = {"side": "Bob", "at": (50, 40)}
    routed, retreating = field_of_battle(shy(-7), foe), field_of_battle(shy(-4), foe)

    play(routed, obey(routed, 0))
    play(retreating, obey(retreating, 0))

    assert situation_of(routed).distance(0, 1) < 59
    assert situation_of(retreating).distance(0, 1) >= 59


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize("morale", [-1, -7])
def test_at_its_own_edge_a_unit_in_retreat_leaves_the_field(
    morale: int, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(shy(morale, at=(50, 5)), BOB)

    events = play(battle, obey(battle, 0))

    assert events[-1].name == "left the field"
    assert battle.state.units.value("present", 0) == 0


@pytest.mark.rule("emlia.morale.lines")
def test_no_unit_leaves_over_another_edge_than_its_own(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(shy(-4, at=(2, 100)), BOB)

    play(battle, obey(battle, 0))

    assert battle.state.units.value("present", 0) == 1


@pytest.mark.rule("emlia.morale.lines")
def test_lines_may_be_a_point_off_the_board(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(shy(-1, at=(5, 100)), BOB, sides=sides((-50.0, 100.0)))

    events = play(battle, obey(battle, 0))

    assert events[-1].name == "left the field"


@pytest.mark.rule("emlia.scenario.own-lines")
@pytest.mark.parametrize(
    ("lines", "degrees"),
    [("north", 0), ("east", 90), ("south", 180), ("west", 270), ((150.0, 100.0), 90)],
)
def test_each_side_makes_for_its_own_lines_an_edge_or_a_point(
    lines: Any, degrees: float, field_of_battle: Build
) -> None:
    battle = field_of_battle(shy(-1), {**BOB, "at": (190, 190)}, sides=sides(lines))

    assert bearing_home(battle, 0) == degrees * 64
    assert not flight(battle, 0, 1, routed=True)[1]


@pytest.mark.rule("emlia.morale.lines-point")
@pytest.mark.parametrize("morale", [-1, -5, -7])
def test_at_a_point_that_is_its_lines_a_low_unit_is_only_shaken(
    morale: int, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(shy(morale), BOB, sides=sides((50.0, 99.0)))

    events = play(battle, obey(battle, 0))

    assert at_lines_point(battle, 0)
    assert not is_compelled(battle, 0)
    assert events == []


@pytest.mark.rule("emlia.morale.lines-point")
def test_away_from_the_point_it_is_not(field_of_battle: Build) -> None:
    battle = field_of_battle(shy(-1), BOB, sides=sides((50.0, 90.0)))

    assert not at_lines_point(battle, 0)
    assert is_compelled(battle, 0)


def test_a_gun_that_cannot_move_is_not_compelled(field_of_battle: Build) -> None:
    battle = field_of_battle(shy(-7, movement=None), BOB)

    assert not is_compelled(battle, 0)
