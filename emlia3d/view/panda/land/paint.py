"""The ground's picture: grass, fields, roads, water and the shadows that never move.

It is painted once with numpy and Pillow. Therefore all displays, even without shaders, show the
same sharp ground at low cost per pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from emlia3d.view.moment.scene import DrawnGround, Light, Patch
from emlia3d.view.panda.land.expanse import between_the_stars
from emlia3d.view.panda.noise import clouds, fraction

TEXEL_M = 0.5  # finer than this adds nothing: figures stand two metres apart

WATER = ("stream", "river", "lake")
WOODED = ("wood",)
CASTLE = ("rampart", "tower", "gate", "keep")
SOLID = ("building", "farm", "works", "storage-tank", "wall", "rock", "hedge", *CASTLE)
CROPS = ((196, 172, 96), (160, 138, 78), (126, 146, 70), (176, 160, 104), (134, 112, 76))
LOW_GRASS, HIGH_GRASS, DRY_GRASS = (88, 112, 62), (134, 134, 80), (170, 156, 104)
EARTH, ROCK = (142, 120, 86), (146, 142, 132)
COUNTRY_BLOCKS = 9  # along the longer side: what a crest is a crest of
LEAST_RELIEF_M = 10.0  # ground that rises less is all one green


@dataclass(frozen=True, slots=True, eq=False)
class GroundPaint:
    """colour : (h, w, 3) uint8, row 0 south; cover : (h, w, 3) uint8, sun, water, grass."""

    colour: NDArray[np.uint8]
    cover: NDArray[np.uint8]


class _Sheet:
    """The raster during painting: row 0 south, float32 colours 0 to 255."""

    def __init__(self, terrain: DrawnGround, texels: int) -> None:
        width, depth = terrain.size_m
        longest = max(width, depth)
        side = min(_power_of_two(longest / TEXEL_M), texels)
        self.columns = max(_power_of_two(side * width / longest), 16)
        self.rows = max(_power_of_two(side * depth / longest), 16)
        self.texel = width / self.columns, depth / self.rows
        shape = self.rows, self.columns
        self.colour = np.zeros((*shape, 3), np.float32)
        self.sun = np.ones(shape, np.float32)
        self.water = np.zeros(shape, np.float32)
        self.grass = np.ones(shape, np.float32)
        self.noise = clouds(shape, 26.0 / self.texel[0], seed=11)

    def mask(self, patch: Patch, grow_m: float = 0.0, soft_m: float = 0.0) -> _Cut:
        """Return the covered part of each texel of a patch, in its smallest window."""
        rings = [ring / self.texel for ring in patch.outline_m]
        margin = int((grow_m + 3 * soft_m) / min(self.texel)) + 3
        low = np.floor(rings[0].min(axis=0)).astype(int) - margin
        high = np.ceil(rings[0].max(axis=0)).astype(int) + margin
        low = np.clip(low, 0, [self.columns - 1, self.rows - 1])
        high = np.clip(high, low + 1, [self.columns, self.rows])
        size = high - low
        fine = Image.new("L", (int(size[0]) * 3, int(size[1]) * 3), 0)
        pen = ImageDraw.Draw(fine)
        for number, ring in enumerate(rings):
            corners = [(float(x), float(y)) for x, y in (ring - low) * 3]
            if len(corners) >= 3:
                pen.polygon(corners, fill=0 if number else 255)
        picture = fine.reduce(3)
        if grow_m > 0:
            reach = max(1, round(grow_m / min(self.texel)))
            picture = picture.filter(ImageFilter.GaussianBlur(reach))
            picture = picture.point([min(255, int(level * 3)) for level in range(256)])
        if soft_m > 0:
            picture = picture.filter(ImageFilter.GaussianBlur(soft_m / min(self.texel)))
        window = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
        return window, np.asarray(picture, np.float32) / np.float32(255)

    def lay(self, cut: _Cut, colour: tuple[int, int, int] | NDArray[np.float32]) -> None:
        """Blend a colour by a mask, with some of the ground's noise."""
        window, share = cut
        tint = np.asarray(colour, np.float32) * (0.88 + 0.24 * self.noise[window])[..., None]
        under = self.colour[window]
        self.colour[window] = under + (tint - under) * share[..., None]

    def bare(self, cut: _Cut) -> None:
        """Remove grass."""
        window, share = cut
        self.grass[window] *= 1 - share

    def shade(self, cut: _Cut, strength: float) -> None:
        """Darken an area as in shadow."""
        window, share = cut
        self.sun[window] = np.minimum(self.sun[window], 1 - strength * share)

    def lighten(self, cut: _Cut, least: float) -> None:
        """Set the sunlight to at least *least*."""
        window, share = cut
        self.sun[window] = np.maximum(self.sun[window], least * share)


