"""Emlia, chapter 15.5 as play: who goes after the enemy that he has pushed."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.force.facing import facing_towards
from emlia3d.rules.emlia.play.contact import engaged_by, is_ranked
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.movement import straight
from emlia3d.rules.emlia.play.pose import gone, pose_of
from emlia3d.rules.emlia.play.pushes import Push
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@rule("emlia.push.follow")
def follow(battle: Battle, one: Push, distance: float, moved: Collection[int]) -> Procedure[None]:
    """A pusher that was not moved itself may go after its enemy to keep contact.

    A ranked one only if no other enemy engages it, and not one that it has put out of its reach.

    distance : GSU that the enemy was moved
    """
    lie, units = lie_of(battle), battle.state.units
    for pusher in one.by:
        unit = pusher.unit
        others = [foe for foe in engaged_by(battle, unit) if foe != one.unit]
        if unit in moved or (is_ranked(battle, unit) and (others or not pusher.presses)):
            continue
        pose = pose_of(battle, unit)
        gap = lie.distance(unit, one.unit)
        way = pose.facing if is_ranked(battle, unit) else facing_towards(*pusher.way)
        wanted = min(distance, max(gap - 1 / 4, 0.0))
        run = straight(battle, unit, pose, way, wanted, wanted, forced=True)
        if run.distance <= 0:
            continue
        choice = yield Decision(
            side=units.integer("side", unit),
            asks="emlia.push.follow",
            unit=unit,
            options=(
                Order(verb="follow-up", unit=unit, target=one.unit),
                Order(verb="stand", unit=unit),
            ),
        )
        if choice.verb == "follow-up":
            yield Event(
                name="followed up", unit=unit, target=one.unit, gesture="march",
                facts={"distance": round(run.distance, 2)}, because=("emlia.push.follow",),
                changes=gone(pose, way, run.distance).changes(unit), part_of_last=True,
            )  # fmt: skip
