"""The results of a battle, before they are laid out."""

from __future__ import annotations

from dataclasses import dataclass

from emlia3d.battle.questions.statistics import BattleStatistics, UnitStatistics
from emlia3d.battle.result import Result
from emlia3d.battle.setup import Setup

MOST_POINTS = 12
"""Key events that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """The losses and the end of a unit.

    colour : of its side, "#rrggbb"
    counts : start, left, lost to shots, to blows, otherwise, and inflicted; in figures
    end : its rout and its end, in words; "" for neither
    """

    name: str
    colour: str
    counts: tuple[float, ...]
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningPoint:
    """A step at which a leader was lost, or a unit routed or destroyed.

    turn : of the step; colour : of the unit's side, "#rrggbb"; text : what happened, in words
    leads : whether a leader was lost; figures : of the unit at its start
    """

    step: int
    turn: int
    colour: str
    text: str
    leads: bool
    figures: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SideCourse:
    """A side over the turns.

    colour : "#rrggbb"
    strength : share of its figures that stand on the field as each turn ends, from turn 0 on
    morale : mean of its units; None without units on the field, if the rules know no morale, and
        in turn 0, because it need not be settled yet
    """

    name: str
    colour: str
    strength: tuple[float, ...]
    morale: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsCard:
    """The results of a battle.

    outcome : who won; reason : why, in a sentence; counting : whether all else is still unknown
    rows : (label, a value for each side)
    units : in the order of the scenario
    points : the key events that are listed, in the order of the battle; more : the others
    sides : in the order of the scenario
    """

    outcome: str
    reason: str
    counting: bool = False
    rows: tuple[tuple[str, tuple[str, ...]], ...] = ()
    units: tuple[UnitResult, ...] = ()
    points: tuple[TurningPoint, ...] = ()
    more: int = 0
    sides: tuple[SideCourse, ...] = ()


def results_card(
    setup: Setup,
    found: BattleStatistics,
    result: Result | None,
    points: tuple[TurningPoint, ...],
) -> ResultsCard:
    """Return the results of a battle from its statistics.

    result : None for a battle that was broken off
    points : its key events
    """
    return ResultsCard(
        outcome=outcome_of(result),
        reason="" if result is None else result.reason,
        rows=_rows(found),
        units=_units(setup, found),
        points=_weightiest(points),
        more=max(len(points) - MOST_POINTS, 0),
        sides=_courses(setup, found),
    )


def _weightiest(points: tuple[TurningPoint, ...]) -> tuple[TurningPoint, ...]:
    """Return the points of leaders, of large units and the latest, in the order of the battle."""
    ranked = sorted(points, key=lambda point: (point.leads, point.figures, point.step))
    return tuple(sorted(ranked[-MOST_POINTS:], key=lambda point: point.step))


def outcome_of(result: Result | None) -> str:
    """Return who won a battle, in words."""
    if result is None:
        return "The battle was stopped"
    return "Draw" if result.winner is None else f"{result.winner}: {result.level}"


def _rows(found: BattleStatistics) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the sides' losses by cause, and their luck."""
    of_side = [[unit for unit in found.units if unit.side == luck.side] for luck in found.luck]

    def summed(name: str) -> tuple[str, ...]:
        return tuple(
            f"{sum(float(getattr(unit, name)) for unit in units):,.0f}" for units in of_side
        )

    rows = [
        ("figures at the start", summed("strength")),
        ("figures at the end", summed("left")),
        ("lost to shots", summed("lost_to_shots")),
        ("lost to blows", summed("lost_to_blows")),
        ("lost otherwise", summed("lost_otherwise")),
        ("left the field", summed("departed")),
    ]
    if any(luck.dice for luck in found.luck):
        rows += [
            ("hits rolled", tuple(f"{luck.hits:,}" for luck in found.luck)),
            ("hits expected", tuple(f"{luck.expected:,.1f}" for luck in found.luck)),
            ("chance to be so far off", tuple(f"{luck.p_value:.0%}" for luck in found.luck)),
        ]
    return tuple(rows)


def _units(setup: Setup, found: BattleStatistics) -> tuple[UnitResult, ...]:
    colours = {side.name: side.colour for side in setup.sides}
    return tuple(
        UnitResult(
            name=unit.name,
            colour=colours[unit.side],
            counts=(
                unit.strength,
                unit.left,
                unit.lost_to_shots,
                unit.lost_to_blows,
                unit.lost_otherwise,
                unit.inflicted,
            ),
            end=_end(unit),
        )
        for unit in found.units
    )


def _end(unit: UnitStatistics) -> str:
    """Return in which turns a unit routed and ended, in words."""
    words = []
    if unit.broke is not None:
        words.append(f"routed in turn {unit.broke}")
    if unit.out is not None:
        how = "left the field" if unit.departed else "none left"
        words.append(f"{how} in turn {unit.out}")
    return ", ".join(words)


def _courses(setup: Setup, found: BattleStatistics) -> tuple[SideCourse, ...]:
    courses = []
    for side in setup.sides:
        turns = [turn for turn in found.turns if turn.side == side.name]
        whole = sum(unit.strength for unit in found.units if unit.side == side.name)
        courses.append(
            SideCourse(
                name=side.name,
                colour=side.colour,
                strength=tuple(turn.members / whole if whole else 0.0 for turn in turns),
                morale=tuple(turn.morale if turn.turn else None for turn in turns),
            )
        )
    return tuple(courses)
