"""Emlia, chapter 14.3 as play: Concentrated Volley.

The table is in `emlia3d.rules.emlia.tables.volley`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.battle.changes import Change
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import in_force, numbers_of
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.events.combat import VolleyConcentrated
from emlia3d.rules.emlia.play.acting.actions import Deed, used_by
from emlia3d.rules.emlia.play.acting.check_reasons import check_because
from emlia3d.rules.emlia.play.acting.checks import (
    armour_against,
    as_one,
    attempt_of,
    facts_of,
    total_modifier,
)
from emlia3d.rules.emlia.play.acting.subjects import may_target
from emlia3d.rules.emlia.play.combat.reasons import hits_because, shot_because
from emlia3d.rules.emlia.play.combat.targets import (
    Subject,
    falling_to,
    hits_on,
    ranging,
    ready_for,
    seen_of,
    shares_of,
    subject_of,
)
from emlia3d.rules.emlia.play.combat.volley import (
    VolleyShot,
    facts_of_lob,
    loosing,
    may_try,
    numbers_of_volley,
)
from emlia3d.rules.emlia.play.sight.awareness import is_aware, known_to
from emlia3d.rules.emlia.play.situation.blast import overhead_of
from emlia3d.rules.emlia.play.situation.parts import combination, head_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.emlia.tables.primary import has_elevation
from emlia3d.rules.emlia.tables.skills import Check, roll_check
from emlia3d.rules.emlia.tables.volley import CONCENTRATED_MODIFIERS, AtUnit, concentrated_modifier
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


def concentrated_options(moment: Moment, unit: int) -> list[Order]:
    """Each weapon at each enemy that it may be concentrated on."""
    if may_try(moment, unit, "concentrated volley") is not None:
        return []
    side = moment.state.units.integer("side", unit)
    return [
        Order(verb="concentrated-volley", unit=unit, target=foe, number=number)
        for foe in known_to(moment, side)
        for number in numbers_of_volley(moment, unit, "concentrated volley")
        if may_concentrate(moment, unit, foe, number) is None
    ]


def may_concentrate(moment: Moment, unit: int, target: int, number: int) -> Refusal | None:
    """Return why a volley may not be concentrated: unknown, out of range or arc, covered above."""
    subject = subject_of(moment, unit, target, focused=False)
    ready = _ready(moment, unit, subject, number)
    if isinstance(ready, Refusal):
        return ready
    if (refusal := may_target(moment, unit, "concentrated volley", target)) is not None:
        return refusal
    hardest = max(concentrated_damage(weapon, band) for weapon, band in ready.values())
    if overhead_of(moment, target, hardest) is Level.TOTAL:
        return Refusal("emlia.conc", "it has total cover from above")
    return None


def concentrated_damage(weapon: Weapon, band: Band) -> int:
    """Return the base damage of a Concentrated Volley in a band of a weapon's range."""
    assert weapon.damage_concentrated is not None
    return falling_to(weapon, weapon.damage_concentrated, band)


def lobs_on(moment: Moment, unit: int, target: int, number: int) -> list[VolleyShot]:
    """Return the volley of each subunit with a target in range and arc, by a weapon number."""
    subject = subject_of(moment, unit, target, focused=False)
    ready = _ready(moment, unit, subject, number)
    if isinstance(ready, Refusal):
        return []
    return [_lob_on(moment, row, subject, weapon) for row, (weapon, _) in ready.items()]


def _ready(
    moment: Moment, unit: int, subject: Subject, number: int
) -> dict[int, tuple[Weapon, Band]] | Refusal:
    """Return the weapons that have a subject in range and arc, by subunit; or why none has."""

    def band_of(row: int, weapon: Weapon) -> Band | None:
        return ranging(moment, row, subject, weapon).band

    used = combination(loosing(moment, unit, "concentrated volley"), number)
    return ready_for(moment, used, band_of, situation_of(moment).outline(subject.row))


