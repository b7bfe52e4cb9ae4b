"""The plain look for displays without shaders: light is baked into colours and one texture.

The picture of the ground contains light, contours and static shadows. Figures, trees and houses are
a few large meshes with light in their colours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from panda3d.core import GeomNode, NodePath, TransparencyAttrib
from PIL import Image

from emlia3d.force.figure_models import MODELS
from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.bodies import BODIES
from emlia3d.view.moment.scene import (
    FALLEN,
    KNEELING,
    PRONE,
    Banner,
    Chart,
    DrawnGround,
    Figures,
    Mark,
    Overlay,
    Scene,
)
from emlia3d.view.panda.land import levels
from emlia3d.view.panda.land import terrain as ground
from emlia3d.view.panda.land.bricks import LandSolids
from emlia3d.view.panda.land.charts import charted
from emlia3d.view.panda.land.drape import Drape
from emlia3d.view.panda.land.paint import GroundPaint, paint
from emlia3d.view.panda.land.placing import place_all
from emlia3d.view.panda.land.plinths import stood_on
from emlia3d.view.panda.land.solids import masonry, solids_of
from emlia3d.view.panda.marks import Marks
from emlia3d.view.panda.meshes import (
    PLAIN_VERTEX,
    VERTEX,
    mesh,
    picture_texture,
    shown,
    triangles_of,
    vertices_of,
)
from emlia3d.view.panda.models.model_list import model
from emlia3d.view.panda.troops.bases import BaseMesh
from emlia3d.view.panda.troops.figures import colour_of
from emlia3d.view.panda.troops.footprints import UnitBlocks

AMBIENT, SUNLIT = 0.46, 0.72
DISTANCE = np.array([168, 188, 205])
DEEP = (7, 10, 22)
CONTOUR_INK = 0.26
MOST_CELLS = 384
STAND_IN = {"conifer": "far_conifer", "broadleaf": "far_broadleaf"}
# A body of three storeys, for a figure one high and one wide: legs, coat, head.
STOREYS = ((0.0, 0.42, 0.34, (0.55, 0.53, 0.48), 0.0), (0.42, 0.78, 0.46, (1, 1, 1), 1.0),
           (0.78, 1.0, 0.22, (0.30, 0.25, 0.22), 0.0))  # fmt: skip


class FixedFunctionRenderer:
    """A scene under a root; close it before the next."""

    def __init__(self, parent: NodePath, scene: Scene, texels: int) -> None:
        self._root = parent.attach_new_node("scene")
        self._scene = scene
        self._sun = np.array(scene.light.direction())
        self._troops = self._root.attach_new_node("troops")
        self._poles = self._root.attach_new_node("standards")
        self._build_ground(min(texels, 1024))
        self._build_features()
        self._marks = Marks(self._root, scene.terrain)
        self._drape = Drape(self._root, scene.terrain)
        self._footprints = UnitBlocks(self._root, scene.terrain)
        self._levels = levels.build_levels(self._root, scene.terrain)
        self._bases = BaseMesh(
            self._root, scene.terrain, scene.sides, lambda vertices: lit(vertices, self._sun)
        )
        self.update_figures(scene.figures)
        self.show_banners(scene.banners)
        self.show_marks(scene.marks)
        self.show_overlays(scene.overlays)

    def update_figures(self, figures: Figures) -> None:
        """Update only the figures."""
        self._figures = figures
        self._bases.update(figures)
        self.blend(figures.alpha, 0.0, figures.alpha)

    def blend(self, alpha: float, seconds: float, fallen: float) -> None:
        """Draw figures between their previous and current positions, without animated legs."""
        del seconds, fallen
        self._bases.blend(alpha)
        self._troops.node().remove_all_children()
        if len(self._figures):
            geom = _figures_mesh(self._figures, alpha, self._scene)
            self._add(self._troops, *geom)

    def show_banners(self, banners: Sequence[Banner]) -> None:
        """Replace the standards."""
        self._poles.node().remove_all_children()
        blocks = stood_on(banners, self._scene.terrain)
        if blocks:
            self._add_solids(self._poles, masonry(blocks, self._scene.terrain))
        self._footprints.show(banners, self._scene.sides)
        carried = [banner for banner in banners if banner.standard]
        if carried:
            self._add(self._poles, *_poles_mesh(carried, self._scene))

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Replace the marks."""
        self._marks.show(marks)

    def advance_marks(self, seconds: float) -> None:
        """Show the shots and blows that have begun at a time."""
        self._marks.advance(seconds)

    def show_overlays(self, overlays: Sequence[Overlay]) -> None:
        """Replace the pictures on the ground."""
        self._drape.show(overlays)

    def show_chart(self, chart: Chart) -> None:
        """Set the style of the ground."""
        self._land.set_texture(
            picture_texture(_baked_paint(self._scene, self._painted, chart), "land"), 1
        )

    def update_for_camera(self, sight: Eyesight, camera: NodePath) -> None:
        """Prepare the drawing for a camera."""
        del camera
        above = float(sight.eye[2]) - self._scene.terrain.height(*map(float, sight.eye[:2]))
        self._footprints.update_for_camera(sight, above)
        self._marks.update_for_camera(sight)
        shown(self._levels, self._scene.contours and levels.readable(self._scene.terrain, above))

    def close(self) -> None:
        """Remove everything from the stage."""
        self._root.remove_node()

    def _add(
        self, parent: NodePath, vertices: NDArray[np.void], triangles: NDArray[np.int64]
    ) -> NodePath:
        node = GeomNode("plain")
        node.add_geom(mesh(vertices, triangles, "plain"))
        path = parent.attach_new_node(node)
        path.set_two_sided(True)
        return path

    def _build_ground(self, texels: int) -> None:
        scene = self._scene
        self._painted = paint(scene.terrain, scene.light, texels)
        land = self._land = self._root.attach_new_node("land")
        self.show_chart(scene.chart)
        for vertices, triangles in _ground_chunks(scene.terrain):
            self._add(land, vertices, triangles)
        country = ground.build_country(self._root, scene.terrain)
        node = country.node()
        assert isinstance(node, GeomNode)
        strips = [(vertices_of(geom), triangles_of(geom)) for geom in node.get_geoms()]
        country.remove_node()
        for vertices, triangles in strips:
            self._add(self._root, _country(vertices, self._sun, scene.terrain), triangles)

    def _build_features(self) -> None:
        for name, props in place_all(self._scene.terrain).items():
            geom = model(STAND_IN.get(name, name))
            if len(props):
                stamped = _stamped(vertices_of(geom), triangles_of(geom), props.rows)
                self._add(self._root, lit(stamped[0], self._sun), stamped[1])
        for solids in solids_of(self._scene.terrain):
            self._add_solids(self._root, solids)

    def _add_solids(self, parent: NodePath, solids: LandSolids) -> None:
        vertices = lit(solids.vertices, self._sun)
        vertices["colour"][:, 3] = round(255 * solids.alpha)
        path = self._add(parent, vertices, solids.triangles)
        if solids.alpha < 1:
            path.set_transparency(TransparencyAttrib.M_alpha)
            path.set_depth_write(False)


