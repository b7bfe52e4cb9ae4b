"""Emlia, chapter 17 as play: Prepared Actions.

A unit writes a note and forfeits the actions that it names. Once its condition is met after an
action of another unit, or after forced moves, the note is revealed and its actions are carried
out, out of turn. What the note says is in the log; only its own side's picture holds it until it
is revealed (`emlia3d.rules.emlia.play.sight.side_picture`), and the event's words hide it.

Holds `emlia.prepare`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError

from emlia3d.battle.changes import Append, Change, Set
from emlia3d.battle.decisions import Decision, Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.actions import ActionType, listing
from emlia3d.rules.emlia.columns import NoteState
from emlia3d.rules.emlia.events import turn as events
from emlia3d.rules.emlia.play.acting.actions import Deed, chosen, used, used_by
from emlia3d.rules.emlia.play.acting.checks import FOCUSED
from emlia3d.rules.emlia.play.acting.subjects import may_do
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.charges.note_conditions import (
    TriggerEvent,
    in_prospect,
    may_be_revealed,
)
from emlia3d.rules.emlia.play.combat import close_combat, concentrated, shooting, volley
from emlia3d.rules.emlia.play.movement import manoeuvre
from emlia3d.rules.emlia.play.sight.awareness import known_to, unknown_to
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import enemies_of
from emlia3d.rules.emlia.play.situation.prepared_notes import (
    PreparedNote,
    prepared_notes_of,
    status_changes,
    trigger_because,
)
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import within
from emlia3d.rules.emlia.preparation import (
    FORFEITS,
    Note,
    NoteTrigger,
    Prepared,
    action_cells,
    cells_of,
)
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

CarryOut = Callable[["Battle", int, Order], Procedure[None]]

_DEEDS: dict[Prepared, tuple[Deed, str]] = {
    "normal move": (manoeuvre.MOVES, "move"),
    "drop down": (manoeuvre.POSTURES, "drop-down"),
    "stand up": (manoeuvre.POSTURES, "stand-up"),
    "take cover": (manoeuvre.POSTURES, "take-cover"),
    "aimed fire": (shooting.AIMED_FIRE, "fire"),
    "close combat": (close_combat.CLOSE_COMBAT, "close-combat"),
    "charge": (charging.CHARGE, "charge"),
    "area volley": (volley.AREA_VOLLEY, "area-volley"),
    "concentrated volley": (concentrated.CONCENTRATED_VOLLEY, "concentrated-volley"),
}

_EXPECTED = 3
"""Normal Moves within which an enemy makes it worth while to offer a note."""


# Writing a note


def prepare_options(moment: Moment, unit: int) -> Iterator[Order]:
    """Yield a few notes that fit the enemies about; any other may be written too."""
    for note in _usual(moment, unit):
        if may_prepare(moment, unit, note) is None:
            yield Order(verb="prepare", unit=unit, words=note.written())
    for slip in prepared_notes_of(moment):
        if slip.unit == unit and not slip.shown:
            yield Order(verb="show-note", unit=unit, number=slip.number)


def _usual(moment: Moment, unit: int) -> Iterator[Note]:
    """Charge what comes within reach, shoot at what comes into range, take cover when shot at."""
    situation, speed = situation_of(moment), speed_of(moment, unit)
    units = moment.state.units
    if units.value("primary_used", unit) and units.value("move_used", unit):
        return
    weapons = situation.entry(unit).ranged_weapons
    longest = max((weapon.range[Band.LONG] for weapon in weapons if weapon.range), default=0.0)
    far = max(longest, 0.0) + _EXPECTED * max(speed, 1.0)
    near = within(moment, unit, enemies_of(moment, unit), far)
    if not near or near.keys().isdisjoint(known_to(moment, units.integer("side", unit))):
        return
    for number, weapon in enumerate(weapons):
        for band in ("medium", "short", "long"):
            if weapon.usable_for("aimed fire"):
                shot = NoteTrigger(band=band, weapon=number, in_sight=True)
                yield Note(when=(shot,), do=("aimed fire",))
                if band == "medium":
                    yield Note(when=(shot,), do=("aimed fire", "normal move"))
    if speed:
        yield Note(
            when=(NoteTrigger(within=round(speed + reach_of(situation, unit), 3)),), do=("charge",)
        )
        yield Note(when=(NoteTrigger(attacked="from afar"),), do=("take cover",))


@rule("emlia.prepare", "emlia.prepare.conditions", "emlia.activate.free-repeat")
def may_prepare(moment: Moment, unit: int, note: Note) -> Refusal | None:
    """Each action of the note is one that the unit still has, and forfeits; as often as it has any.

    A unit in disorder writes none: a note rests on orders.
    """
    units = moment.state.units
    if units.value("disordered", unit):
        return Refusal("emlia.prepare.expiry", "the unit is disordered")
    needed = Counter(kind for name in note.do for kind in FORFEITS[name])
    for kind, column in ((ActionType.MOVE, "move_used"), (ActionType.PRIMARY, "primary_used")):
        if needed[kind] > 1 or (needed[kind] and units.value(column, unit)):
            return Refusal("emlia.prepare", f"there is no {kind.value} action left to forfeit")
    for occurrence in note.when:
        refusal = _may_watch_for(moment, unit, occurrence)
        if refusal is not None:
            return refusal
    return may_do(moment, unit, "prepare actions")


def _may_watch_for(moment: Moment, unit: int, occurrence: NoteTrigger) -> Refusal | None:
    """Return why a unit may not watch for an occurrence: an unknown enemy, another's weapon."""
    units, who = moment.state.units, occurrence.who
    if who is not None and (
        who in {unit, *unknown_to(moment, unit)}
        or who >= len(units)
        or not units.value("present", who)
    ):
        return Refusal("emlia.prepare.conditions", "it does not know another unit with that number")
    weapons = situation_of(moment).entry(unit).ranged_weapons
    if occurrence.band is not None and occurrence.weapon >= len(weapons):
        return Refusal("emlia.prepare.conditions", "the unit has no such weapon")
    return None


