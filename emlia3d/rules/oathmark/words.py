"""The words of Oathmark: for events, orders and questions."""

from __future__ import annotations

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.force.facing import degrees_of
from emlia3d.rulekit import deployment, turn_events
from emlia3d.rulekit.action_names import NamedAction
from emlia3d.rulekit.commander import plan_words as command
from emlia3d.rulekit.english import Names, counted
from emlia3d.rulekit.words import WordTable, does, said
from emlia3d.rules.oathmark import events

_CORNERS = ("front left", "front right", "rear left", "rear right")


def _dice(event: Event, facts: events.Fought | events.Shot, names: Names) -> str:
    verb = "<fights>" if isinstance(facts, events.Fought) else "<shoots> at"
    dice = f"{counted(facts.successes, 'hit')}, {facts.dice}D10 for {facts.target_number}"
    return f"{names.unit(event.unit)} {verb} {names.unit(event.target)}: {dice}"


_RESULTS = {
    "passes": "<passes> the morale test", "is disordered": "<is> disordered", "breaks": "<breaks>",
}  # fmt: skip


def _test(event: Event, facts: events.MoraleTested, names: Names) -> str:
    result = _RESULTS[facts.result]
    return f"{names.unit(event.unit)} {result} ({facts.cause}, {facts.modifier:+d})"


def _test_report(event: Event, facts: events.MoraleTested, names: Names) -> str:
    return _RESULTS[facts.result]


def _hits(event: Event, facts: events.Fought | events.Shot, names: Names) -> str:
    verb = "<fights>" if isinstance(facts, events.Fought) else "<shoots> at"
    hits = counted(facts.successes, "hit")
    return f"{verb} {names.unit(event.target)} and <scores> {hits}"


_TURNS = {"pivots": "<pivots>", "wheels": "<wheels>", "faces about": "<faces> about"}
_RETREATS = {
    "is pushed back": "<is> pushed back",
    "steps back": "<steps> back",
    "makes room": "<makes> room",
}


def _turned(event: Event, facts: events.Turned, names: Names) -> str:
    return _TURNS[facts.how]


def _pushed(event: Event, facts: events.PushedBack, names: Names) -> str:
    return f"{_RETREATS[facts.how]} {facts.inches:g} inch{'es' * (facts.inches != 1)}"


def _move(moment: Moment, order: Order) -> str:
    (leg,) = order.legs
    return f"move to {leg.x:.1f}, {leg.y:.1f}"


def _place(moment: Moment, order: Order) -> str:
    (leg,) = order.legs
    return f"deploy at {leg.x:.1f}, {leg.y:.1f}"


def _which(moment: Moment, decision: Decision) -> str:
    if decision.unit is None:
        return f"{moment.setup.sides[decision.side].name}: which unit deploys?"
    return f"{moment.setup.units[decision.unit].name}: where does it stand?"


def _pivot(moment: Moment, order: Order) -> str:
    return f"pivot to {degrees_of(order.legs[0].facing):.2f} degrees"


def _wheel(moment: Moment, order: Order) -> str:
    corner = _CORNERS[order.number or 0]
    return f"wheel on the {corner} to {degrees_of(order.legs[0].facing):.2f} degrees"


WORDS = WordTable(
    events=dict(
        (
            said(events.TurnBegan, "Turn {turn}: {winner} <has> the initiative", whole=True),
            said(events.Activated, "{unit}: {result}", ""),
            said(events.Stopped, "", ""),
            said(
                events.Moved,
                "{unit} <moves> {how} {inches:g} inches",
                "<moves> {inches:g} inches {how}",
            ),
            does(events.Turned, _turned),
            said(events.Charged, "{unit} <attacks> the {facing} of {target}", "<attacks> {target}"),
            said(events.Fought, _dice, _hits),
            said(events.Shot, _dice, _hits),
            said(events.Hurt, "{unit} <loses> {fallen}, {left} left", "<loses> {fallen}"),
            said(events.MoraleTested, _test, _test_report),
            said(events.Broken, "{unit} <breaks> and <leaves> the table", "<breaks>"),
            does(events.PushedBack, _pushed),
            said(events.CombatEnded, "", ""),
        )
    )
    | deployment.WORDS
    | turn_events.WORDS
    | dict(command.EVENTS),
    orders={
        "deploy": "deploy {unit}",
        "place": _place,
        "activate": "activate {unit}",
        "stop": "{unit}: no more actions",
        "move": _move,
        "pivot": _pivot,
        "wheel": _wheel,
        "about face": "{unit}: face about",
        "attack": "attack {target}",
        "shoot": "shoot at {target}",
        "withdraw": "{unit}: step back by 1 inch",
        "push back": "push {target} back by {number} inches",
        **command.ORDERS,
    },
    kinds={
        "place": "move",
        "pivot": "move",
        "wheel": "move",
        "about face": "form",
        "withdraw": "move",
    },
    questions={
        "oathmark.battle.table": _which,
        "oathmark.activation.nominate": "{side}: which unit is activated?",
        "oathmark.action.two": "{unit}: which action?",
        "oathmark.action.simple": "{unit}: which simple action?",
        "oathmark.combat.pushback": "{unit} has won: who steps back?",
        **command.QUESTIONS,
    },
    actions=(
        NamedAction("deploy", ("deploy", "place"), (deployment.Deployed,)),
        NamedAction("activate", ("activate",)),
        NamedAction("move", ("move",), (events.Moved,)),
        NamedAction("pivot", ("pivot",)),
        NamedAction("wheel", ("wheel",)),
        NamedAction("face about", ("about face",)),
        NamedAction("attack", ("attack",), (events.Charged,)),
        NamedAction("shoot at", ("shoot",), (events.Shot,)),
        NamedAction("step back", ("withdraw",)),
        NamedAction("push back", ("push back",)),
    ),
)
