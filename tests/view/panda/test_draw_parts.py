"""The parts of a picture, before any is drawn."""

import numpy as np
import pytest

from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.camera.framing import eye_level, overview, top
from emlia3d.view.moment.scene import (
    FALLEN,
    Banner,
    Camera,
    DrawnGround,
    Figures,
    Light,
    Patch,
    Scene,
    SideLook,
    flat,
)
from emlia3d.view.panda.labels.layout import MOST_SHARE, spread
from emlia3d.view.panda.labels.plates import plates
from emlia3d.view.panda.land.paint import paint
from emlia3d.view.panda.land.placing import place_all


def figures_at(x, y, team, **columns):
    count = len(x)
    nothing = np.zeros(count, np.uint8)
    given = {
        "facing_deg": np.zeros(count, np.float32),
        "model": nothing,
        "pose": nothing,
        "shade": nothing,
        "size": np.ones(count, np.float32),
        "lift_m": np.zeros(count, np.float32),
    } | columns
    return Figures(
        x_m=np.asarray(x, np.float32),
        y_m=np.asarray(y, np.float32),
        team=np.asarray(team, np.uint8),
        **given,
    )


def test_what_is_straight_ahead_lies_in_the_middle_and_what_is_behind_nowhere():
    sight = eyesight(Camera(eye=(0, 0, 10), look_at=(0, 100, 10)), (640, 360))
    ahead, right, behind = sight.project(np.array([[0, 50, 10], [5, 50, 10], [0, -50, 10]]))
    assert ahead == pytest.approx([320, 180])
    assert right[0] > 320
    assert np.isnan(behind).all()


def test_a_camera_that_looks_straight_down_has_north_up():
    sight = eyesight(Camera(eye=(0, 0, 100), look_at=(0, 0, 0)), (640, 360))
    north, east = sight.project(np.array([[0, 10, 0], [10, 0, 0]]))
    assert north[1] < 180
    assert east[0] > 320


@pytest.mark.parametrize("frame", [overview, top])
def test_the_whole_fight_is_in_the_frame(frame):
    x, y = np.meshgrid(np.linspace(300, 700, 20), [200, 420, 800])
    figures = figures_at(x.ravel(), y.ravel(), (y.ravel() > 500).astype(int))
    scene = Scene(terrain=flat((1500.0, 1500.0)), figures=figures)
    sight = eyesight(frame(scene), (1280, 720))
    feet = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    pixels = sight.project(feet)
    assert ((pixels > 0) & (pixels < [1280, 720])).all()
    assert np.ptp(pixels[:, 0]) > 700 or np.ptp(pixels[:, 1]) > 400, "and fills it"


def test_who_ran_far_away_does_not_hold_the_camera_back():
    x = np.concatenate([np.linspace(400, 500, 60), np.linspace(410, 510, 60), [1400.0]])
    y = np.concatenate([np.full(60, 700.0), np.full(60, 760.0), [40.0]])
    team = np.repeat([0, 1, 0], [60, 60, 1])
    scene = Scene(terrain=flat((1500.0, 1500.0)), figures=figures_at(x, y, team))
    for frame in (overview, top):
        sight = eyesight(frame(scene), (1280, 720))
        pixels = sight.project(np.column_stack([x, y, np.zeros(x.size)]))
        inside = ((pixels > 0) & (pixels < [1280, 720])).all(axis=1)
        assert inside[:-1].all()
        assert not inside[-1]
        assert np.ptp(pixels[:-1, 0]) > 500, "the fight is large"


def test_the_lonely_enemy_of_many_is_in_the_frame():
    x, y = [72.0, 84.0, 96.0, 108.0, 100.0], [28.0, 24.0, 24.0, 28.0, 104.0]
    scene = Scene(terrain=flat((180.0, 140.0)), figures=figures_at(x, y, [0, 0, 0, 0, 1]))
    for frame in (overview, top):
        pixels = eyesight(frame(scene), (1280, 720)).project(np.column_stack([x, y, np.ones(5)]))
        assert ((pixels > 0) & (pixels < [1280, 720])).all()


