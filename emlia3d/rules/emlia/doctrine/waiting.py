"""What the doctrine commander lets a unit prepare that has nothing better to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.doctrine.appraisal import Role, boldness, melee_odds, nearest, role_of
from emlia3d.rules.emlia.play.turn.picture import Picture
from emlia3d.rules.emlia.preparation import Note


def prepare(picture: Picture, unit: int, offered: Mapping[str, Sequence[Order]]) -> Order | None:
    """A shot at whoever comes into range, or a charge at one who comes near, if that would pay."""
    battle = picture.battle
    notes = {order: Note.model_validate_json(order.words) for order in offered.get("prepare", [])}
    near = nearest(battle, unit, picture.known)
    if near is None:
        return None
    for order, note in notes.items():
        if note.do == ("aimed fire",) and note.when[0].band == "medium":
            return replace(order, why="shoot at whoever comes into range")
    role = role_of(battle, unit)
    if role in {Role.LINE, Role.CAVALRY} and melee_odds(battle, unit, near[0]) >= boldness(
        battle, unit
    ):
        for order, note in notes.items():
            if note.do == ("charge",):
                return replace(order, why="charge whoever comes within reach")
    return None
