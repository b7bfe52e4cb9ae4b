"""Emlia, chapters 14.1, 14.3 and 14.5 as play: shots, volleys and charges at terrain with hits.

The subject of Aimed Fire, Concentrated Volley and Charge may be an entity that is no unit: a gate
or a wall with hits. An order names it in its words, by the name of the feature. A feature is known
to every unit (`emlia.aware.scenery`) and is aware of none, so that no row asks about its
awareness; it takes no cover, and its hits become damage as in Close Combat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Change
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import in_force, numbers_of
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.events.combat import AttackFromAfar, Fired, VolleyConcentrated
from emlia3d.rules.emlia.play.acting.actions import Deed, used_by
from emlia3d.rules.emlia.play.acting.checks import attempt_of, facts_of, total_modifier
from emlia3d.rules.emlia.play.acting.subjects import may_do, may_target
from emlia3d.rules.emlia.play.charges.charging import charged, run_at
from emlia3d.rules.emlia.play.combat import free_strike, scenery
from emlia3d.rules.emlia.play.combat.concentrated import concentrated_damage
from emlia3d.rules.emlia.play.combat.scenery import battered, destructible
from emlia3d.rules.emlia.play.combat.targets import falling_to, ranging_to, ready_for
from emlia3d.rules.emlia.play.combat.volley import loosing, may_try
from emlia3d.rules.emlia.play.movement.manoeuvre import not_closer
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.sight.covering import feature_seen
from emlia3d.rules.emlia.play.situation.arms import Armed, armed_for
from emlia3d.rules.emlia.play.situation.blast import overhead_of_feature
from emlia3d.rules.emlia.play.situation.parts import combination
from emlia3d.rules.emlia.play.situation.pose import Pose
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.emlia.tables.fire import MODIFIERS, FireFacts, fire_modifier
from emlia3d.rules.emlia.tables.primary import has_elevation
from emlia3d.rules.emlia.tables.skills import Attempt, roll_check
from emlia3d.rules.emlia.tables.volley import CONCENTRATED_MODIFIERS, AtUnit, concentrated_modifier
from emlia3d.rules.emlia.unit_sets.weapon import Weapon

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

Ready = dict[int, tuple[Weapon, Band]]
"""The weapons of an attack from afar that have its subject in range and arc, by subunit."""


def named_by(moment: Moment, order: Order) -> int | None:
    """Return the feature that an order names, by its number; None if no such feature has hits."""
    features = moment.setup.field.features
    return next((row for row in destructible(moment) if features[row].name == order.words), None)


def _listed(moment: Moment) -> list[int]:
    """Features that are offered as subjects: the solid ones. Any other with hits may be named."""
    features = moment.setup.field.features
    return [row for row in destructible(moment) if features[row].body == "solid"]


def _order(moment: Moment, verb: str, unit: int, row: int, number: int | None = None) -> Order:
    name = moment.setup.field.features[row].name
    return Order(verb=verb, unit=unit, number=number, words=name)


def _ready(moment: Moment, row: int, armed: Armed, number: int) -> Ready | Refusal:
    """Return the weapons that have a feature in range and arc; or why none has."""
    situation, outline = situation_of(moment), moment.setup.field.features[row].outline

    def band_of(part: int, weapon: Weapon) -> Band | None:
        return ranging_to(moment, part, outline, situation.feature_footing(row), weapon).band

    return ready_for(moment, combination(armed, number), band_of, outline)


def _fired(  # noqa: PLR0913, PLR0917  event, unit, manner and cost
    battle: Battle, kind: type[AttackFromAfar], row: int, part: int, weapon: Weapon,
    base_damage: int, tried: Attempt, modifier: Modified, because: str, costs: tuple[Change, ...],
) -> Event:  # fmt: skip
    """One check of an attack from afar at a feature; each success is a hit."""
    feature, footing = battle.setup.field.features[row], situation_of(battle).feature_footing(row)
    ranging = ranging_to(battle, part, feature.outline, footing, weapon)
    assert ranging.band is not None
    check = roll_check(because, tried.dice, modifier.total, battle.dice)
    hits = (battered(row, base_damage, check.successes),) if check.successes else ()
    return Event(
        facts=kind(
            feature=feature.name,
            weapon=weapon.name,
            distance=round(ranging.distance, 1),
            band=ranging.band.name.lower(),
            base_damage=base_damage,
            **facts_of(check, modifier),
        ),
        unit=part,
        gesture="shoot",
        because=(because, *modifier.because),
        changes=(*costs, *hits),
    )


def _is_higher(moment: Moment, part: int, row: int) -> bool:
    """Return whether a subunit has elevation over a feature."""
    situation = situation_of(moment)
    step = numbers_of(moment).elevation_step
    return has_elevation(situation.footing(part), situation.feature_footing(row), step)


# Aimed Fire


def fire_options(moment: Moment, unit: int) -> Iterator[Order]:
    """Each weapon at each solid feature with hits: moving on afterwards, or not."""
    armed = armed_for(moment, unit, "aimed fire")
    if not armed or may_do(moment, unit, "aimed fire", feature=True) is not None:
        return
    moved = moment.state.units.value("move_used", unit)
    verbs = ("fire-feature",) if moved else ("aim-feature", "fire-feature")
    for row in _listed(moment):
        for number in range(prod(len(weapons) for _, weapons in armed)):
            if may_fire_at(moment, unit, row, number) is None:
                yield from (_order(moment, verb, unit, row, number) for verb in verbs)


def may_fire_at(moment: Moment, unit: int, row: int, number: int) -> Refusal | None:
    """Return the feature is in range and arc of a weapon, and not in total cover."""
    ready = _ready(moment, row, armed_for(moment, unit, "aimed fire"), number)
    if isinstance(ready, Refusal):
        return ready
    hardest = max(falling_to(weapon, weapon.base_damage, band) for weapon, band in ready.values())
    if feature_seen(moment, unit, row, hardest)[1] is Level.TOTAL:
        return Refusal("emlia.fire", "it is in total cover")
    return None


def _may_order_fire(moment: Moment, order: Order, row: int) -> Refusal | None:
    assert order.unit is not None
    unit, number = order.unit, order.number or 0
    armed = armed_for(moment, unit, "aimed fire")
    if not armed or number not in range(prod(len(weapons) for _, weapons in armed)):
        return Refusal("emlia.equip.permitted-actions", "it has no such weapon")
    if order.verb == "aim-feature" and moment.state.units.value("move_used", unit):
        return Refusal("emlia.fire.forfeit-move", "it has used the move action that this forfeits")
    taken = may_do(moment, unit, "aimed fire", feature=True)
    return taken or may_fire_at(moment, unit, row, number)


def shots_at(
    moment: Moment, unit: int, row: int, number: int, *, still: bool
) -> dict[int, tuple[Weapon, int, Attempt, Modified]]:
    """Return weapon, base damage, dice and modifier of each subunit that can shoot at a feature.

    still : the unit forfeits its move
    """
    ready = _ready(moment, row, armed_for(moment, unit, "aimed fire"), number)
    if isinstance(ready, Refusal):
        return {}
    found = {}
    for part, (weapon, band) in ready.items():
        base_damage = falling_to(weapon, weapon.base_damage, band)
        tried = attempt_of(moment, part, "aimed fire")
        rows = _shot_rows(moment, unit, part, row, weapon, base_damage, still)
        modifier = total_modifier(moment, part, rows, tried)
        found[part] = weapon, base_damage, tried, modifier
    return found


def _shot_rows(  # noqa: PLR0913, PLR0917  who shoots at what, with what, and how
    moment: Moment, unit: int, part: int, row: int, weapon: Weapon, base_damage: int, still: bool
) -> Modified:
    """Return the rows of Aimed Fire that hold for a shot at a feature."""
    feature, footing = moment.setup.field.features[row], situation_of(moment).feature_footing(row)
    concealment, cover = feature_seen(moment, unit, row, base_damage)
    assert weapon.range is not None
    shot = FireFacts(
        distance=ranging_to(moment, part, feature.outline, footing, weapon).distance,
        short=weapon.range[0],
        medium=weapon.range[1],
        concealment=concealment,
        cover=cover,
        forfeits_move=still,
        elevation=_is_higher(moment, part, row),
        double_paced=bool(moment.state.units.value("double_paced", unit)),
    )
    return fire_modifier(shot, in_force(moment, MODIFIERS))


def fire_at(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Aimed Fire at a feature, each subunit with its own skill and weapon."""
    row = named_by(battle, order)
    assert row is not None
    still = order.verb == "aim-feature"
    costs = used_by(battle, unit, "aimed fire", forfeits_move=still)
    shots = shots_at(battle, unit, row, order.number or 0, still=still)
    for part, (weapon, base_damage, tried, modifier) in shots.items():
        yield _fired(
            battle, Fired, row, part, weapon, base_damage, tried, modifier, "emlia.fire", costs
        )
        costs = ()


