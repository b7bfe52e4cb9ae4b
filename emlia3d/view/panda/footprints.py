"""The ground that units stand on, tinted by side: what a map shows when figures are too small."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from panda3d.core import NodePath

from emlia3d.view.panda.figures import colour_of
from emlia3d.view.panda.groundsheet import GroundSheet
from emlia3d.view.scene import Banner, SideLook, Terrain

FADES_IN_M, FULL_M = 150.0, 600.0  # of the eye above the ground
FULL_ALPHA = 0.62
RIM_M = 1.6


class Footprints:
    """The footprints of all units: shows what it is given, forgets what it showed."""

    def __init__(self, parent: NodePath, terrain: Terrain) -> None:
        self._terrain = terrain
        self.root = parent.attach_new_node("footprints")
        self.root.set_shader_off(1)

    def show(self, banners: Sequence[Banner], sides: tuple[SideLook, ...]) -> None:
        """Replace what is shown."""
        self.root.node().remove_all_children()
        sheet = GroundSheet(self._terrain)
        for banner in banners:
            if banner.outline_m is None or len(banner.outline_m) < 3:
                continue
            known = banner.team < len(sides)
            colour = colour_of(sides[banner.team].colour) if known else (0.6, 0.6, 0.6)
            sheet.fill(banner.outline_m, colour, 0.75)
            sheet.band(banner.outline_m, RIM_M, (0.95, 0.93, 0.86), 1.0)
        sheet.lay(self.root)

    def aim(self, above_m: float) -> None:
        """Fade in with the height of the eye."""
        share = float(np.clip((above_m - FADES_IN_M) / (FULL_M - FADES_IN_M), 0, 1))
        if share > 0:
            self.root.show()
            self.root.set_alpha_scale(share * FULL_ALPHA)
        else:
            self.root.hide()
