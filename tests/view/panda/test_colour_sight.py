"""Sides are told apart by people who do not see red, green or blue as others do.

How they see is simulated after Machado, Oliveira and Fernandes (2009), at full severity; how far
two colours are apart is measured in CIELAB, where 2 or 3 are just noticed side by side.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from emlia3d.battle.questions.highlights import HIGHLIGHTS
from emlia3d.scenario.tables.sides import COLOURS
from emlia3d.view.moment.scene import Banner, Camera, Figures, Scene, SideLook, flat, no_figures
from emlia3d.view.panda.stage import Stage
from emlia3d.view.window.event_markers import COLOURS as COLOURS_OF_SIGNS
from emlia3d.view.window.event_markers import SHAPES

SEES = {
    "everything": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip
SIZE = (640, 360)


def lab(rgb, sees):
    """Of sRGB colours 0 to 255, (..., 3), as someone sees them who sees so."""
    share = np.asarray(rgb, float) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ SEES[sees].T, 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    white = seen @ to_xyz.T / np.array([0.9505, 1.0, 1.089])
    root = np.where(white > 0.008856, np.cbrt(white), 7.787 * white + 16 / 116)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


@pytest.mark.parametrize("sees", SEES)
def test_signs_of_one_shape_family_differ_for_everybody(sees):
    """What looks most alike in shape is told apart by colour too: square and frame, the crosses."""
    for one, two in (("destroyed", "gone"), ("melee", "arrival"), ("melee", "leader")):
        colours = [np.array(COLOURS_OF_SIGNS[kind][:3]) * 255 for kind in (one, two)]
        apart = np.linalg.norm(np.subtract(*(lab(colour, sees) for colour in colours)))
        assert apart > 12, (one, two)


def test_no_two_signs_have_one_shape():
    assert len(set(SHAPES.values())) == len(SHAPES) == len(HIGHLIGHTS)


def rgb(colour):
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def two_sides():
    """A regiment each, side by side, that look at the camera."""
    right, back = np.meshgrid(np.arange(40) * 0.8, np.arange(3) * 1.2)
    x = np.concatenate([450 + right.ravel(), 520 + right.ravel()])
    y = np.concatenate([500 + back.ravel()] * 2)
    nothing = np.zeros(len(x), np.uint8)
    figures = Figures(
        x_m=x.astype(np.float32),
        y_m=y.astype(np.float32),
        facing_deg=np.full(len(x), 180, np.float32),
        team=np.repeat(np.array([0, 1], np.uint8), len(x) // 2),
        model=nothing,
        pose=nothing,
        shade=nothing,
        size=np.ones(len(x), np.float32),
        lift_m=np.zeros(len(x), np.float32),
    )
    banners = tuple(
        Banner(
            x_m=west + 16, y_m=501, team=team, text="", facing_deg=180, standard=False,
            outline_m=np.array([(west + 32, 500), (west, 500), (west, 503), (west + 32, 503)]),
        )
        for team, west in enumerate((450.0, 520.0))
    )  # fmt: skip
    sides = tuple(SideLook(name=str(row), colour=COLOURS[row]) for row in range(2))
    terrain = flat((1000.0, 1000.0))
    return Scene(terrain=terrain, sides=sides, figures=figures, banners=banners)


PLACES = {
    "among them": (501, 430, 6.0),
    "two hundred metres off": (501, 300, 30.0),
    "far away": (501, 20, 260.0),
    "on the map": (501, 500, 420.0),
}


@pytest.mark.parametrize("place", PLACES)
def test_two_sides_are_told_apart_in_the_picture_by_everyone(display, place):
    eye = PLACES[place]
    scene = two_sides()
    stage = Stage(display, SIZE)
    stage.show(scene)
    stage.look(Camera(eye=eye, look_at=(501, 501, 1.0)))
    picture = stage.image()
    chests = np.column_stack([scene.figures.x_m, scene.figures.y_m, np.full(240, 1.25)])
    column, row = stage.project(chests).round().astype(int).T
    stage.close()
    inside = (column > 1) & (column < SIZE[0] - 2) & (row > 1) & (row < SIZE[1] - 2)
    for sees in SEES:
        blue, red = (
            np.median(lab(picture[row[own], column[own]], sees), axis=0)
            for own in ((scene.figures.team == team) & inside for team in (0, 1))
        )
        assert np.linalg.norm(blue - red) > 20, sees


@pytest.mark.parametrize("sees", SEES)
def test_the_colours_that_sides_are_given_are_far_apart_for_everyone(sees):
    for one, two in combinations(COLOURS, 2):
        apart = np.linalg.norm(lab(rgb(one), sees) - lab(rgb(two), sees))
        assert apart > 20, (one, two)


def test_the_first_two_sides_are_far_from_the_grass_as_well():
    grass = lab((124, 129, 78), "everything")
    for colour in COLOURS[:2]:
        assert np.linalg.norm(lab(rgb(colour), "everything") - grass) > 40


@pytest.mark.long
@pytest.mark.parametrize("pattern", ["saltire", "cross", "pale", "fess", "quarterly"])
def test_on_a_map_a_block_bears_the_pattern_of_its_side(display, pattern):
    scene = two_sides()
    pictures = []
    for own in ("plain", pattern):
        sides = (replace(scene.sides[0], pattern=own), scene.sides[1])
        stage = Stage(display, SIZE)
        stage.show(replace(scene, sides=sides))
        stage.look(Camera(eye=(501, 501, 420.0), look_at=(501, 501.1, 0.0)))
        pictures.append(stage.image().astype(int))
        blocks = stage.project(np.array([(466.0, 501.5, 0.0), (536.0, 501.5, 0.0)]))
        stage.close()
    changed = np.abs(pictures[1] - pictures[0]).sum(axis=2) > 60
    assert changed.sum() >= 6
    left, right = blocks[:, 0]
    assert (np.flatnonzero(changed.any(axis=0)) < (left + right) / 2).all()


def test_behind_a_block_lies_how_much_heart_its_unit_has_lost(display):
    scene = two_sides()
    lengths = []
    for despair in (0.0, 0.5, 1.0):
        shaken = replace(scene.banners[0], despair=despair)
        stage = Stage(display, SIZE)
        stage.show(replace(scene, figures=no_figures(), banners=(shaken, scene.banners[1])))
        stage.look(Camera(eye=(466, 501, 420.0), look_at=(466, 501.1, 0.0), fov_deg=12))
        picture = stage.image().astype(int)
        rear = stage.project(np.array([(450.0, 503.0, 0.0), (482.0, 503.0, 0.0)]))
        stage.close()
        (left, row), (right, _) = rear.round().astype(int)
        behind = picture[row - 5 : row + 1, left:right]
        warm = (behind[..., 0] > behind[..., 2] + 90) & (behind[..., 0] > 160)
        lengths.append(warm.any(axis=0).mean())
    assert lengths[0] == 0
    assert lengths[1] == pytest.approx(0.5, abs=0.1)
    assert lengths[2] > 0.85, "but for what its tag covers"
