"""The stage of a scene, for a picture in memory or a window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    AntialiasAttrib,
    BitMask32,
    GraphicsOutput,
    NodePath,
    PerspectiveLens,
    Point3,
    Vec3,
)
from panda3d.core import Camera as PandaCamera
from PIL import Image

from emlia3d.view.camera.eyesight import Eyesight, eyesight
from emlia3d.view.moment.scene import (
    Banner,
    Camera,
    Chart,
    DrawnTiles,
    Figures,
    Mark,
    Overlay,
    Scene,
)
from emlia3d.view.panda.display import Display
from emlia3d.view.panda.labels.layout import Box
from emlia3d.view.panda.labels.legend import Legend
from emlia3d.view.panda.labels.tags import Tags
from emlia3d.view.panda.land.tile_mesh import TileMesh
from emlia3d.view.panda.output import Canvas, pixels
from emlia3d.view.panda.plain import FixedFunctionRenderer
from emlia3d.view.panda.shaded import ShaderRenderer

BACKDROP = (0.66, 0.74, 0.82, 1.0)
SOFT_OVERSAMPLING = 1.5


class Look(Protocol):
    """A scene, built with shaders or in the plain look."""

    def update_figures(self, figures: Figures) -> None:
        """Update only the figures."""

    def blend(self, alpha: float, seconds: float, fallen: float) -> None:
        """Draw figures between their positions; *fallen* is the progress of falls."""

    def show_banners(self, banners: Sequence[Banner]) -> None:
        """Replace the standards."""

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Replace the marks."""

    def advance_marks(self, seconds: float) -> None:
        """Show the shots and blows that have begun at a time."""

    def show_overlays(self, overlays: Sequence[Overlay]) -> None:
        """Replace the pictures on the ground."""

    def show_chart(self, chart: Chart) -> None:
        """Set the style of the ground."""

    def update_for_camera(self, sight: Eyesight, camera: NodePath) -> None:
        """Prepare the drawing for a camera."""

    def close(self) -> None:
        """Remove everything from the stage."""


