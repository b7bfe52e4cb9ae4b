"""A unit of Emlia in words and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.force.facing import degrees_of
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.columns import LOST, OWN
from emlia3d.rules.emlia.play.situation.fights import fight_of, kind_of
from emlia3d.rules.emlia.play.situation.parts import head_of, is_mixed, parts_of
from emlia3d.rules.emlia.play.situation.prepared_notes import prepared_notes_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import state_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def card(moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
    """Return a unit in words and figures, for a person: (label, value)."""
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
