"""What a unit does or suffers, as the words after its name: "<shoots> at the ram".

Verbs and pronouns of the unit are marked <thus>, for `emlia3d.rules.emlia.words.naming`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from emlia3d.battle.events import Event
from emlia3d.battle.words import figure
from emlia3d.rules.emlia.report.rolls import count, number, row, text
from emlia3d.rules.emlia.tables.morale import state_of
from emlia3d.rules.emlia.words.naming import Naming, counted, listed

Deed = Callable[[Event, Naming], str]

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
    told = _DEEDS.get(event.name)
    return None if told is None else told(event, names)


def cause_of(event: Event) -> str:
    """Why a unit's morale moves, in words; "" where no row of the tables says."""
    falls = event.name == "shaken"
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


def _hits(event: Event) -> str:
    successes = count(event, "successes")
    return _MISSES if not successes else f"<scores> {counted(successes, 'hit')}"


def _subject(event: Event, names: Naming) -> str:
    """The unit that an attack is at, or the feature."""
    if event.target is None and "feature" in event.facts:
        return names.named(text(event, "feature"))
    return names.unit(event.target)


def _fires(event: Event, names: Naming) -> str:
    where = f"at {text(event, 'band')} range, {_gsu(number(event, 'distance'))}"
    return f"<shoots> at {_subject(event, names)} {where}, and {_hits(event)}"


def _volleys(event: Event, names: Naming) -> str:
    where = f"{_gsu(number(event, 'distance'))} away"
    return f"<volleys> at {_subject(event, names)} {where}, and {_hits(event)}"


def _looses(event: Event, names: Naming) -> str:
    del names
    return f"<looses> a volley at a place {_gsu(number(event, 'distance'))} away"


def fall_of(event: Event, names: Naming) -> str:
    """Where a volley comes down, in a sentence of its own."""
    drift = number(event, "drift")
    where = f"{figure(drift)} GSU off the mark" if drift else "on the mark"
    hit = [
        f"{names.named(name)} ({counted(int(hits), 'hit')})"
        for name, hits in zip(row(event, "struck"), row(event, "hits"), strict=True)
    ]
    hit += [names.named(name) for name in row(event, "scenery")]
    return f"it comes down {where}, {f'on {listed(hit)}' if hit else 'and hits nobody'}"


def _strikes(event: Event, names: Naming) -> str:
    return f"<strikes> at {names.unit(event.target)} and {_hits(event)}"


def _strikes_free(event: Event, names: Naming) -> str:
    return f"<strikes> at {names.unit(event.target)} in passing and {_hits(event)}"


def _hews(event: Event, names: Naming) -> str:
    return f"<hews> at {names.named(text(event, 'feature'))} and {_hits(event)}"


def _loses(event: Event, names: Naming) -> str:
    del names
    lost, left = count(event, "lost"), count(event, "left")
    told = f"<takes> {counted(count(event, 'points'), 'point')} of damage"
    if lost:
        told = f"<loses> {lost:,} ({left:,} left)"
    wounds = row(event, "vital")
    return f"{told} ({'; '.join(wounds)})" if wounds else told


def _perishes(event: Event, names: Naming) -> str:
    assert event.unit is not None
    if names.is_alone(event.unit):
        return "<is> destroyed" if names.is_engine(event.unit) else "<falls>"
    lost = count(event, "lost")
    return f"<is> wiped out: the last {'one falls' if lost == 1 else f'{lost:,} fall'}"


def morale_of(event: Event) -> str:
    """What morale comes to, and the state if it is another: +2 to -1, falling back."""
    before, after = count(event, "before"), count(event, "after")
    state = state_of(after).name
    told = f"{_signed(before)} to {_signed(after)}"
    return told if state == state_of(before).name else f"{told}, now {state.lower()}"


def _signed(morale: int) -> str:
    return f"{morale:+d}" if morale else "0"


def _swayed(event: Event, names: Naming) -> str:
    del names
    verb = "<takes> heart" if event.name == "heartened" else "<loses> heart"
    cause = cause_of(event)
    return f"{verb}{f', {cause}' if cause else ''} (morale {morale_of(event)})"


def _whom(event: Event, names: Naming) -> str:
    if event.unit is None or event.unit != event.target:
        return names.unit(event.target)
    return "<itself>" if names.is_alone(event.unit) else "<its> own men"


def _led(done: str, tried: str) -> Deed:
    """A leader's deed, that comes off or does not; WHOM stands for those whom it is about."""

    def told(event: Event, names: Naming) -> str:
        words = done if count(event, "successes") else tried
        return words.replace("WHOM", _whom(event, names))

    return told


def _regroups(verb: str) -> Deed:
    def told(event: Event, names: Naming) -> str:
        units = row(event, "units")
        whom = listed([names.named(name) for name in units]) if units else names.unit(event.target)
        return f"{verb} {whom}"

    return told


