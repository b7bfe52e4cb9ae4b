"""Emlia, chapter 10.5 as play: the ways in which a unit of like members is split in two.

Its controller names a line between two ranks or two files, or how many members part from the
others and on which side of the formation they stand: front, rear, left or right. At a line between
ranks or files no member leaves its place, except that the members of an incomplete last rank close
up to its middle. Any other number cuts a rank or file in two. Then the members about the leader
close up where they stand, and the others stand one rank or file away from them. Ruling: a division
is illegal when the parts have no room to stand so.

The members about the leader stay the unit that they were; the others fill a row that is kept for
them (`emlia3d.battle.spare_rows`). Figures lost and wounds carried before remain with the members
about the leader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.changes import Change, Divide, Set
from emlia3d.battle.decisions import Order, Refusal
from emlia3d.battle.spare_rows import empty_row_for
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import GRID, Formation, snapped
from emlia3d.rules.emlia.columns import OWN
from emlia3d.rules.emlia.play.morale.leading import leader_among
from emlia3d.rules.emlia.play.situation.allowance import no_room
from emlia3d.rules.emlia.play.situation.footing import bodies_of, meet
from emlia3d.rules.emlia.play.situation.going import modes_of
from emlia3d.rules.emlia.play.situation.merging import still_shared
from emlia3d.rules.emlia.play.situation.parts import is_mixed
from emlia3d.rules.emlia.play.situation.pose import Pose, keeps_places, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.manoeuvres import formation_of
from emlia3d.rules.emlia.tables.modes import FLYING
from emlia3d.rules.emlia.tables.morale import percent_base

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

DIVIDE = "divide"
"""The verb of the order that says how."""

_SLUG = "emlia.lead.split"

_AS_ROUNDED = 4 / GRID
"""GSU of tolerance within which a unit that stays may be placed beside another."""


Kind = Literal["rank", "file"]

SIDES: dict[str, Kind] = {"front": "rank", "rear": "rank", "left": "file", "right": "file"}
"""The sides on which members part from the others, and whether they part by ranks or by files."""

_FIRST = ("front", "left")
"""The sides on which the first rank and the first file stand."""

_SHARES = (2, 3)
"""A half and a third of the members are offered to people, at the rear and on the right."""


@dataclass(frozen=True, slots=True, eq=False)
class DividingLine:
    """A line between the members at the front, or on the left, of a unit and the others.

    kind : "rank" if it separates ranks, "file" if it separates files
    after : number of ranks or files that the members before it stand in, a cut one included
    of : number of ranks or files of the unit
    whole : whether it cuts no rank and no file in two
    beyond : (members,), by slot: whether each is behind it, or to its right
    """

    kind: Kind
    after: int
    of: int
    whole: bool
    beyond: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """One way to split a unit.

    order : the order that asks for it
    stays, leaves : poses of the members about the leader, and of the others
    leaving : slots of the latter
    """

    order: Order
    line: DividingLine
    stays: Pose
    leaves: Pose
    leaving: NDArray[np.intp]


class DivideValidator:
    """Every division of a unit of like members that it has room for."""

    def __init__(self, moment: Moment, unit: int) -> None:
        self._moment = moment
        self._unit = unit

    def for_moment(self, moment: Moment) -> DivideValidator:
        """Return the same reach in the battle as the unit's side knows it."""
        return DivideValidator(moment, self._unit)

    def refusal(self, order: Order) -> Refusal | None:
        """Return why the unit cannot be divided so, or None if it can.

        order : `number` counts the members that part on the side that `words` names. Without
            `words` it is one of the lines between ranks and files (`whole_lines`).
        """
        battle, unit = self._moment, self._unit
        if order != _order(unit, order.number, order.words):
            return Refusal(_SLUG, "this unit cannot be divided like that")
        if not order.words:
            count = sum(1 for _ in _between_lines(battle, unit))
            if order.number is None or not 0 <= order.number < count:
                return Refusal(_SLUG, f"name a number of members and a side: {', '.join(SIDES)}")
        else:
            if order.words not in SIDES:
                return Refusal(_SLUG, f"members leave it at the {', '.join(SIDES)}")
            count = battle.state.units.integer("members", unit)
            if order.number is None or not 0 < order.number < count:
                return Refusal(_SLUG, f"of {count} members, 1 to {count - 1} can leave")
        if division(battle, unit, order) is None:
            return Refusal(_SLUG, "there is no room for the two parts")
        return None


