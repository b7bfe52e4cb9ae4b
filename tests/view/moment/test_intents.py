"""Missions as marks on the ground."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.questions.intents import Intent
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.intents import FLANK_GSU, intents_of
from emlia3d.view.moment.scene import Arrow, Mark, Stroke

UNIT = 3
Drawn = Callable[..., tuple[Mark, ...]]


@pytest.fixture
def battle() -> Battle:
    found = emlia3d.load("ridge").battle(seed=1)
    found.suppose(found.system.opening(found.setup))
    return found


@pytest.fixture
def drawn(battle: Battle) -> Drawn:
    terrain = terrain_of(battle.setup, battle.state)

    def draw(line: tuple[tuple[float, float], ...], **other: object) -> tuple[Mark, ...]:
        intent = Intent(group="Infantry", text="", units=(UNIT,), line=line, **other)
        return intents_of(battle.setup, battle.state, (intent,), terrain)

    return draw


def place(battle: Battle) -> tuple[float, float]:
    x, y = (float(battle.state.units.value(name, UNIT)) for name in ("x", "y"))
    return x, y


def reach(marks: tuple[Mark, ...], battle: Battle) -> tuple[float, float]:
    """Return the lowest and the highest north of the lines, GSU."""
    points = [
        end[1] for mark in marks if isinstance(mark, Stroke) for end in (mark.start, mark.end)
    ]
    metres = battle.setup.field.scale.metres_per_gsu
    return min(points) / metres, max(points) / metres


@pytest.mark.parametrize(
    ("left", "right", "rear"), [(380.0, 460.0, -FLANK_GSU), (460.0, 380.0, FLANK_GSU)]
)
def test_the_ends_of_a_front_point_to_its_rear(
    battle: Battle, drawn: Drawn, left: float, right: float, rear: float
) -> None:
    low, high = reach(drawn(((left, 300.0), (right, 300.0))), battle)

    assert (low, high) == pytest.approx(sorted([300.0, 300.0 + rear]))


def test_a_limit_is_a_broken_line_so_far_ahead(battle: Battle, drawn: Drawn) -> None:
    line = ((380.0, 300.0), (460.0, 300.0))
    whole, more = drawn(line), drawn(line, limit=60.0)

    assert reach(more, battle)[1] == pytest.approx(360.0)
    assert len(more) - len(whole) == 4, "every other one of eight pieces"


def test_an_arrow_leads_from_the_units_to_their_goal_or_else_their_line(
    battle: Battle, drawn: Drawn
) -> None:
    metres = battle.setup.field.scale.metres_per_gsu
    line = ((380.0, 400.0), (460.0, 400.0))
    for other, end in (({}, (420.0, 400.0)), ({"goal": (500.0, 450.0)}, (500.0, 450.0))):
        (arrow,) = (mark for mark in drawn(line, **other) if isinstance(mark, Arrow))
        assert arrow.path_m / metres == pytest.approx(np.array([place(battle), end]))


def test_units_that_are_there_have_no_arrow(battle: Battle, drawn: Drawn) -> None:
    x, y = place(battle)

    marks = drawn(((x - 40.0, y), (x + 40.0, y)))

    assert marks
    assert not any(isinstance(mark, Arrow) for mark in marks)


def test_a_group_without_units_on_the_field_is_not_drawn(battle: Battle, drawn: Drawn) -> None:
    battle.state.units.writable("present")[UNIT] = 0

    assert drawn(((380.0, 300.0), (460.0, 300.0))) == ()
