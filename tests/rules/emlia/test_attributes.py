"""What a unit's printed attributes are to the rules that read them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import army_value_of
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

Build = Callable[..., Battle]

BOB = {"at": (150, 150)}


@pytest.mark.rule("emlia.attr.army-value")
@pytest.mark.parametrize(("printed", "value"), [({}, 1), ({"army_value": 3}, 3)])
def test_the_army_value_of_a_steady_unit_is_the_printed_one_or_1(
    printed: dict[str, float], value: float
) -> None:
    entry = Entry.model_validate({"name": "Bare", "size": 1, "height": 1, **printed})

    assert army_value_of(entry.army_value, morale=2) == value


@pytest.mark.rule("emlia.attr.morale")
@pytest.mark.parametrize("morale", [-2, 0, 3])
def test_a_unit_starts_with_its_printed_morale(field_of_battle: Build, morale: int) -> None:
    battle = field_of_battle({"at": (50, 50), "morale": morale}, BOB)

    assert battle.state.units.integer("morale", 0) == morale


@pytest.mark.rule("emlia.entity.board-attributes")
@pytest.mark.parametrize(
    ("put", "box"),
    [
        ({"at": (50, 50)}, (45, 49, 55, 51)),
        ({"at": (80, 50)}, (75, 49, 85, 51)),
        ({"at": (50, 50), "facing": 90}, (49, 45, 51, 55)),
        ({"at": (50, 50), "files": 5}, (47.5, 48, 52.5, 52)),
    ],
)
def test_a_boundary_follows_place_facing_and_formation_on_the_board(
    field_of_battle: Build, put: dict[str, object], box: tuple[float, float, float, float]
) -> None:
    ranks = {"members": 20, "files": 10, "formation": "ranked", **put}

    battle = field_of_battle(ranks, BOB)

    assert situation_of(battle).outline(0).bounds == pytest.approx(box, abs=0.01)