def test_the_overview_looks_from_where_the_ground_hides_nobody():
    north = np.linspace(1, 0, 81)[:, None]
    east = np.linspace(0, 1, 81)[None]
    wall = (60 * np.exp(-(((north - 0.35) / 0.05) ** 2)) * (east < 0.52)).astype(np.float32)
    terrain = DrawnGround(elevation_m=wall, size_m=(800.0, 800.0))
    x, y = np.tile(np.linspace(330, 400, 20), 2), np.repeat([400.0, 440.0], 20)
    scene = Scene(terrain=terrain, figures=figures_at(x, y, np.repeat([0, 1], 20)))
    eye = np.array(overview(scene).eye)
    share = np.linspace(0.02, 0.98, 60)[:, None, None]
    feet = np.column_stack([x, y, terrain.heights(x, y) + 1.7])
    way = eye + (feet - eye)[None] * share
    ground = terrain.heights(way[..., 0].ravel(), way[..., 1].ravel()).reshape(way.shape[:2])
    assert (way[..., 2] > ground).all()


def test_a_figure_that_stands_on_something_high_is_in_the_frame():
    lift = np.array([15.0, 0.0], np.float32)
    figures = figures_at([60, 60], [2, 44], [0, 1], lift_m=lift)
    scene = Scene(terrain=flat((120.0, 80.0)), figures=figures)
    for frame in (overview, top):
        sight = eyesight(frame(scene), (1280, 720))
        head = sight.project(np.array([[60.0, 2.0, 17.0]]))[0]
        assert (head > 0).all()
        assert (head < [1280, 720]).all()


def test_the_fallen_do_not_hold_the_camera_back():
    pose = np.array([0, 0, FALLEN], np.uint8)
    scene = Scene(
        terrain=flat((2000.0, 2000.0)),
        figures=figures_at([900, 1000, 30], [900, 1000, 30], [0, 1, 0], pose=pose),
    )
    sight = eyesight(top(scene), (1280, 720))
    dead = sight.project(np.array([[30.0, 30.0, 0.0]]))[0]
    assert not (0 <= dead[0] < 1280 and 0 <= dead[1] < 720)


def test_eyes_are_their_height_above_the_ground_where_they_stand():
    hill = np.full((4, 4), 25, np.float32)
    scene = Scene(terrain=DrawnGround(elevation_m=hill, size_m=(400.0, 400.0)))
    camera = eye_level(scene, 200, 200, facing_deg=90, height_m=1.7)
    assert camera.eye == pytest.approx((200, 200, 26.7))
    assert camera.look_at[0] > 200


def test_tags_never_cover_one_another():
    feet = np.array([[100, 200], [110, 202], [105, 199], [300, 200]], float)
    sizes = np.full((4, 2), [60.0, 20.0])
    corners = spread(feet, sizes, 640, 360)
    boxes = np.concatenate([corners, corners + sizes], axis=1)[corners[:, 0] >= 0]
    for row, box in enumerate(boxes):
        others = np.delete(boxes, row, axis=0)
        apart = (others[:, :2] >= box[2:]).any(axis=1) | (others[:, 2:] <= box[:2]).any(axis=1)
        assert apart.all()
    assert len(boxes) == 4


def test_where_nobody_is_seen_there_are_no_tags():
    assert spread(np.zeros((0, 2)), np.zeros((0, 2)), 640, 360).shape == (0, 2)


def test_tags_leave_most_of_the_picture_free_however_many_there_are():
    across, down = np.meshgrid(np.arange(20, 640, 30), np.arange(20, 360, 18))
    feet = np.column_stack([across.ravel(), down.ravel()]).astype(float)
    sizes = np.full((len(feet), 2), [60.0, 14.0])
    placed = spread(feet, sizes, 640, 360)
    shown = (placed[:, 0] >= 0).sum()
    assert shown > 20
    assert shown * 60 * 14 <= MOST_SHARE * 640 * 360


