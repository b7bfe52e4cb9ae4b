"""Emlia, chapter 8: turns, timing steps, and who activates next.

A turn is a row of timing steps from the highest timing down to 0. In each step all units of
that timing activate, the players by turns; then everything that was done takes effect in the
resolution phase. Steps in which nothing is done are passed over.

Holds `emlia.time` and `emlia.activate`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.battle.changes import Add, Change, Clear, Fill, Pair, Set
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.rulekit.commander.asking import ask_for_plans
from emlia3d.rules.emlia.columns import Phase
from emlia3d.rules.emlia.events.scheduled import EventsOver
from emlia3d.rules.emlia.events.turn import (
    BattleEnded,
    Declined,
    FirstDrawn,
    StepBegun,
    TurnBegun,
    TurnEnded,
)
from emlia3d.rules.emlia.play.combat import scheduled_events as happenings
from emlia3d.rules.emlia.play.sight.awareness import watched
from emlia3d.rules.emlia.play.situation.brigades import brigades_of
from emlia3d.rules.emlia.play.situation.contact import contacts
from emlia3d.rules.emlia.play.situation.parts import is_mixed, members_of_all, on_field, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation, objectives, phase
from emlia3d.rules.emlia.play.turn.initiative import acting_early
from emlia3d.rules.emlia.tables.morale import percent_base
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


@rule("emlia.time.step-phases", "emlia.time.empty-steps")
@rule("emlia.resolve.next-step")
def next_step(battle: Battle) -> Procedure[None] | None:
    """Return the next segment of play: a turn's beginning or end, an activation or a resolution.

    Units that come into the open are spotted at once in all of them.
    """
    procedure = _next_step(battle)
    return None if procedure is None else watched(battle, procedure)


def _next_step(battle: Battle) -> Procedure[None] | None:
    state = battle.state.battle
    if state.value("ended", 0):
        return None
    if state.value("phase", 0) != Phase.ACTIVATION:
        events = state.value("phase", 0) == Phase.EVENTS
        return after_events(battle) if events else begin_turn(battle)
    if players(battle):
        return one_activation(battle)
    if state.value("acted", 0):
        return phase.resolve(battle)
    if waiting_units(battle):
        return next_timing(battle, state.integer("step", 0) - 1)
    return end_turn(battle)


def waiting_units(moment: Moment) -> list[int]:
    """Units on the field that have not activated this turn, or have delayed."""
    activated = moment.state.units.ints("activated").tolist()
    return [unit for unit in on_field(moment) if not activated[unit]]


@rule("emlia.attr.timing", "emlia.time.turn")
def begin_turn(battle: Battle) -> Procedure[None]:
    """Begin a turn: clear counters and restore every unit's printed timing."""
    if battle.state.turn == 0:
        yield from draw_for_first(battle)
    situation, units = situation_of(battle), battle.state.units
    present = [unit for unit in range(len(units)) if units.value("present", unit)]
    fresh = ("delayed", "double_paced", "lost_turn", "rows_given")
    changes: list[Change] = [
        Add(table="battle", row=0, column="turn", value=1),
        *(Fill(table="unit", column=column, value=0) for column in fresh),
        *(
            Pair(column=column, a=a, b=b, value=None)
            for column in ("attacked", "barred")
            for a, b in sorted(battle.state.pairs[column])
        ),
        Set(table="battle", row=0, column="phase", value=Phase.ACTIVATION),
    ]
    for unit in present:
        entry = situation.entry(unit)
        base = percent_base(
            members=members_of_all(battle, unit),
            single=units.integer("strength", unit) == 1 and not is_mixed(battle, unit),
            limit=entry.damage_limit,
            damage=units.integer("damage", unit),
        )
        printed = timing_of(battle, unit)
        timing = 0 if printed is None or units.value("commanded", unit) else printed
        now = (
            ("timing", timing),
            ("activated", int(printed is None)),
            ("strength_now", -1 if base is None else base),
        )
        changes += [Set(table="unit", row=unit, column=name, value=cell) for name, cell in now]
    yield Event(
        facts=TurnBegun(turn=battle.state.turn + 1),
        gesture="turn",
        because=("emlia.time.turn",),
        changes=tuple(changes),
    )
    yield from happenings.arrive(battle)
    yield from ask_for_plans(battle, brigades_of)
    if (yield from happenings.happen(battle)):
        return
    yield from next_timing(battle)


@rule("emlia.scenario.events")
def after_events(battle: Battle) -> Procedure[None]:
    """Apply scheduled events as a step of their own; then begin the first step."""
    yield from phase.resolve(battle)
    yield Event(
        facts=EventsOver(),
        because=("emlia.scenario.events",),
        changes=(Set(table="battle", row=0, column="phase", value=Phase.ACTIVATION),),
        part_of_last=True,
    )
    yield from next_timing(battle)


@rule("emlia.mixed.timing", "emlia.entity.character", "emlia.entity.independent")
def timing_of(moment: Moment, unit: int) -> int | None:
    """Return the printed timing of a unit, of a mixed one the highest among its subunits.

    None where no part of it is a character, who is able to act: then it never activates. A single
    character is a unit like any other.
    """
    situation = situation_of(moment)
    printed = [situation.entry(part).timing for part in parts_of(moment, unit)]
    return max((timing for timing in printed if timing is not None), default=None)


