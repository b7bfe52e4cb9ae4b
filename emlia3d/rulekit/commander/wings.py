"""Missions for the wings of an army: cavalry beside the line, light troops outside it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from shapely import LineString

from emlia3d.rulekit.commander.front import INTERVAL
from emlia3d.rulekit.commander.outlook import Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind
from emlia3d.rulekit.commander.unit_profile import UnitProfile

_BACK = {"skirmish": 0.0, "cavalry": 50.0}
"""Distance of units behind the line's front, by role, GSU."""

_NO_ROOM = 60.0
"""Extra distance of a unit without room beside the line, GSU."""

_MET = 120.0
"""Distance between the lines at which cavalry leaves its reserve, GSU."""

_CHARGE = {"line": 0.55, "other": 0.3}
"""Distance from which cavalry charges, relative to its reach; beyond the fire of infantry."""

_WAITS = 1 / 2
"""The proportion of the battle after which it no longer waits for a better opportunity."""

_STEP, _TRIES = 20.0, 6
"""Distance between the points on open ground that are tried, GSU, and their number each way."""

_TURNS = 1.5
"""Maximum distance to an enemy that is worth the ride, in charges."""


def on_the_wings(outlook: Outlook, line: Sequence[Mission], sent: Collection[int]) -> list[Mission]:
    """Return a mission for each light or mounted unit, on its current side of the line.

    Once the lines have met, cavalry attacks enemies that are worth a charge. If there are none,
    mounted units that shoot screen the line like light troops, and the others wait.

    sent : units that have other missions
    """
    frame = outlook.frame
    ends = [frame.of(*end) for mission in line for end in mission.line]
    wings = {
        True: _Wing(-1.0, *min(ends)),
        False: _Wing(1.0, *max(ends)),
    }
    middle = (wings[True].edge + wings[False].edge) / 2
    out, taken, met = list[Mission](), set[int](), _have_met(outlook)
    for role in ("cavalry", "skirmish"):
        units = [
            b for b in outlook.own if b.role == role and not b.is_broken and b.unit not in sent
        ]
        across = {b.unit: frame.of(b.x, b.y)[0] for b in units}
        for body in sorted(units, key=lambda b: (abs(across[b.unit] - middle), b.unit)):
            wing = wings[across[body.unit] < middle]
            prey = _prey(outlook, body, taken) if met and role == "cavalry" else None
            if prey is not None:
                taken.add(prey.unit)
                out.append(_before(outlook, body, prey))
                continue
            near = wing.edge + wing.step * INTERVAL
            wing.edge = near + wing.step * body.width
            screens = role == "skirmish" or (met and body.bands)
            kind: MissionKind = "screen" if screens else "reserve"
            out.append(_beside(outlook, body, kind, (near, wing.edge), wing.along))
    return out


def _have_met(outlook: Outlook) -> bool:
    """Return whether the lines are near enough for cavalry to leave its reserve."""
    line = [own for own in outlook.own if own.role == "line" and not own.is_broken]
    return outlook.have_met(line, _MET * outlook.personality.boldness)


@dataclass(slots=True)
class _Wing:
    """One wing of the army, in coordinates of its front.

    step : -1 on the left, 1 on the right
    edge : position across of its outer end
    along : position along of the end of its line
    """

    step: float
    edge: float
    along: float


def _prey(outlook: Outlook, body: UnitProfile, taken: Collection[int]) -> UnitProfile | None:
    """Return the enemy that cavalry should attack; None if there is none.

    Targets are guns, light troops, cavalry, and infantry that is disordered or engaged; without
    such targets, broken units. The way to the target must be open. In the second half of the
    battle, cavalry attacks any enemy nearby.

    taken : enemies that are targets of other cavalry
    """
    if not body.is_fit:
        return None
    near = [
        foe
        for foe in outlook.foes
        if foe.role != "leader" and body.apart(foe) < _TURNS * body.reach
    ]
    prey = [
        foe
        for foe in near
        if (foe.role != "line" or not foe.is_fit or foe.is_engaged or foe.is_broken)
        and outlook.is_open(body, foe.x, foe.y)
    ]
    if not prey and outlook.turn > _WAITS * outlook.turns:
        prey = near

    def rank(foe: UnitProfile) -> tuple[bool, bool, float, int]:
        return foe.is_broken, foe.unit in taken, body.apart(foe), foe.unit

    return min(prey, key=rank, default=None)


def _before(outlook: Outlook, body: UnitProfile, foe: UnitProfile) -> Mission:
    """Return the mission to approach within charge distance of an enemy, facing it."""
    away = max(body.apart(foe), 1.0)
    stand = min(away, _CHARGE["line" if foe.role == "line" else "other"] * body.reach)
    east, north = (foe.x - body.x) / away, (foe.y - body.y) / away
    x, y, half = foe.x - stand * east, foe.y - stand * north, body.width / 2
    return Mission(
        brigade=outlook.brigade_of[body.unit],
        units=(body.unit,),
        kind="pursue" if foe.is_broken else "flank",
        line=((x - half * north, y + half * east), (x + half * north, y - half * east)),
        limit=body.reach,
        target=foe.unit,
    )


def _over_the_edge(outlook: Outlook, left: float, right: float) -> float:
    """Return how far a line extends beyond the right edge, GSU; negative for the left edge."""
    low, _, high, _ = outlook.bounds
    return max(right - high, 0.0) + min(left - low, 0.0)


def _beside(
    outlook: Outlook, body: UnitProfile, kind: MissionKind, ends: tuple[float, float], along: float
) -> Mission:
    """Return the mission of a unit beside the line, or behind it where the ground is rough."""
    left, right = min(ends), max(ends)
    along -= _BACK[body.role]
    over = _over_the_edge(outlook, left, right)
    if over:
        left, right, along = left - over, right - over, along - _NO_ROOM
    if body.role == "cavalry":
        left, right, along = _on_open_ground(outlook, left, right, along)
    return Mission(
        brigade=outlook.brigade_of[body.unit],
        units=(body.unit,),
        kind=kind,
        line=outlook.frame.line(left, right, along),
        limit=body.reach,
    )


def _on_open_ground(
    outlook: Outlook, left: float, right: float, along: float
) -> tuple[float, float, float]:
    """Return a front, moved back and towards the centre of the field to open ground."""
    middle = outlook.frame.of(outlook.size[0] / 2, outlook.size[1] / 2)[0]
    inward = 1.0 if (left + right) / 2 < middle else -1.0
    for back in range(_TRIES):
        for aside in range(_TRIES):
            by, to = inward * aside * _STEP, along - back * _STEP
            line = LineString(outlook.frame.line(left + by, right + by, to))
            if not line.intersects(outlook.rough):
                return left + by, right + by, to
    return left, right, along
