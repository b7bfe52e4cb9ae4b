"""Contour labels: elevations along every fifth contour, with the top of the digits uphill."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from panda3d.core import GeomNode, NodePath, TransparencyAttrib
from PIL import Image, ImageDraw

from emlia3d.view.moment.scene import DrawnGround
from emlia3d.view.panda.labels.plates import face
from emlia3d.view.panda.land.groundsheet import Floats
from emlia3d.view.panda.land.terrain import contour_interval
from emlia3d.view.panda.meshes import PLAIN_VERTEX, mesh, picture_texture

EVERY = 5  # contours, of which one is drawn bold and bears its height
ACROSS, LETTER_SHARE = 9, 1 / 85  # labels over the field, and their height, of its longer side
INK, HALO, TEXT_PX = (52, 32, 14, 255), (236, 228, 204, 200), 40
FROM_SHARE = 0.3  # of the longer side, the eye above the ground; below, letters would be huge
RAISED_M = 0.5
PIECES = 4  # along a label, so that it lies on the ground


def readable(terrain: DrawnGround, above_m: float) -> bool:
    """Return whether labels are readable from a height of the eye above the ground."""
    return above_m > FROM_SHARE * max(terrain.size_m)


def labelled_places(terrain: DrawnGround) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Return label positions (n, 2) metres, multiples of the bold interval, and uphill (n, 2).

    There is at most one in each square of the field, where a bold contour crosses its centre line.
    """
    bold = contour_interval(terrain) * EVERY
    none = np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros((0, 2))
    if bold <= 0:
        return none
    width, depth = terrain.size_m
    square = max(width, depth) / ACROSS
    lines = np.arange(min(square, depth) / 2, depth, square)
    steps = np.linspace(0, width, 64 * max(1, round(width / square)) + 1)
    x, y = (grid.ravel() for grid in np.meshgrid(steps, lines))
    level = np.floor(terrain.heights(x, y) / bold).reshape(len(lines), -1)
    row, column = np.nonzero(np.diff(level, axis=1))
    place = np.stack([(steps[column] + steps[column + 1]) / 2, lines[row]], axis=1)
    number = np.maximum(level[row, column], level[row, column + 1]).astype(np.int64)
    reach = square / 12
    inside = ((place > 3 * reach) & (place < np.array([width, depth]) - 3 * reach)).all(axis=1)
    place, number, row = place[inside], number[inside], row[inside]
    _, first = np.unique(
        np.stack([row, (place[:, 0] / square).astype(np.int64)]), axis=1, return_index=True
    )
    place, number = place[first], number[first]
    apart = _apart(place, square / 2)
    place, number = place[apart], number[apart]
    if len(place) == 0:
        return none
    up = np.stack(
        [
            terrain.heights(place[:, 0] + reach * dx, place[:, 1] + reach * dy)
            - terrain.heights(place[:, 0] - reach * dx, place[:, 1] - reach * dy)
            for dx, dy in ((1, 0), (0, 1))
        ],
        axis=1,
    )
    length = np.linalg.norm(up, axis=1)
    clear = length > 1e-6
    return place[clear], number[clear], up[clear] / length[clear, None]


def _apart(places: Floats, least: float) -> NDArray[np.intp]:
    """Return the points that are at least *least* from earlier ones."""
    kept: list[int] = []
    for row, place in enumerate(places):
        if (np.hypot(*(places[kept] - place).T) >= least).all():
            kept.append(row)
    return np.array(kept, np.intp)


def build_levels(parent: NodePath, terrain: DrawnGround) -> NodePath:
    """Return the labels under a node, drawn without shaders; nothing on ground without contours."""
    root = parent.attach_new_node("levels")
    place, number, up = labelled_places(terrain)
    if len(place) == 0:
        return root
    bold = contour_interval(terrain) * EVERY
    told, row = np.unique(number, return_inverse=True)
    sheet, boxes = _lettered([f"{level * bold:g}" for level in told])
    tall = max(terrain.size_m) * LETTER_SHARE
    own = boxes[row]
    half = tall * (own[:, 2] - own[:, 0]) / (own[:, 3] - own[:, 1]) / 2
    along = np.stack([up[:, 1], -up[:, 0]], axis=1)
    share = np.linspace(-1, 1, PIECES + 1)
    quads = np.zeros((len(place), 2, PIECES + 1), PLAIN_VERTEX)
    for side, sign in enumerate((-0.5, 0.5)):
        line = place[:, None] + along[:, None] * (half[:, None] * share)[..., None]
        spot = line + (up * sign * tall)[:, None]
        ground = terrain.heights(spot[..., 0].ravel(), spot[..., 1].ravel())
        quads["place"][:, side, :, :2] = spot
        quads["place"][:, side, :, 2] = ground.reshape(spot.shape[:2]) + RAISED_M
        left, right = own[:, :1], own[:, 2:3]
        quads["uv"][:, side, :, 0] = (left + (right - left) * (share + 1) / 2) / sheet.shape[1]
        quads["uv"][:, side, :, 1] = 1 - own[:, 3 - 2 * side, None] / sheet.shape[0]
    quads["colour"] = 255
    here = np.arange(PIECES)
    above = here + PIECES + 1
    faces = np.concatenate(
        [np.stack([here, here + 1, above + 1], 1), np.stack([here, above + 1, above], 1)]
    )
    each = np.arange(len(place))[:, None, None] * (2 * PIECES + 2)
    node = GeomNode("levels")
    node.add_geom(mesh(quads.reshape(-1), (faces[None] + each).reshape(-1, 3), "levels"))
    path = root.attach_new_node(node)
    path.set_texture(picture_texture(sheet[::-1], "levels"))
    path.set_shader_off(1)
    path.set_transparency(TransparencyAttrib.M_alpha)
    path.set_two_sided(True)
    path.set_depth_write(False)
    path.set_depth_offset(2)
    path.set_bin("fixed", -10)  # below all other marks on the ground
    return root


def _lettered(texts: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the texts in one picture, (h, w, 4), and the left, top, right and bottom of each."""
    letters = face(TEXT_PX)
    wide = [round(letters.getlength(text)) + 12 for text in texts]
    tall = TEXT_PX + 12
    sides = 1 << (max(wide) - 1).bit_length(), 1 << (tall * len(texts) - 1).bit_length()
    sheet = Image.new("RGBA", sides, (*HALO[:3], 0))
    pen = ImageDraw.Draw(sheet)
    boxes = np.zeros((len(texts), 4), np.int64)
    for row, (text, width) in enumerate(zip(texts, wide, strict=True)):
        top = row * tall
        pen.text(
            (width / 2, top + tall / 2), text, font=letters, fill=INK, anchor="mm",
            stroke_width=4, stroke_fill=HALO,
        )  # fmt: skip
        boxes[row] = 0, top, width, top + tall
    return np.asarray(sheet), boxes
