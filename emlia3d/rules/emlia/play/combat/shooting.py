"""Emlia, chapter 14.1 as play: Aimed Fire.

The table is in `emlia3d.rules.emlia.tables.fire`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import in_force, numbers_of
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.events.combat import Fired
from emlia3d.rules.emlia.play.acting.actions import Deed, may_take, used_by
from emlia3d.rules.emlia.play.acting.check_reasons import check_because
from emlia3d.rules.emlia.play.acting.checks import (
    FOCUSED,
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
    focus_on,
    hits_on,
    is_in_total_cover,
    ranging,
    ready_for,
    seen_of,
    seen_uncovered,
    shares_of,
    singles_of,
    subject_of,
)
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.arms import Armed, armed_for
from emlia3d.rules.emlia.play.situation.contact import enemies_of
from emlia3d.rules.emlia.play.situation.fights import fight_of, fights_of
from emlia3d.rules.emlia.play.situation.parts import (
    combination,
    head_of,
    stand_for_themselves,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.elevation import extra_range
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.emlia.tables.fire import MODIFIERS, FireFacts, fire_modifier
from emlia3d.rules.emlia.tables.primary import has_elevation
from emlia3d.rules.emlia.tables.skills import Attempt, Check, roll_check
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class AimedShot:
    """A shot that may be fired, with all that its odds depend on.

    row : the subunit that fires
    """

    row: int
    weapon: Weapon
    distance: float
    band: str
    base_damage: int
    tried: Attempt
    modifier: Modified


def shooting_options(moment: Moment, unit: int) -> list[Order]:
    """Each weapon at each target: moving on afterwards ("fire") or not ("aim").

    Of a mixed unit each combination of its subunits' weapons, by number; each subunit of one may
    be singled out, and each enemy in an engagement.
    """
    armed = armed_for(moment, unit, "aimed fire")
    if not armed or may_take(moment, unit, "aimed fire") is not None:
        return []
    verbs = ("fire",) if moment.state.units.value("move_used", unit) else ("aim", "fire")
    numbers = range(prod(len(weapons) for _, weapons in armed))
    foes = _worth_asking(moment, unit, armed)
    sight_cache_of(moment).look([unit], foes)
    return [
        Order(verb=f"{verb}{FOCUSED if focused else ''}", unit=unit, target=target, number=number)
        for foe in foes
        for focused, targets in ((False, (foe,)), (True, singles_of(moment, unit, foe)))
        for target in targets
        for number in numbers
        if may_aim(moment, unit, target, number, focused=focused) is None
        for verb in verbs
    ]


def foresee(moment: Moment, unit: int) -> None:
    """Add the possible targets of a unit to the sight questions that are found together next."""
    armed = armed_for(moment, unit, "aimed fire")
    if not armed or may_take(moment, unit, "aimed fire") is not None:
        return
    foes = _worth_asking(moment, unit, armed)
    others = {one for foe in foes for one in (foe, *fight_of(moment, foe, unit))}
    pairs = np.array([(unit, one) for one in sorted(others)], dtype=np.intp).reshape(-1, 2)
    sight_cache_of(moment).expect(pairs)
    sight_cache_of(moment).expect_then(("shots", unit), pairs)


def _worth_asking(moment: Moment, unit: int, armed: Armed) -> list[int]:
    """Return the enemies that may be in range, alone or in an engagement in range."""
    situation, foes = situation_of(moment), enemies_of(moment, unit)
    low = float(situation.footings[stand_for_themselves(moment)].min())
    near: set[int] = set()
    reaches = dict[int, float]()
    for row, weapons in armed:
        far = max((weapon.range[Band.LONG] for weapon in weapons if weapon.range), default=0.0)
        reaches[row] = far + extra_range(situation.footing(row), low)
        some = whereabouts_of(moment).about(row, foes, reaches[row])
        gaps = situation.gaps(row, some)
        near.update(foe for foe, gap in zip(some, gaps, strict=True) if gap <= reaches[row])

    def is_near(other: int) -> bool:
        return any(situation.gap(row, other) <= reach for row, reach in reaches.items())

    fighting = fights_of(moment)
    return [
        foe
        for foe in foes
        if foe in near or (foe in fighting and any(map(is_near, fight_of(moment, foe, unit))))
    ]


@rule("emlia.fire")
def may_aim(
    moment: Moment, unit: int, target: int, number: int, *, focused: bool = False
) -> Refusal | None:
    """Return the subject is known, within the weapon's longest range, and not in total cover.

    Of a mixed unit one subunit is enough that can shoot.
    """
    aims = subject_of(moment, unit, target, focused=focused)
    ready = _ready(moment, unit, aims, number)
    if isinstance(ready, Refusal):
        return ready
    refusal = may_target(moment, unit, "aimed fire", head_of(moment, target))
    if refusal is not None:
        return refusal
    hardest = max(falling(weapon, band) for weapon, band in ready.values())
    if is_in_total_cover(moment, unit, aims, hardest):
        return Refusal("emlia.fire", "it is in total cover")
    return None


def falling(weapon: Weapon, band: Band) -> int:
    """Return the base damage of a weapon in a band of its range."""
    return falling_to(weapon, weapon.base_damage, band)


def aims_of(moment: Moment, order: Order, *, uncovered: bool = False) -> list[AimedShot]:
    """Return the shot of each subunit that has the target in range and can hurt it.

    uncovered : as if a target that is one body had no cover, which is faster
    """
    assert order.unit is not None
    assert order.target is not None
    assert order.number is not None
    still, focused = order.verb.startswith("aim"), order.verb.endswith(FOCUSED)
    subject = subject_of(moment, order.unit, order.target, focused=focused)
    ready = _ready(moment, order.unit, subject, order.number)
    if isinstance(ready, Refusal):
        return []
    return [
        aim_at(
            moment, row, subject, weapon,
            forfeits_move=still, focused=focused, uncovered=uncovered,
        )
        for row, (weapon, _) in ready.items()
    ]  # fmt: skip


def _ready(
    moment: Moment, unit: int, subject: Subject, number: int
) -> dict[int, tuple[Weapon, Band]] | Refusal:
    """Return the weapons that have a subject in range and arc, by subunit; or why none has."""

    def band_of(row: int, weapon: Weapon) -> Band | None:
        return ranging(moment, row, subject, weapon).band

    used = combination(armed_for(moment, unit, "aimed fire"), number)
    return ready_for(moment, used, band_of, situation_of(moment).outline(subject.row))


@rule("emlia.mixed.check-against.scope")
def aim_at(  # noqa: PLR0913  shooter, target, weapon and manner
    moment: Moment,
    row: int,
    subject: Subject,
    weapon: Weapon,
    *,
    forfeits_move: bool,
    focused: bool = False,
    uncovered: bool = False,
) -> AimedShot:
    """Return the shot of one subunit, or of a plain unit, at a subject that is in range.

    It shoots with its own skill and weapon. A mixed unit as a whole is met with one modifier out
    of those against its subunits, and so is an engagement; one that is singled out with its own,
    and that of the focus.

    uncovered : as for `aims_of`
    """
    distance, band = ranging(moment, row, subject, weapon)
    assert band is not None
    base_damage = falling(weapon, band)
    shares = shares_of(moment, subject)
    seen = seen_uncovered if uncovered and len(shares) == 1 else seen_of
    rows = [
        _rows(
            moment, row, one, weapon, seen(moment, head_of(moment, row), one, base_damage),
            forfeits_move=forfeits_move, focused=focused,
        )
        for one in shares
    ]  # fmt: skip
    against = as_one(moment, [one.row for one in shares], rows)
    tried = attempt_of(moment, row, "aimed fire")
    return AimedShot(
        row=row, weapon=weapon, distance=distance, band=band.name.lower(),
        base_damage=base_damage, tried=tried, modifier=total_modifier(moment, row, against, tried),
    )  # fmt: skip


def _rows(  # noqa: PLR0913  shooter, target, weapon and manner
    moment: Moment,
    row: int,
    subject: Subject,
    weapon: Weapon,
    seen: tuple[Level, Level],
    *,
    forfeits_move: bool,
    focused: bool,
) -> Modified:
    """Return the rows of Aimed Fire that hold for a shot at a subject, the focus on it among them.

    seen : its concealment and its cover
    """
    situation, units = situation_of(moment), moment.state.units
    unit, whole = head_of(moment, row), head_of(moment, subject.row)
    focus, of_fight = focus_on(moment, unit, subject.row) if focused else (None, False)
    concealment, cover = seen
    assert weapon.range is not None
    shot = FireFacts(
        distance=ranging(moment, row, subject, weapon).distance,
        short=weapon.range[0],
        medium=weapon.range[1],
        concealment=concealment,
        cover=cover,
        taking_cover=bool(units.value("taking_cover", whole)),
        forfeits_move=forfeits_move,
        elevation=has_elevation(
            situation.footing(row),
            situation.footing(subject.row),
            numbers_of(moment).elevation_step,
        ),
        target_unaware=not is_aware(moment, whole, unit),
        double_paced=bool(units.value("double_paced", unit)),
        prepared=bool(units.value("preparing", unit)),
        focus=focus,
        focus_skirmish=of_fight,
    )
    return fire_modifier(shot, in_force(moment, MODIFIERS))


@rule("emlia.fire.success", "emlia.fire.forfeit-move")
def aim_and_fire(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Roll the skill, each subunit its own; each success is one hit at the weapon's base damage."""
    assert order.target is not None
    focused = order.verb.endswith(FOCUSED)
    subject = subject_of(battle, unit, order.target, focused=focused)
    costs = used_by(battle, unit, "aimed fire", forfeits_move=order.verb.startswith("aim"))
    for aim in aims_of(battle, order):
        check = roll_check("emlia.fire", aim.tried.dice, aim.modifier.total, battle.dice)
        reasons = _because(battle, aim, subject, check, order, first=bool(costs))
        yield Event(
            facts=Fired(
                weapon=aim.weapon.name,
                distance=round(aim.distance, 1),
                band=aim.band,
                base_damage=aim.base_damage,
                **facts_of(check, aim.modifier),
            ),
            unit=aim.row,
            target=order.target,
            gesture="shoot",
            because=(*reasons, *aim.modifier.because),
            changes=(
                *costs,
                *hits_on(
                    battle,
                    unit,
                    subject,
                    aim.base_damage,
                    check.successes,
                    focused=focused,
                    armour=armour_against(aim.weapon),
                ),
            ),
        )
        costs = ()


