"""Words for events of Emlia that no template can give: in the log, and in the report.

In a report they follow the name of the unit, if they are no sentence: "<charges> the ram".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from emlia3d.battle.events import Event, Rolled
from emlia3d.battle.formatting import format_value
from emlia3d.battle.setup import UnitSetup
from emlia3d.rulekit.english import Names, counted, listed, sentence, side
from emlia3d.rulekit.words import object_of, rolled, score, target_of
from emlia3d.rules.emlia.events import combat, engagement, losses, turn
from emlia3d.rules.emlia.tables.morale import state_of
from emlia3d.rules.emlia.unit_sets.roles import declared_role
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

CAUSES: Mapping[str, str] = {
    "emlia.morale.neg.all-friends-retreating": "the retreat of all friends in sight",
    "emlia.morale.neg.casualties": "<its> losses",
    "emlia.morale.neg.charge-failed": "the failed charge",
    "emlia.morale.neg.forced-into-enemy": "being forced into an enemy",
    "emlia.morale.neg.forced-into-friend": "being forced into friends",
    "emlia.morale.neg.friend-casualties": "the losses of friends",
    "emlia.morale.neg.friend-forced-into": "friends forced into <its> ranks",
    "emlia.morale.neg.friend-runs-through": "friends that ran through <its> ranks",
    "emlia.morale.neg.friend-wiped-out": "the destruction of friends",
    "emlia.morale.neg.general-killed": "the loss of the general",
    "emlia.morale.neg.leader-killed": "the loss of <its> leader",
    "emlia.morale.neg.nearest-friend-retreating": "the retreat of <its> nearest friends",
    "emlia.morale.neg.outnumbered": "the greater numbers of the enemy",
    "emlia.morale.neg.terrain-stopped": "ground that blocked the retreat",
    "emlia.morale.neg.threshold": "<its> wounds",
    "emlia.morale.neg.unseen-enemy": "losses to an unseen enemy",
    "emlia.morale.neg.uphill": "close combat uphill",
    "emlia.morale.pos.enemy-destroyed-near": "the destruction of an enemy nearby",
    "emlia.morale.pos.enemy-forced-into": "an enemy forced into <its> ranks",
    "emlia.morale.pos.enemy-retreats": "the retreat of the enemy",
    "emlia.morale.pos.enemy-routs": "the rout of the enemy",
    "emlia.morale.pos.forced-enemy-into-enemy": "an enemy forced into another enemy",
    "emlia.morale.pos.forced-enemy-into-friend": "an enemy forced into friends",
    "emlia.morale.pos.inflicts": "the losses of the enemy",
    "emlia.morale.pos.outnumbers": "<its> greater numbers",
    "emlia.morale.pos.unharmed": "being unharmed under attack",
    "emlia.morale.pos.wipes-out": "the destruction of an enemy",
    "emlia.lead.improve": "Improve Morale",
}
"""Causes of a change of morale, by row; rows with the same beginning share one text."""


def cause_of(event: Event) -> str:
    """Return the cause of a morale change as text; "" if no row of the tables has one."""
    falls = isinstance(event.facts, losses.Shaken)
    kind = ".pos." if falls else ".neg."
    causes = [
        words
        for slug, words in CAUSES.items()
        if kind not in slug and any(given.startswith(slug) for given in event.because)
    ]
    if falls:
        causes = [words for words in causes if words != CAUSES["emlia.lead.improve"]]
    return listed(causes) if causes else ""


def ended(_: Event, ended: turn.BattleEnded, __: Names) -> str:
    """Say in the log how the battle ended."""
    winner = f"{ended.winner}: {ended.level}. " if ended.winner else "A draw. "
    return f"{winner}{ended.reason}"


def end(_: Event, ended: turn.BattleEnded, __: Names) -> str:
    """Say in a report how the battle ended."""
    level = f"a {ended.level}"
    won = f"{level} for {side(ended.winner)}" if ended.winner else level
    return f"{sentence(won)} {ended.reason}"


def _gsu(distance: float) -> str:
    """Return a distance in whole GSU, or in tenths if it is less than ten."""
    return f"{format_value(round(distance, 0 if distance >= 10 else 1))} GSU"


def aimed_fire(event: Event, shot: combat.Fired, names: Names) -> str:
    """Say an Aimed Fire in a report."""
    return f"<delivers> aimed fire at {_subject(event, shot, names)} and {score(shot)}"


def concentrated_volley(event: Event, shot: combat.VolleyConcentrated, names: Names) -> str:
    """Say a Concentrated Volley in a report."""
    return f"<delivers> a concentrated volley at {_subject(event, shot, names)} and {score(shot)}"


def _subject(event: Event, shot: combat.Fired | combat.VolleyConcentrated, names: Names) -> str:
    return f"{target_of(event, names)} ({shot.band} range, {_gsu(shot.distance)})"


def area_volley(_: Event, shot: combat.VolleyLoosed, __: Names) -> str:
    """Say an Area Volley in a report."""
    return f"<delivers> an area volley at a point {_gsu(shot.distance)} away"


def fell(event: Event, volley: combat.VolleyFell, names: Names) -> str:
    """Say in the log where a volley comes down."""
    drift = f"{volley.drift:g} GSU off" if volley.drift else "on the mark"
    if volley.bearing is not None:
        drift += f" at {volley.bearing}° (by d12: the rulebook has no table)"
    unit = names.unit(event.unit)
    where = f"the volley of {unit} falls {drift}, {volley.coverage:g} GSU across"
    struck = [f"{name} ({hits})" for name, hits in zip(volley.struck, volley.hits, strict=True)]
    struck += volley.scenery
    return f"{where}, on {', '.join(struck)}" if struck else f"{where}, and hits nothing"


def falls(_: Event, volley: combat.VolleyFell, names: Names) -> str:
    """Say in a report where a volley comes down."""
    where = f"{format_value(volley.drift)} GSU off the mark" if volley.drift else "on the mark"
    hit = [
        f"{names.named(name)} ({counted(hits, 'hit')})"
        for name, hits in zip(volley.struck, volley.hits, strict=True)
    ]
    hit += [names.named(name) for name in volley.scenery]
    return f"the volley falls {where}, {f'on {listed(hit)}' if hit else 'and hits no unit'}"


def kept_busy(event: Event, kept: combat.KeptBusy, names: Names) -> str:
    """Say in the log which enemies a unit keeps from a free strike."""
    return f"{names.unit(event.unit)} <keeps> {', '.join(_busy(kept, names))} from a free strike"


def keeps_busy(_: Event, kept: combat.KeptBusy, names: Names) -> str:
    """Say in a report which enemies a unit keeps from a free strike; "" if none."""
    busy = _busy(kept, names)
    return f"<keeps> {listed(busy)} from a free strike" if busy else ""


def _busy(kept: combat.KeptBusy, names: Names) -> list[str]:
    return [
        f"{members} of {names.named(name)}"
        for name, members in zip(kept.enemies, kept.members, strict=True)
    ]


def pushed_back(event: Event, push: engagement.PushedBack, names: Names) -> str:
    """Say in a report how far a unit is pushed back."""
    return f"<is> pushed back {format_value(push.distance)} GSU by {names.unit(event.target)}"


def carried(_: Event, move: engagement.BorneAlong, __: Names) -> str:
    """Say in a report how far a unit moves with its engagement."""
    return f"<moves> {format_value(move.distance)} GSU with the fight"


def presses(event: Event, press: engagement.Pressed, names: Names) -> str:
    """Say the hits of a press in a report."""
    return f"<presses> {names.unit(event.target)} for {counted(press.hits, 'hit')}"


def lost(event: Event, lost: losses.Suffered, names: Names) -> str:
    """Say losses in the log."""
    unit = names.unit(event.unit)
    vital = "" if lost.vital is None else f"; {', '.join(lost.vital)}"
    if lost.lost:
        return f"{unit} <loses> {lost.lost}, {lost.left} left{vital}"
    return f"{unit} <takes> {lost.points} damage{vital}"


def loses(_: Event, lost: losses.Suffered, __: Names) -> str:
    """Say losses in a report."""
    told = f"<takes> {counted(int(lost.points), 'point')} of damage"
    if lost.lost:
        told = f"<loses> {lost.lost:,} ({lost.left:,} left)"
    return f"{told} ({'; '.join(lost.vital)})" if lost.vital else told


def is_engine(unit: UnitSetup) -> bool:
    """Return whether a unit is an engine or a vehicle, which is "destroyed" instead of "falls"."""
    assert isinstance(unit.entry, Entry)
    geared = any(movement.gears for movement in unit.entry.movements)
    return geared or declared_role(unit.entry) in {"artillery", "ram"}


def perished(event: Event, lost: losses.Destroyed, names: Names) -> str:
    """Say in the log that the last members of a unit have fallen."""
    return f"{names.unit(event.unit)} {_end(event, names)}"


def perishes(event: Event, lost: losses.Destroyed, names: Names) -> str:
    """Say in a report that the last members of a unit have fallen, and how many they are."""
    assert event.unit is not None
    if names.is_alone(event.unit):
        return _end(event, names)
    last = "one falls" if lost.lost == 1 else f"{lost.lost:,} fall"
    return f"{_end(event, names)}: the last {last}"


def _end(event: Event, names: Names) -> str:
    """Say that a unit is destroyed, or that the one who is the unit falls."""
    assert event.unit is not None
    if names.is_alone(event.unit) and not is_engine(names.setup.units[event.unit]):
        return "<falls>"
    return "<is> destroyed"


def morale_of(updated: losses.MoraleUpdated) -> str:
    """Return how morale changes, and the state if it is another: +2 to -1, now falling back."""
    before, after = updated.before, updated.after
    state = state_of(after).name
    told = f"{_signed(before)} to {_signed(after)}"
    return told if state == state_of(before).name else f"{told}, now {state.lower()}"


def _signed(morale: int) -> str:
    return f"{morale:+d}" if morale else "0"


def sways(updated: losses.MoraleUpdated) -> str:
    """Return the words for a change of morale in a report."""
    return "<gains> morale" if isinstance(updated, losses.Heartened) else "<loses> morale"


def swayed(event: Event, updated: losses.MoraleUpdated, _: Names) -> str:
    """Say a change of morale in a report, with its cause."""
    cause = cause_of(event)
    return f"{sways(updated)}{f' because of {cause}' if cause else ''} ({morale_of(updated)})"


def led(
    done: str, tried: str, subject: Callable[[Event, Names], str] = object_of
) -> Callable[[Event, Rolled, Names], str]:
    """Return a function that words a leader's success or failure in a report; {} is the subject."""
    return lambda event, rolled, names: (done if rolled.successes else tried).format(
        subject(event, names)
    )


