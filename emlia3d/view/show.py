"""The two ways to show a battle: one picture, or a window that plays it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force.facing import degrees_of
from emlia3d.view import framing
from emlia3d.view.describe import scene_of
from emlia3d.view.scale import block_m, units_in_sight
from emlia3d.view.scene import Camera, Scene

View = Literal["overview", "top", "eye"]


def picture(  # noqa: PLR0913  what may be wanted of a picture, each by its name
    setup: Setup,
    state: State,
    camera: View | Camera = "overview",
    *,
    unit: int | None = None,
    events: Sequence[Event] = (),
    size: tuple[int, int] = (1280, 720),
    path: Path | None = None,
    display: str | None = None,
) -> NDArray[np.uint8]:
    """Draw a battle as it stands; (height, width, 3) uint8, red first, top row first.

    camera : the whole fight, the map, what someone in *unit* sees, or any place to look from
    unit : shown as chosen; "eye" takes the first unit on the field where None is given
    events : what has just happened, shown by marks
    path : where to keep the picture as well
    display : a way to draw, by name; the best there is where None is given

    Raises
    ------
    DisplayError
        Nothing on this machine can draw.
    """
    from emlia3d.view.panda.display import choose  # noqa: PLC0415  only here is it wanted
    from emlia3d.view.panda.picture import draw_picture, save_picture  # noqa: PLC0415

    scene = scene_of(setup, state, events=events, selected=unit, contours=camera != "eye")
    if not isinstance(camera, Camera):
        camera = camera_of(setup, state, scene, camera, unit=unit, aspect=size[0] / size[1])
    image = draw_picture(scene, camera, size, choose(display))
    if path is not None:
        save_picture(path, image)
    return image


def camera_of(  # noqa: PLR0913  a moment, and a view of it
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