_Cut = tuple[tuple[slice, slice], NDArray[np.float32]]


def paint(terrain: DrawnGround, light: Light, texels: int = 2048) -> GroundPaint:
    """Paint the ground; `texels` bounds its longer side (a power of two is used)."""
    sheet = _Sheet(terrain, texels)
    if terrain.look == "space":
        colour = between_the_stars((sheet.rows, sheet.columns), sheet.texel, terrain.grid_m)
        return GroundPaint(colour, np.full_like(colour, (255, 0, 0)))
    _open_country(sheet, terrain)
    for patch in sorted(terrain.patches, key=lambda patch: _ORDER.get(patch.kind, 5)):
        _PAINTERS.get(patch.kind, _nothing)(sheet, patch)
    _cast_shadows(sheet, terrain, light)
    colour = np.clip(sheet.colour, 0, 255).astype(np.uint8)
    cover = np.stack([sheet.sun, sheet.water, sheet.grass], axis=-1)
    return GroundPaint(colour, np.clip(cover * 255, 0, 255).astype(np.uint8))


def _open_country(sheet: _Sheet, terrain: DrawnGround) -> None:
    """Paint open country: lush hollows, dry crests, earth on slopes, rock on the steepest."""
    height = _heights(sheet, terrain)
    slope_y, slope_x = np.gradient(height, sheet.texel[1], sheet.texel[0])
    slope = np.hypot(slope_x, slope_y)
    rise = height - height.min()
    relief = float(rise.max())
    up = rise / max(relief, LEAST_RELIEF_M)
    crest = _stands_out(sheet, height, relief)
    wide = clouds(height.shape, 190.0 / sheet.texel[0], seed=3)
    fine = clouds(height.shape, 5.0 / sheet.texel[0], seed=7)
    lush = np.clip(up * 1.25 + (wide - 0.5) * 0.8, 0, 1)
    parched = wide * 0.45 + sheet.noise * 0.5 + up * 0.45 + crest * 0.35 - 0.66
    dryness = np.clip(parched * 3, 0, 1) * 0.75
    light = (0.88 + 0.24 * fine) * (1.0 + 0.24 * crest)
    # Grass grows on steeper slopes in some areas than in others.
    ragged = slope + 0.2 * (sheet.noise - 0.5)
    steep = np.clip((ragged - 0.32) / 0.35, 0, 1)
    stony = np.clip((ragged + 0.3 * (fine - 0.5) - 0.62) / 0.3, 0, 1)
    for channel in range(3):
        low, high, dry, earth = (
            colour[channel] for colour in (LOW_GRASS, HIGH_GRASS, DRY_GRASS, EARTH)
        )
        grass = low + (high - low) * lush
        grass += (dry - grass) * dryness
        grass *= light
        bare = (earth + (ROCK[channel] - earth) * stony) * (0.92 + 0.16 * fine)
        sheet.colour[..., channel] = grass + (bare - grass) * steep


def _heights(sheet: _Sheet, terrain: DrawnGround) -> NDArray[np.float32]:
    """Return the ground's height at each texel, metres."""
    ground = np.ascontiguousarray(terrain.elevation_m[::-1], np.float32)
    size = sheet.columns, sheet.rows
    return np.asarray(Image.fromarray(ground).resize(size, Image.Resampling.BILINEAR))


def _stands_out(sheet: _Sheet, height: NDArray[np.float32], relief: float) -> NDArray[np.float32]:
    """Return how far each texel is above (up to 1) or below (down to -1) its surroundings."""
    longest = max(height.shape)
    blocks = (
        max(2, round(COUNTRY_BLOCKS * sheet.columns / longest)),
        max(2, round(COUNTRY_BLOCKS * sheet.rows / longest)),
    )
    about = Image.fromarray(height).resize(blocks, Image.Resampling.BOX)
    level = about.resize((sheet.columns, sheet.rows), Image.Resampling.BICUBIC)
    above = height - np.asarray(level, np.float32)
    return np.asarray(np.clip(above / max(0.22 * relief, 1.5), -1, 1), np.float32)


