"""The effects of hits: saving dice, losses, critical hits."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change, Fall, set_cells
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.columns import Attacks
from emlia3d.rules.runolfsson.contacts import entry_of, replace_leader
from emlia3d.rules.runolfsson.core import unsaved
from emlia3d.rules.runolfsson.events import CriticalHit, Destroyed, Hurt, PieceHit, Saved
from emlia3d.rules.runolfsson.terrain import (
    MOST_SECTIONS,
    TOUGHNESS,
    hits_taken,
    saving_dice_of_piece,
)


@rule("runolfsson.effect.absorption", "runolfsson.effect.single")
def is_destroyed(hits_left: int, unsaved: int) -> bool:
    """Return whether unsaved hits destroy a model; one of several hits survives the first."""
    return unsaved >= hits_left


@rule("runolfsson.effect.two-hits")
def halved(attack: float, save: int) -> tuple[float, int]:
    """Return the dice of a model of two hits after the first; half an attack die can be joined."""
    return attack / 2, save // 2


@rule("runolfsson.effect.many-hits")
def worn(attack: float, save: int, unsaved: int) -> tuple[float, int]:
    """Return the dice of a model of more than two hits after some of them."""
    return max(attack - unsaved, 0.0), max(save - unsaved, 0)


@rule("runolfsson.crit.when")
def is_critical(hits: int, faces: tuple[int, ...]) -> bool:
    """Return whether an attack can be critical for a model with these hits, from all its dice."""
    return hits > 2 and 10 in faces


@rule("runolfsson.crit.once")
def may_be_critical(attackers: Iterable[int], critical: Collection[int]) -> bool:
    """Return whether dice can cause a critical hit: once per model and attack.

    attackers : the models that roll the dice: one, or all that joined fractions of dice
    critical : the models whose dice have caused one in this attack
    """
    return not any(unit in critical for unit in attackers)


@rule("runolfsson.crit.table")
def critical_result(face: int) -> str:
    """Return the result of a D6 for a critical hit."""
    return ("no move", "no attack", "no effect")[(face - 1) // 2]


def is_stopped_by_critical(moment: Moment, unit: int, *, teleporting: bool = False) -> bool:
    """Return whether a critical hit forbids a move of a model; teleports are allowed."""
    return not teleporting and bool(moment.state.units.value("no_move", unit))


def apply_to_model(battle: Battle, unit: int) -> Procedure[None]:
    """Apply the effects of the attacks on a model."""
    units = battle.state.units
    hits, tens, save = (units.integer(name, unit) for name in ("coming", "tens", "save"))
    faces = battle.dice.roll("runolfsson.hit.save", save, 10) if hits and save else ()
    lost = unsaved(hits, faces)
    attacks = Attacks.MANY if units.integer("dice_at", unit) > save else Attacks.SOME
    attacks = max(attacks, Attacks(units.integer("attacks", unit)))
    changes = set_cells("unit", unit, coming=0, dice_at=0, tens=0, attacks=attacks)
    if lost:
        changes += set_cells("unit", unit, was_hit=1)
    yield Event(
        facts=Saved(hits=hits, faces=faces, unsaved=lost),
        unit=unit,
        because=("runolfsson.hit.save",),
        changes=changes,
        part_of_last=True,
    )
    left = units.integer("hits_left", unit)
    if is_destroyed(left, lost):
        yield destroyed(battle, unit, "runolfsson.effect.single")
        yield from replace_leader(battle, unit)
        return
    if lost:
        yield _hurt(battle, unit, lost, left - lost)
    for _ in range(tens):
        yield _critical(battle, unit)


def _hurt(battle: Battle, unit: int, lost: int, left: int) -> Event:
    units = battle.state.units
    attack, save = float(units.value("attack", unit)), units.integer("save", unit)
    many = entry_of(battle.setup, unit).hits > 2
    attack, save = worn(attack, save, lost) if many else halved(attack, save)
    return Event(
        facts=Hurt(lost=lost, left=left),
        unit=unit,
        gesture="suffer",
        because=("runolfsson.effect.many-hits" if many else "runolfsson.effect.two-hits",),
        changes=set_cells("unit", unit, hits_left=left, attack=attack, save=save),
        part_of_last=True,
    )


def _critical(battle: Battle, unit: int) -> Event:
    (face,) = battle.dice.roll("runolfsson.crit.table", 1, 6)
    result = critical_result(face)
    effects = {"no move": {"no_move": 1}, "no attack": {"no_attack": battle.state.turn + 1}}
    return Event(
        facts=CriticalHit(face=face, result=result),
        unit=unit,
        because=("runolfsson.crit.when", "runolfsson.crit.table"),
        changes=set_cells("unit", unit, **effects.get(result, {})),
        part_of_last=True,
    )


def apply_to_piece(battle: Battle, number: int, hits: int) -> Procedure[None]:
    """Apply the effects of the attacks on a tree, a bush or a section of wall."""
    feature, section = divmod(number, MOST_SECTIONS)
    damage = battle.state.features.integer("damage", feature)
    left = TOUGHNESS - hits_taken(damage, section)
    faces = (
        battle.dice.roll("runolfsson.tree.target", saving_dice_of_piece(left), 10) if hits else ()
    )
    lost = min(unsaved(hits, faces), left)
    yield Event(
        facts=PieceHit(
            piece=battle.setup.field.features[feature].name,
            faces=faces,
            unsaved=lost,
            gone=lost == left,
        ),
        because=("runolfsson.tree.target",),
        changes=set_cells("feature", feature, damage=damage + (lost << 2 * section)),
        part_of_last=True,
    )


def destroyed(moment: Moment, unit: int, slug: str, *changes: Change) -> Event:
    """Return the event of a model that is destroyed, with changes before it falls."""
    (figure,) = moment.state.roster.standing(unit).tolist()
    none_left = set_cells("unit", unit, hits_left=0)
    return Event(
        facts=Destroyed(),
        unit=unit,
        gesture="suffer",
        because=(slug,),
        changes=(*changes, *none_left, Fall(unit=unit, figures=(figure,))),
        part_of_last=True,
    )
