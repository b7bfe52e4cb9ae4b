"""The scene: a description for any renderer.

A `Scene` is ground, features, figures, banners and marks, all in metres, with the origin at
the field's south-west corner, x east, y north, z up, facings in degrees clockwise from north.
It is independent of rules and battles; `describe` builds it, and `view.panda` draws it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Point: TypeAlias = tuple[float, float, float]
Look: TypeAlias = Literal["country", "space"]
Emphasis: TypeAlias = Literal["plain", "selected", "active", "broken"]
Pattern: TypeAlias = Literal["plain", "saltire", "cross", "pale", "fess", "quarterly"]
Chart: TypeAlias = Literal["country", "relief", "slope"]
Tone: TypeAlias = Literal[
    "volley", "hit", "miss", "melee", "order", "sight", "hidden", "warning", "neutral"
]

CHARTS: tuple[Chart, ...] = get_args(Chart)
SLOPES_DEG = (3, 7, 12, 20, 30)
"""The limits of the classes in a chart of slopes, degrees."""
SLOPE_COLOURS = ("#f0eed6", "#f0d688", "#f2b254", "#d6742c", "#983e18", "#4e1c1c")
"""Colours of these classes from level to steepest, increasingly dark."""
BASE_THICKNESS = 0.06
"""Thickness of a base, as a proportion of its shorter side."""
ARC_POINTS = 17
"""Number of points of a curved trajectory."""
HIDES = {
    "rock",
    "building",
    "farm",
    "works",
    "storage-tank",
    "village",
    "wall",
    "wood",
    "hedge",
    "rampart",
    "tower",
    "gate",
    "keep",
}
"""Features that are drawn as solid."""
STANDING, PRONE, FALLEN, KNEELING = 0, 1, 2, 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patch:
    """A terrain feature.

    kind : wood, scrub, orchard, stream, river, lake, marsh, road, track, field, hedge, fence,
        wall, rock, building, farm, village, camp, ruin, works, storage-tank, bridge, ford, hill or
        tree; any other kind is shown as an outlined translucent block
    outline_m : rings (n, 2) float64, metres, not closed; the first is the outside, others holes
    height_m : of the body above the ground, metres
    seed : of its random appearance, such as the positions of trees
    """

    kind: str
    outline_m: tuple[NDArray[np.float64], ...]
    height_m: float = 0.0
    name: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnGround:
    """The ground.

    elevation_m : (rows, columns) float32, C order, metres, row 0 north, heights at cell centres
    size_m : extent east and north, metres
    look : open country or space
    grid_m : grid spacing in space
    """

    elevation_m: Floats
    size_m: tuple[float, float]
    patches: tuple[Patch, ...] = ()
    look: Look = "country"
    grid_m: float = 20.0

    @property
    def cell_m(self) -> tuple[float, float]:
        """Size of one cell east and north, metres."""
        rows, columns = self.elevation_m.shape
        return self.size_m[0] / columns, self.size_m[1] / rows

    def heights(self, x_m: NDArray[np.floating], y_m: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the height of the ground at each point, (n,) float64, metres.

        The surface is triangulated: each square of four cell centres is split along its
        south-west to north-east diagonal. Beyond the outermost centres, the ground is level.
        """
        rows, columns = self.elevation_m.shape
        cell_x, cell_y = self.cell_m
        u = np.clip(np.asarray(x_m, np.float64) / cell_x - 0.5, 0, columns - 1)
        v = np.clip(np.asarray(y_m, np.float64) / cell_y - 0.5, 0, rows - 1)
        west = np.minimum(u.astype(np.intp), max(columns - 2, 0))
        south = np.minimum(v.astype(np.intp), max(rows - 2, 0))
        along, up = u - west, v - south
        # A flat index is twice as fast as row and column.
        ground = self.elevation_m.reshape(-1)
        corner = (rows - 1 - south) * columns + west
        east, north = int(columns > 1), -columns * int(rows > 1)
        sw, ne = ground.take(corner), ground.take(corner + (east + north))
        third = ground.take(corner + np.where(along >= up, east, north))
        longer, shorter = np.maximum(along, up), np.minimum(along, up)
        return np.asarray(sw + longer * (third - sw) + shorter * (ne - third), np.float64)

    def height(self, x_m: float, y_m: float) -> float:
        """Return the height of the ground at one point, metres."""
        return float(self.heights(np.array([x_m]), np.array([y_m]))[0])