def morale_of_object(event: Event, names: Names) -> str:
    """Return words for the morale of an event's other unit, or of the unit itself, with marks."""
    if event.unit is not None and event.unit == event.target:
        return "<its> own morale"
    return f"the morale of {object_of(event, names)}"


def regrouped(verb: str) -> Callable[[Event, losses.Regrouped, Names], str]:
    """Return a function that words joins or splits in the log."""

    def told(event: Event, regrouped: losses.Regrouped, names: Names) -> str:
        unit = names.unit(event.unit)
        subject = names.unit(event.target)
        if regrouped.units is not None:
            subject = " and ".join(regrouped.units)
        if subject == unit:
            subject = "<itself>"
        if regrouped.part is not None:
            subject += f", and {regrouped.part} becomes a unit"
        return f"{unit} {verb} {subject}: {rolled(regrouped)}"

    return told


def joins(verb: str) -> Callable[[Event, losses.Regrouped, Names], str]:
    """Return a function that words joins in a report."""

    def told(event: Event, regrouped: losses.Regrouped, names: Names) -> str:
        if regrouped.units is None:
            return f"{verb} {names.unit(event.target)}"
        return f"{verb} {listed(map(names.named, regrouped.units))}"

    return told


def splits(event: Event, split: losses.Split, names: Names) -> str:
    """Say in a report that a unit is split."""
    if split.part is None:
        return f"<splits> {names.unit(event.target)}"
    return f"<splits> {object_of(event, names)}: {names.named(split.part)} becomes a unit"
