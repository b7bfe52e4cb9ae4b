"""Who sees whom on a field with units and features, and who is aware of whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.play.combat import close_combat, shooting
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from emlia3d.rules.emlia.play.turn import phase
from tests.made_up import made_up
from tests.rules.emlia.troops import AIMED_LONGBOW

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ROCK = {"kind": "rock", "height": 5, "box": (60, 78, 140, 84)}


def man(x: float, y: float, side: str = "Alice", **more: Any) -> dict[str, Any]:
    return {"at": (x, y), "side": side, **more}


def behind_the_rock(field_of_battle: Build, depth: float) -> Battle:
    """An archer on a tower of 8, 28 GSU from a rock of 5; a prone bandit *depth* behind it."""
    archer = man(100, 49.5, on_height=8, weapons=(AIMED_LONGBOW,), skills={"aimed fire": "1"})
    bandit = man(100, 84.5 + depth, "Bob", states=("prone",))
    return field_of_battle(archer, bandit, terrain=[ROCK])


@pytest.mark.rule("emlia.sight.shadow.example-bandits", "emlia.aware.default")
@pytest.mark.parametrize(
    ("depth", "level"),
    [
        (2, Level.TOTAL),
        (25, Level.TOTAL),
        (25.5, Level.PARTIAL),
        (26, Level.PARTIAL),
        (28, Level.PARTIAL),
        (29, Level.NONE),
    ],
)
def test_the_bandits_behind_the_rock(field_of_battle: Build, depth: float, level: Level) -> None:
    battle = behind_the_rock(field_of_battle, depth)

    assert level_on(battle, 0, 1) is level
    assert is_aware(battle, 0, 1) is (level is not Level.TOTAL)


@pytest.mark.rule("emlia.sight.shadow.example-bandits", "emlia.fire")
@pytest.mark.parametrize(("depth", "offered"), [(2, False), (26, True)])
def test_the_archer_may_aim_at_a_bandit_whom_he_sees_over_the_rock(
    field_of_battle: Build, depth: float, offered: bool
) -> None:
    battle = behind_the_rock(field_of_battle, depth)

    assert bool(shooting.shooting_options(battle, 0)) is offered


@pytest.mark.rule("emlia.sight.shadow-distance")
def test_a_unit_is_hidden_only_if_its_last_man_is(field_of_battle: Build) -> None:
    archer = man(100, 49.5, on_height=8)
    band = {
        "front": (100, 84 + 2), "facing": 180, "side": "Bob", "states": ("prone",), "members": 3,
        "files": 1, "formation": "open",
    }  # fmt: skip
    deep = {**band, "front": (100, 84 + 20)}

    assert level_on(field_of_battle(archer, band, terrain=[ROCK]), 0, 1) is Level.TOTAL
    assert level_on(field_of_battle(archer, deep, terrain=[ROCK]), 0, 1) is Level.PARTIAL


@pytest.mark.rule("emlia.sight.tall", "emlia.sight.sparse-solid")
@pytest.mark.parametrize(
    ("kind", "body", "level"),
    [("wall", "solid", Level.TOTAL), ("hedge", "sparse", Level.PARTIAL)],
)
def test_what_is_as_tall_as_both_hides_wholly_if_it_is_solid_and_partly_if_it_has_gaps(
    field_of_battle: Build, kind: str, body: str, level: Level
) -> None:
    between = {"kind": kind, "body": body, "height": 1, "box": (60, 78, 140, 80)}
    battle = field_of_battle(man(100, 50), man(100, 100, "Bob"), terrain=[between])

    assert level_on(battle, 0, 1) is level


@pytest.mark.rule("emlia.sight.sparse-solid", "emlia.terrain.visibility-limiting")
@pytest.mark.parametrize(("thickness", "level"), [(10, Level.PARTIAL), (10.125, Level.TOTAL)])
def test_ten_gsu_of_forest_can_be_seen_through_and_more_cannot(
    field_of_battle: Build, thickness: float, level: Level
) -> None:
    forest = {"kind": "forest", "box": (60, 70, 140, 70 + thickness)}
    battle = field_of_battle(man(100, 50), man(100, 100, "Bob"), terrain=[forest])

    assert level_on(battle, 0, 1) is level


@pytest.mark.rule("emlia.form.solidity")
@pytest.mark.parametrize(
    ("formation", "level"),
    [("open", Level.PARTIAL), ("close", Level.TOTAL), ("ranked", Level.TOTAL)],
)
def test_one_sees_through_open_order_and_not_through_close_or_ranked(
    field_of_battle: Build, formation: str, level: Level
) -> None:
    screen = {"at": (100, 75), "members": 20, "files": 10, "formation": formation}
    battle = field_of_battle(man(100, 50), man(100, 100, "Bob"), screen)

    assert level_on(battle, 0, 1) is level
    assert level_on(battle, 1, 0) is level


@pytest.mark.rule("emlia.sight.peek")
def test_one_looks_over_a_low_wall_that_is_at_arm_s_length(field_of_battle: Build) -> None:
    wall = {"kind": "wall", "box": (60, 51.25, 140, 51.5)}
    battle = field_of_battle(man(100, 50), man(100, 80, "Bob"), terrain=[wall])

    assert level_on(battle, 0, 1) is Level.NONE
    assert level_on(battle, 1, 0) is Level.PARTIAL


@pytest.mark.rule("emlia.sight.raster-ground")
def test_a_ridge_hides_what_is_behind_it(field_of_battle: Build) -> None:
    ridge = np.zeros((40, 40))
    ridge[19:21, :] = 3 * 1.83
    here, there = man(100, 30), man(100, 170, "Bob")

    assert level_on(field_of_battle(here, there, elevation_m=ridge), 0, 1) is Level.TOTAL


@pytest.mark.rule("emlia.sight.raster-ground")
def test_an_even_slope_hides_nobody(field_of_battle: Build) -> None:
    slope = np.repeat(np.linspace(20 * 1.83, 0, 40)[:, None], 40, axis=1)
    here, there = man(100, 30), man(100, 170, "Bob")

    assert level_on(field_of_battle(here, there, elevation_m=slope), 0, 1) is Level.NONE


@pytest.mark.rule("emlia.cover.source", "emlia.cover.per-attack")
@pytest.mark.parametrize(("base_damage", "cover"), [(1, Level.PARTIAL), (3, Level.NONE)])
def test_a_tree_stops_what_is_weaker_than_it_is(
    field_of_battle: Build, base_damage: int, cover: Level
) -> None:
    tree = {"kind": "tree", "hits": 3, "box": (98, 74, 102, 76)}
    battle = field_of_battle(man(100, 50), man(100, 100, "Bob"), terrain=[tree])

    assert level_on(battle, 0, 1) is Level.PARTIAL
    assert cover_of(battle, 0, 1, base_damage) is cover


@pytest.mark.rule("emlia.aware.default")
def test_a_unit_knows_of_those_who_are_less_than_totally_concealed(field_of_battle: Build) -> None:
    hedge = {"kind": "hedge", "box": (60, 78, 140, 80)}
    house = {"kind": "building", "box": (140, 70, 180, 80)}
    battle = field_of_battle(
        man(100, 50), man(100, 100, "Bob"), man(160, 100, "Bob"), man(160, 50),
        terrain=[hedge, house],
    )  # fmt: skip

    assert is_aware(battle, 0, 1)
    assert not is_aware(battle, 3, 2)


@pytest.mark.rule("emlia.aware.melee")
def test_those_who_have_fought_know_of_each_other_until_they_no_longer_engage(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    wall = {"kind": "wall", "box": (60, 100.625, 140, 100.875)}
    battle = field_of_battle(
        man(100, 100, skills={"close combat": "1"}), man(100, 101.5, "Bob"), terrain=[wall]
    )
    order = Order(verb="close-combat", unit=0)
    play(battle, close_combat.close_combat(battle, 0, order), [1])
    put(battle, 0, posture=1)
    put(battle, 1, posture=1)

    assert level_on(battle, 0, 1) is Level.TOTAL
    assert is_aware(battle, 0, 1)
    assert is_aware(battle, 1, 0)

    play(battle, phase.resolve(battle))
    assert is_aware(battle, 0, 1)

    away = gone(pose_of(battle, 1), 0, 3)
    battle.happen(Event(facts=made_up(Moved), changes=away.changes(1)))
    assert not is_aware(battle, 0, 1)


@pytest.mark.rule("emlia.sight.mutual", "emlia.sight.shadow.example-bandits")
def test_what_was_found_out_is_forgotten_when_somebody_comes_between(
    field_of_battle: Build,
) -> None:
    block = {
        "side": "Bob", "formation": "ranked", "members": 40, "files": 20, "front": (150, 75),
    }  # fmt: skip
    battle = field_of_battle(man(100, 50), man(100, 100, "Bob"), block)
    assert is_aware(battle, 0, 1)

    end = gone(pose_of(battle, 2), 270 * 64, 50)
    battle.happen(Event(facts=made_up(Moved), changes=end.changes(2)))

    assert not is_aware(battle, 0, 1)
    assert not is_aware(battle, 1, 0)
