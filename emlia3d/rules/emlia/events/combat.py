"""Events of combat (`emlia.fire`, `emlia.volley`, `emlia.melee`, `emlia.disengage`)."""

from __future__ import annotations

from emlia3d.battle.events import Facts, FallOfShot, Point, Rolled
from emlia3d.battle.plain_values import Number, Whole


class AttackFromAfar(Rolled, frozen=True, kw_only=True):
    """Base of attacks from afar.

    weapon : by name
    distance : to the target, GSU
    band : "short", "medium" or "long" range
    base_damage : of one hit
    feature : name of the terrain feature that is the target, if one is
    """

    weapon: str
    distance: Number
    band: str
    base_damage: Whole
    feature: str | None = None


class Fired(AttackFromAfar, frozen=True):
    """A unit has fired at its target by Aimed Fire."""


class VolleyConcentrated(AttackFromAfar, frozen=True):
    """A unit has shot at its target by Concentrated Volley."""


class VolleyLoosed(AttackFromAfar, frozen=True, kw_only=True):
    """A unit has shot at a place by Area Volley.

    aimed_at : the place, GSU
    """

    aimed_at: Point


class VolleyFell(FallOfShot, frozen=True, kw_only=True):
    """An Area Volley has come down.

    weapon : by name
    drift : how far from the mark it fell, GSU
    bearing : in which direction from the mark, degrees from north
    struck : names of the units that it hits
    hits : how many hits each of them takes
    scenery : names of the terrain features that it hits
    """

    weapon: str
    drift: Number
    struck: tuple[str, ...]
    hits: tuple[Whole, ...]
    scenery: tuple[str, ...]
    bearing: Number | None = None


class Blow(Rolled, frozen=True, kw_only=True):
    """Base of attacks in close combat.

    weapon : by name
    base_damage : of one hit
    enemies : rows of the units that are struck
    numbers : how many strike, and how many they strike at
    """

    weapon: str
    base_damage: Whole
    enemies: tuple[Whole, ...]
    numbers: tuple[Whole, Whole]


class Struck(Blow, frozen=True):
    """A unit has struck the enemies in its engagement."""


class StruckFree(Blow, frozen=True):
    """A unit has struck at one that moves in its reach."""


class FreeStrike(Facts, frozen=True):
    """The target moves in the reach of a unit, which may strike at it."""


class Hewed(Rolled, frozen=True, kw_only=True):
    """A unit has struck at a terrain feature.

    feature : its name
    weapon : by name
    base_damage : of one hit
    """

    feature: str
    weapon: str
    base_damage: Whole


class SceneryHarm(Facts, frozen=True, kw_only=True):
    """Base of damage to terrain features.

    feature : its name
    points : damage that it has taken now
    damage : all that it has taken
    """

    feature: str
    points: Whole
    damage: Whole


class SceneryDamaged(SceneryHarm, frozen=True):
    """A terrain feature has taken damage."""


class SceneryDestroyed(SceneryHarm, frozen=True):
    """A terrain feature has reached its damage limit and is gone."""


class Withdrawal(Rolled, frozen=True, kw_only=True):
    """Base of attempts to break free.

    enemies : rows of the enemies in its engagement
    """

    enemies: tuple[Whole, ...]


class Disengaged(Withdrawal, frozen=True):
    """A unit has broken free of its enemies."""


class CouldNotDisengage(Withdrawal, frozen=True):
    """A unit has failed to break free of its enemies."""


class KeptBusy(Facts, frozen=True, kw_only=True):
    """A unit keeps members of its enemies from a free strike.

    enemies : names of their units
    members : how many of each
    """

    enemies: tuple[str, ...]
    members: tuple[Whole, ...]


class UsedAnAbility(Rolled, frozen=True, kw_only=True):
    """A unit has used an ability that its unit set gives it.

    ability : by name
    """

    ability: str


EVENTS: tuple[type[Facts], ...] = (
    Fired, VolleyConcentrated, VolleyLoosed, VolleyFell, Struck, StruckFree, FreeStrike, Hewed,
    SceneryDamaged, SceneryDestroyed, Disengaged, CouldNotDisengage, KeptBusy, UsedAnAbility,
)  # fmt: skip
"""The kinds of event of this module."""
