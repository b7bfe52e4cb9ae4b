"""The front of a brigade: the units in its lines, its width and its advance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from emlia3d.rulekit.commander.outlook import Objective, Outlook
from emlia3d.rulekit.commander.plan import MissionKind, Spot
from emlia3d.rulekit.commander.unit_profile import UnitProfile

INTERVAL = 8.0
"""Distance between neighbours in a line, GSU."""

BEHIND = 50.0
"""Distance from the first line to the second, GSU."""

_SHIFT = 10.0
"""Maximum shift of a line to a side in a turn, GSU."""

_IN_LINE = 15.0
"""Distance behind another unit at which a unit is still in line with it, GSU."""

_MET = 80.0
"""Distance between centres at which the lines have met, GSU."""

_NEAR = 120.0
"""Distance between centres at which a line no longer shifts, GSU."""

_OF, _OF_MET = 4, 6
"""One unit in this number stays behind the line, before and after the lines meet."""

_STAND = 0.3
"""Distance at which a line halts before the enemy's line, relative to its fighting range."""

_CLOSE = 6.0
"""Distance at which an assaulting line halts before the enemy's line, GSU."""

_LAGS = 40.0
"""Distance behind the others at which the line no longer waits for a unit, GSU."""


@dataclass(frozen=True, slots=True)
class Front:
    """The front of a brigade in its side's frame.

    left, right : ends across, GSU
    first : the units of the first line from left to right
    second : those behind it, likewise
    """

    left: float
    right: float
    first: tuple[UnitProfile, ...]
    second: tuple[UnitProfile, ...]

    @property
    def middle(self) -> float:
        """The centre between its ends."""
        return (self.left + self.right) / 2

    def shifted(self, by: float) -> Front:
        """Return the front, moved to the right by a distance."""
        return replace(self, left=self.left + by, right=self.right + by)


def width_of(bodies: Sequence[UnitProfile]) -> float:
    """Return the width of units side by side, GSU."""
    return sum(body.width for body in bodies) + INTERVAL * max(len(bodies) - 1, 0)


def front_of(
    outlook: Outlook,
    bodies: Sequence[UnitProfile],
    objective: Objective | None,
    ahead: Sequence[UnitProfile] = (),
) -> Front:
    """Return the front that a brigade forms.

    ahead : units with missions of their own, whose positions in the line stay free

    On the march, the line closes its gaps and shifts towards its objective. A brigade that holds
    its objective forms around it. Near the enemy, each unit keeps its position, and units of the
    second line fill gaps. One unit in four stays behind the line, and one in six when the lines
    have met. A cautious side keeps more units behind, and takes them from its line; a bold side
    keeps fewer.
    """
    frame = outlook.frame
    where = {body.unit: frame.of(body.x, body.y) for body in (*bodies, *ahead)}

    def from_the_left(some: Iterable[UnitProfile]) -> list[UnitProfile]:
        return sorted(some, key=lambda body: (where[body.unit][0], body.unit))

    fit = [body for body in bodies if body.is_fit or body.is_engaged] or list(bodies)
    by_across = from_the_left(fit)
    first = [body for body in by_across if not _is_behind(body, (*fit, *ahead), where)] or fit
    spare = [body for body in by_across if body not in first]
    near = outlook.have_met(first, _NEAR)
    if near:
        spare = _step_into_gaps(first, spare, ahead, where)
    # Units without room in the second line join the first where they stand.
    of = outlook.personality.one_in(_OF_MET if outlook.have_met(first, _MET) else _OF)
    kept = len(fit) // of
    if of < _OF and not near:
        first, spare = _held_back(first, spare, kept, where)
    while len(spare) > kept:
        left, right = where[first[0].unit][0], where[first[-1].unit][0]
        body = min(
            spare,
            key=lambda one: (min(where[one.unit][0] - left, right - where[one.unit][0]), one.unit),
        )
        spare.remove(body)
        first = from_the_left([*first, body])
    chosen = {body.unit for body in first}
    second = from_the_left(body for body in bodies if body.unit not in chosen)
    left = min(where[body.unit][0] - body.width / 2 for body in first)
    right = max(where[body.unit][0] + body.width / 2 for body in first)
    middle, width = (left + right) / 2, width_of(first)
    if near:
        width = max(width, right - left)
    elif objective is not None:
        centre = objective.outline.centroid
        aside = frame.of(centre.x, centre.y)[0] - middle
        keeps = outlook.is_kept(objective) and any(map(objective.has, bodies))
        middle += aside if keeps else max(-_SHIFT, min(_SHIFT, aside))
    return Front(middle - width / 2, middle + width / 2, tuple(first), tuple(second))


def _held_back(
    first: Sequence[UnitProfile], spare: Sequence[UnitProfile], kept: int, where: Mapping[int, Spot]
) -> tuple[list[UnitProfile], list[UnitProfile]]:
    """Return the two lines of a side that keeps some units behind its first line.

    The least valuable units leave the first line; if values are equal, those nearest to its centre.
    """
    middle = sum(where[body.unit][0] for body in first) / len(first)
    by_worth = sorted(
        first, key=lambda one: (one.worth, abs(where[one.unit][0] - middle), one.unit)
    )
    back = by_worth[: max(kept - len(spare), 0)]
    return [body for body in first if body not in back], [*spare, *back]


