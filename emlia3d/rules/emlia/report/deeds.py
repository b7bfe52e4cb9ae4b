"""What a unit does or suffers, as the words after its name: "<shoots> at the ram".

Verbs and pronouns of the unit are marked <thus>, for `emlia3d.rules.emlia.words.naming`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from emlia3d.battle.events import Event, Facts, Rolled
from emlia3d.battle.words import figure
from emlia3d.rules.emlia.events import (
    awareness,
    combat,
    engagement,
    feature_of,
    losses,
    movement,
    turn,
)
from emlia3d.rules.emlia.tables.morale import state_of
from emlia3d.rules.emlia.words.naming import Naming, counted, listed

F = TypeVar("F", bound=Facts)
Deed = Callable[[Event, Any, Naming], str]
"""What the unit of an event does, from the event, its facts, and the names of the units."""

_MISSES = "<hits> nothing"
_BECAUSE: Mapping[str, str] = {
    "emlia.morale.neg.all-friends-retreating": "all friends in sight are in retreat",
    "emlia.morale.neg.casualties": "for what <it> <has> suffered",
    "emlia.morale.neg.charge-failed": "for the charge that failed",
    "emlia.morale.neg.forced-into-enemy": "forced into an enemy",
    "emlia.morale.neg.forced-into-friend": "forced into friends",
    "emlia.morale.neg.friend-casualties": "at the losses of <its> friends",
    "emlia.morale.neg.friend-forced-into": "friends forced into <its> ranks",
    "emlia.morale.neg.friend-runs-through": "friends running through <its> ranks",
    "emlia.morale.neg.friend-wiped-out": "at the end of <its> friends",
    "emlia.morale.neg.general-killed": "at the fall of the general",
    "emlia.morale.neg.leader-killed": "at the fall of <its> leader",
    "emlia.morale.neg.nearest-friend-retreating": "<its> nearest friends in retreat",
    "emlia.morale.neg.outnumbered": "outnumbered",
    "emlia.morale.neg.terrain-stopped": "stopped by the ground",
    "emlia.morale.neg.threshold": "for <its> wounds",
    "emlia.morale.neg.unseen-enemy": "under fire from <it> <knows> not where",
    "emlia.morale.neg.uphill": "having charged uphill",
    "emlia.morale.pos.enemy-destroyed-near": "at the end of an enemy nearby",
    "emlia.morale.pos.enemy-forced-into": "an enemy forced into another",
    "emlia.morale.pos.enemy-retreats": "with the enemy in retreat",
    "emlia.morale.pos.enemy-routs": "with the enemy in rout",
    "emlia.morale.pos.inflicts": "for the losses of the enemy",
    "emlia.morale.pos.outnumbers": "having the greater numbers",
    "emlia.morale.pos.unharmed": "unharmed under attack",
    "emlia.morale.pos.wipes-out": "having wiped an enemy out",
    "emlia.lead.improve": "encouraged",
}
"""Why morale moves, by the row that holds; rows of the same beginning are told once."""


def deed_of(event: Event, names: Naming) -> str | None:
    """What the unit of an event does, with its verbs marked; None where nothing is known of it.

    "" where it is no news.
    """
    told = _DEEDS.get(type(event.facts))
    return None if told is None else told(event, event.facts, names)


def cause_of(event: Event) -> str:
    """Why a unit's morale moves, in words; "" where no row of the tables says."""
    falls = isinstance(event.facts, losses.Shaken)
    kind = ".pos." if falls else ".neg."
    causes = [
        words
        for slug, words in _BECAUSE.items()
        if kind not in slug and any(given.startswith(slug) for given in event.because)
    ]
    if falls:
        causes = [words for words in causes if words != _BECAUSE["emlia.lead.improve"]]
    return listed(causes) if causes else ""


def _gsu(distance: float) -> str:
    """A distance as people say it: whole GSU from ten on."""
    return f"{figure(round(distance, 0 if distance >= 10 else 1))} GSU"


def _hits(rolled: Rolled) -> str:
    return f"<scores> {counted(rolled.successes, 'hit')}" if rolled.successes else _MISSES


def _subject(event: Event, names: Naming) -> str:
    """The unit that an attack is at, or the feature."""
    feature = feature_of(event.facts)
    if event.target is None and feature is not None:
        return names.named(feature)
    return names.unit(event.target)


def _fires(event: Event, shot: combat.Fired, names: Naming) -> str:
    where = f"at {shot.band} range, {_gsu(shot.distance)}"
    return f"<shoots> at {_subject(event, names)} {where}, and {_hits(shot)}"


def _volleys(event: Event, shot: combat.VolleyConcentrated, names: Naming) -> str:
    where = f"{_gsu(shot.distance)} away"
    return f"<volleys> at {_subject(event, names)} {where}, and {_hits(shot)}"


