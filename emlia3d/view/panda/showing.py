"""Synchronisation of the stage with the viewer: only changes are drawn again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from emlia3d.battle.questions.cohesion import FormationTag
from emlia3d.battle.questions.intents import Intent
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.layout.chartkey import key_of
from emlia3d.view.moment.banners import banners_of, objective_banners, on_the_way
from emlia3d.view.moment.cohesion import links_of, signs_of
from emlia3d.view.moment.contact_lines import not_striking, seams_of
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.figures import FigurePositions, figures_of, whereabouts_of
from emlia3d.view.moment.intents import intents_of
from emlia3d.view.moment.marks import marks_of, units_of
from emlia3d.view.moment.plumes import plumes_of
from emlia3d.view.moment.scale import block_m, units_in_sight
from emlia3d.view.moment.scene import (
    CHARTS,
    SLOPES_DEG,
    Banner,
    Camera,
    Chart,
    DrawnTiles,
    Mark,
    Overlay,
    Scene,
    Stroke,
)
from emlia3d.view.panda.labels.layout import Box
from emlia3d.view.panda.land.terrain import contour_interval
from emlia3d.view.panda.stage import Stage
from emlia3d.view.session.beats import Cue
from emlia3d.view.sight.sight_overlay import SightOverlay
from emlia3d.view.window.viewer import Viewer

MOST_CARRIED = 80
"""Maximum number of banners that move with their units; more appear at the destination."""

TOLD: dict[Chart, str] = {
    "country": "the ground as it is",
    "relief": "the ground's relief",
    "slope": f"the ground's slopes: darker from {', '.join(map(str, SLOPES_DEG))} degrees",
}


class Showing:
    """One battle on one stage.

    scene : the last one built; its ground is valid until features change
    """

    def __init__(self, stage: Stage, setup: Setup, viewer: Viewer) -> None:
        self._stage = stage
        self._setup = setup
        self._viewer = viewer
        self._features = b""
        self._step = -1
        self._since = -1
        self._marked: tuple[int, ...] = ()
        self._fallen = 1.0
        self._clock = inf
        self._version = viewer.course.version
        self._selected: int | None = None
        self._alpha = 1.0
        self._seen: tuple[Camera, tuple[int, int]] | None = None
        self._chart: Chart = "country"
        self._repaint = False
        self._walked_s = 0.0
        self._before: FigurePositions | None = None
        self._all_before: FigurePositions | None = None
        self._walked_from: FigurePositions | None = None
        self._banners: tuple[Banner, ...] = ()
        self._flags: tuple[Banner, ...] = ()
        self._step_marks: tuple[Mark, ...] = ()
        self._seams: tuple[Mark, ...] | None = None
        self._links: tuple[Mark, ...] = ()
        self._plumes: tuple[Mark, ...] = ()
        self._tasks: tuple[Intent, ...] = ()
        self._task_marks: tuple[Mark, ...] = ()
        self._sight_overlay: SightOverlay | None = None
        self._ground: Overlay | None = None
        self._tiles: DrawnTiles | None = None
        self.scene = self._rebuilt()

    def update(self, dt: float) -> bool:
        """Show the viewer's moment; return whether the ground was rebuilt."""
        position = self._viewer.playback.position
        features = self._viewer.state.features["present"].tobytes()
        rebuilt = features != self._features
        if rebuilt:
            self.scene = self._rebuilt()
        moment = position.step, position.since, self._viewer.course.version
        if moment != (self._step, self._since, self._version):
            self._show_step(position.step, position.since, position.marked)
        elif position.marked != self._marked:
            self._mark(position.marked)
            self._show_banners(self._viewer.state, position.step)
        elif self._seams is None:
            self._show_seams(position.step)
        elif self._viewer.focus != self._selected:
            self._show_banners(self._viewer.state, position.step)
        tasks = self._viewer.tasks()
        if tasks is not self._tasks:
            self._show_tasks(tasks)
        sight_overlay, ground = self._viewer.on_field()
        if sight_overlay is not self._sight_overlay or ground is not self._ground:
            self._show_sight_overlay(sight_overlay, ground)
        self._show_tiles(self._viewer.tiles.drawn())
        if position.alpha != self._alpha or position.fallen != self._fallen:
            self._walked_s += dt
            self._stage.blend(position.alpha, self._walked_s, position.fallen)
            moved, self._alpha = position.alpha != self._alpha, position.alpha
            self._fallen = position.fallen
            if moved and self._before is not None:
                self._put_up_banners()
            self._seen = None
        clock = self._viewer.playback.clock
        if clock != self._clock:
            self._clock = clock
            if self._marked:
                self._stage.advance_marks(clock)
                self._seen = None
        return rebuilt

    def place_of(self, unit: int) -> tuple[float, float] | None:
        """Return the displayed centre of a unit, metres; None if it is gone."""
        units = self._viewer.state.units
        if not units.value("present", unit) or not units.value("members", unit):
            return None
        x, y = block_m(self._setup, self._viewer.state, unit).mean(axis=0).tolist()
        if self._walked_from is None:
            return x, y
        metres = self._setup.field.scale.metres_per_gsu
        left = 1.0 - self._alpha
        x += left * (self._walked_from.unit_x_m[unit] - float(units.value("x", unit)) * metres)
        y += left * (self._walked_from.unit_y_m[unit] - float(units.value("y", unit)) * metres)
        return float(x), float(y)

    def look(self, camera: Camera) -> bool:
        """Look from a camera; return whether anything changed."""
        if self._seen == (camera, self._stage.size):
            repaint, self._repaint = self._repaint, False
            return repaint
        self._stage.look(camera)
        self._seen = camera, self._stage.size
        return True

    def next_chart(self) -> str:
        """Draw the ground in the next style, with its legend; return its name in words."""
        self._chart = CHARTS[(CHARTS.index(self._chart) + 1) % len(CHARTS)]
        self._stage.show_chart(self._chart)
        self._viewer.chart_key = key_of(self._chart, contour_interval(self.scene.terrain))
        self._seen = None
        return TOLD[self._chart]

    def keep_free(self, boxes: tuple[Box, ...]) -> None:
        """Keep name tags out of these rectangles, pixels of the window."""
        if boxes != self._stage.kept_free:
            self._stage.kept_free, self._seen = boxes, None

    def letter(self, text_size: float) -> None:
        """Set the size of name tags."""
        if text_size != self._stage.text_size:
            self._stage.text_size = text_size
            self._put_up_banners()
            self._seen = None

    def _rebuilt(self) -> Scene:
        state = self._viewer.state
        self._features = state.features["present"].tobytes()
        scene = replace(scene_of(self._setup, state), chart=self._chart)
        self._stage.show(scene)
        self._step, self._seen = -1, None
        self._sight_overlay = self._ground = self._tiles = None
        return scene

    def _show_step(self, step: int, since: int, marked: tuple[int, ...]) -> None:
        viewer = self._viewer
        before = whereabouts_of(self._setup, viewer.course.moment(since))
        state = viewer.course.moment(step)
        figures = figures_of(self._setup, state, before)
        self._stage.update_figures(figures)
        self._alpha = self._fallen = figures.alpha
        self._all_before, self._seams = before, None
        self._mark(marked)
        self._walked_from = None if figures.was_x_m is None else before
        moving = figures.was_x_m is not None and len(units_in_sight(state)) <= MOST_CARRIED
        self._before = before if moving else None
        self._show_banners(state, step)
        self._step, self._since, self._version = step, since, viewer.course.version

    def _mark(self, steps: tuple[int, ...]) -> None:
        """Show the marks of these steps, part of the steps that are shown together."""
        viewer, terrain = self._viewer, self.scene.terrain
        state, marks = viewer.state, list[Mark]()
        for cue in viewer.playback.cues:
            told = [
                event for step in cue.steps if step in steps for event in viewer.course.seen(step)
            ]
            found = marks_of(self._setup, state, told, terrain, self._all_before)
            marks += _timed(found, cue)
        self._step_marks, self._marked = tuple(marks), steps
        self._show_marks()
        self._clock, self._seen = inf, None

    def _show_seams(self, step: int) -> None:
        """Show contacts whose units are not attacking at the moment.

        This happens one frame after the step, so that fast stepping does not wait for it.
        """
        events, state = self._viewer.course.seen(step), self._viewer.state
        contacts = not_striking(self._viewer.contacts(state), events)
        self._seams = seams_of(self._setup, state, contacts, self.scene.terrain)
        if self._seams:
            self._show_marks()
            self._seen = None

    def _show_banners(self, state: State, step: int) -> None:
        course, steps = self._viewer.course, self._marked or (step,)
        active = units_of(event for one in steps for event in course.seen(one))
        if self._viewer.tool.active:
            active = frozenset() if self._sight_overlay is None else self._sight_overlay.active
        self._selected = self._viewer.focus
        rules = self._viewer.rules
        formations = rules.system.formations(rules.at(state))
        objectives = rules.system.objectives(rules.at(state))
        self._flags = objective_banners(self._setup, objectives)
        self._banners = banners_of(
            self._setup, state, selected=self._selected, active=active, formations=formations
        )
        self._show_links(state, formations)
        self._put_up_banners()
        self._seen = None

    def _show_links(self, state: State, formations: Sequence[FormationTag]) -> None:
        """Show markers of formations, links of the selected one, and smoke."""
        terrain, before = self.scene.terrain, (self._links, self._plumes)
        self._links = signs_of(self._setup, state, formations, terrain)
        self._plumes = plumes_of(self._setup, state, terrain)
        if self._selected is not None:
            rules = self._viewer.rules
            cohesion = rules.system.cohesion(rules.at(state), self._selected)
            self._links += links_of(self._setup, state, cohesion, terrain)
        if any((*before, self._links, self._plumes)):
            self._show_marks()

    def _show_sight_overlay(
        self, sight_overlay: SightOverlay | None, ground: Overlay | None
    ) -> None:
        before = self._sight_overlay
        self._sight_overlay, self._ground, self._repaint = sight_overlay, ground, True
        own = () if sight_overlay is None else sight_overlay.overlays
        self._stage.show_overlays(own if ground is None else (ground, *own))
        if sight_overlay is before:
            return
        self._show_marks()
        self._seen = None
        if _tagged(before) or _tagged(sight_overlay):
            self._show_banners(self._viewer.state, self._viewer.course.step)

    def _show_tiles(self, tiles: DrawnTiles | None) -> None:
        """Replace the grid on the ground if it changed."""
        if tiles is not self._tiles:
            self._tiles, self._seen = tiles, None
            self._stage.show_tiles(tiles)

    def _show_tasks(self, tasks: tuple[Intent, ...]) -> None:
        """Replace the missions on the ground."""
        self._tasks = tasks
        self._task_marks = intents_of(self._setup, self._viewer.state, tasks, self.scene.terrain)
        self._show_marks()
        self._seen = None

    def _show_marks(self) -> None:
        """Show the marks of events, missions and the active tool."""
        own = () if self._sight_overlay is None else self._sight_overlay.marks
        kept = *(self._seams or ()), *self._task_marks, *self._links, *self._plumes
        self._stage.show_marks((*self._step_marks, *kept, *own))

    def _put_up_banners(self) -> None:
        """Move the banners with their units."""
        banners = self._banners
        if self._before is not None:
            state = self._viewer.state
            banners = on_the_way(banners, self._setup, state, self._before, self._alpha)
        tags = () if self._sight_overlay is None else self._sight_overlay.tags
        self._stage.show_banners((*banners, *self._flags, *tags))


def _timed(marks: tuple[Mark, ...], cue: Cue) -> Iterator[Mark]:
    """Yield the marks with their start times, seconds."""
    over = cue.to_s - cue.from_s
    for mark in marks:
        if isinstance(mark, Stroke):
            mark = replace(mark, late=cue.from_s + mark.late * over)  # noqa: PLW2901
        yield mark


def _tagged(sight_overlay: SightOverlay | None) -> bool:
    return sight_overlay is not None and bool(sight_overlay.tags or sight_overlay.active)
