"""Weapons with a limited arc: no attack from afar may be aimed outside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order, Refusal
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.combat.concentrated import (
    concentrated_options,
    concentrated_volley,
    may_concentrate,
)
from emlia3d.rules.emlia.play.combat.volley import VolleyValidator, area_options, area_volley
from tests.rules.emlia.combat.volleys import STRAIGHT, archers, at, foes

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

BATTERY: dict[str, Any] = {**STRAIGHT, "name": "Battery", "range": (20, 100, 190), "arc": 90}
AHEAD, ABEAM, ASTERN = (100, 60), (140, 25), (100, 5)
"""Of a battery at (100, 20) that looks north: in its arc of 90 degrees, and twice outside."""


def battery(**more: Any) -> dict[str, Any]:
    return {
        "at": (100, 20), "members": 2, "files": 2, "formation": "close", "name": "battery",
        "weapons": (BATTERY,), "skills": {"volley fire": "1"}, **more,
    }  # fmt: skip


def slug(refusal: Refusal | None) -> str | None:
    return None if refusal is None else refusal.slug


@pytest.mark.rule("emlia.attr.facing.use")
@pytest.mark.parametrize(
    ("point", "because"),
    [(AHEAD, None), (ABEAM, "emlia.attr.facing.use"), (ASTERN, "emlia.attr.facing.use")],
)
def test_a_volley_may_be_aimed_only_at_points_in_the_weapons_arc(
    field_of_battle: Build, point: tuple[float, float], because: str | None
) -> None:
    battle = field_of_battle(battery(), foes(point))

    assert slug(VolleyValidator(battle, 0).refusal(at(*point))) == because
    assert bool(area_options(battle, 0)) is (because is None)


@pytest.mark.rule("emlia.attr.facing.use")
@pytest.mark.parametrize(
    ("point", "because"),
    [(AHEAD, None), (ABEAM, "emlia.attr.facing.use"), (ASTERN, "emlia.attr.facing.use")],
)
def test_a_volley_may_be_concentrated_only_on_units_in_the_weapons_arc(
    field_of_battle: Build, point: tuple[float, float], because: str | None
) -> None:
    battle = field_of_battle(battery(), foes(point))

    assert slug(may_concentrate(battle, 0, 1, 0)) == because
    assert bool(concentrated_options(battle, 0)) is (because is None)


@pytest.mark.rule("emlia.attr.facing.use")
def test_a_weapon_without_a_limit_bears_all_round(field_of_battle: Build) -> None:
    guns = battery(weapons=({**BATTERY, "arc": 360},))
    battle = field_of_battle(guns, foes(ASTERN))

    assert may_concentrate(battle, 0, 1, 0) is None
    assert VolleyValidator(battle, 0).refusal(at(*ASTERN)) is None


@pytest.mark.rule("emlia.attr.facing.use")
@pytest.mark.parametrize("name", ["area", "volley"])
def test_the_odds_of_a_volley_outside_the_arc_are_refused(
    field_of_battle: Build, name: str
) -> None:
    inside, outside = (field_of_battle(battery(), foes(point)) for point in (AHEAD, ABEAM))

    assert SYSTEM.odds(inside, 0, 1, name).refusal is None
    assert "emlia.attr.facing.use" in (SYSTEM.odds(outside, 0, 1, name).refusal or "")


@pytest.mark.rule("emlia.attr.facing.use")
def test_of_a_mixed_unit_only_subunits_whose_weapon_bears_loose_a_volley(
    field_of_battle: Build, play: Play
) -> None:
    mortars = battery(name="mortars", group="battery", at=(104, 20), weapons=(STRAIGHT,))
    battle = field_of_battle(battery(), mortars, foes(ABEAM))
    concentrated = Order(verb="concentrated-volley", unit=0, target=2, number=0)

    loosed = play(battle, area_volley(battle, 0, at(*ABEAM)), [1])
    (shot,) = play(battle, concentrated_volley(battle, 0, concentrated), [1])

    assert {battle.setup.units[event.unit].name for event in loosed} == {"mortars"}
    assert battle.setup.units[shot.unit].name == "mortars"


@pytest.mark.rule("emlia.volley.point")
def test_a_volley_is_offered_at_the_middle_of_what_is_solid_and_can_be_broken(
    field_of_battle: Build,
) -> None:
    terrain = [
        {"kind": "gate", "hits": 6, "height": 2, "box": (97, 60, 103, 62)},
        {"kind": "hedge", "hits": 2, "height": 2, "box": (97, 70, 103, 72)},
        {"kind": "rock", "height": 2, "box": (97, 80, 103, 82)},
    ]
    battle = field_of_battle(archers(at=(100, 30)), foes((100, 195)), terrain=terrain)

    assert [order.point for order in area_options(battle, 0)] == [(100.0, 61.0)]
