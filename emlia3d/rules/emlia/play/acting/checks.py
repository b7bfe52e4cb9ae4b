"""Dice, general modifiers and facts, common to all skill checks of a unit in play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from emlia3d.battle.changes import Append, Change, Pair
from emlia3d.rules.emlia.actions import action
from emlia3d.rules.emlia.basics.arcs import Arc
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import in_force
from emlia3d.rules.emlia.basics.tables import Modified, joined, single
from emlia3d.rules.emlia.columns import Acted, Armour, Attacked
from emlia3d.rules.emlia.play.sight.awareness import acted_on
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.contact import bearing
from emlia3d.rules.emlia.play.situation.parts import head_of, leading_part, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.damage import need
from emlia3d.rules.emlia.tables.mixed import against_all
from emlia3d.rules.emlia.tables.skills import (
    GENERAL,
    Attempt,
    Check,
    SkillLevel,
    SkillName,
    SkillPenalties,
    attempt,
    dice_of,
    general_modifier,
)
from emlia3d.rules.emlia.unit_sets.abilities import skill_bonus
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


FOCUSED = "-focused"
"""Ends the verb of an attack on one subunit alone."""


def losses_of(moment: Moment, unit: int) -> int:
    """Members lost since the start; of a single character damage points."""
    units = moment.state.units
    strength = units.integer("strength", unit)
    if strength == 1:
        return units.integer("damage", unit)
    return strength - units.integer("members", unit)


@rule("emlia.skill.mixed-source.non-combat")
def speaker_for(moment: Moment, unit: int, skill: SkillName) -> int:
    """Return the subunit whose skill a check of the whole unit uses; in combat the row itself.

    Leadership is the leader's; the most watchful looks out, the clumsiest gives all away.
    """
    if skill == "leadership":
        return leading_part(moment, unit)
    if skill not in {"alertness", "stealth"}:
        return unit
    entry = situation_of(moment).entry
    choice = max if skill == "alertness" else min

    def level(row: int) -> int:
        printed = entry(row).skill(skill)
        lost = losses_of(moment, row)
        members = moment.state.units.integer("members", row)
        return -1 if printed is None else dice_of(printed, members, lost)

    return choice(parts_of(moment, unit), key=level, default=unit)


@rule("emlia.skill.mixed-source", "emlia.action.improvised-flag", "emlia.aware.skills")
def attempt_of(moment: Moment, unit: int, name: str, able: int | None = None) -> Attempt:
    """Return the dice for a core action, with *able* members of the unit (None for all).

    Of a mixed unit the subunit whose skill counts is asked; in combat each for itself.
    """
    taken = action(name)
    assert taken.skill is not None
    return skilled(moment, unit, taken.skill, taken.improvised, able)


@rule("emlia.gloss.attribute")
def skilled(
    moment: Moment, unit: int, skill: SkillName, improvised: bool, able: int | None = None
) -> Attempt:
    """Return the dice a unit may roll for a skill, and what its abilities add to each."""
    row = speaker_for(moment, unit, skill)
    members = moment.state.units.integer("members", row)
    able = members if able is None else able
    entry = situation_of(moment).entry(row)
    printed = entry.skill(skill)
    lost = losses_of(moment, row) + members - able
    bonus = skill_bonus(entry.all_abilities, skill)
    if printed is None:
        return attempt(None, improvised, bonus)
    level = SkillLevel(printed, able, members - able, lost)
    return attempt(dice_of(printed, able, lost), improvised, bonus, level)


def total_modifier(moment: Moment, unit: int, rows: Modified, tried: Attempt) -> Modified:
    """Return the action's rows, what weighs on every check of the unit, and lasting wounds."""
    units, whole = moment.state.units, head_of(moment, unit)
    aligned = units.integer("aligned", whole)
    general = general_modifier(
        SkillPenalties(
            double_paced=bool(units.value("double_paced", whole)),
            aligned_flank=aligned == -1,
            aligned_rear=aligned == -2,
            improvised=tried.improvised,
        ),
        in_force(moment, GENERAL),
    )
    wounded = single("emlia.attr.vital-table", units.integer("check_modifier", unit))
    able = single("emlia.ability.catch-all", tried.bonus)
    dice = Modified(0, tried.because, (0,) * len(tried.because))
    return joined(rows, general, wounded, able, dice)


