"""The actions of a unit: which are legal, and how they are carried out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import set_cells
from emlia3d.battle.decisions import (
    LazyOptions,
    Leg,
    OpenValidator,
    OptionGroup,
    Order,
    Procedure,
    Refusal,
    decision_of,
)
from emlia3d.battle.events import Event
from emlia3d.force.facing import facing_towards
from emlia3d.rules.oathmark.activation import Activity, has_special_action, may_attack
from emlia3d.rules.oathmark.blocks import (
    Block,
    block_at,
    blocks_of,
    entry_of,
    figures_by_slot,
    put,
)
from emlia3d.rules.oathmark.combat import attack_on
from emlia3d.rules.oathmark.core import INCH, SLACK, BlockSide
from emlia3d.rules.oathmark.events import Moved, Stopped, Turned
from emlia3d.rules.oathmark.losses import spread_panic, take_test
from emlia3d.rules.oathmark.melee import attacks, charge
from emlia3d.rules.oathmark.morale import disordered_minus
from emlia3d.rules.oathmark.movement import (
    WAYS,
    StraightMove,
    about_face,
    after_manoeuvre,
    corners,
    manoeuvre_refusal,
    pivot,
    turns,
    wheel,
)
from emlia3d.rules.oathmark.shooting import Aim, shoot
from emlia3d.rules.oathmark.sight import aims_of
from emlia3d.rules.oathmark.terrain import must_test_in_woods, terrain_of

_SHORTEST = 3.0
"""The shortest move among the options, mm."""

TURNS = 3
"""The number of the kind of options for manoeuvres."""

_NO_ACTION = "oathmark.action.two"


def leg_of(step: str, block: Block) -> Leg:
    """Return the leg of an order that ends at a block."""
    assert step in {"march", "turn", "wheel"}
    return Leg(step=step, x=block.x, y=block.y, facing=block.facing)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Actions(OpenValidator):
    """Every action that a unit may take now."""

    unit: int
    activity: Activity

    def refusal(self, order: Order) -> Refusal | None:
        """Return why an order is illegal; None if it is legal."""
        if order.unit != self.unit:
            return Refusal("oathmark.activation.nominate", "another unit is acting")
        judge = {
            "stop": self._stop, "move": self._move, "attack": self._attack, "shoot": self._shoot,
            "pivot": self._turn, "wheel": self._turn, "about face": self._turn,
        }.get(order.verb)  # fmt: skip
        if judge is None:
            has = has_special_action(entry_of(self.moment.setup, self.unit).abilities, order.verb)
            return None if has else Refusal("oathmark.action.special", "it has no such action")
        if self.activity.left <= 0:
            return Refusal(_NO_ACTION, "it has no action left")
        return judge(order)

    def walk(self, way: BlockSide) -> StraightMove:
        """Return a straight move in a direction."""
        return StraightMove(self.moment, self.unit, way, self.activity)

    @property
    def is_stranded(self) -> bool:
        """True if the unit is on an obstacle that its second move must cross."""
        if terrain_of(self.moment).is_clear(block_at(self.moment.state, self.unit)):
            return False
        walks = [self.walk(way) for way in WAYS]
        return any(walk.end(walk.reach) > _SHORTEST for walk in walks)

    def _stop(self, order: Order) -> Refusal | None:
        if self.is_stranded:
            return Refusal("oathmark.terrain.impassable-crossing", "it must cross the obstacle")
        return None if order == Order(verb="stop", unit=self.unit) else _odd()

    def _move(self, order: Order) -> Refusal | None:
        found = self.straight(order)
        if found is None:
            return Refusal("oathmark.move.half", "a move is straight ahead, back or sideways")
        way, distance = found
        return self.walk(way).refusal(distance)

    def straight(self, order: Order) -> tuple[BlockSide, float] | None:
        """Return the direction and the length of a straight move; None for other moves."""
        block = block_at(self.moment.state, self.unit)
        if len(order.legs) != 1 or order != Order(verb="move", unit=self.unit, legs=order.legs):
            return None
        (leg,) = order.legs
        if leg != Leg(step="march", x=leg.x, y=leg.y, facing=block.facing):
            return None
        right, ahead = block.offset((leg.x, leg.y))
        if min(abs(right), abs(ahead)) > 2 * SLACK or hypot(right, ahead) < 2 * SLACK:
            return None
        if abs(ahead) > abs(right):
            return (BlockSide.FRONT if ahead > 0 else BlockSide.REAR), abs(ahead)
        return (BlockSide.RIGHT if right > 0 else BlockSide.LEFT), abs(right)

    def _attack(self, order: Order) -> Refusal | None:
        if not may_attack(BlockSide.FRONT, full=self.activity.full):
            return Refusal("oathmark.action.simple", "a simple action cannot touch an enemy")
        if order != Order(verb="attack", unit=self.unit, target=order.target):
            return _odd()
        if order.target in {foe for foe, _, _ in self.attacks()}:
            return None
        return Refusal("oathmark.combat.trigger", "no move ahead brings it into contact")

    def attacks(self) -> list[tuple[int, float, Block]]:
        """Return the enemies that a forward move touches, with its length and its end."""
        if not may_attack(BlockSide.FRONT, full=self.activity.full) or self.is_stranded:
            return []
        return [*attacks(self.moment, self.walk(BlockSide.FRONT))]

    def aims(self) -> list[Aim]:
        """Return the targets that the unit may shoot at."""
        return [] if self.is_stranded else aims_of(self.moment, self.unit, self.activity)

    def _shoot(self, order: Order) -> Refusal | None:
        if order != Order(verb="shoot", unit=self.unit, target=order.target):
            return _odd()
        if order.target in {aim.target for aim in self.aims()}:
            return None
        return Refusal("oathmark.shoot.priority", "it cannot shoot at that")

    def turned(self, order: Order) -> Block | None:
        """Return the block after a manoeuvre; None for other orders."""
        block = block_at(self.moment.state, self.unit)
        if order.verb == "about face":
            return about_face(block)
        if len(order.legs) != 1:
            return None
        facing = order.legs[0].facing
        if order.verb == "pivot" and order.number is None:
            return pivot(block, facing)
        if order.verb == "wheel" and order.number in range(len(corners(block))):
            assert order.number is not None
            return wheel(block, order.number, facing)
        return None

    def _turn(self, order: Order) -> Refusal | None:
        block = self.turned(order)
        if (
            block is None
            or self.is_stranded
            or order != turn_order(self.unit, order.verb, order.number, block)
        ):
            return _odd()
        return manoeuvre_refusal(self.moment, self.unit, block)

    # The options

    def options(self) -> LazyOptions:
        """Return the shortlist of options, kind by kind."""
        kinds = {
            ("attack",): self._attack_options, ("shoot",): self._shoot_options,
            ("move",): self._move_options, ("pivot", "wheel", "about face"): self._turn_options,
            ("stop",): self._stop_options,
        }  # fmt: skip
        return LazyOptions(
            [
                OptionGroup(verbs=verbs, generate=listed, validated=True)
                for verbs, listed in kinds.items()
            ]
        )

    def _attack_options(self) -> Iterator[Order]:
        for foe, _, _ in self.attacks():
            yield Order(verb="attack", unit=self.unit, target=foe)

    def _shoot_options(self) -> Iterator[Order]:
        for aim in self.aims():
            yield Order(verb="shoot", unit=self.unit, target=aim.target)

    def _move_options(self) -> Iterator[Order]:
        for way in WAYS:
            walk = self.walk(way)
            far = walk.end(walk.reach)
            for wish in (far, walk.end(far / 2)) if way is BlockSide.FRONT else (far,):
                if wish > _SHORTEST:
                    yield self.move(walk, wish)

    def move(self, walk: StraightMove, distance: float) -> Order:
        """Return the order to move by a distance."""
        return Order(verb="move", unit=self.unit, legs=(leg_of("march", walk.at(distance)),))

    def _turn_options(self) -> Iterator[Order]:
        if self.is_stranded:
            return
        blocks = blocks_of(self.moment)
        own, gaps = blocks.of[self.unit], blocks.gaps(blocks.of[self.unit])
        near = sorted(blocks.enemies(self.unit), key=lambda foe: (gaps[foe], foe))[:2]
        towards = [
            facing_towards(x - own.officer[0], y - own.officer[1])
            for x, y in (blocks.of[foe].centre for foe in near)
        ]
        for verb, corner, block in turns(own, towards):
            if manoeuvre_refusal(self.moment, self.unit, block) is None:
                yield turn_order(self.unit, verb, corner, block)

    def _stop_options(self) -> Iterator[Order]:
        if not self.is_stranded:
            yield Order(verb="stop", unit=self.unit)


def turn_order(unit: int, verb: str, corner: int | None, block: Block) -> Order:
    """Return the order for a manoeuvre."""
    if verb == "about face":
        return Order(verb=verb, unit=unit)
    step = "wheel" if verb == "wheel" else "turn"
    return Order(verb=verb, unit=unit, number=corner, legs=(leg_of(step, block),))


def _odd() -> Refusal:
    return Refusal(_NO_ACTION, "the order is incomplete, or the unit must move on")


# Carrying out


def act(battle: Battle, unit: int, activity: Activity) -> Procedure[None]:
    """Carry out a unit's actions until none is left, it stops, or it has fought."""
    while activity.left and battle.state.units.value("present", unit):
        actions = Actions(battle, unit, activity)
        slug = "oathmark.action.two" if activity.full else "oathmark.action.simple"
        order = yield decision_of(battle, unit, slug, actions.options(), actions)
        if order.verb == "stop":
            return
        if order.verb == "attack":
            foe, distance, placed = next(a for a in actions.attacks() if a[0] == order.target)
            attack = attack_on(battle, unit, foe, distance)
            yield from enter_woods(battle, actions, actions.walk(BlockSide.FRONT), distance)
            if battle.state.units.value("present", unit):
                yield from charge(battle, attack, placed)
            return
        if order.verb == "shoot":
            aim = next(a for a in aims_of(battle, unit, activity) if a.target == order.target)
            yield from shoot(battle, unit, aim, activity.actions)
            activity = activity.after_shot()
        elif order.verb == "move":
            activity = yield from make_move(battle, actions, order)
        else:
            yield manoeuvre(actions, order)
            activity = after_manoeuvre(activity)