def _step_into_gaps(
    first: list[UnitProfile],
    spare: Sequence[UnitProfile],
    ahead: Sequence[UnitProfile],
    where: Mapping[int, Spot],
) -> list[UnitProfile]:
    """Move units of the second line into gaps in front of them; return the others.

    ahead : units whose gaps stay open
    """
    left = list[UnitProfile]()
    for body in spare:
        across = where[body.unit][0]
        if any(abs(across - where[a.unit][0]) < (body.width + a.width) / 2 for a in ahead):
            left.append(body)
            continue
        for place, (one, other) in enumerate(pairwise(first), start=1):
            start = where[one.unit][0] + one.width / 2
            end = where[other.unit][0] - other.width / 2
            if end - start >= body.width and start - body.width < across < end + body.width:
                first.insert(place, body)
                break
        else:
            left.append(body)
    return left


def _is_behind(body: UnitProfile, others: Sequence[UnitProfile], where: Mapping[int, Spot]) -> bool:
    """Return whether a unit stands behind another, in the same lane."""
    across, along = where[body.unit]
    return any(
        where[other.unit][1] > along + _IN_LINE
        and abs(where[other.unit][0] - across) < (body.width + other.width) / 2 - 4
        for other in others
    )


def fronts_apart(fronts: Sequence[Front]) -> list[Front]:
    """Return the fronts, moved aside until none overlap; the middle one moves least."""
    order = sorted(range(len(fronts)), key=lambda row: (fronts[row].middle, row))
    out = list(fronts)
    if not order:
        return out
    centre = len(order) // 2
    for rows, step in ((order[centre:], 1.0), (order[: centre + 1][::-1], -1.0)):
        for inner, outer in pairwise(rows):
            gap = (
                out[outer].left - out[inner].right
                if step > 0
                else out[inner].left - out[outer].right
            )
            if gap < INTERVAL:
                out[outer] = out[outer].shifted(step * (INTERVAL - gap))
    return out


def on_field(outlook: Outlook, front: Front) -> Front:
    """Return a front of which at most half is beyond the field.

    Units without room in it stand behind it.
    """
    low, _, high, _ = outlook.bounds
    spare = (high - low) / 2
    left = min(max(front.left, low - spare), high)
    right = max(min(front.right, high + spare), left + front.first[0].width)
    return replace(front, left=left, right=right)


def advance(
    outlook: Outlook, front: Front, objective: Objective | None, kind: MissionKind
) -> tuple[float, float]:
    """Return how far the brigade's line advances this turn, and its limit of advance.

    The line advances as far as its slowest unit can move, and no nearer to the enemy's line than
    its fighting range. Guns and light troops in front of that line do not stop it.
    """
    frame = outlook.frame
    along = _fronts_along(outlook, front)
    level = level_of(outlook, front)
    slow = min(
        here + body.speed
        for here, body in zip(along, front.first, strict=True)
        if here >= level - _LAGS
    )
    ahead = [
        frame.of(foe.x, foe.y)[1] - foe.depth / 2
        for foe in outlook.standing
        if foe.role == "line"
        and front.left - foe.width / 2 < frame.of(foe.x, foe.y)[0] < front.right + foe.width / 2
        and frame.of(foe.x, foe.y)[1] > level - 20
    ]
    nearest = min(ahead, default=inf)
    leads = outlook.personality
    fights_at = max(_fights_at(body) for body in front.first)
    stands_off = _STAND * leads.distance**2 * fights_at
    if kind == "assault":
        stands_off = min(stands_off, _CLOSE)
    if nearest - level > 3 * max(body.speed for body in front.first) + fights_at:
        slow += min(body.speed for body in front.first)
    goal = nearest - stands_off
    if objective is not None:
        *_, far = outlook.frame.bounds(*objective.outline.bounds)
        if kind == "hold":
            goal = min(goal, far - 4) if far - 4 > level - 30 else level
        elif nearest == inf or kind == "assault":
            goal = min(goal, far - 4)
    elif nearest == inf:
        goal = level
    line = min(slow, max(goal, level))
    return line, 2 * max(body.speed for body in front.first)


def level_of(outlook: Outlook, front: Front) -> float:
    """Return the current position of a front along its way: that of its middle unit."""
    along = _fronts_along(outlook, front)
    return sorted(along)[len(along) // 2]


def _fronts_along(outlook: Outlook, front: Front) -> list[float]:
    """Return the position along of the front of each unit in the first line."""
    return [outlook.frame.of(body.x, body.y)[1] + body.depth / 2 for body in front.first]


def _fights_at(body: UnitProfile) -> float:
    """Return the range at which a unit fights, GSU: between its short and medium ranges."""
    if not body.bands:
        return 0.0
    return (body.bands[0] + body.bands[min(1, len(body.bands) - 1)]) / 2