class Stage:
    """Stage that shows scenes and takes pictures of them; close it after use.

    text_size : of future name tags, relative to the default
    kept_free : left, top, right and bottom of areas over the picture without name tags, pixels
    """

    def __init__(
        self,
        display: Display,
        size: tuple[int, int] = (1280, 720),
        *,
        still: bool = False,
        window: GraphicsOutput | None = None,
    ) -> None:
        """Create a stage on a new picture buffer or on a window.

        still : whether quality matters more than the rate: even the software renderer then draws
            shadows and smooth edges, in about a second
        """
        self._display = display
        self._rich = display.shaders and (still or not display.soft)
        self._size = size
        self._canvas: Canvas | None = None
        if window is None:
            # For the software renderer, multisampling costs five times as much for the same edges.
            grain = SOFT_OVERSAMPLING if self._rich and display.soft else 1.0
            canvas_size = round(size[0] * grain), round(size[1] * grain)
            self._canvas = Canvas(display, canvas_size, self._rich and not display.soft)
            self._output: GraphicsOutput = self._canvas.output
        else:
            self._output = window
        self._output.set_clear_color(BACKDROP)
        self._root = NodePath("stage")
        if self._rich:
            self._root.set_antialias(AntialiasAttrib.M_multisample)
        self._region = self._output.make_display_region()
        self._camera = self._own_camera()
        self._look: Look | None = None
        self._tags: Tags | None = None
        self._tiles: TileMesh | None = None
        self._legend = Legend(self._output)
        self._scene: Scene | None = None
        self._sight: Eyesight | None = None
        self.kept_free: tuple[Box, ...] = ()
        self.text_size = 1.0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture, pixels."""
        if self._canvas is not None:
            return self._size
        return self._output.get_x_size(), self._output.get_y_size()

    @property
    def aspect(self) -> float:
        """Its width over its height."""
        return self.size[0] / self.size[1]

    @property
    def output(self) -> GraphicsOutput:
        """The render target; it may have more pixels than the picture."""
        return self._output

    @property
    def grain(self) -> tuple[int, int]:
        """Width and height of the render target, pixels."""
        return self._output.get_x_size(), self._output.get_y_size()

    def show(self, scene: Scene) -> None:
        """Build a scene in place of the previous one; call `look` next."""
        self._clear()
        # Four texels per pixel are enough for any camera, and small pictures are faster.
        texels = 2048 if self.size[0] >= 800 else 1024
        if self._display.shaders:
            self._look = ShaderRenderer(
                self._root,
                self._output,
                scene,
                texels=texels,
                soft=self._display.soft,
                shadows=self._rich,
            )
        else:
            self._look = FixedFunctionRenderer(self._root, scene, texels)
        self._scene = scene
        self._tiles = TileMesh(self._root, scene.terrain)
        self._tiles.show(scene.tiles)
        self._tags = Tags(self._output, scene.terrain)
        self._tags.show(tuple(scene.banners), scene.sides, self.text_size)

    def update_figures(self, figures: Figures) -> None:
        """Update only the figures; visible after the next `look`."""
        self._shown().update_figures(figures)

    def blend(self, alpha: float, seconds: float = 0.0, fallen: float | None = None) -> None:
        """Draw figures at `alpha` of their movement; the clock animates legs.

        fallen : progress of falls, 0 to 1; None for `alpha`
        """
        self._shown().blend(alpha, seconds, alpha if fallen is None else fallen)

    def advance_marks(self, seconds: float) -> None:
        """Show the shots and blows that have begun at a time; visible after the next `look`.

        After `show_marks`, all marks are complete at first.
        """
        self._shown().advance_marks(seconds)

    def show_banners(self, banners: Sequence[Banner]) -> None:
        """Replace the standards and tags."""
        self._shown().show_banners(banners)
        assert self._tags is not None
        self._tags.show(tuple(banners), self._scene_shown().sides, self.text_size)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Replace the marks."""
        self._shown().show_marks(marks)

    def show_overlays(self, overlays: Sequence[Overlay]) -> None:
        """Replace the pictures on the ground; visible after the next `look`."""
        self._shown().show_overlays(overlays)

    def show_chart(self, chart: Chart) -> None:
        """Draw the ground as country, relief or slopes; visible after `look`."""
        self._shown().show_chart(chart)

    def show_tiles(self, tiles: DrawnTiles | None) -> None:
        """Replace the grid on the ground; visible after the next `look`."""
        assert self._tiles is not None, "show a scene first"
        self._tiles.show(tiles)

    def look(self, camera: Camera) -> None:
        """Draw the view from a camera."""
        shown = self._shown()
        self._sight = eyesight(camera, self.size)
        up = Vec3(*map(float, self._sight.axes[1]))
        self._camera.set_pos(self._root, *camera.eye)
        self._camera.look_at(self._root, Point3(*camera.look_at), up)
        self._set_lens(camera)
        shown.update_for_camera(self._sight, self._camera)
        if self._tiles is not None:
            self._tiles.update_for_camera(self._sight)
        free = self.kept_free
        x, y, _ = camera.look_at
        ground = self._scene_shown().terrain.height(x, y)
        legend = self._legend.update_for_camera(self._sight, ground, free, self.text_size)
        free = free if legend is None else (*free, legend)
        if self._tags is not None:
            self._tags.update_for_camera(self._sight, free)

    def image(self) -> NDArray[np.uint8]:
        """Return the picture: (height, width, 3) uint8, red first, top row first."""
        if self._canvas is not None:
            return _reduced(self._canvas.image(), self._size)
        self._output.get_engine().render_frame()
        return pixels(self._output.get_screenshot())

    def project(self, points_m: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the pixels, (n, 2), y down, of points (n, 3) in metres; NaN behind the eye."""
        assert self._sight is not None, "look first"
        return self._sight.project(points_m)

    def close(self) -> None:
        """Clear the stage and release its buffer."""
        self._clear()
        self._legend.close()
        self._output.remove_display_region(self._region)
        self._camera.remove_node()
        self._root.remove_node()
        if self._canvas is not None:
            self._canvas.close()

    def _clear(self) -> None:
        if self._look is not None:
            self._look.close()
            self._look = None
        if self._tags is not None:
            self._tags.close()
            self._tags = None
        if self._tiles is not None:
            self._tiles.close()
            self._tiles = None

    def _shown(self) -> Look:
        assert self._look is not None, "show a scene first"
        return self._look

    def _scene_shown(self) -> Scene:
        assert self._scene is not None, "show a scene first"
        return self._scene

    def _own_camera(self) -> NodePath:
        node = PandaCamera("eye", PerspectiveLens())
        node.set_camera_mask(BitMask32.bit(0))
        camera = self._root.attach_new_node(node)
        self._region.set_camera(camera)
        return camera

    def _set_lens(self, camera: Camera) -> None:
        """Set a near plane that grows with the eye's height, so that far hills do not flicker."""
        terrain = self._scene_shown().terrain
        x, y, z = camera.eye
        above = max(z - terrain.height(x, y), 0.5)
        width, height = self.size
        half_y = np.tan(np.radians(camera.fov_deg) / 2)
        node = self._camera.node()
        assert isinstance(node, PandaCamera)
        lens = node.get_lens()
        lens.set_fov(float(2 * np.degrees(np.arctan(half_y * width / height))), camera.fov_deg)
        lens.set_near_far(
            float(np.clip(0.12 * above, 0.3, 60)), 9 * max(terrain.size_m) + 2 * above
        )


def _reduced(picture: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    if picture.shape[1::-1] == size:
        return picture
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.LANCZOS))
