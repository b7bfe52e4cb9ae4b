"""The words of Epic: for events, orders and questions."""

from __future__ import annotations

from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.action_names import NamedAction
from emlia3d.rulekit.english import Names
from emlia3d.rulekit.words import WordTable, said
from emlia3d.rules.epic import events
from emlia3d.rules.epic.formations import units_of


def _tested(event: Event, facts: events.ActionTested, names: Names) -> str:
    found = "" if facts.passed else ", fails"
    return f"{names.unit(event.unit)}: {facts.action}{found} ({facts.face} at {facts.value})"


def _fired(event: Event, facts: events.Fired, names: Names) -> str:
    cross = ", crossfire" if facts.crossfire else ""
    dice = f"{facts.successes}/{facts.dice} hits at {facts.need}"
    return f"{names.unit(event.unit)} <shoots> {facts.weapon} ({facts.value}): {dice}{cross}"


def _fought(event: Event, facts: events.Fought, names: Names) -> str:
    return f"{names.unit(event.unit)}: {facts.how}, {facts.successes}/{facts.dice} hits"


def _crossed(event: Event, facts: events.CrossedDanger, names: Names) -> str:
    found = "a hit" if facts.hit else "no hit"
    return f"{names.unit(event.unit)}: dangerous terrain, {found} ({facts.face})"


def _rallied(event: Event, facts: events.Rallied, names: Names) -> str:
    found = "rallies" if facts.passed else "does not rally"
    return f"{names.unit(event.unit)} {found} ({facts.face} at {facts.value}), Shock {facts.shock}"


WORDS = WordTable(
    events=dict(
        (
            said(events.RoundBegan, "Round {turn}: {winner} chooses", whole=True),
            said(events.ActionPhaseBegan, "{first} acts first", ""),
            said(events.EndPhaseBegan, "The End Phase begins", ""),
            said(events.Retained, "{side} retains the initiative", whole=True),
            said(events.InitiativePassed, "", ""),
            said(events.ActionTested, _tested),
            said(events.ActionDone, "", ""),
            said(events.Moved, "{unit} {how} {tiles} tiles", "{how} {tiles} tiles"),
            said(events.Mounted, "{unit} <mounts> {target}", "<mounts> {target}"),
            said(events.Dismounted, "{unit} <dismounts> from {target}", "<leaves> {target}"),
            said(events.CrossedDanger, _crossed, ""),
            said(events.ShockTaken, "{unit}: Shock {shock}", ""),
            said(events.Regrouped, "{unit} <regroups>, Shock {shock}", "<regroups>"),
            said(events.WentOnOverwatch, "{unit} <goes> on overwatch", "<goes> on overwatch"),
            said(events.OverwatchEnded, "", ""),
            said(events.Fired, _fired),
            said(events.HitsAllocated, "{unit}: {unsaved} of {hits} hits not saved", ""),
            said(events.Damaged, "{unit} <is> damaged, {left} left", "<is> damaged"),
            said(events.Destroyed, "{unit} <is> destroyed ({cause})", "<is> destroyed"),
            said(events.Broke, "Formation of {unit} is broken", "<is> broken"),
            said(events.AssaultBegan, "{unit} <assaults> {target}", "<assaults> {target}"),
            said(events.Fought, _fought),
            said(events.AssaultRolled, "", ""),
            said(events.AssaultWon, "{unit} <wins> the assault. {reason}", "<wins> the assault"),
            said(events.Rallied, _rallied),
            said(events.RoundEnded, "Round {turn} ends", ""),
            said(events.BattleEnded, "{reason}", "{reason}", whole=True),
        )
    ),
    orders={
        "act first": "act first",
        "act second": "let the enemy act first",
        "retain initiative": "retain the initiative, at -1",
        "pass initiative": "pass the initiative",
        "select": "act with the formation of {unit}",
        "advance": "Advance: move, then shoot",
        "double": "Double: move twice, then shoot at -1",
        "engage": "Engage: charge {target}",
        "march": "March: move three times",
        "marshal": "Marshal: move, or shoot at -1; then regroup",
        "overwatch": "Overwatch: wait for an enemy move",
        "sustained fire": "Sustained Fire: stay, and shoot at +1",
        "choose move": "move",
        "choose shoot": "shoot",
        "choose regroup": "regroup",
        "stay": "{unit}: stay here",
        "all stay": "all units stay as they are",
        "move": lambda moment, order: f"move to {_tile(moment, order)}",
        "move all": lambda moment, order: f"move all towards {_tile(moment, order)}",
        "begin the move": "begin the move",
        "end the move": "end the move here",
        "mount": "{unit}: mount {target}",
        "mount all": "all mount that can",
        "dismount": lambda moment, order: (
            f"{moment.setup.units[order.unit or 0].name}: dismount on {_tile(moment, order)}"
        ),
        "dismount all": "all dismount",
        "shoot": "shoot at {target}",
        "hold fire": "{unit}: hold fire",
        "overwatch fire": "{unit}: fire on overwatch at {target}",
        "wait": "wait",
        "fire at all": "fire at all units, with the modifier for cover",
        "ignore cover": "fire at the units out of cover only",
        "use AP": lambda moment, order: f"{order.words}: {order.number} at infantry (AP)",
        "hit all": "let hits fall on all units",
        "hit the exposed": "let hits fall on the units out of cover only",
        "rally": "{unit}: try to rally",
    },
    actions=(
        *(
            NamedAction(name, (name,))
            for name in (
                "advance",
                "double",
                "engage",
                "march",
                "marshal",
                "overwatch",
                "sustained fire",
                "retain initiative",
                "pass initiative",
                "hold fire",
                "overwatch fire",
            )
        ),
        NamedAction("move", ("move", "move all", "choose move")),
        NamedAction("shoot", ("shoot", "choose shoot"), (events.Fired,)),
        NamedAction("regroup", ("choose regroup",), (events.Regrouped,)),
        NamedAction("rally", ("rally",), (events.Rallied,)),
    ),
    questions={
        "epic.strategy.choose": "{side}: act first or second?",
        "epic.action.retain-choice": "{side}: retain the initiative?",
        "epic.action.select": "{side}: which formation acts?",
        "epic.action.declare": "{unit}: which action?",
        "epic.action.fail": "{unit} holds: move, shoot or regroup?",
        "epic.act.marshal": "{unit} marshals: move or shoot?",
        "epic.move.speed": "{unit}: where to?",
        "epic.transport.basic": "{unit}: which units mount or dismount?",
        "epic.assault.charge": "{unit} charges: where to?",
        "epic.assault.countercharge": "{unit} countercharges: where to?",
        "epic.assault.cover": "{unit}: on which units do the hits fall?",
        "epic.shoot.one-target": "{unit}: shoot at which formation?",
        "epic.shoot.choose-value": "{unit}: how many fire at infantry?",
        "epic.cover.partial": "{unit}: some targets are in cover; ignore it?",
        "epic.overwatch.trigger": "{side}: fire on overwatch?",
        "epic.rally.who": "{side}: which formation tries to rally?",
    },
)


def _tile(moment: Moment, order: Order) -> str:
    assert order.point is not None
    q, r = units_of(moment).board.grid.tiles_at(order.point).tolist()
    return f"{q},{r}"
