"""The picture of an event has all its units and lines, seen from low down if they are close."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.battle.events import Event, Unread
from emlia3d.rules.epic.events import Fired
from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.camera.framing import CORRIDOR_STEEP_DEG, overview
from emlia3d.view.camera.shots import LEAST_STEEP_DEG, action_view
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.scale import block_m
from emlia3d.view.moment.scene import Camera
from tests.rules.epic.boards import board

ASPECT = 16 / 9


def steep_deg(camera: Camera) -> float:
    """Return how steeply a camera looks down."""
    east, north, up = np.array(camera.eye) - np.array(camera.look_at)
    return float(np.degrees(np.arctan2(up, np.hypot(east, north))))


@pytest.mark.parametrize(("r", "steep"), [(5, 12.0), (16, CORRIDOR_STEEP_DEG)])
def test_units_of_an_event_are_in_the_picture_from_low_down_if_near(r: int, steep: float) -> None:
    battle = board({"tile": [4, 4]}, {"side": "Red", "tile": [4, r]}, {"tile": [18, 1]})
    scene = scene_of(battle.setup, battle.state)
    event = Event(facts=Unread(event="shot"), unit=0, target=1, gesture="shoot")

    camera = action_view(battle.setup, battle.state, scene, [event], ASPECT)

    corners = np.concatenate([block_m(battle.setup, battle.state, unit) for unit in (0, 1)])
    spots = eyesight(camera, (1600, 900)).project(np.column_stack([corners, np.zeros(8)]))
    assert (spots > 0).all()
    assert (spots < (1600, 900)).all()
    assert np.ptp(spots[:, 0]) > 500, "they fill it"
    assert LEAST_STEEP_DEG - 1 < steep_deg(camera) < steep + 1


def test_the_line_of_a_crossfire_is_in_the_picture() -> None:
    battle = board({"tile": [4, 4]}, {"side": "Red", "tile": [6, 4]})
    scene = scene_of(battle.setup, battle.state)
    line = ((6.5, 4.0), (18.0, 4.0))
    facts = Fired(
        dice=1, modifier=0, successes=1, value="AP", weapon="gun", need=3, crossfire=True, line=line
    )
    event = Event(facts=facts, unit=0, target=1, gesture="shoot")

    camera = action_view(battle.setup, battle.state, scene, [event], ASPECT)

    ends = np.column_stack([np.array(line) * battle.setup.field.scale.metres_per_gsu, [0.0, 0.0]])
    spots = eyesight(camera, (1600, 900)).project(ends)
    assert ((spots > 0) & (spots < (1600, 900))).all()


def test_an_event_without_units_shows_the_whole_fight() -> None:
    battle = board({"tile": [4, 4]}, {"side": "Red", "tile": [6, 4]})
    scene = scene_of(battle.setup, battle.state)
    event = Event(facts=Unread(event="turn"))

    assert action_view(battle.setup, battle.state, scene, [event], ASPECT) == overview(
        scene, ASPECT
    )
