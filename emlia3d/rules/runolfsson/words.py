"""The words of Runolfsson: for events, orders and questions."""

from __future__ import annotations

from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rulekit import turn_events
from emlia3d.rulekit.action_names import NamedAction
from emlia3d.rulekit.english import Names, listed
from emlia3d.rulekit.words import WordTable, does, rolled, said
from emlia3d.rules.runolfsson import events
from emlia3d.rules.runolfsson.terrain import MOST_SECTIONS


def _attack(event: Event, facts: events.AttackMade, names: Names) -> str:
    target = facts.piece or names.unit(event.target)
    verb = "<attacks>" if facts.close else "<fires> at"
    joined = " (joined dice)" if facts.joined else ""
    return f"{names.unit(event.unit)} {verb} {target}: {rolled(facts)}{joined}"


def _attack_report(event: Event, facts: events.AttackMade, names: Names) -> str:
    target = facts.piece or names.unit(event.target)
    verb = "<attacks>" if facts.close else "<fires> at"
    hits = "1 hit" if facts.successes == 1 else f"{facts.successes} hits"
    return f"{verb} {target}: {hits}"


def _picked(event: Event, facts: events.Picked, names: Names) -> str:
    who = listed(map(names.unit, event.actors))
    return f"{facts.side}: {who} against {facts.piece or names.unit(event.target)}"


def _piece_hit(event: Event, facts: events.PieceHit, names: Names) -> str:
    return f"{facts.piece}: {'destroyed' if facts.gone else f'{facts.unsaved} hits'}"


def _saved(event: Event, facts: events.Saved, names: Names) -> str:
    if not facts.hits:
        return ""
    return f"{names.unit(event.unit)}: {facts.hits - facts.unsaved} of {facts.hits} hits saved"


def _unit_checked(event: Event, facts: events.UnitChecked, names: Names) -> str:
    passed = "passes" if facts.passed else "fails"
    return f"Unit of {names.unit(event.unit)} {passed}: {facts.face} on D{facts.sides}"


def _checked(event: Event, facts: events.MoraleChecked, names: Names) -> str:
    return f"{names.unit(event.unit)}: {facts.result} ({facts.face}{facts.modifier:+d})"


