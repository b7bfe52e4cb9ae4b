"""Subtitles of videos: the turn and the event."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from emlia3d.view.panda.labels.plates import face

SHARE = 1 / 32
"""Height of the text, as a share of the picture's."""

LEAST_PX = 11
SHADE = (18, 20, 24, 178)
TURN, TOLD = (232, 205, 140, 255), (245, 243, 236, 255)


def subtitled(picture: NDArray[np.uint8], turn: str, told: str) -> NDArray[np.uint8]:
    """Return the picture with a line at its foot: the turn, and the event's text, cut if too long.

    picture : (height, width, 3) uint8, red first, top row first; it does not change
    """
    height, width = picture.shape[:2]
    tall = max(round(height * SHARE), LEAST_PX)
    letters = face(tall)
    strip = Image.new("RGBA", (width, 2 * tall), SHADE)
    pen = ImageDraw.Draw(strip)
    pen.text((tall, tall), turn, fill=TURN, font=letters, anchor="lm")
    left = 2 * tall + pen.textlength(turn, font=letters)
    words = told
    while words and left + pen.textlength(words, font=letters) > width - tall:
        words = f"{words.rstrip('…')[:-1].rstrip()}…" if len(words) > 1 else ""
    pen.text((left, tall), words, fill=TOLD, font=letters, anchor="lm")
    image = Image.fromarray(picture).convert("RGBA")
    image.alpha_composite(strip, (0, height - 2 * tall))
    return np.asarray(image.convert("RGB"))
