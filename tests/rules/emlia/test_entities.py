"""Chapters 2 and 3 in play: what a unit is, has and takes up, and which way it faces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.free_actions.hiding import search_of
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.play.turn.activation import activate
from emlia3d.rules.emlia.tables.awareness import detect_modifier
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from tests.rules.emlia.riflemen import BOB, RIFLE, SHOOTER

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.entity.character")
def test_a_cart_is_no_character_and_the_horse_before_it_is(
    field_of_battle: Build, play: Play
) -> None:
    cart, horse = {"at": (50, 50), "timing": "none"}, {"at": (50, 60), "timing": 3}
    battle = field_of_battle(cart, horse, BOB)

    assert timing.waiting_units(battle) == [1, 2]
    play(battle, activate(battle, 1), answers=[...])
    assert timing.waiting_units(battle) == [2]


@pytest.mark.rule("emlia.entity.independent")
def test_one_man_by_himself_activates_like_a_regiment(field_of_battle: Build) -> None:
    regiment = {"at": (50, 50), "members": 30, "files": 10, "formation": "ranked", "timing": 2}
    battle = field_of_battle({"at": (80, 50), "timing": 2}, regiment, {**BOB, "timing": 2})

    assert timing.waiting_units(battle) == [0, 1, 2]


@pytest.mark.rule("emlia.entity.board-attributes")
@pytest.mark.parametrize("attribute", ["position", "boundary", "at", "outline"])
def test_where_a_unit_is_is_read_from_the_board_and_never_printed(attribute: str) -> None:
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Entry.model_validate({"name": "X", "size": 1, "height": 1, attribute: [1, 2]})


@pytest.mark.rule("emlia.skill.names")
def test_the_core_has_six_skills() -> None:
    skills = ("alertness", "stealth", "leadership", "close combat", "aimed fire", "volley fire")
    printed = {"name": "X", "size": 1, "height": 1, "skills": dict.fromkeys(skills, "2")}

    assert all(Entry.model_validate(printed).skill(name) for name in skills)  # type: ignore[arg-type]


@pytest.mark.rule("emlia.equip.melee")
def test_a_melee_weapon_has_a_base_damage_and_abilities_and_no_range() -> None:
    pair = {"name": "Sword and Dagger", "base_damage": 1, "abilities": ["parry"]}
    printed = {"name": "X", "size": 1, "height": 1, "weapons": [pair]}

    entry = Entry.model_validate(printed)

    assert [weapon.name for weapon in entry.melee_weapons] == ["Sword and Dagger"]
    assert entry.ranged_weapons == ()


@pytest.mark.rule("emlia.attr.facing.use")
@pytest.mark.parametrize(
    ("at", "bears"), [((50, 40), True), ((80, 45), True), ((80, 15), False), ((50, 190), False)]
)
def test_a_gun_with_an_arc_of_fire_bears_only_on_what_it_faces(
    field_of_battle: Build, at: tuple[float, float], bears: bool
) -> None:
    gun = {**RIFLE, "arc": 90, "range": (100, 150, 199)}
    facing = 180 if at[1] > 100 else 0
    battle = field_of_battle({**SHOOTER, "weapons": (gun,), "facing": facing}, {**BOB, "at": at})

    assert bool(shooting.shooting_options(battle, 0)) is bears
    assert level_on(battle, 0, 1) is Level.NONE


@pytest.mark.rule("emlia.attr.facing")
@pytest.mark.parametrize(("arcs", "row"), [((180.0, 45.0, 90.0), True), ((360.0, 0.0, 0.0), False)])
def test_what_is_shapeless_has_no_back_to_be_behind(
    field_of_battle: Build, arcs: tuple[float, float, float], row: bool
) -> None:
    rock = {"kind": "rock", "box": (40, 38, 60, 40), "height": 20}
    slime = {"at": (50, 50), "arcs": arcs, "skills": {"alertness": "2"}}
    battle = field_of_battle(slime, {**BOB, "at": (50, 35)}, terrain=[rock])

    because = detect_modifier(search_of(battle, 0, 1)).because

    assert ("emlia.aware.detect.mod.rear-arc" in because) is row


@pytest.mark.rule("emlia.attr.size-height-all", "emlia.entity.definition")
def test_every_piece_of_terrain_is_a_body_with_a_height(field_of_battle: Build) -> None:
    kinds = ("shrub", "wall", "hill", "building", "forest")
    terrain = [
        {"kind": kind, "box": (10 + 30 * at, 100, 30 + 30 * at, 110)}
        for at, kind in enumerate(kinds)
    ]
    battle = field_of_battle(SHOOTER, BOB, terrain=terrain)

    heights = [feature.height for feature in battle.setup.field.features]

    assert heights == [0.5, 0.5, 10, 3, 3]
    assert level_on(battle, 0, 1) is not Level.NONE


@pytest.mark.rule("emlia.entity.definition")
def test_what_has_no_hits_cannot_be_destroyed_and_stops_what_is_solid(
    field_of_battle: Build,
) -> None:
    hill = {"kind": "rock", "box": (0, 60, 200, 70), "height": 5}
    battle = field_of_battle(SHOOTER, {**BOB, "at": (50, 75)}, terrain=[hill])

    assert battle.setup.field.features[0].hits is None
    assert cover_of(battle, 0, 1, 99) is Level.TOTAL


@pytest.mark.rule("emlia.entity.position")
def test_what_a_single_body_takes_up_is_its_boundary(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (50, 50), "size": 8, "formation": "close"}, BOB)

    outline = situation_of(battle).outline(0)

    assert outline.bounds == pytest.approx((49, 49, 51, 51), abs=0.05)
    assert outline.area == pytest.approx(3.1, abs=0.1)


@pytest.mark.rule("emlia.entity.formation-attribute")
@pytest.mark.parametrize(
    ("formation", "across"), [("ranked", 10.0), ("close", 14.5), ("open", 28.0)]
)
def test_a_formation_is_how_the_members_stand(
    field_of_battle: Build, formation: str, across: float
) -> None:
    line = {"at": (100, 50), "members": 10, "files": 10, "formation": formation}
    battle = field_of_battle(line, BOB)

    west, _, east, _ = situation_of(battle).outline(0).bounds

    assert east - west == pytest.approx(across, abs=0.1)
