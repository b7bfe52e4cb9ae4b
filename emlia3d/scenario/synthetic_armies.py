"""Synthetic armies of any size for measurements: two deployed armies of horse and musket."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from emlia3d.battle.dice import Dice, SeededDice
from emlia3d.battle.entries import Entry
from emlia3d.errors import Error
from emlia3d.field import Scale
from emlia3d.force import FORMATIONS, Formation
from emlia3d.force.formation import FormationLayout
from emlia3d.rules.samples import HORSE_AND_MUSKET
from emlia3d.scenario.scenario import Scenario, from_text
from emlia3d.scenario.shelves import ARMIES
from emlia3d.scenario.sources import read_text
from emlia3d.scenario.systems import InstalledSystems

FEWEST, MOST = 20, 500
"""Minimum and maximum number of figures of a unit."""

_METRES_PER_GSU = 2.0

# Name, own lines and facing of each side.
_SIDES = (("Blue", "south", 0), ("Red", "north", 180))

# Distances between the first lines (less than the range of a musket), between units, between lines,
# and to the edge, GSU.
_APART, _INTERVAL, _INTERLINE, _MARGIN = 80, 8, 12, 40

_REASON = "the mustering of armies"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A unit without a position."""

    kind: str
    drill: FormationLayout


def armies(figures: int, units: int, *, ground: bool = False, seed: int = 0) -> Scenario:
    """Return a scenario of two armies of about the same strength, for six turns.

    The armies stand in lines, the first lines within musket range: infantry in three ranks, light
    infantry in open formation, cavalry in two ranks. Woods and houses are scattered over the field.

    figures : exact total of both armies; 20 to 500 for each unit
    units : total of both armies
    ground : whether there is raster ground of low hills, with cells of 4 GSU; False for level
        ground

    The same arguments give the same scenario text. Raises Error if the armies are too small or too
    large for their units.
    """
    if units < 2 or not FEWEST * units <= figures <= MOST * units:
        raise Error(f"{figures} figures in {units} units: two units or more, of {FEWEST} to {MOST}")
    text = "\n".join(_lines(figures, units, ground, seed))
    return from_text(text, f"{figures} figures in {units} units")


def _lines(figures: int, units: int, ground: bool, seed: int) -> Iterator[str]:
    """Yield the lines of the scenario's text."""
    dice = SeededDice(seed, 0)
    strengths = _strengths(figures, units, dice)
    hosts = [_blocks(strengths[side::2]) for side in (0, 1)]
    drawn_up = [_drawn_up(blocks) for blocks in hosts]
    wide = max(abs(x) for places in drawn_up for x, _ in places)
    widest = max(block.drill.frontage for blocks in hosts for block in blocks)
    deep = max(-y for places in drawn_up for _, y in places)
    size = (2 * math.ceil(wide + _MARGIN + widest / 2), 2 * math.ceil(deep + _APART / 2 + _MARGIN))
    yield "format = 1"
    yield f'title = "{figures} figures in {units} units"'
    yield f'rules = "{_unit_set()["rules"]}"'
    yield "turns = 6"
    yield f"[field]\nsize = [{size[0]}, {size[1]}]\nmetres_per_gsu = {_METRES_PER_GSU}"
    if ground:
        yield f"[field.relief]\nkind = 'fractal'\nseed = {seed % 1000}\ncell = 4"
        yield "low_m = 0\nhigh_m = 25\nfeature = 250\nroughness = 0.4"
    yield from _terrain(units, size, dice)
    for name, edge, _ in _SIDES:
        yield f'[[side]]\nname = "{name}"\nlines = "{edge}"'
        other = next(other for other, _, _ in _SIDES if other != name)
        yield f'[[victory]]\nside = "{name}"\nlevel = "{HORSE_AND_MUSKET.wipe_out}"'
        yield f'gone = "{other}"\nends = true'
    for (name, _, facing), blocks, places in zip(_SIDES, hosts, drawn_up, strict=True):
        onward = 1 if facing == 0 else -1
        for number, (block, (x, y)) in enumerate(zip(blocks, places, strict=True), 1):
            at = size[0] / 2 + onward * x, size[1] / 2 + onward * (y - _APART / 2)
            yield f'[[unit]]\nname = "{name} {number}"\nside = "{name}"'
            yield f'type = "{HORSE_AND_MUSKET.unit_set}/{block.kind}"\nfacing = {facing}'
            yield f"members = {block.drill.count}\nfiles = {block.drill.files}"
            yield f"at = [{at[0]:.3f}, {at[1]:.3f}]"
    yield ""