def test_a_tag_keeps_off_what_lies_over_the_picture():
    feet, sizes = np.array([[320.0, 180.0]]), np.array([[90.0, 22.0]])
    panels = [(0.0, 0.0, 640.0, 30.0), (250.0, 100.0, 400.0, 178.0)]
    (left, top), *_ = spread(feet, sizes, 640, 360, kept_free=panels)
    assert left >= 0
    for x, y, right, bottom in panels:
        assert left >= right or left + 90 <= x or top >= bottom or top + 22 <= y


def test_a_tag_steps_aside_from_the_people_whom_it_would_cover():
    feet, sizes = np.array([[320.0, 200.0]]), np.array([[60.0, 14.0]])
    at_ease = spread(feet, sizes, 640, 360)[0]
    crowd = np.column_stack([np.linspace(295, 345, 12), np.full(12, at_ease[1] + 7)])
    aside = spread(feet, sizes, 640, 360, crowd)[0]
    inside = (crowd > aside) & (crowd < aside + sizes[0])
    assert not inside.all(axis=1).any()
    assert np.hypot(*(aside - at_ease)) < 60, "but stays near its unit"


def test_a_bar_tells_how_much_of_a_unit_is_left():
    sides = (SideLook(name="Alice", colour="#2a5caa"),)
    whole, half = (
        plates((Banner(x_m=0, y_m=0, team=0, text="Foot", strength=share),), sides, 14)
        for share in (1.0, 0.5)
    )
    lengths = []
    for atlas in (whole, half):
        red, green = atlas.picture[..., 0].astype(int), atlas.picture[..., 1].astype(int)
        lengths.append((np.abs(red - green) > 40).any(axis=0)[30:].sum())
    assert lengths[0] > 20
    assert lengths[1] == pytest.approx(lengths[0] / 2, abs=2)


def test_a_plate_shows_its_sides_colour():
    banner = Banner(x_m=0, y_m=0, team=0, text="1st Foot", subtext="steady")
    atlas = plates((banner,), (SideLook(name="Alice", colour="#2a5caa"),), 14)
    left, upper, right, lower = atlas.boxes[0]
    plate = atlas.picture[upper:lower, left:right, :3].reshape(-1, 3)
    assert (plate == (0x2A, 0x5C, 0xAA)).all(axis=1).sum() > 50


def test_a_road_is_paler_and_water_is_wet_only_within_their_outlines():
    road = np.array([[0, 90], [200, 90], [200, 98], [0, 98]], float)
    lake = np.array([[60, 20], [140, 20], [140, 60], [60, 60]], float)
    patches = (
        Patch(kind="road", outline_m=(road,)),
        Patch(kind="lake", outline_m=(lake,)),
    )
    painted = paint(flat((200.0, 200.0), patches), Light(), texels=256)
    texel = 200 / painted.colour.shape[0]
    on_road = painted.colour[int(94 / texel), 20].astype(int)
    on_grass = painted.colour[int(150 / texel), 20].astype(int)
    assert on_road.sum() > on_grass.sum() + 60
    water = painted.cover[..., 1]
    assert water[int(40 / texel), int(100 / texel)] > 200
    assert water[int(80 / texel), int(100 / texel)] == 0


def test_trees_stand_in_their_wood_and_not_on_the_road_through_it():
    wood = np.array([[20, 20], [180, 20], [180, 180], [20, 180]], float)
    road = np.array([[95, 0], [105, 0], [105, 200], [95, 200]], float)
    patches = (
        Patch(kind="wood", outline_m=(wood,), height_m=9, seed=3),
        Patch(kind="road", outline_m=(road,)),
    )
    props = place_all(flat((200.0, 200.0), patches))
    x, y = np.concatenate([props[name].rows[:, :2] for name in ("conifer", "broadleaf")]).T
    assert len(x) > 300
    assert ((x > 20) & (x < 180) & (y > 20) & (y < 180)).all()
    assert not ((x > 95) & (x < 105)).any()
