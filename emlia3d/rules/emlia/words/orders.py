"""Emlia's words for orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import hypot
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.formatting import format_value
from emlia3d.battle.questions.order_kinds import OrderKind
from emlia3d.battle.spare_rows import ordinal
from emlia3d.force.facing import degrees_of, facing_towards, turn_between
from emlia3d.force.formation import Formation
from emlia3d.rulekit.commander import plan_words
from emlia3d.rulekit.words import OrderPhrase
from emlia3d.rules.emlia.play.acting.checks import FOCUSED
from emlia3d.rules.emlia.play.combat.melee_orders import STRIKE_FIRST
from emlia3d.rules.emlia.play.free_actions.dividing import division
from emlia3d.rules.emlia.play.movement.leaving import EDGES, is_home
from emlia3d.rules.emlia.play.situation import arms
from emlia3d.rules.emlia.play.situation.fights import fight_of
from emlia3d.rules.emlia.play.situation.parts import parts_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.prepared_notes import prepared_notes_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.preparation import Note, NoteTrigger
from emlia3d.rules.emlia.unit_sets.abilities import granted
from emlia3d.rules.emlia.unit_sets.weapon import Weapon

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def _name(moment: Moment, row: int | None) -> str:
    return "" if row is None else moment.setup.units[row].name


def _armed(
    words: str, weapons: Callable[[Moment, int], Sequence[Weapon]]
) -> Callable[[Moment, Order], str]:
    """Return the phrase for an attack with one of the weapons that a unit may use for it."""

    def told(moment: Moment, order: Order) -> str:
        assert order.unit is not None
        text = f"{words} {_subject(moment, order)}".rstrip()
        found = weapons(moment, order.unit)
        mixed = len(parts_of(moment, order.unit)) > 1
        if not mixed and order.number is not None and order.number < len(found):
            text += f" with {found[order.number].name}"
        elif mixed and order.number:
            text += f", weapons in combination {order.number + 1}"
        if order.point is not None:
            text += f" at {_place(order.point)}"
        return f"{text}, singled out" if order.verb.endswith(FOCUSED) else text

    return told


def _focusable(verb: str, words: OrderPhrase) -> dict[str, OrderPhrase]:
    """Return the entries for an attack that may also be made on one unit of a fight."""
    return {verb: words, f"{verb}{FOCUSED}": words}


_FROM_AFAR = frozenset({"aim", "fire", "concentrated-volley"})


def _subject(moment: Moment, order: Order) -> str:
    """Return the subject of an attack: unit or feature; from afar the unit's whole fight."""
    assert order.unit is not None
    if order.target is None:
        return order.words
    name = _name(moment, order.target)
    in_fight = order.verb in _FROM_AFAR and fight_of(moment, order.target, order.unit)
    return f"the fight around {name}" if in_fight else name


def _place(point: tuple[float, float]) -> str:
    return f"{format_value(point[0])}, {format_value(point[1])}"


def _moving(pace: str) -> Callable[[Moment, Order], str]:
    def told(moment: Moment, order: Order) -> str:
        assert order.unit is not None
        pose = pose_of(moment, order.unit)
        at, parts = (pose.x, pose.y, pose.facing), []
        for leg in order.legs:
            if (leg.x, leg.y, leg.facing) != at or leg.step == "form" or leg.mode:
                parts.append(_leg_words(at, leg))
            at = leg.x, leg.y, leg.facing
        end = order.legs[-1] if order.legs else None
        where = "" if end is None else f" (to {_place((end.x, end.y))})"
        return f"{pace}: {', '.join(parts)}{where}"

    return told


def _leg_words(at: tuple[float, float, int], leg: Leg) -> str:
    """Return the text of one leg of a move, relative to its start."""
    x, y, facing = at
    turn = degrees_of(turn_between(facing, leg.facing) % (360 * 64))
    by = f"{format_value(min(turn, 360 - turn))}\u00b0 {'right' if turn <= 180 else 'left'}"
    match leg.step:
        case "turn":
            return "about face" if turn == 180 else f"turn {by}"
        case "wheel":
            return f"wheel {by}"
        case "form":
            return f"form {Formation(leg.formation).name.lower()} in {leg.files} files"
    far = hypot(leg.x - x, leg.y - y)
    if far == 0:
        return f"to height {format_value(leg.altitude)}"
    off = degrees_of(turn_between(facing, facing_towards(leg.x - x, leg.y - y)) % (360 * 64))
    ways = ("ahead", "to the right", "back", "to the left")
    return f"{format_value(far)} GSU {ways[round(off / 90) % 4]}"


