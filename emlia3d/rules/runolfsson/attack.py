"""Attacks: targets, dice and joint declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, OpenValidator, Order, Procedure, Refusal, decision_of
from emlia3d.battle.derived import Derived, Each
from emlia3d.battle.moment import Moment
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.outline_crossings import Bools
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.columns import Attacked, Phase, Turn
from emlia3d.rules.runolfsson.contacts import (
    attack_command_modifier,
    entry_of,
    is_mindless,
    models_of,
    touching,
)
from emlia3d.rules.runolfsson.core import (
    SLACK,
    TOUCH,
    chance,
    has_a_shot,
    marker_modifier,
    shares_of,
    total,
    whole,
)
from emlia3d.rules.runolfsson.damage import apply_to_model, apply_to_piece
from emlia3d.rules.runolfsson.elevation import Ints
from emlia3d.rules.runolfsson.fire_line import (
    FireLineEnds,
    Lines,
    ends_at,
    ends_of,
    judge,
    line_length,
)
from emlia3d.rules.runolfsson.phases import may_attack_moving, may_attack_stationary
from emlia3d.rules.runolfsson.running import attacks_in_moving_phase_only
from emlia3d.rules.runolfsson.terrain import MOST_SECTIONS, terrain_of

CLOAKED = -2
"""Modifier of fire at a cloaked model."""


@dataclass(frozen=True, slots=True)
class PossibleShot:
    """A possible attack of a model.

    target, piece : a model or the number of a terrain piece; the other one is -1
    multiplier : of its dice
    edge : modifier of contour edges
    close : whether the two are in contact
    because : the rules that apply
    """

    attacker: int
    target: int
    multiplier: float
    edge: int
    close: bool
    because: tuple[str, ...]
    piece: int = -1


@rule("runolfsson.attack.ranged-needs", "runolfsson.attack.facing")
def in_range(gap: Floats, reach: Floats) -> Bools:
    """Return whether targets, in any direction, are within range."""
    within: Bools = gap <= reach + SLACK
    return within


_range_of = Derived(
    make=lambda moment: np.array(
        [entry_of(moment.setup, row).range for row in range(len(moment.setup.units))], dtype=float
    )
)


def judged(
    moment: Moment,
    one: FireLineEnds,
    starts: Ints,
    other: FireLineEnds,
    stops: Ints,
    *,
    own_models: bool = True,
) -> tuple[Lines, Ints]:
    """Return the lines along which models can attack, and their indices.

    one, starts, other, stops, own_models : see `judge`
    """
    reach = _range_of(moment)[one.unit[starts]]
    _, gap = line_length(
        one.spots[starts], other.spots[stops], one.radius[starts], other.radius[stops]
    )
    # Longer lines are not judged, to save time.
    near = np.flatnonzero(in_range(gap, np.maximum(reach, TOUCH)))
    lines = judge(moment, one, starts[near], other, stops[near], own_models=own_models)
    allowed = (lines.multiplier > 0) & (lines.close | in_range(lines.gap, reach[near]))
    return lines.of(allowed), near[allowed]


def shots_of(lines: Lines, attackers: Ints, targets: Ints) -> list[PossibleShot]:
    """Return the attacks along lines between models."""
    return [
        PossibleShot(
            int(attackers[line]),
            int(targets[line]),
            float(lines.multiplier[line]),
            int(lines.modifier[line]),
            bool(lines.close[line]),
            lines.because(line),
        )
        for line in range(len(attackers))
    ]


def average_hits(
    moment: Moment, one: FireLineEnds, starts: Ints, other: FireLineEnds, stops: Ints
) -> Floats:
    """Return (lines,) the mean hits of attacks with all dice.

    Targets count as not cloaked. The value is 0 if a line allows no attack.
    """
    found, known = np.zeros(len(starts)), dict[tuple[int, float, int, bool], float]()
    lines, numbers = judged(moment, one, starts, other, stops)
    keys = zip(
        one.unit[starts[numbers]].tolist(), lines.multiplier.tolist(), lines.modifier.tolist(),
        lines.close.tolist(), strict=True,
    )  # fmt: skip
    for number, key in zip(numbers.tolist(), keys, strict=True):
        if key not in known:
            attacker, factor, edge, close = key
            dice = whole(float(moment.state.units.value("attack", attacker)) * factor)
            shot = PossibleShot(attacker, -1, factor, edge, close, ())
            known[key] = dice * float(chance(modifier(moment, shot)))
        found[number] = known[key]
    return found


_standing: Each[int, tuple[PossibleShot, ...]] = Each(models_of, terrain_of)


def standing_shots(moment: Moment, side: int) -> tuple[PossibleShot, ...]:
    """Return all attacks of a side's models on hostile models from their current positions."""
    known = _standing(moment)
    if side not in known:
        models, ends = models_of(moment), ends_of(moment)
        own = np.array(models.of_side(side), dtype=np.int64)
        foes = np.array(models.of_side(1 - side), dtype=np.int64)
        one, other = np.repeat(own, len(foes)), np.tile(foes, len(own))
        lines, at = judged(moment, ends, one, ends, other)
        known[side] = tuple(shots_of(lines, one[at], other[at]))
    return known[side]


