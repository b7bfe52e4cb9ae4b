"""Named views of a battle: the whole fight, the map, a unit's eyes."""

from __future__ import annotations

from typing import Literal

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force.facing import degrees_of
from emlia3d.view import framing
from emlia3d.view.scale import block_m, units_in_sight
from emlia3d.view.scene import Camera, Scene

View = Literal["overview", "top", "eye"]


def camera_of(
    setup: Setup, state: State, scene: Scene, view: View, *, unit: int | None, aspect: float
) -> Camera:
    """Where a named view looks from."""
    there = units_in_sight(state)
    if view == "top":
        return framing.top(scene, aspect)
    if view == "overview" or not there:
        return framing.overview(scene, aspect)
    return behind(setup, state, scene, unit if unit in there else there[0])


def behind(setup: Setup, state: State, scene: Scene, unit: int) -> Camera:
    """Over the shoulders of a unit's rear rank, or from the head of a single fighter."""
    corners = block_m(setup, state, unit)
    # Half way to the right: the standard stands in the middle.
    rear = 0.75 * corners[2] + 0.25 * corners[3]
    many = state.units.integer("members", unit) > 1
    lift = setup.field.scale.metres_of_heights(float(state.units.value("on_height", unit)))
    return framing.eye_level(
        scene,
        float(rear[0]),
        float(rear[1]),
        degrees_of(state.units.integer("facing", unit)),
        height_m=(2.6 if many else framing.EYE_HEIGHT_M) + lift,
        back_m=4.0 if many else 0.0,
    )
