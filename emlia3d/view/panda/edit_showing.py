"""Synchronisation of the stage with an edited scenario: only changes are drawn again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from emlia3d.battle.setup import Setup
from emlia3d.view.editing.edit_marks import edit_marks
from emlia3d.view.editing.edit_session import EditSession
from emlia3d.view.editing.edited_scenario import EditedPosition
from emlia3d.view.moment.banners import banners_of
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.figures import figures_of
from emlia3d.view.moment.scene import Camera, Mark, Scene
from emlia3d.view.panda.labels.layout import Box
from emlia3d.view.panda.stage import Stage
from emlia3d.view.sight.sighttool import Sight


class EditShowing:
    """One edited scenario on one stage.

    scene : the last one built; its ground is valid until terrain or relief changes
    """

    def __init__(self, stage: Stage, session: EditSession) -> None:
        self._stage = stage
        self._session = session
        self._marks: tuple[object, ...] = ()
        self._sight: Sight | None = None
        self._selected: int | None = None
        self._seen: tuple[Camera, tuple[int, int]] | None = None
        self.scene = self._rebuilt()

    def update(self, camera: Camera) -> bool:
        """Show the current session; return whether the ground was rebuilt."""
        position = self._session.position
        rebuilt = False
        if position is not self._position:
            rebuilt = not _same_ground(self._position.setup, position.setup)
            if rebuilt:
                self.scene = self._rebuilt()
            else:
                self._show_units(position)
        elif self._row() != self._selected:
            self._show_banners()
        sight = self._session.sight.look(asked=self._session.tools.tool == "sight")
        if sight is not self._sight:
            self._show_sight(sight)
        self._show_marks(camera)
        return rebuilt

    def look(self, camera: Camera) -> bool:
        """Look from a camera; return whether anything changed."""
        if self._seen == (camera, self._stage.size):
            return False
        self._stage.look(camera)
        self._seen = camera, self._stage.size
        return True

    def keep_free(self, boxes: tuple[Box, ...]) -> None:
        """Keep name tags out of these rectangles, pixels of the window."""
        if boxes != self._stage.kept_free:
            self._stage.kept_free, self._seen = boxes, None

    def letter(self, text_size: float) -> None:
        """Set the size of name tags."""
        if text_size != self._stage.text_size:
            self._stage.text_size = text_size
            self._show_banners()

    def _rebuilt(self) -> Scene:
        position = self._position = self._session.position
        scene = scene_of(position.setup, position.state)
        self._stage.show(scene)
        self._sight, self._marks, self._selected, self._seen = None, (), None, None
        return scene

    def _show_units(self, position: EditedPosition) -> None:
        """Show the units of a position on the current ground."""
        self._position = position
        figures = figures_of(position.setup, position.state)
        self._stage.update_figures(figures)
        self.scene = replace(self.scene, figures=figures)
        self._show_banners()

    def _row(self) -> int | None:
        """Return the row of the first unit of the selected table; None for none."""
        selected, units = self._session.selected, self._position.units
        return units.index(selected) if selected in units else None

    def _show_banners(self) -> None:
        position, self._selected = self._position, self._row()
        banners = tuple(banners_of(position.setup, position.state, selected=self._selected))
        self.scene = replace(self.scene, banners=banners)
        tags = () if self._sight is None else self._sight.sight_overlay.tags
        self._stage.show_banners((*banners, *tags))
        self._seen = None

    def _show_sight(self, sight: Sight | None) -> None:
        self._sight = sight
        self._stage.show_overlays(() if sight is None else sight.sight_overlay.overlays)
        self._marks = ()
        self._show_banners()

    def _show_marks(self, camera: Camera) -> None:
        """Draw the marks again if they can have changed."""
        session = self._session
        metre_px = pixels_a_metre(camera, camera.look_at, self._stage.size[1])
        # Handles keep their size in the picture within 20%.
        zoom = round(np.log(metre_px) / np.log(1.2))
        tools = session.tools
        dragged = session.drag or session.pressed or session.box_from
        heeds = tools.tool == "ground" or tools.drawn or dragged
        key = (
            session.position, session.selection.tables, session.drag, session.pressed,
            session.box_from,
            session.cursor if heeds else None,
            tools.tool, tools.radius, len(tools.drawn), zoom, self._sight,
        )  # fmt: skip
        if key == self._marks:
            return
        self._marks = key
        sight: tuple[Mark, ...] = () if self._sight is None else self._sight.sight_overlay.marks
        self._stage.show_marks((*edit_marks(session, metre_px), *sight))
        self._seen = None


def pixels_a_metre(camera: Camera, place: tuple[float, float, float], height_px: int) -> float:
    """Return the pixels per metre at a point of the picture."""
    away = float(np.linalg.norm(np.subtract(camera.eye, place)))
    return height_px / (2 * float(np.tan(np.radians(camera.fov_deg) / 2)) * max(away, 0.1))


def _same_ground(one: Setup, other: Setup) -> bool:
    """Return whether two setups have the same ground, terrain and looks of sides."""
    fields, sides = (one.field, other.field), (one.sides, other.sides)
    colours = [[(side.name, side.colour) for side in each] for each in sides]
    return (
        colours[0] == colours[1]
        and fields[0].size == fields[1].size
        and fields[0].scale == fields[1].scale
        and fields[0].features == fields[1].features
        and np.array_equal(fields[0].ground.elevation_m, fields[1].ground.elevation_m)
    )
