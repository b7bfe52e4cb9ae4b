"""Each body has its facts and a mesh that fits them, and looks like no other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from emlia3d.force.figure_models import MODELS
from emlia3d.view.moment.bodies import BODIES
from emlia3d.view.panda.meshes import triangles_of, vertices_of
from emlia3d.view.panda.models.model_list import MAKERS, model

PX_PER_M, SIDE_PX = 20, 80
"""A man is 40 pixels tall."""

PEOPLES = (
    "foot_musket", "foot_spear", "foot_bow", "skirmisher", "warrior", "caveman", "ogre",
    "rifleman", "jumper", "walker", "brute", "goblin", "dwarf", "elf", "orc", "monster", "wolf",
)  # fmt: skip


ON_TILES = (
    "rifleman", "jumper", "heavy_weapon", "scout_car", "carrier", "tank", "siege_gun", "titan",
    "crawler",
)  # fmt: skip


def front(name: str, px_per_m: float = PX_PER_M, *, masked: bool = False) -> NDArray[np.float64]:
    """Return (80, 80, 4) a body from the front in its own colours, with its coverage, 0 to 1.

    masked : draw the side's colour as white, and all other colours as black
    """
    geom = model(name)
    vertices, triangles = vertices_of(geom), triangles_of(geom)
    place, colour = vertices["place"][triangles], vertices["colour"][triangles]
    image = Image.new("RGBA", (SIDE_PX, SIDE_PX), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    for row in np.argsort(place[:, :, 1].mean(axis=1)):
        corners = [
            (SIDE_PX / 2 + px_per_m * x, SIDE_PX - 2 - px_per_m * z) for x, _, z in place[row]
        ]
        red, green, blue, mask = colour[row, 0].tolist()
        if masked:
            red = green = blue = mask
        draw.polygon(corners, fill=(red, green, blue, 255))
    return np.asarray(image, np.float64) / 255


def test_every_body_has_facts_and_a_mesh() -> None:
    assert tuple(BODIES) == MODELS
    assert set(MODELS) <= set(MAKERS)


@pytest.mark.parametrize("name", MODELS)
def test_a_mesh_stands_on_the_ground_and_is_about_as_tall_as_its_body(name: str) -> None:
    """Weapons and plumes reach higher."""
    heights = vertices_of(model(name))["place"][:, 2]

    assert heights.min() == pytest.approx(0.0, abs=0.05)
    assert 0.9 * BODIES[name].height < heights.max() < 1.6 * BODIES[name].height


def test_peoples_are_told_apart_at_forty_pixels() -> None:
    looks = {name: front(name) for name in PEOPLES}
    for one, other in combinations(PEOPLES, 2):
        covered = np.maximum(looks[one][..., 3], looks[other][..., 3]) > 0
        apart = np.abs(looks[one] - looks[other]).max(axis=2)[covered]
        assert apart.mean() > 0.2, f"{one} looks like {other}"


def test_bodies_on_tiles_are_told_apart_and_show_the_colour_of_their_side() -> None:
    scale = {name: 40 / BODIES[name].height for name in ON_TILES}
    looks = {name: front(name, scale[name]) for name in ON_TILES}
    for one, other in combinations(ON_TILES, 2):
        covered = np.maximum(looks[one][..., 3], looks[other][..., 3]) > 0
        apart = np.abs(looks[one] - looks[other]).max(axis=2)[covered]
        assert apart.mean() > 0.2, f"{one} looks like {other}"
    for name in ON_TILES:
        mask = front(name, scale[name], masked=True)
        assert mask[mask[..., 3] > 0][:, 0].mean() > 0.25, name
