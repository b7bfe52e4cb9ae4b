"""One picture of one scene."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from emlia3d.view.layout.panel import Layout, Measure
from emlia3d.view.moment.scene import Camera, Scene
from emlia3d.view.panda.display import Display, choose
from emlia3d.view.panda.labels.hud import Hud
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.panda.stage import Stage
from emlia3d.view.plans.keeping import keep

Panels: TypeAlias = Callable[[tuple[int, int], Measure], Layout]


def draw_picture(
    scene: Scene,
    camera: Camera,
    size: tuple[int, int] = (1280, 720),
    display: Display | str | None = None,
    panels: Panels | None = None,
) -> NDArray[np.uint8]:
    """Return a scene from a camera: (height, width, 3) uint8, red first, top row first.

    panels : returns the panels over the picture, for a size in pixels and a text measure
    display : a renderer, its name, or None for the best one
    Raises DisplayError if no renderer on this machine works.
    """
    chosen = display if isinstance(display, Display) else choose(display)
    stage = Stage(chosen, size, still=True)
    try:
        stage.show(scene)
        if panels is not None:
            over = panels(stage.grain, width_px)
            Hud(stage.output).show(over)
            shrink = size[0] / stage.grain[0]
            stage.kept_free = tuple(
                (box.x * shrink, box.y * shrink, (box.x + box.w) * shrink, (box.y + box.h) * shrink)
                for box in over.panels
            )
        stage.look(camera)
        return stage.image()
    finally:
        stage.close()


def save_picture(path: str | PathLike[str], picture: NDArray[np.uint8]) -> None:
    """Save a picture in an atomic write; its ending selects the format."""
    keep(Image.fromarray(picture), path)