def _lob_on(moment: Moment, row: int, subject: Subject, weapon: Weapon) -> VolleyShot:
    """Return the Concentrated Volley of one subunit, or of a plain unit, on a subject in range."""
    distance, band = ranging(moment, row, subject, weapon)
    assert band is not None
    base_damage = concentrated_damage(weapon, band)
    tried = attempt_of(moment, row, "concentrated volley")
    shares = shares_of(moment, subject)
    rows = [_rows(moment, row, one, band, base_damage) for one in shares]
    against = as_one(moment, [one.row for one in shares], rows)
    return VolleyShot(
        row=row, weapon=weapon, distance=distance, band=band, base_damage=base_damage,
        tried=tried, modifier=total_modifier(moment, row, against, tried),
    )  # fmt: skip


def _rows(moment: Moment, row: int, subject: Subject, band: Band, base_damage: int) -> Modified:
    """Return the rows of Concentrated Volley that hold against one subunit, or a plain unit."""
    situation = situation_of(moment)
    unit = head_of(moment, row)
    whole = head_of(moment, subject.row)
    concealment, cover = seen_of(moment, unit, subject, base_damage)
    at = AtUnit(
        band=band,
        overhead=overhead_of(moment, subject.row, base_damage),
        concealment=concealment,
        cover=cover,
        taking_cover=bool(moment.state.units.value("taking_cover", whole)),
        target_unaware=not is_aware(moment, whole, unit),
        elevation=has_elevation(
            situation.footing(row),
            situation.footing(subject.row),
            numbers_of(moment).elevation_step,
        ),
    )
    return concentrated_modifier(at, in_force(moment, CONCENTRATED_MODIFIERS))


@rule("emlia.conc", "emlia.conc.success")
def concentrated_volley(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Roll the skill; each success is one hit at the Concentrated Volley base damage.

    Each subunit of a mixed unit with its own skill and weapon.
    """
    assert order.target is not None
    assert order.number is not None
    subject = subject_of(battle, unit, order.target, focused=False)
    costs = used_by(battle, unit, "concentrated volley")
    for lob in lobs_on(battle, unit, order.target, order.number):
        check = roll_check("emlia.conc", lob.tried.dice, lob.modifier.total, battle.dice)
        yield Event(
            facts=VolleyConcentrated(**facts_of_lob(lob), **facts_of(check, lob.modifier)),
            unit=lob.row,
            target=order.target,
            gesture="shoot",
            because=(*_because(battle, lob, subject, check, costs), *lob.modifier.because),
            changes=(
                *costs,
                *hits_on(
                    battle,
                    unit,
                    subject,
                    lob.base_damage,
                    check.successes,
                    armour=armour_against(lob.weapon),
                ),
            ),
        )
        costs = ()


def _because(
    moment: Moment, lob: VolleyShot, subject: Subject, check: Check, costs: tuple[Change, ...]
) -> tuple[str, ...]:
    """Return the rules of a volley besides the rows of its table.

    costs : what it uses up; nothing but for the first of an action
    """
    assert lob.weapon.damage_concentrated is not None
    above = overhead_of(moment, subject.row, lob.base_damage)
    unseen = not is_aware(moment, head_of(moment, subject.row), head_of(moment, lob.row))
    return (
        "emlia.conc",
        *shot_because(
            moment, lob.row, subject, lob.weapon, "concentrated volley", band=lob.band,
            distance=lob.distance, printed=lob.weapon.damage_concentrated,
            base_damage=lob.base_damage,
        ),
        *(("emlia.volley.overhead-cover",) if above else ()),
        *(("emlia.activate.forfeit",) if costs else ()),
        *check_because(
            moment, lob.row, "concentrated volley", lob.tried, check, lob.modifier,
            listed=bool(costs),
        ),
        *(("emlia.conc.success",) if check.successes else ()),
        *hits_because(armour_against(lob.weapon), check.successes, unseen=unseen, focused=False),
    )  # fmt: skip


CONCENTRATED_VOLLEY = Deed(
    verbs=("concentrated-volley",), options=concentrated_options, perform=concentrated_volley
)