def shots_at_pieces(moment: Moment, side: int) -> Iterator[PossibleShot]:
    """Yield the attacks of models of a side on trees, bushes and walls."""
    terrain, ends = terrain_of(moment), ends_of(moment)
    own = [row for row in models_of(moment).of_side(side) if may_attack_now(moment, row)]
    numbers = [n for n, piece in enumerate(terrain.pieces) if piece.is_breakable]
    one = np.repeat(np.array(own, dtype=np.int64), len(numbers))
    other = np.tile(np.array(numbers, dtype=np.int64), len(own))
    if not len(one):
        return
    lines = shapely.shortest_line(terrain.outlines.shapes[other], shapely.points(ends.spots[one]))
    spots = shapely.get_coordinates(lines).reshape(-1, 2, 2)[:, 0]
    points = np.arange(len(one))
    there = ends_at(terrain, spots, np.zeros(len(one)), piece_at=other)
    seen, at = judged(moment, ends, one, there, points)
    for shot in shots_of(seen, one[at], points[at]):
        yield replace(shot, target=-1, piece=terrain.pieces[int(other[shot.target])].number)


# Dice


@rule("runolfsson.attack.two-phases")
def may_attack(moment: Moment, unit: int) -> bool:
    """Return whether a model still has its attack of the turn; opportunity fire uses it."""
    units = moment.state.units
    barred = units.integer("no_attack", unit) == moment.state.turn
    return not barred and may_attack_moving(Attacked(units.integer("attacked", unit)))


def may_attack_now(moment: Moment, unit: int) -> bool:
    """Return whether a model can attack in the current attack phase."""
    units, turn = moment.state.units, Turn(moment.state.battle.integer("kind", 0))
    if moment.state.battle.integer("phase", 0) == Phase.STATIONARY:
        if attacks_in_moving_phase_only(bool(units.value("ran", unit))):
            return False
        if not may_attack_stationary(turn, bool(units.value("moved", unit))):
            return False
    return may_attack(moment, unit)


def modifier(moment: Moment, shot: PossibleShot) -> int:
    """Return the modifier of each die of an attack."""
    units = moment.state.units
    cloaked = shot.target >= 0 and units.value("cloaked", shot.target) and not shot.close
    return total(
        (
            shot.edge,
            attack_command_modifier(bool(units.value("in_command", shot.attacker))),
            marker_modifier(units.integer("marker", shot.attacker)),
            CLOAKED if cloaked else 0,
        )
    )


def dice_left(moment: Moment, unit: int) -> float:
    """Return the unused attack dice of a model."""
    units = moment.state.units
    return float(units.value("attack", unit)) - float(units.value("spent", unit))


@rule("runolfsson.attack.one-target")
def may_divide(moment: Moment, shot: PossibleShot) -> bool:
    """Return whether a model can divide its dice among targets."""
    if shot.close:
        return len(touching(moment, shot.attacker)) > 1
    return entry_of(moment.setup, shot.attacker).has("multi targeting")


def worth(moment: Moment, shot: PossibleShot) -> float:
    """Return the mean hits of an attack, by its whole dice."""
    dice = whole(dice_left(moment, shot.attacker) * shot.multiplier)
    return dice * float(chance(modifier(moment, shot)))


def pools(moment: Moment, shots: Iterable[PossibleShot]) -> list[tuple[float, int]]:
    """Return the dice of attacks on one target, and the modifier of each."""
    return [
        (dice_left(moment, shot.attacker) * shot.multiplier, modifier(moment, shot))
        for shot in shots
    ]


# Targets


def open_shots(moment: Moment, side: int) -> dict[int, list[PossibleShot]]:
    """Return the targets that a side can still pick in this phase, with the attacks on each."""
    units, found = moment.state.units, dict[int, list[PossibleShot]]()
    able = {row: may_attack_now(moment, row) for row in models_of(moment).of_side(side)}
    for shot in standing_shots(moment, side):
        if not able[shot.attacker] or units.value("fired_on", shot.target):
            continue
        if units.integer("attacked", shot.attacker) == Attacked.PARTLY and not may_divide(
            moment, shot
        ):
            continue
        if is_mindless(moment, shot.attacker) and not is_obliged(moment, shot):
            continue
        found.setdefault(shot.target, []).append(shot)
    return {target: shots for target, shots in found.items() if has_a_shot(pools(moment, shots))}


@rule("runolfsson.attack.obligatory")
def is_obliged(moment: Moment, shot: PossibleShot) -> bool:
    """Return whether a mindless model must attack a target: the nearest possible one."""
    side = moment.state.units.integer("side", shot.attacker)
    models = models_of(moment)
    own = [s.target for s in standing_shots(moment, side) if s.attacker == shot.attacker]
    return shot.target == min(own, key=lambda foe: (models.gap(shot.attacker, foe), foe))


