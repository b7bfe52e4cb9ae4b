"""The procedure of an assault: charge, countercharge, simultaneous dice and result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.epic.assault import (
    Fighter,
    allocate_hits,
    assault_value,
    count_hits,
    countercharge_tiles,
    counts_as_covered,
    driven_off,
    fighters_of,
    further_losses,
    margin_of,
    may_countercharge,
    may_support,
    result_bonus,
    rounds_of_hits,
    shock_of_winner,
    valid_targets,
    wiped_out,
)
from emlia3d.rules.epic.core import roll, tiles_apart
from emlia3d.rules.epic.damage import destroy, take_hits
from emlia3d.rules.epic.events import AssaultBegan, AssaultRolled, AssaultWon, Fought
from emlia3d.rules.epic.formations import (
    in_cohesion,
    is_broken,
    is_in_cohesion,
    kind_of,
    rows_by_distance,
    shock_of,
    strength,
    units_of,
)
from emlia3d.rules.epic.movement import (
    CHARGE_REACH,
    MoveEnds,
    facing_of,
    move_formation,
    reach_of_unit,
    walk,
)
from emlia3d.rules.epic.overwatch import is_on_overwatch, leave
from emlia3d.rules.epic.shock import break_formation, check_broken, take_shock
from emlia3d.rules.epic.shooting import exposed, may_ignore_cover
from emlia3d.rules.epic.sight import sees
from emlia3d.rules.epic.transport.boarding import move_with_carriers

_WORDS = {"cc": "close combat", "ff": "firefight"}


@dataclass(slots=True)
class KillCount:
    """Number of units that each side has destroyed in an assault, attacker first."""

    killed: list[int]


def assault(battle: Battle, attacker: int, target: int) -> Procedure[None]:
    """Carry out an assault, from the charge to the withdrawal of the loser."""
    yield Event(facts=AssaultBegan(), unit=attacker, target=target, because=("epic.act.engage",))
    if not (yield from move_with_carriers(battle, attacker, target=target, how="charges")):
        return
    if may_countercharge(broken=is_broken(battle, target)):
        yield from countercharge(battle, attacker, target)
    if is_on_overwatch(battle, target):
        yield leave(target)
    yield from fight(battle, attacker, target, KillCount([0, 0]))


def fight(battle: Battle, attacker: int, target: int, tally: KillCount) -> Procedure[None]:
    """Fight out an assault, in one round or two."""
    both = attacker, target
    for second in (False, True):
        if _is_decided(battle, both):
            break
        yield from fight_round(battle, both, both, tally)
        if _is_decided(battle, both):
            break
        yield from supporting_fire(battle, both, tally)
        if _is_decided(battle, both):
            break
        margin = yield from _roll_result(battle, both, tally, second=second)
        if margin is not None:
            won = 0 if margin > 0 else 1
            yield from conclude(battle, both, won, margin, tally)
            return
    sides = [units_of(battle).of_formation(one) for one in both]
    if not all(sides):
        if any(sides):
            won = int(not sides[0])
            reason = "No enemy is left."
            yield from conclude(battle, both, won, 0, tally, reason)
        return
    yield from conclude(battle, both, 1, 0, tally, "No attacker is close enough any more.")


def _is_decided(moment: Moment, both: tuple[int, int]) -> bool:
    rows = [units_of(moment).of_formation(one) for one in both]
    if wiped_out(len(rows[0]), len(rows[1])):
        return True
    return driven_off(units_of(moment).gaps(rows[0], rows[1]).min(axis=1).tolist())


def countercharge(battle: Battle, attacker: int, target: int) -> Procedure[None]:
    """Move each defender towards the nearest attacker."""
    foes = units_of(battle).of_formation(attacker)
    rows = units_of(battle).of_formation(target)
    for unit in rows_by_distance(battle, rows, foes):
        units = units_of(battle)
        if not units.there[unit]:
            continue
        tiles = countercharge_tiles(kind_of(battle, unit).speed, broken=is_broken(battle, target))
        reach = reach_of_unit(battle, unit, tiles, zone=False)
        here = int(units.number[unit])
        free = reach.is_reached.copy()
        free[units.number[units.there]] = False
        ends = np.flatnonzero(free)
        nearest = rows_by_distance(battle, foes, [unit])[0]
        gap = tiles_apart(units.board.tiles[ends], units.tile[nearest])
        # Each step is nearer, so the length of a walk is the distance gained.
        gained = int(units.gaps([unit], [nearest])[0, 0]) - gap
        ends = ends[gained == np.floor(reach.costs[ends])]
        ends = np.array([e for e in ends.tolist() if _keeps_cohesion(battle, target, unit, e)])
        if not ends.size:
            continue
        choice = MoveEnds(units.board, unit, here, np.sort(np.append(ends, here)))
        order = yield Decision(
            side=int(units.side[unit]), asks="epic.assault.countercharge", unit=unit,
            options=choice.options(), validator=choice,
        )  # fmt: skip
        to = choice.tile_of(order), facing_of(order)
        yield from walk(battle, unit, to, how="countercharges", zone=False)


def _keeps_cohesion(moment: Moment, leader: int, unit: int, end: int) -> bool:
    """Return whether a formation that is in cohesion still is after a unit's move."""
    if not in_cohesion(moment, leader):
        return True
    units = units_of(moment)
    tiles = units.tile.copy()
    tiles[unit] = units.board.tiles[end]
    return is_in_cohesion(tiles[units.of_formation(leader)])