def _noted(moment: Moment, order: Order) -> str:
    return f"prepare: {note_words(moment, Note.model_validate_json(order.words))}"


def note_words(moment: Moment, note: Note) -> str:
    """Return a note of prepared actions in words."""
    when = " or ".join(_occurrence_words(moment, each) for each in note.when)
    return f"{' and '.join(note.do)} when {when}"


_TRIGGER_WORDS: Mapping[str, str] = {
    "within": "within {} GSU",
    "within_moves": "within {} of its moves",
    "band": "{} range",
    "does": "completes {}",
    "attacked": "attacks it {}",
    "shelter": "finds it with {}",
    "in_sight": "{}in sight",
    "in_the_open": "with it {}in the open",
    "taking_cover": "with it {}taking cover",
    "members": "{} members",
    "size": "{} size",
}
"""Words for a trigger's conditions on an enemy and on the unit that waits, "it"."""


def _occurrence_words(moment: Moment, occurrence: NoteTrigger) -> str:
    told = occurrence.model_dump(exclude_defaults=True)
    who = told.pop("who", None)
    told.pop("weapon", None)
    parts = [_TRIGGER_WORDS[name].format(_value_words(value)) for name, value in told.items()]
    return f"{'enemy' if who is None else _name(moment, who)} {', '.join(parts)}"


def _value_words(value: object) -> str:
    if isinstance(value, bool):
        return "" if value else "not "
    return format_value(value) if isinstance(value, float) else str(value)


def _slip_words(verb: str) -> Callable[[Moment, Order], str]:
    def told(moment: Moment, order: Order) -> str:
        found = [slip for slip in prepared_notes_of(moment) if slip.number == order.number]
        note = note_words(moment, found[0].note) if found else ""
        return f"{verb} of {_name(moment, order.unit)}: {note}"

    return told


def _granted(moment: Moment, order: Order) -> str:
    assert order.unit is not None
    assert order.number is not None
    ability = granted(situation_of(moment).entry(order.unit).all_abilities)[order.number]
    return f"{ability.name} on {_name(moment, order.target)}"


def _joining(moment: Moment, order: Order) -> str:
    other = order.unit if order.number is None else order.number
    return f"join {_name(moment, order.target)} and {_name(moment, other)}"


def _splitting(moment: Moment, order: Order) -> str:
    assert order.target is not None
    parts, bits = parts_of(moment, order.target), order.number or 0
    names = [_name(moment, part) for row, part in enumerate(parts) if bits >> row & 1]
    whole = "itself" if order.target == order.unit else _name(moment, order.target)
    if order.number is None:
        return f"split {whole} in two"
    return f"split {whole}: {', '.join(names)} become units"


def _dividing(moment: Moment, order: Order) -> str:
    assert order.unit is not None
    way = division(moment, order.unit, order)
    if way is None:
        return f"{order.number} at the {order.words}: no room"
    count, leaving = way.stays.drill.count, way.leaves.drill.count
    where = "behind" if way.line.kind == "rank" else "right of"
    line = f"{where} the {ordinal(way.line.after)} {way.line.kind}"
    if order.words:
        line = f"{order.number} at the {order.words}"
    return f"{line}: {leaving} leave, {count} stay with the leader"


def _declaring(_: Moment, order: Order) -> str:
    return f"take {Formation(order.number or 0).name.lower()} formation in place"


def _leaving(moment: Moment, order: Order) -> str:
    assert order.unit is not None
    edge = EDGES[order.number or 0]
    counts = "in retreat" if is_home(moment, order.unit, edge) else "and count as destroyed"
    return f"leave the field over the {edge} edge, {counts}"


def _searching(moment: Moment, order: Order) -> str:
    subject = f": {_name(moment, order.target)}" if order.target is not None else ""
    return f"detect hidden enemies{subject}"


def _hewing(moment: Moment, order: Order) -> str:
    return f"attack {moment.setup.field.features[order.number or 0].name}"


