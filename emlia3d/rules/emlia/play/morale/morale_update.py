"""Emlia, chapter 21.5 as play: what a resolution does to everyone's morale.

The tables are in `emlia3d.rules.emlia.tables.morale`. An `MoraleInputs` gathers what they ask about
while the other steps of the resolution are worked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.numbers import in_force, numbers_of
from emlia3d.rules.emlia.basics.tables import UNMODIFIED, Modified
from emlia3d.rules.emlia.basics.thresholds import has_suffered, in_reach
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.events.losses import Heartened, Held, Shaken
from emlia3d.rules.emlia.play.combat.close_combat import FOUGHT_LEVEL, FRONTS
from emlia3d.rules.emlia.play.morale.reasons import morale_because
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by, friends_of, fronts_of, is_ranked
from emlia3d.rules.emlia.play.situation.parts import head_of, is_led_from, on_field, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.engagement import ranked_morale
from emlia3d.rules.emlia.tables.morale import (
    SECOND_PASS,
    TABLE,
    TURN_ROWS,
    MoraleChange,
    MoraleFacts,
    army_value_of,
    bounded,
    is_fall,
    morale_change,
    second_pass,
    state_of,
)
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


class CasualtyCause(Protocol):
    """The units behind a unit's losses."""

    attackers: tuple[int, ...]
    wiped_out_by: tuple[int, ...]
    unseen: bool
    rolls: list[Any]


