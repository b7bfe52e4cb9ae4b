"""Marks of events by their gestures: tracers, clashes, arrows and rings.

This module does not know rules. If the facts of an event have "hits" or "successes", that number of
its tracers are shown as hits.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.changes import Fall
from emlia3d.battle.events import Event, FallOfShot, Rolled
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.base_heights import lift_m
from emlia3d.view.moment.bodies import Body
from emlia3d.view.moment.contact_lines import above, seam_between
from emlia3d.view.moment.figures import FigurePositions, body_of
from emlia3d.view.moment.intents import line_over
from emlia3d.view.moment.scale import block_m
from emlia3d.view.moment.scene import (
    Arrow,
    DrawnGround,
    Mark,
    Point,
    Ring,
    Stroke,
    TintedArea,
    Tone,
)
from emlia3d.view.moment.waves import falls, scattered, volley

MOST_TRACERS = 18
SHOULDER_M = 1.45
CHEST_M = 1.1
LEAST_MARCH_M = 0.5
DRIFT_M = 1.0
LEAST_SEAM_M, SEAM_EDGE_M = 3.0, 1.2
PARTED_GSU = 15.0
"""Distance at which a unit has parted from its target, GSU."""

TICK_M = (0.4, 2.6)
"""Lower and upper end of the mark over a fallen figure, metres."""

LINE_PIECES = 25
"""Number of segments of a dashed line that explains a result."""

OF_VOLLEYS, MOST_LOFT = 2.0, 0.25
"""Factor for the rise of shots at an area, and its maximum relative to their length."""

RINGS: dict[str, Tone] = {
    "suffer": "hit",
    "waver": "warning",
    "rally": "order",
    "vanish": "miss",
}


def marks_of(
    setup: Setup,
    state: State,
    events: Iterable[Event],
    terrain: DrawnGround,
    before: FigurePositions | None = None,
) -> tuple[Mark, ...]:
    """Return the marks of the events in a step that led to *state*.

    before : positions at the start of the step; without it, moves have no arrows
    """
    marks: list[Mark] = []
    gone: set[tuple[int, ...]] = set()
    for event in events:
        if event.gesture == "march":
            if event.actors in gone:
                continue
            gone.add(event.actors)  # one arrow, from the first place to the last
        marks += _marks(setup, state, event, terrain, before)
    return tuple(marks)


def blows_of(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the shots and blows among events, for a picture of several steps."""
    return tuple(event for event in events if event.gesture in {"shoot", "strike"})


def units_of(events: Iterable[Event]) -> frozenset[int]:
    """Return the units that these events affect."""
    return frozenset(unit for event in events for unit in event.named)


def _marks(
    setup: Setup, state: State, event: Event, terrain: DrawnGround, before: FigurePositions | None
) -> list[Mark]:
    units, target = event.actors, event.target
    if not units:
        return []
    match event.gesture:
        case "shoot":
            return _shots(setup, state, event, terrain)
        case "strike" if target is not None:
            clashes = (_clash(setup, state, unit, target, terrain) for unit in units)
            return [mark for clash in clashes for mark in clash]
        case "march" if before is not None:
            marches = (_march(setup, state, unit, target, before) for unit in units)
            return [mark for march in marches for mark in march]
        case "suffer" | "waver" | "rally" | "vanish" as gesture:
            rings = [_ring(setup, state, unit, RINGS[gesture]) for unit in units]
            return [*rings, *_losses(setup, state, event, terrain)]
        case _:
            return []


def _shots(setup: Setup, state: State, event: Event, terrain: DrawnGround) -> list[Mark]:
    marks: list[Mark] = []
    hits = event.facts.successes if isinstance(event.facts, Rolled) else None
    for unit in event.actors:
        if event.target is not None:
            shots = _tracers(setup, state, unit, event.target, hits, terrain)
            hits = None if hits is None else max(hits - len(shots), 0)
            marks += shots
        elif isinstance(event.facts, FallOfShot):
            marks += _fall_of_shot(setup, state, unit, event.facts, terrain)
    if isinstance(event.facts, Rolled) and event.facts.line is not None:
        start, end = np.array(event.facts.line) * setup.field.scale.metres_per_gsu
        step_m = float(np.hypot(*(end - start))) / LINE_PIECES
        marks += line_over(start, end, step_m, terrain, dashed=True, tone="sight")
    return marks


