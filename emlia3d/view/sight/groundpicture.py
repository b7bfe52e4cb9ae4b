"""Overlays of the ground: shapes and masks painted into one picture. GSU, no window."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from shapely import LinearRing, LineString, Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.view.colours import colour_of
from emlia3d.view.moment.scene import Overlay

Bounds: TypeAlias = tuple[float, float, float, float]
Hatch: TypeAlias = Literal["none", "one way", "both ways"]
Mask: TypeAlias = NDArray[np.float32]

MOST_TEXELS = 1024
_FINE = 2
_STRIPES, _STRIPE_SHARE, _BETWEEN = 56, 0.22, 0.72
"""Number of stripes along the longer side, the share they cover, and the opacity between them."""


class GroundPicture:
    """A picture of a part of the map; later paint covers earlier paint.

    bounds : west, south, east and north, GSU
    """

    def __init__(
        self, bounds: Bounds, metres_per_gsu: float, most_texels: int = MOST_TEXELS
    ) -> None:
        self.bounds = bounds
        self._metres = metres_per_gsu
        west, south, east, north = bounds
        grain = max(east - west, north - south) / most_texels
        # Some displays need textures whose sides are powers of two.
        self.columns, self.rows = (
            2 ** int(np.clip(np.ceil(np.log2(side / grain)), 4, np.log2(most_texels)))
            for side in (east - west, north - south)
        )
        self._colour = np.zeros((3, self.rows, self.columns), np.float32)
        self._alpha = np.zeros((self.rows, self.columns), np.float32)

    def places(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return x and y of the centres of all texels, (rows, columns) each, row 0 north; GSU."""
        west, south, east, north = self.bounds
        x = west + (np.arange(self.columns) + 0.5) * (east - west) / self.columns
        y = north - (np.arange(self.rows) + 0.5) * (north - south) / self.rows
        across, down = np.meshgrid(x, y)
        return across, down

    def fill(self, shape: BaseGeometry, colour: str, alpha: float, hatch: Hatch = "none") -> None:
        """Fill polygons; `colour` is "#rrggbb"."""
        self.stain(self.mask(shape), colour, alpha, hatch)

    def rim(self, shape: BaseGeometry, colour: str, alpha: float, width: float) -> None:
        """Draw a line of this width in GSU, at least two texels, along borders of polygons."""
        sheet, pen = self._sheet()
        west, _, east, _ = self.bounds
        texel = (east - west) / self.columns
        thick = max(round(max(width / texel, 2.0) * _FINE), 1)
        for part in shapely.get_parts(shape):
            if isinstance(part, Polygon):
                lines: list[LineString] = [part.exterior, *part.interiors]
            elif isinstance(part, LineString | LinearRing):
                lines = [part]
            else:
                continue
            for line in lines:
                if line.is_empty:  # a body that only touches the corridor hides an empty zone
                    continue
                pen.line(self._put(shapely.get_coordinates(line)), 255, thick, joint="curve")
        self.stain(_reduced(sheet), colour, alpha)

    def stain(self, mask: Mask, colour: str, alpha: float, hatch: Hatch = "none") -> None:
        """Overlay a colour with the opacity of a mask (rows, columns), 0 to 1."""
        rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            return
        part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        over = mask[part] * np.float32(alpha)
        if hatch != "none":
            over = over * self._stripes(hatch)[part]
        opaque = self._alpha[part]
        opaque *= 1 - over
        opaque += over
        share = over / np.maximum(opaque, np.float32(1e-6))
        for plane, ink in zip(self._colour, colour_of(colour), strict=False):
            plane[part] += (np.float32(ink) - plane[part]) * share

    def mask(self, shape: BaseGeometry) -> Mask:
        """Return the share of each texel that polygons cover, 0 to 1."""
        sheet, pen = self._sheet()
        for part in shapely.get_parts(shape):
            if isinstance(part, Polygon) and not part.is_empty:
                pen.polygon(self._put(shapely.get_coordinates(part.exterior)), fill=255)
                for hole in part.interiors:
                    pen.polygon(self._put(shapely.get_coordinates(hole)), fill=0)
        return _reduced(sheet)

    def overlay(self) -> Overlay:
        """Return the picture as an overlay of the ground."""
        picture = np.empty((self.rows, self.columns, 4), np.uint8)
        picture[..., :3] = np.round(np.moveaxis(self._colour, 0, -1) * 255)
        picture[..., 3] = np.round(self._alpha * 255)
        west, south, east, north = (bound * self._metres for bound in self.bounds)
        return Overlay(picture=picture, bounds_m=(west, south, east, north))

    def _sheet(self) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        sheet = Image.new("L", (self.columns * _FINE, self.rows * _FINE), 0)
        return sheet, ImageDraw.Draw(sheet)

    def _put(self, places: NDArray[np.float64]) -> list[tuple[float, float]]:
        west, south, east, north = self.bounds
        x = (places[:, 0] - west) / (east - west) * self.columns * _FINE
        y = (north - places[:, 1]) / (north - south) * self.rows * _FINE
        return list(zip(x.tolist(), y.tolist(), strict=True))

    def _stripes(self, hatch: Hatch) -> Mask:
        """Return diagonal stripes of equal width on the ground in both directions."""
        west, south, east, north = self.bounds
        pitch = max(east - west, north - south) / _STRIPES * np.sqrt(2)
        x = np.linspace(0.0, (east - west) / pitch, self.columns, dtype=np.float32)
        y = np.linspace(0.0, (north - south) / pitch, self.rows, dtype=np.float32)[:, None]
        struck = (x - y) % 1.0 < _STRIPE_SHARE
        if hatch == "both ways":
            struck |= (x + y) % 1.0 < _STRIPE_SHARE
        return np.where(struck, np.float32(1.0), np.float32(_BETWEEN))


def _reduced(sheet: Image.Image) -> Mask:
    return np.asarray(sheet.reduce(_FINE), np.float32) / np.float32(255)