# fmt: off
ORDERS: Mapping[str, OrderPhrase] = {
    **plan_words.ORDERS,
    "activate": "{unit}",
    "activate-early": "{unit}, early, on initiative",
    "decline": "pass",
    "done": "end the activation",
    "delay": "delay until timing {number}",
    "move": _moving("move"),
    "double-pace": _moving("double pace"),
    "drop-down": "drop down",
    "stand-up": "stand up",
    "take-cover": "take cover",
    "leave-cover": "leave cover",
    "break-ranks": "break ranks",
    "slip-out": "slip out of the fight towards {number}\u00b0",
    **_focusable("aim", _armed("aimed fire, without moving, at", arms.usable_for("aimed fire"))),
    **_focusable("fire", _armed("aimed fire at", arms.usable_for("aimed fire"))),
    **_focusable("close-combat", _armed("close combat against", arms.weapons_of)),
    STRIKE_FIRST: _armed("close combat against all, first", arms.weapons_of),
    "charge": _armed("charge", arms.weapons_of),
    "area-volley": _armed("area volley", arms.usable_for("area volley")),
    "concentrated-volley": _armed("concentrated volley at", arms.usable_for("concentrated volley")),
    "aim-feature": _armed("aimed fire, without moving, at", arms.usable_for("aimed fire")),
    "fire-feature": _armed("aimed fire at", arms.usable_for("aimed fire")),
    "volley-feature": _armed("concentrated volley at", arms.usable_for("concentrated volley")),
    "charge-feature": _armed("charge", arms.weapons_of),
    "disengage": "disengage",
    "hew": _hewing,
    "declare": _declaring,
    "leave-field": _leaving,
    "ability": _granted,
    "improve-morale": "improve morale: {object} (move action)",
    "improve-morale-primary": "improve morale: {object} (primary action)",
    "reorder": "reorder {object}",
    "ignore-initiative": "ignore initiative conditions: {object}",
    "take-command": "take command of {object}",
    "join-units": _joining,
    "split-unit": _splitting,
    "divide": _dividing,
    "conceal-self": "conceal itself (move and primary action)",
    "conceal-self-only": "conceal itself, and do nothing else this turn",
    "conceal-self-move": "conceal itself (move action)",
    "conceal-self-primary": "conceal itself (primary action)",
    "detect-hidden": _searching,
    "pass-awareness": "pass awareness of {target} (move action)",
    "pass-awareness-primary": "pass awareness of {target} (primary action)",
    "pass-awareness-free": "pass awareness of {target}",
    "stay-together": "follow them",
    "break-away": "break away; both become disordered",
    "prepare": _noted,
    "show-note": _slip_words("show the note"),
    "reveal": _slip_words("reveal the note"),
    "align": "turn to face {target}",
    "stand": "stay as it is",
    "envelop": "envelop {target}",
    "follow-up": "follow up {target}",
    "shift": "drive the fight towards {number}\u00b0",
    "face-and-push": "turn on {target} and push",
    "thrust-out": "thrust {target} out of reach",
    "keep-ranks": "keep the ranks",
    "press": "break ranks and press on",
    "give-way": "give way",
    "hold": "hold its ground, and be pressed",
    "hold-back": "hold back",
    "on-drift": "{number} on drift",
    "bar": "{target} first",
    "to-cover": "to cover from {target}",
    "to-friend": "to {target}",
    "to-lines": "to its own lines",
    "choose-leader": "{target}",
    "hit-first": "{target}",
    "hit-with": "the hits of base damage {number}",
    "lose-rear": "{number} at the rear",
    "lose-front": "{number} at the front",
    "lose-left": "{number} at the left end",
    "lose-right": "{number} at the right end",
    "lose-flanks": "{number} at both ends",
}
# fmt: on
"""By verb."""

KINDS: Mapping[str, OrderKind] = {
    f"aim{FOCUSED}": "shoot", f"fire{FOCUSED}": "shoot", f"close-combat{FOCUSED}": "fight",
    "aim": "shoot", "area-volley": "shoot", "concentrated-volley": "shoot",
    "aim-feature": "shoot", "fire-feature": "shoot", "volley-feature": "shoot",
    "close-combat": "fight", STRIKE_FIRST: "fight",
    "charge-feature": "fight", "hew": "fight",
    "double-pace": "move", "disengage": "move", "slip-out": "move", "leave-field": "move",
    "improve-morale": "lead", "improve-morale-primary": "lead", "reorder": "lead",
    "take-command": "lead", "ignore-initiative": "lead",
    "prepare": "prepare", "delay": "prepare", "show-note": "prepare", "reveal": "prepare",
    "drop-down": "form", "stand-up": "form", "take-cover": "form", "leave-cover": "form",
    "break-ranks": "form", "declare": "form", "join-units": "form", "split-unit": "form",
    "conceal-self": "form", "conceal-self-only": "form",
    "conceal-self-move": "form", "conceal-self-primary": "form",
    "detect-hidden": "search", "pass-awareness": "search", "pass-awareness-primary": "search",
    "pass-awareness-free": "search",
}  # fmt: skip
"""The kinds of verbs that other systems do not have."""