# Concentrated Volley


def volley_options(moment: Moment, unit: int) -> Iterator[Order]:
    """Each weapon at each solid feature with hits on which a volley may be concentrated."""
    if may_try(moment, unit, "concentrated volley") is not None:
        return
    armed = loosing(moment, unit, "concentrated volley")
    for row in _listed(moment):
        for number in range(prod(len(weapons) for _, weapons in armed)):
            if may_volley_at(moment, unit, row, number) is None:
                yield _order(moment, "volley-feature", unit, row, number)


def may_volley_at(moment: Moment, unit: int, row: int, number: int) -> Refusal | None:
    """Return the feature is in range and arc of a weapon, and has no total cover above it."""
    if (refusal := may_target(moment, unit, "concentrated volley", feature=True)) is not None:
        return refusal
    ready = _ready(moment, row, loosing(moment, unit, "concentrated volley"), number)
    if isinstance(ready, Refusal):
        return ready
    hardest = max(concentrated_damage(weapon, band) for weapon, band in ready.values())
    if overhead_of_feature(moment, row, hardest) is Level.TOTAL:
        return Refusal("emlia.conc", "it has total cover from above")
    return None


def _may_order_volley(moment: Moment, order: Order, row: int) -> Refusal | None:
    assert order.unit is not None
    unit, number = order.unit, order.number or 0
    if (refusal := may_try(moment, unit, "concentrated volley")) is not None:
        return refusal
    armed = loosing(moment, unit, "concentrated volley")
    if number not in range(prod(len(weapons) for _, weapons in armed)):
        return Refusal("emlia.equip.concentrated-capable", "it has no such weapon")
    return may_volley_at(moment, unit, row, number)


