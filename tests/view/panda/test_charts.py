"""The ground as a chart: tinted by slope, as bare relief, and with the heights of its contours."""

from dataclasses import replace

import numpy as np
import pytest

from emlia3d.view.moment.scene import Camera, DrawnGround, Light, Patch, Scene, flat
from emlia3d.view.panda.display import Display, probe
from emlia3d.view.panda.land.charts import STEEPS, charted
from emlia3d.view.panda.land.levels import EVERY, labelled_places
from emlia3d.view.panda.land.paint import paint
from emlia3d.view.panda.land.terrain import contour_interval
from emlia3d.view.panda.stage import Stage


def ramp(degrees):
    """Ground that climbs to the east at so many degrees in its eastern half."""
    east = np.arange(100) + 0.5
    rise = np.clip(east - 50, 0, None) * np.tan(np.radians(degrees)) * 4
    return DrawnGround(
        elevation_m=np.broadcast_to(rise, (100, 100)).astype(np.float32), size_m=(400.0, 400.0)
    )


def tints(terrain):
    """The chart's colours in the middle of the west and of the east."""
    picture = charted(paint(terrain, Light(), 256), terrain, "slope")
    return picture[128, 40].tolist(), picture[128, 200].tolist()


@pytest.mark.parametrize(
    ("degrees", "row"), [(1, 0), (5, 1), (9, 2), (15, 3), (25, 4), (40, 5)]
)  # fmt: skip
def test_the_steeper_the_ground_the_darker_its_tint(degrees, row):
    west, east = tints(ramp(degrees))
    assert west == STEEPS[0].astype(int).tolist()
    assert east == STEEPS[row].astype(int).tolist()


def test_each_tint_is_darker_than_the_one_before():
    light = STEEPS @ np.array([0.2126, 0.7152, 0.0722])
    assert (np.diff(light) < -15).all()


def test_water_stays_blue_on_every_chart():
    lake = Patch(kind="lake", outline_m=(np.array([(50, 50), (350, 50), (350, 350), (50, 350)]),))
    terrain = flat((400.0, 400.0), (lake,))
    painted = paint(terrain, Light(), 256)
    for chart in ("relief", "slope"):
        red, _, blue = charted(painted, terrain, chart)[128, 128].astype(int)
        assert blue > red + 40


def test_the_country_is_charted_as_it_is_painted():
    terrain = ramp(9)
    painted = paint(terrain, Light(), 64)
    assert charted(painted, terrain, "country") is painted.colour


def test_every_label_stands_on_its_contour_and_points_uphill():
    x, y = np.meshgrid(np.linspace(-1, 1, 200), np.linspace(1, -1, 200))
    hill = (120 * np.exp(-2 * (x * x + y * y))).astype(np.float32)
    terrain = DrawnGround(elevation_m=hill, size_m=(1000.0, 1000.0))
    place, number, up = labelled_places(terrain)
    bold = contour_interval(terrain) * EVERY
    assert len(place) >= 6
    assert len({*number}) >= 2
    height = terrain.heights(place[:, 0], place[:, 1])
    assert np.abs(height - number * bold).max() < 2
    inward = np.array([500.0, 500.0]) - place
    inward /= np.linalg.norm(inward, axis=1, keepdims=True)
    assert ((up * inward).sum(axis=1) > 0.9).all()
    assert np.linalg.norm(up, axis=1) == pytest.approx(1)


def test_a_strip_of_ground_far_wider_than_deep_has_no_room_for_labels():
    slope = np.tile(np.linspace(0, 400, 200, dtype=np.float32), (20, 1))
    deep, shallow = (
        labelled_places(DrawnGround(elevation_m=slope, size_m=(10_000.0, depth)))
        for depth in (700.0, 500.0)
    )
    assert len(deep[0]) >= 3
    assert [len(part) for part in shallow] == [0, 0, 0]


def test_level_ground_has_no_labels():
    assert [len(part) for part in labelled_places(flat((100.0, 100.0)))] == [0, 0, 0]


@pytest.mark.parametrize("pipe", ["p3headlessgl", "p3tinydisplay"])
def test_a_chart_changes_the_ground_and_can_be_changed_back(pipe):
    display = probe(pipe, False)
    if not isinstance(display, Display):
        pytest.skip(f"{pipe} draws nothing here: {display.reason}")
    scene = Scene(terrain=ramp(25), contours=False)
    camera = Camera(eye=(200, 200, 420), look_at=(200, 200.1, 0))
    stage = Stage(display, (320, 180))
    pictures = {}
    stage.show(scene)
    for chart in ("country", "relief", "slope", "country again"):
        stage.show_chart(chart.split()[0])
        stage.look(camera)
        pictures[chart] = stage.image().astype(int)
    stage.show(replace(scene, chart="slope"))
    stage.look(camera)
    at_once = stage.image()
    stage.close()
    assert np.abs(pictures["country"] - pictures["country again"]).mean() < 1
    assert np.abs(pictures["country"] - pictures["slope"]).mean() > 10
    assert np.abs(at_once - pictures["slope"]).mean() < 1
    west, east = (pictures["slope"][60:120, columns].mean(axis=(0, 1)) for columns in
                  (slice(90, 140), slice(190, 240)))  # fmt: skip
    assert west[2] > east[2] + 40, "level ground is pale, steep ground brown"
    grey = pictures["relief"][60:120, 90:240].mean(axis=(0, 1))
    assert np.ptp(grey) < np.ptp(pictures["country"][60:120, 90:240].mean(axis=(0, 1)))
