"""Chapter 4 as play: subjects of the wrong side, number or kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.acting.subjects import may_do, may_target

Build = Callable[..., Battle]
PLACE = (60.0, 60.0)
WALLS = (
    {"kind": "rock", "height": 5, "box": (130, 135, 165, 140)},
    {"kind": "rock", "height": 5, "box": (135, 140, 140, 180)},
)
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}


@pytest.fixture(scope="module")
def crowd(field_of_battle: Build) -> Battle:
    """The actor 0, friends 1 and 2, enemies 3 and 4 in the open, 5 and 6 behind walls."""
    skills = {"leadership": "1", "close combat": "1", "stealth": "1", "alertness": "1"}
    return field_of_battle(
        {"at": (50, 50), "skills": skills},
        {"at": (45, 50)},
        {"at": (40, 50)},
        {**BOB, "at": (50, 62)},
        {**BOB, "at": (55, 62)},
        {**BOB, "at": (150, 150)},
        {**BOB, "at": (150, 155)},
        terrain=WALLS,
    )


@pytest.mark.rule("emlia.action.source-subject")
@pytest.mark.parametrize(
    ("name", "rows", "is_allowed"),
    [
        # An action on itself names nothing or the unit.
        ("drop down", (), True),
        ("drop down", (0,), True),
        ("drop down", (1,), False),
        ("drop down", (0, 0), False),
        # An action on a friend names one unit of the side or an allied side.
        ("reorder", (0,), True),
        ("reorder", (1,), True),
        ("reorder", (), False),
        ("reorder", (0, 1), False),
        ("reorder", (1, 1), False),
        ("reorder", (3,), False),
        # Two friends are two units.
        ("join units", (0, 1), True),
        ("join units", (1, 2), True),
        ("join units", (1, 1), False),
        ("join units", (1,), False),
        ("join units", (0, 1, 2), False),
        ("join units", (1, 3), False),
        ("join units", (3, 1), False),
        # One enemy that the unit is aware of.
        ("charge", (3,), True),
        ("charge", (5,), False),
        ("charge", (1,), False),
        ("charge", (0,), False),
        ("charge", (), False),
        ("charge", (3, 4), False),
        # Enemies of which it is aware of one.
        ("close combat", (3,), True),
        ("close combat", (3, 4), True),
        ("close combat", (3, 5), True),
        ("close combat", (5, 3), True),
        ("close combat", (5,), False),
        ("close combat", (5, 6), False),
        ("close combat", (1, 3), False),
        ("close combat", (3, 1), False),
        ("close combat", (), False),
        # One enemy that it is not aware of.
        ("detect hidden", (5,), True),
        ("detect hidden", (3,), False),
        ("detect hidden", (1,), False),
        ("detect hidden", (), False),
        ("detect hidden", (5, 6), False),
        # A place alone.
        ("area volley", (), False),
        ("area volley", (3,), False),
    ],
)
def test_units_are_subjects_by_side_number_and_awareness(
    crowd: Battle, name: str, rows: tuple[int, ...], is_allowed: bool
) -> None:
    assert (may_target(crowd, 0, name, *rows) is None) is is_allowed


@pytest.mark.rule("emlia.action.source-subject")
@pytest.mark.parametrize(
    ("name", "rows", "is_allowed"),
    [
        ("area volley", (), True),
        ("area volley", (3,), False),
        ("drop down", (), False),
        ("drop down", (0,), False),
    ],
)
def test_a_place_is_the_subject_of_an_area_volley_alone(
    crowd: Battle, name: str, rows: tuple[int, ...], is_allowed: bool
) -> None:
    assert (may_target(crowd, 0, name, *rows, point=PLACE) is None) is is_allowed


@pytest.mark.rule("emlia.action.source-subject")
@pytest.mark.parametrize(
    ("name", "is_allowed"),
    [
        ("charge", True),
        ("aimed fire", True),
        ("close combat", True),
        ("drop down", False),
        ("reorder", False),
        ("detect hidden", False),
    ],
)
def test_a_feature_is_the_subject_of_attacks_alone(
    crowd: Battle, name: str, is_allowed: bool
) -> None:
    assert (may_target(crowd, 0, name, feature=True) is None) is is_allowed
    assert may_target(crowd, 0, "area volley", point=PLACE, feature=True) is not None


@pytest.mark.rule("emlia.action.source-subject", "emlia.action.subject-awareness")
@pytest.mark.parametrize(
    ("name", "rows", "slug"),
    [
        ("charge", (5,), "emlia.action.subject-awareness"),
        ("close combat", (5, 6), "emlia.action.subject-awareness"),
        ("charge", (1,), "emlia.action.source-subject"),
        ("detect hidden", (3,), "emlia.aware.detect"),
    ],
)
def test_a_refusal_names_the_rule_that_bars_the_subject(
    crowd: Battle, name: str, rows: tuple[int, ...], slug: str
) -> None:
    refusal = may_target(crowd, 0, name, *rows)

    assert refusal is not None
    assert refusal.slug == slug


@pytest.mark.rule("emlia.action.source-subject")
def test_an_ally_is_a_friend_and_no_enemy(field_of_battle: Build) -> None:
    sides = (
        Side(name="Alice", colour="#000000", allies=("Carol",)),
        Side(name="Bob", colour="#111111"),
        Side(name="Carol", colour="#222222"),
    )
    units = ({"at": (50, 50)}, {"at": (60, 50), "side": "Carol"}, {**BOB, "at": (50, 70)})
    battle = field_of_battle(*units, sides=sides, order=(3, 2, 1))

    allowed = [
        [may_target(battle, 0, name, row) is None for row in (1, 2)]
        for name in ("reorder", "charge")
    ]

    assert allowed == [[True, False], [False, True]]


@pytest.mark.rule("emlia.action.source-subject")
def test_an_action_may_be_done_if_its_cost_and_its_subject_allow_it(field_of_battle: Build) -> None:
    fresh, spent = (
        field_of_battle({"at": (50, 50), "put": {"primary_used": used}}, {**BOB, "at": (50, 60)})
        for used in (0, 1)
    )

    assert may_do(fresh, 0, "charge", subjects=(1,)) is None
    assert may_do(fresh, 0, "charge", subjects=(0,)) is not None
    assert may_do(fresh, 0, "charge", feature=True) is None
    assert may_do(fresh, 0, "charge") is not None
    assert may_do(spent, 0, "charge", subjects=(1,)) is not None
