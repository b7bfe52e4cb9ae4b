"""The legend of a map: scale bar and north arrow."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from panda3d.core import GraphicsOutput
from PIL import Image, ImageDraw

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.panda.labels.flat import LEGEND, FlatLayer
from emlia3d.view.panda.labels.layout import Box
from emlia3d.view.panda.labels.plates import INK, PAPER, RIM, face
from emlia3d.view.panda.meshes import shown

STEEP = 0.9  # share of the view direction that points down in a map
MARGIN_SHARE, TEXT_SHARE = 0.022, 0.0185  # of the picture's height
MOST_BAR_SHARE = 0.13  # of the picture's width


class Legend:
    """A scale bar and a north arrow in the lower left corner, if the camera looks down."""

    def __init__(self, output: GraphicsOutput) -> None:
        self._output = output
        self._layer = FlatLayer(output, "legend", LEGEND)
        self._shown = self._layer.root.attach_new_node("shown")
        self._told: tuple[object, ...] = ()
        self._box: Box = (0.0, 0.0, 0.0, 0.0)

    def update_for_camera(
        self, sight: Eyesight, ground_m: float, over: Sequence[Box] = (), text_size: float = 1.0
    ) -> Box | None:
        """Draw for a camera over ground of a height; return the rectangle, None if not a map.

        over : boxes in that corner, above which it is placed The rectangle is left, top, right and
        bottom in pixels of the picture.
        """
        steep = -float(sight.axes[2, 2]) >= STEEP
        shown(self._shown, steep)
        if not steep:
            return None
        width, height = sight.size
        pixel_m = max(float(sight.eye[2]) - ground_m, 1.0) / sight.pixels_a_radian
        metres = round_length(MOST_BAR_SHARE * width * pixel_m)
        grain = self._output.get_y_size() / height
        bar_px = round(metres / pixel_m * grain)
        up = sight.axes[1, :2]
        turn_deg = round(math.degrees(math.atan2(-sight.axes[0, 1], up[1])))
        text_px = max(9, round(TEXT_SHARE * height * grain * text_size))
        told = (sight.size, grain, metres, bar_px, turn_deg, text_px, tuple(over))
        if told != self._told:
            plate = plate_of(metres, bar_px, math.radians(turn_deg), text_px)
            self._box = self._put_up(plate, sight.size, grain, over)
            self._told = told
        return self._box

    def _put_up(
        self, plate: NDArray[np.uint8], picture: tuple[int, int], grain: float, over: Sequence[Box]
    ) -> Box:
        width, height = picture
        margin = MARGIN_SHARE * height
        size = plate.shape[1] / grain, plate.shape[0] / grain
        under = [box[1] for box in over if box[0] < margin + size[0] and box[1] > height / 3]
        floor = min(under, default=height) - margin
        box = (margin, floor - size[1], margin + size[0], floor)
        self._layer.fit(width, height)
        self._shown.get_children().detach()
        self._layer.put_picture(self._shown, plate, box)
        return box

    def close(self) -> None:
        """Remove the legend."""
        self._layer.close()


def round_length(most_m: float) -> float:
    """Return the longest of 1, 2, 5, 10, 20, 50 ... metres up to a length."""
    ten = 10.0 ** np.floor(np.log10(max(most_m, 1e-3)))
    return float(next(ten * step for step in (5.0, 2.0, 1.0) if ten * step <= most_m * (1 + 1e-9)))


def plate_of(metres: float, bar_px: int, turn: float, text_px: int) -> NDArray[np.uint8]:
    """Return the legend as a picture, (h, w, 4).

    turn : of north in the picture, radians clockwise from up
    """
    gap, arrow = max(4, text_px // 2), round(text_px * 2.2)
    label = f"{metres:g} m" if metres < 1000 else f"{metres / 1000:g} km"
    letters = face(text_px)
    inner = max(bar_px, round(letters.getlength(label)))
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
        ends = left + bar_px * part // 4, left + bar_px * (part + 1) // 4
        pen.rectangle((ends[0], floor - thick, ends[1], floor), fill=tint)
    return np.asarray(picture)