def fall_of(volley: combat.VolleyFell, names: Naming) -> str:
    """Where a volley comes down, in a sentence of its own."""
    where = f"{figure(volley.drift)} GSU off the mark" if volley.drift else "on the mark"
    hit = [
        f"{names.named(name)} ({counted(hits, 'hit')})"
        for name, hits in zip(volley.struck, volley.hits, strict=True)
    ]
    hit += [names.named(name) for name in volley.scenery]
    return f"it comes down {where}, {f'on {listed(hit)}' if hit else 'and hits nobody'}"


def _loses(_: Event, lost: losses.Suffered, __: Naming) -> str:
    told = f"<takes> {counted(int(lost.points), 'point')} of damage"
    if lost.lost:
        told = f"<loses> {lost.lost:,} ({lost.left:,} left)"
    return f"{told} ({'; '.join(lost.vital)})" if lost.vital else told


def _perishes(event: Event, lost: losses.Destroyed, names: Naming) -> str:
    assert event.unit is not None
    if names.is_alone(event.unit):
        return "<is> destroyed" if names.is_engine(event.unit) else "<falls>"
    last = "one falls" if lost.lost == 1 else f"{lost.lost:,} fall"
    return f"<is> wiped out: the last {last}"


def morale_of(updated: losses.MoraleUpdated) -> str:
    """What morale comes to, and the state if it is another: +2 to -1, falling back."""
    before, after = updated.before, updated.after
    state = state_of(after).name
    told = f"{_signed(before)} to {_signed(after)}"
    return told if state == state_of(before).name else f"{told}, now {state.lower()}"


def _signed(morale: int) -> str:
    return f"{morale:+d}" if morale else "0"


def _swayed(event: Event, updated: losses.MoraleUpdated, _: Naming) -> str:
    verb = "<takes> heart" if isinstance(updated, losses.Heartened) else "<loses> heart"
    cause = cause_of(event)
    return f"{verb}{f', {cause}' if cause else ''} (morale {morale_of(updated)})"


def _whom(event: Event, names: Naming) -> str:
    if event.unit is None or event.unit != event.target:
        return names.unit(event.target)
    return "<itself>" if names.is_alone(event.unit) else "<its> own men"


def _led(done: str, tried: str) -> Callable[[Event, Rolled, Naming], str]:
    """A leader's deed, that comes off or does not; WHOM stands for those whom it is about."""

    def told(event: Event, rolled: Rolled, names: Naming) -> str:
        return (done if rolled.successes else tried).replace("WHOM", _whom(event, names))

    return told


def _regroups(verb: str) -> Callable[[Event, losses.Regrouped, Naming], str]:
    def told(event: Event, regrouped: losses.Regrouped, names: Naming) -> str:
        if regrouped.units is None:
            return f"{verb} {names.unit(event.target)}"
        return f"{verb} {listed([names.named(name) for name in regrouped.units])}"

    return told


def _splits(event: Event, split: losses.Split, names: Naming) -> str:
    if split.part is None:
        return f"<splits> {names.unit(event.target)}"
    return f"<splits> {_whom(event, names)}: {names.named(split.part)} goes its own way"


def _of_target(words: str) -> Callable[[Event, Facts, Naming], str]:
    """Words in which WHOM stands for the other unit, or the feature."""
    return lambda event, _, names: words.replace("WHOM", _subject(event, names))


def _busy(_: Event, kept: combat.KeptBusy, names: Naming) -> str:
    whom = [
        f"{members} of {names.named(name)}"
        for name, members in zip(kept.enemies, kept.members, strict=True)
    ]
    return f"<keeps> {listed(whom)} from striking freely" if whom else ""


def _seen(_: Event, spotted: awareness.Spotted, names: Naming) -> str:
    return f"<is> seen in the open by {listed([names.named(name) for name in spotted.by])}"


def _plain(words: str) -> Callable[[Event, Facts, Naming], str]:
    return lambda event, facts, names: words


def _does(kind: type[F], words: Callable[[Event, F, Naming], str]) -> tuple[type[Facts], Deed]:
    return kind, words