def _splits(event: Event, names: Naming) -> str:
    if "part" not in event.facts:
        return f"<splits> {names.unit(event.target)}"
    part = names.named(text(event, "part"))
    return f"<splits> {_whom(event, names)}: {part} goes its own way"


def _of_target(words: str) -> Deed:
    """Words in which WHOM stands for the other unit, or the feature."""
    return lambda event, names: words.replace("WHOM", _subject(event, names))


def _busy(event: Event, names: Naming) -> str:
    whom = [
        f"{members} of {names.named(name)}"
        for name, members in zip(row(event, "enemies"), row(event, "members"), strict=True)
    ]
    return f"<keeps> {listed(whom)} from striking freely" if whom else ""


def _seen(event: Event, names: Naming) -> str:
    return f"<is> seen in the open by {listed([names.named(name) for name in row(event, 'by')])}"


def _pushed(event: Event, names: Naming) -> str:
    back = figure(number(event, "distance"))
    return f"<is> pushed back {back} GSU by {names.unit(event.target)}"


def _plain(words: str) -> Deed:
    return lambda event, names: words


_DEEDS: Mapping[str, Deed] = {
    "delayed": lambda e, n: f"<waits> for timing {count(e, 'timing')}",
    "acted of itself": lambda e, n: "<acts> of <its> own accord",
    "prepared": _plain("<waits>"),
    "showed a note": lambda e, n: f"<lets> everybody see that <it> <waits> to {text(e, 'does')}",
    "revealed": _plain("<was> waiting for this"),
    "prepared action lost": lambda e, n: f"<finds> no occasion for {text(e, 'does')}",
    "dropped down": _plain("<goes> to ground"),
    "stood up": _plain("<stands> up"),
    "took cover": _plain("<takes> cover"),
    "left cover": _plain("<leaves> <its> cover"),
    "double pace declared": _plain(""),
    "fired": _fires,
    "volley loosed": _looses,
    "volley concentrated": _volleys,
    "charged": _of_target("<charges> home into WHOM"),
    "charge fell short": _of_target("<charges> WHOM, and <falls> short"),
    "aligned": _of_target("<turns> to face WHOM"),
    "struck": _strikes,
    "struck free": _strikes_free,
    "disengaged": _of_target("<breaks> free of WHOM"),
    "could not disengage": _of_target("cannot break free of WHOM"),
    "kept busy": _busy,
    "hewed": _hews,
    "free strike": _plain(""),
    "pushed back": _pushed,
    "held its ground": _of_target("<holds> <its> ground against WHOM"),
    "enveloped": lambda e, n: f"<sends> {count(e, 'members')} round {n.unit(e.target)}",
    "came back": _of_target("<comes> back at WHOM"),
    "slipped away": _plain("<slips> out of the fight"),
    "borne along": lambda e, n: f"<is> carried {figure(number(e, 'distance'))} GSU by the fight",
    "drawn into the fight": _of_target("<is> drawn into the fight round WHOM"),
    "pressed": lambda e, n: f"<presses> {n.unit(e.target)} for {counted(count(e, 'hits'), 'hit')}",
    "broke ranks": _plain("<breaks> <its> ranks"),
    "turned to push": _of_target("<turns> on WHOM"),
    "forced into an enemy": _of_target("<is> forced into WHOM"),
    "forced into a friend": _of_target("<is> forced into WHOM, and both lose all order"),
    "followed up": _plain("<follows> up"),
    "suffered": _loses,
    "destroyed": _perishes,
    "heartened": _swayed,
    "shaken": _swayed,
    "held": _plain("<stands> firm"),
    "did not get away": _plain("cannot get away"),
    "left the field": _plain("<leaves> the field"),
    "arrived": _plain("<comes> onto the field"),
    "captured": _of_target("<is> taken prisoner by WHOM"),
    "reordered": _led("<brings> WHOM back to order", "<fails> to bring WHOM back to order"),
    "encouraged": _led("<puts> heart into WHOM", "<speaks> to WHOM in vain"),
    "steadied": _led("<bids> WHOM stand", "<bids> WHOM stand, and <is> not heeded"),
    "took command": _led("<takes> command of WHOM", "<fails> to take command of WHOM"),
    "joined": _regroups("<joins>"),
    "failed to join": _regroups("<fails> to join"),
    "split": _splits,
    "failed to split": _of_target("<fails> to split WHOM"),
    "hid": _plain("<hides>"),
    "failed to hide": _plain("<finds> nowhere to hide"),
    "detected": _of_target("<finds> WHOM"),
    "searched": lambda e, n: "" if e.target is None else f"<looks> in vain for {n.unit(e.target)}",
    "passed awareness": _of_target("<points> WHOM out to <its> friends"),
    "was not understood": _of_target("<points> to WHOM, and nobody understands"),
    "spotted": _seen,
    "used an ability": lambda e, n: (
        f"<uses> {text(e, 'ability')} on {n.unit(e.target)}, and {_hits(e)}"
    ),
}
"""By the name of the event. Moves are told where it is known whence they went."""
