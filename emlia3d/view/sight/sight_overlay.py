"""The display of an answer on the field: overlays, sight lines, and obstacles.

Yellow marks the corridor, violet total and grey partial concealment of the target.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.formatting import percent
from emlia3d.battle.questions.answer import CorridorAnswer, Degree, Intervening, SightAnswer
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.geometry import Surface, blocking_place, lines_of_sight
from emlia3d.view.moment.scene import Banner, Mark, Overlay, Point, Scene, Stroke, Tone
from emlia3d.view.sight.corridor import PARTIAL, TOTAL, WIDE, Corridor, Places, depths
from emlia3d.view.sight.groundpicture import GroundPicture, Hatch, Mask
from emlia3d.view.sight.sightlines import LinedUp

CORRIDOR, CREST = "#f6c945", "#e0602c"
SHADE: dict[Degree, tuple[str, float, Hatch]] = {
    "partial": (PARTIAL, 0.62, "one way"),
    "total": (TOTAL, 0.80, "both ways"),
}
BEAM: dict[Degree, Tone] = {"none": "sight", "partial": "neutral", "total": "hidden"}
MOST_CORNERS = 24
"""Maximum number of corners with which a body is drawn."""

_MARGIN = 0.04
_RIM, _OWN_RIM = 0.006, 0.008
_STEPS = 512

_EYE = 1.0
"""Height units above the footing at which lines without heights are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SightOverlay:
    """An overlay for a scene.

    tags : names of obstacles; active : units, by row, that are obstacles
    places_m : (n, 3) float64, points that must be visible: first the tops of the observer
        and of the target; none without them
    """

    overlays: tuple[Overlay, ...] = ()
    marks: tuple[Mark, ...] = ()
    tags: tuple[Banner, ...] = ()
    active: frozenset[int] = frozenset()
    places_m: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))


def sight_overlay_of(setup: Setup, state: State, answer: SightAnswer) -> SightOverlay:
    """Return the overlay of an answer about the units in *state*."""
    if isinstance(answer, CorridorAnswer):
        return _Showpiece(setup, state, answer).sight_overlay()
    return _lined_up(setup, state, answer)


def _lined_up(setup: Setup, state: State, answer: SightAnswer) -> SightOverlay:
    """Return the lines of an answer, with another colour beyond the body that blocks them."""
    question, scale = LinedUp(setup, state, answer), setup.field.scale

    def up(place: tuple[float, float]) -> Point:
        foot = float(setup.field.footing(np.array([place[0]]), np.array([place[1]]))[0])
        x, y = (part * scale.metres_per_gsu for part in place)
        return x, y, scale.metres_of_heights(foot + _EYE)

    marks: list[Mark] = []
    for each in question.lines:
        start, turn, end = up(each.line.start), up(each.turn), up(each.line.end)
        if each.share > 0:
            marks.append(Stroke(start=start, end=turn, tone="sight", drawn=True))
        if each.share < 1:
            marks.append(Stroke(start=turn, end=end, tone="hidden", drawn=True))
    return SightOverlay(
        marks=tuple(marks),
        active=frozenset(
            question.units[name] for name in question.stoppers if name in question.units
        ),
        places_m=np.array([up((x, y)) for x, y in question.places().tolist()]),
    )


def added(scene: Scene, sight_overlay: SightOverlay, ground: Overlay | None = None) -> Scene:
    """Return the scene with a sight overlay over the shading of the ground, for a picture."""
    below = () if ground is None else (ground,)
    return replace(
        scene,
        overlays=(*scene.overlays, *below, *sight_overlay.overlays),
        marks=(*scene.marks, *sight_overlay.marks),
        banners=(*scene.banners, *sight_overlay.tags),
    )


_Zones: TypeAlias = tuple[Intervening, BaseGeometry, list[tuple[Degree, BaseGeometry]]]
"""A body, its outline, and its zones of concealment."""


