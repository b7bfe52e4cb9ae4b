"""Role of a unit for its AI, as the unit set declares it.

A role is no attribute of the book and decides no rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from emlia3d.rules.emlia.unit_sets.unit_set import Entry

RoleName: TypeAlias = Literal["fighters", "shooters", "cavalry", "artillery", "leader", "ram"]
"""Troops that fight hand to hand; that shoot, and keep their distance in open order; that ride;
engines that shoot; a leader; what breaks gates."""

ROLES: tuple[RoleName, ...] = get_args(RoleName)


def declared_role(entry: Entry) -> RoleName:
    """Return the role of a unit.

    It is the entry's `role`, or else the first of its keywords that names a role. Without either it
    follows from weapons and skills, never from the model that is drawn.
    """
    if entry.role is not None:
        return entry.role
    words = (word.lower() for word in entry.keywords)
    return next((role for word in words for role in ROLES if role == word), _usual_role(entry))


def _usual_role(entry: Entry) -> RoleName:
    """Return the role that weapons and skills suggest."""
    if entry.ranged_weapons:
        strikes = any(weapon.base_damage for weapon in entry.melee_weapons)
        drives = any(movement.gears for movement in entry.movements)
        is_engine = (entry.damage_limit or 1) > 1 and not strikes and not drives
        return "artillery" if is_engine else "shooters"
    leads = entry.skill("leadership")
    fights = entry.skill("close combat")
    if leads is not None and (fights is None or leads.dice >= fights.dice):
        return "leader"
    return "fighters"
