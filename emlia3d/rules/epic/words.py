"""The words of Epic: for events, orders and questions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TypeVar

from emlia3d.battle.changes import Place
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event, Facts
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Setup
from emlia3d.field.hexes import board_of
from emlia3d.force.facing import degrees_of
from emlia3d.rulekit import deployment, turn_events
from emlia3d.rulekit.action_names import NamedAction
from emlia3d.rulekit.english import Names, ReportNames, agreed, body, counted, is_plural
from emlia3d.rulekit.words import EventWords, WordTable, said
from emlia3d.rules.epic import events
from emlia3d.rules.epic.formations import units_of
from emlia3d.rules.epic.unit_set import formation_of

F = TypeVar("F", bound=Facts)

_PLAIN_CAUSES = {"shooting", "a macro-weapon", "the assault", "supporting fire"}
"""Causes that follow from the sentence before in a report."""


def formation_name(setup: Setup, unit: int) -> str:
    """Return the name of a unit's formation: the words with which all its units' names begin.

    Without such words, or if they name another thing too, it is the formation of its leader.
    """
    leader = formation_of(setup, unit)
    followers = setup.followers_of(leader)
    if not followers:
        return setup.units[leader].name
    rows = (leader, *followers)
    parts = zip(*(setup.units[row].name.split() for row in rows), strict=False)
    common = [words[0] for words in takewhile(lambda words: len({*words}) == 1, parts)]
    others = [unit.name.split() for row, unit in enumerate(setup.units) if row not in rows]
    others += [side.name.split() for side in setup.sides]
    if not common or common in [words[: len(common)] for words in others]:
        return f"{setup.units[leader].name}'s formation"
    return " ".join(common)


def formation_in(names: Names, unit: int | None) -> str:
    """Return the formation of a unit as a log or a report names it."""
    assert unit is not None
    name = formation_name(names.setup, unit)
    is_unit = name == names.setup.units[unit].name
    if not isinstance(names, ReportNames):
        return name
    return names.unit(unit) if is_unit else body(name)


def _does(event: Event, names: Names, words: str) -> str:
    """Return a sentence about the formation of an event; its verbs are marked <thus>."""
    assert event.unit is not None
    many = is_plural(formation_name(names.setup, event.unit))
    return agreed(f"{formation_in(names, event.unit)} {words}", many=many)


def _formation_does(words: str) -> Callable[[Event, Facts, Names], str]:
    """Return a phrase about a formation, with facts as fields, and {target} for the other one."""

    def phrase(event: Event, facts: Facts, names: Names) -> str:
        fields = {name: getattr(facts, name) for name in facts.__struct_fields__}
        if event.target is not None:
            fields["target"] = formation_in(names, event.target)
        return _does(event, names, words.format(**fields))

    return phrase


def _began(event: Event, facts: events.RoundBegan, names: Names) -> str:
    sides = [side.name for side in names.setup.sides]
    scores = ", ".join(f"{side} {score}" for side, score in zip(sides, facts.scores, strict=True))
    words = f"Round {facts.turn}: strategy {scores}; {facts.winner} <chooses>"
    return agreed(words, many=is_plural(facts.winner))


def _tested(event: Event, facts: events.ActionTested, names: Names) -> str:
    does = "<begins>" if facts.passed else "<fails> <its> test for"
    test = f"rolls {facts.face}, needs {facts.value} or less"
    return _does(event, names, f"{does} {facts.action.title()} ({test})")


def moves(facts: events.Moved) -> str:
    """Return what a unit does as it moves, with its verb marked."""
    verb, *rest = facts.how.split()
    return " ".join((f"<{verb}>", *rest))


def counted_tiles(tiles: int) -> str:
    """Return a number of tiles in figures."""
    return f"{tiles} tile{'s' * (tiles != 1)}"


def _deployed(event: Event, facts: deployment.Deployed, names: Names) -> str:
    grid = board_of(names.setup.field).grid
    places = [each for each in event.changes if isinstance(each, Place)]
    at = [grid.tiles_at((each.x, each.y)).tolist() for each in places if each.unit == event.unit]
    return f"{names.unit(event.unit)} <is> deployed" + "".join(f" on {q},{r}" for q, r in at)


def _moved(event: Event, facts: events.Moved, names: Names) -> str:
    return f"{moves(facts)} {counted_tiles(facts.tiles)}"


def _moved_log(event: Event, facts: events.Moved, names: Names) -> str:
    return f"{names.unit(event.unit)} {_moved(event, facts, names)}"


def _fired(event: Event, facts: events.Fired, names: Names) -> str:
    cross = ", crossfire" if facts.crossfire else ""
    dice = f"{facts.successes}/{facts.dice} hits at {facts.need}{cross}"
    at = formation_in(names, event.target)
    return _does(event, names, f"<shoots> {facts.weapon} ({facts.value}) at {at}: {dice}")


def _fired_report(event: Event, facts: events.Fired, names: Names) -> str:
    cross = " in a crossfire" if facts.crossfire else ""
    at = formation_in(names, event.target)
    hits = counted(facts.successes, "hit")
    told = f"<shoots> at {at} with {facts.weapon}{cross} and <scores> {hits}"
    return _does(event, names, f"{told} ({facts.value} {facts.need})")


def _saved(event: Event, facts: events.HitsAllocated, names: Names) -> str:
    unit, hits = names.unit(event.unit), f"{facts.hits} hit{'s' * (facts.hits != 1)}"
    if not facts.faces:
        return f"{unit} <has> no save against {hits}"
    rolls = ", ".join(map(str, facts.faces))
    return f"{unit} <saves> {facts.hits - facts.unsaved} of {hits} (rolls {rolls})"


def _saved_report(event: Event, facts: events.HitsAllocated, names: Names) -> str:
    return "" if facts.unsaved else "<saves>"


def _destroyed(event: Event, facts: events.Destroyed, names: Names) -> str:
    return "<is> destroyed" if facts.cause in _PLAIN_CAUSES else f"<is> destroyed ({facts.cause})"


def _fought(event: Event, facts: events.Fought, names: Names) -> str:
    at = formation_in(names, event.target)
    return _does(event, names, f"<fights> {at}: {facts.how}, {facts.successes}/{facts.dice} hits")


def _fought_report(event: Event, facts: events.Fought, names: Names) -> str:
    hits, at = counted(facts.successes, "hit"), formation_in(names, event.target)
    return _does(event, names, f"<scores> {hits} on {at} ({facts.how})")


def _crossed(event: Event, facts: events.CrossedDanger, names: Names) -> str:
    found = "a hit" if facts.hit else "no hit"
    return f"{names.unit(event.unit)}: dangerous terrain, {found} (rolls {facts.face})"


def _crossed_report(event: Event, facts: events.CrossedDanger, names: Names) -> str:
    return "<is> hit by dangerous terrain" if facts.hit else ""


def _overwatch_ended(event: Event, facts: events.OverwatchEnded, names: Names) -> str:
    answers = "epic.overwatch.lasts" in event.because
    return _does(event, names, "<answers> on overwatch") if answers else ""


def _assault_rolled(event: Event, facts: events.AssaultRolled, names: Names) -> str:
    both = (event.unit, facts.faces[:2], facts.bonuses[0]), (
        event.target, facts.faces[2:], facts.bonuses[1],
    )  # fmt: skip
    return "Assault: " + ", ".join(
        f"{formation_in(names, unit)} {max(faces)} + {bonus}" for unit, faces, bonus in both
    )


def _rallied(event: Event, facts: events.Rallied, names: Names) -> str:
    found = "<rallies>" if facts.passed else "<does> not rally"
    test = f"rolls {facts.face}, needs {facts.value} or less"
    return _does(event, names, f"{found} ({test}): Shock {facts.shock}")


def _both(
    kind: type[F], phrase: Callable[[Event, F, Names], str]
) -> tuple[type[Facts], EventWords]:
    """Return an entry whose sentence is the same in the log and in a report."""
    return said(kind, phrase, phrase, whole=True)


def _order(words: str) -> Callable[[Moment, Order], str]:
    """Return a phrase for orders that names formations."""

    def phrase(moment: Moment, order: Order) -> str:
        both = {"unit": order.unit, "target": order.target}
        named = {key: formation_name(moment.setup, row) for key, row in both.items()
                 if row is not None}  # fmt: skip
        return words.format(**named)

    return phrase


def _question(words: str) -> Callable[[Moment, Decision], str]:
    """Return a phrase for questions that names a formation."""

    def phrase(moment: Moment, decision: Decision) -> str:
        assert decision.unit is not None
        return words.format(unit=formation_name(moment.setup, decision.unit))

    return phrase


WORDS = WordTable(
    events=turn_events.WORDS
    | deployment.WORDS
    | dict(
        (
            said(deployment.Deployed, _deployed, "<is> deployed"),
            _both(events.RoundBegan, _began),
            said(events.ActionPhaseBegan, "{first} <acts> first", whole=True),
            said(events.EndPhaseBegan, "The End Phase begins", whole=True),
            said(events.Retained, "{side} <retains> the initiative", whole=True),
            said(events.InitiativePassed, "", ""),
            _both(events.ActionTested, _tested),
            said(events.ActionDone, "", ""),
            said(events.Moved, _moved_log, _moved),
            said(events.Mounted, "{unit} <mounts> {target}", "<mounts> {target}"),
            said(
                events.Dismounted, "{unit} <dismounts> from {target}", "<dismounts> from {target}"
            ),
            said(events.CrossedDanger, _crossed, _crossed_report),
            said(events.ShockTaken, _formation_does("<has> Shock {shock}"), ""),
            _both(events.Regrouped, _formation_does("<regroups>: Shock {shock}")),
            _both(events.WentOnOverwatch, _formation_does("<goes> on overwatch")),
            _both(events.OverwatchEnded, _overwatch_ended),
            said(events.Fired, _fired, _fired_report, whole=True),
            said(events.HitsAllocated, _saved, _saved_report),
            said(events.Damaged, "{unit} <is> damaged: {left} left", "<is> damaged"),
            said(events.Destroyed, "{unit} <is> destroyed ({cause})", _destroyed),
            _both(events.Broke, _formation_does("<is> broken")),
            _both(events.AssaultBegan, _formation_does("<assaults> {target}")),
            said(events.Fought, _fought, _fought_report, whole=True),
            said(events.AssaultRolled, _assault_rolled, ""),
            _both(events.AssaultWon, _formation_does("<wins> the assault on {target}. {reason}")),
            _both(events.Rallied, _rallied),
            said(turn_events.TurnEnded, "Round {turn} ends", ""),
        )
    ),
    orders={
        "deploy": _order("deploy {unit}"),
        "place": lambda moment, order: f"deploy on {_tile(moment, order)}{_facing(order)}",
        "place all": lambda moment, order: f"deploy on {_tile(moment, order)}, the rest around it",
        "act first": "act first",
        "act second": "let the enemy act first",
        "retain initiative": "retain the initiative, at -1",
        "pass initiative": "pass the initiative",
        "select": _order("act with {unit}"),
        "advance": "Advance: move, then shoot",
        "double": "Double: move twice, then shoot at -1",
        "engage": _order("Engage: charge {target}"),
        "march": "March: move three times",
        "marshal": "Marshal: move, or shoot at -1; then regroup",
        "overwatch": "Overwatch: wait for an enemy move",
        "sustained fire": "Sustained Fire: stay, and shoot at +1",
        "choose move": "move",
        "choose shoot": "shoot",
        "choose regroup": "regroup",
        "stay": "{unit}: stay here",
        "all stay": "leave all units where they are",
        "as the others": lambda moment, order: (
            f"{moment.setup.units[order.unit or 0].name}{' and the rest' if order.units else ''}: "
            "move like the unit before"
        ),
        "move": lambda moment, order: f"move to {_tile(moment, order)}{_facing(order)}",
        "move all": lambda moment, order: f"move all towards {_tile(moment, order)}",
        "begin the move": "begin the move",
        "end the move": "end the move here",
        "mount": "{unit}: mount {target}",
        "mount all": "mount all units that can",
        "dismount": lambda moment, order: (
            f"{moment.setup.units[order.unit or 0].name}: dismount on {_tile(moment, order)}"
        ),
        "dismount all": "dismount all units",
        "shoot": _order("shoot at {target}"),
        "hold fire": _order("{unit}: hold fire"),
        "overwatch fire": _order("{unit}: fire on overwatch at {target}"),
        "wait": "wait",
        "fire at all": "fire at all units, with the modifier for cover",
        "ignore cover": "fire only at units outside cover",
        "use AP": lambda moment, order: f"{order.words}: {order.number} at infantry (AP)",
        "hit all": "allocate hits to all units",
        "hit the exposed": "allocate hits only to units outside cover",
        "rally": _order("{unit}: try to rally"),
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
        NamedAction("deploy", ("deploy", "place", "place all"), (deployment.Deployed,)),
        NamedAction("move", ("move", "move all", "as the others", "choose move")),
        NamedAction("shoot", ("shoot", "choose shoot"), (events.Fired,)),
        NamedAction("mount", ("mount", "mount all"), (events.Mounted,)),
        NamedAction("dismount", ("dismount", "dismount all"), (events.Dismounted,)),
        NamedAction("regroup", ("choose regroup",), (events.Regrouped,)),
        NamedAction("rally", ("rally",), (events.Rallied,)),
    ),
    questions={
        "epic.board.sample": lambda moment, decision: (
            f"{moment.setup.sides[decision.side].name}: which formation deploys?"
            if decision.unit is None
            else f"{moment.setup.units[decision.unit].name}: where does it stand?"
        ),
        "epic.strategy.choose": "{side}: act first or second?",
        "epic.action.retain-choice": "{side}: retain the initiative?",
        "epic.action.select": "{side}: which formation acts?",
        "epic.action.declare": _question("{unit}: which action?"),
        "epic.action.fail": _question("{unit}, holding: move, shoot or regroup?"),
        "epic.act.marshal": _question("{unit} marshals: move or shoot?"),
        "epic.move.speed": "{unit}: where to?",
        "epic.transport.basic": _question("{unit}: which units mount or dismount?"),
        "epic.assault.charge": "{unit} charges: where to?",
        "epic.assault.countercharge": "{unit} countercharges: where to?",
        "epic.assault.cover": _question("{unit}: which units receive the hits?"),
        "epic.shoot.one-target": _question("{unit}: shoot at which formation?"),
        "epic.shoot.choose-value": _question("{unit}: how many weapons fire at infantry?"),
        "epic.cover.partial": _question("{unit}: some targets are in cover; ignore it?"),
        "epic.overwatch.trigger": "{side}: fire on overwatch?",
        "epic.rally.who": "{side}: which formation tries to rally?",
    },
)


def _facing(order: Order) -> str:
    return f", facing {degrees_of(order.legs[-1].facing):g}\u00b0" if order.legs else ""


def _tile(moment: Moment, order: Order) -> str:
    assert order.point is not None
    q, r = units_of(moment).board.grid.tiles_at(order.point).tolist()
    return f"{q},{r}"
