"""The procedure of attack phases: picks, declarations and rolls."""

from __future__ import annotations

from collections.abc import Sequence

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Change, add_to_cells, set_cells
from emlia3d.battle.decisions import Decision, LazyOptions, OptionGroup, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.runolfsson.attack import (
    PossibleShot,
    declare,
    dice_left,
    modifier,
    open_shots,
    piece_name,
    piece_orders,
    shots_at_pieces,
)
from emlia3d.rules.runolfsson.columns import Attacked
from emlia3d.rules.runolfsson.contacts import entry_of, touching
from emlia3d.rules.runolfsson.core import divided_fire, fraction, hits, joined, whole
from emlia3d.rules.runolfsson.damage import is_critical, may_be_critical
from emlia3d.rules.runolfsson.events import AttackMade, Passed, Picked


def pick_target(battle: Battle, side: int) -> Procedure[None]:
    """Ask a side for a target and all its attacks on it, and carry them out."""
    found, name = open_shots(battle, side), battle.setup.sides[side].name
    kinds = (
        ("attack", lambda: [Order(verb="attack", target=target) for target in found]),
        ("attack piece", lambda: piece_orders(battle, side)),
        ("pass", lambda: [Order(verb="pass")]),
    )
    order = yield Decision(
        side=side,
        asks="runolfsson.attack.alternate",
        options=LazyOptions(
            [OptionGroup(verbs=(verb,), generate=listed) for verb, listed in kinds]
        ),
    )
    changes: list[Change] = [*set_cells("battle", 0, to_act=1 - side)]
    if order.verb == "pass":
        changes += set_cells("side", side, passed=1)
        yield Event(facts=Passed(side=name), changes=tuple(changes))
        return
    if order.target is not None:
        shots, piece = found[order.target], None
        changes += set_cells("unit", order.target, fired_on=1)
    else:
        shots = [shot for shot in shots_at_pieces(battle, side) if shot.piece == order.number]
        piece = piece_name(battle, shots[0].piece)
        changes.append(Append(table="broken", row={"side": side, "piece": shots[0].piece}))
    declared = yield from declare(battle, side, shots, order)
    (unit, *others) = [shot.attacker for shot, _ in declared]
    yield Event(
        facts=Picked(side=name, piece=piece),
        unit=unit,
        others=tuple(others),
        target=order.target,
        because=("runolfsson.attack.alternate", "runolfsson.attack.declare-all"),
        changes=tuple(changes),
    )
    yield from strike(battle, declared, "runolfsson.attack.alternate")


def strike(
    battle: Battle, declared: Sequence[tuple[PossibleShot, float]], slug: str
) -> Procedure[None]:
    """Roll attacks on one target; their effects come later.

    declared : attacks, and the dice that each model uses
    """
    loose: list[tuple[float, int]] = []
    joining: list[PossibleShot] = []
    critical: dict[int, list[int]] = {}
    for shot, dice in declared:
        pool, each = dice * shot.multiplier, modifier(battle, shot)
        loose.append((pool, each))
        if fraction(pool):
            joining.append(shot)
        keeps = dice < dice_left(battle, shot.attacker)
        used = Attacked.PARTLY if keeps else Attacked.YES
        changes: tuple[Change, ...] = (
            *set_cells("unit", shot.attacker, attacked=used),
            *add_to_cells("unit", shot.attacker, spent=dice),
            *set_cells("unit", shot.attacker, cloaked=0),
        )
        because = slug, *shot.because
        yield from _roll(battle, [shot], (whole(pool), each), because, critical, changes)
    count, worst = joined(loose)
    if count:
        because = slug, "runolfsson.dice.fractions"
        yield from _roll(battle, joining, (count, worst), because, critical, None)


def _roll(
    battle: Battle,
    shots: Sequence[PossibleShot],
    pool: tuple[int, int],
    because: tuple[str, ...],
    critical: dict[int, list[int]],
    changes: tuple[Change, ...] | None,
) -> Procedure[None]:
    """Roll the dice of one attack, divided among all in a melee.

    shots : of the model; of all that join fractions of dice
    pool : dice and the modifier of each
    critical : for each model that is hit, the attackers that caused a critical hit so far
    changes : of the attacker; None for joined dice
    """
    (dice, modifier), is_joined, shot = pool, changes is None, shots[0]
    attackers = [one.attacker for one in shots]
    others = [] if shot.close or shot.target < 0 else touching(battle, shot.target)
    victims = [shot.target, *others]
    piece = None if shot.piece < 0 else piece_name(battle, shot.piece)
    for victim, share in zip(victims, divided_fire(dice, len(others)), strict=True):
        faces = battle.dice.roll("runolfsson.hit.roll", share, 10) if share else ()
        count = hits(faces, modifier)
        if victim < 0:
            row = {"side": -1, "piece": shot.piece, "hits": count}
            effect: tuple[Change, ...] = (Append(table="broken", row=row),)
        else:
            before = critical.setdefault(victim, [])
            tens = is_critical(entry_of(battle.setup, victim).hits, faces)
            tens = tens and may_be_critical(attackers, before)
            before += attackers if tens else []
            effect = add_to_cells("unit", victim, coming=count, dice_at=share, tens=int(tens))
        yield Event(
            facts=AttackMade(
                dice=share, modifier=modifier, successes=count, faces=faces, close=shot.close,
                joined=is_joined, piece=piece,
            ),
            unit=shot.attacker,
            target=None if victim < 0 else victim,
            gesture="strike" if shot.close else "shoot",
            because=because,
            changes=(*(changes or ()), *effect),
            part_of_last=is_joined,
        )  # fmt: skip
        changes = ()
