"""Name plates as pictures: text and a chip with the side's colour and pattern.

The font is the bundled one, or Pillow's default (Aileron, CC0) if its file is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from emlia3d.view.moment.scene import Banner, Emphasis, Pattern, SideLook
from emlia3d.view.panda.labels.lettering import face_file

ATLAS_WIDTH = 1024
PAPER: dict[Emphasis, tuple[int, int, int, int]] = {
    "plain": (18, 20, 24, 190),
    "selected": (44, 38, 16, 225),
    "active": (20, 40, 28, 225),
    "broken": (64, 62, 60, 190),
}
RIM: dict[Emphasis, tuple[int, int, int, int]] = {
    "plain": (255, 255, 255, 60),
    "selected": (255, 212, 92, 255),
    "active": (140, 232, 160, 255),
    "broken": (216, 96, 72, 255),
}
INK: dict[Emphasis, tuple[int, int, int, int]] = {
    "plain": (245, 243, 236, 255),
    "selected": (255, 246, 214, 255),
    "active": (238, 255, 240, 255),
    "broken": (206, 202, 196, 255),
}
TROUGH = (72, 74, 78, 210)
BAR = ((27, (150, 205, 130, 255)), (14, (232, 184, 84, 255)), (0, (224, 98, 76, 255)))
"""Colours of the bar, by the minimum remaining strength of a unit in fortieths."""


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """All plates of a moment in one picture.

    picture : (h, w, 4) uint8, top row first; its top left texel is opaque white
    boxes : (n, 4) int, left, top, right, bottom of each plate, pixels
    """

    picture: NDArray[np.uint8]
    boxes: NDArray[np.int64]


def plates(
    banners: tuple[Banner, ...], sides: tuple[SideLook, ...], text_px: int, brief: bool = False
) -> Atlas:
    """Return a plate for each banner, with text of height `text_px`.

    brief : whether to omit the line under the name, except for units with notes
    """
    pictures = [_plate(banner, _side(sides, banner.team), text_px, brief) for banner in banners]
    boxes = np.zeros((len(pictures), 4), np.int64)
    left, top, row = 4, 0, 4
    for box, picture in zip(boxes, pictures, strict=True):
        if left + picture.width + 2 > ATLAS_WIDTH:
            left, top, row = 0, top + row + 2, 0
        box[:] = left, top, left + picture.width, top + picture.height
        left, row = left + picture.width + 2, max(row, picture.height)
    height = 2 ** int(np.ceil(np.log2(max(top + row, 8))))
    sheet = Image.new("RGBA", (ATLAS_WIDTH, height))
    sheet.paste((255, 255, 255, 255), (0, 0, 3, 3))
    for box, picture in zip(boxes, pictures, strict=True):
        sheet.paste(picture, (int(box[0]), int(box[1])))
    return Atlas(np.asarray(sheet), boxes)


def _side(sides: tuple[SideLook, ...], team: int) -> SideLook:
    return sides[team] if team < len(sides) else SideLook(name="", colour="#808080")


def _plate(banner: Banner, side: SideLook, text_px: int, brief: bool) -> Image.Image:
    whole = not brief or banner.emphasis in {"selected", "active"}
    return _drawn(
        banner.text,
        banner.subtext if whole else "",
        banner.emphasis,
        side.colour,
        side.pattern,
        text_px,
        -1 if banner.strength is None else round(40 * banner.strength),
    )


@cache
def _drawn(  # noqa: PLR0913, PLR0917  all that a plate shows
    text: str,
    subtext: str,
    emphasis: Emphasis,
    colour: str,
    pattern: Pattern,
    text_px: int,
    fortieths: int,
) -> Image.Image:
    """Return one plate: the chip on the left, the name, the smaller line, and the strength bar."""
    large, small = face(text_px), face(text_px * 0.8)
    gap = max(2, text_px // 4)
    bar = max(2, round(text_px * 0.2)) if fortieths >= 0 else 0
    width = max(large.getlength(text), small.getlength(subtext) if subtext else 0)
    height = text_px * (2.35 if subtext else 1.25) + (bar + 1 if bar else 0)
    chip = round(text_px * 1.15)
    size = round(chip + width + 4 * gap), round(height + gap)
    picture = Image.new("RGBA", size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    frame = (0, 0, size[0] - 1, size[1] - 1)
    pen.rounded_rectangle(frame, radius=gap, fill=PAPER[emphasis], outline=RIM[emphasis])
    picture.paste(_chip(colour, pattern, chip, size[1] - 2 * gap + 2), (gap, gap - 1))
    left = chip + 2 * gap
    pen.text((left, gap / 2 + text_px * 1.0), text, font=large, fill=INK[emphasis], anchor="ls")
    if subtext:
        line = gap / 2 + text_px * 2.0
        pen.text((left, line), subtext, font=small, fill=(200, 198, 190, 255), anchor="ls")
    if bar:
        floor, right = size[1] - gap, size[0] - gap - 1
        reach = left + round((right - left) * fortieths / 40)
        pen.rectangle((left, floor - bar + 1, right, floor), fill=TROUGH)
        if fortieths > 0:
            full = next(tint for least, tint in BAR if fortieths >= least)
            pen.rectangle((left, floor - bar + 1, max(reach, left + 1), floor), fill=full)
    return picture


@cache
def face(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the font of all text in pictures, *size* pixels high."""
    path = face_file(bold=False)
    return ImageFont.truetype(path, size) if path.is_file() else ImageFont.load_default(size)


def _chip(colour: str, pattern: Pattern, width: int, height: int) -> Image.Image:
    """Return a side's flag, small."""
    across, up = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)
    x, y = np.abs(across - 0.5), np.abs(up - 0.5)
    white = {
        "plain": np.zeros_like(x, bool),
        "saltire": np.abs(x - y) < 0.11,
        "cross": np.minimum(x, y) < 0.11,
        "pale": x < 0.16,
        "fess": y < 0.16,
        "quarterly": (across - 0.5) * (up - 0.5) > 0,
    }[pattern]
    value = int(colour.lstrip("#"), 16)
    picture = np.empty((height, width, 4), np.uint8)
    picture[:] = (value >> 16, value >> 8 & 255, value & 255, 255)
    picture[white] = (238, 234, 224, 255)
    return Image.fromarray(picture)