# The attack phases


@rule("runolfsson.attack.alternate")
def who_picks(moment: Moment) -> int | None:
    """Return the side that picks a target now; None if no side has an attack left."""
    to_act = moment.state.battle.integer("to_act", 0)
    breakable = any(piece.is_breakable for piece in terrain_of(moment).pieces)
    for side in (to_act, 1 - to_act):
        able = any(may_attack_now(moment, row) for row in models_of(moment).of_side(side))
        waits = able and not moment.state.sides.value("passed", side)
        if waits and (breakable or open_shots(moment, side)):
            return side
    return None


def piece_name(moment: Moment, number: int) -> str:
    """Return the name of a piece of terrain by its number."""
    return moment.setup.field.features[number // MOST_SECTIONS].name


def piece_orders(moment: Moment, side: int) -> list[Order]:
    """Return the orders that pick a tree, a bush or a section of wall as target."""
    broken = moment.state.lists["broken"]
    rows = zip(broken.ints("side").tolist(), broken.ints("piece").tolist(), strict=True)
    picked = {piece for by, piece in rows if by == side}
    by_piece: dict[int, list[PossibleShot]] = {}
    for shot in shots_at_pieces(moment, side):
        if shot.piece not in picked:
            by_piece.setdefault(shot.piece, []).append(shot)
    return [
        Order(verb="attack piece", number=piece)
        for piece, shots in sorted(by_piece.items())
        if has_a_shot(pools(moment, shots))
    ]


@dataclass(frozen=True, slots=True)
class Joint(OpenValidator):
    """Validator of joint attacks on a target, by models that together have a shot.

    shots : on the target
    order : the pick of the target
    """

    shots: tuple[PossibleShot, ...]
    order: Order

    def of(self, units: Sequence[int]) -> list[PossibleShot]:
        """Return the attacks of some models."""
        return [shot for unit in units for shot in self.shots if shot.attacker == unit]

    def by(self, units: Sequence[int]) -> Order:
        """Return the order for these models to attack together."""
        return replace(self.order, verb="attack together", unit=units[0], units=tuple(units[1:]))

    def refusal(self, order: Order) -> Refusal | None:
        """Return why an order is not allowed; None if it is."""
        units = order.actors
        fits = units and len(set(units)) == len(units) and order == self.by(units)
        if not fits or len(self.of(units)) != len(units):
            return Refusal("runolfsson.attack.declare-all", "these models cannot attack it")
        if not has_a_shot(pools(self.moment, self.of(units))):
            return Refusal("runolfsson.dice.no-shot", "their dice do not add up to one die")
        return None


@rule("runolfsson.attack.declare-all")
def declare(
    battle: Battle, side: int, shots: Sequence[PossibleShot], target: Order
) -> Procedure[list[tuple[PossibleShot, float]]]:
    """Ask a side which of its models attack a target, before any attack."""
    joint = Joint(battle, tuple(shots), target)
    ranked = sorted(shots, key=lambda shot: (-worth(battle, shot), shot.attacker))
    best = [shot.attacker for shot in ranked]
    options = [joint.by(best[:count]) for count in range(len(best), 0, -1)]
    order = yield Decision(
        side=side,
        asks="runolfsson.attack.declare-all",
        options=tuple(option for option in options if joint.refusal(option) is None),
        validator=joint,
    )
    declared = []
    for shot in joint.of(order.actors):
        dice = dice_left(battle, shot.attacker)
        if whole(dice) > 1 and may_divide(battle, shot):
            dice = yield from _divided(battle, shot, dice)
        declared.append((shot, dice))
    return declared


def _divided(battle: Battle, shot: PossibleShot, dice: float) -> Procedure[float]:
    options = tuple(
        Order(verb="use dice", unit=shot.attacker, target=shot.target, number=number)
        for number in reversed(shares_of(dice))
    )
    order = yield decision_of(battle, shot.attacker, "runolfsson.close.divide", options)
    assert order.number is not None
    return dice if order.number == whole(dice) else float(order.number)


@rule("runolfsson.attack.effects-at-end")
def apply_effects(battle: Battle) -> Procedure[None]:
    """Apply the effects of all attacks so far, to models, then to terrain pieces."""
    units = battle.state.units
    for unit in range(len(units)):
        if units.value("dice_at", unit):
            yield from apply_to_model(battle, unit)
    broken = battle.state.lists["broken"]
    hits: dict[int, int] = {}
    for piece, count in zip(
        broken.ints("piece").tolist(), broken.ints("hits").tolist(), strict=True
    ):
        hits[piece] = hits.get(piece, 0) + count
    for piece, count in sorted(hits.items()):
        yield from apply_to_piece(battle, piece, count)
