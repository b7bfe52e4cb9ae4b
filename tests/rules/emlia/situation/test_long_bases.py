"""Members on bases longer than wide: each takes up a circle round the length of its base."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.morale.leading import appeal_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

BASES = pytest.mark.parametrize("base", [(2.0, 4.0), (4.0, 2.0)])
"""In metres: 1 GSU by 2 GSU, and the other way round."""


@BASES
def test_the_radius_of_a_member_is_half_the_length_of_its_base(
    field_of_battle: Build, base: tuple[float, float]
) -> None:
    battle = field_of_battle({"at": (100, 100), "base": base}, {"at": (50, 50)})

    assert (situation_of(battle).radius(0), situation_of(battle).radius(1)) == (1.0, 0.5)


@pytest.mark.rule("emlia.charge.move")
@BASES
def test_the_first_rider_of_a_charge_halts_with_the_enemy_in_reach_of_its_circle(
    field_of_battle: Build, play: Play, base: tuple[float, float]
) -> None:
    """They reach 1 GSU, and the circle 1 GSU."""
    riders = {"at": (100, 100), "members": 2, "files": 2, "formation": "close", "base": base}
    more: dict[str, Any] = {"movement": "30G", "skills": {"close combat": "1"}}
    battle = field_of_battle({**riders, **more}, {"at": (100, 115), "side": "Bob", "hits": 9})
    (order,) = charging.charge_options(battle, 0)

    play(battle, charging.charge(battle, 0, order), [1])

    spots = shapely.points(situation_of(battle).places(0))
    gaps = shapely.distance(spots, situation_of(battle).outline(1))
    assert gaps.min() == pytest.approx(2.0, abs=0.1)


@pytest.mark.rule("emlia.lead.improve.mod.not-all-within")
@BASES
@pytest.mark.parametrize(("east", "within"), [(122.3, True), (122.6, False)])
def test_a_member_is_in_command_range_by_the_circle_round_its_base(
    field_of_battle: Build, base: tuple[float, float], east: float, within: bool
) -> None:
    """Command reaches 20 GSU from the leader's edge, half a GSU from its middle."""
    leader = {"at": (101, 100), "skills": {"leadership": "5"}}
    pair = {"at": (east, 100), "members": 2, "files": 1, "formation": "close", "base": base}
    battle = field_of_battle(leader, pair)

    assert appeal_of(battle, 0, 1).all_within is within
