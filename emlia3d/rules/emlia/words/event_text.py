"""Emlia in words: events as sentences, units as cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from emlia3d.battle.events import Event, Facts, Mustered, Rolled
from emlia3d.force.facing import degrees_of
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.columns import LOST, OWN
from emlia3d.rules.emlia.events import (
    awareness,
    combat,
    engagement,
    feature_of,
    losses,
    movement,
    scheduled,
    turn,
)
from emlia3d.rules.emlia.play.situation.fights import fight_of, kind_of
from emlia3d.rules.emlia.play.situation.parts import head_of, is_mixed, parts_of
from emlia3d.rules.emlia.play.situation.prepared_notes import prepared_notes_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import state_of
from emlia3d.rules.emlia.words.naming import agreed, is_plural

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.setup import UnitSetup

Names = Callable[[int | None], str]


def tell(moment: Moment, event: Event) -> str:
    """An event in one sentence, "" if it is no news; an event of another version by its name."""
    units = moment.setup.units

    def name(unit: int | None) -> str:
        return "" if unit is None else units[unit].name

    target = name(event.target) or feature_of(event.facts) or ""
    sentence = _SENTENCES.get(type(event.facts))
    if sentence is None:
        return " ".join(filter(None, (name(event.unit), event.name, target)))
    words = sentence(event.facts, name(event.unit), target)
    subject = event.target if isinstance(event.facts, _BY_TARGET) else event.unit
    return words if subject is None else agreed(words, many=_is_many(units[subject]))


def _is_many(unit: UnitSetup) -> bool:
    """Return whether a unit takes verbs in the plural: "archers fire", "the ogre fires"."""
    return unit.muster.members > 1 and is_plural(unit.name)


def _rolled(rolled: Rolled) -> str:
    dice = "1 die" if rolled.dice == 1 else f"{rolled.dice} dice"
    return f"{rolled.successes} of {dice} at {rolled.modifier:+d}"


def _fell(volley: combat.VolleyFell, unit: str, _: str) -> str:
    drift = f"{volley.drift:g} GSU off" if volley.drift else "on the mark"
    if volley.bearing is not None:
        drift += f" at {volley.bearing}° (by d12, as the book's table is lost)"
    where = f"the volley of {unit} <falls> {drift}, {volley.coverage:g} GSU across"
    struck = [f"{name} ({hits})" for name, hits in zip(volley.struck, volley.hits, strict=True)]
    struck += volley.scenery
    return f"{where}, on {', '.join(struck)}" if struck else f"{where}, and hits nothing"


def _kept_busy(kept: combat.KeptBusy, unit: str, _: str) -> str:
    busy = [
        f"{members} of {name}" for name, members in zip(kept.enemies, kept.members, strict=True)
    ]
    return f"{unit} <keeps> {', '.join(busy)} from striking free"


def _lost(lost: losses.Suffered, unit: str, _: str) -> str:
    vital = "" if lost.vital is None else f"; {', '.join(lost.vital)}"
    if lost.lost:
        return f"{unit} <loses> {lost.lost}, {lost.left} left{vital}"
    return f"{unit} <takes> {lost.points} damage{vital}"


def _swayed(verb: str) -> Callable[[losses.MoraleUpdated, str, str], str]:
    return lambda f, u, t: f"{u} {verb} heart: morale {f.before} to {f.after}, {f.state}"


def _rallied(deed: str) -> Callable[[Rolled, str, str], str]:
    return lambda f, u, t: f"{u} {deed} {'<its> own men' if u == t else t}: {_rolled(f)}"


def _regrouped(deed: str) -> Callable[[losses.Regrouped, str, str], str]:
    def told(regrouped: losses.Regrouped, unit: str, target: str) -> str:
        whom = target if regrouped.units is None else " and ".join(regrouped.units)
        if whom == unit:
            whom = "<its> own men"
        if regrouped.part is not None:
            whom += f", and {regrouped.part} stands by itself"
        return f"{unit} {deed} {whom}: {_rolled(regrouped)}"

    return told


def _ended(ended: turn.BattleEnded, _: str, __: str) -> str:
    winner = f"{ended.winner}: {ended.level}. " if ended.winner else "A draw. "
    return f"{winner}{ended.reason}"


_BY_TARGET = (engagement.BrokeApart, combat.FreeStrike, engagement.PushedBack, turn.Captured)
"""Events whose sentence begins with the target."""

F = TypeVar("F", bound=Facts)
Sentence = Callable[[Any, str, str], str]


def _said(kind: type[F], sentence: Callable[[F, str, str], str]) -> tuple[type[Facts], Sentence]:
    return kind, sentence


_SENTENCES: dict[type[Facts], Sentence] = dict(
    (
        _said(Mustered, lambda f, u, t: "The armies stand ready"),
        _said(turn.TurnBegun, lambda f, u, t: f"Turn {f.turn} begins"),
        _said(turn.TurnEnded, lambda f, u, t: f"Turn {f.turn} is over"),
        _said(turn.StepBegun, lambda f, u, t: f"Timing {f.timing}"),
        _said(turn.FirstDrawn, lambda f, u, t: f"{f.order[0]} may activate first"),
        _said(turn.Activated, lambda f, u, t: ""),
        _said(turn.ActivationEnded, lambda f, u, t: ""),
        _said(turn.Delayed, lambda f, u, t: f"{u} <waits> until timing {f.timing}"),
        _said(turn.ActedOfItself, lambda f, u, t: f"{u} <acts> of <its> own accord: {f.does}"),
        _said(
            engagement.BrokeApart,
            lambda f, u, t: f"{t} <does> not go the way of {u}, and both will lose all order",
        ),
        _said(turn.Prepared, lambda f, u, t: f"{u} <prepares> for something"),
        _said(
            turn.ShowedANote,
            lambda f, u, t: f"{u} <lets> everybody see that <it> <waits> with {f.does}",
        ),
        _said(turn.Revealed, lambda f, u, t: f"{u} <was> prepared: {f.does}"),
        _said(turn.PreparedActionDue, lambda f, u, t: ""),
        _said(
            turn.PreparedActionLost,
            lambda f, u, t: f"{u} cannot do what <it> had prepared: {f.does}",
        ),
        _said(turn.PreparedActionsEnded, lambda f, u, t: ""),
        _said(turn.Declined, lambda f, u, t: f"{f.side} lets nobody act before his time"),
        _said(movement.Moved, lambda f, u, t: f"{u} <moves>"),
        _said(movement.Declared, lambda f, u, t: f"{u} <stands> in {f.formation} formation now"),
        _said(movement.DoublePaced, lambda f, u, t: f"{u} <moves> at double pace"),
        _said(movement.DroppedDown, lambda f, u, t: f"{u} <lies> down"),
        _said(movement.StoodUp, lambda f, u, t: f"{u} <stands> up"),
        _said(movement.TookCover, lambda f, u, t: f"{u} <takes> cover"),
        _said(movement.LeftCover, lambda f, u, t: f"{u} <leaves> <its> cover"),
        _said(
            combat.Fired,
            lambda f, u, t: f"{u} <fires> at {t} at {f.distance:g} GSU ({f.band}): {_rolled(f)}",
        ),
        _said(
            combat.VolleyLoosed,
            lambda f, u, t: f"{u} <looses> a volley at {f.distance:g} GSU: {_rolled(f)}",
        ),
        _said(combat.VolleyFell, _fell),
        _said(
            combat.VolleyConcentrated,
            lambda f, u, t: f"{u} <volleys> at {t} at {f.distance:g} GSU ({f.band}): {_rolled(f)}",
        ),
        _said(movement.Charged, lambda f, u, t: f"{u} <charges> {t}"),
        _said(
            movement.ChargeFellShort, lambda f, u, t: f"{u} <charges> {t} and <does> not get there"
        ),
        _said(movement.Aligned, lambda f, u, t: f"{u} <turns> to face {t}"),
        _said(combat.Struck, lambda f, u, t: f"{u} <strikes> {t}: {_rolled(f)}"),
        _said(combat.StruckFree, lambda f, u, t: f"{u} <strikes> free at {t}: {_rolled(f)}"),
        _said(combat.Disengaged, lambda f, u, t: f"{u} <breaks> free of {t}: {_rolled(f)}"),
        _said(
            combat.CouldNotDisengage, lambda f, u, t: f"{u} cannot break free of {t}: {_rolled(f)}"
        ),
        _said(combat.KeptBusy, _kept_busy),
        _said(combat.Hewed, lambda f, u, t: f"{u} <hews> at {t}: {_rolled(f)}"),
        _said(combat.SceneryDamaged, lambda f, u, t: f"{f.feature} takes {f.points} damage"),
        _said(combat.SceneryDestroyed, lambda f, u, t: f"{f.feature} is destroyed"),
        _said(combat.FreeStrike, lambda f, u, t: f"{t} <moves> within reach of {u}"),
        _said(engagement.PushedBack, lambda f, u, t: f"{t} <pushes> {u} back {f.distance:g} GSU"),
        _said(engagement.HeldItsGround, lambda f, u, t: f"{u} <holds> <its> ground against {t}"),
        _said(engagement.Enveloped, lambda f, u, t: f"{f.members} of {u} go round {t}"),
        _said(engagement.CameBack, lambda f, u, t: f"{u} <comes> back at {t}"),
        _said(engagement.SlippedAway, lambda f, u, t: f"{u} <slips> out of the fight"),
        _said(engagement.BorneAlong, lambda f, u, t: f"the fight carries {u} {f.distance:g} GSU"),
        _said(
            engagement.DrawnIntoTheFight, lambda f, u, t: f"{u} <is> drawn into the fight round {t}"
        ),
        _said(engagement.Pressed, lambda f, u, t: f"{u} <presses> {t}: {f.hits} hits"),
        _said(engagement.BrokeRanks, lambda f, u, t: f"{u} <breaks> <its> ranks"),
        _said(engagement.TurnedToPush, lambda f, u, t: f"{u} <turns> on {t}"),
        _said(engagement.ForcedIntoAnEnemy, lambda f, u, t: f"{u} <is> forced into {t}"),
        _said(
            engagement.ForcedIntoAFriend,
            lambda f, u, t: f"{u} <is> forced into {t}, and both lose all order",
        ),
        _said(engagement.RanTogether, lambda f, u, t: f"{u} and {t} are one unit now"),
        _said(engagement.FollowedUp, lambda f, u, t: f"{u} <follows> up"),
        _said(losses.Suffered, _lost),
        _said(losses.Destroyed, lambda f, u, t: f"{u} <is> destroyed"),
        _said(losses.Heartened, _swayed("<takes>")),
        _said(losses.Shaken, _swayed("<loses>")),
        _said(losses.Held, lambda f, u, t: f"{u} <stands> firm"),
        _said(movement.FellBack, lambda f, u, t: f"{u} <falls> back"),
        _said(movement.DidNotGetAway, lambda f, u, t: f"{u} <has> to stay"),
        _said(movement.Fled, lambda f, u, t: f"{u} <flees>"),
        _said(scheduled.Bombarded, lambda f, u, t: f"{f.name}: {_rolled(f)}"),
        _said(
            scheduled.Trembled,
            lambda f, u, t: f"{f.name}: {', '.join(f.thrown) or 'nobody'} thrown down",
        ),
        _said(scheduled.Harmed, lambda f, u, t: f"{f.name}: {u} <takes> {f.hits} hits"),
        _said(scheduled.SweptAway, lambda f, u, t: f"{f.name}: {', '.join(f.features)} no more"),
        _said(scheduled.EventsOver, lambda f, u, t: ""),
        _said(movement.Arrived, lambda f, u, t: f"{u} <comes> onto the field"),
        _said(turn.Captured, lambda f, u, t: f"{t} <takes> {u} prisoner"),
        _said(
            movement.FoundNoWayOff,
            lambda f, u, t: f"{u} cannot leave the field: somebody bars the way",
        ),
        _said(movement.LeftTheField, lambda f, u, t: f"{u} <leaves> the field"),
        _said(losses.Reordered, _rallied("<brings> back to order")),
        _said(losses.Encouraged, _rallied("<encourages>")),
        _said(losses.Steadied, _rallied("<calls> on to stand")),
        _said(losses.TookCommand, _rallied("<takes> command of")),
        _said(losses.Joined, _regrouped("<joins>")),
        _said(losses.FailedToJoin, _regrouped("<fails> to join")),
        _said(losses.Split, _regrouped("<splits>")),
        _said(losses.FailedToSplit, _regrouped("<fails> to split")),
        _said(awareness.Hid, lambda f, u, t: f"{u} <hides>: {_rolled(f)}"),
        _said(awareness.FailedToHide, lambda f, u, t: f"{u} cannot hide: {_rolled(f)}"),
        _said(
            awareness.Detected, lambda f, u, t: f"{u} <finds> {t}: {_rolled(f)}, {f.needed} needed"
        ),
        _said(
            awareness.Searched,
            lambda f, u, t: f"{u} <looks> for {t}: {_rolled(f)}, {f.needed} needed",
        ),
        _said(awareness.LookedAbout, lambda f, u, t: f"{u} <looks> about and <finds> no enemy"),
        _said(
            awareness.PassedAwareness,
            lambda f, u, t: f"{u} <points> out {t} to the friends near <it>: {_rolled(f)}",
        ),
        _said(
            awareness.WasNotUnderstood,
            lambda f, u, t: f"{u} cannot point out {t} to the friends near <it>: {_rolled(f)}",
        ),
        _said(
            awareness.Spotted,
            lambda f, u, t: f"{u} <is> in the open and spotted by {', '.join(f.by)}",
        ),
        _said(turn.Resolved, lambda f, u, t: ""),
        _said(combat.UsedAnAbility, lambda f, u, t: f"{u} <uses> {f.ability} on {t}: {_rolled(f)}"),
        _said(turn.BattleEnded, _ended),
    )
)
"""The sentence on an event of each kind, from its facts and the names of its unit and target."""


def card(moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
    """A unit in words and figures, for a person: (label, value)."""
    units, setup = moment.state.units, moment.setup
    entry = situation_of(moment).entry(unit)
    morale = units.integer("morale", unit)
    formation = Formation(units.integer("formation", unit)).name.lower()
    rows = [
        ("side", setup.sides[units.integer("side", unit)].name),
        ("kind", entry.name),
        ("strength", f"{units.integer('members', unit)} of {units.integer('strength', unit)}"),
        ("morale", f"{morale:+d} {state_of(morale).name}" if morale else f"0 {state_of(0).name}"),
        ("formation", f"{formation}, facing {degrees_of(units.integer('facing', unit)):.0f}°"),
    ]
    whole = head_of(moment, unit)
    if whole != unit:
        rows.append(("part of", setup.units[whole].name))
    elif is_mixed(moment, unit):
        names = (setup.units[part].name for part in parts_of(moment, unit) if part != unit)
        rows.append(("with", ", ".join(names)))
    if (kind := kind_of(moment, whole)) is not None:
        names = (setup.units[one].name for one in fight_of(moment, whole) if one != whole)
        rows.append(("fights", f"{kind}, with {', '.join(names)}"))
    if units.value("disordered", unit):
        rows.append(("order", "disordered"))
    leader = units.integer("leader", unit)
    if leader == LOST:
        rows.append(("leader", "lost"))
    elif leader != OWN:
        rows.append(("leader", f"of {setup.units[leader].name}"))
    notes = [slip for slip in prepared_notes_of(moment) if slip.unit == unit]
    if notes:
        shown = [", then ".join(slip.note.do) for slip in notes if slip.shown]
        rows.append(("prepared", "; ".join(shown) or "it has a secret note"))
    if units.integer("damage", unit):
        rows.append(("damage", str(units.integer("damage", unit))))
    posture = [
        word
        for word, on in (
            ("prone", units.value("posture", unit) == 1),
            ("taking cover", units.value("taking_cover", unit)),
            ("at double pace", units.value("double_paced", unit)),
            ("hidden", any(hidden == unit for _, hidden in moment.state.pairs["hidden"])),
        )
        if on
    ]
    if posture:
        rows.append(("posture", ", ".join(posture)))
    if entry.keywords:
        rows.append(("keywords", ", ".join(entry.keywords)))
    rows += [("weapon", weapon.name) for weapon in entry.weapons]
    rows += [(skill, code) for skill, code in entry.skills.items()]
    return tuple(rows)
