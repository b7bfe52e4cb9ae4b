"""Emlia, chapters 16, 21.3 and 21.4: hits become damage, and damage becomes losses.

Holds `emlia.hits.groups`, `emlia.hits.subunit-quota`, `emlia.hits.allocate`,
`emlia.damage.modified-hits`, `emlia.damage.points`, `emlia.damage.per-group`,
`emlia.damage.carry`, `emlia.damage.credit`, `emlia.attr.threshold` and `emlia.attr.damage-limit`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from emlia3d.rules.rulebook import rule


@rule("emlia.damage.modified-hits")
def need(hits: int, base_damage: int) -> int:
    """How many hits of a base damage make one damage point: the subject's hits less it, at least 1.

    hits : the subject's, with what its equipment adds against this attack
    """
    return max(1, hits - base_damage)


@rule("emlia.damage.points")
@rule("emlia.damage.examples")
def damage_points(hits: int, needed: int) -> int:
    """Damage points of so many equal hits; what is left over is lost."""
    return hits // needed


@dataclass(frozen=True, slots=True)
class Group:
    """Equal hits: *hits* markers of one base damage that need the same number for a point."""

    base_damage: int
    needed: int
    hits: int


@rule("emlia.damage.per-group")
def grouped(markers: Iterable[Group]) -> tuple[Group, ...]:
    """Markers of equal base damage and equal need as one group, whoever the attackers were.

    In the order of base damage, then of need.
    """
    hits: dict[tuple[int, int], int] = {}
    for marker in markers:
        key = marker.base_damage, marker.needed
        hits[key] = hits.get(key, 0) + marker.hits
    return tuple(Group(*key, hits[key]) for key in sorted(hits))


@rule("emlia.hits.subunit-quota")
def quota(members: int, smallest: int) -> int:
    """Markers that a subunit takes in a round: one for each started *smallest* members."""
    return -(-members // smallest)


@rule("emlia.hits.allocate", "emlia.hits.groups")
@rule("emlia.hits.example-three", "emlia.hits.example-two")
def allocate(members: Sequence[int], hits: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Who takes which markers on a mixed unit: a row for each subunit, a column for each group.

    The markers come from the largest group to the smallest, each used up before the next; the
    subunits take their quotas in rounds from the largest to the smallest until none are left.
    Ties go in the order given, which is the controller's to choose.

    members : of each subunit, 1 or more, as they were before any damage of this phase
    hits : markers of each group of equal base damage
    """
    taken = [[0] * len(hits) for _ in members]
    rounds = sorted(range(len(members)), key=lambda subunit: -members[subunit])
    quotas = [quota(members[subunit], min(members)) for subunit in rounds]
    turn, room = 0, quotas[0]
    for group in sorted(range(len(hits)), key=lambda group: -hits[group]):
        left = hits[group]
        while left:
            take = min(room, left)
            taken[rounds[turn]][group] += take
            left, room = left - take, room - take
            if not room:
                turn = (turn + 1) % len(rounds)
                room = quotas[turn]
    return tuple(tuple(row) for row in taken)


@rule("emlia.attr.threshold")
def threshold_rolls(before: int, after: int, threshold: int) -> int:
    """Rolls on the vital table: one for each multiple of the threshold that damage reached.

    before, after : the running total of damage, not this step's alone
    """
    return after // threshold - before // threshold


@dataclass(frozen=True, slots=True)
class Casualties:
    """Characters that a unit lost, and the damage that it carries on."""

    lost: int
    carried: int


@rule("emlia.attr.damage-limit", "emlia.damage.carry")
def casualties(points: int, carried: int, limit: int, members: int) -> Casualties:
    """One character is lost for each full limit of damage; what falls short of it is kept.

    carried : damage that the unit had kept before
    limit : damage limit of one character, 1 or more
    """
    full, rest = divmod(points + carried, limit)
    return Casualties(members, 0) if full >= members else Casualties(full, rest)


@dataclass(frozen=True, slots=True)
class Credit:
    """Whose deed a unit's damage is, by number, and whose its end would be."""

    inflicted: tuple[int, ...]
    wiped_out: tuple[int, ...]


@rule("emlia.damage.credit")
def credit(markers: Iterable[tuple[int, int]]) -> Credit:
    """Every hostile unit with a marker that helped to damage has inflicted it, the most wiped out.

    markers : (attacker, markers), of hostile units in groups that yielded damage
    Ties for the most markers: all of them.
    """
    held: dict[int, int] = {}
    for attacker, count in markers:
        held[attacker] = held.get(attacker, 0) + count
    by_number = tuple(sorted(attacker for attacker, count in held.items() if count))
    most = max(held.values(), default=0)
    return Credit(by_number, tuple(unit for unit in by_number if held[unit] == most))
