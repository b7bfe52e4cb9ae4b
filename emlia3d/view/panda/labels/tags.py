"""Name tags over the picture, of constant size and without overlaps.

They are laid out on the CPU and drawn flat, so that all displays show the same. Units hidden by the
ground have no tags.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from panda3d.core import GeomNode, GraphicsOutput, NodePath

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import Banner, DrawnGround, Emphasis, SideLook
from emlia3d.view.panda.labels.flat import TAGS, FlatLayer
from emlia3d.view.panda.labels.layout import Box, spread
from emlia3d.view.panda.labels.plates import Atlas, plates
from emlia3d.view.panda.meshes import PLAIN_VERTEX, boundless, mesh, picture_texture
from emlia3d.view.panda.troops.standards import LEAST_PX

Floats: TypeAlias = NDArray[np.float64]

TEXT_SHARE, MANY_SHARE = 0.0172, 0.0150  # of the picture's height; with many tags
LEAST_TEXT_PX = 9
MANY = 14  # with more tags than these, a tag is a name and a bar
MOST_TAGS = 48
ACROSS = 7  # points along a rank that tags avoid
SIGHT_STEPS = 40
LEADER_PX = 1.2
FIGURE_M, NEAR_PX = 1.8, 60.0  # from this size of a figure on, followers have tags
RANK: dict[Emphasis, int] = {"selected": 0, "active": 1, "plain": 2, "broken": 3}


class Tags:
    """All tags, replaced at each update."""

    def __init__(self, output: GraphicsOutput, terrain: DrawnGround) -> None:
        self._terrain = terrain
        self._output = output
        self._layer = FlatLayer(output, "tags", TAGS)
        self._sheet: NodePath | None = None
        self._atlas: Atlas | None = None
        self._told: tuple[object, ...] = ()

    def show(
        self, banners: tuple[Banner, ...], sides: tuple[SideLook, ...], text_size: float = 1.0
    ) -> None:
        """Replace the tags; they are laid out at the next `update_for_camera`."""
        if banners:
            self._letter(banners, sides, text_size)
            self._people = people_of(banners, self._terrain)
            self._anchors = _heads(banners, self._terrain)
            self._rank = np.array([RANK[banner.emphasis] for banner in banners])
            self._follows = np.array([banner.follows for banner in banners])
            self._joined = np.array([banner.joined for banner in banners])
            self._places = np.array([banner.outline_m is None for banner in banners])
            self._poles_m = np.array([b.tall_m if b.standard else 0.0 for b in banners])
        elif self._sheet is not None:
            self._sheet.remove_node()
            self._sheet, self._told = None, ()

    def _letter(
        self, banners: tuple[Banner, ...], sides: tuple[SideLook, ...], text_size: float
    ) -> None:
        """Make the plates, unless their text is unchanged."""
        many = sum(not banner.joined for banner in banners) > MANY
        share = text_size * (MANY_SHARE if many else TEXT_SHARE)
        text_px = max(LEAST_TEXT_PX, round(self._output.get_y_size() * share))
        told = (text_px, *((b.text, b.subtext, b.emphasis, b.team, b.strength) for b in banners))
        if told == self._told:
            return
        self._told = told
        if self._sheet is not None:
            self._sheet.remove_node()
        self._atlas = plates(banners, sides, text_px, brief=many)
        self._sheet = self._layer.root.attach_new_node(boundless(GeomNode("plates")))
        self._sheet.set_texture(
            picture_texture(self._atlas.picture[::-1], "plates", mipmap=False), 1
        )

    def update_for_camera(self, sight: Eyesight, kept_free: Sequence[Box] = ()) -> None:
        """Lay the tags out for a camera, outside the free rectangles, pixels."""
        if self._sheet is None or self._atlas is None:
            return
        width, height = sight.size
        self._layer.fit(width, height)
        away = np.sqrt(((self._anchors - sight.eye) ** 2).sum(axis=1))
        # Far standards are drawn larger, and the tag belongs over the cloth.
        taller = np.maximum(1.0, LEAST_PX * away / (sight.pixels_a_radian * 4.6)) - 1.0
        feet = sight.project(self._anchors + np.outer(taller * self._poles_m, [0, 0, 1]))
        # The canvas can have more pixels than the picture; the layout uses the pixels of the
        # picture.
        shrink = height / self._output.get_y_size()
        sizes: Floats = (self._atlas.boxes[:, 2:] - self._atlas.boxes[:, :2]) * np.float64(shrink)
        inside = (feet >= 0).all(axis=1) & (feet[:, 0] < width) & (feet[:, 1] < height)
        wanted = have_tags(self._follows, self._rank, away, sight.pixels_a_radian)
        wanted &= ~self._joined | (self._rank == RANK["selected"])
        seen = np.flatnonzero(inside & wanted)
        seen = seen[np.lexsort((away[seen], self._places[seen], self._rank[seen]))][: 2 * MOST_TAGS]
        seen = seen[_in_sight(self._terrain, sight.eye, self._anchors[seen])][:MOST_TAGS]
        people = sight.project(self._people)
        people = people[np.isfinite(people[:, 0])]
        placed = spread(feet[seen], sizes[seen], width, height, people, kept_free)
        node = self._sheet.node()
        assert isinstance(node, GeomNode)
        node.remove_all_geoms()
        chosen = np.flatnonzero(placed[:, 0] >= 0)[::-1]
        if len(chosen):
            # The nearest is drawn last, over all others.
            rows, corners = seen[chosen], placed[chosen]
            self._draw(node, feet[rows], corners, sizes[rows], self._atlas.boxes[rows])

    def close(self) -> None:
        """Remove the tags."""
        self._layer.close()

    def _draw(
        self,
        node: GeomNode,
        feet: Floats,
        corners: Floats,
        sizes: Floats,
        boxes: NDArray[np.int64],
    ) -> None:
        assert self._atlas is not None
        stem = np.clip(feet[:, 0], corners[:, 0] + 4, corners[:, 0] + sizes[:, 0] - 4)
        under = corners[:, 1] + sizes[:, 1]
        leaders = np.stack(
            [
                stem - LEADER_PX / 2,
                np.where(feet[:, 1] < corners[:, 1], feet[:, 1], under),
                stem + LEADER_PX / 2,
                np.where(feet[:, 1] < corners[:, 1], corners[:, 1], np.maximum(feet[:, 1], under)),
            ],
            axis=1,
        )
        dot = np.broadcast_to(np.array([1, 1, 2, 2]), leaders.shape)
        areas = np.concatenate([leaders, np.concatenate([corners, corners + sizes], axis=1)])
        texels = np.concatenate([dot, boxes]).astype(np.float64)
        rows, columns = self._atlas.picture.shape[:2]
        quad = np.zeros((len(areas), 4), PLAIN_VERTEX)
        for corner, (x, y) in enumerate(((0, 3), (2, 3), (2, 1), (0, 1))):
            quad["place"][:, corner, 0] = areas[:, x]
            quad["place"][:, corner, 2] = -areas[:, y]
            quad["uv"][:, corner, 0] = texels[:, x] / columns
            quad["uv"][:, corner, 1] = 1 - texels[:, y] / rows
        quad["colour"] = 255
        quad["colour"][: len(leaders), :, 3] = 150
        corner_rows = np.arange(len(areas))[:, None, None] * 4 + np.array([[0, 1, 2], [0, 2, 3]])
        node.add_geom(mesh(quad.reshape(-1), corner_rows.reshape(-1, 3), "plates"))


def have_tags(
    follows: NDArray[np.bool_], rank: NDArray[np.int64], away: Floats, pixels_a_radian: float
) -> NDArray[np.bool_]:
    """Return (n,) bool: the units with tags; followers only if selected, active or near.

    rank : (n,) values of `RANK`
    away : (n,) from the eye, metres
    """
    figure_px = FIGURE_M * pixels_a_radian / np.maximum(away, 1e-6)
    return ~follows | (rank <= RANK["active"]) | (figure_px >= NEAR_PX)


def people_of(banners: Sequence[Banner], terrain: DrawnGround) -> Floats:
    """Return positions of a unit's figures, (n, 3) metres, which tags avoid."""
    rings = [
        (banner.outline_m, banner.lift_m)
        for banner in banners
        if banner.outline_m is not None and len(banner.outline_m) == 4
    ]
    if not rings:
        return np.zeros((0, 3))
    corners = np.array([ring for ring, _ in rings])
    left, right = corners[:, [0, 3]], corners[:, [1, 2]]
    share = np.linspace(0.0, 1.0, ACROSS)[:, None, None, None]
    place = (left + (right - left) * share).reshape(ACROSS, -1, 2)
    lift = np.repeat([lift for _, lift in rings], 2) + 1.0
    ground = terrain.heights(place[..., 0].ravel(), place[..., 1].ravel())
    height = ground.reshape(ACROSS, -1) + lift
    return np.concatenate([place, height[..., None]], axis=2).reshape(-1, 3)


def _heads(banners: Sequence[Banner], terrain: DrawnGround) -> Floats:
    """Return the point above each standard, (n, 3) metres."""
    x, y, up = np.array([(b.x_m, b.y_m, b.lift_m + b.tall_m) for b in banners]).T
    return np.stack([x, y, terrain.heights(x, y) + up], axis=1)


def _in_sight(terrain: DrawnGround, eye: Floats, places: Floats) -> NDArray[np.bool_]:
    """Return which points the ground does not hide, (n,)."""
    if len(places) == 0:
        return np.zeros(0, bool)
    share = (np.arange(1, SIGHT_STEPS) / SIGHT_STEPS)[:, None, None]
    on_the_way = eye + (places[None] - eye) * share
    ground = terrain.heights(on_the_way[..., 0].ravel(), on_the_way[..., 1].ravel())
    return np.asarray((on_the_way[..., 2] >= ground.reshape(on_the_way.shape[:2])).all(axis=0))
