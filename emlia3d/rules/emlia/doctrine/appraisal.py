"""The commander's appraisal: roles, shots, fights and risk."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import compress
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.decisions import Order
from emlia3d.battle.derived import Derived
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.play.acting.checks import FOCUSED, attempt_of
from emlia3d.rules.emlia.play.charges.charging import brought_home
from emlia3d.rules.emlia.play.combat.shooting import aims_of
from emlia3d.rules.emlia.play.morale.leading import try_of
from emlia3d.rules.emlia.play.retreat.compulsion import is_compelled
from emlia3d.rules.emlia.play.situation.arms import weapon_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by, side_met_from
from emlia3d.rules.emlia.play.situation.fights import fight_of
from emlia3d.rules.emlia.play.situation.parts import entry_of, head_of, heads_of, members_of_all
from emlia3d.rules.emlia.play.situation.pose import Pose
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.damage import need
from emlia3d.rules.emlia.tables.morale import RETREATS, MoraleFacts, morale_change, state_of
from emlia3d.rules.emlia.tables.skills import expected_successes, success_chance
from emlia3d.rules.emlia.unit_sets.roles import RoleName, declared_role
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


FRIENDS_DEARER = 3.0
"""Weight of a hit on a friend relative to one on the enemy."""


class Role(IntEnum):
    """The purpose of a unit."""

    LINE = 0
    SKIRMISH = 1
    CAVALRY = 2
    GUNS = 3
    GENERAL = 4


def role_of(moment: Moment, unit: int) -> Role:
    """Return the role of a unit, from its unit set and its formation."""
    role = Role(_in_open_order(moment).item(unit))
    if role is not Role.SKIRMISH:
        return role
    units = moment.state.units
    is_open = units.integer("formation", unit) == Formation.OPEN
    return role if is_open and units.integer("strength", unit) > 1 else Role.LINE


def with_role(moment: Moment, units: Sequence[int], *roles: Role) -> list[int]:
    """Return the units whose role is among *roles*, in their order."""
    table, ones = moment.state.units, np.array(units, dtype=np.intp)
    own = _in_open_order(moment)[ones]
    loose = (table.ints("formation")[ones] == Formation.OPEN) & (table.ints("strength")[ones] > 1)
    own[(own == Role.SKIRMISH) & ~loose] = Role.LINE
    wanted = np.zeros(len(Role), dtype=np.bool_)
    wanted[list(roles)] = True
    found: list[int] = ones[wanted[own]].tolist()
    return found


def _in_open_order(moment: Moment) -> NDArray[np.int8]:
    """Return (units,) the declared role of each unit, regardless of members and formation."""
    return _ROLES(moment)


def _declared(moment: Moment) -> NDArray[np.int8]:
    entries = (entry_of(moment.setup, row) for row in range(len(moment.setup.units)))
    return np.array([_ROLE[declared_role(entry)] for entry in entries], dtype=np.int8)


_ROLES = Derived(make=_declared, same=np.array_equal)

_ROLE: Mapping[RoleName, Role] = {
    "fighters": Role.LINE,
    "shooters": Role.SKIRMISH,
    "cavalry": Role.CAVALRY,
    "artillery": Role.GUNS,
    "leader": Role.GENERAL,
    "ram": Role.LINE,
}
"""Roles of the commander by the role that a unit set declares."""


def nearest(moment: Moment, unit: int, foes: Iterable[int]) -> tuple[int, float] | None:
    """Return the nearest of some units and its distance, GSU."""
    situation, foes = situation_of(moment), [*foes]
    if not foes:
        return None
    at_least = whereabouts_of(moment).at_least([unit], foes)[0]
    # Only units whose bounding boxes are nearer than this unit can be nearer.
    limit = situation.distance(unit, foes[int(at_least.argmin())])
    near = [*compress(foes, at_least <= limit)]
    gap, foe = min(zip(situation.distances(unit, near), near, strict=True))
    return foe, gap


@dataclass(frozen=True, slots=True)
class ExpectedShot:
    """The expected effect of a shot or a volley.

    harm : losses of the enemy
    worth : the losses weighted by the value of the units struck
    heart : worth of the enemy's loss of morale, in the unit of `worth`
    breaks : whether the enemy is no longer fit to fight after it
    at_best : whether cover, not yet computed, may reduce it
    """

    order: Order
    harm: float
    worth: float
    heart: float = 0.0
    breaks: bool = False
    at_best: bool = False


def shot(moment: Moment, order: Order, *, at_best: bool = False) -> ExpectedShot:
    """Return the expected effect of an order to shoot at a unit.

    In a fight the enemy takes its share of the hits; hits on friends weigh more. No unit
    loses more members than it has, so that no volley is wasted on stragglers; fleeing units
    count less.

    at_best : as if the enemy had no cover
    """
    assert order.unit is not None
    assert order.target is not None
    entry = situation_of(moment).entry(order.target)
    harm = sum(
        float(expected_successes(aim.tried.dice, aim.modifier.total))
        / hits_for_a_loss(entry, aim.base_damage)
        for aim in aims_of(moment, order, uncovered=at_best)
    )
    head = head_of(moment, order.target)
    whole = members_of_all(moment, head) * (entry.damage_limit or _points(entry)) / _points(entry)
    done = min(harm * enemies_share(moment, order), whole)
    value = max(entry.army_value, 0.5)
    if moment.state.units.integer("morale", head) <= RETREATS:
        value *= _RUNS
    heart, breaks = _dismay(moment, head, done)
    return ExpectedShot(order, done, done * value, heart * value, breaks, at_best)


def hits_for_a_loss(entry: Entry, base_damage: int) -> int:
    """Return the hits of a base damage that cost a member; for a tough one, that affect it."""
    return need(entry.hits + entry.protection, base_damage) * _points(entry)


def _points(entry: Entry) -> int:
    """Return the damage points that cost a member, or have an effect by themselves."""
    return entry.threshold or entry.damage_limit or 1


_RUNS = 0.25
"""Worth of a hit on fleeing members relative to standing ones."""

_POINT = 0.02
"""Worth of a point of an enemy's morale, as a share of its strength."""

