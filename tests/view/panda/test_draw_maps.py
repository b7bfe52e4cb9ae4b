"""What only maps and stills have: blocks, a legend, masonry, smoke."""

import numpy as np
import pytest

from emlia3d.view.camera.framing import top
from emlia3d.view.moment.scene import (
    Banner,
    Camera,
    DrawnGround,
    Patch,
    Scene,
    SideLook,
    Stroke,
    flat,
)
from emlia3d.view.panda.labels.legend import plate_of, round_length
from emlia3d.view.panda.land.plinths import stood_on
from emlia3d.view.panda.land.solids import masonry
from emlia3d.view.panda.land.terrain import exaggeration
from emlia3d.view.panda.marks import puffs_of
from emlia3d.view.panda.picture import draw_picture
from emlia3d.view.panda.stage import Stage

SIDES = (SideLook(name="Alice", colour="#2040b0"), SideLook(name="Bob", colour="#b02020"))
FRONT = np.array([[80, 102], [120, 102], [120, 98], [80, 98]], float)


def banner(**given):
    return Banner(**({"x_m": 100, "y_m": 100, "team": 0, "text": "", "outline_m": FRONT} | given))


def test_a_line_of_men_is_a_block_on_the_map_that_nobody_overlooks(display):
    terrain = flat((3000.0, 3000.0))
    thin = np.array([[1400, 1501], [1600, 1501], [1600, 1499], [1400, 1499]], float)
    scene = Scene(
        terrain=terrain,
        sides=SIDES,
        banners=(banner(x_m=1500, y_m=1500, team=1, outline_m=thin, facing_deg=0.0),),
    )
    camera = Camera(eye=(1500, 1499, 2500), look_at=(1500, 1500, 0))
    picture = draw_picture(scene, camera, (640, 360), display).astype(int)
    red = (picture[..., 0] > picture[..., 2] + 60) & (picture[..., 0] > picture[..., 1] + 40)
    rows = np.flatnonzero(red[:, 300:315].any(axis=1))
    assert len(rows) >= 5, "two metres would be less than a pixel"
    north, south = red[140:176].sum(), red[184:220].sum()
    assert north > south, "the tick points where the unit looks"


@pytest.mark.long
def test_a_map_has_a_scale_and_a_view_has_none(display):
    scene = Scene(terrain=flat((400.0, 400.0)), sides=SIDES)
    steep, level = top(scene), Camera(eye=(200, -100, 60), look_at=(200, 200, 0))
    corner = [
        draw_picture(scene, camera, (640, 360), display)[-44:-10, 10:90].astype(int)
        for camera in (steep, level)
    ]
    ink = [(pixels.min(axis=2) > 225).sum() for pixels in corner]
    assert ink[0] > 30
    assert ink[1] == 0


def test_the_scale_of_a_map_follows_the_camera_and_comes_back_with_it(display):
    stage = Stage(display, (640, 360))
    stage.show(Scene(terrain=flat((4000.0, 4000.0)), sides=SIDES))
    level = Camera(eye=(200, -100, 60), look_at=(200, 200, 0))

    def ink_end(camera):
        stage.look(camera)
        ink = stage.image()[-44:-10, 10:110].min(axis=2) > 225
        return np.flatnonzero(ink.any(axis=0)).max(initial=-1)

    lower, higher = (Camera(eye=(2000, 2000, up), look_at=(2000, 2000, 0)) for up in (400, 480))
    ends = [ink_end(camera) for camera in (lower, lower, higher, level, higher, lower)]
    assert ends[0] == ends[1] == ends[5] > ends[2] == ends[4] > 0
    assert ends[3] == -1
    stage.close()


def test_a_scale_bar_has_a_round_length():
    assert [round_length(most) for most in (0.9, 7.0, 50.0, 199.0, 4200.0)] == [
        0.5,
        5.0,
        50.0,
        100.0,
        2000.0,
    ]


def test_a_scale_bar_is_as_long_as_it_says():
    short, long = (plate_of(100.0, length, 0.0, 12)[-9, 42:-2, :3] for length in (60, 120))
    ends = [np.flatnonzero(row.max(axis=1) > 90)[[0, -1]] for row in (short, long)]
    assert ends[0][0] == ends[1][0]
    assert ends[1][1] - ends[0][1] == 60


def test_who_stands_high_stands_on_something():
    (block,) = stood_on((banner(lift_m=8.0), banner(x_m=20)), flat((200.0, 200.0)))
    place = masonry((block,), flat((200.0, 200.0))).vertices["place"]
    assert place[:, 2].max() == pytest.approx(8.0, abs=1e-3)
    assert place[:, 0].min() < 80
    assert place[:, 0].max() > 120


def test_who_flies_stands_on_nothing():
    assert stood_on((banner(lift_m=8.0, aloft=True),), flat((200.0, 200.0))) == ()


def test_who_stands_on_a_wall_that_is_drawn_gets_no_other():
    wall = Patch(kind="wall", outline_m=(1.2 * FRONT - 20,), height_m=8)
    assert stood_on((banner(lift_m=8.0),), flat((200.0, 200.0), (wall,))) == ()


def test_smoke_hangs_before_the_muzzle_and_not_over_the_men():
    shots = [Stroke(start=(x, 0, 1.4), end=(x, 90, 1.1), tone="volley", smoke=True) for x in (0, 8)]
    puffs = puffs_of(shots)
    assert len(puffs) >= 4
    assert (puffs[:, 1] > 0.5).all()
    assert (puffs[:, 1] < 12).all()
    assert ((puffs[:, 4] > 0) & (puffs[:, 4] <= 1)).all()


def test_gentle_country_is_lit_as_if_steeper_and_mountains_are_not():
    ramp = np.tile(np.linspace(0, 1, 41, dtype=np.float32), (41, 1))
    gentle, steep = (
        exaggeration(DrawnGround(elevation_m=ramp * rise, size_m=(400.0, 400.0)))
        for rise in (50, 400)
    )
    assert gentle > 2.5
    assert steep < 1.5
