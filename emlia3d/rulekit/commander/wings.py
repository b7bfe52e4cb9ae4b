"""The wings of an army: light troops beside its line, cavalry outside them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from emlia3d.rulekit.commander.bodies import Body
from emlia3d.rulekit.commander.front import INTERVAL
from emlia3d.rulekit.commander.outlook import Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind

_BACK = {"skirmish": 0.0, "cavalry": 40.0}
"""GSU behind the line's front at which a unit of each role stands."""

_KINDS: dict[str, MissionKind] = {"skirmish": "screen", "cavalry": "reserve"}

_MET = 90.0
"""GSU between the lines at which cavalry leaves its reserve to ride round a flank."""

_CLEAR = 50.0
"""GSU beside an enemy's flank from which cavalry charges it."""


def on_the_wings(outlook: Outlook, line: Sequence[Mission], sent: Collection[int]) -> list[Mission]:
    """Return a mission for each light or mounted unit, on the side of the line that it is on.

    sent : units that have other missions
    """
    frame = outlook.frame
    ends = [frame.of(*end) for mission in line for end in mission.line]
    wings = {
        True: _Wing(-1.0, *min(ends)),
        False: _Wing(1.0, *max(ends)),
    }
    middle = (wings[True].edge + wings[False].edge) / 2
    brigade_of = {unit: each.name for each in outlook.brigades for unit in each.units}
    out = list[Mission]()
    for role in ("skirmish", "cavalry"):
        units = [
            b for b in outlook.own if b.role == role and not b.is_broken and b.unit not in sent
        ]
        across = {b.unit: frame.of(b.x, b.y)[0] for b in units}
        for body in sorted(units, key=lambda b: (abs(across[b.unit] - middle), b.unit)):
            wing = wings[across[body.unit] < middle]
            name = brigade_of.get(body.unit, "")
            flank = _flanked(outlook, wing) if role == "cavalry" else None
            if flank is not None:
                out.append(_round(outlook, body, name, wing, flank))
                wing.edge += wing.step * _CLEAR
                continue
            near = wing.edge + wing.step * INTERVAL
            wing.edge = near + wing.step * body.width
            along = wing.along - _BACK[role]
            out.append(_beside(outlook, body, name, (near, wing.edge), along))
    return out


@dataclass(slots=True)
class _Wing:
    """One wing of the army, seen along its front.

    step : -1 on the left, 1 on the right
    edge : where its outermost unit ends, across
    along : how far along the end of its line is
    """

    step: float
    edge: float
    along: float


def _flanked(outlook: Outlook, wing: _Wing) -> Body | None:
    """Return the outermost enemy on a wing whose flank the cavalry rides round.

    None as long as the lines have not met, or where that enemy reaches beyond the wing.
    """
    frame = outlook.frame
    foes = [foe for foe in outlook.standing if foe.role in {"line", "guns"} and not foe.is_broken]
    places = {foe.unit: frame.of(foe.x, foe.y) for foe in foes}
    near = [foe for foe in foes if places[foe.unit][1] - wing.along < _MET]
    if not near:
        return None
    return max(near, key=lambda foe: (wing.step * places[foe.unit][0], -foe.unit))


def _round(outlook: Outlook, body: Body, brigade: str, wing: _Wing, foe: Body) -> Mission:
    """Return the mission to ride round an enemy's flank, facing inwards beside it."""
    frame = outlook.frame
    across, along = frame.of(foe.x, foe.y)
    outside = across + wing.step * (foe.width / 2 + _CLEAR)
    outside = max(outside, wing.edge) if wing.step > 0 else min(outside, wing.edge)
    half = body.width / 2
    # On the right it looks to the left, so that its own left is to the rear of the army.
    ends = [(outside, along - wing.step * half), (outside, along + wing.step * half)]
    return Mission(
        brigade=brigade,
        units=(body.unit,),
        kind="flank",
        line=(frame.on_field(*ends[0]), frame.on_field(*ends[1])),
        limit=body.reach,
        target=foe.unit,
    )


def _beside(
    outlook: Outlook, body: Body, brigade: str, ends: tuple[float, float], along: float
) -> Mission:
    """Return the mission of a unit beside the line."""
    frame = outlook.frame
    left, right = min(ends), max(ends)
    return Mission(
        brigade=brigade,
        units=(body.unit,),
        kind=_KINDS[body.role],
        line=(frame.on_field(left, along), frame.on_field(right, along)),
        limit=body.reach,
    )
