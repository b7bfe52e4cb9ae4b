"""The state of the battle: deployed armies, places held, and strength left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from emlia3d.battle.setup import Setup, VictoryCondition
from emlia3d.rulekit.english import (
    agreed,
    articled,
    counted,
    is_plural,
    listed,
    sentence,
    side,
)
from emlia3d.rules.emlia.play.combat.scheduled_events import is_due
from emlia3d.rules.emlia.play.situation.parts import head_of
from emlia3d.rules.emlia.play.turn.objectives import controllers
from emlia3d.rules.emlia.tables.morale import RETREATS, state_of
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.emlia.words.event_forms import is_engine

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def musters(moment: Moment) -> Iterator[str]:
    """Yield each side at the start: its units, their numbers and kinds."""
    for row, one in enumerate(moment.setup.sides):
        told = []
        for unit in moment.setup.units:
            if unit.muster.side == row and unit.muster.members:
                assert isinstance(unit.entry, Entry)
                many = f"{unit.muster.members:,} " if unit.muster.members > 1 else ""
                later = f", from turn {unit.arrives}" if unit.arrives else ""
                kind = unit.entry.name
                told.append(f"{unit.name} ({many}{kind[:1].lower()}{kind[1:]}{later})")
        if told:
            yield sentence(f"{side(one.name)}: {listed(told)}")


def wants(setup: Setup) -> Iterator[str]:
    """Yield the victory conditions of each side, with their levels."""
    for one in setup.sides:
        aims = [aim for aim in setup.aims if aim.side == one.name]
        if aims:
            told = "; ".join(f"a {aim.level} if {_wanted(setup, aim)}" for aim in aims)
            yield sentence(f"victory conditions of {side(one.name)}: {told}")


def _wanted(setup: Setup, aim: VictoryCondition) -> str:
    """Return the parts of a victory condition in words."""
    places = (listed(map(articled, names)) for names in (aim.controls, aim.denied, aim.conceded))
    held, denied, conceded = places
    deeds = [
        f"they hold {held}" if aim.controls else "",
        f"no enemy holds {denied}" if aim.denied else "",
        f"the enemy holds {conceded}" if aim.conceded else "",
        f"no unit guards {listed(map(articled, aim.unguarded))}" if aim.unguarded else "",
        f"they outnumber the enemy on {articled(aim.outnumbers)}" if aim.outnumbers else "",
        f"{_unfit(setup, aim.gone)} fit to fight" if aim.gone else "",
        f"{_foe_is(setup, aim.destroyed)} completely destroyed" if aim.destroyed else "",
        f"{_foe_is(setup, aim.cleared)} driven off the field" if aim.cleared else "",
        f"{_foe_is(setup, aim.lost)} killed or captured" if aim.lost else "",
    ]
    told = " and ".join(filter(None, deeds))
    if aim.turns > 1:
        told += f" at the end of {counted(aim.turns, 'turn')} in a row"
    return f"{told} after turn {aim.after}" if aim.after else told


def _foe(setup: Setup, name: str) -> str:
    """Return a side or a unit by its name."""
    return side(name) if name in {one.name for one in setup.sides} else articled(name)


def _unfit(setup: Setup, name: str) -> str:
    """Return the words for a side or unit that is not fit to fight, up to "fit to fight"."""
    if name in {one.name for one in setup.sides}:
        return f"no unit of {side(name)} is"
    return f"{_foe_is(setup, name)} no longer"


def _foe_is(setup: Setup, name: str) -> str:
    """Return a unit's name with the verb for what must happen to it."""
    return agreed(f"{_foe(setup, name)} <is>", many=is_plural(name))


def figures_left(moment: Moment) -> list[int]:
    """Return the number of members of each side on the field or still to arrive."""
    left = [0] * len(moment.setup.sides)
    for unit, one in enumerate(moment.setup.units):
        if moment.state.units.value("present", unit) or is_due(moment, unit):
            left[one.muster.side] += moment.state.units.integer("members", unit)
    return left


def tally(moment: Moment, before: list[int]) -> Iterator[str]:
    """Yield the losses of each side since *before* and its wavering units; then the holdings."""
    now = figures_left(moment)
    for row, one in enumerate(moment.setup.sides):
        lost = before[row] - now[row]
        told = f"{side(one.name)}: {f'{lost:,} lost this turn, ' if lost else ''}{now[row]:,} left"
        told += "".join(f"; {words}" for words in _wavering(moment, row))
        yield sentence(told)
    yield from holdings(moment)


def _wavering(moment: Moment, row: int) -> Iterator[str]:
    """Yield the units of a side whose morale fails them, by its states."""
    units, by_state = moment.state.units, dict[str, list[str]]()
    for unit, one in enumerate(moment.setup.units):
        morale = units.integer("morale", unit)
        there = units.value("present", unit) and head_of(moment, unit) == unit
        strength = units.integer("strength", unit)
        if there and one.muster.side == row and morale <= 0 and strength:
            by_state.setdefault(state_of(morale).name.lower(), []).append(articled(one.name))
    for state, names in by_state.items():
        yield f"{state}: {listed(names)}"


def holdings(moment: Moment) -> Iterator[str]:
    """Yield the holder of each place that a victory condition names."""
    setup = moment.setup
    places = dict.fromkeys(
        name
        for aim in setup.aims
        for name in (*aim.controls, *aim.denied, *aim.conceded, *aim.unguarded)
    )
    by_holder: dict[str, list[str]] = {}
    for name in places:
        holders = [side(setup.sides[row].name) for row in controllers(moment, setup.area(name))]
        by_holder.setdefault(listed(holders) if holders else "", []).append(articled(name))
    for holder, names in by_holder.items():
        verb = "hold" if holder.endswith("s") or " and " in holder else "holds"
        if holder:
            yield sentence(f"{holder} {verb} {listed(names)}")
        else:
            yield sentence(f"no side holds {listed(names, 'or')}")


def losses(moment: Moment) -> Iterator[str]:
    """Yield the strength left of every unit at the end, each part of a split unit by itself."""
    units = moment.state.units
    for row, one in enumerate(moment.setup.sides):
        told = []
        for unit, mine in enumerate(moment.setup.units):
            if mine.muster.side != row or not units.integer("strength", unit):
                continue
            told.append(f"{mine.name} {_fate(moment, unit, units.integer('members', unit))}")
        if told:
            yield sentence(f"{side(one.name)}: {'; '.join(told)}")


def _fate(moment: Moment, unit: int, left: int) -> str:
    units = moment.state.units
    strength = units.integer("strength", unit)
    engine = is_engine(moment.setup.units[unit])
    if not left:
        return "destroyed" if strength > 1 or engine else "fallen"
    many = f"{left:,} of {strength:,}" if strength > 1 else "unhurt"
    if strength == 1 and units.integer("damage", unit):
        many = "damaged" if engine else "wounded"
    if not (units.value("present", unit) or is_due(moment, unit)):
        return f"{many}, off the field"
    morale = units.integer("morale", unit)
    return f"{many}, {state_of(morale).name.lower()}" if morale <= RETREATS else many