_DEEDS: Mapping[type[Facts], Deed] = dict(
    (
        _does(turn.Delayed, lambda e, f, n: f"<waits> for timing {f.timing}"),
        _does(turn.ActedOfItself, lambda e, f, n: "<acts> of <its> own accord"),
        _does(turn.Prepared, _plain("<waits>")),
        _does(
            turn.ShowedANote, lambda e, f, n: f"<lets> everybody see that <it> <waits> to {f.does}"
        ),
        _does(turn.Revealed, _plain("<was> waiting for this")),
        _does(turn.PreparedActionLost, lambda e, f, n: f"<finds> no occasion for {f.does}"),
        _does(movement.DroppedDown, _plain("<goes> to ground")),
        _does(movement.StoodUp, _plain("<stands> up")),
        _does(movement.TookCover, _plain("<takes> cover")),
        _does(movement.LeftCover, _plain("<leaves> <its> cover")),
        _does(turn.DoublePaceDeclared, _plain("")),
        _does(combat.Fired, _fires),
        _does(
            combat.VolleyLoosed,
            lambda e, f, n: f"<looses> a volley at a place {_gsu(f.distance)} away",
        ),
        _does(combat.VolleyConcentrated, _volleys),
        _does(movement.Charged, _of_target("<charges> home into WHOM")),
        _does(movement.ChargeFellShort, _of_target("<charges> WHOM, and <falls> short")),
        _does(movement.Aligned, _of_target("<turns> to face WHOM")),
        _does(combat.Struck, lambda e, f, n: f"<strikes> at {n.unit(e.target)} and {_hits(f)}"),
        _does(
            combat.StruckFree,
            lambda e, f, n: f"<strikes> at {n.unit(e.target)} in passing and {_hits(f)}",
        ),
        _does(combat.Disengaged, _of_target("<breaks> free of WHOM")),
        _does(combat.CouldNotDisengage, _of_target("cannot break free of WHOM")),
        _does(combat.KeptBusy, _busy),
        _does(combat.Hewed, lambda e, f, n: f"<hews> at {n.named(f.feature)} and {_hits(f)}"),
        _does(combat.FreeStrike, _plain("")),
        _does(
            engagement.PushedBack,
            lambda e, f, n: f"<is> pushed back {figure(f.distance)} GSU by {n.unit(e.target)}",
        ),
        _does(engagement.HeldItsGround, _of_target("<holds> <its> ground against WHOM")),
        _does(
            engagement.Enveloped, lambda e, f, n: f"<sends> {f.members} round {n.unit(e.target)}"
        ),
        _does(engagement.CameBack, _of_target("<comes> back at WHOM")),
        _does(engagement.SlippedAway, _plain("<slips> out of the fight")),
        _does(
            engagement.BorneAlong,
            lambda e, f, n: f"<is> carried {figure(f.distance)} GSU by the fight",
        ),
        _does(engagement.DrawnIntoTheFight, _of_target("<is> drawn into the fight round WHOM")),
        _does(
            engagement.Pressed,
            lambda e, f, n: f"<presses> {n.unit(e.target)} for {counted(f.hits, 'hit')}",
        ),
        _does(engagement.BrokeRanks, _plain("<breaks> <its> ranks")),
        _does(engagement.TurnedToPush, _of_target("<turns> on WHOM")),
        _does(engagement.ForcedIntoAnEnemy, _of_target("<is> forced into WHOM")),
        _does(
            engagement.ForcedIntoAFriend,
            _of_target("<is> forced into WHOM, and both lose all order"),
        ),
        _does(engagement.FollowedUp, _plain("<follows> up")),
        _does(losses.Suffered, _loses),
        _does(losses.Destroyed, _perishes),
        _does(losses.Heartened, _swayed),
        _does(losses.Shaken, _swayed),
        _does(losses.Held, _plain("<stands> firm")),
        _does(movement.DidNotGetAway, _plain("cannot get away")),
        _does(movement.LeftTheField, _plain("<leaves> the field")),
        _does(movement.Arrived, _plain("<comes> onto the field")),
        _does(turn.Captured, _of_target("<is> taken prisoner by WHOM")),
        _does(
            losses.Reordered,
            _led("<brings> WHOM back to order", "<fails> to bring WHOM back to order"),
        ),
        _does(losses.Encouraged, _led("<puts> heart into WHOM", "<speaks> to WHOM in vain")),
        _does(losses.Steadied, _led("<bids> WHOM stand", "<bids> WHOM stand, and <is> not heeded")),
        _does(
            losses.TookCommand, _led("<takes> command of WHOM", "<fails> to take command of WHOM")
        ),
        _does(losses.Joined, _regroups("<joins>")),
        _does(losses.FailedToJoin, _regroups("<fails> to join")),
        _does(losses.Split, _splits),
        _does(losses.FailedToSplit, _of_target("<fails> to split WHOM")),
        _does(awareness.Hid, _plain("<hides>")),
        _does(awareness.FailedToHide, _plain("<finds> nowhere to hide")),
        _does(awareness.Detected, _of_target("<finds> WHOM")),
        _does(awareness.Searched, lambda e, f, n: f"<looks> in vain for {n.unit(e.target)}"),
        _does(awareness.LookedAbout, _plain("")),
        _does(awareness.PassedAwareness, _of_target("<points> WHOM out to <its> friends")),
        _does(awareness.WasNotUnderstood, _of_target("<points> to WHOM, and nobody understands")),
        _does(awareness.Spotted, _seen),
        _does(
            combat.UsedAnAbility,
            lambda e, f, n: f"<uses> {f.ability} on {n.unit(e.target)}, and {_hits(f)}",
        ),
    )
)
"""By the kind of event. Moves are told where it is known whence they went."""