class NoteValidator:
    """Every note that a unit may write."""

    def __init__(self, moment: Moment, unit: int) -> None:
        self._moment = moment
        self._unit = unit

    def for_moment(self, moment: Moment) -> NoteValidator:
        """Return the orders within reach, for a unit of the battle as its side knows it."""
        return NoteValidator(moment, self._unit)

    def refusal(self, order: Order) -> Refusal | None:
        """None if the order writes a note that makes sense and may be written."""
        if order.unit != self._unit or order.verb != "prepare" or order.target is not None:
            return Refusal("emlia.prepare", "this unit has no such note")
        try:
            note = Note.model_validate_json(order.words)
        except ValidationError as fault:
            return Refusal("emlia.prepare.note", str(fault.errors()[0]["msg"]))
        return may_prepare(self._moment, self._unit, note)


def carry_out(moment: Moment, unit: int, order: Order) -> Procedure[None]:
    """Write a note, or show one that was written."""
    if order.verb == "prepare":
        yield _written(moment, unit, Note.model_validate_json(order.words))
    else:
        assert order.number is not None
        yield _shown(moment, unit, order.number)


@rule("emlia.prepare.note")
def _written(moment: Moment, unit: int, note: Note) -> Event:
    rows = moment.state.lists["prepared"]
    number = 1 + max(rows.ints("note").tolist(), default=-1)
    kinds = [kind for name in note.do for kind in FORFEITS[name]]
    changes: list[Change] = [*used_by(moment, unit, "prepare actions")]
    changes += [change for kind in kinds for change in used(unit, kind)]
    common = {"holder": unit, "note": number, "status": NoteState.SECRET, **action_cells(note.do)}
    changes += [
        Append(table="prepared", row={**common, **cells_of(occurrence)}) for occurrence in note.when
    ]
    return Event(
        facts=events.Prepared(note=note.written()),
        unit=unit,
        because=("emlia.prepare", listing("prepare actions"), "emlia.prepare.note"),
        changes=tuple(changes),
    )


@rule("emlia.prepare.false-reveal")
def _shown(moment: Moment, unit: int, number: int) -> Event:
    """Return a note that is revealed while its condition is not met waits on, and all know it."""
    slip = next(slip for slip in prepared_notes_of(moment) if slip.number == number)
    return Event(
        facts=events.ShowedANote(note=slip.note.written(), does=", then ".join(slip.note.do)),
        unit=unit,
        because=("emlia.prepare.false-reveal",),
        changes=status_changes(moment, number, NoteState.SHOWN),
    )