def flat(
    size_m: tuple[float, float], patches: tuple[Patch, ...] = (), look: Look = "country"
) -> DrawnGround:
    """Return level ground at height 0."""
    level = np.zeros((2, 2), np.float32)
    return DrawnGround(elevation_m=level, size_m=size_m, patches=patches, look=look)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bases:
    """The bases of figures.

    rows : (k,) int64, rows of `Figures` with a base
    is_round : (k,) bool; the others are rectangles
    half_m : (k, 2) float32, half the width across the facing and half the depth along it, metres
    """

    rows: NDArray[np.int64]
    is_round: NDArray[np.bool_]
    half_m: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def thickness_m(self) -> NDArray[np.float32]:
        """(k,) thickness of each, metres."""
        return np.asarray(2 * BASE_THICKNESS * self.half_m.min(axis=1), np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Figures:
    """All figures, one row each; n is their number.

    x_m, y_m : (n,) float32, metres
    facing_deg : (n,) float32, degrees clockwise from north
    team : (n,) uint8, index into `Scene.sides`
    model : (n,) uint8, index into `MODELS`
    pose : (n,) uint8, STANDING, PRONE, FALLEN or KNEELING
    shade : (n,) uint8, 0 fresh to 15 spent; greys the colours out
    size : (n,) float32, factor on the model's natural size (a foot figure is 1.83 m)
    lift_m : (n,) float32, height of its support above the ground (a wall, a rock), metres
    was_x_m, was_y_m, was_facing_deg : (n,) float32, previous position; None if unchanged
    was_pose : (n,) uint8, previous pose; None if unchanged
    alpha : progress of the movement, 0 to 1
    bases : of figures; None if none has one. The top of a base is at the figure's lift
    """

    x_m: Floats
    y_m: Floats
    facing_deg: Floats
    team: NDArray[np.uint8]
    model: NDArray[np.uint8]
    pose: NDArray[np.uint8]
    shade: NDArray[np.uint8]
    size: Floats
    lift_m: Floats
    was_x_m: Floats | None = None
    was_y_m: Floats | None = None
    was_facing_deg: Floats | None = None
    was_pose: NDArray[np.uint8] | None = None
    alpha: float = 1.0
    bases: Bases | None = None

    def __len__(self) -> int:
        return len(self.x_m)


def no_figures() -> Figures:
    """Return an empty field."""
    none, nothing = np.zeros(0, np.float32), np.zeros(0, np.uint8)
    return Figures(
        x_m=none,
        y_m=none,
        facing_deg=none,
        team=nothing,
        model=nothing,
        pose=nothing,
        shade=nothing,
        size=none,
        lift_m=none,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SideLook:
    """A side's colour and pattern; the pattern works without colour vision.

    colour : "#rrggbb"
    """

    name: str
    colour: str
    pattern: Pattern = "plain"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Banner:
    """A unit's standard and name tag.

    x_m, y_m : position of the pole; lift_m : its foot above the ground
    facing_deg : of the unit
    outline_m : (n, 2) float64, the unit's footprint, visible on the ground from high up; if it has
        four corners: front left, front right, rear right and rear left
    strength : remaining proportion of the unit, 0 to 1, shown as a bar; None for no bar
    despair : of the unit, 0 to 1, shown as a strip behind its footprint
    tall_m : from the foot to the tag, metres; standard : whether it has a pole and a flag
    aloft : whether it flies, so that it needs no support
    follows : whether its leader's tag replaces its tag when it is small in the picture
    joined : whether its formation's tag replaces its tag until it is selected
    """

    x_m: float
    y_m: float
    team: int
    text: str
    subtext: str = ""
    facing_deg: float = 0.0
    lift_m: float = 0.0
    emphasis: Emphasis = "plain"
    outline_m: NDArray[np.float64] | None = None
    strength: float | None = None
    despair: float = 0.0
    tall_m: float = 5.4
    standard: bool = True
    aloft: bool = False
    follows: bool = False
    joined: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """A line through the air and its meaning; `smoke` adds a puff of smoke at its start.

    start, end : x, y, z in metres; z is an elevation
    rise_m : rise of the centre of an arc above the straight line
    drawn : whether it is part of a drawing: never omitted, and faintly visible through obstacles
    late : its start, relative to the duration of its step; in a window, in seconds
    """

    start: Point
    end: Point
    tone: Tone
    smoke: bool = False
    rise_m: float = 0.0
    drawn: bool = False
    late: float = 0.0

    def points(self) -> NDArray[np.float64]:
        """Return its points, (n, 3): a parabola, or its two ends."""
        share = np.linspace(0.0, 1.0, ARC_POINTS if self.rise_m else 2)[:, None]
        start, end = np.array(self.start), np.array(self.end)
        above = np.array([0.0, 0.0, 4.0 * self.rise_m]) * share * (1.0 - share)
        return np.asarray(start + (end - start) * share + above)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A circle on the ground, radius in metres."""

    x_m: float
    y_m: float
    radius_m: float
    tone: Tone


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TintedArea:
    """A tinted, outlined piece of ground: (n, 2) float64, metres, simple, not closed."""

    outline_m: NDArray[np.float64]
    tone: Tone


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arrow:
    """A path on the ground with a head at its end: (n, 2) float64, metres; n >= 2."""

    path_m: NDArray[np.float64]
    tone: Tone
    width_m: float = 4.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overlay:
    """A picture on the ground.

    picture : (h, w, 4) uint8, red first, row 0 north; both sides are powers of two
    bounds_m : west, south, east and north bounds, metres
    """

    picture: NDArray[np.uint8]
    bounds_m: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnTiles:
    """A grid of tiles over the ground.

    edges_m : (n, 2, 2) float64, both ends of each edge of a tile, metres
    across_m : width of a tile, metres
    """

    edges_m: NDArray[np.float64]
    across_m: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plume:
    """Smoke that rises from a damaged body.

    start : x, y, z in metres; share : lost proportion of its capacity, above 0 and up to 1
    size_m : width of the smoke, which also determines its height
    """

    start: Point
    share: float
    size_m: float


Mark: TypeAlias = Stroke | Ring | TintedArea | Arrow | Plume


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """Sunlight and haze.

    azimuth_deg : of the sun, clockwise from north; elevation_deg : above the horizon
    haze : proportion of light lost per kilometre, 0 to 1; on a field larger than 1.5 km, over a
        proportionally longer distance
    """

    azimuth_deg: float = 292.0
    elevation_deg: float = 32.0
    haze: float = 0.07

    def direction(self) -> Point:
        """Return the unit vector from the ground to the sun."""
        azimuth, elevation = np.radians(self.azimuth_deg), np.radians(self.elevation_deg)
        level = float(np.cos(elevation))
        return (
            level * float(np.sin(azimuth)),
            level * float(np.cos(azimuth)),
            float(np.sin(elevation)),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """The contents of a picture except the camera.

    chart : style of the ground: country, relief or slope
    tiles : a grid over the ground; None for none
    """

    terrain: DrawnGround
    sides: tuple[SideLook, ...] = ()
    figures: Figures = field(default_factory=no_figures)
    banners: tuple[Banner, ...] = ()
    marks: tuple[Mark, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    light: Light = field(default_factory=Light)
    contours: bool = True
    chart: Chart = "country"
    tiles: DrawnTiles | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """The viewpoint of a picture.

    eye, look_at : x, y, z in metres; fov_deg : angle from the picture's bottom to its top
    """

    eye: Point
    look_at: Point
    fov_deg: float = 36.0