def _nothing(sheet: _Sheet, patch: Patch) -> None:
    """Paint nothing, for features that stand on the ground without changing it."""


def _wood(sheet: _Sheet, patch: Patch) -> None:
    """Paint crowns of trees from above: round and mottled, dark between them."""
    window, share = sheet.mask(patch, soft_m=1.2)
    crowns = clouds(share.shape, 7.0 / sheet.texel[0], seed=31 + patch.seed)
    crowns = np.clip((crowns - 0.32) * 2.4, 0, 1)[..., None]
    dark, light = np.array((52, 70, 36), np.float32), np.array((98, 122, 60), np.float32)
    sheet.lay((window, share), dark + (light - dark) * crowns)
    sheet.bare((window, share))


def _scrub(sheet: _Sheet, patch: Patch) -> None:
    window, share = sheet.mask(patch, soft_m=1.5)
    sheet.lay((window, share * (0.35 + 0.6 * sheet.noise[window])), (92, 96, 50))


def _orchard(sheet: _Sheet, patch: Patch) -> None:
    sheet.lay(sheet.mask(patch, soft_m=0.8), (112, 134, 64))


def _marsh(sheet: _Sheet, patch: Patch) -> None:
    window, share = sheet.mask(patch, soft_m=2.0)
    sheet.lay((window, share * 0.85), (94, 104, 62))
    fine = clouds(share.shape, 9.0 / sheet.texel[0], seed=23 + patch.seed)
    pools = share * np.clip((fine - 0.56) * 9, 0, 1)
    sheet.lay((window, pools), (58, 74, 78))
    sheet.water[window] = np.maximum(sheet.water[window], pools * 0.8)


def _water(sheet: _Sheet, patch: Patch) -> None:
    """Paint damp grass, a dark bank, then water slightly inside the outline."""
    sheet.lay(_weaker(sheet.mask(patch, grow_m=3.0, soft_m=1.0), 0.55), (84, 112, 54))
    bank = sheet.mask(patch, soft_m=0.4)
    sheet.lay(bank, (92, 82, 56))
    sheet.bare(bank)
    window, share = sheet.mask(patch, soft_m=0.9)
    inner = np.clip((share - 0.55) * 4, 0, 1)
    sheet.lay((window, inner), (66, 98, 120))
    sheet.water[window] = np.maximum(sheet.water[window], inner)


def _road(sheet: _Sheet, patch: Patch) -> None:
    """Paint a trodden verge, then dust with a crisp edge."""
    sheet.lay(_weaker(sheet.mask(patch, grow_m=1.2, soft_m=0.5), 0.45), (136, 124, 80))
    cut = sheet.mask(patch)
    colour = (188, 166, 122) if patch.kind == "road" else (164, 144, 102)
    sheet.lay(cut, colour)
    sheet.bare(cut)
    window, share = sheet.mask(patch, soft_m=0.9)
    worn = np.clip((share - 0.62) * 3, 0, 1)
    sheet.lay((window, worn * 0.6), (204, 184, 142))
    sheet.water[window] *= 1 - share


def _field(sheet: _Sheet, patch: Patch) -> None:
    """Paint a crop in rows along the field's longest edge."""
    cut = sheet.mask(patch)
    window, _ = cut
    ring = patch.outline_m[0]
    edges = np.roll(ring, -1, axis=0) - ring
    along = edges[np.argmax((edges**2).sum(axis=1))]
    across = np.array([-along[1], along[0]]) / np.hypot(*along)
    rows, columns = np.mgrid[window]
    place = rows * sheet.texel[1] * across[1] + columns * sheet.texel[0] * across[0]
    furrow = 0.5 + 0.5 * np.sin(place * (2 * np.pi / 3.6))
    centre = ring.mean(axis=0).astype(int)
    choice = int(fraction(centre[0], centre[1], patch.seed)[0] * len(CROPS))
    crop = np.array(CROPS[choice], np.float32) * (0.87 + 0.2 * furrow)[..., None]
    sheet.lay(cut, crop.astype(np.float32))
    sheet.bare(cut)