def volley_at(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Concentrated Volley at a feature, each subunit with its own skill and weapon."""
    row = named_by(battle, order)
    assert row is not None
    armed = loosing(battle, unit, "concentrated volley")
    ready = _ready(battle, row, armed, order.number or 0)
    assert not isinstance(ready, Refusal)
    costs = used_by(battle, unit, "concentrated volley")
    for part, (weapon, band) in ready.items():
        base_damage = concentrated_damage(weapon, band)
        concealment, cover = feature_seen(battle, unit, row, base_damage)
        at = AtUnit(
            band=band,
            overhead=overhead_of_feature(battle, row, base_damage),
            concealment=concealment,
            cover=cover,
            elevation=_is_higher(battle, part, row),
        )
        tried = attempt_of(battle, part, "concentrated volley")
        rows = concentrated_modifier(at, in_force(battle, CONCENTRATED_MODIFIERS))
        modifier = total_modifier(battle, part, rows, tried)
        yield _fired(
            battle, VolleyConcentrated, row, part, weapon, base_damage, tried, modifier,
            "emlia.conc", costs,
        )  # fmt: skip
        costs = ()


# Charge


def charge_options(moment: Moment, unit: int) -> Iterator[Order]:
    """Yield a charge at each solid feature with hits that the unit reaches."""
    if may_do(moment, unit, "charge", feature=True) is not None:
        return
    for row in _listed(moment):
        if may_charge_at(moment, unit, row) is None and _run(moment, unit, row, known=True)[1]:
            yield _order(moment, "charge-feature", unit, row)


def may_charge_at(moment: Moment, unit: int, row: int) -> Refusal | None:
    """Return the unit has not the feature in its combat range yet, and has not double paced."""
    if (refusal := may_do(moment, unit, "charge", feature=True)) is not None:
        return refusal
    if scenery.hewers(moment, unit, row):
        return Refusal("emlia.charge", "that is already in its combat range")
    return not_closer(moment, unit, _run(moment, unit, row, known=True)[0])


def _may_order_charge(moment: Moment, order: Order, row: int) -> Refusal | None:
    assert order.unit is not None
    return may_charge_at(moment, order.unit, row)


def _run(moment: Moment, unit: int, row: int, *, known: bool = False) -> tuple[Pose, bool]:
    """Return where a charge at a feature ends, and whether the feature is in combat range there.

    known : leave out units that the unit's side does not know
    """
    feature, footing = moment.setup.field.features[row], situation_of(moment).feature_footing(row)
    span = footing, footing + feature.height
    return run_at(moment, unit, feature.outline, span, unknown_to(moment, unit) if known else ())


def charge_at(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Move straight at the feature by a Normal Move, and strike it if reached."""
    row = named_by(battle, order)
    assert row is not None
    end, reached = _run(battle, unit, row)
    yield from free_strike.provoked(battle, unit, end)
    if not battle.state.units.value("present", unit):
        return
    yield charged(battle, unit, end, reached, feature=battle.setup.field.features[row].name)
    if reached:
        yield from scenery.strike(battle, unit, row, charged=True)


_MAY: Mapping[str, Callable[[Moment, Order, int], Refusal | None]] = {
    "fire-feature": _may_order_fire,
    "aim-feature": _may_order_fire,
    "volley-feature": _may_order_volley,
    "charge-feature": _may_order_charge,
}


class FeatureValidator:
    """Every attack that a unit may be ordered to make on a feature with hits."""

    def __init__(self, moment: Moment, unit: int) -> None:
        self._moment = moment
        self._unit = unit

    def for_moment(self, moment: Moment) -> FeatureValidator:
        """Return the validator for the unit in the battle as its side knows it."""
        return FeatureValidator(moment, self._unit)

    def refusal(self, order: Order) -> Refusal | None:
        """None if the unit may attack the feature that *order* names."""
        may, row = _MAY.get(order.verb), named_by(self._moment, order)
        if may is None or order.unit != self._unit:
            return Refusal("emlia.terrain.entities", "this unit has no such attack on terrain")
        if row is None:
            return Refusal("emlia.terrain.entities", "no feature with that name can be destroyed")
        return may(self._moment, order, row)


FIRE_AT_FEATURE = Deed(
    verbs=("aim-feature", "fire-feature"), options=fire_options, perform=fire_at,
    validator=FeatureValidator, validated=True, is_expensive=True,
)  # fmt: skip
VOLLEY_AT_FEATURE = Deed(
    verbs=("volley-feature",), options=volley_options, perform=volley_at,
    validator=FeatureValidator, validated=True, is_expensive=True,
)  # fmt: skip
CHARGE_AT_FEATURE = Deed(
    verbs=("charge-feature",), options=charge_options, perform=charge_at,
    validator=FeatureValidator, validated=True, is_expensive=True,
)  # fmt: skip