def manoeuvre(actions: Actions, order: Order) -> Event:
    """Return the event of a manoeuvre."""
    block = actions.turned(order)
    assert block is not None
    how = {"pivot": "pivots", "wheel": "wheels"}.get(order.verb, "faces about")
    return Event(
        facts=Turned(how=how),
        unit=actions.unit,
        gesture="march",
        because=(f"oathmark.manoeuvre.{order.verb.replace('about face', 'about-face')}",),
        changes=put(actions.unit, block, figures_by_slot(actions.moment.state, actions.unit)),
    )


def make_move(battle: Battle, actions: Actions, order: Order) -> Procedure[Activity]:
    """Move a unit straight; return its activity afterwards."""
    found, unit, activity = actions.straight(order), actions.unit, actions.activity
    assert found is not None
    way, distance = found
    walk = actions.walk(way)
    edge = yield from enter_woods(battle, actions, walk, distance)
    done = replace(activity.after_move(), in_woods=edge is not None)
    if battle.state.units.value("present", unit):
        (leg,) = order.legs
        block = replace(walk.start, x=leg.x, y=leg.y)
        yield moved(battle, walk, distance - (edge or 0.0), block)
    return done


def moved(battle: Battle, walk: StraightMove, distance: float, block: Block) -> Event:
    """Return the event of a straight move, or part of one, that ends at a block."""
    ahead = walk.way is BlockSide.FRONT
    slug = "oathmark.move.forward" if ahead else "oathmark.move.half"
    return Event(
        facts=Moved(how=WAYS[walk.way], inches=round(distance / INCH, 2)),
        unit=walk.unit,
        gesture="march",
        because=(slug, "oathmark.terrain.track"),
        changes=put(walk.unit, block, figures_by_slot(battle.state, walk.unit)),
    )


def enter_woods(
    battle: Battle, actions: Actions, walk: StraightMove, distance: float
) -> Procedure[float | None]:
    """Move a unit that enters woods to their edge, and test its morale there.

    Returns the length of the move so far, mm; None if it does not test.
    """
    unit, entry = actions.unit, entry_of(battle.setup, actions.unit)
    shy = bool(entry.level("artillery")) or "cavalry" in entry.tags
    tested, edge = actions.activity.in_woods, walk.track.woods
    if edge is None or not must_test_in_woods(edge, distance, shy=shy, tested=tested):
        return None
    if edge > SLACK:
        yield moved(battle, walk, edge, walk.at(edge))
    minus = disordered_minus(disordered=bool(battle.state.units.value("disordered", unit)))
    rows = (("oathmark.morale.disordered-minus", minus),) if minus else ()
    _, fled = yield from take_test(battle, unit, "woods", rows, "oathmark.terrain.woods-morale")
    yield from spread_panic(battle, fled)
    return edge


def activated(unit: int) -> Event:
    """Return the event that ends an activation."""
    changes = set_cells("unit", unit, activated=1)
    return Event(facts=Stopped(), unit=unit, changes=changes, part_of_last=True)