def fight_round(
    battle: Battle, both: tuple[int, int], named: tuple[int, int], tally: KillCount
) -> Procedure[None]:
    """Roll for both sides at once, then apply the hits."""
    rows = [units_of(battle).of_formation(one) for one in both]
    hits: list[tuple[int, int]] = []
    for own, foe in ((0, 1), (1, 0)):
        fighters = fighters_of(battle, rows[own], rows[foe])
        hits.append((yield from _roll_fight(battle, fighters, named[foe])))
    yield from _take(battle, rows, hits, tally)


def _roll_fight(
    battle: Battle, fighters: Sequence[Fighter], target: int, how: str = ""
) -> Procedure[tuple[int, int]]:
    """Roll for fighters, close combat first; return their hits."""
    total = [0, 0]
    for way in ("cc", "ff"):
        some = [each for each in fighters if each.way == way]
        if not some:
            continue
        faces = roll(battle.dice, "epic.assault.roll", len(some))
        normal, macro = count_hits(faces, some)
        total = [total[0] + normal, total[1] + macro]
        yield Event(
            facts=Fought(
                how=how or _WORDS[way], dice=len(some), modifier=0,
                successes=normal + macro, faces=faces,
            ),
            unit=some[0].unit,
            others=tuple(each.unit for each in some[1:]),
            target=target,
            gesture="strike" if way == "cc" else "shoot",
            because=("epic.assault.roll",),
        )  # fmt: skip
    return total[0], total[1]


def _take(
    battle: Battle, rows: Sequence[list[int]], hits: Sequence[tuple[int, int]], tally: KillCount
) -> Procedure[None]:
    """Apply the hits to both sides: defenders first, macro-weapons last.

    rows : units of the attacker and of the defender
    hits : normal and macro-weapon hits of the attacker and of the defender
    """
    targets: list[list[int]] = [[], []]
    for own, foe in ((0, 1), (1, 0)):
        if sum(hits[own]):
            targets[foe] = yield from _confine(battle, rows[own], rows[foe])
    yield from _allocate(battle, rows, rows, targets, hits, tally, cause="the assault")


def _allocate(  # noqa: PLR0913  both sides' hits, each part by its name
    battle: Battle,
    rows: Sequence[list[int]],
    attackers: Sequence[list[int]],
    targets: Sequence[list[int]],
    hits: Sequence[tuple[int, int]],
    tally: KillCount,
    *,
    cause: str,
) -> Procedure[None]:
    """Allocate hits of both sides, from the targets closest to the attackers."""
    for macro in (False, True):
        for own, foe in ((0, 1), (1, 0)):
            count = rounds_of_hits(*hits[own])[macro][0]
            there = units_of(battle).there
            near = [row for row in attackers[own] if there[row]] or attackers[own]
            before = _left(battle, rows[foe])
            allocated = allocate_hits(battle, count, targets[foe], near)
            yield from take_hits(battle, allocated, cause=cause, macro=macro)
            tally.killed[own] += before - _left(battle, rows[foe])


def _left(moment: Moment, rows: Sequence[int]) -> int:
    return int(units_of(moment).there[[*rows]].sum())


