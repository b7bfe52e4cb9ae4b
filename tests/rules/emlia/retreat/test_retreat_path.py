"""Who goes back to his own lines goes round the terrain that bars the straight way."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.retreat.compulsion import obey

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ROCK: dict[str, Any] = {"kind": "rock", "box": (80, 90, 104, 94)}
"""Four GSU deep, right behind whoever stands at (100, 96)."""


def low(morale: int, **more: Any) -> dict[str, Any]:
    return {"at": (100, 96), "facing": 0, "put": {"morale": morale}, **more}


FOE: dict[str, Any] = {"at": (100, 190), "side": "Bob", "facing": 180}


@pytest.mark.rule("emlia.morale.falling-back")
@pytest.mark.parametrize(
    ("morale", "paces", "name"),
    [
        pytest.param(-1, 1, "fell back", id="falling back"),
        pytest.param(-4, 2, "fell back", id="retreating"),
        pytest.param(-7, 2, "fled", id="routed"),
    ],
)
def test_the_shortest_way_home_leads_round_a_rock(
    field_of_battle: Build, play: Play, morale: int, paces: int, name: str
) -> None:
    battle = field_of_battle(low(morale), FOE, terrain=[ROCK])

    (back,) = play(battle, obey(battle, 0))

    assert back.name == name
    (x, y), end = (100, 96), back.facts.path[-1]
    gone = 0.0
    for east, north in back.facts.path:
        gone += hypot(east - x, north - y)
        x, y = east, north
    # The places are those of the front, which each turn on the spot takes with it.
    assert gone == pytest.approx(15 * paces, abs=2)
    # Round the nearer corner, at (104, 90).
    assert end[0] > 104
    assert end[1] < 91


@pytest.mark.rule("emlia.morale.falling-back", "emlia.morale.not-closer")
def test_the_way_round_is_not_taken_where_it_leads_closer_to_the_enemy(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(low(-1), {**FOE, "at": (118, 92)}, terrain=[ROCK])

    told = play(battle, obey(battle, 0))

    assert all(x < 100.1 for event in told for x, _ in event.facts.path)
