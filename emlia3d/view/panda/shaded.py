"""The full look: ground, sky, features and figures drawn with shaders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from panda3d.core import GeomNode, GraphicsOutput, LVecBase3f, LVecBase4f, NodePath

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import Banner, Chart, Figures, Mark, Overlay, Scene
from emlia3d.view.panda.land import levels, sky, terrain
from emlia3d.view.panda.land.charts import charted
from emlia3d.view.panda.land.features import Features
from emlia3d.view.panda.land.grass import tuft
from emlia3d.view.panda.land.ground import GroundMesh
from emlia3d.view.panda.land.paint import paint
from emlia3d.view.panda.marks import Marks
from emlia3d.view.panda.meshes import boundless, float_texture, picture_texture, shown
from emlia3d.view.panda.noise import grain
from emlia3d.view.panda.shaders import shader
from emlia3d.view.panda.sunlight import SUN_MASK, Sunlight
from emlia3d.view.panda.troops.bases import BaseMesh
from emlia3d.view.panda.troops.figures import FigureTroops
from emlia3d.view.panda.troops.footprints import UnitBlocks
from emlia3d.view.panda.troops.standards import Standards

GRASS_TUFTS = 120 * 120
CLEAR_M = 1500.0  # size of a field over which the scene's haze is as stated
GRASS_HEIGHT_M = 14.0  # of the eye above the ground, beyond which single tufts do not show


class ShaderRenderer:
    """A scene under a root; close it before the next."""

    def __init__(
        self,
        parent: NodePath,
        output: GraphicsOutput,
        scene: Scene,
        *,
        texels: int,
        soft: bool,
        shadows: bool,
    ) -> None:
        self._root = parent.attach_new_node("scene")
        self._scene, self._shadows = scene, shadows
        self._relief = terrain.exaggeration(scene.terrain)
        self._contour_m = terrain.contour_interval(scene.terrain)
        self._set_the_air(scene)
        self._sunlight = Sunlight(output, self._root, scene.light.direction()) if shadows else None
        self._sky = sky.build(self._root)
        self._ground = self._build_ground(scene, texels)
        self._grass = self._build_grass()
        self._features = Features(self._root, scene.terrain, shadows)
        self._troops = FigureTroops(self._root, scene.terrain, soft, shadows)
        self._troops.dress(scene.sides)
        self._troops.update(scene.figures)
        self._bases = BaseMesh(self._root, scene.terrain, scene.sides)
        self._bases.root.set_shader(shader("solid", shadows))
        self._bases.update(scene.figures)
        self._standards = Standards(self._root, scene)
        self._marks = Marks(self._root, scene.terrain)
        self._footprints = UnitBlocks(self._root, scene.terrain)
        self._levels = levels.build_levels(self._root, scene.terrain)
        if shadows:
            unlit = (self._marks, self._footprints)
            for path in (self._sky, self._grass, self._levels, *(each.root for each in unlit)):
                path.hide(SUN_MASK)
        self.show_banners(scene.banners)
        self.show_marks(scene.marks)
        self.show_overlays(scene.overlays)
        self.blend(scene.figures.alpha, 0.0, scene.figures.alpha)

    def update_figures(self, figures: Figures) -> None:
        """Update only the figures."""
        self._troops.update(figures)
        self._bases.update(figures)
        self.blend(figures.alpha, 0.0, figures.alpha)

    def blend(self, alpha: float, seconds: float, fallen: float) -> None:
        """Draw figures between their positions; *fallen* is the progress of falls."""
        self._troops.blend(alpha, seconds, fallen)
        self._bases.blend(alpha)

    def show_banners(self, banners: Sequence[Banner]) -> None:
        """Replace the standards."""
        self._standards.show(banners)
        self._features.show_plinths(banners)
        self._footprints.show(banners, self._scene.sides)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Replace the marks."""
        self._marks.show(marks)

    def advance_marks(self, seconds: float) -> None:
        """Show the shots and blows that have begun at a time."""
        self._marks.advance(seconds)

    def show_overlays(self, overlays: Sequence[Overlay]) -> None:
        """Replace the pictures on the ground."""
        self._ground.lay(overlays)

    def show_chart(self, chart: Chart) -> None:
        """Set the style of the ground."""
        self._chart = chart
        colour = charted(self._painted, self._scene.terrain, chart)
        self._paint = picture_texture(colour, "paint")
        self._paint.set_anisotropic_degree(4)
        self._root.set_shader_input("paint", self._paint)

    def update_for_camera(self, sight: Eyesight, camera: NodePath) -> None:
        """Prepare the drawing for a camera."""
        above = float(sight.eye[2]) - self._scene.terrain.height(*map(float, sight.eye[:2]))
        across = LVecBase3f(*map(float, sight.axes[0]))
        self._root.set_shader_input("eye", LVecBase3f(*map(float, sight.eye)))
        self._root.set_shader_input("across", across)
        self._root.set_shader_input("air", LVecBase4f(*self._air(sight)))
        self._sky.set_shader_input("to_world", camera.get_mat(self._root))
        strength = float(np.clip((above - 4) / 60, 0, 1)) if self._scene.contours else 0.0
        if self._chart != "country":
            strength = 1.0
        self._root.set_shader_input("extent", self._extent(strength))
        shown(self._grass, above < GRASS_HEIGHT_M and self._chart == "country")
        shown(self._levels, strength > 0 and levels.readable(self._scene.terrain, above))
        sunlight, field = self._sunlight, self._scene.terrain
        self._ground.update_for_camera(
            sight, None if sunlight is None else sunlight.update_for_camera(sight, field)
        )
        self._features.update_for_camera(sight)
        self._troops.update_for_camera(sight)
        self._standards.update_for_camera(above)
        self._marks.update_for_camera(sight)
        self._footprints.update_for_camera(sight, above)

    def close(self) -> None:
        """Remove everything from the stage."""
        if self._sunlight is not None:
            self._sunlight.close()
        self._troops.close()
        self._root.remove_node()

    def _set_the_air(self, scene: Scene) -> None:
        elevation = scene.terrain.elevation_m
        rows, columns = elevation.shape
        grid = np.pad(elevation[::-1], ((0, max(0, 2 - rows)), (0, max(0, 2 - columns))), "edge")
        self._heights = float_texture(grid.astype(np.float32), "heights")
        cell = scene.terrain.cell_m
        self._root.set_shader_input("heights", self._heights)
        self._root.set_shader_input("lattice", LVecBase4f(grid.shape[1], grid.shape[0], *cell))
        self._root.set_shader_input("sun", LVecBase3f(*scene.light.direction()))
        self._grain = picture_texture(grain(256, seed=5), "grain", repeat=True)
        self._root.set_shader_input("grain", self._grain)
        self._root.set_shader_input("dark", float(scene.terrain.look == "space"))

    def _air(self, sight: Eyesight) -> tuple[float, float, float, float]:
        haze = -float(np.log(max(1 - self._scene.light.haze, 1e-3))) / 1000
        # A larger field is seen from farther away, and no less clearly.
        haze /= max(1.0, max(self._scene.terrain.size_m) / CLEAR_M)
        if self._scene.terrain.look == "space":
            haze = 0.0
        return haze, self._relief, sight.pixels_a_radian, float(self._shadows)

    def _extent(self, contour_strength: float) -> LVecBase4f:
        return LVecBase4f(*self._scene.terrain.size_m, self._contour_m, contour_strength)

    def _build_ground(self, scene: Scene, texels: int) -> GroundMesh:
        self._painted = paint(scene.terrain, scene.light, texels)
        self.show_chart(scene.chart)
        self._cover = picture_texture(self._painted.cover, "cover")
        self._root.set_shader_input("cover", self._cover)
        self._root.set_shader_input("extent", self._extent(0.0))
        return GroundMesh(self._root, scene.terrain, self._shadows)

    def _build_grass(self) -> NodePath:
        node = GeomNode("grass")
        node.add_geom(tuft())
        grass = self._root.attach_new_node(boundless(node))
        grass.set_shader(shader("grass", self._shadows))
        grass.set_two_sided(True)
        grass.set_instance_count(GRASS_TUFTS)
        return grass
