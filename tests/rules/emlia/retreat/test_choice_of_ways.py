"""Of two ways home that lead round terrain, which a unit takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.retreat import retreat_path

Build = Callable[..., Battle]
Spot = tuple[int, int]


def unit(formation: str, members: int, files: int, facing: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "formation": formation, "members": members, "files": files, "facing": facing,
        "at": (100, 100), "put": {"morale": -1}, **more,
    }  # fmt: skip


CASES = pytest.mark.parametrize(
    ("who", "houses", "friends", "foes", "paces", "files", "ends"),
    [
        pytest.param(
            unit("close", 20, 20, 90), [(92, 78, 152, 82)], [], [(107, 130), (90, 113)], 1,
            20, (115.4, 99.1), id="sideways a close unit goes at half speed",
        ),
        pytest.param(
            unit("open", 4, 1), [(109, 89, 117, 93), (109, 83, 117, 87), (111, 74, 115, 94)],
            [(95, 72)], [(140, 79)], 1, 1, (100, 90), id="an open unit goes as fast sideways",
        ),
        pytest.param(
            unit("ranked", 12, 1), [(75, 91, 79, 95)], [(116, 61)], [(67, 71)], 2,
            1, (114.3, 80.5), id="the longer one if something cuts the shorter one short now",
        ),
        pytest.param(
            unit("open", 20, 10), [(95, 82, 155, 86), (93, 72, 101, 76)], [(98, 95), (92, 87)],
            [(115, 104), (83, 89)], 2, 10, (75.9, 96.1), id="half of its movement is enough",
        ),
        pytest.param(
            unit("ranked", 12, 10, 270, movement="6G"),
            [(105, 91, 109, 95), (111, 85, 115, 105), (80, 91, 84, 95)], [], [(95, 74)], 2,
            2, (100, 97), id="to form up narrower is a move",
        ),
    ],
)  # fmt: skip


@pytest.mark.rule("emlia.morale.falling-back", "emlia.morale.lines")
@CASES
def test_a_unit_takes_the_way_home_that_costs_least_and_that_it_can_go_now(
    field_of_battle: Build,
    who: dict[str, Any],
    houses: list[tuple[int, int, int, int]],
    friends: list[Spot],
    foes: list[Spot],
    paces: int,
    files: int,
    ends: tuple[float, float],
) -> None:
    battle = field_of_battle(
        who,
        *({"at": at, "side": "Bob", "facing": 180} for at in foes),
        *({"at": at, "members": 8, "files": 4, "formation": "ranked"} for at in friends),
        terrain=[{"kind": "building", "box": house} for house in houses],
    )

    *_, end = retreat_path._way_round(battle, 0, paces, routed=False, barred=True)

    assert (end.x, end.y) == pytest.approx(ends, abs=0.1)
    assert end.drill.files == files


@pytest.mark.rule("emlia.morale.lines")
def test_a_close_column_goes_through_a_gap_instead_of_more_than_twice_as_far_round_a_house(
    field_of_battle: Build,
) -> None:
    """Its own lines lie 30 GSU away behind the house: 35 through the gap, and some 95 round."""
    sides = [
        Side(name="Alice", colour="#2a5caa", lines=(100.0, 70.0)),
        Side(name="Bob", colour="#b03030", lines="north"),
    ]
    house = [(60, 80, 103.5, 90), (106.5, 80, 140, 90)]
    battle = field_of_battle(
        unit("close", 20, 2),
        {"at": (100, 190), "side": "Bob"},
        sides=sides,
        terrain=[{"kind": "building", "box": part} for part in house],
    )

    *_, end = retreat_path._way_round(battle, 0, 1, routed=False, barred=True)

    # It spends 10 of its 15 GSU on 5 to its right, and 5 on 2.5 to its rear, at half speed.
    assert end.middle == pytest.approx((105, 97.5), abs=0.2)