_WITH_ROW = {
    "emlia.fire.mod.prepared": "emlia.prepare.fire-penalty",
    "emlia.fire.mod.focus-skirmish": "emlia.fire.at-skirmish",
}
"""Rules of which a row of the table is the figure."""


def _because(
    moment: Moment, aim: AimedShot, subject: Subject, check: Check, order: Order, *, first: bool
) -> tuple[str, ...]:
    """Return the rules of a shot besides the rows of its table.

    first : whether it is the shot that uses up the action
    """
    focused, unseen = (
        order.verb.endswith(FOCUSED),
        not is_aware(moment, head_of(moment, subject.row), head_of(moment, aim.row)),
    )
    still = order.verb.startswith("aim") and first
    return (
        "emlia.fire",
        *shot_because(
            moment, aim.row, subject, aim.weapon, "aimed fire", band=Band[aim.band.upper()],
            distance=aim.distance, printed=aim.weapon.base_damage, base_damage=aim.base_damage,
        ),
        *(("emlia.fire.forfeit-move", "emlia.activate.forfeit") if still else ()),
        *(("emlia.primary.focus",) if focused else ()),
        *(_WITH_ROW[row] for row in aim.modifier.because if row in _WITH_ROW),
        *check_because(
            moment, aim.row, "aimed fire", aim.tried, check, aim.modifier, listed=first
        ),
        *(("emlia.fire.success",) if check.successes else ()),
        *hits_because(
            armour_against(aim.weapon), check.successes, unseen=unseen, focused=subject.alone
        ),
    )  # fmt: skip


AIMED_FIRE = Deed(
    verbs=("fire", "aim", f"fire{FOCUSED}", f"aim{FOCUSED}"),
    options=shooting_options,
    perform=aim_and_fire,
)
