"""Emlia in words: events as sentences, units as cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from emlia3d.battle.events import Event
from emlia3d.force.facing import degrees_of
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.columns import LOST, OWN
from emlia3d.rules.emlia.play.situation.fights import fight_of, kind_of
from emlia3d.rules.emlia.play.situation.parts import head_of, is_mixed, parts_of
from emlia3d.rules.emlia.play.situation.prepared_notes import slips_of
from emlia3d.rules.emlia.play.situation.situation import lie_of
from emlia3d.rules.emlia.tables.morale import state_of
from emlia3d.rules.emlia.words.naming import agreed, is_plural

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.setup import UnitSetup

Names = Callable[[int | None], str]


def tell(battle: Battle, event: Event) -> str:
    """An event in one sentence, "" if it is no news; an event of another version by its name."""
    units = battle.setup.units

    def name(unit: int | None) -> str:
        return "" if unit is None else units[unit].name

    target = name(event.target) or str(event.facts.get("feature", ""))
    told = _SENTENCES.get(event.name)
    if told is None:
        return " ".join(filter(None, (name(event.unit), event.name, target)))
    words = told(event, name(event.unit), target)
    subject = event.target if event.name in _BY_TARGET else event.unit
    return words if subject is None else agreed(words, many=_is_many(units[subject]))


def _is_many(unit: UnitSetup) -> bool:
    """Return whether a unit takes verbs in the plural: "archers fire", "the ogre fires"."""
    return unit.muster.members > 1 and is_plural(unit.name)


def _rolled(facts: Mapping[str, object]) -> str:
    modifier = facts["modifier"]
    dice = "1 die" if facts["dice"] == 1 else f"{facts['dice']} dice"
    return f"{facts['successes']} of {dice} at {modifier:+d}"


def _fired(event: Event, unit: str, target: str) -> str:
    facts = event.facts
    where = f"{facts['distance']:g} GSU ({facts['band']})"
    return f"{unit} <fires> at {target} at {where}: {_rolled(facts)}"


def _loosed(event: Event, unit: str, _: str) -> str:
    facts = event.facts
    return f"{unit} <looses> a volley at {facts['distance']:g} GSU: {_rolled(facts)}"


def _fell(event: Event, unit: str, _: str) -> str:
    facts = event.facts
    drift = f"{facts['drift']:g} GSU off" if facts["drift"] else "on the mark"
    if "bearing" in facts:
        drift += f" at {facts['bearing']}° (by d12, as the book's table is lost)"
    where = f"the volley of {unit} <falls> {drift}, {facts['coverage']:g} GSU across"
    struck = [
        f"{name} ({hits})"
        for name, hits in zip(facts["struck"], facts["hits"], strict=True)  # type: ignore[arg-type]
    ]
    struck += [str(name) for name in facts.get("scenery", ())]  # type: ignore[union-attr]
    return f"{where}, on {', '.join(struck)}" if struck else f"{where}, and hits nothing"


def _concentrated(event: Event, unit: str, target: str) -> str:
    facts = event.facts
    return (
        f"{unit} <volleys> at {target} at {facts['distance']:g} GSU ({facts['band']}): "
        f"{_rolled(facts)}"
    )


def _disengaged(event: Event, unit: str, target: str) -> str:
    verb = "<breaks> free of" if event.name == "disengaged" else "cannot break free of"
    return f"{unit} {verb} {target}: {_rolled(event.facts)}"


def _kept_busy(event: Event, unit: str, _: str) -> str:
    facts = event.facts
    busy = [
        f"{members} of {name}"
        for name, members in zip(facts["enemies"], facts["members"], strict=True)  # type: ignore[arg-type]
    ]
    return f"{unit} <keeps> {', '.join(busy)} from striking free"


def _hewed(event: Event, unit: str, _: str) -> str:
    return f"{unit} <hews> at {event.facts['feature']}: {_rolled(event.facts)}"


def _struck(event: Event, unit: str, target: str) -> str:
    verb = "<strikes>" if event.name == "struck" else "<strikes> free at"
    return f"{unit} {verb} {target}: {_rolled(event.facts)}"


def _suffered(event: Event, unit: str, _: str) -> str:
    facts = event.facts
    vital = "; " + ", ".join(str(text) for text in facts["vital"]) if "vital" in facts else ""  # type: ignore[union-attr]
    if facts["lost"]:
        return f"{unit} <loses> {facts['lost']}, {facts['left']} left{vital}"
    return f"{unit} <takes> {facts['points']} damage{vital}"


def _swayed(event: Event, unit: str, _: str) -> str:
    facts = event.facts
    verb = "<takes> heart" if event.name == "heartened" else "<loses> heart"
    return f"{unit} {verb}: morale {facts['before']} to {facts['after']}, {facts['state']}"


_LEADS = {
    "reordered": "<brings> back to order",
    "encouraged": "<encourages>",
    "steadied": "<calls> on to stand",
    "took command": "<takes> command of",
}


def _rallied(event: Event, unit: str, target: str) -> str:
    deed = _LEADS[event.name]
    return f"{unit} {deed} {'<its> own men' if unit == target else target}: {_rolled(event.facts)}"


def _regrouped(event: Event, unit: str, target: str) -> str:
    units = event.facts.get("units")
    whom = " and ".join(map(str, units)) if isinstance(units, tuple) else target
    if whom == unit:
        whom = "<its> own men"
    if "part" in event.facts:
        whom += f", and {event.facts['part']} stands by itself"
    deed = {"joined": "<joins>", "split": "<splits>"}.get(
        event.name, event.name.replace("failed", "<fails>")
    )
    return f"{unit} {deed} {whom}: {_rolled(event.facts)}"


def _hid(event: Event, unit: str, _: str) -> str:
    deed = "<hides>" if event.name == "hid" else "cannot hide"
    return f"{unit} {deed}: {_rolled(event.facts)}"


def _searched(event: Event, unit: str, target: str) -> str:
    if not target:
        return f"{unit} <looks> about and <finds> no enemy"
    deed = "<finds>" if event.name == "detected" else "<looks> for"
    return f"{unit} {deed} {target}: {_rolled(event.facts)}, {event.facts['needed']} needed"


def _pointed_out(event: Event, unit: str, target: str) -> str:
    deed = "<points> out" if event.name == "passed awareness" else "cannot point out"
    return f"{unit} {deed} {target} to the friends near <it>: {_rolled(event.facts)}"


def _spotted(event: Event, unit: str, _: str) -> str:
    by = event.facts["by"]
    assert isinstance(by, tuple)
    return f"{unit} <is> in the open and spotted by {', '.join(map(str, by))}"


def _names(told: object) -> str:
    assert isinstance(told, tuple)
    return ", ".join(map(str, told))


def _trembled(event: Event, _: str, __: str) -> str:
    return f"{event.facts['name']}: {_names(event.facts['thrown']) or 'nobody'} thrown down"


def _swept_away(event: Event, _: str, __: str) -> str:
    return f"{event.facts['name']}: {_names(event.facts['features'])} no more"


def _ended(event: Event, _: str, __: str) -> str:
    facts = event.facts
    winner = f"{facts['winner']}: {facts['level']}. " if facts["winner"] else "A draw. "
    return f"{winner}{facts['reason']}"


_BY_TARGET = {"broke apart", "free strike", "pushed back", "captured"}
"""Events whose sentence begins with the target."""

_SENTENCES: dict[str, Callable[[Event, str, str], str]] = {
    "mustered": lambda e, u, t: "The armies stand ready",
    "turn begun": lambda e, u, t: f"Turn {e.facts['turn']} begins",
    "turn ended": lambda e, u, t: f"Turn {e.facts['turn']} is over",
    "step begun": lambda e, u, t: f"Timing {e.facts['timing']}",
    "first drawn": lambda e, u, t: f"{e.facts['order'][0]} may activate first",  # type: ignore[index]
    "activated": lambda e, u, t: "",
    "activation ended": lambda e, u, t: "",
    "delayed": lambda e, u, t: f"{u} <waits> until timing {e.facts['timing']}",
    "acted of itself": lambda e, u, t: f"{u} <acts> of <its> own accord: {e.facts['does']}",
    "broke apart": lambda e, u, t: (
        f"{t} <does> not go the way of {u}, and both will lose all order"
    ),
    "prepared": lambda e, u, t: f"{u} <prepares> for something",
    "showed a note": lambda e, u, t: (
        f"{u} <lets> everybody see that <it> <waits> with {e.facts['does']}"
    ),
    "revealed": lambda e, u, t: f"{u} <was> prepared: {e.facts['does']}",
    "prepared action due": lambda e, u, t: "",
    "prepared action lost": lambda e, u, t: (
        f"{u} cannot do what <it> had prepared: {e.facts['does']}"
    ),
    "prepared actions ended": lambda e, u, t: "",
    "declined": lambda e, u, t: f"{e.facts['side']} lets nobody act before his time",
    "moved": lambda e, u, t: f"{u} <moves>",
    "declared": lambda e, u, t: f"{u} <stands> in {e.facts['formation']} formation now",
    "double paced": lambda e, u, t: f"{u} <moves> at double pace",
    "dropped down": lambda e, u, t: f"{u} <lies> down",
    "stood up": lambda e, u, t: f"{u} <stands> up",
    "took cover": lambda e, u, t: f"{u} <takes> cover",
    "left cover": lambda e, u, t: f"{u} <leaves> <its> cover",
    "fired": _fired,
    "volley loosed": _loosed,
    "volley fell": _fell,
    "volley concentrated": _concentrated,
    "charged": lambda e, u, t: f"{u} <charges> {t}",
    "charge fell short": lambda e, u, t: f"{u} <charges> {t} and <does> not get there",
    "aligned": lambda e, u, t: f"{u} <turns> to face {t}",
    "struck": _struck,
    "struck free": _struck,
    "disengaged": _disengaged,
    "could not disengage": _disengaged,
    "kept busy": _kept_busy,
    "hewed": _hewed,
    "scenery damaged": lambda e, u, t: f"{e.facts['feature']} takes {e.facts['points']} damage",
    "scenery destroyed": lambda e, u, t: f"{e.facts['feature']} is destroyed",
    "free strike": lambda e, u, t: f"{t} <moves> within reach of {u}",
    "pushed back": lambda e, u, t: f"{t} <pushes> {u} back {e.facts['distance']:g} GSU",
    "held its ground": lambda e, u, t: f"{u} <holds> <its> ground against {t}",
    "enveloped": lambda e, u, t: f"{e.facts['members']} of {u} go round {t}",
    "came back": lambda e, u, t: f"{u} <comes> back at {t}",
    "slipped away": lambda e, u, t: f"{u} <slips> out of the fight",
    "borne along": lambda e, u, t: f"the fight carries {u} {e.facts['distance']:g} GSU",
    "drawn into the fight": lambda e, u, t: f"{u} <is> drawn into the fight round {t}",
    "pressed": lambda e, u, t: f"{u} <presses> {t}: {e.facts['hits']} hits",
    "broke ranks": lambda e, u, t: f"{u} <breaks> <its> ranks",
    "turned to push": lambda e, u, t: f"{u} <turns> on {t}",
    "forced into an enemy": lambda e, u, t: f"{u} <is> forced into {t}",
    "forced into a friend": lambda e, u, t: f"{u} <is> forced into {t}, and both lose all order",
    "ran together": lambda e, u, t: f"{u} and {t} are one unit now",
    "followed up": lambda e, u, t: f"{u} <follows> up",
    "suffered": _suffered,
    "destroyed": lambda e, u, t: f"{u} <is> destroyed",
    "heartened": _swayed,
    "shaken": _swayed,
    "held": lambda e, u, t: f"{u} <stands> firm",
    "fell back": lambda e, u, t: f"{u} <falls> back",
    "did not get away": lambda e, u, t: f"{u} <has> to stay",
    "fled": lambda e, u, t: f"{u} <flees>",
    "bombarded": lambda e, u, t: f"{e.facts['name']}: {_rolled(e.facts)}",
    "trembled": _trembled,
    "harmed": lambda e, u, t: f"{e.facts['name']}: {u} <takes> {e.facts['hits']} hits",
    "swept away": _swept_away,
    "events over": lambda e, u, t: "",
    "arrived": lambda e, u, t: f"{u} <comes> onto the field",
    "captured": lambda e, u, t: f"{t} <takes> {u} prisoner",
    "found no way off": lambda e, u, t: f"{u} cannot leave the field: somebody bars the way",
    "left the field": lambda e, u, t: f"{u} <leaves> the field",
    "reordered": _rallied,
    "encouraged": _rallied,
    "steadied": _rallied,
    "took command": _rallied,
    "joined": _regrouped,
    "failed to join": _regrouped,
    "split": _regrouped,
    "failed to split": _regrouped,
    "hid": _hid,
    "failed to hide": _hid,
    "detected": _searched,
    "searched": _searched,
    "passed awareness": _pointed_out,
    "was not understood": _pointed_out,
    "spotted": _spotted,
    "resolved": lambda e, u, t: "",
    "used an ability": lambda e, u, t: (
        f"{u} <uses> {e.facts['ability']} on {t}: {_rolled(e.facts)}"
    ),
    "battle ended": _ended,
}


def card(battle: Battle, unit: int) -> tuple[tuple[str, str], ...]:
    """A unit in words and figures, for a person: (label, value)."""
    units, setup = battle.state.units, battle.setup
    entry = lie_of(battle).entry(unit)
    morale = units.integer("morale", unit)
    formation = Formation(units.integer("formation", unit)).name.lower()
    rows = [
        ("side", setup.sides[units.integer("side", unit)].name),
        ("kind", entry.name),
        ("strength", f"{units.integer('members', unit)} of {units.integer('strength', unit)}"),
        ("morale", f"{morale:+d} {state_of(morale).name}" if morale else f"0 {state_of(0).name}"),
        ("formation", f"{formation}, facing {degrees_of(units.integer('facing', unit)):.0f}°"),
    ]
    whole = head_of(battle, unit)
    if whole != unit:
        rows.append(("part of", setup.units[whole].name))
    elif is_mixed(battle, unit):
        names = (setup.units[part].name for part in parts_of(battle, unit) if part != unit)
        rows.append(("with", ", ".join(names)))
    if (kind := kind_of(battle, whole)) is not None:
        names = (setup.units[one].name for one in fight_of(battle, whole) if one != whole)
        rows.append(("fights", f"{kind}, with {', '.join(names)}"))
    if units.value("disordered", unit):
        rows.append(("order", "disordered"))
    leader = units.integer("leader", unit)
    if leader == LOST:
        rows.append(("leader", "lost"))
    elif leader != OWN:
        rows.append(("leader", f"of {setup.units[leader].name}"))
    notes = [slip for slip in slips_of(battle) if slip.unit == unit]
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
            ("hidden", any(hidden == unit for _, hidden in battle.state.pairs["hidden"])),
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
