"""Emlia, chapter 12: modes of movement, their codes and their limits.

A unit may have several modes, printed one after another: "15G, 30F". Letters: G ground, F flying,
B boat, H hover, S swimming.

Holds `emlia.mode` and `emlia.attr.movement.code`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, sqrt
from types import MappingProxyType

from emlia3d.rules.emlia.tables.elevation import GSU_PER_HEIGHT
from emlia3d.rules.rulebook import rule, rule_rows

GROUND, FLYING, BOAT, HOVER, SWIMMING = "G", "F", "B", "H", "S"
MODES = {
    GROUND: "on the ground",
    FLYING: "in the air",
    BOAT: "on water",
    HOVER: "hovering",
    SWIMMING: "swimming",
}
"""The letters of a movement code, in words."""

_NONE_ADDED: Mapping[str, str] = MappingProxyType({})

TURN = 45.0
"""Degrees of one turn where turns are limited."""

_NUMBER = r"\d{1,5}(?:\.\d{1,4})?"
_ROW = rf"{_NUMBER}(?:/{_NUMBER})*"
_CODE = re.compile(
    rf"(?P<speed>{_NUMBER})(?P<mode>[A-Z])(?: (?P<gears>{_ROW})A)?(?: (?P<turns>{_ROW})T)?"
)


@dataclass(frozen=True, slots=True)
class Movement:
    """A movement attribute: one mode and its speeds.

    speed : GSU, the maximum
    gears : top speed of each gear, ascending; empty if any speed is allowed
    turns : GSU to be covered before a turn, by gear; empty if turns are not limited
    """

    mode: str
    speed: float
    gears: tuple[float, ...] = ()
    turns: tuple[float, ...] = ()


@rule("emlia.attr.movement.code", "emlia.gloss.mode", "emlia.attr.movement")
def movements_of(code: str, added: Mapping[str, str] = _NONE_ADDED) -> tuple[Movement, ...]:
    """Return the modes of a code such as "15G", "15G, 30F" or "60G 10/20/40/60A 2/5/20/40T".

    added : the book's letter for each letter that the unit set adds; such a mode is the book's

    Raises
    ------
    ValueError
        Not a code, or a code with inconsistent values.
    """
    found: dict[str, Movement] = {}
    for part in code.split(","):
        movement = _movement(part.strip(), added)
        if movement.mode in found:
            raise ValueError(f'movement has {movement.mode} twice in "{code}"')
        found[movement.mode] = movement
    return tuple(found.values())


def _movement(part: str, added: Mapping[str, str]) -> Movement:
    match = _CODE.fullmatch(part)
    if match is None:
        raise ValueError(
            'movement: expected a code such as "15G", or "60G 10/20/40/60A 2/5/20/40T" with gears '
            f'and turns, got "{part}"'
        )
    mode = added.get(match["mode"], match["mode"])
    if mode not in MODES:
        letters = ", ".join([*(f"{letter} {words}" for letter, words in MODES.items()), *added])
        raise ValueError(f"unknown mode of movement {match['mode']}; there are {letters}")
    speed = float(match["speed"])
    gears, turns = (
        tuple(float(number) for number in (match[name] or "").split("/") if number)
        for name in ("gears", "turns")
    )
    if any(low >= high for low, high in pairwise((0.0, *gears))):
        raise ValueError(f'the gears of a movement must increase, unlike in "{part}"')
    if gears and gears[-1] != speed:
        raise ValueError(f'the first number of a movement is its top gear, unlike in "{part}"')
    if turns and len(turns) != max(len(gears), 1):
        raise ValueError(f'a movement has one turn distance for each gear, unlike in "{part}"')
    return Movement(mode, speed, gears, turns)


@dataclass(frozen=True, slots=True)
class Medium:
    """The surfaces that a mode of movement can be on.

    land, water : whether it goes on dry ground, and on water too deep to be forded
    heeds_ground : whether terrain on the ground affects it
    """

    land: bool
    water: bool
    heeds_ground: bool = True


@rule_rows("emlia.mode.ground", "emlia.mode.flying", "emlia.mode.boat", "emlia.mode.hover")
def medium_of(mode: str) -> Medium:
    """Return the medium of a mode: walkers cross no deep water, boats only water, hover both."""
    return _MEDIA[mode]


_MEDIA = {
    GROUND: Medium(land=True, water=False),
    FLYING: Medium(land=True, water=True, heeds_ground=False),
    BOAT: Medium(land=False, water=True),
    HOVER: Medium(land=True, water=True),
    SWIMMING: Medium(land=False, water=True),
}


@rule("emlia.mode.flying.path-length")
def flight_length(profile: Sequence[tuple[float, float]]) -> float:
    """Return the length of the shortest flight from the first point to the last, GSU.

    profile : (GSU along the way, height units above map level): where the flight begins, the
        ground on the way, where it ends
    """
    taut: list[tuple[float, float]] = []
    for place in profile:
        while len(taut) > 1 and not _is_peak(taut[-2], taut[-1], place):
            taut.pop()
        taut.append(place)
    rises = [(b[0] - a[0], (b[1] - a[1]) * GSU_PER_HEIGHT) for a, b in pairwise(taut)]
    return sum(sqrt(run * run + climb * climb) for run, climb in rises)


def _is_peak(
    before: tuple[float, float], place: tuple[float, float], after: tuple[float, float]
) -> bool:
    """Return whether *place* is above the straight line from *before* to *after*."""
    run, climb = after[0] - before[0], after[1] - before[1]
    return (place[1] - before[1]) * run > climb * (place[0] - before[0])


@rule("emlia.mode.flying.altitude")
def may_fly_at(altitude: float, ceiling: float) -> bool:
    """Return whether a flyer may be at this height above the ground, height units: 0 or more.

    ceiling : the scenario's; 0 where it sets none
    """
    return altitude >= 0 and (not ceiling or altitude <= ceiling)


def gear_of(gears: Sequence[float], speed: float) -> int:
    """Return the gear of a speed, from 1: each ends at its top speed, included; 0 is of gear 1."""
    return next(number for number, top in enumerate(gears, 1) if speed <= top)


@rule("emlia.mode.accel.reverse")
def reverse_of(gears: Sequence[float]) -> tuple[float, ...]:
    """Return the reverse gears: the forward gears halved."""
    return tuple(top / 2 for top in gears)


def _step_of(gears: Sequence[float], speed: float) -> int:
    """Return a speed's place on the ladder of gears: 1, 2, ... forward; 0, -1, ... reverse."""
    return gear_of(gears, speed) if speed >= 0 else 1 - gear_of(reverse_of(gears), -speed)


