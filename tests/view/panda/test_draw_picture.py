"""Pictures by what is in them: sides where they stand, a ridge before the sky."""

import numpy as np
import pytest

from emlia3d.errors import DisplayError
from emlia3d.force.figure_models import MODELS
from emlia3d.view.moment.scene import (
    FALLEN,
    STANDING,
    Arrow,
    Banner,
    Camera,
    DrawnGround,
    Figures,
    Patch,
    Ring,
    Scene,
    SideLook,
    Stroke,
    TintedArea,
    flat,
)
from emlia3d.view.panda.display import Display, choose, survey
from emlia3d.view.panda.models import model_list
from emlia3d.view.panda.picture import draw_picture, save_picture
from emlia3d.view.panda.stage import Stage

SIZE = (320, 180)
SIDES = (
    SideLook(name="Alice", colour="#2040b0", pattern="saltire"),
    SideLook(name="Bob", colour="#b02020", pattern="pale"),
)
OVER_THE_FIELD = Camera(eye=(100, 10, 60), look_at=(100, 100, 0))


def blocks(pose=STANDING, model="foot_musket", **columns):
    """Alice's forty in the west, Bob's forty in the east, two metres apart."""
    east, north = np.meshgrid(np.arange(10) * 2.0, np.arange(4) * 2.0)
    x = np.concatenate([60 + east.ravel(), 120 + east.ravel()]).astype(np.float32)
    y = np.concatenate([100 + north.ravel()] * 2).astype(np.float32)
    count = len(x)
    return Figures(
        x_m=x,
        y_m=y,
        facing_deg=np.full(count, 180, np.float32),
        team=np.repeat([0, 1], count // 2).astype(np.uint8),
        model=np.full(count, MODELS.index(model), np.uint8),
        pose=np.full(count, pose, np.uint8),
        shade=np.zeros(count, np.uint8),
        size=np.ones(count, np.float32),
        lift_m=np.zeros(count, np.float32),
        **columns,
    )


def chroma(picture, stage, figures, team, reach=2):
    """Mean red less blue of the pixels where a side's figures have their chests."""
    own = figures.team == team
    chest = np.column_stack(
        [figures.x_m[own], figures.y_m[own], np.full(own.sum(), 1.2)],
    )
    columns, rows = stage.project(chest).round().astype(int).T
    around = [
        picture[rows + down, columns + right].astype(int)
        for down in range(-reach, reach + 1)
        for right in range(-1, 2)
    ]
    return float(np.mean([pixels[:, 0] - pixels[:, 2] for pixels in around]))


def test_each_sides_colour_is_where_its_figures_stand(display):
    figures = blocks()
    stage = Stage(display, SIZE)
    stage.show(Scene(terrain=flat((200.0, 200.0)), sides=SIDES, figures=figures))
    stage.look(OVER_THE_FIELD)
    picture = stage.image()
    blue, red = (chroma(picture, stage, figures, team) for team in (0, 1))
    stage.close()
    assert picture.shape == (180, 320, 3)
    assert picture.dtype == np.uint8
    assert blue < red - 40


def test_figures_that_move_are_drawn_where_they_moved_to(display):
    figures = blocks()
    moved = blocks(
        was_x_m=figures.x_m + np.float32(0), was_y_m=figures.y_m - np.float32(40), alpha=0.5
    )
    stage = Stage(display, SIZE)
    stage.show(Scene(terrain=flat((200.0, 200.0)), sides=SIDES, figures=figures))
    stage.update_figures(moved)
    stage.look(OVER_THE_FIELD)
    halfway = stage.image()
    stage.blend(1.0)
    stage.look(OVER_THE_FIELD)
    arrived = stage.image()
    left = chroma(halfway, stage, figures, 1)
    there = chroma(arrived, stage, figures, 1)
    stage.close()
    assert there > left + 20


def test_the_fallen_look_unlike_the_standing(display):
    close = Camera(eye=(70, 84, 3), look_at=(70, 103, 1))
    pictures = [
        draw_picture(
            Scene(terrain=flat((200.0, 200.0)), sides=SIDES, figures=blocks(pose)),
            close,
            SIZE,
            display,
        ).astype(int)
        for pose in (STANDING, FALLEN)
    ]
    blue = [(picture[..., 2] - picture[..., 1] > 40)[70:100].sum() for picture in pictures]
    changed = np.abs(pictures[0] - pictures[1]).sum(axis=2) > 60
    assert changed.sum() > 800
    assert blue[0] > 2 * blue[1], "nobody is upright any more"


@pytest.mark.long
def test_a_hillside_that_the_sun_grazes_has_no_stripes(display):
    x = np.tile(np.arange(400) * 10.0, (400, 1))
    ridge = (600 * np.exp(-((x - 900) ** 2) / (2 * 420**2))).astype(np.float32)
    terrain = DrawnGround(elevation_m=ridge, size_m=(4000.0, 4000.0))
    beyond = Camera(eye=(2900, -1500, 1100), look_at=(1000, -350, 250))
    picture = draw_picture(Scene(terrain=terrain, contours=False), beyond, (960, 540), display)
    slope = picture[200:500, 80:600].astype(float).mean(axis=2)
    assert np.abs(np.diff(slope, 2, axis=0)).mean() < 1.15


def test_a_ridge_stands_out_against_the_sky(display):
    north = np.linspace(1, 0, 41)[:, None]
    east = np.linspace(0, 1, 41)[None]
    heights = (40 * np.exp(-(((north - 0.7) / 0.1) ** 2)) * (east > 0.5)).astype(np.float32)
    terrain = DrawnGround(elevation_m=heights, size_m=(400.0, 400.0))
    camera = Camera(eye=(200, 20, 12), look_at=(200, 300, 18))
    stage = Stage(display, SIZE)
    stage.show(Scene(terrain=terrain, sides=SIDES, contours=False))
    stage.look(camera)
    picture = stage.image().astype(int)
    crest = stage.project(np.array([[270.0, 280.0, 36.0], [130.0, 280.0, 36.0]]))
    stage.close()
    (ridge_x, ridge_y), (valley_x, valley_y) = crest.round().astype(int)
    ridge, above_valley = picture[ridge_y + 4, ridge_x], picture[valley_y + 4, valley_x]
    assert ridge[1] > ridge[2], "green ground"
    assert above_valley[2] > above_valley[1], "blue sky at the same height beside it"


def test_every_model_can_be_drawn_and_leaves_a_mark(display):
    camera = Camera(eye=(70, 80, 8), look_at=(70, 103, 1))
    empty = draw_picture(Scene(terrain=flat((200.0, 200.0))), camera, SIZE, display).astype(int)
    stage = Stage(display, SIZE)
    stage.show(Scene(terrain=flat((200.0, 200.0)), sides=SIDES, figures=blocks()))
    for model in MODELS:
        stage.update_figures(blocks(model=model))
        stage.look(camera)
        changed = np.abs(stage.image().astype(int) - empty).sum(axis=2) > 60
        assert changed.sum() > 300, model
    stage.close()


def test_features_banners_and_marks_are_drawn_on_every_display(display, tmp_path):
    kinds = [
        "wood",
        "scrub",
        "orchard",
        "stream",
        "lake",
        "marsh",
        "road",
        "field",
        "hedge",
        "fence",
        "wall",
        "rock",
        "farm",
        "village",
        "camp",
        "bridge",
        "ford",
        "hill",
        "tree",
        "portal",
    ]
    patches = []
    for number, kind in enumerate(kinds):
        x, y = 15 + number % 5 * 38, 20 + number // 5 * 42
        outline = np.array([[x, y], [x + 26, y], [x + 26, y + 14], [x, y + 14]], float)
        patches.append(Patch(kind=kind, outline_m=(outline,), height_m=3.0, seed=number))
    square = np.array([[50, 60], [90, 60], [90, 100], [50, 100]], float)
    scene = Scene(
        terrain=flat((200.0, 200.0), tuple(patches)),
        sides=SIDES,
        figures=blocks(),
        banners=(
            Banner(x_m=70, y_m=104, team=0, text="1st Foot", subtext="steady", outline_m=square),
            Banner(x_m=130, y_m=104, team=1, text="Guard", emphasis="broken"),
        ),
        marks=(
            Stroke(start=(70, 104, 1.5), end=(130, 104, 1.2), tone="hit", smoke=True),
            Ring(x_m=100, y_m=100, radius_m=20, tone="order"),
            Arrow(path_m=np.array([[20, 20], [60, 40], [100, 50]], float), tone="order"),
            TintedArea(outline_m=square, tone="sight"),
        ),
    )
    bare = Scene(terrain=scene.terrain, sides=SIDES, figures=scene.figures)
    camera = Camera(eye=(100, -60, 110), look_at=(100, 90, 0))
    pictures = [draw_picture(one, camera, SIZE, display) for one in (scene, bare)]
    save_picture(tmp_path / "all.png", pictures[0])
    assert (np.abs(pictures[0].astype(int) - pictures[1]).sum(axis=2) > 40).sum() > 1000
    assert (tmp_path / "all.png").stat().st_size > 10_000


def test_the_same_scene_gives_the_same_picture_twice(display):
    scene = Scene(terrain=flat((200.0, 200.0)), sides=SIDES, figures=blocks())
    one, two = (draw_picture(scene, OVER_THE_FIELD, SIZE, display) for _ in range(2))
    assert np.array_equal(one, two)


def test_an_unknown_display_is_answered_with_those_there_are():
    with pytest.raises(DisplayError, match="p3headlessgl"):
        choose("crayons")


def test_a_survey_tells_of_each_way_to_draw_why_it_does_not():
    for way in survey():
        assert isinstance(way, Display) or way.reason


def test_a_model_whose_file_is_missing_is_made_anew(monkeypatch, tmp_path):
    shipped = model_list.model("bush")
    monkeypatch.setattr(model_list, "_folder", lambda: tmp_path)
    made = model_list.model.__wrapped__("bush")
    assert made.get_primitive(0).get_num_faces() == shipped.get_primitive(0).get_num_faces()


def test_every_model_ships_as_a_file():
    folder = model_list._folder()
    assert all((folder / f"{name}.bam.pz").exists() for name in model_list.MAKERS)
