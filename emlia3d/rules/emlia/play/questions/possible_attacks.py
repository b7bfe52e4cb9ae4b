"""The attacks whose odds can be asked: who may make them, with what, and the order for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Order, Refusal
from emlia3d.errors import Error
from emlia3d.rules.emlia.play.acting.actions import Deed, may_take
from emlia3d.rules.emlia.play.acting.subjects import may_target
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.combat import (
    close_combat,
    concentrated,
    melee_orders,
    shooting,
    volley,
)
from emlia3d.rules.emlia.play.sight.awareness import may_be_subject
from emlia3d.rules.emlia.play.situation import arms
from emlia3d.rules.emlia.play.situation.contact import in_reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.unit_sets.weapon import Weapon

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackKind:
    """A way to attack: who may, with what, and the order for it."""

    deed: Deed
    verb: str
    weapons: Callable[[Moment, int], Sequence[Weapon]]
    refusal: Callable[[Moment, Order], Refusal | None]


def _aiming(moment: Moment, order: Order) -> Refusal | None:
    unit, target, number = named_in(order)
    still = order.verb == "aim"
    if still and moment.state.units.value("move_used", unit):
        return Refusal("emlia.fire.forfeit-move", "it has used the move action that this forfeits")
    return may_take(moment, unit, "aimed fire") or shooting.may_aim(moment, unit, target, number)


def _striking(moment: Moment, order: Order) -> Refusal | None:
    unit, target, _ = named_in(order)
    if (refusal := melee_orders.may_strike(moment, unit)) is not None:
        return refusal
    if target not in in_reach_of(moment, unit):
        return Refusal("emlia.melee", "it is not in its combat range")
    return may_target(moment, unit, "close combat", target)


def _charging(moment: Moment, order: Order) -> Refusal | None:
    unit, target, _ = named_in(order)
    return charging.may_charge(moment, unit, target)


def _concentrating(moment: Moment, order: Order) -> Refusal | None:
    unit, target, number = named_in(order)
    return volley.may_try(moment, unit, "concentrated volley") or concentrated.may_concentrate(
        moment, unit, target, number
    )


def _bombarding(moment: Moment, order: Order) -> Refusal | None:
    unit, target, number = named_in(order)
    assert order.point is not None
    return (
        volley.may_try(moment, unit, "area volley")
        or may_be_subject(moment, unit, target)
        or volley.may_bombard(moment, unit, order.point, number)
    )


def named_in(order: Order) -> tuple[int, int, int]:
    """Return the attacker, its target and the number of the weapon."""
    assert order.unit is not None
    assert order.target is not None
    return order.unit, order.target, order.number or 0


# fmt: off
ATTACKS: dict[str, AttackKind] = {
    "melee": AttackKind(deed=close_combat.CLOSE_COMBAT, verb="close-combat",
                    weapons=arms.weapons_of, refusal=_striking),
    "aim": AttackKind(deed=shooting.AIMED_FIRE, verb="aim",
                  weapons=arms.usable_for("aimed fire"), refusal=_aiming),
    "fire": AttackKind(deed=shooting.AIMED_FIRE, verb="fire",
                   weapons=arms.usable_for("aimed fire"), refusal=_aiming),
    "volley": AttackKind(deed=concentrated.CONCENTRATED_VOLLEY, verb="concentrated-volley",
                     weapons=arms.usable_for("concentrated volley"), refusal=_concentrating),
    "area": AttackKind(deed=volley.AREA_VOLLEY, verb="area-volley",
                   weapons=arms.usable_for("area volley"), refusal=_bombarding),
    "charge": AttackKind(deed=charging.CHARGE, verb="charge",
                     weapons=arms.weapons_of, refusal=_charging),
}
# fmt: on
"""By name. Where none is named the first is taken that the attacker may make."""


def order_for(
    moment: Moment, name: str, attacker: int, target: int, weapon: str | None
) -> Order | Refusal:
    """Return the order for an attack with a weapon; why there is none where the unit lacks it."""
    attack = ATTACKS[name]
    weapons = [each.name for each in attack.weapons(moment, attacker)]
    if not weapons or (weapon is not None and weapon not in weapons):
        return Refusal("emlia.equip.permitted-actions", "it has no weapon for that")
    number = 0 if weapon is None else weapons.index(weapon)
    point = volley.on_grid(situation_of(moment).centre(target)) if name == "area" else None
    return Order(verb=attack.verb, unit=attacker, target=target, number=number, point=point)


def look_for(moment: Moment, unit: int, weapon: str, names: Sequence[str]) -> None:
    """Raise Error with the available weapons if the unit has no such weapon for any attack."""
    there = {each.name: 0 for name in names for each in ATTACKS[name].weapons(moment, unit)}
    if weapon not in there:
        known = f"it has {', '.join(there)}" if there else "it has none for that"
        name = moment.setup.units[unit].name
        raise Error(f'{name} has no weapon "{weapon}" for that; {known}')
