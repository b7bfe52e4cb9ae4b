"""All figures of a battle as columns for the picture, with their previous positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field import Scale
from emlia3d.force import FigureCondition, Troops
from emlia3d.force.appearance import POSTURE, POSTURES, TAKING_COVER
from emlia3d.force.figure_models import MODELS, Model
from emlia3d.view.moment.base_heights import masonry_m
from emlia3d.view.moment.bases import bases_of
from emlia3d.view.moment.bodies import BODIES, Body
from emlia3d.view.moment.morale_bands import despair_of
from emlia3d.view.moment.scale import degrees
from emlia3d.view.moment.scene import FALLEN, KNEELING, PRONE, STANDING, Figures

_POSES = {"prone": PRONE, "kneeling": KNEELING}

UNKNOWN_MODEL: Model = "warrior"
FALLEN_SHADE = 5
SPENT_SHADE = 6  # of a unit with almost total losses
BROKEN_SHADE = 9  # of a unit that no longer fights

LARGEST = 2.4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FigurePositions:
    """The positions of all figures and units at one moment, departed ones included.

    x_m, y_m, facing_deg : (figures,) float32; pose : (figures,) uint8, its posture
    unit_x_m, unit_y_m : (units,) float64, the centre of each front line
    """

    x_m: NDArray[np.float32]
    y_m: NDArray[np.float32]
    facing_deg: NDArray[np.float32]
    pose: NDArray[np.uint8]
    unit_x_m: NDArray[np.float64]
    unit_y_m: NDArray[np.float64]


def whereabouts_of(setup: Setup, state: State) -> FigurePositions:
    """Return copies of the current positions."""
    metres = setup.field.scale.metres_per_gsu
    return FigurePositions(
        x_m=(state.figures.floats("x") * metres).astype(np.float32),
        y_m=(state.figures.floats("y") * metres).astype(np.float32),
        facing_deg=degrees(state.figures.ints("facing")).astype(np.float32),
        pose=np.where(
            state.figures["condition"] == FigureCondition.FALLEN,
            np.uint8(FALLEN),
            _poses(state)[state.figures.ints("unit")],
        ),
        unit_x_m=state.units.floats("x") * metres,
        unit_y_m=state.units.floats("y") * metres,
    )


def figures_of(setup: Setup, state: State, before: FigurePositions | None = None) -> Figures:
    """Return the figures on the field, standing or fallen, with movement from *before*.

    A figure moves from its previous to its current position while the picture's alpha goes from 0
    to 1. It turns the shorter way, and falls, lies down or kneels on the way. Without *before*, or
    if no figure moved, all stand still.
    """
    condition = state.figures["condition"]
    there = state.units["present"][state.figures.ints("unit")] != 0
    shown = np.flatnonzero(
        (condition == FigureCondition.FALLEN) | (there & (condition != FigureCondition.GONE))
    )
    unit = state.figures.ints("unit")[shown]
    fallen = condition[shown] == FigureCondition.FALLEN
    now = whereabouts_of(setup, state)
    x, y, facing = now.x_m[shown], now.y_m[shown], now.facing_deg[shown]
    walk = None if before is None else _walk(before, now, shown)
    bases = bases_of(setup, unit, fallen)
    lift = _lifts(setup, state)[unit] + _on_walls(setup, state, shown)
    if bases is not None:
        lift[bases.rows] += bases.thickness_m
    return Figures(
        x_m=x,
        y_m=y,
        facing_deg=facing,
        team=state.units.ints("side").astype(np.uint8)[unit],
        model=_models(setup)[unit],
        pose=now.pose[shown],
        shade=np.where(fallen, np.uint8(FALLEN_SHADE), _shades(state)[unit]),
        size=_sizes(setup)[unit],
        lift_m=lift,
        was_x_m=None if walk is None else walk.x_m,
        was_y_m=None if walk is None else walk.y_m,
        was_facing_deg=None if walk is None else walk.facing_deg,
        was_pose=None if walk is None else walk.pose,
        alpha=1.0 if walk is None else 0.0,
        bases=bases,
    )


def _walk(
    before: FigurePositions, now: FigurePositions, shown: NDArray[np.intp]
) -> FigurePositions | None:
    """Return the previous positions of the visible figures; None if none moved."""
    same = (before.x_m == now.x_m) & (before.y_m == now.y_m) & (before.pose == now.pose)
    turn = (now.facing_deg - before.facing_deg + 180.0) % 360.0 - 180.0
    if not ((turn != 0) | ~same)[shown].any():
        return None
    return FigurePositions(
        x_m=before.x_m[shown],
        y_m=before.y_m[shown],
        facing_deg=(now.facing_deg - turn).astype(np.float32)[shown],
        pose=before.pose[shown],
        unit_x_m=before.unit_x_m,
        unit_y_m=before.unit_y_m,
    )


def _models(setup: Setup) -> NDArray[np.uint8]:
    """Return the body of each unit's figures, (units,)."""
    known: dict[str, int] = {name: row for row, name in enumerate(MODELS)}
    unknown = known[UNKNOWN_MODEL]
    rows = (known.get(unit.muster.troops.model, unknown) for unit in setup.units)
    return np.fromiter(rows, np.uint8, len(setup.units))