_FIT = 0.15
"""Worth of newly shaking an enemy, as a share of its strength."""


def _dismay(moment: Moment, target: int, harm: float) -> tuple[float, bool]:
    """Return the worth of the morale that a unit loses with *harm*, and whether it breaks.

    Losses and hits of this turn count too, so that several shots together
    reach what none reaches alone.
    """
    units = moment.state.units
    strength = float(units.value("strength_now", target) or members_of_all(moment, target))
    lost = float(units.value("lost_turn", target))
    soon = lost + _struck(moment, target)
    unhurt = units.integer("morale", target) - _fall(round(lost), strength)
    now, then = (unhurt + _fall(round(each), strength) for each in (soon, soon + harm))
    breaks = then <= 0 < now
    return strength * (_POINT * (now - then) + _FIT * breaks), breaks


@functools.lru_cache(maxsize=256)
def _fall(lost: int, strength: float) -> int:
    """Return the fall of morale that such losses in one turn cause."""
    return morale_change(MoraleFacts(suffered=lost > 0, lost=lost, strength=strength)).total


def _struck(moment: Moment, target: int) -> float:
    """Return the expected losses from a unit's hits since the last resolution."""
    rows, entry = moment.state.lists["marker"], situation_of(moment).entry
    if not len(rows):
        return 0.0
    subjects = rows.ints("subject")
    return sum(
        rows.integer("hits", row)
        / hits_for_a_loss(entry(subjects.item(row)), rows.integer("base_damage", row))
        for row in np.flatnonzero(heads_of(moment, subjects) == target).tolist()
    )


def enemies_share(moment: Moment, order: Order) -> float:
    """Return the share of a shot's hits on enemies less the share on friends; 1 outside fights."""
    assert order.unit is not None
    assert order.target is not None
    if order.verb.endswith(FOCUSED):
        return 1.0
    fight, sides = fight_of(moment, order.target, order.unit), moment.state.units.ints("side")
    weights = [
        (members_of_all(moment, one), moment.setup.hostile(int(sides[order.unit]), int(sides[one])))
        for one in fight
    ]
    whole = sum(members for members, _ in weights)
    if not whole:
        return 1.0
    return sum(m if hostile else -FRIENDS_DEARER * m for m, hostile in weights) / whole


@dataclass(frozen=True, slots=True)
class ExpectedMelee:
    """The expected exchange of one round hand to hand.

    inflicted, suffered : losses
    heart : factor of the odds for the difference of morale
    because : weaknesses of the enemy, in words
    """

    inflicted: float
    suffered: float
    heart: float
    because: tuple[str, ...]

    @property
    def odds(self) -> float:
        """Losses inflicted for each loss of its own."""
        return max(self.heart, 0.1) * self.inflicted / max(self.suffered, 0.25)

    def __str__(self) -> str:
        """Return the exchange as text for a reason."""
        why = f", because the enemy is {' and '.join(self.because)}" if self.because else ""
        return f"{self.inflicted:.1f} losses expected for {self.suffered:.1f} of its own{why}"