def _tracers(
    setup: Setup, state: State, unit: int, at: int, hits: int | None, terrain: DrawnGround
) -> list[Mark]:
    """Return shots from the whole front that fires to the whole front that is hit.

    hits : of this unit and later ones; None if unknown
    """
    source, target = block_m(setup, state, unit), block_m(setup, state, at)
    front = max(min(state.units.integer("files", unit), MOST_TRACERS), 1)
    starts, ends = _facing_lines(source, target, front)
    sure = scattered(front, 0 if hits is None else min(hits, front))
    late = volley(front)
    body = body_of(setup.units[unit].muster.troops)
    from_z = SHOULDER_M + _lift(setup, state, unit)
    to_z = CHEST_M + _lift(setup, state, at)
    return [
        _flight(
            body,
            above(terrain, start, from_z),
            above(terrain, end, to_z),
            "volley" if hits is None else "hit" if sure[row] else "miss",
            late=float(late[row]),
        )
        for row, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]


def _fall_of_shot(
    setup: Setup, state: State, unit: int, shot: FallOfShot, terrain: DrawnGround
) -> list[Mark]:
    """Return shots from the shooter's front into the circle that is hit, and its drift."""
    metres = setup.field.scale.metres_per_gsu
    aimed, fell = (np.array(at) * metres for at in (shot.aimed_at, shot.fell_at))
    source = block_m(setup, state, unit)
    front = max(min(state.units.integer("files", unit), MOST_TRACERS), 1)
    share = (np.arange(front) + 0.5) / front
    near, far = _facing_edge(source, fell)
    wide = shot.coverage * metres
    across = np.array([near[0] - far[0], near[1] - far[1]])
    across *= 0.6 * wide / max(float(np.hypot(*across)), 1e-9)
    starts = _between(near, far, share)
    ends = _between(fell + across / 2, fell - across / 2, share)
    from_z = SHOULDER_M + _lift(setup, state, unit)
    body = body_of(setup.units[unit].muster.troops)
    marks: list[Mark] = [
        _flight(
            body,
            above(terrain, start, from_z),
            above(terrain, end, 0.0),
            "volley",
            OF_VOLLEYS,
            float(late),
        )
        for start, end, late in zip(starts, ends, volley(front), strict=True)
    ]
    if float(np.hypot(*(fell - aimed))) >= LEAST_MARCH_M:
        marks.append(Arrow(path_m=np.stack([aimed, fell]), tone="miss", width_m=DRIFT_M))
    return [*marks, _round(fell, wide / 2, "hit")]


def _flight(
    body: Body, start: Point, end: Point, tone: Tone, higher: float = 1.0, late: float = 0.0
) -> Stroke:
    """Return one shot of a body: straight from a gun, in an arc from a bow or sling."""
    loft = min(body.loft * higher, MOST_LOFT)
    away = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    return Stroke(start=start, end=end, tone=tone, smoke=body.powder, rise_m=loft * away, late=late)


