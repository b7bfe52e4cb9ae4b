"""Settings of the editor's tools: the entry to place, the terrain to draw and the brush."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from emlia3d.view.editing.edited_scenario import Place

RADII = (5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 60.0, 80.0, 120.0)
"""Radii of the brush, GSU."""
HEIGHTS_M = (-20.0, -10.0, -5.0, -2.0, -1.0, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Heights of the brush, metres."""
WIDTHS = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0)
"""Widths of paths, GSU."""
TERRAIN_SHAPES = ("outline", "circle", "path")
AREA_SHAPES = ("outline", "circle")


@dataclass(slots=True)
class EditTools:
    """The active tool and the settings of all tools.

    tool : active tool; see `emlia3d.view.editing.edit_keys.TOOLS`
    choice : row of the entry to place; side : row of its side
    kind : row of the terrain to draw; shape : of terrain or areas
    width : of paths, GSU; radius : of the brush, GSU; height_m : of the brush, metres
    drawn : the corners of an unfinished shape, GSU
    """

    tool: str = "select"
    choice: int = 0
    side: int = 0
    kind: int = 0
    shape: str = "outline"
    width: float = 3.0
    radius: float = 20.0
    height_m: float = 2.0
    drawn: list[Place] = field(default_factory=list)

    def take(self, tool: str) -> None:
        """Choose another tool; discard an unfinished shape."""
        self.tool, self.drawn = tool, []
        if tool == "area" and self.shape not in AREA_SHAPES:
            self.shape = AREA_SHAPES[0]

    @property
    def shapes(self) -> Sequence[str]:
        """The shapes that the tool draws."""
        return AREA_SHAPES if self.tool == "area" else TERRAIN_SHAPES

    def change(self, what: str, by: int) -> None:
        """Change a size of a tool by a step."""
        if what == "width":
            self.width = stepped(WIDTHS, self.width, by)
        elif what == "radius":
            self.radius = stepped(RADII, self.radius, by)
        elif what == "height_m":
            self.height_m = stepped(HEIGHTS_M, self.height_m, by)


def stepped(steps: Sequence[float], value: float, by: int) -> float:
    """Return the step *by* places after a value, limited to the ends."""
    order = steps if by > 0 else steps[::-1]
    return next((step for step in order if (step - value) * by > 1e-9), order[-1])
