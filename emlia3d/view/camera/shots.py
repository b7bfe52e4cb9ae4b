"""Named views of a battle: the whole fight, the map, a unit's eyes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.events import Event, Rolled
from emlia3d.battle.setup import Setup, Viewpoint
from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.force.facing import degrees_of
from emlia3d.view.camera import framing
from emlia3d.view.camera.hotspot import thick
from emlia3d.view.moment.base_heights import lift_m
from emlia3d.view.moment.figures import body_of, height_m
from emlia3d.view.moment.marks import units_of
from emlia3d.view.moment.morale_bands import despair_of
from emlia3d.view.moment.scale import block_m, units_in_sight
from emlia3d.view.moment.scene import HIDES, Camera, DrawnGround, Point, Scene

VIEWS = ("overview", "fight", "top", "eye")
"""The views that every battle has: the whole fight, the main fight, the map, and the view of a
figure."""

GLANCE_DEG = 50.0
"""Angle from its front within which a unit's view looks for the enemy."""

NEAREST_M = 45.0
"""Distance below which an enemy is not seen better, metres."""

LEAST_STEEP_DEG, STEEPER = 8.0, 0.32
"""Angle of the camera below the horizon for an event: minimum, and per metre of its width,
degrees."""

MOST_LOOKED_AT = 5
SIGHT_STEPS = 48


def views_of(setup: Setup) -> tuple[str, ...]:
    """Return the names of all views of a battle, the scenario's own first."""
    return tuple(dict.fromkeys([*(point.name for point in setup.viewpoints), *VIEWS]))


def camera_of(
    setup: Setup, state: State, scene: Scene, view: str, *, unit: int | None, aspect: float
) -> Camera:
    """Return the camera of a named view of the scenario, or of one of `VIEWS`.

    Raise Error for an unknown name.
    """
    if view not in views_of(setup):
        raise Error(f"unknown camera {view}; there are {', '.join(views_of(setup))}")
    for point in setup.viewpoints:
        if point.name == view:
            return from_viewpoint(setup, state, scene, point)
    return framed(setup, state, scene, view, unit=unit, aspect=aspect)


def framed(
    setup: Setup, state: State, scene: Scene, view: str, *, unit: int | None, aspect: float
) -> Camera:
    """Return the camera of one of `VIEWS`, which show the fight wherever it is."""
    there = units_in_sight(state)
    if view == "top":
        return framing.top(scene, aspect)
    if view == "overview" or not there:
        return framing.overview(scene, aspect)
    if view == "fight":
        return thick(scene, aspect)
    chosen = unit if unit in there else in_the_thick(setup, state, scene.terrain)
    return behind(setup, state, scene, chosen)


def from_viewpoint(setup: Setup, state: State, scene: Scene, point: Viewpoint) -> Camera:
    """Return the camera of a scenario's own view.

    If the unit that it follows is gone, it is the view of a unit in the main fight.
    """
    if point.eye is not None and point.look_at is not None:
        eye, look_at = (_spot_m(setup, scene, spot) for spot in (point.eye, point.look_at))
        return Camera(eye=eye, look_at=look_at, fov_deg=point.angle_deg or framing.FOV_DEG)
    there = units_in_sight(state)
    if not there:
        return framing.overview(scene)
    followed = setup.unit_of(point.unit or "")
    return behind(
        setup,
        state,
        scene,
        followed if followed in there else in_the_thick(setup, state, scene.terrain),
    )


def _spot_m(setup: Setup, scene: Scene, spot: tuple[float, float, float]) -> Point:
    """Return a point in metres, east, north and up, at least at ground level."""
    scale = setup.field.scale
    x, y = scale.metres_of_gsu(spot[0]), scale.metres_of_gsu(spot[1])
    return x, y, scene.terrain.height(x, y) + scale.metres_of_heights(spot[2])


def action_view(
    setup: Setup, state: State, scene: Scene, events: Iterable[Event], aspect: float
) -> Camera:
    """Return a side view of the units and lines of some events; lower if they are close together.

    If none of the units is on the field, it is the overview.
    """
    there, told = {*units_in_sight(state)}, list(events)
    units = [unit for unit in sorted(units_of(told)) if unit in there]
    if not units:
        return framing.overview(scene, aspect)
    scale, blocks = setup.field.scale, {unit: block_m(setup, state, unit) for unit in units}
    rolls = [event.facts for event in told if isinstance(event.facts, Rolled)]
    lines = [np.array(rolled.line) * scale.metres_per_gsu for rolled in rolls if rolled.line]
    middles = {unit: block.mean(axis=0) for unit, block in blocks.items()}
    ends = (
        lines[0] if lines else np.stack([middles[unit] for unit in _nearest_pair(state, middles)])
    )
    flat = np.concatenate([ends, *blocks.values(), *lines])
    ground = scene.terrain.heights(flat[:, 0], flat[:, 1])
    tall = max(height_m(setup.units[unit].muster.troops, scale) for unit in units)
    feet, heads = (np.column_stack([flat, ground + up]) for up in (0.0, tall))
    wide = float(np.ptp(flat, axis=0).max())
    steep = float(np.clip(wide * STEEPER, LEAST_STEEP_DEG, framing.CORRIDOR_STEEP_DEG))
    return framing.corridor(scene, np.concatenate([heads, feet]), aspect, steep_deg=steep)


