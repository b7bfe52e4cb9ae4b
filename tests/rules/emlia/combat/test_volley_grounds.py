"""Why a volley may not be loosed, at whom it may, and what the event of its fall records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.combat.concentrated import concentrated_options, may_concentrate
from emlia3d.rules.emlia.play.combat.volley import (
    limit_of,
    loosing,
    may_bombard,
    may_try,
    on_drift_of,
    spread_of,
)
from emlia3d.rules.emlia.tables.volley import Spread
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.combat.volleys import LONGBOW, STRAIGHT, archers, at, falls, foes, mortar
from tests.rules.emlia.outcome import markers

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def slug(refusal: Any) -> str | None:
    return None if refusal is None else refusal.slug


@pytest.mark.rule("emlia.volley", "emlia.conc", "emlia.skill.improvise")
@pytest.mark.parametrize("volley", ["area volley", "concentrated volley"])
@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, None),
        ({"weapons": ()}, "emlia.skill.improvise"),
        ({"skills": {"close combat": "1"}}, "emlia.skill.improvise"),
        ({"put": {"primary_used": 1}}, "emlia.activate.two-actions"),
        ({"put": {"primary_used": 1}, "weapons": ()}, "emlia.activate.two-actions"),
    ],
)
def test_a_volley_is_refused_for_the_first_thing_that_it_lacks(
    field_of_battle: Build, volley: Any, more: dict[str, Any], expected: str | None
) -> None:
    battle = field_of_battle(archers(**more), foes((100, 60)))

    assert slug(may_try(battle, 0, volley)) == expected


@pytest.mark.rule("emlia.volley", "emlia.volley.point")
@pytest.mark.parametrize(
    ("more", "point", "expected"),
    [
        ({}, (100, 140.25), None),
        ({}, (100, 140.75), "emlia.equip.ranged"),
        ({}, (100, 100), "emlia.volley"),
        ({}, (100, 111.5), None),
        ({"weapons": ({**LONGBOW, "arc": 90},)}, (100, 60), None),
        ({"weapons": ({**LONGBOW, "arc": 90},), "facing": 180}, (100, 60),
         "emlia.attr.facing.use"),
        ({}, (100, 201), "emlia.volley.point"),
    ],
    ids=["at the limit", "beyond", "under a roof", "beside it", "in the arc", "behind",
         "off the field"],
)  # fmt: skip
def test_any_point_in_range_and_arc_with_no_roof_over_it_may_be_bombarded(
    field_of_battle: Build, more: dict[str, Any], point: tuple[float, float], expected: str | None
) -> None:
    roof = {"kind": "building", "box": (90, 95, 110, 111), "height": 3}
    battle = field_of_battle(archers(**more), foes((100, 60)), terrain=[roof])

    assert slug(may_bombard(battle, 0, point, 0)) == expected


@pytest.mark.rule("emlia.conc", "emlia.fire.at-skirmish")
@pytest.mark.parametrize(
    ("y", "more", "expected"),
    [
        (140.75, (), None),
        (142, (), "emlia.equip.ranged"),
        (142, (man(100, 140.6),), None),
        (142, (man(140, 140.6),), "emlia.equip.ranged"),
    ],
    ids=["at the limit", "beyond", "in a fight that is in range", "alone"],
)
def test_a_volley_is_concentrated_on_a_fight_if_any_of_it_is_in_range(
    field_of_battle: Build, y: float, more: tuple[Any, ...], expected: str | None
) -> None:
    battle = field_of_battle(archers(), foes((100, y)), *more)

    assert slug(may_concentrate(battle, 0, 1, 0)) == expected
    offered = {order.target for order in concentrated_options(battle, 0)}
    assert offered == ({1} if expected is None else set())


@pytest.mark.rule("emlia.conc", "emlia.action.subject-awareness", "emlia.volley.overhead-cover")
@pytest.mark.parametrize(
    ("terrain", "told", "allowed"),
    [
        ([], False, True),
        ([{"kind": "wall", "box": (60, 40, 140, 41), "height": 5}], False, False),
        ([{"kind": "wall", "box": (60, 40, 140, 41), "height": 5}], True, True),
        ([{"kind": "building", "box": (95, 55, 105, 65), "height": 3}], True, False),
        ([{"kind": "tree", "box": (95, 55, 105, 65), "height": 3}], True, True),
    ],
    ids=["in sight", "unknown", "pointed out", "under a roof", "under a tree"],
)
def test_a_volley_is_concentrated_on_a_known_enemy_under_no_roof(
    field_of_battle: Build, terrain: list[Any], told: bool, allowed: bool
) -> None:
    battle = field_of_battle(archers(), foes((100, 60)), terrain=terrain)
    if told:
        changes = (Pair(column="acquired", a=0, b=1, value=9),)
        battle.happen(Event(facts=Unread(event="told"), changes=changes))

    assert (may_concentrate(battle, 0, 1, 0) is None) is allowed


@pytest.mark.rule("emlia.skill.mixed-source", "emlia.volley")
def test_only_subunits_with_a_weapon_and_the_skill_loose(field_of_battle: Build) -> None:
    clerk = {"at": (100, 18), "group": "archers", "formation": "close"}
    battle = field_of_battle(
        archers(),
        {**clerk, "weapons": (STRAIGHT,), "skills": {"volley fire": "4"}},
        {**clerk, "at": (102, 18), "weapons": (STRAIGHT,), "skills": {"alertness": "4"}},
        {**clerk, "at": (104, 18), "skills": {"volley fire": "4"}},
        foes((100, 60)),
    )

    assert [row for row, _ in loosing(battle, 0, "area volley")] == [0, 1]
    # The mortar may be used for both, the longbow too.
    assert [row for row, _ in loosing(battle, 0, "concentrated volley")] == [0, 1]


@pytest.mark.rule("emlia.volley.success", "emlia.equip.coverage", "emlia.gloss.coverage")
@pytest.mark.parametrize(
    ("members", "limit", "on_drift", "rest", "spread"),
    [
        (10, 10, 0, 0, Spread(10, 1)),
        (10, 10, 2, 3, Spread(8, 4)),
        (3, 3, 0, 5, Spread(10, 3)),
        (10, 10, 12, 0, Spread(0, 1)),
    ],
)
def test_coverage_is_limited_by_the_members_that_loose(
    field_of_battle: Build, members: int, limit: float, on_drift: int, rest: int, spread: Spread
) -> None:
    battle = field_of_battle(archers(members=members, files=members), foes((100, 60)))
    weapon = Weapon.model_validate(LONGBOW)

    assert limit_of(battle, 0, weapon) == limit
    assert spread_of(battle, 0, weapon, on_drift, rest) == spread


@pytest.mark.rule("emlia.volley.success")
@pytest.mark.parametrize(
    ("members", "successes", "choices"),
    [(10, 0, [0]), (10, 3, [0, 1, 2, 3]), (3, 4, [2, 3, 4]), (1, 2, [2])],
)
def test_no_success_is_spent_on_a_circle_that_cannot_grow(
    field_of_battle: Build, members: int, successes: int, choices: list[int]
) -> None:
    battle = field_of_battle(archers(members=members, files=members), foes((100, 60)))

    wanted = on_drift_of(battle, 0, Weapon.model_validate(LONGBOW), successes)

    assert list(wanted) == choices


@pytest.mark.rule("emlia.volley.area", "emlia.terrain.entities")
@pytest.mark.parametrize(("gap", "struck"), [(2.5, True), (3.0, True), (3.0625, False)])
def test_features_within_the_circle_take_a_hit(
    field_of_battle: Build, play: Play, gap: float, struck: bool
) -> None:
    gate = {"kind": "gate", "name": "gate", "hits": 6, "box": (97, 60, 103, 62)}
    battle = field_of_battle(mortar(weapons=(STRAIGHT,)), foes((100, 100)), terrain=[gate])

    *_, fell = falls(battle, play, at(100, 60 - gap), [1, 1, 1, 1])

    rows = battle.state.lists["battering"]
    assert rows.ints("hits").tolist() == ([1] if struck else [])
    assert fell.facts.scenery == (("gate",) if struck else ())


@pytest.mark.rule("emlia.volley", "emlia.volley.area", "emlia.hits.marker.attacker")
@pytest.mark.parametrize("aware", [True, False])
def test_the_fall_of_a_volley_records_where_and_whom(
    field_of_battle: Build, play: Play, aware: bool
) -> None:
    # A wall before the enemy, so that it does not see the mortar.
    wall = {"kind": "wall", "box": (60, 40, 140, 41), "height": 5}
    battle = field_of_battle(
        mortar(weapons=(STRAIGHT,)), foes((100, 60)), {"at": (101.5, 60), "name": "friend"},
        foes((150, 100), name="far"), terrain=[] if aware else [wall],
    )  # fmt: skip

    loosed, fell = falls(battle, play, at(100, 60), [1, 1, 1, 1])

    assert (loosed.name, loosed.unit, loosed.facts.aimed_at) == ("volley loosed", 0, (100, 60))
    told = loosed.facts
    assert (told.weapon, told.distance, told.band, told.base_damage) == (
        "Mortar",
        39.5,
        "medium",
        5,
    )
    assert fell.facts.values() == {
        "weapon": "Mortar", "aimed_at": (100, 60), "fell_at": (100, 60), "drift": 0,
        "coverage": 6, "struck": ("foes", "friend"), "hits": (1, 1), "scenery": (),
    }  # fmt: skip
    assert (fell.name, fell.unit, fell.gesture) == ("volley fell", 0, "shoot")
    assert markers(battle, "attacker", "subject", "hits", "unseen") == [
        (0, 1, 1, int(not aware)), (0, 2, 1, 0),
    ]  # fmt: skip
    assert len(battle.state.lists["lob"]) == 0
    units = battle.state.units
    assert (units.value("move_used", 0), units.value("primary_used", 0)) == (1, 1)