def as_one(moment: Moment, struck: Sequence[int], rows: Sequence[Modified]) -> Modified:
    """Return the modifier of one check against several units (`emlia.mixed.check-against`)."""
    members = moment.state.units.ints("members")
    return against_all([int(members[row]) for row in struck], rows)


def facts_of(check: Check, modifier: Modified | None = None) -> dict[str, Any]:
    """Return a check as facts of a `Rolled` event.

    modifier : the modifier of each of the last slugs of the event's ``because``, if listed
    """
    facts: dict[str, Any] = {
        "dice": check.dice,
        "modifier": check.modifier,
        "successes": check.successes,
    }
    if modifier is not None:
        facts["figures"] = modifier.figures
    if check.counts is not None:
        facts["counts"] = check.counts
    elif not check.automatic:
        facts["faces"] = check.faces
    return facts


def armour_against(weapon: Weapon) -> Armour:
    """Return the armour that counts against a weapon."""
    return Armour.COUNTS if weapon.ability("armour piercing") is None else Armour.PIERCED


@rule("emlia.hits.marker")
@rule("emlia.primary.attack-set")
def marked(  # noqa: PLR0913  attacker, subject, damage, and what else counts
    moment: Moment,
    attacker: int,
    subject: int,
    base_damage: int,
    hits: int,
    *,
    how: Acted = Acted.SHOT,
    focus: int | None = None,
    **flags: int,
) -> tuple[Change, ...]:
    """Return the changes of an attack: its hit markers, and that it was made.

    how : from afar, or hand to hand (`Acted.ATTACKED`)
    focus : the subunit that alone takes the hits
    flags : "armour", an `Armour`, where it does not count in full; "party" where several units
        share the hits; "unseen" 1 where the subject is not aware of the attacker
    """
    made: tuple[Change, ...] = (
        Pair(column="attacked", a=attacker, b=subject, value=moment.state.turn),
        acted_on(moment, attacker, subject, how),
        _remembered(moment, attacker, subject, base_damage, how),
    )
    if not hits:
        return made
    arc = tuple(Arc).index(bearing(moment, subject, attacker))
    if how is Acted.SHOT:
        made = (*made, _harmed(moment, attacker, subject, base_damage, hits))
    if focus is not None:
        flags |= {"focused": 1}
    taker = subject if focus is None else focus
    return (*made, hit(attacker, taker, base_damage, hits, arc=arc, **flags))


@rule("emlia.hits.marker.attacker")
def hit(attacker: int, subject: int, base_damage: int, hits: int, **flags: int) -> Append:
    """Return the change that adds hit markers alone, flags as for `marked`."""
    row = {"subject": subject, "attacker": attacker, "base_damage": base_damage, "hits": hits}
    return Append(table="marker", row={**row, "party": -1, **flags})


def _harmed(moment: Moment, attacker: int, subject: int, base_damage: int, hits: int) -> Change:
    """Return the change that records the worth of an attack, for units that seek cover."""
    entry = situation_of(moment).entry(subject)
    worth = hits / need(entry.hits + entry.armour, base_damage)
    before = moment.state.pairs["harmed"].get((attacker, subject), 0.0)
    return Pair(column="harmed", a=attacker, b=subject, value=float(before) + worth)


def _remembered(
    moment: Moment, attacker: int, subject: int, base_damage: int, how: Acted
) -> Change:
    """Return the change that records how an attack was made, for units that react to it."""
    made = Attacked.HAND_TO_HAND
    if how is Acted.SHOT:
        made = Attacked.IN_THE_OPEN
        if level_on(moment, attacker, subject) is not Level.NONE:
            made = Attacked.CONCEALED
        if cover_of(moment, attacker, subject, base_damage) is not Level.NONE:
            made = Attacked.COVERED
    before = int(moment.state.pairs["attack"].get((attacker, subject), 0))
    return Pair(column="attack", a=attacker, b=subject, value=before | made)