class MoraleInputs:
    """The facts of one resolution that morale depends on.

    Made before anything moves, as it keeps on which sides enemies engage.

    swept_away : units pressed over a brink, and the units that pressed them
    run_into : units forced into a friend, each with that one
    is_rehearsed : no unit is activated afterwards, so none has to remember what it saw
    """

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.is_rehearsed = False
        self.turn_ends = False
        self.thresholds: set[int] = set()
        self.vital_morale: dict[int, int] = {}
        self.unseen: set[int] = set()
        self.inflicts: set[int] = set()
        self.inflicts_10: set[int] = set()
        self.wipes_out: set[int] = set()
        self.destroyed: set[int] = set()
        self.saw_general_die: set[int] = set()
        self.lost_leader: set[int] = set()
        self.terrain_stopped: set[int] = set()
        self.swept_away: dict[int, tuple[int, ...]] = {}
        self.run_into: list[tuple[int, int]] = []
        self.forced_into_friend: set[int] = set()
        self.friend_forced_into: set[int] = set()
        self.forced_into_enemy: set[int] = set()
        self.enemy_forced_into: set[int] = set()
        self.forced_enemy_into_enemy: set[int] = set()
        self.forced_enemy_into_friend: set[int] = set()
        self._harm: dict[int, int] = {}
        self._attackers: dict[int, set[int]] = {}
        fought = moment.state.pairs["fought"]
        self.uphill = {a for (a, _), how in fought.items() if how > FOUGHT_LEVEL}
        self.uphill |= {b for (_, b), how in fought.items() if how < FOUGHT_LEVEL}
        self.flanks = {
            unit: self._ranked(unit)
            for unit in sorted({unit for pair in fought for unit in pair})
            if is_ranked(moment, unit)
        }
        side = moment.state.units.ints("side")
        self.attacked = [
            (a, b)
            for a, b in sorted(moment.state.pairs["attacked"])
            if moment.setup.hostile(int(side[a]), int(side[b]))
        ]
        self._places = situation_of(moment).outlines(range(len(moment.state.units)))

    def _ranked(self, unit: int) -> Modified:
        """Return the morale of a ranked unit that fought across its flanks or rear."""
        fronts = self.moment.state.pairs["front"]
        sides = {FRONTS[int(fronts[a, b])] for a, b in sorted(fronts) if a == unit}
        foes = engaged_by(self.moment, unit)
        engaged = {side for foe in foes for side in fronts_of(self.moment, unit, foe)}
        return ranked_morale(
            [side for side in sides if side is not None],
            [side for side in engaged if side is not None],
        )

    def suffered(self, row: int, harm: int, blame: CasualtyCause, *, destroyed: bool) -> None:
        """Record the damage of a subunit or plain unit, inflicted by its attackers.

        Losses count over the whole of a mixed unit, and it is wiped out with the last of them.
        """
        units, unit = self.moment.state.units, head_of(self.moment, row)
        self.thresholds |= {unit} if blame.rolls else set()
        wounds = sum(vital.morale for vital in blame.rolls)
        self.vital_morale[unit] = self.vital_morale.get(unit, 0) + wounds
        self.unseen |= {unit} if blame.unseen else set()
        self.inflicts |= set(blame.attackers)
        self._harm[unit] = self._harm.get(unit, 0) + harm
        self._attackers.setdefault(unit, set()).update(blame.attackers)
        strength = units.integer("strength_now", unit)
        if strength > 0 and has_suffered(self._harm[unit], strength, 10):
            self.inflicts_10 |= self._attackers[unit]
        if destroyed:
            self._gone(row, unit, blame)

    def _gone(self, row: int, unit: int, blame: CasualtyCause) -> None:
        """Record that a subunit or plain unit is destroyed."""
        units, parts = self.moment.state.units, parts_of(self.moment, unit)
        if parts == (row,):
            self.destroyed.add(unit)
            self.wipes_out |= set(blame.wiped_out_by)
        elif is_led_from(self.moment, unit, row):
            self.lost_leader.add(unit)
        self.lost_leader |= set(np.flatnonzero(units.ints("leader") == row).tolist())
        if row == general_of(self.moment, units.integer("side", row)):
            self._mourn(unit)

    def _mourn(self, general: int) -> None:
        """Record which of its units see the general fall (`emlia.morale.neg.general-killed`)."""
        side = self.moment.state.units.ints("side")
        own = [unit for unit in friends_of(self.moment, general) if side[unit] == side[general]]
        sight_cache_of(self.moment).look(own, [general])
        self.saw_general_die |= {unit for unit in own if is_aware(self.moment, unit, general)}

    def facts(self, unit: int) -> MoraleFacts:
        """Return the facts that the tables require for one unit."""
        battle, units = self.moment, self.moment.state.units
        lost, strength = units.integer("lost_turn", unit), units.integer("strength_now", unit)
        hurt = units.integer("hurt_at", unit) == battle.state.turn
        notes = self._notes(unit)
        return MoraleFacts(
            army_value=value_of(battle, unit),
            charge_failed=MoraleNote.CHARGE_FAILED in notes,
            uphill=unit in self.uphill,
            suffered=hurt,
            lost=lost,
            strength=None if strength < 0 else strength,
            threshold=unit in self.thresholds,
            unseen_enemy=unit in self.unseen,
            outnumbered=MoraleNote.OUTNUMBERED in notes,
            nearest_friend_retreating=notes.get(MoraleNote.NEAREST_FRIEND_RETREATING, ()),
            all_friends_retreating=notes.get(MoraleNote.ALL_FRIENDS_RETREATING, ()),
            friends_casualties=notes.get(MoraleNote.FRIENDS_CASUALTIES, ()),
            friends_wiped_out=notes.get(MoraleNote.FRIENDS_WIPED_OUT, ()),
            friend_runs_through=notes.get(MoraleNote.FRIEND_RAN_THROUGH, ()),
            leader_killed=unit in self.lost_leader,
            general_killed=unit in self.saw_general_die,
            forced_into_friend=unit in self.forced_into_friend,
            friend_forced_into=unit in self.friend_forced_into,
            terrain_stopped=unit in self.terrain_stopped,
            forced_into_enemy=unit in self.forced_into_enemy,
            unharmed=self.turn_ends and not hurt and any(b == unit for _, b in self.attacked),
            inflicts=unit in self.inflicts,
            inflicts_10=unit in self.inflicts_10,
            outnumbers=MoraleNote.OUTNUMBERS in notes,
            wipes_out=unit in self.wipes_out,
            enemy_destroyed_near=any(
                (unit, gone) in self.attacked and self._was_near(unit, gone)
                for gone in sorted(self.destroyed)
            ),
            forced_enemy_into_enemy=unit in self.forced_enemy_into_enemy,
            forced_enemy_into_friend=unit in self.forced_enemy_into_friend,
            enemy_forced_into=unit in self.enemy_forced_into,
            ordered=not units.value("disordered", unit),
        )

    def _notes(self, unit: int) -> dict[int, tuple[float, ...]]:
        """Return the notes about the unit, each with its amounts."""
        rows = self.moment.state.lists["note"]
        out: dict[int, tuple[float, ...]] = {}
        for row in np.flatnonzero(rows.ints("unit") == unit).tolist():
            what = rows.integer("what", row)
            out[what] = (*out.get(what, ()), float(rows.value("amount", row)))
        return out

    def improved(self, unit: int) -> int:
        """Return what leaders have added (`emlia.lead.improve`) less what wounds have taken."""
        return int(sum(self._notes(unit).get(MoraleNote.IMPROVED, ()))) + self.vital_morale.get(
            unit, 0
        )

    def _was_near(self, unit: int, gone: int) -> bool:
        gap = float(self._places[unit].distance(self._places[gone]))
        return in_reach(gap, numbers_of(self.moment).near)


