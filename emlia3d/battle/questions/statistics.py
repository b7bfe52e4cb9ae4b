"""The statistics of a battle: per unit, per turn and side, and luck."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Fall, Leave, Place
from emlia3d.battle.decisions import Order
from emlia3d.battle.questions.place_counts import PlaceCount, PlaceCounter

if TYPE_CHECKING:
    from emlia3d.battle.events import Event
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.attacks import AttackKind, AttackRoll
    from emlia3d.battle.questions.report import Happening


@dataclass(slots=True, kw_only=True)
class UnitStatistics:
    """Actions and losses of a unit, together with the parts into which it divided.

    strength, left : members at the start and at the end
    shots, blows : ranged attacks and close combat attacks
    hits : hits of both
    inflicted : members that enemies lost by its hits. Each loss is shared among the units that have
        hit since the last loss, in proportion to their hits, so it may be a fraction
    lost_to_shots, lost_to_blows : members that fell after such hits; if both kinds hit, in
        proportion to the hits. Fractions are possible
    lost_otherwise : members that fell without a recorded hit
    departed : members that left the field alive
    distance : sum of the straight distances between the start and the end of each move, GSU
    turns_known : turns at the end of which it stood on the field and an enemy was aware of it
    lowest_morale : at the ends of turns; None if the rules know no morale
    broke, broke_because : turn in which it first routed, and the rules that decided it, with
        spaces between them; None if it did not
    broke_first : it was the first unit of the battle to rout
    out, out_how, out_because : turn in which it ended, the name of the event, and its first rule
    """

    name: str
    side: str
    strength: int
    left: int = 0
    shots: int = 0
    blows: int = 0
    hits: int = 0
    inflicted: float = 0.0
    lost_to_shots: float = 0.0
    lost_to_blows: float = 0.0
    lost_otherwise: float = 0.0
    departed: int = 0
    distance: float = 0.0
    turns_known: int = 0
    lowest_morale: float | None = None
    broke: int | None = None
    broke_because: str | None = None
    broke_first: bool = False
    out: int | None = None
    out_how: str | None = None
    out_because: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTurn:
    """A side at the end of a turn.

    turn : 0 before the first event
    members : number of members on the field
    morale : mean of its units on the field; None without units or if the rules have no morale
    """

    turn: int
    side: str
    members: int
    morale: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SideLuck:
    """The rolled hits of a side, compared with the expected hits.

    dice : number of attack dice with known probabilities; other dice do not count
    expected, deviation : mean and standard deviation of the hits of these dice
    p_value : probability of a difference at least as large, by the normal approximation; 1
        if chance decided nothing
    """

    side: str
    dice: int
    hits: int
    expected: float
    deviation: float
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleStatistics:
    """The statistics of a battle.

    units : units in the order of the scenario
    turns : sides at the end of each turn, in the order of turns, then of sides
    luck : luck of each side, in the order of the sides
    first_broken : name of the unit that routed first; None if none did
    places : figures by side, kind and square of the field
    """

    units: tuple[UnitStatistics, ...]
    turns: tuple[SideTurn, ...]
    luck: tuple[SideLuck, ...]
    first_broken: str | None
    places: tuple[PlaceCount, ...]


def statistics(moment: Moment, story: Iterable[Happening]) -> BattleStatistics:
    """Return the statistics of a battle.

    moment : the battle before its first event
    story : all that happens in it; each event is applied to *moment* before it is yielded

    Raises
    ------
    ValueError, LogError
        As *story* raises them, for an event that does not fit.
    """
    count = _Count(moment)
    count.close_turn(0)
    turn = moment.state.turn
    for one in story:
        if isinstance(one, Order):
            continue
        if moment.state.turn != turn:
            if turn:
                count.close_turn(turn)
            turn = moment.state.turn
        count.add(one)
    if turn:
        count.close_turn(turn)
    return count.result()


@dataclass(slots=True)
class _Luck:
    """Sums over the dice of a side."""

    dice: int = 0
    hits: int = 0
    expected: Fraction = field(default_factory=Fraction)
    variance: Fraction = field(default_factory=Fraction)

    def for_side(self, side: str) -> SideLuck:
        deviation = math.sqrt(self.variance)
        away = abs(float(self.hits - self.expected))
        return SideLuck(
            side=side,
            dice=self.dice,
            hits=self.hits,
            expected=float(self.expected),
            deviation=deviation,
            p_value=math.erfc(away / deviation / math.sqrt(2)) if deviation else 1.0,
        )


class _Count:
    """The statistics so far.

    hits : (attacker's row, kind, hits) on each unit since its last loss
    """

    def __init__(self, moment: Moment) -> None:
        self.moment, self.sides = moment, [side.name for side in moment.setup.sides]
        self.rows = {
            row: UnitStatistics(
                name=unit.name, side=self.sides[unit.muster.side], strength=unit.muster.members
            )
            for row, unit in enumerate(moment.setup.units)
            if moment.setup.deployed_as(row) == row
        }
        self.turns: list[SideTurn] = []
        self.luck = [_Luck() for _ in self.sides]
        self.first_broken: str | None = None
        self.hits: dict[int, list[tuple[int, AttackKind, int]]] = {}
        self.places = PlaceCounter(moment)
        self._remember()

    def _remember(self) -> None:
        """Keep what an event changes before the story shows it."""
        units = self.moment.state.units
        self.members = units.ints("members").copy()
        self.x, self.y = units.floats("x").copy(), units.floats("y").copy()

    def of(self, row: int) -> UnitStatistics:
        return self.rows[self._whole(row)]

    def add(self, event: Event) -> None:
        attack = self.moment.system.attack(self.moment.setup, event)
        if attack is not None and event.unit is not None:
            self._attacked(event.unit, attack)
        if event.unit is not None:
            self._broke(event.unit, event)
        if event.changes:
            self._changed(event)
            self._remember()

    def _attacked(self, unit: int, attack: AttackRoll) -> None:
        own = self.of(unit)
        if attack.dice:
            own.shots += attack.kind == "shot"
            own.blows += attack.kind == "blow"
            own.hits += attack.hits
        if attack.dice and attack.chances:
            luck = self.luck[self.moment.setup.units[unit].muster.side]
            luck.dice += attack.dice
            luck.hits += attack.hits
            luck.expected += attack.expected
            luck.variance += attack.variance
        for struck, hits in attack.struck:
            if hits:
                self.hits.setdefault(self._whole(struck), []).append((unit, attack.kind, hits))

    def _whole(self, row: int) -> int:
        """Return the row of the unit of which a unit is a part."""
        return self.moment.setup.deployed_as(row)

    def _broke(self, unit: int, event: Event) -> None:
        own = self.of(unit)
        if own.broke is None and "rout" in self.moment.system.highlights(self.moment.setup, event):
            own.broke, own.broke_because = self.moment.state.turn, " ".join(event.because)
            own.broke_first = self.first_broken is None
            self.first_broken = self.first_broken or own.name

    def _changed(self, event: Event) -> None:
        for change in event.changes:
            match change:
                case Fall(unit=unit, figures=figures):
                    self._fell(unit, len(figures))
                    self._ended(unit, event)
                case Leave(unit=unit):
                    if event.gesture == "suffer":
                        self._fell(unit, int(self.members[unit]))
                    else:
                        self.of(unit).departed += int(self.members[unit])
                    self._ended(unit, event)
                case Place(unit=unit, x=x, y=y) if event.gesture == "march":
                    gone = math.hypot(x - self.x[unit], y - self.y[unit])
                    self.x[unit], self.y[unit] = x, y
                    self.of(unit).distance += float(gone)
                case _:
                    pass

    def _ended(self, unit: int, event: Event) -> None:
        """Record the end of a unit when none of its bodies stands any more."""
        own, units = self.of(unit), self.moment.state.units
        bodies = self.moment.setup.bodies_of(self._whole(unit))
        if not any(units.integer("members", body) for body in bodies):
            own.out, own.out_how = self.moment.state.turn, event.name
            own.out_because = event.because[0] if event.because else None

    def _fell(self, unit: int, count: int) -> None:
        """Share losses among the hits since the last loss, in proportion."""
        own, hits = self.of(unit), self.hits.pop(self._whole(unit), [])
        self.places.add("fell", unit, count, float(self.x[unit]), float(self.y[unit]))
        total = sum(number for _, _, number in hits)
        if not total:
            own.lost_otherwise += count
        for attacker, kind, number in hits:
            share = count * number / total
            if kind == "shot":
                own.lost_to_shots += share
            else:
                own.lost_to_blows += share
            self.of(attacker).inflicted += share

    def close_turn(self, turn: int) -> None:
        """Record the sides, and how units stand, as a turn ends."""
        setup, system, units = self.moment.setup, self.moment.system, self.moment.state.units
        known: set[int] = set()
        for side in range(len(self.sides)):
            hidden = frozenset(system.hidden_from(self.moment, side))
            known.update(
                row
                for row, unit in enumerate(setup.units)
                if setup.hostile(side, unit.muster.side) and row not in hidden
            )
        here = [row for row in range(len(setup.units)) if units.value("present", row)]
        morales = {row: system.morale(self.moment, row) for row in here}
        if turn:
            for mustered in {setup.deployed_as(row): None for row in here if row in known}:
                self.rows[mustered].turns_known += 1
            for row in here:
                figures, place = units.integer("members", row), self._place(row)
                self.places.add("stood", row, figures, *place)
                if row in known:
                    self.places.add("seen", row, figures, *place)
        for row, morale in morales.items():
            own = self.of(row)
            if morale is not None and (own.lowest_morale is None or morale < own.lowest_morale):
                own.lowest_morale = morale
        for side, name in enumerate(self.sides):
            mine = [row for row in here if setup.units[row].muster.side == side]
            known_morale = [value for row in mine if (value := morales[row]) is not None]
            self.turns.append(
                SideTurn(
                    turn=turn,
                    side=name,
                    members=sum(units.integer("members", row) for row in mine),
                    morale=sum(known_morale) / len(known_morale) if known_morale else None,
                )
            )

    def _place(self, row: int) -> tuple[float, float]:
        units = self.moment.state.units
        return float(units.value("x", row)), float(units.value("y", row))

    def result(self) -> BattleStatistics:
        units = self.moment.state.units
        for row, own in self.rows.items():
            own.left = sum(
                units.integer("members", body) for body in self.moment.setup.bodies_of(row)
            )
        return BattleStatistics(
            units=tuple(self.rows.values()),
            turns=tuple(self.turns),
            luck=tuple(
                luck.for_side(side) for luck, side in zip(self.luck, self.sides, strict=True)
            ),
            first_broken=self.first_broken,
            places=tuple(self.places.counts()),
        )