def may_be_divided(moment: Moment, unit: int) -> Refusal | None:
    """Return why a unit may not be divided: too few members, or no row for the new unit."""
    if is_mixed(moment, unit):
        return Refusal(_SLUG, "it is or was a mixed unit")
    if moment.state.units.integer("members", unit) < 2:
        return Refusal(_SLUG, "it has one member")
    if empty_row_for(moment, unit) is None:
        return Refusal(_SLUG, "the battle has no room for more parts of it")
    if not keeps_places(moment, unit):
        return Refusal(_SLUG, "its members have left their places in the formation")
    # A unit with no room for any of these has room for no other: the more members part, the more
    # room they take.
    least = chain(_between_lines(moment, unit), _single_members(unit))
    if next(_with_room(moment, unit, least), None) is None:
        return Refusal(_SLUG, "there is no room for two units here")
    return None


def whole_lines(moment: Moment, unit: int) -> list[Order]:
    """Return the orders that divide a unit between two ranks or two files.

    Their numbers count all such lines: those between ranks from the front, then those between files
    from the left.
    """
    return [*_with_room(moment, unit, _between_lines(moment, unit))]


def ways(moment: Moment, unit: int) -> list[Order]:
    """Return the orders on offer: all divisions between ranks and files, else one that has room."""
    lines = whole_lines(moment, unit)
    return lines or [*islice(_with_room(moment, unit, _single_members(unit)), 1)]