def lit(vertices: NDArray[np.void], sun: NDArray[np.float64]) -> NDArray[np.void]:
    """Return the vertices with light in their colours, VERTEX."""
    baked = vertices.copy()
    light = AMBIENT * (0.8 + 0.2 * baked["normal"][:, 2]) + SUNLIT * np.clip(
        baked["normal"] @ sun, 0, None
    )
    colour = baked["colour"][:, :3] * light[:, None]
    baked["colour"][:, :3] = np.clip(colour, 0, 255)
    baked["colour"][:, 3] = 255
    return baked


def _baked_paint(scene: Scene, painted: GroundPaint, chart: Chart) -> NDArray[np.uint8]:
    """Return the ground's picture with hillshade, still shadows and contours, (h, w, 3)."""
    if scene.terrain.look == "space":
        return painted.colour
    rows, columns = painted.colour.shape[:2]
    width, depth = scene.terrain.size_m
    raster = Image.fromarray(np.ascontiguousarray(scene.terrain.elevation_m[::-1], np.float32))
    height = np.asarray(raster.resize((columns, rows), Image.Resampling.BICUBIC))
    slope_y, slope_x = np.gradient(height, depth / rows, width / columns)
    relief = ground.exaggeration(scene.terrain)
    normal = np.stack([-relief * slope_x, -relief * slope_y, np.ones_like(height)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    sunshine = painted.cover[..., 0] / 255.0
    sun = np.array(scene.light.direction())
    light = AMBIENT + SUNLIT * np.clip(normal @ sun, 0, None) * 1.35 * sunshine
    interval = (
        ground.contour_interval(scene.terrain) if scene.contours or chart != "country" else 0.0
    )
    if interval > 0:
        level = height / interval
        rise_y, rise_x = np.gradient(level)
        away = np.abs((level + 0.5) % 1.0 - 0.5) / np.maximum(np.hypot(rise_x, rise_y), 1e-4)
        light = light * (1.0 - CONTOUR_INK * np.clip(1.4 - away, 0, 1))
    return np.asarray(
        np.clip(charted(painted, scene.terrain, chart) * light[..., None], 0, 255), np.uint8
    )


def _ground_chunks(
    terrain: DrawnGround,
) -> list[tuple[NDArray[np.void], NDArray[np.int64]]]:
    """Return the field's mesh with places on its picture, in chunks."""
    east, north = ground.lattice(terrain)
    east = east[np.unique(np.linspace(0, len(east) - 1, MOST_CELLS).round().astype(int))]
    north = north[np.unique(np.linspace(0, len(north) - 1, MOST_CELLS).round().astype(int))]
    surface = ground.surface(terrain, east, north)
    chunks = []
    for south in range(0, len(north) - 1, ground.CHUNK):
        for west in range(0, len(east) - 1, ground.CHUNK):
            part = surface[south : south + ground.CHUNK + 1, west : west + ground.CHUNK + 1]
            rows = np.zeros(part.size, PLAIN_VERTEX)
            rows["place"] = part["place"].reshape(-1, 3)
            rows["colour"] = 255
            rows["uv"] = rows["place"][:, :2] / np.array(terrain.size_m, np.float32)
            chunks.append((rows, ground.grid_triangles(*part.shape)))
    return chunks


def _country(
    vertices: NDArray[np.void], sun: NDArray[np.float64], terrain: DrawnGround
) -> NDArray[np.void]:
    """Build the country beyond the field: duller, and hazy in the distance."""
    vertices["colour"][:, :3] = (112, 126, 70)
    if terrain.look == "space":
        vertices["colour"][:] = (*DEEP, 255)
        return vertices
    baked = lit(vertices, sun)
    place = baked["place"][:, :2]
    away = np.linalg.norm(place - np.clip(place, 0, np.array(terrain.size_m)), axis=1)
    veil = (1 - np.exp(-away / (1.2 * max(terrain.size_m))))[:, None]
    colour = baked["colour"][:, :3].astype(np.float64)
    baked["colour"][:, :3] = colour + (DISTANCE - colour) * veil
    return baked


def _stamped(
    vertices: NDArray[np.void], triangles: NDArray[np.int64], rows: NDArray[np.float32]
) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Return a model once for each row of `placing.Props`."""
    copies = np.tile(vertices, (len(rows), 1))
    sine, cosine = np.sin(rows[:, 2])[:, None], np.cos(rows[:, 2])[:, None]
    for column, scale in (("place", rows[:, None, 4:7]), ("normal", 1 / rows[:, None, 4:7])):
        body = copies[column] * scale
        x, y = body[..., 0].copy(), body[..., 1].copy()
        body[..., 0], body[..., 1] = x * cosine + y * sine, y * cosine - x * sine
        if column == "normal":
            body /= np.linalg.norm(body, axis=-1, keepdims=True) + 1e-9
        copies[column] = body
    copies["place"] += rows[:, None, [0, 1, 3]]
    corners = triangles[None] + np.arange(len(rows))[:, None, None] * len(vertices)
    return copies.reshape(-1), corners.reshape(-1, 3)


def _figures_mesh(
    figures: Figures, alpha: float, scene: Scene
) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Build every figure as three small boxes in its side's colour."""
    was_x = figures.x_m if figures.was_x_m is None else figures.was_x_m
    was_y = figures.y_m if figures.was_y_m is None else figures.was_y_m
    x, y = was_x + alpha * (figures.x_m - was_x), was_y + alpha * (figures.y_m - was_y)
    foot = np.stack([x, y, scene.terrain.heights(x, y) + figures.lift_m], axis=1)
    natural = np.array([(body.height, body.width) for body in BODIES.values()])[figures.model]
    size = natural * figures.size[:, None]
    size[:, 1] *= np.where(figures.model == MODELS.index("rider"), 0.8, 1.0)
    lying = (figures.pose == FALLEN) | (figures.pose == PRONE)
    size[lying] = size[lying][:, ::-1] * [0.7, 0.8]
    size[figures.pose == KNEELING, 0] *= 0.7
    colours = np.array([colour_of(side.colour) for side in scene.sides] or [(0.6, 0.6, 0.6)])
    own = colours[np.minimum(figures.team, len(colours) - 1)]
    template, tint, coat, faces = _storeys()
    dye = tint[None] * np.where(coat[None, :, None], own[:, None], 1.0)
    grey = dye.mean(axis=2, keepdims=True)
    dye = dye + (grey - dye) * (figures.shade / 15 * 0.8)[:, None, None]
    dye = dye * np.where(figures.pose == FALLEN, 0.55, 1.0)[:, None, None]
    turn = np.radians(figures.facing_deg)[:, None]
    body = template[None] * size[:, None, [1, 1, 0]]
    vertices = np.zeros(body.shape[:2], VERTEX)
    vertices["place"][..., 0] = body[..., 0] * np.cos(turn) + body[..., 1] * np.sin(turn)
    vertices["place"][..., 1] = body[..., 1] * np.cos(turn) - body[..., 0] * np.sin(turn)
    vertices["place"][..., 2] = body[..., 2]
    vertices["place"] += foot[:, None]
    vertices["normal"] = (0, 0, 1)
    vertices["colour"][..., :3] = np.clip(dye * 255, 0, 255)
    vertices["colour"][..., 3] = 255
    corners = faces[None] + np.arange(len(figures))[:, None, None] * len(template)
    return vertices.reshape(-1), corners.reshape(-1, 3)


def _storeys() -> tuple[
    NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]
]:
    """Corners (n, 3), tints (n, 3), where the side's colour shows (n,), triangles (m, 3)."""
    places: list[tuple[float, float, float]] = []
    tints: list[tuple[float, ...]] = []
    coats: list[bool] = []
    faces: list[tuple[int, int, int]] = []
    for low, high, half, tint, coat in STOREYS:
        start = len(places)
        for z, light in ((low, 0.72), (high, 1.0)):
            for sx, sy, side in ((-1, -1, 0.8), (1, -1, 0.9), (1, 1, 1.05), (-1, 1, 0.95)):
                places.append((sx * half, sy * half * 0.6, z))
                tints.append(tuple(part * light * side for part in tint))
                coats.append(coat > 0)
        for here in range(4):
            there = (here + 1) % 4
            a, b = start + here, start + there
            faces += [(a, b, b + 4), (a, b + 4, a + 4)]
        faces += [(start + 4, start + 5, start + 6), (start + 4, start + 6, start + 7)]
    return np.array(places), np.array(tints), np.array(coats), np.array(faces)


def _poles_mesh(
    banners: Sequence[Banner], scene: Scene
) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Return a pole and a flat cloth for each standard."""
    shape = np.array(
        [(-0.06, 0, 0), (0.06, 0, 0), (0.06, 0, 5), (-0.06, 0, 5),
         (0.06, 0, 3.6), (1.8, 0, 3.6), (1.8, 0, 4.9), (0.06, 0, 4.9)]
    )  # fmt: skip
    vertices = np.zeros((len(banners), 8), VERTEX)
    for row, banner in zip(vertices, banners, strict=True):
        foot = scene.terrain.height(banner.x_m, banner.y_m) + banner.lift_m
        row["place"] = shape + np.array([banner.x_m, banner.y_m, foot])
        known = banner.team < len(scene.sides)
        dye = colour_of(scene.sides[banner.team].colour) if known else (0.6, 0.6, 0.6)
        row["colour"][:4] = (110, 84, 58, 255)
        row["colour"][4:, :3] = np.array(dye) * 255
        row["colour"][4:, 3] = 255
    quads = np.array([(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)])
    corners = quads[None] + np.arange(len(banners))[:, None, None] * 8
    return vertices.reshape(-1), corners.reshape(-1, 3)
