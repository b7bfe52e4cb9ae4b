"""Shooting: legal shooters, dice, cover, suppression and allocation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.derived import Each
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.epic.core import hits as successes
from emlia3d.rules.epic.core import modified, roll
from emlia3d.rules.epic.crossfire import crossfire_line, is_crossfire, save_modifier
from emlia3d.rules.epic.damage import take_hits
from emlia3d.rules.epic.events import Fired
from emlia3d.rules.epic.formations import (
    capacity_left,
    is_broken,
    kind_of,
    shock_of,
    units_of,
)
from emlia3d.rules.epic.shock import check_broken, shock_from, take_shock
from emlia3d.rules.epic.sight import sees
from emlia3d.rules.epic.terrain import terrain_of
from emlia3d.rules.epic.unit_set import Entry, WeaponEntry, can_shoot, types_hit
from emlia3d.rules.rulebook import rule

IN_COVER = -1
"""Modifier of dice at a formation in cover."""


@dataclass(frozen=True, slots=True)
class Gun:
    """A weapon of a unit that can fire at a formation.

    targets : units of the formation in range and sight
    """

    unit: int
    weapon: WeaponEntry
    targets: tuple[int, ...]


@rule("epic.shoot.small-arms")
def guns_of(entry: Entry) -> list[WeaponEntry]:
    """Return the weapons of a unit that shoot."""
    return [weapon for weapon in entry.weapons if can_shoot(weapon)]


@rule("epic.shoot.range")
def is_in_range(gap: int, weapon: WeaponEntry) -> bool:
    """Return whether a unit at a distance is in range."""
    return gap <= weapon.range


@rule("epic.shoot.who", "epic.shoot.allocate-valid")
def guns_at(moment: Moment, leader: int, target: int) -> list[Gun]:
    """Return the weapons of a formation that can fire at another, by sight, then range."""
    find = partial(_find_guns, moment, leader, target)
    return [*_GUNS.entry(moment, (leader, target), find)]


_GUNS: Each[tuple[int, int], list[Gun]] = Each(units_of)
"""The weapons of formations that can fire at others, by both leaders."""


def _find_guns(moment: Moment, leader: int, target: int) -> list[Gun]:
    units = units_of(moment)
    rows = [row for row in units.of_formation(leader) if guns_of(kind_of(moment, row))]
    foes = units.of_formation(target)
    if not rows or not foes:
        return []
    gaps = units.gaps(rows, foes)
    longest = max(gun.range for row in rows for gun in guns_of(kind_of(moment, row)))
    if gaps.min() > longest:
        return []
    seen = sees(moment, rows, foes)
    found = []
    for at, row in enumerate(rows):
        for weapon in guns_of(kind_of(moment, row)):
            near = [
                foe
                for to, foe in enumerate(foes)
                if seen[at, to] and is_in_range(int(gaps[at, to]), weapon)
            ]
            if near:
                found.append(Gun(row, weapon, tuple(near)))
    return found


@rule("epic.shoot.suppression")
def not_suppressed(able: Sequence[tuple[int, int]], shock: int) -> list[int]:
    """Return the units that shoot; each point of Shock suppresses one, the farthest first.

    able : distance and row of each unit that could shoot; for ties, the higher row is suppressed
    """
    return [row for _, row in sorted(able)[: max(len(able) - shock, 0)]]


def firing_guns(moment: Moment, leader: int, target: int) -> list[Gun]:
    """Return the weapons that fire at a formation, without suppressed units' weapons."""
    guns = guns_at(moment, leader, target)
    units = units_of(moment)
    foes = units.of_formation(target)
    rows = sorted({gun.unit for gun in guns})
    able = [(int(units.gaps([row], foes).min()), row) for row in rows]
    firing = set(not_suppressed(able, shock_of(moment, leader)))
    return [gun for gun in guns if gun.unit in firing]


@rule("epic.shoot.one-target")
def targets_of(moment: Moment, leader: int) -> list[int]:
    """Return the possible target formations."""
    side = int(units_of(moment).side[leader])
    foes = units_of(moment).formations(1 - side)
    return [foe for foe in foes if firing_guns(moment, leader, foe)]


# Cover


def has_cover(moment: Moment, unit: int) -> bool:
    """Return whether the tile of a unit gives cover to its type."""
    at_cover = terrain_of(moment).cover[units_of(moment).number[unit]]
    return bool(at_cover) and kind_of(moment, unit).unit_type in {"INF", "LV"}


@rule("epic.cover.minus")
def cover_modifier(covered: Sequence[bool], *, ignored: bool = False) -> int:
    """Return the modifier for cover of a formation's eligible units."""
    partly = any(covered) and not ignored
    return IN_COVER if partly else 0