def _nearest_pair(state: State, middles: Mapping[int, NDArray[np.float64]]) -> tuple[int, int]:
    """Return the two units of different sides that are nearest to each other, else any two."""
    side = {unit: state.units.integer("side", unit) for unit in middles}
    pairs = [(one, two) for one, two in combinations(middles, 2) if side[one] != side[two]]
    if not pairs:
        return next(iter(middles)), next(reversed([*middles]))
    return min(pairs, key=lambda pair: float(np.hypot(*(middles[pair[0]] - middles[pair[1]]))))


def behind(setup: Setup, state: State, scene: Scene, unit: int) -> Camera:
    """Return the view over the shoulders of a unit's rear rank, or of a single fighter.

    The unit looks to its front, or at the enemy that it sees most of, if that is nearly ahead.
    """
    corners = block_m(setup, state, unit)
    many = state.units.integer("members", unit) > 1
    lift = lift_m(setup, state, unit)
    facing = degrees_of(state.units.integer("facing", unit))
    seen = _sights(setup, state, scene.terrain, unit)
    bearing, away = max(seen, key=lambda sight: sight[0])[1:] if seen else (facing, 100.0)
    # Not in the centre, because the standard or the fighter is there.
    aside = 0.25 if many else 0.5
    share = 0.5 - aside if _turned(facing, bearing) > 0 else 0.5 + aside
    rear = share * corners[2] + (1 - share) * corners[3]
    troops, scale = setup.units[unit].muster.troops, setup.field.scale
    if not many:
        tall = height_m(troops, scale)
        return framing.eye_level(
            scene, float(rear[0]), float(rear[1]), bearing,
            height_m=1.35 * tall + lift, back_m=1.8 * tall, ahead_m=max(away, 30.0), lower_deg=5.0,
        )  # fmt: skip
    return framing.eye_level(
        scene,
        float(rear[0]),
        float(rear[1]),
        bearing,
        height_m=3.0 + lift,
        back_m=5.0,
        ahead_m=max(away, 30.0),
        lower_deg=5.0,
    )


def in_the_thick(setup: Setup, state: State, terrain: DrawnGround) -> int:
    """Return the unit that sees most of the fight; units in ranks have priority.

    There must be a unit on the field. Among equals, it is the first.
    """

    def worth(unit: int) -> float:
        members = state.units.integer("members", unit)
        body = body_of(setup.units[unit].muster.troops)
        ranks = float(np.sqrt(members)) * (1.0 if body.in_ranks else 0.35)
        seen = sum(sight[0] for sight in _sights(setup, state, terrain, unit))
        return (seen + 1e-6) * ranks * (1.0 - 0.9 * despair_of(state, unit))

    return max(units_in_sight(state), key=worth)


def _sights(
    setup: Setup, state: State, terrain: DrawnGround, unit: int
) -> list[tuple[float, float, float]]:
    """Return the value of a unit's view of each enemy ahead, with bearing and distance in metres.

    It is only computed for the best few enemies.
    """
    own = block_m(setup, state, unit)
    facing = degrees_of(state.units.integer("facing", unit))
    here = _eye(setup, state, terrain, unit, own[2:].mean(axis=0))
    before = []
    for other in units_in_sight(state):
        if state.units.integer("side", other) == state.units.integer("side", unit):
            continue
        there = _eye(setup, state, terrain, other, block_m(setup, state, other).mean(axis=0))
        east, north = (there - here)[:2]
        bearing = float(np.degrees(np.arctan2(east, north))) % 360.0
        away = float(np.hypot(east, north))
        if abs(_turned(facing, bearing)) <= GLANCE_DEG:
            worth = state.units.integer("members", other) / max(away, NEAREST_M) ** 1.5
            before.append((worth, bearing, away, there))
    before.sort(key=lambda sight: -sight[0])
    return [sight[:3] for sight in before[:MOST_LOOKED_AT] if _free(terrain, here, sight[3])]


def _eye(
    setup: Setup, state: State, terrain: DrawnGround, unit: int, place: NDArray[np.float64]
) -> NDArray[np.float64]:
    x, y = float(place[0]), float(place[1])
    lift = lift_m(setup, state, unit)
    return np.array([x, y, terrain.height(x, y) + lift + framing.EYE_HEIGHT_M])


def _turned(from_deg: float, to_deg: float) -> float:
    """Return the shorter way from one bearing to another, clockwise positive, degrees."""
    return (to_deg - from_deg + 180.0) % 360.0 - 180.0


def _free(terrain: DrawnGround, here: NDArray[np.float64], there: NDArray[np.float64]) -> bool:
    """Return whether neither the ground nor a solid body is between two eyes."""
    way = here + (there - here) * (np.arange(1, SIGHT_STEPS) / SIGHT_STEPS)[:, None]
    ground = terrain.heights(way[:, 0], way[:, 1])
    if (way[:, 2] < ground).any():
        return False
    for patch in terrain.patches:
        under = (way[:, 2] < ground + patch.height_m) & (patch.kind in HIDES)
        if under.any():
            body = shapely.Polygon(patch.outline_m[0])
            if shapely.contains_xy(body, way[under, 0], way[under, 1]).any():
                return False
    return True