def _clash(setup: Setup, state: State, unit: int, target: int, terrain: DrawnGround) -> list[Mark]:
    """Return crossed strokes along the contact line of two blocks, and the ground below.

    It is empty if the units have parted since, as is possible in a picture of a whole turn.
    """
    seam = seam_between(setup, state, unit, target)
    if seam.gap_m > PARTED_GSU * setup.field.scale.metres_per_gsu:
        return []
    along, ahead = seam.along, seam.across
    length = max(seam.length_m, LEAST_SEAM_M)
    count = int(np.clip(length / 4.0, 1, 8))
    up_m = max(_lift(setup, state, unit), _lift(setup, state, target))
    marks: list[Mark] = []
    for share in (np.arange(count) + 0.5) / count - 0.5:
        spot = seam.middle + along * share * length
        for hand in (-1.0, 1.0):
            low, high = spot - ahead - along * hand * 0.6, spot + ahead + along * hand * 0.6
            marks.append(
                Stroke(
                    start=above(terrain, low, CHEST_M + up_m),
                    end=above(terrain, high, 2.2 + up_m),
                    tone="melee",
                )
            )
    half = along * (length / 2 + SEAM_EDGE_M)
    deep = ahead * (seam.gap_m / 2 + SEAM_EDGE_M)
    corners = [seam.middle + a * half + b * deep for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return [*marks, TintedArea(outline_m=np.stack(corners), tone="melee")]


def _march(
    setup: Setup, state: State, unit: int, target: int | None, before: FigurePositions
) -> list[Mark]:
    """Return an arrow from the previous to the current front of a unit; red if it was forced."""
    metres = setup.field.scale.metres_per_gsu
    start = np.array([before.unit_x_m[unit], before.unit_y_m[unit]])
    end = np.array([state.units.value("x", unit), state.units.value("y", unit)]) * metres
    if float(np.hypot(*(end - start))) < LEAST_MARCH_M:
        return []
    width = state.roster.drill(unit).frontage * metres
    tone: Tone = "order"
    if target is not None:
        foe = np.array([before.unit_x_m[target], before.unit_y_m[target]])
        tone = "warning" if float((end - start) @ (foe - start)) < 0 else tone
    wide = float(np.clip(width / 6, 1.0, 6.0))
    return [Arrow(path_m=np.stack([start, end]), tone=tone, width_m=wide)]


def _losses(setup: Setup, state: State, event: Event, terrain: DrawnGround) -> list[Mark]:
    """Return an upright stroke over each figure that falls."""
    metres = setup.field.scale.metres_per_gsu
    marks: list[Mark] = []
    for change in event.changes:
        if isinstance(change, Fall):
            up_m = _lift(setup, state, change.unit)
            for figure in change.figures:
                place = (
                    np.array([state.figures.value(name, figure) for name in ("x", "y")]) * metres
                )
                low, high = (above(terrain, place, up_m + height) for height in TICK_M)
                late = float(falls(place[None])[0])
                marks.append(Stroke(start=low, end=high, tone="warning", late=late))
    return marks


def _ring(setup: Setup, state: State, unit: int, tone: Tone) -> Ring:
    corners = block_m(setup, state, unit)
    radius = float(np.hypot(*(corners[0] - corners[2]))) / 2
    return _round(corners.mean(axis=0), radius + 1.5, tone)


def _round(middle: NDArray[np.float64], radius_m: float, tone: Tone) -> Ring:
    return Ring(x_m=float(middle[0]), y_m=float(middle[1]), radius_m=radius_m, tone=tone)


def _facing_lines(
    source: NDArray[np.float64], target: NDArray[np.float64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return *count* points on each of two blocks along the side that faces the other, (count, 2).

    Both go from one side of the line of fire to the other, so that no lines cross.
    """
    way = target.mean(axis=0) - source.mean(axis=0)
    across = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
    share = (np.arange(count) + 0.5) / count
    return _along(source, way, across, share), _along(target, -way, across, share)


def _along(
    block: NDArray[np.float64],
    way: NDArray[np.float64],
    across: NDArray[np.float64],
    share: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return points on the sides of a block that face the end of *way*, (n, 2)."""
    beside = block @ across
    spots = beside.min() + np.ptp(beside) * share
    best = np.full(len(spots), -np.inf)
    places = np.repeat(block.mean(axis=0)[None], len(spots), axis=0)
    for first, second in zip(block, np.roll(block, -1, axis=0), strict=True):
        low, wide = first @ across, (second - first) @ across
        if abs(wide) < 1e-9:
            continue
        part = (spots - low) / wide
        found = first + np.clip(part, 0.0, 1.0)[:, None] * (second - first)
        nearer = (part >= -1e-9) & (part <= 1 + 1e-9) & (found @ way > best)
        places[nearer], best[nearer] = found[nearer], (found @ way)[nearer]
    return places


def _facing_edge(
    corners: NDArray[np.float64], towards: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of the side of a block that is nearest to a point."""
    following = np.roll(corners, -1, axis=0)
    off = np.hypot(*((corners + following) / 2 - towards).T)
    side = int(off.argmin())
    return corners[side], following[side]


def _between(
    start: NDArray[np.float64], end: NDArray[np.float64], share: NDArray[np.float64]
) -> NDArray[np.float64]:
    return start + (end - start) * share[:, None]


def _lift(setup: Setup, state: State, unit: int) -> float:
    return lift_m(setup, state, unit)