def next_timing(moment: Moment, below: int | None = None) -> Procedure[None]:
    """Set the next timing step: the highest timing still waiting.

    Or the one below the last step, *below*, where a unit could act early in it.
    """
    units, waiting = moment.state.units, waiting_units(moment)
    step = max((units.integer("timing", unit) for unit in waiting), default=0)
    if below is not None and acting_early(
        moment, [unit for unit in waiting if units.integer("timing", unit) < below]
    ):
        step = below
    skipped = ("emlia.time.empty-steps",) if below is not None and step < below else ()
    before = sorted(moment.state.pairs["engaged_before"])
    changes: tuple[Change, ...] = (
        Set(table="battle", row=0, column="step", value=step),
        Set(table="battle", row=0, column="acted", value=0),
        Fill(table="side", column="declined", value=0),
        *(Pair(column="engaged_before", a=a, b=b, value=None) for a, b in before),
        *(Pair(column="engaged_before", a=a, b=b, value=1) for a, b in contacts(moment)),
    )
    yield Event(
        facts=StepBegun(timing=step),
        because=("emlia.time.step-phases", *skipped),
        changes=changes,
        part_of_last=True,
    )


@rule("emlia.time.first-player")
def draw_for_first(battle: Battle) -> Procedure[None]:
    """Before anyone has activated the players roll d12, the highest first; ties roll again."""
    order: list[int] = []
    contenders = [list(range(len(battle.setup.sides)))]
    faces_seen: list[int] = []
    while contenders:
        group = contenders.pop(0)
        if len(group) == 1:
            order += group
            continue
        faces = battle.dice.roll("emlia.time.first-player", len(group), 12)
        faces_seen += faces
        by_face = sorted(set(faces), reverse=True)
        contenders = [
            [side for side, face in zip(group, faces, strict=True) if face == value]
            for value in by_face
        ] + contenders
    yield Event(
        facts=FirstDrawn(
            order=tuple(battle.setup.sides[side].name for side in order), faces=tuple(faces_seen)
        ),
        because=("emlia.time.first-player",),
        changes=tuple(
            Set(table="side", row=side, column="last_activation", value=place - len(order))
            for place, side in enumerate(order)
        ),
    )


@rule("emlia.gloss.force", "emlia.time.both-sides")
def players(moment: Moment) -> dict[int, tuple[list[int], list[int]]]:
    """Return each side that may activate a unit in this step: by timing, and early.

    A side that has only early units and declined waits for another activation. A side is a
    force; one player may answer for several.
    """
    sides, timing = (moment.state.units.ints(name).tolist() for name in ("side", "timing"))
    step = moment.state.battle.integer("step", 0)
    waiting = waiting_units(moment)
    due = [unit for unit in waiting if timing[unit] >= step]
    early = acting_early(moment, [unit for unit in waiting if timing[unit] < step])
    found: dict[int, tuple[list[int], list[int]]] = {}
    for which, units in enumerate((due, early)):
        for unit in units:
            found.setdefault(sides[unit], ([], []))[which].append(unit)
    return {
        side: mine
        for side, mine in sorted(found.items())
        if mine[0] or not moment.state.sides.value("declined", side)
    }


@rule("emlia.time.order-in-step", "emlia.activate.once")
def one_activation(battle: Battle) -> Procedure[None]:
    """Let the player whose last activation is the oldest activate a unit.

    The player may choose a unit that acts early, and decline if there are no others.
    """
    sides = players(battle)
    last = battle.state.sides.ints("last_activation")
    side = min(sides, key=lambda row: (int(last[row]), row))
    due, early = sides[side]
    options = [Order(verb="activate", unit=unit) for unit in due]
    options += [Order(verb="activate-early", unit=unit) for unit in early]
    if not due:
        options.append(Order(verb="decline"))
    chosen = options[0]
    if len(options) > 1:
        chosen = yield Decision(side=side, asks="emlia.time.order-in-step", options=tuple(options))
    if chosen.unit is None:
        yield _declined(battle, side)
    elif chosen.verb == "activate":
        yield from activation.activate(battle, chosen.unit)
    else:
        yield from activation.activate_early(battle, chosen.unit)


def _declined(moment: Moment, side: int) -> Event:
    return Event(
        facts=Declined(side=moment.setup.sides[side].name),
        because=("emlia.orders.initiative-early",),
        changes=(Set(table="side", row=side, column="declined", value=1),),
    )


@rule("emlia.time.turn-end")
def end_turn(moment: Moment) -> Procedure[None]:
    """After step 0: what is known only now is applied, and the game may be over."""
    yield from phase.settle_turn(moment)
    yield Event(
        facts=TurnEnded(turn=moment.state.turn),
        gesture="turn",
        because=("emlia.time.turn-end", *objectives.control_because(moment)),
        changes=(
            Set(table="battle", row=0, column="phase", value=Phase.TURN),
            Clear(table="note"),
            *(
                Add(table="aim", row=row, column="held", value=1)
                if objectives.holds(moment, aim)
                else Set(table="aim", row=row, column="held", value=0)
                for row, aim in enumerate(moment.setup.aims)
            ),
        ),
    )
    result = objectives.decided(moment)
    if result is not None:
        yield Event(
            facts=BattleEnded(winner=result.winner, level=result.level, reason=result.reason),
            because=objectives.ending(moment),
            changes=(Set(table="battle", row=0, column="ended", value=1),),
        )