class _Showpiece(Corridor):
    """An answer during the construction of its overlay."""

    def __init__(self, setup: Setup, state: State, answer: CorridorAnswer) -> None:
        super().__init__(setup, state, answer)
        self._scale = setup.field.scale
        self._units = {unit.name: row for row, unit in enumerate(setup.units)}
        share = answer.ground
        self._crest = share is not None and max(share.blocked_share, share.to_half) > 0
        self._surface: Surface | None = setup.field.surface() if self._crest else None

    def sight_overlay(self) -> SightOverlay:
        zones = [(each, shape, list(self._zones(each, shape))) for each, shape in self.bodies]
        return SightOverlay(
            overlays=(self._painted(zones),),
            marks=(*self._sight_lines(), *self._frames()),
            tags=tuple(self._tags()),
            places_m=self._places(zones),
            active=frozenset(
                self._units[each.entity] for each, _ in self.bodies if each.entity in self._units
            ),
        )

    def bears(self, each: Intervening) -> bool:
        """Return whether a body determines the verdict, alone or together with others."""
        verdict = self.answer.concealment
        if verdict == "none" or each.gives not in {verdict, "total"}:
            return False
        alone = any(
            other.gives in {verdict, "total"} and other.fraction >= WIDE for other, _ in self.bodies
        )
        return each.fraction >= WIDE or not (alone or self._ground_bears())

    def _ground_bears(self) -> bool:
        ground = self.answer.ground
        return ground is not None and max(ground.blocked_share, ground.to_half) >= WIDE

    def _painted(self, zones: Sequence[_Zones]) -> Overlay:
        drawn = [zone for _, _, found in zones for _, zone in found]
        everything = shapely.union_all([self.hull, *drawn])
        west, south, east, north = everything.bounds
        longer = max(east - west, north - south)
        margin = longer * _MARGIN
        picture = GroundPicture(
            (west - margin, south - margin, east + margin, north + margin),
            self._scale.metres_per_gsu,
        )
        picture.fill(self.free, CORRIDOR, 0.26)
        dead = {} if self._surface is None else self._dead_ground(picture, self._surface)
        if dead:
            picture.stain(dead["none"], CREST, 0.55)
        degrees: tuple[Degree, ...] = ("partial", "total")
        for degree in degrees:
            if dead:
                picture.stain(dead[degree], *SHADE[degree])
            for _, _, found in zones:
                for given, zone in found:
                    if given == degree:
                        picture.fill(zone, *SHADE[given])
                        picture.rim(zone, SHADE[given][0], 0.9, longer * _RIM / 2)
        picture.rim(self.hull, CORRIDOR, 0.95, longer * _RIM)
        for each, shape, _ in zones:
            picture.rim(shape, CREST if self.bears(each) else "#ffffff", 0.9, longer * _RIM)
        for shape, colour in zip((self.near, self.far), self.colours, strict=True):
            picture.rim(shape, "#ffffff", 0.9, longer * _OWN_RIM)
            picture.rim(shape, colour, 1.0, longer * _OWN_RIM / 2)
        return picture.overlay()

    def _zones(
        self, each: Intervening, shape: BaseGeometry
    ) -> Iterator[tuple[Degree, BaseGeometry]]:
        """Yield the areas that a body hides: its shadow, or everything behind a tall body."""
        if each.fraction < WIDE and not self.bears(each):
            return
        if each.fraction < WIDE:
            # One body of a group hides the area behind it, not the whole width.
            yield each.gives, self.beyond(shape).difference(shape).intersection(self.abreast(shape))
            return
        shadows = depths(each)
        for degree, depth in shadows:
            yield degree, self.behind(shape, depth, further=True).difference(shape)
        if not shadows and each.shadow is None and each.gives != "none":
            yield each.gives, self.beyond(shape).difference(shape)

    def _dead_ground(self, picture: GroundPicture, surface: Surface) -> dict[Degree, Mask]:
        """Return the areas in which the ground hides a body like the target, by concealment.

        The area for "none" is where the ground rises above the line from top to top.
        """
        x, y = picture.places()
        inside = picture.mask(self.free)
        wanted = inside > 0
        spots = np.column_stack([x[wanted], y[wanted]])
        foot = surface.heights_at(spots[:, 0], spots[:, 1])
        own = self.answer.target_height - self.answer.target_footing
        eye = np.array([*self.start, self.answer.datum + self.answer.observer_height])
        found: dict[Degree, NDArray[np.bool_]] = {
            "none": foot > self._line_at((spots - self.start) @ self.way),
            "partial": ~lines_of_sight(surface, eye, np.column_stack([spots, foot + own / 2])),
            "total": ~lines_of_sight(surface, eye, np.column_stack([spots, foot + own])),
        }
        masks: dict[Degree, Mask] = {}
        for degree, there in found.items():
            masks[degree] = np.zeros_like(inside)
            masks[degree][wanted] = there
            masks[degree] *= inside
        return masks

    def _line_at(self, along: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the height of the line from top to top, height units above map level."""
        answer = self.answer
        rise = answer.target_height - answer.observer_height
        return answer.datum + answer.observer_height + rise * along / max(self.length, 1e-9)

    def _places(self, zones: Sequence[_Zones]) -> NDArray[np.float64]:
        """Return the tops of both units, then all corners on the ground and of obstacles."""
        level = np.array([self.start, self.start + self.way * self.length])
        tops = self._metres(np.array([self.answer.observer_height, self.answer.target_height]))
        drawn = [shape for _, shape, _ in zones]
        drawn += [zone for _, _, found in zones for _, zone in found]
        flat = shapely.get_coordinates([self.hull, *drawn])
        feet = self._scale.metres_of_heights(self.setup.field.footing(flat[:, 0], flat[:, 1]))
        for shape, top in zip((self.near, self.far), tops.tolist(), strict=True):
            corners = shapely.get_coordinates(shape)
            flat = np.concatenate([flat, corners])
            feet = np.concatenate([feet, np.full(len(corners), top)])
        return np.column_stack(
            [
                np.concatenate([level, flat]) * self._scale.metres_per_gsu,
                np.concatenate([tops, feet]),
            ]
        )

    def _sight_lines(self) -> Iterator[Stroke]:
        """Yield lines from top to top, along axis and sides, with colours."""
        axis = np.array([self.start, self.start + self.way * self.length])
        for line in (axis, *self.edges()):
            tops = self._metres(np.array([self.answer.observer_height, self.answer.target_height]))
            ends = np.column_stack([line * self._scale.metres_per_gsu, tops])
            share = self._hidden_from(line)
            turn = ends[0] + (ends[1] - ends[0]) * share
            if share > 0:
                yield Stroke(start=_point(ends[0]), end=_point(turn), tone="sight", drawn=True)
            if share < 1:
                tone = BEAM[self.answer.concealment]
                yield Stroke(start=_point(turn), end=_point(ends[1]), tone=tone, drawn=True)

    def _hidden_from(self, line: Places) -> float:
        """Return the share of a line before the first decisive obstacle; 1 without one."""
        found = 1.0
        run = line[1] - line[0]
        for each, shape in self.bodies:
            met = shape.intersection(LineString(line)) if self.bears(each) else None
            if met is not None and not met.is_empty:
                along = (shapely.get_coordinates(met) - line[0]) @ run / max(run @ run, 1e-12)
                found = min(found, float(along.min()))
        if self._ground_bears():
            share = np.linspace(0, 1, _STEPS)
            places = line[0] + share[:, None] * run
            foot = self.setup.field.footing(places[:, 0], places[:, 1])
            over = np.flatnonzero(foot > self._line_at((places - self.start) @ self.way))
            found = min(found, float(share[over[0]]) if len(over) else 1.0)
        return found

    def _frames(self) -> Iterator[Stroke]:
        """Yield the obstacles as the rules see them: upright bodies with level tops."""
        for each, shape in self.bodies:
            tone: Tone = "warning" if self.bears(each) else "neutral"
            for part in shapely.get_parts(shape):
                ring = shapely.get_coordinates(part.exterior)
                if len(ring) > MOST_CORNERS:
                    ring = ring[np.linspace(0, len(ring) - 1, MOST_CORNERS).round().astype(int)]
                feet = self.setup.field.footing(ring[:, 0], ring[:, 1])
                flat = ring * self._scale.metres_per_gsu
                top = np.full(len(ring), float(self._metres(np.array([each.height]))[0]))
                low = np.column_stack([flat, self._scale.metres_of_heights(feet)])
                high = np.column_stack([flat, np.maximum(top, low[:, 2])])
                for row in range(len(ring) - 1):
                    for start, end in ((high[row], high[row + 1]), (low[row], high[row])):
                        yield Stroke(start=_point(start), end=_point(end), tone=tone, drawn=True)

    def _tags(self) -> Iterator[Banner]:
        for each, shape in self.bodies:
            if each.entity not in self._units:
                x, y = shapely.get_coordinates(shape.intersection(self.hull).centroid)[0]
                told = (
                    f"{each.body}, height {each.height:.4g}, {percent(each.fraction)} of the width"
                )
                yield self._tag(each.entity, told, (x, y, each.height), self.bears(each))
        if self._surface is not None and self.answer.ground is not None:
            ends = self.start, self.start + self.way * self.length
            tops = self.answer.observer_height, self.answer.target_height
            near, far = (
                np.array([*end, self.answer.datum + top])
                for end, top in zip(ends, tops, strict=True)
            )
            place = blocking_place(self._surface, near, far)
            if place is not None:
                height = float(self._surface.heights_at(place.x, place.y)) - self.answer.datum
                told = f"blocks {percent(self.answer.ground.blocked_share)} of the width"
                spot = place.x, place.y, height
                yield self._tag("ground", told, spot, self._ground_bears())

    def _tag(self, name: str, told: str, top: tuple[float, float, float], bears: bool) -> Banner:
        """Return a name over a point at a height above the datum."""
        x, y, height = top
        foot = float(self._scale.metres_of_heights(self.setup.field.footing(x, y)))
        metres = self._scale.metres_per_gsu
        return Banner(
            x_m=x * metres,
            y_m=y * metres,
            team=len(self.setup.sides),
            text=name,
            subtext=told,
            emphasis="active" if bears else "plain",
            tall_m=max(float(self._metres(np.array([height]))[0]) - foot, 0.0) + 0.5,
            standard=False,
        )

    def _metres(self, above_datum: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return height units above the datum as metres above map level."""
        return self._scale.metres_of_heights(above_datum + self.answer.datum)


def _point(place: NDArray[np.float64]) -> Point:
    x, y, z = place.tolist()
    return x, y, z