def charge_exchange(
    moment: Moment, unit: int, target: int, start: Pose | None = None
) -> ExpectedMelee | None:
    """Return the expected exchange of a charge; None if it falls short.

    start : where it begins; None for where the unit stands
    """
    end = brought_home(moment, unit, target, start)
    return None if end is None else _exchange(moment, unit, target, end.outline)


def exchange(moment: Moment, unit: int, target: int) -> ExpectedMelee:
    """Return the expected exchange of a round hand to hand from where a unit stands.

    The flank or rear of a ranked enemy, higher morale, friends among which it divides its blows,
    and above all an enemy in disorder, who does not strike back, better the odds.
    """
    return _exchange(moment, unit, target, situation_of(moment).outline(unit))


def _exchange(moment: Moment, unit: int, target: int, body: Polygon) -> ExpectedMelee:
    """Return the expected exchange with the unit's boundary at *body*."""
    side = side_met_from(moment, target, body)
    flank = {UnitEdge.LEFT: 3, UnitEdge.RIGHT: 3, UnitEdge.REAR: 5}.get(side, 0) if side else 0
    mine = _blows(moment, unit, target, 1 + flank)
    others = [one for one in engaged_by(moment, unit) if one != target]
    theirs = _blows(moment, target, unit, 1 - flank)
    theirs += sum(_blows(moment, one, unit, 1) for one in others)
    words = []
    helpers = [
        one for one in engaged_by(moment, target) if one != unit and not is_compelled(moment, one)
    ]
    if helpers:
        theirs /= 1 + len(helpers)
        words.append(f"kept busy by {moment.setup.units[helpers[0]].name}")
    if flank:
        words.append("attacked in the rear" if side is UnitEdge.REAR else "attacked in the flank")
    units = moment.state.units
    if units.value("disordered", target):
        theirs /= 3
        words.append("disordered")
    morale = units.ints("morale")
    if morale[target] <= 0:
        words.append(state_of(int(morale[target])).name.lower())
    heart = 1.0 + 0.1 * float(morale[unit] - morale[target])
    return ExpectedMelee(mine, theirs, heart, tuple(words))


def _blows(moment: Moment, unit: int, target: int, modifier: int) -> float:
    """Return the expected losses that one round of Close Combat inflicts."""
    drill = moment.state.roster.drill(unit)
    other = moment.state.roster.drill(target)
    able = drill.count
    if drill.formation is Formation.RANKED or other.formation is Formation.RANKED:
        meets = min(drill.frontage, max(other.frontage, other.length))
        able = max(1, min(drill.count, round(meets / drill.spacing[0])))
    tried = attempt_of(moment, unit, "close combat", able)
    entry = situation_of(moment).entry(target)
    needed = hits_for_a_loss(entry, weapon_of(moment, unit).base_damage)
    total = modifier + (-4 if tried.improvised else 0)
    return float(expected_successes(tried.dice, total)) / needed


def rally_chance(moment: Moment, order: Order) -> float:
    """Return the chance that one die of a leadership action succeeds."""
    return float(success_chance(try_of(moment, order).modifier.total))


_PRESSED = 0.6
"""Factor for the odds that a unit requires when time runs out."""


def boldness(ai: AiContext, unit: int) -> float:
    """Return the odds from which a unit charges: cavalry at lower odds; shaken units never.

    A bold commander asks for less, a cautious one for more; and everyone for less in the last
    turns, while the enemy is on the objective.
    """
    battle = ai.battle
    if battle.state.units.integer("morale", unit) <= 0:
        return inf
    usual = {Role.CAVALRY: 1.1, Role.LINE: 1.3}.get(role_of(battle, unit), 2.0)
    return usual * ai.personality.least_odds * (_PRESSED if ai.is_pressed else 1.0)


def shoots(moment: Moment, unit: int) -> bool:
    """Return whether a unit has anything to shoot with."""
    entry = situation_of(moment).entry(unit)
    return any(weapon.range for weapon in entry.ranged_weapons)


def effective_range(ai: AiContext, unit: int) -> float:
    """Return the range to fight at: medium for units that only shoot, nearer for others.

    A bold commander goes nearer, a cautious one stays farther off.
    """
    battle = ai.battle
    weapons = situation_of(battle).entry(unit).ranged_weapons
    if not weapons:
        return 0.0
    ranges = [weapon.range for weapon in weapons if weapon.range]
    short, medium, long = (max(bands[band] for bands in ranges) for band in range(3))
    stays = role_of(battle, unit) in {Role.SKIRMISH, Role.GUNS}
    usual = medium if stays else (short + medium) / 2
    return min(usual * ai.personality.distance, float(long))
