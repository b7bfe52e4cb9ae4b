"""Emlia, chapters 21.5 and 21.6: changes of morale, and morale states.

Holds `emlia.morale.neg`, `emlia.morale.pos`, `emlia.morale.notes`, `emlia.morale.update`,
`emlia.morale.this-turn`, `emlia.morale.per-resolution`, `emlia.morale.second-pass`,
`emlia.morale.reaches`, `emlia.morale.bounds`, `emlia.morale.percent-base`,
`emlia.morale.casualty-sums`, `emlia.morale.state`, `emlia.morale.army-value` and
`emlia.morale.entering`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from emlia3d.rules.emlia.basics.tables import Modified, Row, total
from emlia3d.rules.emlia.basics.thresholds import has_suffered
from emlia3d.rules.rulebook import rule, rule_rows

LOWEST, HIGHEST = -7, 7
FALLS_BACK, RETREATS, ROUTS = -1, -4, -7

ArmyValues: TypeAlias = tuple[float, ...]


class Mark(Enum):
    """The mark of a row: once a turn, or weighed by the army value of friends."""

    NONE = ""
    TURN = "turn"
    IGNORED_IF_LOWER = "*"
    HALVED_IF_LOWER = "**"
    IGNORED_IF_ALL_LOWER = "***"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoraleFacts:
    """The facts of a unit up to one resolution that its morale depends on.

    Friends are represented by their army values. Facts "when it activated" date from the start of
    its activation.

    suffered : it took casualties or damage this turn
    lost, strength : members or damage lost this turn, and had when it began; None: no percentage
    nearest_friend_retreating : the one nearest in sight, if at -4 or lower
    all_friends_retreating : all in sight, if each of them is at -4 or lower
    friends_casualties, friends_wiped_out : in sight within 20 GSU
    friend_runs_through : the most valued of them
    unharmed : attacked this turn and not harmed; known, and so given, only as the turn ends
    ordered : it is not disordered
    enemy_destroyed_near : an enemy within 20 GSU that it attacked this turn was wiped out
    """

    army_value: float = 1
    charge_failed: bool = False
    uphill: bool = False
    suffered: bool = False
    lost: float = 0
    strength: float | None = None
    threshold: bool = False
    unseen_enemy: bool = False
    outnumbered: bool = False
    nearest_friend_retreating: ArmyValues = ()
    all_friends_retreating: ArmyValues = ()
    friends_casualties: ArmyValues = ()
    friends_wiped_out: ArmyValues = ()
    friend_runs_through: ArmyValues = ()
    leader_killed: bool = False
    general_killed: bool = False
    forced_into_friend: bool = False
    friend_forced_into: bool = False
    terrain_stopped: bool = False
    forced_into_enemy: bool = False
    unharmed: bool = False
    inflicts: bool = False
    inflicts_10: bool = False
    outnumbers: bool = False
    wipes_out: bool = False
    enemy_destroyed_near: bool = False
    forced_enemy_into_enemy: bool = False
    forced_enemy_into_friend: bool = False
    enemy_forced_into: bool = False
    ordered: bool = True

    @rule("emlia.morale.casualty-sums")
    def has_lost(self, percent: int) -> bool:
        """Return whether at least *percent* of the strength at the turn's beginning is lost."""
        return self.strength is not None and has_suffered(self.lost, self.strength, percent)


@dataclass(frozen=True, slots=True)
class MoraleRow:
    """A row of a morale table; *holds* gives army values where its mark weighs friends."""

    slug: str
    modifier: int
    mark: Mark
    holds: Callable[[MoraleFacts], bool | ArmyValues]