def _unit_set() -> dict[str, Any]:
    """Return the data of the unit set of the troops."""
    name = f"{HORSE_AND_MUSKET.unit_set}.toml"
    return read_text(ARMIES / name, name).data


def _strengths(figures: int, units: int, dice: Dice) -> list[int]:
    """Return the figures of each unit, from about 75% to about 125% of the mean."""
    mean = figures / units
    rolled = dice.roll(_REASON, units, 51)
    found = [round(min(max(mean * (0.74 + face / 100), FEWEST), MOST)) for face in rolled]
    short = figures - sum(found)
    step = 1 if short > 0 else -1
    while short:
        for row in range(units):
            if short and FEWEST <= found[row] + step <= MOST:
                found[row] += step
                short -= step
    return found


def _blocks(strengths: Sequence[int]) -> list[_Block]:
    """Return the units of an army with their types."""
    unit_set, troops = _unit_set(), HORSE_AND_MUSKET.troops
    model = InstalledSystems()[unit_set["rules"]].entry_model
    read: dict[str, Any] = {
        kind: model.model_validate(unit_set["entry"][kind]) for kind, _ in troops
    }
    found = []
    for row, strength in enumerate(strengths):
        kind, ranks = troops[row % len(troops)]
        entry: Entry = read[kind]
        room = entry.troops(Scale(metres_per_gsu=_METRES_PER_GSU))
        drill = FormationLayout(
            formation=Formation(FORMATIONS.index(entry.formation)),
            count=strength,
            files=-(-strength // ranks),
            width=room.width,
            depth=room.depth,
        )
        found.append(_Block(kind=kind, drill=drill))
    return found


def _drawn_up(blocks: Sequence[_Block]) -> list[tuple[float, float]]:
    """Return the centres of blocks that face north, in lines as long as six lines are deep."""
    abreast = math.ceil(math.sqrt(6 * len(blocks)))
    places: list[tuple[float, float]] = []
    front = 0.0
    for first in range(0, len(blocks), abreast):
        line = [block.drill for block in blocks[first : first + abreast]]
        left = -sum(drill.frontage + _INTERVAL for drill in line) / 2
        for drill in line:
            places.append((left + drill.frontage / 2, front - drill.length / 2))
            left += drill.frontage + _INTERVAL
        front -= max(drill.length for drill in line) + _INTERLINE
    return places


def _terrain(units: int, size: tuple[int, int], dice: Dice) -> Iterator[str]:
    """Yield the terrain between the armies: a wood for every 8 units and a house for every 20."""
    for number in range(1, units // 8 + 1):
        east, north, wide = dice.roll(_REASON, 3, 1000)
        at = f"{size[0] * east / 1000:.0f}, {size[1] * north / 1000:.0f}, {10 + wide / 50:.0f}"
        yield f'[[terrain]]\nname = "wood {number}"\nkind = "forest"\ncircle = [{at}]'
    for number in range(1, units // 20 + 1):
        east, north = dice.roll(_REASON, 2, 1000)
        x, y = size[0] * east / 1000, size[1] / 2 + (north / 1000 - 0.5) * _APART / 2
        corners = [[x - 4, y - 3], [x + 4, y - 3], [x + 4, y + 3], [x - 4, y + 3]]
        yield f'[[terrain]]\nname = "house {number}"\nkind = "building"\nheight = 3'
        yield f"outline = {corners}"
