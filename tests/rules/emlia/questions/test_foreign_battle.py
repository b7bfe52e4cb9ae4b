"""Troops of another rule system's battle are mustered for Emlia by what is seen of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.facts import BattleFacts, UnitFacts, facts_of
from emlia3d.field import Scale
from emlia3d.force.formation import Formation, FormationLayout
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.questions.foreign_battle import answer_abroad, mustered, size_of

Build = Callable[..., Battle]

TENTHS = Scale(metres_per_gsu=4.0, metres_per_height=3.66)
"""A GSU and a height unit twice as long as Emlia's."""


@pytest.fixture
def facts(field_of_battle: Build) -> BattleFacts:
    """Eight in two ranks, one alone, and one with a boundary of its own, at twice the scale."""
    battle = field_of_battle(
        {"at": (30, 20), "members": 8, "files": 4, "formation": "ranked", "name": "eight"},
        {"at": (30, 60), "side": "Bob", "facing": 180, "name": "one", "on_height": 1.5},
        {"at": (60, 60), "side": "Bob", "name": "drawn"},
        size=(100, 100),
        scale=TENTHS,
    )
    found = facts_of(battle)
    drawn = replace(found.units[2], drawn=True, outline=box(50, 55, 70, 65))
    return replace(found, units=(*found.units[:2], drawn))


@pytest.mark.parametrize(
    ("height", "size"),
    [(1, 1), (1.1, 1), (2, 8), (1.5, 3), (3, 27), (0.5, 0.125), (0.8, 0.5), (0.7, 0.25)],
)
def test_a_size_is_the_volume_of_a_height_as_a_unit_set_may_print_it(
    height: float, size: float
) -> None:
    assert size_of(height) == size


def test_places_lengths_and_heights_are_taken_by_metres(facts: BattleFacts) -> None:
    setup = mustered(facts)

    assert (setup.rules, setup.turns, setup.title) == ("emlia", 1, facts.title)
    assert setup.field.size == (200, 200)
    eight, one, drawn = (unit.muster for unit in setup.units)
    assert (eight.at, eight.members, eight.files) == ((60, 40), 8, 4)
    assert (eight.facing, one.facing) == (0, 180 * 64)
    assert (one.at, one.side, one.on_height) == ((60, 120), 1, 3.0)
    assert one.troops.width == 2 * facts.units[1].drill.width
    assert one.troops.depth == 2 * facts.units[1].drill.depth
    assert (eight.on_height, drawn.on_height) == (0, 0)


def test_a_body_that_is_drawn_keeps_its_boundary_and_the_others_have_none(
    facts: BattleFacts,
) -> None:
    eight, one, drawn = mustered(facts).units

    assert eight.outline is one.outline is None
    assert drawn.outline is not None
    assert drawn.outline.bounds == (100, 110, 140, 130)


def test_an_entry_has_the_height_the_size_and_the_files_that_are_seen(facts: BattleFacts) -> None:
    eight, one, _ = (unit.entry for unit in mustered(facts).units)

    assert (eight.height, eight.size, eight.members, eight.files) == (2, 8, 8, 4)  # type: ignore[union-attr]
    assert (one.members, one.files) == (1, 1)  # type: ignore[union-attr]
    assert eight.formation == "ranked"  # type: ignore[union-attr]


def test_a_unit_with_more_files_than_men_stands_in_one_rank(facts: BattleFacts) -> None:
    few = FormationLayout(formation=Formation.CLOSE, count=3, files=5, width=1.0, depth=1.0)
    unit: UnitFacts = replace(facts.units[0], drill=few)

    (found, *_) = mustered(replace(facts, units=(unit, *facts.units[1:]))).units

    assert (found.muster.files, found.muster.members) == (3, 3)
    assert found.entry.files == 3  # type: ignore[union-attr]


def test_the_answer_tells_how_the_two_who_are_asked_about_were_taken(facts: BattleFacts) -> None:
    told: Any = answer_abroad(SYSTEM, replace(facts, rules="Skirmish"), 0, 1, 2)

    assert (told.observer, told.target, told.damage) == ("eight", "one", 2)
    assert told.distance == pytest.approx(
        2 * facts.units[0].outline.distance(facts.units[1].outline)
    )
    assert told.text.endswith(
        "This is a battle of Skirmish: its lengths and heights are converted by metres, 2 m for a "
        "GSU and 1.83 m for a height unit, and each unit is represented by its visible size, eight "
        "as 8 of size 8 and height 2 and one as one of size 8 and height 2."
    )
