"""Emlia, chapter 21 as play: which rules made damage, losses, morale and forced moves.

The rows of the morale tables are not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from emlia3d.rules.emlia.columns import OWN, Armour
from emlia3d.rules.emlia.play.morale.allocation import HitMarker
from emlia3d.rules.emlia.play.situation.contact import is_ranked
from emlia3d.rules.emlia.play.situation.parts import head_of, is_led_from, is_mixed
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.damage import Group
from emlia3d.rules.emlia.tables.morale import bounded, is_fall, state_of
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.rules.emlia.play.engagement.pushes import Push
    from emlia3d.rules.emlia.play.engagement.shoves import PushedMove
    from emlia3d.rules.emlia.play.morale.casualties import CasualtyReport

LIGHT_ARMOUR = "light armour"


def hits_because(
    entry: Entry, markers: Sequence[HitMarker], groups: Sequence[Group]
) -> tuple[str, ...]:
    """Return the rules that made damage points of the hits that a unit took."""
    because = [slug for marker in markers for slug in marker.because]
    because += ["emlia.attr.hits"] if markers else []
    if entry.arc_hits is not None and markers:
        because += ["emlia.attr.sight-arcs", "emlia.attr.hits.by-arc"]
    if entry.protection:
        because += _armour_because(entry, {marker.armour for marker in markers})
    if any(group.base_damage for group in groups):
        because += ["emlia.equip.base-damage", "emlia.damage.modified-hits"]
    if len(groups) > 1:
        because.append("emlia.damage.per-group")
    if any(group.hits % group.needed for group in groups):
        because.append("emlia.meta.rounding")
    return tuple(dict.fromkeys(because))


def _armour_because(entry: Entry, kinds: set[Armour]) -> Iterator[str]:
    """Yield the rules of armour against attacks of these kinds."""
    if LIGHT_ARMOUR in entry.equipment and kinds - {Armour.IGNORED}:
        yield "emlia.equip.other.examples.light-armour"
    if Armour.PIERCED in kinds:
        yield "emlia.equip.armour-piercing"


def toll_because(moment: Moment, toll: CasualtyReport, *, lost: int, left: int) -> Iterator[str]:
    """Yield the rules that made losses of damage points.

    lost : members; left : damage points that stay on the unit
    """
    units, unit, entry = moment.state.units, toll.unit, situation_of(moment).entry(toll.unit)
    members = units.integer("members", unit)
    if toll.points:
        yield "emlia.damage.points"
    if len(toll.attackers) > 1:
        yield "emlia.damage.credit"
    if (lost or members == 1) and entry.damage_limit is not None:
        yield "emlia.attr.damage-limit"
    if units.value("damage", unit) or (left and lost < members):
        yield "emlia.damage.carry"
    if toll.swept_away:
        yield "emlia.press.terrain"
    if toll.rolls:
        yield "emlia.attr.threshold"
        yield "emlia.attr.vital-table"
    if toll.rolls and entry.damage_limit is not None:
        yield "emlia.attr.damage-measure"
        yield "emlia.damage.order"
    yield from _fallen_because(moment, unit, lost, members)


def _fallen_because(moment: Moment, unit: int, lost: int, members: int) -> Iterator[str]:
    """Yield the rules of who of a unit fell, and of what ends with it."""
    units, whole = moment.state.units, head_of(moment, unit)
    if lost >= members:
        yield "emlia.damage.unit-destroyed"
        if is_mixed(moment, whole) and is_led_from(moment, whole, unit):
            yield "emlia.lead.leader.loss"
    elif lost:
        yield "emlia.damage.casualty-choice"
        leads = situation_of(moment).entry(unit).skill("leadership") is not None
        if leads and units.integer("leader", whole) == OWN:
            yield "emlia.lead.leader.casualty-order"


_ACTIVATION = frozenset(
    f"emlia.morale.neg.{key}"
    for key in ("nearest-friend-retreating", "all-friends-retreating", "friend-casualties",
                "friend-wiped-out", "friend-runs-through")
)  # fmt: skip
"""Rows that are judged as the unit activates."""
_PERCENT = frozenset(f"emlia.morale.neg.casualties-{percent}" for percent in (10, 25, 50, 75))


def morale_because(
    before: int, total: int, rows: Iterable[str], falls: Iterable[str]
) -> Iterator[str]:
    """Yield the rules of a change of morale, besides the rows of the tables.

    total : of the rows; rows, falls : slugs of the tables, and of the second pass
    """
    after, slugs = bounded(before + total), set(rows)
    if slugs & _ACTIVATION:
        yield "emlia.morale.activation-moment"
    if slugs & _PERCENT:
        yield "emlia.morale.percent-base"
    if "emlia.morale.neg.general-killed" in slugs:
        yield "emlia.morale.general"
    if set(falls):
        yield "emlia.morale.second-pass"
        yield "emlia.morale.reaches"
    if after != before + total:
        yield "emlia.morale.bounds"
    state, was = state_of(after), state_of(before)
    if state is not was:
        yield "emlia.morale.state"
        yield state.slug
        if state.army_value != was.army_value:
            yield "emlia.morale.army-value"
    if is_fall(before, after):
        yield "emlia.disorder.causes"


def shove_because(moment: Moment, one: Push, unit: int, shove: PushedMove) -> Iterator[str]:
    """Yield the rules by which a unit is moved by pushes, or with its skirmish."""
    yield "emlia.melee.success"
    if one.by:
        yield "emlia.push.net"
        yield "emlia.push.direction"
        if any(is_ranked(moment, pusher.unit) for pusher in one.by):
            yield "emlia.push.straight-ahead"
            if len(one.body) > 1:
                yield "emlia.mixedeng.move-skirmish"
        if is_ranked(moment, unit):
            yield "emlia.push.choices"
            if not all(is_ranked(moment, pusher.unit) for pusher in one.by):
                yield "emlia.mixedeng.move-ranked"
    if one.shifts:
        yield "emlia.skirmish.shift"
    if len(one.by) + len(one.shifts) > 1:
        yield "emlia.push.sum"
        yield "emlia.forced.vector-sum"
    if shove.by_terrain:
        yield "emlia.forced.terrain"
    elif shove.distance < shove.wanted:
        yield "emlia.forced.collision-order"
