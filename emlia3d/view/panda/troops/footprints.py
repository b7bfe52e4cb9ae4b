"""Units as blocks on the ground, tinted by side, for maps on which figures are too small.

A block has a minimum thickness, a tick at the front, and its side's pattern in addition to its
colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from panda3d.core import Geom, GeomNode, NodePath, TransparencyAttrib

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import Banner, DrawnGround, Pattern, SideLook
from emlia3d.view.panda.land.groundsheet import Floats
from emlia3d.view.panda.meshes import VERTEX, mesh
from emlia3d.view.panda.troops.figures import colour_of

FADES_IN_M, FULL_M = 130.0, 420.0  # of the eye above the ground
LEAST_TILT, FULL_TILT = 0.35, 0.75  # share of the view direction that points down
FULL_ALPHA = 0.92
LEAST_DEPTH_PX, LEAST_WIDTH_PX = 7.0, 11.0
RIM_PX = 1.4
TICK_PX = 7.0
RAISED_M = 0.4
STEPS = 8  # along a front, so that a block lies on the ground
RIM = (0.97, 0.95, 0.88)
HEART_PX = 2.2
DARK, DOUBT, DREAD = np.array([(0.10, 0.10, 0.11), (1.00, 0.84, 0.35), (0.93, 0.25, 0.12)])
BROKEN = 0.55  # part of the colour that a broken unit's block loses
SIGN_PX, SIGN_WIDTH = 1.3, 1.5
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
Spot: TypeAlias = tuple[float, float]
STROKES: dict[Pattern, tuple[tuple[Spot, Spot, float], ...]] = {
    "plain": (),
    "saltire": (((-1, -1), (1, 1), 0.3), ((-1, 1), (1, -1), 0.3)),
    "cross": (((0, -1), (0, 1), 0.35), ((-2, 0), (2, 0), 0.35)),
    "pale": (((0, -1), (0, 1), 0.9),),
    "fess": (((-2, 0), (2, 0), 0.6),),
    "quarterly": (((-1, 0.5), (0, 0.5), 1.0), ((0, -0.5), (1, -0.5), 1.0)),
}
"""Start and end in half blocks to the right and ahead, and thickness in half depths; 2 is the end
of the block, 1 the end of a square in its centre."""
QUAD = np.array([(0, 1, 2), (0, 2, 3)])
REDRAW = 1.12  # ratio of metres a pixel at which the blocks are made again


class UnitBlocks:
    """The footprints of all units, replaced at each update."""

    def __init__(self, parent: NodePath, terrain: DrawnGround) -> None:
        self._terrain = terrain
        self._banners: tuple[Banner, ...] = ()
        self._made_for_m = 0.0
        self.root = parent.attach_new_node("footprints")
        self.root.set_shader_off(1)
        self.root.set_transparency(TransparencyAttrib.M_alpha)
        self.root.set_two_sided(True)
        self.root.set_depth_write(False)
        self.root.set_depth_offset(2)
        self.root.set_bin("fixed", 22)

    def show(self, banners: Sequence[Banner], sides: tuple[SideLook, ...]) -> None:
        """Replace the blocks at the next `update_for_camera`."""
        self._banners = tuple(
            banner
            for banner in banners
            if banner.outline_m is not None and len(banner.outline_m) == 4
        )
        colours = [colour_of(side.colour) for side in sides]
        self._patterns = np.array(
            [
                PATTERNS.index(sides[banner.team].pattern if banner.team < len(sides) else "plain")
                for banner in self._banners
            ]
        )
        own = [
            colours[banner.team] if banner.team < len(colours) else (0.6, 0.6, 0.6)
            for banner in self._banners
        ]
        self._colours = np.array(own).reshape(-1, 3)
        for row, banner in enumerate(self._banners):
            if banner.emphasis == "broken":
                grey = self._colours[row].mean()
                self._colours[row] += BROKEN * (grey - self._colours[row])
        self._made_for_m = 0.0

    def update_for_camera(self, sight: Eyesight, above_m: float) -> None:
        """Fade in with the height of the eye and the steepness of the view."""
        high = np.clip((above_m - FADES_IN_M) / (FULL_M - FADES_IN_M), 0, 1)
        steep = np.clip((-sight.axes[2, 2] - LEAST_TILT) / (FULL_TILT - LEAST_TILT), 0, 1)
        share = float(high * steep)
        if share <= 0 or not self._banners:
            self.root.hide()
            return
        pixel_m = above_m / sight.pixels_a_radian
        if not self._made_for_m / REDRAW < pixel_m < self._made_for_m * REDRAW:
            self.root.node().remove_all_children()
            node = GeomNode("blocks")
            node.add_geom(self._blocks(pixel_m))
            self.root.attach_new_node(node)
            self._made_for_m = pixel_m
        self.root.show()
        self.root.set_alpha_scale(share * FULL_ALPHA)

    def _blocks(self, pixel_m: float) -> Geom:
        """Return all blocks at *pixel_m* metres per pixel: outlines first, then contents."""
        corners = np.array([banner.outline_m for banner in self._banners], np.float64)
        middle = corners.mean(axis=1)
        turn = np.radians([banner.facing_deg for banner in self._banners])
        ahead = np.stack([np.sin(turn), np.cos(turn)], axis=1)
        right = np.stack([np.cos(turn), -np.sin(turn)], axis=1)
        off = corners - middle[:, None]
        wide = np.abs(np.einsum("nij,nj->ni", off, right)).max(axis=1)
        deep = np.abs(np.einsum("nij,nj->ni", off, ahead)).max(axis=1)
        wide = np.maximum(wide, LEAST_WIDTH_PX / 2 * pixel_m)
        deep = np.maximum(deep, LEAST_DEPTH_PX / 2 * pixel_m)
        rim = RIM_PX * pixel_m
        layers = []
        for grow, colours in ((rim, np.full_like(self._colours, RIM)), (0.0, self._colours)):
            half = wide + grow, deep + grow
            layers.append((_oblongs(middle, right, ahead, *half), STRIP, colours))
            tick = _ticks(middle, right, ahead, deep, TICK_PX * pixel_m, grow)
            layers.append((tick, np.array([[0, 1, 2]]), colours))
        layers += self._hearts(middle, right, ahead, wide, deep, HEART_PX * pixel_m)
        layers += self._signs(middle, right, ahead, wide, deep, SIGN_PX * pixel_m)
        vertices, triangles, count = [], [], 0
        for places, faces, colours in layers:
            number, corners_each = places.shape[:2]
            rows = np.zeros((number, corners_each), VERTEX)
            x, y = places[..., 0], places[..., 1]
            rows["place"][..., 0], rows["place"][..., 1] = x, y
            ground = self._terrain.heights(x.ravel(), y.ravel()).reshape(x.shape)
            rows["place"][..., 2] = ground + RAISED_M
            rows["normal"] = (0, 0, 1)
            rows["colour"][..., :3] = np.round(colours * 255)[:, None]
            rows["colour"][..., 3] = 255
            vertices.append(rows.reshape(-1))
            each = np.arange(number)[:, None, None] * corners_each + count
            triangles.append((faces[None] + each).reshape(-1, 3))
            count += number * corners_each
        return mesh(np.concatenate(vertices), np.concatenate(triangles), "blocks")

    def _hearts(
        self, middle: Floats, right: Floats, ahead: Floats, wide: Floats, deep: Floats, line: float
    ) -> list[tuple[Floats, NDArray[np.int64], Floats]]:
        """Return strips along the rear of shaken blocks; their length shows the loss of morale."""
        despair = np.array([banner.despair for banner in self._banners])
        low = np.flatnonzero(despair > 0)
        if len(low) == 0:
            return []
        rear = middle[low] - ahead[low] * (deep[low] + line)[:, None]
        found = []
        for share, thick, colours in (
            (np.ones(len(low)), 2.4 * line, np.tile(DARK, (len(low), 1))),
            (despair[low], 1.4 * line, DOUBT + (DREAD - DOUBT) * despair[low, None]),
        ):
            left = rear - right[low] * wide[low, None]
            end = left + right[low] * (2 * share * wide[low])[:, None]
            up = ahead[low] * thick / 2
            quads = np.stack([left - up, end - up, end + up, left + up], axis=1)
            found.append((quads, QUAD, colours))
        return found

    def _signs(
        self, middle: Floats, right: Floats, ahead: Floats, wide: Floats, deep: Floats, line: float
    ) -> list[tuple[Floats, NDArray[np.int64], Floats]]:
        """Return the strokes of each side's pattern, as quads over its blocks."""
        found = []
        for number, pattern in enumerate(PATTERNS):
            chosen = np.flatnonzero(self._patterns == number)
            for start, end, thick in STROKES[pattern] if len(chosen) else ():
                # A pattern is as wide as its block is deep, or fills the block's width.
                square = np.minimum(wide, SIGN_WIDTH * deep)[chosen]
                reach = [
                    wide[chosen] if abs(x) > 1 else square * abs(x) for x in (start[0], end[0])
                ]
                ends = [
                    middle[chosen]
                    + right[chosen] * (np.sign(x) * across)[:, None]
                    + ahead[chosen] * (y * deep[chosen])[:, None]
                    for (x, y), across in zip((start, end), reach, strict=True)
                ]
                along = ends[1] - ends[0]
                along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
                half = np.maximum(thick * deep[chosen], line)[:, None] / 2
                side = np.stack([-along[:, 1], along[:, 0]], axis=1) * half
                quads = np.stack(
                    [ends[0] - side, ends[1] - side, ends[1] + side, ends[0] + side], axis=1
                )
                found.append((quads, QUAD, np.full_like(self._colours[chosen], RIM)))
        return found


def _oblongs(middle: Floats, right: Floats, ahead: Floats, wide: Floats, deep: Floats) -> Floats:
    """Return the front line, then the rear line of each block, (n, 2 (STEPS + 1), 2)."""
    share = np.linspace(-1.0, 1.0, STEPS + 1)
    along = middle[:, None] + right[:, None] * (wide[:, None] * share)[..., None]
    forward = (ahead * deep[:, None])[:, None]
    return np.concatenate([along + forward, along - forward], axis=1)


def _ticks(
    middle: Floats, right: Floats, ahead: Floats, deep: Floats, size: float, grow: float
) -> Floats:
    """Return a triangle ahead of the centre of each front, (n, 3, 2)."""
    front = middle + ahead * deep[:, None]
    half, tip = size * 0.62 + 1.6 * grow, size * 0.85 + 1.8 * grow
    return np.stack([front - right * half, front + right * half, front + ahead * tip], axis=1)


_HERE = np.arange(STEPS)
STRIP = np.concatenate(
    [
        np.stack([_HERE, _HERE + 1, _HERE + STEPS + 2], axis=1),
        np.stack([_HERE, _HERE + STEPS + 2, _HERE + STEPS + 1], axis=1),
    ]
)
