"""Events of combat (`emlia.fire`, `emlia.volley`, `emlia.melee`, `emlia.disengage`)."""

from __future__ import annotations

from emlia3d.battle.events import Facts, FallOfShot, Point, Rolled
from emlia3d.battle.plain_values import Number, Whole


class AttackFromAfar(Rolled, frozen=True, kw_only=True):
    """Base of attacks from afar.

    weapon : name of the weapon
    distance : distance to the target, GSU
    band : range band, "short", "medium" or "long"
    base_damage : base damage of a hit
    feature : name of the terrain feature that is the target, if one is
    """

    weapon: str
    distance: Number
    band: str
    base_damage: Whole
    feature: str | None = None


class Fired(AttackFromAfar, frozen=True):
    """A unit fires at the target by Aimed Fire."""


class VolleyConcentrated(AttackFromAfar, frozen=True):
    """A unit shoots at the target by Concentrated Volley."""


class VolleyLoosed(AttackFromAfar, frozen=True, kw_only=True):
    """A unit shoots at a point by Area Volley.

    aimed_at : the point, GSU
    """

    aimed_at: Point


class VolleyFell(FallOfShot, frozen=True, kw_only=True):
    """An Area Volley lands.

    weapon : name of the weapon
    drift : distance from the aiming point, GSU
    bearing : direction from the aiming point, degrees from north
    struck : names of the units that it hits
    hits : number of hits on each of these units
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

    weapon : name of the weapon
    base_damage : base damage of a hit
    enemies : rows of the units that it attacks
    numbers : number of members that attack, and number of members that they attack
    """

    weapon: str
    base_damage: Whole
    enemies: tuple[Whole, ...]
    numbers: tuple[Whole, Whole]


class Struck(Blow, frozen=True):
    """A unit attacks the enemies in its engagement in close combat."""


class StruckFree(Blow, frozen=True):
    """A unit makes a free strike at a unit that moves within its reach."""


class FreeStrike(Facts, frozen=True):
    """The target moves within the reach of a unit, which can make a free strike."""


class Hewed(Rolled, frozen=True, kw_only=True):
    """A unit attacks a terrain feature in close combat.

    feature : name of the feature
    weapon : name of the weapon
    base_damage : base damage of a hit
    """

    feature: str
    weapon: str
    base_damage: Whole


class SceneryHarm(Facts, frozen=True, kw_only=True):
    """Base of damage to terrain features.

    feature : name of the feature
    points : damage from this attack
    damage : total damage so far
    """

    feature: str
    points: Whole
    damage: Whole


class SceneryDamaged(SceneryHarm, frozen=True):
    """A terrain feature takes damage."""


class SceneryDestroyed(SceneryHarm, frozen=True):
    """A terrain feature reaches its damage limit and is destroyed."""


class Withdrawal(Rolled, frozen=True, kw_only=True):
    """Base of attempts to break free.

    enemies : rows of the enemies in its engagement
    """

    enemies: tuple[Whole, ...]


class Disengaged(Withdrawal, frozen=True):
    """A unit breaks free from its enemies."""


class CouldNotDisengage(Withdrawal, frozen=True):
    """A unit fails to break free from its enemies."""


class KeptBusy(Facts, frozen=True, kw_only=True):
    """A unit prevents members of its enemies from making a free strike.

    enemies : names of the enemy units
    members : number of members of each
    """

    enemies: tuple[str, ...]
    members: tuple[Whole, ...]


class UsedAnAbility(Rolled, frozen=True, kw_only=True):
    """A unit uses an ability from its unit set.

    ability : name of the ability
    """

    ability: str


EVENTS: tuple[type[Facts], ...] = (
    Fired, VolleyConcentrated, VolleyLoosed, VolleyFell, Struck, StruckFree, FreeStrike, Hewed,
    SceneryDamaged, SceneryDestroyed, Disengaged, CouldNotDisengage, KeptBusy, UsedAnAbility,
)  # fmt: skip
"""The kinds of event of this module."""
