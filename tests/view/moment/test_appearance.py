"""Names that pictures go by: the page on rule systems lists them all, and they are drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force import Column
from emlia3d.force.appearance import BROKEN, LOWEST, MOODS, POSTURE, POSTURES, TAKING_COVER
from emlia3d.view.moment.figures import figures_of
from emlia3d.view.moment.morale_bands import despair_of
from emlia3d.view.moment.scene import KNEELING, PRONE, STANDING

PAGE = Path(__file__).parents[3] / "docs" / "rule-systems.md"


def test_the_page_on_rule_systems_names_them_all() -> None:
    after = PAGE.read_text("utf-8").partition("\n## Names that change the picture\n")[2]
    section = after.partition("\n##")[0]
    named = set(re.findall(r"`(\w+)`", section))

    assert {POSTURE, *POSTURES, TAKING_COVER, *MOODS, *BROKEN} <= named
    assert f"{LOWEST:g}" in section


def state_with(setup: Setup, column: Column, value: int) -> State:
    heights = [feature.height for feature in setup.field.features]
    state = State.mustered([unit.muster for unit in setup.units], 2, heights, (column,))
    state.units.writable(column.name)[0] = value
    return state


@pytest.mark.parametrize(("word", "pose"), [*POSTURES.items(), ("upright", "standing")])
def test_a_word_of_posture_is_drawn(setup: Setup, word: str, pose: str) -> None:
    column = Column(table="unit", name=POSTURE, label="posture", words=("upright", word))

    figures = figures_of(setup, state_with(setup, column, 1))

    assert figures.pose[0] == {"prone": PRONE, "kneeling": KNEELING, "standing": STANDING}[pose]
    assert figures.pose[20] == STANDING


@pytest.mark.parametrize("name", MOODS)
@pytest.mark.parametrize("word", sorted(BROKEN))
def test_a_unit_is_broken_by_a_word_of_its_mood(setup: Setup, name: str, word: str) -> None:
    column = Column(table="unit", name=name, label="mood", words=("steady", word))
    state = state_with(setup, column, 1)

    assert (despair_of(state, 0), despair_of(state, 1)) == (1.0, 0.0)


def test_taking_cover_is_kneeling(setup: Setup) -> None:
    column = Column(table="unit", name=TAKING_COVER, label="takes cover")

    assert figures_of(setup, state_with(setup, column, 1)).pose[0] == KNEELING
