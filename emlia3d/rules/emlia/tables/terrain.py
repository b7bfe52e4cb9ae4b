"""Emlia, chapter 18.1: the effects of terrain on movement and sight.

Holds `emlia.terrain.rough`, `emlia.terrain.very-rough`, `emlia.terrain.impassable`,
`emlia.terrain.impassable-by-height`, `emlia.terrain.slow-size-limit`,
`emlia.terrain.entities` and `emlia.terrain.visibility-limiting`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import overload

import numpy as np
from numpy.typing import NDArray

from emlia3d.field.terrain import KINDS, Feature
from emlia3d.rules.emlia.tables.modes import medium_of
from emlia3d.rules.rulebook import rule, rule_rows


class MovementClass(Enum):
    """The class of an area for a mode of movement."""

    OPEN = "open"
    ROUGH = "rough"
    VERY_ROUGH = "very rough"
    IMPASSABLE = "impassable"


COSTS: Mapping[MovementClass, float | None] = MappingProxyType(
    {
        MovementClass.OPEN: 1.0,
        MovementClass.ROUGH: 2.0,
        MovementClass.VERY_ROUGH: 4.0,
        MovementClass.IMPASSABLE: None,
    }
)
"""Movement cost of each GSU; None: no entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The effect of a kind of terrain on movement and sight.

    ground : for movement by ground
    water : for swimming and boats
    barrier : it bars movement by its height (`emlia.terrain.impassable-by-height`)
    climbed : a unit as tall as it, or taller, crosses it as rough ground
    scaled : members up to size 1 climb it by stairs and ladders
    vegetation : it slows sizes up to four times its own and no larger ones
    limits_sight : GSU of thickness above which it is solid for concealment; None: as its body is
    overhead : units within it are under a roof or a canopy of leaves
    """

    ground: MovementClass = MovementClass.OPEN
    water: MovementClass = MovementClass.IMPASSABLE
    barrier: bool = False
    climbed: bool = False
    scaled: bool = False
    vegetation: bool = False
    limits_sight: float | None = None
    overhead: bool = False


_ROUGH_WATER = Effect(ground=MovementClass.ROUGH, water=MovementClass.VERY_ROUGH)
_LOW = Effect(ground=MovementClass.ROUGH, barrier=True, climbed=True)
_RAMPART = Effect(ground=MovementClass.VERY_ROUGH, scaled=True)
_DEEP_WATER = Effect(ground=MovementClass.IMPASSABLE, water=MovementClass.VERY_ROUGH)

PRINTED = (
    "shrub", "tree", "large-tree", "scrub", "forest", "hill", "river", "building",
)  # fmt: skip

# The first eight are printed. The others are content data in the book's terms: fields, roads and
# other flat ground change nothing, what one wades through is rough, what stands upright is passed
# or not by its height. Walls, hedges and fences have the ability that the barrier rule leaves room
# for: they are rough to units as tall as they are. A village has more open sky than roofs.
# fmt: off
EFFECTS: Mapping[str, Effect] = MappingProxyType({
    "shrub":      Effect(barrier=True),
    "tree":       Effect(barrier=True, overhead=True),
    "large-tree": Effect(barrier=True, overhead=True),
    "scrub":      Effect(ground=MovementClass.ROUGH, vegetation=True),
    "forest":     Effect(ground=MovementClass.VERY_ROUGH, vegetation=True, limits_sight=10.0,
                         overhead=True),
    "hill":       Effect(),
    "river":      _DEEP_WATER,
    "building":   Effect(ground=MovementClass.IMPASSABLE, overhead=True),
    "village":    Effect(ground=MovementClass.ROUGH),
    "camp":       Effect(ground=MovementClass.ROUGH),
    "orchard":    Effect(
        ground=MovementClass.ROUGH, vegetation=True, limits_sight=10.0, overhead=True
    ),
    "field":      Effect(),
    "plough":     Effect(),
    "hedge":      _LOW,
    "fence":      _LOW,
    "wall":       _LOW,
    "earthwork":  _LOW,
    "rampart":    _RAMPART,
    "tower":      _RAMPART,
    "gate":       Effect(ground=MovementClass.IMPASSABLE),
    "keep":       Effect(ground=MovementClass.IMPASSABLE, overhead=True),
    "rock":       Effect(barrier=True),
    "road":       Effect(),
    "track":      Effect(),
    "bridge":     Effect(),
    "stream":     _ROUGH_WATER,
    "ford":       _ROUGH_WATER,
    "lake":       _DEEP_WATER,
    "marsh":      Effect(ground=MovementClass.ROUGH),
})
# fmt: on


def kind_of(feature: Feature) -> str:
    """Return the kind of terrain that a feature is under these rules, a key of `EFFECTS`.

    Its outline, height, body and size remain the feature's own.
    """
    return feature.kind_for("emlia")


def effect_of(feature: Feature) -> Effect:
    """Return the effect of a feature on movement and sight."""
    return EFFECTS[kind_of(feature)]


VEGETATION_SLOWS = 4.0
LARGEST_ON_LADDERS = 1.0


@rule("emlia.terrain.rough", "emlia.terrain.very-rough", "emlia.terrain.impassable")
def ground_cost(ground: MovementClass) -> float | None:
    """Return the movement cost of each GSU: 2 in rough terrain, 4 in very rough; None: no entry."""
    return COSTS[ground]


@overload
def blocks(obstacle_height: float, mover_height: float) -> bool: ...
@overload
def blocks(obstacle_height: NDArray[np.float64], mover_height: float) -> NDArray[np.bool_]: ...
@rule("emlia.terrain.impassable-by-height")
def blocks(
    obstacle_height: float | NDArray[np.float64], mover_height: float
) -> bool | NDArray[np.bool_]:
    """Return whether an obstacle blocks a mover: it is higher than a quarter of the mover.

    A mover steps over an obstacle of exactly a quarter. A prone unit counts with its halved
    height, as an obstacle and as a mover. An array of obstacle heights gives an array of answers.
    """
    return obstacle_height > mover_height / 4


@rule("emlia.terrain.slow-size-limit")
def is_slowed(size: float, terrain_size: float, effect: Effect) -> bool:
    """Return whether terrain slows a mover of this size: vegetation only up to 4 times its own."""
    return not effect.vegetation or size <= VEGETATION_SLOWS * terrain_size


def own_size(feature: Feature) -> float:
    """Return the size of a feature; without one of its own, its height and at least 1."""
    return max(1.0, feature.height) if feature.size is None else feature.size


@rule("emlia.terrain.entities")
@rule("emlia.terrain.examples")
@rule_rows(
    "emlia.terrain.examples.building",
    "emlia.terrain.examples.forest",
    "emlia.terrain.examples.hill",
    "emlia.terrain.examples.large-tree",
    "emlia.terrain.examples.river",
    "emlia.terrain.examples.scrub",
    "emlia.terrain.examples.shrub",
    "emlia.terrain.examples.tree",
)
def movement_cost(feature: Feature, *, mode: str, size: float, height: float) -> float | None:
    """Return the movement for each GSU within a feature; None if the mover may not enter it.

    mode : letter of the movement code; flight passes over everything here
    size, height : of the mover now
    """
    effect, medium = effect_of(feature), medium_of(mode)
    if not medium.heeds_ground:
        return 1.0
    if effect.barrier and blocks(feature.height, height):
        return ground_cost(effect.ground) if effect.climbed and height >= feature.height else None
    if effect.barrier:
        return 1.0
    amphibious = KINDS[kind_of(feature)].water and medium.land and medium.water
    if amphibious or not is_slowed(size, own_size(feature), effect):
        return 1.0
    if effect.scaled and size > LARGEST_ON_LADDERS:
        return None
    return ground_cost(effect.ground if medium.land else effect.water)


@rule("emlia.terrain.visibility-limiting")
def is_solid_through(thickness: float, limit: float) -> bool:
    """Return whether sight-limiting terrain is solid for a corridor; the exact limit is sparse.

    thickness : GSU of the piece along the corridor's axis; from a unit inside, only the part
        between it and the other
    """
    return thickness > limit