# fmt: off
NEGATIVE: tuple[MoraleRow, ...] = (
    MoraleRow("emlia.morale.neg.charge-failed", -1, Mark.NONE, lambda unit: unit.charge_failed),
    MoraleRow("emlia.morale.neg.uphill", -1, Mark.NONE, lambda unit: unit.uphill),
    MoraleRow("emlia.morale.neg.casualties", -1, Mark.TURN, lambda unit: unit.suffered),
    MoraleRow("emlia.morale.neg.threshold", -1, Mark.NONE, lambda unit: unit.threshold),
    MoraleRow("emlia.morale.neg.casualties-10", -1, Mark.TURN, lambda unit: unit.has_lost(10)),
    MoraleRow("emlia.morale.neg.casualties-25", -2, Mark.TURN, lambda unit: unit.has_lost(25)),
    MoraleRow("emlia.morale.neg.casualties-50", -2, Mark.TURN, lambda unit: unit.has_lost(50)),
    MoraleRow("emlia.morale.neg.casualties-75", -2, Mark.TURN, lambda unit: unit.has_lost(75)),
    MoraleRow("emlia.morale.neg.unseen-enemy", -1, Mark.TURN, lambda unit: unit.unseen_enemy),
    MoraleRow("emlia.morale.neg.outnumbered", -1, Mark.NONE, lambda unit: unit.outnumbered),
    MoraleRow("emlia.morale.neg.nearest-friend-retreating", -1, Mark.IGNORED_IF_LOWER,
              lambda unit: unit.nearest_friend_retreating),
    MoraleRow("emlia.morale.neg.all-friends-retreating", -2, Mark.IGNORED_IF_ALL_LOWER,
              lambda unit: unit.all_friends_retreating),
    MoraleRow("emlia.morale.neg.friend-casualties", -1, Mark.IGNORED_IF_LOWER,
              lambda unit: unit.friends_casualties),
    MoraleRow("emlia.morale.neg.friend-wiped-out", -2, Mark.HALVED_IF_LOWER,
              lambda unit: unit.friends_wiped_out),
    MoraleRow("emlia.morale.neg.friend-runs-through", -2, Mark.IGNORED_IF_LOWER,
              lambda unit: unit.friend_runs_through),
    MoraleRow("emlia.morale.neg.leader-killed", -2, Mark.NONE, lambda unit: unit.leader_killed),
    MoraleRow("emlia.morale.neg.general-killed", -2, Mark.NONE, lambda unit: unit.general_killed),
    MoraleRow("emlia.morale.neg.forced-into-friend", -1, Mark.NONE,
              lambda unit: unit.forced_into_friend),
    MoraleRow("emlia.morale.neg.friend-forced-into", -1, Mark.NONE,
              lambda unit: unit.friend_forced_into),
    MoraleRow("emlia.morale.neg.terrain-stopped", -1, Mark.TURN,
              lambda unit: unit.terrain_stopped),
    MoraleRow("emlia.morale.neg.forced-into-enemy", -4, Mark.NONE,
              lambda unit: unit.forced_into_enemy),
)

POSITIVE: tuple[MoraleRow, ...] = (
    MoraleRow("emlia.morale.pos.unharmed", +1, Mark.TURN, lambda unit: unit.unharmed),
    MoraleRow("emlia.morale.pos.inflicts", +1, Mark.NONE, lambda unit: unit.inflicts),
    MoraleRow("emlia.morale.pos.inflicts-10", +1, Mark.NONE, lambda unit: unit.inflicts_10),
    MoraleRow("emlia.morale.pos.outnumbers", +1, Mark.NONE, lambda unit: unit.outnumbers),
    MoraleRow("emlia.morale.pos.wipes-out", +2, Mark.NONE, lambda unit: unit.wipes_out),
    MoraleRow("emlia.morale.pos.enemy-destroyed-near", +1, Mark.NONE,
              lambda unit: unit.enemy_destroyed_near),
    MoraleRow("emlia.morale.pos.forced-enemy-into-enemy", +1, Mark.NONE,
              lambda unit: unit.forced_enemy_into_enemy),
    MoraleRow("emlia.morale.pos.forced-enemy-into-friend", +1, Mark.NONE,
              lambda unit: unit.forced_enemy_into_friend),
    MoraleRow("emlia.morale.pos.enemy-forced-into", +1, Mark.NONE,
              lambda unit: unit.enemy_forced_into and unit.ordered),
)
# fmt: on

TABLE = NEGATIVE + POSITIVE
TURN_ROWS = tuple(row.slug for row in TABLE if row.mark is Mark.TURN)
"""Rows that are given once a turn at most, in the table's order."""


@rule("emlia.morale.notes")
def weighed(modifier: int, mark: Mark, friends: ArmyValues, army_value: float) -> int:
    """Return the modifier of a row, weighed by the army values of the friends it concerns.

    `*` and `**` weigh each friend alone. A friend of lower army value than the unit that tests
    counts nothing, or half; one of double the value or more counts twice. An equal friend counts
    once, also at 0, where double is the same as equal. `***` weighs all friends as one: nothing
    if all are lower, twice if any has double or more.
    """
    doubled = [friend >= 2 * army_value and friend > army_value for friend in friends]
    lower = [friend < army_value for friend in friends]
    if mark is Mark.IGNORED_IF_ALL_LOWER:
        return 0 if all(lower) else 2 * modifier if any(doubled) else modifier
    least = int(modifier / 2) if mark is Mark.HALVED_IF_LOWER else 0
    return sum(
        least if is_lower else 2 * modifier if is_double else modifier
        for is_lower, is_double in zip(lower, doubled, strict=True)
    )


@dataclass(frozen=True, slots=True)
class MoraleChange:
    """The effect of a resolution on a unit's morale.

    because : the rows that counted, in the tables' order
    given : the rows given so far this turn, this change included
    reasons : the rules that left a row out or changed its value
    """

    total: int
    because: tuple[str, ...]
    given: frozenset[str]
    reasons: tuple[str, ...] = ()