WORDS = WordTable(
    events=dict(
        (
            said(events.TurnBegan, "Turn {turn}: {winner} <has> the initiative", whole=True),
            said(
                events.SuperInitiative,
                lambda e, f, n: (
                    f"{f.side}: super initiative {'succeeds' if f.success else 'fails'}"
                ),
            ),
            said(events.TurnChosen, "{turn}: {first} <moves> first"),
            said(events.PhaseBegan, "Phase {phase}: {title}", ""),
            does(events.NewLeader, "<leads> in place of {target}"),
            does(events.Freed, "<is> not mindless this turn"),
            said(events.MarkersPlaced, "{side} <places> a marker at {at[0]:g}, {at[1]:g}"),
            does(events.Moved, "{how} {inches:g} inches"),
            said(events.StoodStill, "", ""),
            said(events.MetStream, "{unit}: {result} in the stream ({face})", ""),
            does(events.LeftTable, "<runs> away off the table"),
            does(events.SpecialUsed, "<uses> {special}"),
            said(events.Passed, "{side} <stops> attacking", ""),
            said(events.Picked, _picked, ""),
            said(events.AttackMade, _attack, _attack_report),
            said(events.Saved, _saved, ""),
            said(events.Hurt, "{unit} <loses> {lost}, {left} left", "<is> hurt"),
            does(events.Destroyed, "<is> destroyed"),
            said(events.CriticalHit, "{unit}: critical hit, {result}", "<takes> a critical hit"),
            said(events.PieceHit, _piece_hit, whole=True),
            said(events.UnitChecked, _unit_checked, whole=True),
            said(events.MoraleChecked, _checked, "<is> {result}"),
        )
    )
    | turn_events.WORDS,
    orders={
        "stay": "{unit}: stay here",
        "move": lambda moment, order: _to("move to", order),
        "jump": lambda moment, order: _to("jump to", order),
        "teleport": lambda moment, order: _to("teleport to", order),
        "choose": "move {unit}",
        "no more": "move no more models",
        "stand": "{unit}: stand",
        "run away": lambda moment, order: f"run away over the {order.words} edge",
        "hold fire": "{unit}: hold fire",
        "fire": "fire at {target}, point {number}",
        "attack": "attack {target}",
        "attack piece": lambda moment, order: f"attack {_piece(moment, order)}",
        "pass": "stop attacking in this phase",
        "attack together": "{units} attack",
        "use dice": "use {number} dice on {target}",
        "keep leader": "name no other leader",
        "name leader": "{target} leads",
        "pick": "{unit} acts freely",
        "smoke": lambda moment, order: _to("use smoke at", order),
        "cloak": "{unit}: use cloak",
        "use none": "{unit}: use no special",
        "take the initiative": "take the initiative and move first",
        "try super initiative": "roll for super initiative",
        "go first": "go first",
        "go second": "let the enemy go first",
        "move second": "normal turn, move second",
        "move first": "normal turn, move first",
        "mad minute": "Mad Minute: only attacks, once",
        "rush": "Rush: no attacks",
        "heat of battle": "Heat of Battle: no morale checks",
        "hurry up and wait": "Hurry Up and Wait: nothing happens",
        "senseless slaughter": "Senseless Slaughter: mindless models",
        "wide spread panic": "Wide-spread Panic: all models check morale",
        "place marker": lambda moment, order: _to("place a marker at", order),
    },
    kinds={
        "run away": "move",
        "jump": "move",
        "teleport": "move",
        "attack piece": "fight",
        "smoke": "prepare",
        "cloak": "prepare",
        "use none": "end",
    },
    actions=(
        NamedAction("move", ("move", "choose")),
        NamedAction("jump", ("jump",)),
        NamedAction("teleport", ("teleport",)),
        NamedAction("run away", ("run away",), (events.LeftTable,)),
        NamedAction("fire at", ("fire",)),
        NamedAction("attack", ("attack", "attack piece", "attack together")),
        NamedAction("use", ("smoke", "cloak"), (events.SpecialUsed,)),
        NamedAction("lead", ("name leader",), (events.NewLeader,)),
        NamedAction("place a marker", ("place marker",), (events.MarkersPlaced,)),
    ),
    questions={
        "runolfsson.move.who": "{side}: which model moves?",
        "runolfsson.move.free-path": "{unit}: where to?",
        "runolfsson.run.contactor-continues": "{unit}: the path is free; where to?",
        "runolfsson.run.when": "{unit}: an enemy is in contact; stand or run away?",
        "runolfsson.op.trigger": "{unit}: fire at a moving enemy?",
        "runolfsson.attack.alternate": "{side}: which target?",
        "runolfsson.attack.declare-all": "{side}: which models attack it?",
        "runolfsson.close.divide": "{unit}: how many dice?",
        "runolfsson.leader.replace": "{side}: name another leader?",
        "runolfsson.phase.specials": "{unit}: use a special?",
        "runolfsson.super.senseless-slaughter": "{side}: who goes first?",
        "runolfsson.special.mindless": "Unit of {unit}: which model acts freely?",
        "runolfsson.super.roll": "{side}: which turn?",
        "runolfsson.super.rush": "{side}: who goes first?",
        "runolfsson.super.fail": "{side}: who goes first?",
        "runolfsson.init.must-move-first": "{side} has the initiative: move first, or roll?",
        "runolfsson.victory.objectives": "{side}: where is the marker placed?",
    },
)


def _to(verb: str, order: Order) -> str:
    x, y = order.point or (order.legs[-1].x, order.legs[-1].y)
    return f"{verb} {x:.2f}, {y:.2f}"


def _piece(moment: Moment, order: Order) -> str:
    assert order.number is not None
    feature, section = divmod(order.number, MOST_SECTIONS)
    name = moment.setup.field.features[feature].name
    return f"{name}, section {section + 1}"
