"""Emlia, chapter 21.4 as play: the controller of a unit chooses which of its members fall.

Members of one unit are alike, so what matters is where the unit is smaller afterwards. Ranks lose
their rear rank. A close or open unit may lose its front, one of its ends or both instead; the
others close up within the room that they had. Ruling: a choice is not open if they have no room to
close up so, because others stand between the members of an open unit. Its controller is asked only
if an enemy that the unit is aware of is near, and if the choices leave it in different places; the
first choice is the default.

Holds `emlia.damage.casualty-choice`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation.allowance import has_room
from emlia3d.rules.emlia.play.situation.contact import enemies_of
from emlia3d.rules.emlia.play.situation.parts import head_of, is_mixed
from emlia3d.rules.emlia.play.situation.pose import QUARTER, Pose, gone, keeps_places, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

REAR = "lose-rear"
"""The default: the unit loses its rear, and its front stays."""


@rule("emlia.damage.casualty-choice")
def chosen(moment: Moment, unit: int, lost: int) -> Procedure[tuple[str, Pose | None]]:
    """Return the verb of the controller's choice, and where the unit stands afterwards.

    The pose is None if the unit loses its rear, after which its front stays.

    lost : members that fall
    """
    if not _may_choose(moment, unit, lost):
        return REAR, None
    poses = poses_after(pose_of(moment, unit), lost)
    if len(poses) < 2 or not _is_enemy_near(moment, unit):
        return REAR, None
    poses = {
        verb: pose for verb, pose in poses.items() if verb == REAR or has_room(moment, unit, pose)
    }
    if len(poses) < 2:
        return REAR, None
    order = yield Decision(
        side=moment.state.units.integer("side", unit),
        asks="emlia.damage.casualty-choice",
        unit=unit,
        options=tuple(Order(verb=verb, unit=unit, number=lost) for verb in poses),
    )
    return order.verb, None if order.verb == REAR else poses[order.verb]


def _may_choose(moment: Moment, unit: int, lost: int) -> bool:
    """Return whether there is a choice.

    There is none in ranks, in a mixed unit, if all or none fall, or if members stand out of the
    places of their formation, to which a choice would move them.
    """
    units = moment.state.units
    loose = units.integer("formation", unit) != Formation.RANKED
    if not loose or not 0 < lost < units.integer("members", unit):
        return False
    return not is_mixed(moment, head_of(moment, unit)) and keeps_places(moment, unit)


def _is_enemy_near(moment: Moment, unit: int) -> bool:
    """Return whether an enemy that the unit is aware of is within 20 GSU of it."""
    situation, near = situation_of(moment), numbers_of(moment).near
    return any(
        in_reach(situation.distance(unit, foe), near) and is_aware(moment, unit, foe)
        for foe in whereabouts_of(moment).about(unit, enemies_of(moment, unit), near)
    )


def poses_after(pose: Pose, lost: int) -> Mapping[str, Pose]:
    """Return where a unit may stand after losses, by the verb of each choice; none twice.

    Each place is within what the unit took up before.

    lost : members that fall, fewer than it has
    """
    drill, left = pose.drill, pose.drill.count - lost
    shorter = replace(pose, drill=replace(drill, count=left))
    narrow = replace(drill, count=left, files=-(-left // drill.ranks))
    narrower, spare = replace(pose, drill=narrow), (drill.frontage - narrow.frontage) / 2
    back = (pose.facing + 2 * QUARTER) % FULL_CIRCLE
    right = (pose.facing + QUARTER) % FULL_CIRCLE
    every = {
        REAR: shorter,
        "lose-front": gone(shorter, back, drill.length - shorter.drill.length),
        "lose-left": gone(narrower, right, spare),
        "lose-right": gone(narrower, right, -spare),
        "lose-flanks": narrower,
    }
    first = {(each.x, each.y, min(each.drill.files, left)): verb
             for verb, each in reversed(every.items())}  # fmt: skip
    return {verb: each for verb, each in every.items() if verb in first.values()}