def value_of(moment: Moment, unit: int) -> float:
    """Return a unit's army value now, by morale state; a mixed unit's worthiest part."""
    situation = situation_of(moment)
    printed = max(situation.entry(part).army_value for part in situation.parts(unit))
    return army_value_of(printed, moment.state.units.integer("morale", unit))


@rule("emlia.morale.general")
def general_of(moment: Moment, side: int) -> int | None:
    """Return the row of the unit whose leader is the army general; None if there is none.

    It is the one that the scenario names, or else that of highest army value, then of most
    Leadership dice. Every unit has a leader, with or without the skill (`emlia.lead.leader`). Of
    equals with the skill it is the first; among equals without it none stands out.
    """
    setup = moment.setup
    named = setup.sides[side].general
    if named is not None:
        return setup.unit_of(named)
    entry = situation_of(moment).entry
    values = {
        row: entry(row).army_value
        for row, unit in enumerate(setup.units)
        if unit.muster.side == side and unit.muster.spare_for < 0
    }
    if not values:
        return None
    highest = max(values.values())
    leaders = []
    for row in [row for row, value in values.items() if value == highest]:
        skill = entry(row).skill("leadership")
        leaders.append((0 if skill is None else -skill.dice, row))
    (dice, first), *others = sorted(leaders)
    stands_out = dice or not others or others[0][0] != dice
    return first if stands_out else None


def update_morale(
    moment: Moment, outlook: MoraleInputs, among: Sequence[int] | None = None
) -> Procedure[None]:
    """Make all morale changes of the step at once, then the changes that follow from others' falls.

    among : for a rehearsal, the units that matter; by default all
    """
    units = moment.state.units
    present = [unit for unit in on_field(moment) if among is None or unit in among]
    before = {unit: units.integer("morale", unit) for unit in present}
    found = {unit: _change(moment, outlook, unit) for unit in present}
    first = {unit: bounded(before[unit] + found[unit].total) for unit in present}
    for unit in present:
        foes = [b for a, b in outlook.attacked if a == unit and b in first]
        falls = second_pass(
            ((before[foe], first[foe]) for foe in foes), in_force(moment, SECOND_PASS)
        )
        after = bounded(before[unit] + found[unit].total + falls.total)
        because = (*found[unit].because, *falls.because)
        if after != before[unit] or found[unit].given != _given(moment, unit):
            total = found[unit].total + falls.total
            reasons = (
                *found[unit].reasons,
                *morale_because(before[unit], total, found[unit].because, falls.because),
                "emlia.morale.update",
            )
            yield _swayed(moment, unit, after, (*reasons, *because), found[unit])


def _given(moment: Moment, unit: int) -> frozenset[str]:
    """Rows marked "turn" that the unit has had this turn."""
    mask = moment.state.units.integer("rows_given", unit)
    return frozenset(slug for bit, slug in enumerate(TURN_ROWS) if mask >> bit & 1)


def _change(moment: Moment, outlook: MoraleInputs, unit: int) -> MoraleChange:
    """Both tables, the flanks of a ranked unit, leaders and wounds."""
    tables = morale_change(outlook.facts(unit), _given(moment, unit), in_force(moment, TABLE))
    flanks = outlook.flanks.get(unit, UNMODIFIED)
    improved = outlook.improved(unit)
    more: tuple[str, ...] = ("emlia.lead.improve",) if improved > 0 else ()
    more += ("emlia.attr.vital-table",) if improved < 0 else ()
    return MoraleChange(
        tables.total + flanks.total + improved,
        (*tables.because, *flanks.because, *more),
        tables.given,
        tables.reasons,
    )


def _swayed(
    moment: Moment, unit: int, after: int, because: tuple[str, ...], change: MoraleChange
) -> Event:
    """Return a unit's morale changes; falling into a low state it is disordered."""
    before = moment.state.units.integer("morale", unit)
    mask = sum(1 << bit for bit, slug in enumerate(TURN_ROWS) if slug in change.given)
    changes: list[Change] = [
        Set(table="unit", row=unit, column="morale", value=after),
        Set(table="unit", row=unit, column="rows_given", value=mask),
    ]
    if is_fall(before, after):
        changes.append(Set(table="unit", row=unit, column="disordered", value=1))
        because = (*because, "emlia.morale.entering")
    return Event(
        facts=(Heartened if after > before else Shaken if after < before else Held)(
            before=before, after=after, state=state_of(after).name
        ),
        unit=unit,
        gesture="rally" if after > before else "waver" if after < before else "none",
        because=because,
        changes=tuple(changes),
    )
