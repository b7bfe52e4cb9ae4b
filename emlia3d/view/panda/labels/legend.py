"""What a map needs to be read: how long a hundred metres are, and where north is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    Camera,
    GeomNode,
    GraphicsOutput,
    NodePath,
    OrthographicLens,
    TransparencyAttrib,
)
from PIL import Image, ImageDraw

from emlia3d.view.panda.eyesight import Eyesight
from emlia3d.view.panda.labels.plates import INK, PAPER, RIM, face
from emlia3d.view.panda.meshes import PLAIN_VERTEX, boundless, mesh, picture_texture

Box = tuple[float, float, float, float]

STEEP = 0.9  # how much of the gaze goes down before a picture is a map
MARGIN_SHARE, TEXT_SHARE = 0.022, 0.0185  # of the picture's height
MOST_BAR_SHARE = 0.13  # of the picture's width


class Legend:
    """A scale bar and a north arrow in the bottom left corner, where the camera looks down."""

    def __init__(self, output: GraphicsOutput) -> None:
        self._output = output
        self._flat = NodePath("legend")
        self._lens = OrthographicLens()
        self._lens.set_near_far(-10, 10)
        self._region = output.make_display_region()
        self._region.set_sort(6)
        self._region.set_camera(self._flat.attach_new_node(Camera("legend", self._lens)))

    def aim(self, sight: Eyesight, ground_m: float) -> Box | None:
        """Draw for a camera over ground of that height; where, or None where it is no map.

        left, top, right and bottom in pixels of the picture
        """
        self._flat.get_children().detach()
        self._region.set_camera(self._flat.attach_new_node(Camera("legend", self._lens)))
        if -sight.axes[2, 2] < STEEP:
            return None
        width, height = sight.size
        pixel_m = max(float(sight.eye[2]) - ground_m, 1.0) / sight.pixels_a_radian
        metres = round_length(MOST_BAR_SHARE * width * pixel_m)
        grain = self._output.get_y_size() / height
        up = sight.axes[1, :2]
        turn = float(np.arctan2(-sight.axes[0, 1], up[1]))
        text_px = max(9, round(TEXT_SHARE * height * grain))
        plate = plate_of(metres, metres / pixel_m * grain, turn, text_px)
        margin = MARGIN_SHARE * height
        size = plate.shape[1] / grain, plate.shape[0] / grain
        box = (margin, height - margin - size[1], margin + size[0], height - margin)
        self._lens.set_film_size(width, height)
        self._lens.set_film_offset(width / 2, height / 2)
        self._put(plate, box, height)
        return box

    def close(self) -> None:
        """Take the legend away."""
        self._output.remove_display_region(self._region)
        self._flat.remove_node()

    def _put(self, plate: NDArray[np.uint8], box: Box, height: int) -> None:
        left, top, right, bottom = box
        quad = np.zeros(4, PLAIN_VERTEX)
        quad["place"] = [
            (left, 0, height - bottom),
            (right, 0, height - bottom),
            (right, 0, height - top),
            (left, 0, height - top),
        ]
        rows, columns = plate.shape[:2]
        # Not every display takes a texture whose sides are no powers of two.
        sheet = np.zeros(
            (1 << (rows - 1).bit_length(), 1 << (columns - 1).bit_length(), 4), np.uint8
        )
        sheet[:rows, :columns] = plate[::-1]
        u, v = columns / sheet.shape[1], rows / sheet.shape[0]
        quad["uv"] = [(0, 0), (u, 0), (u, v), (0, v)]
        quad["colour"] = 255
        node = boundless(GeomNode("plate"))
        node.add_geom(mesh(quad, np.array([[0, 1, 2], [0, 2, 3]]), "plate"))
        path = self._flat.attach_new_node(node)
        path.set_texture(picture_texture(sheet, "legend", mipmap=False))
        path.set_transparency(TransparencyAttrib.M_alpha)
        path.set_depth_test(False)
        path.set_depth_write(False)


def round_length(most_m: float) -> float:
    """The longest of 1, 2, 5, 10, 20, 50 ... metres that is no longer than that."""
    ten = 10.0 ** np.floor(np.log10(max(most_m, 1e-3)))
    return float(next(ten * step for step in (5.0, 2.0, 1.0) if ten * step <= most_m * (1 + 1e-9)))


def plate_of(metres: float, bar_px: float, turn: float, text_px: int) -> NDArray[np.uint8]:
    """The legend as a picture, (h, w, 4).

    turn : of north in the picture, radians clockwise from straight up
    """
    gap, arrow = max(4, text_px // 2), round(text_px * 2.2)
    label = f"{metres:g} m" if metres < 1000 else f"{metres / 1000:g} km"
    bar = round(bar_px)
    letters = face(text_px)
    inner = max(bar, round(letters.getlength(label)))
    size = arrow + inner + 4 * gap, arrow + 2 * gap
    picture = Image.new("RGBA", size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    frame = (0, 0, size[0] - 1, size[1] - 1)
    pen.rounded_rectangle(frame, radius=gap // 2, fill=PAPER["plain"], outline=RIM["plain"])
    ink = INK["plain"]
    centre = np.array([gap + arrow / 2, size[1] / 2])
    ahead = np.array([np.sin(turn), -np.cos(turn)])
    aside = np.array([-ahead[1], ahead[0]])
    tip, tail = centre + ahead * arrow * 0.02, centre - ahead * arrow * 0.5
    notch = centre - ahead * arrow * 0.36
    for hand, tint in ((-1.0, ink), (1.0, (150, 148, 142, 255))):
        wing = tail + aside * hand * arrow * 0.2
        pen.polygon([tuple(place) for place in (tip, wing, notch)], fill=tint)
    pen.text(tuple(centre + ahead * arrow * 0.3), "N", font=letters, fill=ink, anchor="mm")
    left, floor = arrow + 3 * gap, size[1] - gap - 1
    thick = max(3, text_px // 3)
    pen.text((left, gap + text_px * 0.9), label, font=letters, fill=ink, anchor="ls")
    for part in range(4):
        tint = ink if part % 2 == 0 else (96, 96, 94, 255)
        ends = left + bar * part // 4, left + bar * (part + 1) // 4
        pen.rectangle((ends[0], floor - thick, ends[1], floor), fill=tint)
    return np.asarray(picture)