def _confine(battle: Battle, own: Sequence[int], foes: Sequence[int]) -> Procedure[list[int]]:
    """Return the enemies that can receive hits; a side can exclude units in cover."""
    targets = valid_targets(battle, foes, own)
    covered = [counts_as_covered(battle, row) for row in targets]
    if not may_ignore_cover(covered):
        return targets
    side, leader = int(units_of(battle).side[own[0]]), int(units_of(battle).leader[own[0]])
    order = yield Decision(
        side=side, asks="epic.assault.cover", unit=leader,
        options=(
            Order(verb="hit all", unit=leader), Order(verb="hit the exposed", unit=leader)
        ),
    )  # fmt: skip
    return exposed(targets, covered) if order.verb == "hit the exposed" else targets


def supporting_fire(battle: Battle, both: tuple[int, int], tally: KillCount) -> Procedure[None]:
    """Carry out supporting fire of other formations of both sides."""
    units = units_of(battle)
    rows = [units.of_formation(one) for one in both]
    hits: list[tuple[int, int]] = []
    supporters: list[list[int]] = [[], []]
    for own, foe in ((0, 1), (1, 0)):
        side = int(units.side[rows[own][0]])
        helping = [
            row
            for leader in units.formations(side)
            if leader not in both
            and may_support(
                broken=is_broken(battle, leader),
                marched=bool(battle.state.units.value("marched", leader)),
            )
            for row in units.of_formation(leader)
        ]
        near = valid_targets(battle, helping, rows[foe])
        seen = sees(battle, near, rows[foe]) & (units.gaps(near, rows[foe]) <= CHARGE_REACH)
        supporters[own] = [row for row, sight in zip(near, seen, strict=True) if sight.any()]
        fighters = [
            Fighter(row, "ff", assault_value(kind_of(battle, row), "ff"),
                    "ff" in kind_of(battle, row).macro)
            for row in supporters[own]
        ]  # fmt: skip
        hits.append((yield from _roll_fight(battle, fighters, both[foe], how="supporting fire")))
    attackers = [[*rows[own], *supporters[own]] for own in (0, 1)]
    targets = [valid_targets(battle, rows[foe], attackers[1 - foe]) for foe in (0, 1)]
    cause = "supporting fire"
    yield from _allocate(battle, rows, attackers, targets, hits, tally, cause=cause)


def _roll_result(
    battle: Battle, both: tuple[int, int], tally: KillCount, *, second: bool
) -> Procedure[int | None]:
    """Roll for the result; return the margin of the attacker, or None for a second round."""
    left = [strength(battle, units_of(battle).of_formation(one)) for one in both]
    shock = [shock_of(battle, one) for one in both]
    bonuses = tuple(
        result_bonus(tally.killed[own], (left[own], left[foe]), (shock[own], shock[foe]))
        for own, foe in ((0, 1), (1, 0))
    )
    faces = roll(battle.dice, "epic.assault.result", 4)
    totals = max(faces[:2]) + bonuses[0], max(faces[2:]) + bonuses[1]
    yield Event(
        facts=AssaultRolled(faces=faces, bonuses=bonuses, margin=totals[0] - totals[1]),
        unit=both[0],
        target=both[1],
        because=("epic.assault.result",),
    )
    return margin_of(totals, second=second)


def conclude(
    battle: Battle, both: tuple[int, int], won: int, margin: int, tally: KillCount, reason: str = ""
) -> Procedure[None]:
    """Conclude an assault: further losses, the withdrawal of the loser, the winner's Shock.

    won : 0 if the attacker has won, 1 if the defender has
    """
    winner, loser = both[won], both[1 - won]
    yield Event(
        facts=AssaultWon(reason=reason or f"The margin is {abs(margin)}."),
        unit=winner,
        target=loser,
        because=("epic.assault.result",),
    )
    rows = units_of(battle).of_formation(loser)
    foes = units_of(battle).of_formation(winner)
    was_broken = is_broken(battle, loser)
    lost = further_losses(margin, len(rows), was_broken=was_broken)
    for row in rows_by_distance(battle, rows, foes)[:lost]:
        yield from destroy(battle, row, "the defeat in the assault")
    while was_broken and (left := units_of(battle).of_formation(loser)):
        for row in left:
            yield from destroy(battle, row, "the defeat in the assault")
    if units_of(battle).of_formation(loser):
        yield from break_formation(battle, loser)
    if not is_broken(battle, winner):
        yield from take_shock(battle, winner, shock_of_winner(tally.killed[1 - won]))
        if (yield from check_broken(battle, winner)):
            return
    yield from move_formation(battle, winner, how="follows up", most=1)
