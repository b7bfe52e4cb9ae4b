"""Preview of an order on the ground: reach, path and end."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.questions.options import Place
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force import formation
from emlia3d.force.formation import Formation
from emlia3d.view.moment.scale import block_m
from emlia3d.view.moment.scene import Arrow, Mark, Ring, TintedArea, Tone
from emlia3d.view.sight.sight_overlay import SightOverlay

_LEAST_M = 0.5
_WIDE_M = 1.6
_POINT_M = 4.0
_GRIP = 0.3
"""Radius of a handle, relative to its distance from the unit."""


def sight_overlay_of(
    setup: Setup,
    state: State,
    units: Collection[int],
    reach: tuple[Place, ...],
    order: Order | None,
    refused: bool,
) -> SightOverlay:
    """Return the overlay of a decision about a unit, or about the choice of a unit.

    reach : corners of the area that the unit can reach, GSU
    order : the selected order
    refused : whether the rules refuse the order
    """
    marks: list[Mark] = []
    metres = setup.field.scale.metres_per_gsu
    if len(reach) >= 3:
        marks.append(TintedArea(outline_m=np.array(reach, np.float64) * metres, tone="neutral"))
    active = set(units)
    if len(active) > 1:
        there = [row for row in sorted(active) if state.units.value("present", row)]
        marks += [TintedArea(outline_m=block_m(setup, state, row), tone="order") for row in there]
    if order is not None:
        tone: Tone = "warning" if refused else "order"
        marks += _way(setup, state, order, tone)
        if order.point is not None:
            x_m, y_m = (float(each) * metres for each in order.point)
            marks.append(Ring(x_m=x_m, y_m=y_m, radius_m=_POINT_M, tone=tone))
        active |= {*order.actors, *(() if order.target is None else (order.target,))}
        marks += _aim(setup, state, order)
    return SightOverlay(marks=tuple(marks), active=frozenset(active))


def handle_marks(setup: Setup, end: Place, handle: Place, tone: Tone) -> tuple[Mark, ...]:
    """Return an arrow and a ring for the handle for the facing at the end of a move.

    end : of the move; handle : position of its handle, GSU
    """
    path_m = np.array([end, handle], np.float64) * setup.field.scale.metres_per_gsu
    x_m, y_m = path_m[1].tolist()
    grip_m = float(np.hypot(*(path_m[1] - path_m[0]))) * _GRIP
    return (
        Arrow(path_m=path_m, tone=tone, width_m=grip_m / 2),
        Ring(x_m=x_m, y_m=y_m, radius_m=grip_m, tone=tone),
    )


def _way(setup: Setup, state: State, order: Order, tone: Tone) -> Iterator[Mark]:
    """Yield the path of a move, and the unit's block at its end.

    A unit that is not on the field has no path.
    """
    if order.unit is None or not order.legs:
        return
    metres = setup.field.scale.metres_per_gsu
    units = state.units
    start = float(units.value("x", order.unit)), float(units.value("y", order.unit))
    path = np.array([start, *((leg.x, leg.y) for leg in order.legs)]) * metres
    far = np.hypot(*np.diff(path, axis=0).T)
    kept = path[np.concatenate([[True], far >= _LEAST_M])]
    if len(kept) >= 2 and units.value("present", order.unit):
        yield Arrow(path_m=kept, tone=tone, width_m=_WIDE_M)
    yield TintedArea(outline_m=ghost_m(setup, state, order.unit, order.legs), tone=tone)


def ghost_m(setup: Setup, state: State, unit: int, legs: tuple[Leg, ...]) -> NDArray[np.float64]:
    """Return the corners of a unit's block at the end of a move: (4, 2) float64, metres."""
    drill = state.roster.drill(unit)
    facing = state.units.integer("facing", unit)
    for leg in legs:
        if leg.step == "form":
            drill = replace(drill, formation=Formation(leg.formation), files=leg.files)
        elif leg.step == "turn" and drill.formation is Formation.RANKED:
            drill = _faced(drill, facing, leg.facing)
        facing = leg.facing
    end = legs[-1]
    return formation.block(drill, end.x, end.y, end.facing) * setup.field.scale.metres_per_gsu


def _faced(drill: formation.FormationLayout, before: int, after: int) -> formation.FormationLayout:
    """Return the number of files after the members of a block turn by 90 degrees in place."""
    quarters, rest = divmod(after - before, 90 * 64)
    return replace(drill, files=drill.ranks) if quarters % 2 and not rest else drill


def _aim(setup: Setup, state: State, order: Order) -> Iterator[Mark]:
    """Yield an arrow from each acting unit to the target, and a ring around the target."""
    if order.target is None or not order.actors or order.target in order.actors:
        return
    if not state.units.value("present", order.target):
        return
    other = block_m(setup, state, order.target).mean(axis=0)
    for unit in order.actors:
        one = block_m(setup, state, unit).mean(axis=0)
        if float(np.hypot(*(other - one))) >= _LEAST_M:
            yield Arrow(path_m=np.stack([one, other]), tone="hit", width_m=_WIDE_M)
    yield _round(setup, state, order.target, "hit")


def _round(setup: Setup, state: State, unit: int, tone: Tone) -> Ring:
    corners = block_m(setup, state, unit)
    x_m, y_m = corners.mean(axis=0).tolist()
    wide = float(np.hypot(*(corners[0] - corners[2]))) / 2 + 1.0
    return Ring(x_m=x_m, y_m=y_m, radius_m=wide, tone=tone)
