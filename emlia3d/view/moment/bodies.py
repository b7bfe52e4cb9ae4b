"""The facts about each body of a figure, except its mesh.

A new body is a name in `emlia3d.force.figure_models`, a row here, and a maker of its mesh in
`emlia3d.view.panda.models.model_list`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType

from emlia3d.force.figure_models import MODELS, Model


class Card(IntEnum):
    """The sprites of distant bodies, by their numbers in the shader."""

    ON_FOOT = 0
    MOUNTED = 1
    GUN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The physical facts of a body.

    height, width : natural size, metres
    card : its sprite in the distance
    rolls : whether it falls on its side
    gait : swing of its legs; 1 for a person
    fills : its width if it is scaled to its base, metres; None if it is drawn at natural size
    room : space for it in a picture, to each side and above its feet, metres
    loft : rise of its shots above a straight line, relative to their length; 0.25 is a throw at
        maximum range
    powder : whether its shots make smoke
    in_ranks : whether it is a person on foot, so that a camera can be among them
    """

    height: float
    width: float
    card: Card = Card.ON_FOOT
    rolls: bool = False
    gait: float = 1.0
    fills: float | None = None
    room: tuple[float, float] = (3.0, 3.0)
    loft: float = 0.0
    powder: bool = False
    in_ranks: bool = False


_BODIES: Mapping[Model, Body] = {
    "foot_musket": Body(height=1.95, width=0.60, powder=True, in_ranks=True),
    "foot_spear": Body(height=1.95, width=0.66, loft=0.06, in_ranks=True),
    "foot_bow": Body(height=1.90, width=0.60, loft=0.08, in_ranks=True),
    "skirmisher": Body(height=1.90, width=0.60, powder=True, in_ranks=True),
    "rider": Body(height=2.55, width=1.05, card=Card.MOUNTED, rolls=True, gait=0.6),
    "gun": Body(height=1.80, width=2.80, card=Card.GUN, rolls=True, gait=0.0, powder=True),
    "general": Body(height=2.60, width=1.10, card=Card.MOUNTED, rolls=True, gait=0.6),
    "warrior": Body(height=1.95, width=0.75, loft=0.06, in_ranks=True),
    "dragon": Body(
        height=4.20, width=6.50, card=Card.MOUNTED, rolls=True, gait=0.0, fills=9.2, room=(5.0, 4.6)
    ),
    "ogre": Body(height=3.15, width=1.80, gait=0.4, loft=0.12),
    "caveman": Body(height=1.85, width=0.75, loft=0.12, in_ranks=True),
    "giant": Body(height=6.0, width=3.4, gait=0.3, fills=3.4, loft=0.12),
    "cruiser": Body(
        height=4.90, width=5.00, card=Card.GUN, rolls=True, gait=0.0, fills=5.0, room=(5.5, 5.0)
    ),
    "ram": Body(height=2.90, width=3.00, card=Card.GUN, rolls=True, gait=0.0),
    "trebuchet": Body(
        height=6.60, width=3.00, card=Card.GUN, rolls=True, gait=0.0, room=(5.0, 7.0), loft=0.25
    ),
    "springald": Body(height=1.95, width=2.20, card=Card.GUN, rolls=True, gait=0.0, loft=0.03),
    "rifleman": Body(height=1.90, width=0.70, in_ranks=True),
    "jumper": Body(height=2.05, width=0.85, in_ranks=True),
    "walker": Body(height=3.60, width=2.30, gait=0.4, room=(3.5, 4.0)),
    "brute": Body(height=2.45, width=1.45, gait=0.6),
    "goblin": Body(height=1.35, width=0.60, loft=0.08, in_ranks=True),
    "dwarf": Body(height=1.40, width=0.80, in_ranks=True),
    "elf": Body(height=2.20, width=0.60, loft=0.08, in_ranks=True),
    "orc": Body(height=1.95, width=1.05, in_ranks=True),
    "wolf": Body(height=1.25, width=0.70, card=Card.MOUNTED, rolls=True, gait=0.5),
    "monster": Body(height=3.10, width=2.60, card=Card.MOUNTED, rolls=True, gait=0.3, fills=2.6),
    "heavy_weapon": Body(height=1.90, width=1.45),
    "scout_car": Body(height=2.20, width=2.30, card=Card.GUN, rolls=True, gait=0.0),
    "carrier": Body(height=2.50, width=3.00, card=Card.GUN, rolls=True, gait=0.0),
    "tank": Body(height=2.60, width=3.80, card=Card.GUN, rolls=True, gait=0.0, room=(4.5, 3.0)),
    "siege_gun": Body(
        height=4.00, width=3.10, card=Card.GUN, rolls=True, gait=0.0, room=(4.0, 4.5), loft=0.25
    ),
    "titan": Body(height=12.0, width=8.80, gait=0.15, room=(6.0, 13.0)),
    "crawler": Body(height=8.00, width=7.00, card=Card.GUN, rolls=True, gait=0.0, room=(7.0, 9.5)),
}

BODIES: Mapping[str, Body] = MappingProxyType({name: _BODIES[name] for name in MODELS})
"""The facts about each body, in the order of `MODELS`."""