def size_of(troops: Troops, scale: Scale) -> float:
    """Return the scale of a body relative to its natural size; a giant fills its base."""
    across = body_of(troops).fills
    if across is None:
        return 1.0
    return min(max(min(troops.width, troops.depth) * scale.metres_per_gsu / across, 1.0), LARGEST)


def height_m(troops: Troops, scale: Scale) -> float:
    """Return the drawn height of a body, metres."""
    return body_of(troops).height * size_of(troops, scale)


def body_of(troops: Troops) -> Body:
    """Return the body of a unit's figures; a warrior if it is unknown."""
    return BODIES.get(troops.model, BODIES[UNKNOWN_MODEL])


def _sizes(setup: Setup) -> NDArray[np.float32]:
    """Return the size of each unit's figures, (units,)."""
    scale = setup.field.scale
    sizes = (size_of(unit.muster.troops, scale) for unit in setup.units)
    return np.fromiter(sizes, np.float32, len(setup.units))


def _poses(state: State) -> NDArray[np.uint8]:
    """Return the pose of each unit's standing figures, (units,)."""
    poses = np.full(len(state.units), STANDING, np.uint8)
    if TAKING_COVER in state.units:
        poses[state.units[TAKING_COVER] != 0] = KNEELING
    if POSTURE in state.units:
        (column,) = (column for column in state.units.columns if column.name == POSTURE)
        for value, word in enumerate(column.words):
            if word in POSTURES:
                poses[state.units[POSTURE] == value] = _POSES[POSTURES[word]]
    return poses


def _shades(state: State) -> NDArray[np.uint8]:
    """Return the shade of each unit from its losses and its morale, (units,)."""
    strength = np.maximum(state.units.ints("strength"), 1)
    lost = 1.0 - state.units.ints("members") / strength
    despair = np.array([despair_of(state, unit) for unit in range(len(state.units))])
    worn = np.maximum(SPENT_SHADE * lost, BROKEN_SHADE * despair)
    return np.asarray(np.round(worn), np.uint8)


def _on_walls(setup: Setup, state: State, shown: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return the height of walls and towers below each of these figures, metres."""
    spots = np.column_stack((state.figures.floats("x")[shown], state.figures.floats("y")[shown]))
    return masonry_m(setup, state, spots).astype(np.float32)


def _lifts(setup: Setup, state: State) -> NDArray[np.float32]:
    """Return the height of each unit above the ground, (units,), metres."""
    heights = state.units.floats("on_height")
    return np.asarray(setup.field.scale.metres_of_heights(heights), np.float32)
