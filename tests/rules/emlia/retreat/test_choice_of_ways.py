"""Of two ways home that lead round terrain, which a unit takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
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