@rule("epic.cover.partial")
def may_ignore_cover(covered: Sequence[bool]) -> bool:
    """Return whether the attacker can ignore cover: if only some eligible units are in it."""
    return any(covered) and not all(covered)


@rule("epic.cover.partial-exposed")
def exposed(units: Iterable[int], covered: Iterable[bool]) -> list[int]:
    """Return the units that can be hit when cover is ignored."""
    return [unit for unit, hidden in zip(units, covered, strict=True) if not hidden]


# Dice and hits


@rule("epic.shoot.modifiers")
def to_hit(value: int, action: int, cover: int) -> int:
    """Return the value at or below which dice hit."""
    return modified(value, action, cover)


@rule("epic.shoot.hit")
def hits_of(faces: Iterable[int], value: int) -> int:
    """Return the hits of dice."""
    return successes(faces, value)


@rule("epic.shoot.choose-value")
def values_of(weapon: WeaponEntry, types: Collection[str]) -> list[str]:
    """Return the values that a weapon can use against types of unit; macro-weapons have one."""
    if weapon.mw:
        return ["mw"]
    known = [name for name in ("ap", "at") if getattr(weapon, name)]
    return [name for name in known if types_hit(name) & {*types}] or known[:1]


@rule("epic.shoot.allocate-even")
def spread_evenly(hits: int, units: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the hits of each unit: one each from the closest, then a second round, and so on.

    units : row and hits per round of each, the closest first
    """
    places = [row for row, capacity in units for _ in range(capacity)]
    if not places:
        return {}
    whole, rest = divmod(hits, len(places))
    found: dict[int, int] = {}
    for number, row in enumerate(places):
        found[row] = found.get(row, 0) + whole + (number < rest)
    return {row: count for row, count in found.items() if count}


@rule("epic.shoot.allocate-type")
def may_be_hit(entry: Entry, value: str) -> bool:
    """Return whether hits of a value can be allocated to a unit."""
    return entry.unit_type in types_hit(value)


def allocate(
    moment: Moment, hits: int, value: str, units: Sequence[int], attackers: Sequence[int]
) -> dict[int, int]:
    """Return the allocation of hits to units, the closest to the attackers first."""
    there = units_of(moment).there
    fit = [row for row in units if there[row] and may_be_hit(kind_of(moment, row), value)]
    if not fit:
        return {}
    gaps = units_of(moment).gaps(fit, attackers).min(axis=1)
    order = np.lexsort((fit, gaps))
    return spread_evenly(hits, [(fit[at], capacity_left(moment, fit[at])) for at in order])


@rule("epic.shoot.macro-last")
def volleys(hits: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return hits by value, in the order in which they are allocated: macro-weapons last."""
    return [(value, hits[value]) for value in ("ap", "at", "mw") if hits.get(value)]


@rule("epic.shoot.first-shock")
def shock_of_being_shot_at(weapons: int) -> int:
    """Return the Shock that a target takes at the start of shooting."""
    return shock_from(0, shot_at=weapons > 0)


@rule("epic.shoot.casualty-shock")
def shock_of_casualties(casualties: int) -> int:
    """Return the Shock that a target takes after all saves."""
    return shock_from(casualties)


# Expected fire


@dataclass(frozen=True, slots=True)
class ExpectedFire:
    """Expected fire of a formation at another, which does not ignore partial cover.

    guns : the weapons that fire, each with the value at or below which its dice hit
    eligible : the units that can be hit
    modifier : of the dice, with cover
    """

    guns: tuple[tuple[Gun, int], ...]
    eligible: tuple[int, ...]
    modifier: int


def expected_fire(moment: Moment, leader: int, target: int, modifier: int) -> ExpectedFire:
    """Return the fire of a formation at another, in which each weapon uses its better value.

    modifier : of the action
    """
    guns = firing_guns(moment, leader, target)
    eligible = sorted({row for gun in guns for row in gun.targets})
    types = {kind_of(moment, row).unit_type for row in eligible}
    cover = cover_modifier([has_cover(moment, row) for row in eligible])
    best = [max(getattr(g.weapon, name) for name in values_of(g.weapon, types)) for g in guns]
    needs = [to_hit(value, modifier, cover) for value in best]
    return ExpectedFire(tuple(zip(guns, needs, strict=True)), tuple(eligible), modifier + cover)


# The procedure


def shoot(
    battle: Battle, leader: int, modifier: int, *, asks: str = "epic.shoot.one-target"
) -> Procedure[bool]:
    """Ask for a formation's target and shoot at it; return whether it has shot."""
    targets = targets_of(battle, leader)
    if not targets:
        return False
    order = yield Decision(
        side=int(units_of(battle).side[leader]),
        asks=asks,
        unit=leader,
        options=(
            *(Order(verb="shoot", unit=leader, target=target) for target in targets),
            Order(verb="hold fire", unit=leader),
        ),
    )
    if order.target is None:
        return False
    yield from fire_at(battle, leader, order.target, modifier)
    return True


def fire_at(battle: Battle, leader: int, target: int, modifier: int) -> Procedure[None]:
    """Carry out fire of a formation at another, with all consequences."""
    guns = firing_guns(battle, leader, target)
    shooters = sorted({gun.unit for gun in guns})
    eligible = sorted({row for gun in guns for row in gun.targets})
    covered = [has_cover(battle, row) for row in eligible]
    ignored = False
    if may_ignore_cover(covered):
        order = yield Decision(
            side=int(units_of(battle).side[leader]), asks="epic.cover.partial", unit=leader,
            options=(
                Order(verb="fire at all", unit=leader, target=target),
                Order(verb="ignore cover", unit=leader, target=target),
            ),
        )  # fmt: skip
        ignored = order.verb == "ignore cover"
    cover = cover_modifier(covered, ignored=ignored)
    eligible = exposed(eligible, covered) if ignored else eligible
    types = {kind_of(battle, row).unit_type for row in eligible}
    chosen = yield from _choose_values(battle, leader, guns, types)
    yield from take_shock(battle, target, shock_of_being_shot_at(len(guns)), shooters)
    crossfire = is_crossfire(battle, leader, target, shooters)
    line = crossfire_line(battle, leader, target, shooters) if crossfire else None
    hits: dict[str, int] = {}
    for (name, value), (dice, printed) in chosen.items():
        need = to_hit(printed, modifier, cover)
        faces = roll(battle.dice, "epic.shoot.hit", dice)
        count = hits_of(faces, need)
        hits[value] = hits.get(value, 0) + count
        yield Event(
            facts=Fired(
                dice=dice, modifier=modifier + cover, successes=count, faces=faces,
                value=value.upper(), weapon=name, need=need, crossfire=crossfire, line=line,
            ),
            unit=shooters[0],
            others=tuple(shooters[1:]),
            target=target,
            gesture="shoot",
            because=("epic.shoot.hit", *(("epic.crossfire.effect",) if crossfire else ())),
        )  # fmt: skip
    casualties = 0
    # AP and AT hits are allocated together, before any of them is saved.
    first: dict[int, int] = {}
    for value, count in volleys(hits):
        if value != "mw":
            for row, falls in allocate(battle, count, value, eligible, shooters).items():
                first[row] = first.get(row, 0) + falls
    saves = save_modifier(crossfire=crossfire)
    casualties += yield from take_hits(battle, first, cause="shooting", modifier=saves)
    macro = allocate(battle, hits.get("mw", 0), "mw", eligible, shooters)
    casualties += yield from take_hits(battle, macro, cause="a macro-weapon", macro=True)
    if units_of(battle).of_formation(target):
        was_broken = is_broken(battle, target)
        yield from take_shock(battle, target, shock_of_casualties(casualties), shooters)
        if not was_broken:
            yield from check_broken(battle, target)


def _choose_values(
    battle: Battle, leader: int, guns: Sequence[Gun], types: Collection[str]
) -> Procedure[dict[tuple[str, str], tuple[int, int]]]:
    """Ask for the value of each weapon; return dice and printed values by weapon and value."""
    chosen: dict[tuple[str, str], tuple[int, int]] = {}

    def add(weapon: WeaponEntry, value: str) -> None:
        dice, _ = chosen.get((weapon.name, value), (0, 0))
        chosen[weapon.name, value] = dice + weapon.shots, getattr(weapon, value)

    by_weapon: dict[WeaponEntry, int] = {}
    for gun in guns:
        by_weapon[gun.weapon] = by_weapon.get(gun.weapon, 0) + 1
    for weapon, count in by_weapon.items():
        values = values_of(weapon, types)
        at_infantry = count if values[0] == "ap" else 0
        if {"ap", "at"} <= {*values}:
            order = yield Decision(
                side=int(units_of(battle).side[leader]),
                asks="epic.shoot.choose-value",
                unit=leader,
                options=tuple(
                    Order(verb="use AP", unit=leader, number=n, words=weapon.name)
                    for n in range(count, -1, -1)
                ),
            )
            assert order.number is not None
            at_infantry = order.number
        for number in range(count):
            add(weapon, "ap" if number < at_infantry else values[-1])
    return chosen
