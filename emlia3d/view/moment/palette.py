"""Colours of sides that are distinct with any kind of colour vision.

Colour blindness is simulated after Machado, Oliveira and Fernandes (2009) at full severity.
Distances of colours are measured in CIELAB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.view.colours import colour_of

LEAST_APART = 20.0
"""Minimum distance of two sides for all viewers; 2 or 3 are just noticeable side by side."""

_SEEN = np.array(
    [
        np.eye(3),
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]],
    ]
)  # fmt: skip
"""Normal colour vision, and vision without the first, second and third kind of cone."""

_TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)  # fmt: skip
_WHITE = np.array([0.9505, 1.0, 1.089])


def least_apart(colours: Sequence[str]) -> float:
    """Return the minimum distance of colours "#rrggbb" over all kinds of colour vision."""
    seen = _lab(colours)
    pairs = combinations(range(len(colours)), 2)
    return min(
        (float(np.linalg.norm(seen[:, a] - seen[:, b], axis=1).min()) for a, b in pairs),
        default=np.inf,
    )


def told_apart(setup: Setup, colours: Sequence[str]) -> Setup:
    """Return the battle with other colours for its sides if two of its own are too similar.

    colours : for the sides in order; if there are too few, nothing changes
    """
    own = [side.colour for side in setup.sides]
    if least_apart(own) >= LEAST_APART or len(colours) < len(own):
        return setup
    sides = (
        replace(side, colour=colour) for side, colour in zip(setup.sides, colours, strict=False)
    )
    return replace(setup, sides=tuple(sides))


def _lab(colours: Sequence[str]) -> NDArray[np.float64]:
    """(kinds of sight, colours, 3)."""
    share = np.array([colour_of(colour)[:3] for colour in colours]).reshape(-1, 3)
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.einsum("kij,nj->kni", _SEEN, linear), 0, 1)
    white = seen @ _TO_XYZ.T / _WHITE
    root = np.where(white > 0.008856, np.cbrt(white), 7.787 * white + 16 / 116)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)
