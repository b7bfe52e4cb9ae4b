"""The camera that looks for where the fight is thickest."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.camera.framing import overview
from emlia3d.view.camera.hotspot import thick
from emlia3d.view.moment.scene import FALLEN, Camera, Figures, Patch, Scene, SideLook, flat

SIDES = (SideLook(name="blue", colour="#2050b0"), SideLook(name="red", colour="#b02020"))
SIZE = (1280, 720)


def _scene(
    x: NDArray[np.float64], y: NDArray[np.float64], team: NDArray[np.int_], *patches: Patch
) -> Scene:
    count = len(x)
    none, nothing = np.zeros(count, np.float32), np.zeros(count, np.uint8)
    figures = Figures(
        x_m=x.astype(np.float32), y_m=y.astype(np.float32), team=team.astype(np.uint8),
        facing_deg=none, model=nothing, pose=nothing, shade=nothing,
        size=np.ones(count, np.float32), lift_m=none,
    )  # fmt: skip
    return Scene(terrain=flat((1200.0, 1200.0), patches), sides=SIDES, figures=figures)


def _battle(*patches: Patch) -> Scene:
    """Two long lines far from each other, and in the east a fight of forty at arm's length."""
    along = np.linspace(100.0, 900.0, 200)
    x = np.concatenate([along, along, np.tile(np.linspace(1000.0, 1040.0, 20), 2)])
    y = np.repeat([300.0, 800.0, 600.0, 602.0], [200, 200, 20, 20])
    return _scene(x, y, np.repeat([0, 1, 0, 1], [200, 200, 20, 20]), *patches)


def _fighters(scene: Scene) -> NDArray[np.float64]:
    x, y = scene.figures.x_m[400:], scene.figures.y_m[400:]
    return np.stack([x, y, np.full(40, 1.7)], axis=1)


def _in_picture(scene: Scene, camera: Camera) -> NDArray[np.bool_]:
    spots = eyesight(camera, SIZE).project(_fighters(scene))
    return np.asarray(((spots >= 0) & (spots < SIZE)).all(axis=1))


def test_those_at_arms_length_are_shown_large_though_most_stand_elsewhere() -> None:
    scene = _battle()
    near, whole = thick(scene), overview(scene)

    assert _in_picture(scene, near).all()
    away = np.linalg.norm(_fighters(scene) - near.eye, axis=1)
    assert away.max() < 0.2 * np.linalg.norm(_fighters(scene) - whole.eye, axis=1).min()


def test_it_looks_past_what_would_hide_the_fight() -> None:
    """From the south-west it would look best, were it not for a tower of eighty metres there."""
    tower = np.array([(960.0, 540.0), (1035.0, 540.0), (1035.0, 590.0), (960.0, 590.0)])
    assert _hidden(thick(_battle()), tower) > 0.9, "it would look from there"

    walled = _battle(Patch(kind="tower", outline_m=(tower,), height_m=80.0))

    assert _hidden(thick(walled), tower) < 0.1


def _hidden(camera: Camera, tower: NDArray[np.float64]) -> float:
    """The share of the fighters between whom and the eye there is the tower's outline."""
    heads, body = _fighters(_battle()), shapely.Polygon(tower)
    ways = [shapely.LineString([camera.eye[:2], head[:2]]) for head in heads]
    return float(shapely.intersects(ways, body).mean())


def test_it_is_the_whole_field_where_nobody_is_left_and_the_same_every_time() -> None:
    scene = _battle()
    assert thick(scene) == thick(_battle())

    scene.figures.pose[:] = FALLEN

    assert thick(scene) == overview(scene)