@rule("emlia.mode.accel", "emlia.mode.accel.double-pace", "emlia.mode.accel.example-tank")
def may_go_at(gears: Sequence[float], last: float, speed: float, shifts: int = 1) -> bool:
    """Return whether a unit with gears may choose a speed of its last gear or an adjacent one.

    Reverse is open only from the lowest gear.

    last, speed : GSU in the last action and in this one; negative in reverse
    shifts : gears up or down, 2 at Double Pace
    """
    if speed > gears[-1] or speed < -reverse_of(gears)[-1]:
        return False
    before, now = _step_of(gears, last), _step_of(gears, speed)
    if speed == 0 and before <= 0:
        now = 0
    return abs(now - before) <= shifts and (now > 0 or before <= 1)


def fastest(gears: Sequence[float], last: float, shifts: int = 1) -> float:
    """Return the highest allowed forward speed; 0 if the unit must still go backward."""
    step = min(_step_of(gears, last) + shifts, len(gears))
    return gears[step - 1] if step > 0 else 0.0


@rule("emlia.mode.accel.must-move")
def slowest(gears: Sequence[float], last: float, shifts: int = 1) -> float:
    """Return the lowest allowed speed, in whole GSU above a gear; negative in reverse.

    0 from the two lowest gears, and from the lowest two in reverse.
    """
    step = _step_of(gears, last)
    if step > 0:
        lowest = step - shifts
        return floor(gears[lowest - 2]) + 1.0 if lowest > 1 else 0.0
    highest = step + shifts
    return 0.0 if highest >= 0 else -(floor(reverse_of(gears)[-highest - 1]) + 1.0)


@rule("emlia.mode.accel.start")
def starting_speed(printed: float | None) -> float:
    """Return the last speed when the game starts: 0, unless the scenario says otherwise."""
    return 0.0 if printed is None else printed


@rule("emlia.mode.turn-limited", "emlia.mode.turn-limited.example-tank")
def run_before_turn(movement: Movement, speed: float) -> float:
    """Return the straight run required before each turn of up to 45 degrees, GSU, by gear.

    Counted again after each turn and in each move action; 0 where turns are not limited.
    """
    if not movement.turns:
        return 0.0
    if not movement.gears:
        return movement.turns[0]
    gears = movement.gears if speed >= 0 else reverse_of(movement.gears)
    return movement.turns[gear_of(gears, abs(speed)) - 1]