def _yard(sheet: _Sheet, patch: Patch) -> None:
    """Paint trodden earth around houses."""
    cut = sheet.mask(patch, grow_m=2.5, soft_m=1.6)
    sheet.lay(_weaker(cut, 0.8), (158, 138, 100))
    sheet.bare(cut)


def _camp(sheet: _Sheet, patch: Patch) -> None:
    """Paint thin grass, and bare earth on the paths."""
    window, share = sheet.mask(patch, grow_m=1.5, soft_m=2.0)
    sheet.lay((window, share * (0.25 + 0.6 * sheet.noise[window])), (146, 130, 86))
    sheet.bare((window, share * 0.8))


def _footing(sheet: _Sheet, patch: Patch) -> None:
    """Paint longer, darker grass at the foot of a wall or hedge."""
    sheet.lay(_weaker(sheet.mask(patch, grow_m=0.8, soft_m=0.4), 0.7), (78, 92, 46))


def _stones(sheet: _Sheet, patch: Patch) -> None:
    cut = sheet.mask(patch, grow_m=0.6, soft_m=0.6)
    sheet.lay(_weaker(cut, 0.8), (132, 126, 108))
    sheet.bare(cut)


def _crossing(sheet: _Sheet, patch: Patch) -> None:
    """Paint shallow water over stones, and trodden earth on its banks."""
    window, share = sheet.mask(patch, soft_m=2.5)
    wet = sheet.water[window]
    trodden = share * (1 - wet) * (0.2 + 0.6 * sheet.noise[window])
    sheet.lay((window, trodden), (140, 120, 84))
    sheet.bare((window, trodden))
    sheet.lay((window, share * wet * 0.6), (138, 136, 112))
    sheet.water[window] = wet * (1 - 0.5 * share)


def _weaker(cut: _Cut, factor: float) -> _Cut:
    return cut[0], cut[1] * factor


_PAINTERS = {
    "wood": _wood,
    "scrub": _scrub,
    "orchard": _orchard,
    "marsh": _marsh,
    "stream": _water,
    "river": _water,
    "lake": _water,
    "road": _road,
    "track": _road,
    "field": _field,
    "building": _yard,
    "farm": _yard,
    "village": _yard,
    "ruin": _yard,
    "works": _yard,
    "storage-tank": _yard,
    "camp": _camp,
    "hedge": _footing,
    "wall": _footing,
    **dict.fromkeys(CASTLE, _footing),
    "rock": _stones,
    "ford": _crossing,
}
_ORDER = {
    "field": 0,
    "marsh": 1,
    "scrub": 2,
    "orchard": 2,
    "wood": 3,
    "stream": 6,
    "river": 6,
    "lake": 6,
    "ford": 7,
    "track": 8,
    "road": 8,
}


def _cast_shadows(sheet: _Sheet, terrain: DrawnGround, light: Light) -> None:
    """Darken the ground behind woods and solid features, away from the sun."""
    east, north, up = light.direction()
    reach = min(1 / max(up, 0.1), 6.0)
    for patch in terrain.patches:
        if patch.kind in WOODED:
            height, strength = patch.height_m or 9.0, 0.62
        elif patch.kind in SOLID:
            height, strength = patch.height_m or 2.0, 0.7
        else:
            continue
        length = min(height, 12.0) * reach
        steps = max(2, min(12, int(length / max(sheet.texel) / 2)))
        for step in range(steps + 1):
            move = -np.array([east, north]) * length * step / steps
            moved = tuple(ring + move for ring in patch.outline_m)
            shadow = Patch(kind=patch.kind, outline_m=moved)
            sheet.shade(sheet.mask(shadow, soft_m=0.5 + 0.08 * length * step / steps), strength)
    for patch in terrain.patches:
        if patch.kind in WOODED:
            # The sun reaches the crowns, which are painted on the ground of a wood.
            sheet.lighten(sheet.mask(patch, soft_m=1.2), 0.85)


def _power_of_two(number: float) -> int:
    return 1 << int(np.ceil(np.log2(max(number, 1.0)) - 0.01))
