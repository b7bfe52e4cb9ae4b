"""Emlia, chapter 10.5 as play: the ways in which a unit of like men is split in two.

It is divided between two ranks, or between two files, and nobody leaves his place but the men of
an incomplete last rank, who close up to the middle of theirs. The men about the leader stay the
unit that they were; the others fill a row that is kept for them (`emlia3d.battle.dividing`). A
figure lost or a wound carried before remains that of those who stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.changes import Change, Divide, Set
from emlia3d.battle.decisions import Order, Refusal
from emlia3d.battle.dividing import empty_row_for
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import GRID, Formation, snapped
from emlia3d.rules.emlia.columns import OWN
from emlia3d.rules.emlia.play.morale.leading import leader_among
from emlia3d.rules.emlia.play.situation.allowance import no_room
from emlia3d.rules.emlia.play.situation.footing import bodies_of, meet
from emlia3d.rules.emlia.play.situation.merging import still_shared
from emlia3d.rules.emlia.play.situation.parts import is_mixed
from emlia3d.rules.emlia.play.situation.pose import Pose, keeps_places, pose_of
from emlia3d.rules.emlia.play.situation.situation import lie_of
from emlia3d.rules.emlia.tables.formation import formation_of
from emlia3d.rules.emlia.tables.morale import percent_base

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

DIVIDE = "divide"
"""The verb of the order that says how."""

_SLUG = "emlia.lead.split"

_AS_ROUNDED = 4 / GRID
"""GSU by which one who stays where he is may be put beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line between two ranks, or two files, of a unit.

    kind : "rank" or "file"
    after : of how many, from the front or from the left
    beyond : (members,), by slot: who is behind it, or to its right
    """

    kind: Literal["rank", "file"]
    after: int
    beyond: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """One way to split a unit.

    number : in its order, counted over all lines
    stays, leaves : where the men about the leader stand then, and the others
    leaving : the slots of the latter
    """

    number: int
    line: Line
    stays: Pose
    leaves: Pose
    leaving: NDArray[np.intp]


def may_be_divided(battle: Battle, unit: int) -> Refusal | None:
    """Several men in the places of their formation, and a row for those who leave."""
    if is_mixed(battle, unit):
        return Refusal(_SLUG, "it is of several kinds, or what is left of them")
    if battle.state.units.integer("members", unit) < 2:
        return Refusal(_SLUG, "it is one man")
    if empty_row_for(battle, unit) is None:
        return Refusal(_SLUG, "it has been split as often as the battle allows")
    if not keeps_places(battle, unit):
        return Refusal(_SLUG, "its men are not in the places of their formation")
    if next(divisions(battle, unit), None) is None:
        return Refusal(_SLUG, "there is no room for two where it stands")
    return None


def divisions(battle: Battle, unit: int) -> Iterator[Division]:
    """All ways in which a unit can be split, by their numbers."""
    pose = pose_of(battle, unit)
    for number, line in enumerate(_lines(pose)):
        if _has_room(battle, unit, line, _parts(pose, line)):
            yield division(battle, unit, number)


def division(battle: Battle, unit: int, number: int) -> Division:
    """The way of this number, which there is room for where it is on offer."""
    pose = pose_of(battle, unit)
    line = next(islice(_lines(pose), number, None))
    leader = battle.state.roster.standing(unit)[leader_among(battle, unit)]
    led = bool(line.beyond[battle.state.figures.integer("slot", int(leader))])
    first, beyond = _parts(pose, line)
    stays, leaves = (beyond, first) if led else (first, beyond)
    return Division(number, line, stays, leaves, np.flatnonzero(line.beyond != led))


def _lines(pose: Pose) -> Iterator[Line]:
    """The lines between ranks from the front, then those between files from the left."""
    drill = pose.drill
    files, ranks, slot = min(drill.files, drill.count), drill.ranks, np.arange(drill.count)
    rank = slot // files
    in_rank = np.where(rank == ranks - 1, drill.count - (ranks - 1) * files, files)
    # Twice as many files from the middle of the unit, which are whole where halves are not.
    across = 2 * (slot % files) - (in_rank - 1)
    for after in range(1, ranks):
        yield Line("rank", after, rank >= after)
    for after in range(1, files):
        yield Line("file", after, across > 2 * after - files)


def _parts(pose: Pose, line: Line) -> tuple[Pose, Pose]:
    """Where those before a line or to its left stand, and where those beyond it."""
    drill = pose.drill
    files, beyond = min(drill.files, drill.count), int(np.count_nonzero(line.beyond))
    counts, half = (drill.count - beyond, beyond), drill.spacing[0] / 2
    if line.kind == "rank":
        back = line.after * drill.spacing[1]
        return _part(pose, counts[0], files), _part(pose, counts[1], files, back=back)
    right = files - line.after
    return (
        _part(pose, counts[0], line.after, across=-right * half),
        _part(pose, counts[1], right, across=line.after * half),
    )


def _has_room(battle: Battle, unit: int, line: Line, parts: tuple[Pose, Pose]) -> bool:
    """Whether both parts can stand where they would; as they can where nobody has to move.

    But for men whose footprints are in one another, as those of riders knee to knee are.
    """
    pose = pose_of(battle, unit)
    drill, apart = pose.drill, dict(zip(("file", "rank"), pose.drill.spacing, strict=True))
    if drill.formation is not Formation.RANKED and apart[line.kind] < max(drill.width, drill.depth):
        return False
    before = pose.places[np.argsort(line.beyond, kind="stable")]
    after = np.concatenate([part.places for part in parts])
    moves = bool((np.abs(after - before) > _AS_ROUNDED).any())
    if not moves and all(part.drill.formation is drill.formation for part in parts):
        return True
    return not meet(*map(bodies_of, parts)) and all(
        no_room(battle, unit, part) is None for part in parts
    )


def _part(pose: Pose, count: int, files: int, across: float = 0, back: float = 0) -> Pose:
    """So many men of a unit in files, to the right of the middle of its front line, or behind."""
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


def ways(battle: Battle, unit: int) -> list[Order]:
    """The orders for all ways to split a unit."""
    return [Order(verb=DIVIDE, unit=unit, number=each.number) for each in divisions(battle, unit)]


def divided(battle: Battle, unit: int, number: int) -> tuple[int, list[Change]]:
    """The row of the new unit, and the changes that make it; what the unit has, both have.

    Hits that have been taken in this step are still shared by all that were in it.
    """
    units = battle.state.units
    way, new = division(battle, unit, number), empty_row_for(battle, unit)
    assert new is not None, "one that may be divided"
    men = battle.state.roster.standing(unit)
    slots = battle.state.figures.ints("slot")[men]
    leaving = men[np.isin(slots, way.leaving)]
    limit, wounds = lie_of(battle).entry(unit).damage_limit, units.integer("damage", unit)
    strengths = (units.integer("strength", unit) - len(leaving), len(leaving))
    changes: list[Change] = [
        Divide(unit=unit, part=new, figures=tuple(leaving.tolist())),
        *way.stays.changes(unit),
        *way.leaves.changes(new),
        Set(table="unit", row=new, column="damage", value=0),
    ]
    poses, damage = (way.stays, way.leaves), (wounds, 0)
    for row, pose, strength, carried in zip((unit, new), poses, strengths, damage, strict=True):
        base = percent_base(
            members=pose.drill.count, single=strength == 1, limit=limit, damage=carried
        )
        cells = (("strength_now", -1 if base is None else base), ("leader", OWN))
        changes += [Set(table="unit", row=row, column=name, value=cell) for name, cell in cells]
    return new, [*still_shared(battle, unit, (unit, new)), *changes]