def shares(moment: Moment, unit: int) -> list[Order]:
    """Return the orders that divide a half or a third from a unit, and cut a rank or file."""
    pose = pose_of(moment, unit)
    count = pose.drill.count
    numbers = sorted({max(count // share, 1) for share in _SHARES}, reverse=True)
    orders = (
        _order(unit, number, side)
        for side in ("rear", "right")
        for number in numbers
        if not _line_after(pose, SIDES[side], count - number).whole
    )
    return [*_with_room(moment, unit, orders)]


def _between_lines(moment: Moment, unit: int) -> Iterator[Order]:
    """Yield the orders that divide a unit between two ranks or two files, with room or without."""
    for number, _ in enumerate(_lines(pose_of(moment, unit))):
        yield _order(unit, number)


def _single_members(unit: int) -> Iterator[Order]:
    """Yield the orders that part one member from a unit, on each side."""
    return (_order(unit, 1, side) for side in SIDES)


def _with_room(moment: Moment, unit: int, orders: Iterable[Order]) -> Iterator[Order]:
    """Yield the orders that the unit has room for."""
    return (order for order in orders if division(moment, unit, order) is not None)


def division(moment: Moment, unit: int, order: Order) -> Division | None:
    """Return how a unit stands once it is divided as an order says; None without room for that.

    order : of a line that the unit has, or of at least one member and not all on one of `SIDES`
    """
    assert order.number is not None
    pose = pose_of(moment, unit)
    if not order.words:
        line = next(islice(_lines(pose), order.number, None))
    else:
        at_start = order.words in _FIRST
        first = order.number if at_start else pose.drill.count - order.number
        line = _line_after(pose, SIDES[order.words], first)
    leader = moment.state.roster.standing(unit)[leader_among(moment, unit)]
    led = bool(line.beyond[moment.state.figures.integer("slot", int(leader))])
    before, beyond = parts = _parts(pose, line, ahead=led and not line.whole)
    if not _has_room(moment, unit, line, parts):
        return None
    stays, leaves = (beyond, before) if led else (before, beyond)
    return Division(order, line, stays, leaves, np.flatnonzero(line.beyond != led))


def _order(unit: int, number: int | None, side: str = "") -> Order:
    return Order(verb=DIVIDE, unit=unit, number=number, words=side)


def _lines(pose: Pose) -> Iterator[DividingLine]:
    """Yield the lines between ranks from the front, then those between files from the left."""
    for kind in ("rank", "file"):
        at, _, of = _places_by(pose, kind)
        for after in range(1, of):
            yield DividingLine(kind, after, of, whole=True, beyond=at >= after)


def _line_after(pose: Pose, kind: Kind, first: int) -> DividingLine:
    """Return the line after a number of members, counted from the front or from the left."""
    at, order, of = _places_by(pose, kind)
    beyond = np.ones(len(order), dtype=np.bool_)
    beyond[order[:first]] = False
    last, following = at[order[first - 1]], at[order[first]]
    return DividingLine(kind, int(last) + 1, of, bool(last != following), beyond)


def _places_by(pose: Pose, kind: Kind) -> tuple[NDArray[np.intp], NDArray[np.intp], int]:
    """Return the rank or file of each slot, the slots in their order, and the number of lines.

    A member of an incomplete last rank belongs to the file that it stands behind; between two
    files, to the left one.
    """
    drill = pose.drill
    files, ranks, slot = min(drill.files, drill.count), drill.ranks, np.arange(drill.count)
    rank = slot // files
    if kind == "rank":
        return rank, slot, ranks
    in_rank = np.where(rank == ranks - 1, drill.count - (ranks - 1) * files, files)
    # Twice as many files from the middle of the unit, which are whole where halves are not.
    across = 2 * (slot % files) - (in_rank - 1)
    return -(-(across + files) // 2) - 1, np.lexsort((slot, across)), files


def _parts(pose: Pose, line: DividingLine, *, ahead: bool) -> tuple[Pose, Pose]:
    """Return the poses of the members before a line or to its left, and of those beyond it.

    ahead : whether the former move one rank or file forwards or to the left, not the latter back
    """
    drill, rest = pose.drill, line.of - line.after + (not line.whole)
    files, beyond = min(drill.files, drill.count), int(np.count_nonzero(line.beyond))
    counts, (wide, deep) = (drill.count - beyond, beyond), drill.spacing
    if line.kind == "rank":
        return (
            _part(pose, counts[0], files, back=-ahead * deep),
            _part(pose, counts[1], files, back=(line.after - ahead) * deep),
        )
    return (
        _part(pose, counts[0], line.after, across=(line.after - files - 2 * ahead) * wide / 2),
        _part(pose, counts[1], rest, across=(2 * (line.after - ahead) + rest - files) * wide / 2),
    )


def _has_room(moment: Moment, unit: int, line: DividingLine, parts: tuple[Pose, Pose]) -> bool:
    """Return whether both parts can stand where they would; they can if no member has to move.

    Members whose footprints overlap, such as close riders, are exempt.
    """
    pose = pose_of(moment, unit)
    drill, apart = pose.drill, dict(zip(("file", "rank"), pose.drill.spacing, strict=True))
    if drill.formation is not Formation.RANKED and apart[line.kind] < max(drill.width, drill.depth):
        return False
    before = pose.places[np.argsort(line.beyond, kind="stable")]
    after = np.concatenate([part.places for part in parts])
    moves = bool((np.abs(after - before) > _AS_ROUNDED).any())
    if not moves and all(part.drill.formation is drill.formation for part in parts):
        return True
    return not meet(*map(bodies_of, parts)) and all(
        no_room(moment, unit, part) is None for part in parts
    )


def _part(pose: Pose, count: int, files: int, across: float = 0, back: float = 0) -> Pose:
    """Return *count* members in files, right of the centre of the front line, or behind it."""
    east, north = unit_vector(pose.facing)
    drill = replace(
        pose.drill,
        formation=formation_of(pose.drill.formation, count),
        count=count,
        files=min(files, count),
    )
    x = snapped(pose.x + across * north - back * east)
    y = snapped(pose.y - across * east - back * north)
    return replace(pose, x=x, y=y, drill=drill)


def divided(moment: Moment, unit: int, order: Order) -> tuple[int, list[Change]]:
    """Return the row of the new unit, and the changes that make it; what the unit has, both have.

    Hits that have been taken in this step are still shared by all that were in it.
    """
    units = moment.state.units
    way, new = division(moment, unit, order), empty_row_for(moment, unit)
    assert way is not None, "a division that there is room for"
    assert new is not None, "one that may be divided"
    men = moment.state.roster.standing(unit)
    slots = moment.state.figures.ints("slot")[men]
    leaving = men[np.isin(slots, way.leaving)]
    limit, wounds = situation_of(moment).entry(unit).damage_limit, units.integer("damage", unit)
    strengths = (units.integer("strength", unit) - len(leaving), len(leaving))
    changes: list[Change] = [
        Divide(unit=unit, part=new, figures=tuple(leaving.tolist())),
        *way.stays.changes(unit),
        *way.leaves.changes(new),
        Set(table="unit", row=new, column="damage", value=0),
    ]
    if not way.line.whole and way.leaves.altitude and FLYING not in modes_of(moment, unit):
        # It comes down from what it stood on, like any unit that moves.
        changes.append(Set(table="unit", row=new, column="on_height", value=0.0))
    poses, damage = (way.stays, way.leaves), (wounds, 0)
    for row, pose, strength, carried in zip((unit, new), poses, strengths, damage, strict=True):
        base = percent_base(
            members=pose.drill.count, single=strength == 1, limit=limit, damage=carried
        )
        cells = (("strength_now", -1 if base is None else base), ("leader", OWN))
        changes += [Set(table="unit", row=row, column=name, value=cell) for name, cell in cells]
    return new, [*still_shared(moment, unit, (unit, new)), *changes]