@rule("emlia.morale.update", "emlia.morale.this-turn", "emlia.morale.per-resolution")
@rule_rows(*(row.slug for row in TABLE))
def morale_change(
    unit: MoraleFacts,
    given: frozenset[str] = frozenset(),
    rows: Sequence[MoraleRow] = TABLE,
) -> MoraleChange:
    """Return the change by both morale tables in one resolution, without the second pass.

    given : rows marked "turn" that the unit has had this turn; they are not given again
    """
    total, because, reasons = 0, list[str](), list[str]()
    for row in rows:
        held = row.holds(unit)
        if not held or row.slug in given:
            reasons += ["emlia.morale.this-turn"] if held else []
            continue
        change = row.modifier
        if isinstance(held, tuple):
            change = weighed(row.modifier, row.mark, held, unit.army_value)
            alike = row.modifier * (1 if row.mark is Mark.IGNORED_IF_ALL_LOWER else len(held))
            reasons += ["emlia.morale.notes"] if change != alike else []
        if change:
            total += change
            because.append(row.slug)
    once = frozenset(row.slug for row in rows if row.mark is Mark.TURN)
    every = given | once.intersection(because)
    return MoraleChange(total, tuple(because), every, tuple(dict.fromkeys(reasons)))


@rule("emlia.morale.reaches")
def reaches(before: int, after: int, morale: int) -> bool:
    """Return whether morale fell in this resolution from above *morale* to it or below."""
    return before > morale >= after


Falls: TypeAlias = tuple[tuple[int, int], ...]
"""(before, after) morale of enemies in one resolution."""

SECOND_PASS: tuple[Row[Falls], ...] = (
    Row("emlia.morale.pos.enemy-retreats", +1,
        lambda falls: any(reaches(before, after, RETREATS) for before, after in falls)),
    Row("emlia.morale.pos.enemy-routs", +1,
        lambda falls: any(reaches(before, after, ROUTS) for before, after in falls)),
)  # fmt: skip


@rule("emlia.morale.second-pass")
@rule_rows(*(row.slug for row in SECOND_PASS))
def second_pass(
    attacked: Iterable[tuple[int, int]], rows: Sequence[Row[Falls]] = SECOND_PASS
) -> Modified:
    """Return the gain from the fall of enemies attacked this turn: each row once.

    attacked : (before, after) morale of each of them, after all other changes of this
        resolution; a fall from -3 to -7 gives both rows
    """
    return total(rows, tuple(attacked))


@rule("emlia.morale.bounds")
def bounded(morale: int) -> int:
    """Return the morale, limited to -7 to +7."""
    return min(max(morale, LOWEST), HIGHEST)


@rule("emlia.morale.percent-base")
def percent_base(
    *, members: int, single: bool, limit: int | None = None, damage: int = 0
) -> int | None:
    """Return the strength at the start of the turn, the base of percentages.

    A unit counts members; a single character counts what its damage limit leaves it, and one
    without a limit has no percentages (None).
    """
    if not single:
        return members
    return None if limit is None else limit - damage


@dataclass(frozen=True, slots=True, kw_only=True)
class MoraleState:
    """A morale state and its standing conditions.

    army_value : added to the unit's army value as long as the state lasts
    disorders : falling into it makes the unit disordered
    """

    slug: str
    name: str
    lowest: int
    highest: int
    army_value: int = 0
    disorders: bool = False


# fmt: off
STATES = (
    MoraleState(slug="emlia.morale.state.victorious", name="Victorious",
                lowest=7, highest=7, army_value=2),
    MoraleState(slug="emlia.morale.state.eager", name="Eager", lowest=4, highest=6, army_value=1),
    MoraleState(slug="emlia.morale.state.normal", name="Normal", lowest=1, highest=3),
    MoraleState(slug="emlia.morale.state.shaken", name="Shaken",
                lowest=0, highest=0, disorders=True),
    MoraleState(slug="emlia.morale.state.falling-back", name="Falling Back",
                lowest=-3, highest=-1, disorders=True),
    MoraleState(slug="emlia.morale.state.retreating", name="Retreating",
                lowest=-6, highest=-4, disorders=True),
    MoraleState(slug="emlia.morale.state.routed", name="Routed",
                lowest=-7, highest=-7, disorders=True),
)
# fmt: on


@rule("emlia.morale.state")
@rule_rows(*(state.slug for state in STATES))
@rule("emlia.morale.example-kay")
def state_of(morale: int) -> MoraleState:
    """Return the morale state of a value; values beyond the table take its end state."""
    held = bounded(morale)
    return next(state for state in STATES if state.lowest <= held <= state.highest)


@rule("emlia.morale.army-value", "emlia.attr.army-value")
def army_value_of(printed: float, morale: int) -> float:
    """Return a unit's current army value: the printed one plus its morale state's."""
    return printed + state_of(morale).army_value


@rule("emlia.morale.entering")
@rule("emlia.disorder.causes")
def is_fall(before: int, after: int) -> bool:
    """Return whether the unit fell into a low state and so is disordered; rising is recovery."""
    return after < before and state_of(after).disorders and state_of(after) != state_of(before)