# When a note is met


@rule("emlia.prepare.trigger", "emlia.prepare.several-units", "emlia.engage.cross-ref")
def triggered(battle: Battle, done: TriggerEvent, perform: CarryOut) -> Procedure[None]:
    """Every unit whose note is met now carries it out, one note each, the higher timing first.

    Among equals the players take turns as they do in a step. What one does may trigger others.
    """
    had: set[int] = set()
    while len(battle.state.lists["prepared"]):
        ready = [
            slip
            for slip in in_prospect(battle)
            if slip.unit not in had and may_be_revealed(battle, slip, done) is None
        ]
        if not ready:
            return
        slip = yield from _picked(battle, ready)
        had.add(slip.unit)
        yield from reveal(battle, slip, perform, *trigger_because(len(ready), done.unit is None))


def _picked(moment: Moment, ready: Sequence[PreparedNote]) -> Procedure[PreparedNote]:
    """Return the note that is revealed first; a controller chooses among its own notes."""
    units = moment.state.units
    last = moment.state.sides.ints("last_activation")

    def turn(slip: PreparedNote) -> tuple[int, int, int]:
        side = units.integer("side", slip.unit)
        return -units.integer("timing", slip.unit), int(last[side]), side

    first = min(map(turn, ready))
    slips = {
        Order(verb="reveal", unit=slip.unit, number=slip.number): slip
        for slip in ready
        if turn(slip) == first
    }
    if len(slips) == 1:
        return next(iter(slips.values()))
    choice = yield Decision(side=first[2], asks="emlia.prepare.several-units", options=tuple(slips))
    return slips[choice]


@rule("emlia.prepare.must-execute-all", "emlia.prepare.fire-penalty")
@rule("emlia.prepare.example-ogre")
def reveal(battle: Battle, slip: PreparedNote, perform: CarryOut, *because: str) -> Procedure[None]:
    """Reveal the note and carry out all its actions; impossible actions are lost.

    The column "preparing" is set during these actions; it marks a shot as a Prepared Action.
    """
    unit, units = slip.unit, battle.state.units
    before = {
        kind: units.value(f"{kind.value}_used", unit)
        for kind in (ActionType.MOVE, ActionType.PRIMARY)
    }
    yield Event(
        facts=events.Revealed(note=slip.note.written(), does=", then ".join(slip.note.do)),
        unit=unit,
        because=(*because, "emlia.prepare.trigger", "emlia.prepare.conditions"),
        changes=(
            *status_changes(battle, slip.number, NoteState.SPENT),
            Set(table="unit", row=unit, column="preparing", value=1),
        ),
    )
    for name in slip.note.do:
        if units.value("present", unit):
            yield from _execute(battle, unit, name, perform)
    yield Event(
        facts=events.PreparedActionsEnded(),
        unit=unit,
        changes=(
            Set(table="unit", row=unit, column="preparing", value=0),
            *(
                Set(table="unit", row=unit, column=f"{kind.value}_used", value=value)
                for kind, value in before.items()
            ),
        ),
        part_of_last=True,
    )


def _execute(battle: Battle, unit: int, name: Prepared, perform: CarryOut) -> Procedure[None]:
    """One action of a note, with the one that was forfeited for it; subject and path are free."""
    yield Event(
        facts=events.PreparedActionDue(),
        unit=unit,
        changes=tuple(
            Set(
                table="unit",
                row=unit,
                column=f"{kind.value}_used",
                value=int(kind not in FORFEITS[name]),
            )
            for kind in (ActionType.MOVE, ActionType.PRIMARY)
        ),
        part_of_last=True,
    )
    deed, verb = _DEEDS[name]
    orders = [
        order for order in deed.options(battle, unit) if order.verb in {verb, f"{verb}{FOCUSED}"}
    ]
    if not orders:
        yield Event(
            facts=events.PreparedActionLost(does=name),
            unit=unit,
            because=("emlia.prepare.must-execute-all",),
        )
        return
    reach = None if deed.validator is None else deed.validator(battle, unit)
    order = yield from chosen(battle, unit, "emlia.prepare.must-execute-all", orders, reach)
    yield from perform(battle, unit, order)


PREPARE = Deed(
    verbs=("prepare", "show-note"),
    options=prepare_options,
    perform=carry_out,
    validator=NoteValidator,
)
