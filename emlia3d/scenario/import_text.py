"""The text of an imported scenario: its field, its terrain and two example armies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import shapely
from shapely import Polygon, box

from emlia3d.errors import Error
from emlia3d.field import Feature, Scale
from emlia3d.rules.samples import SAMPLE

if TYPE_CHECKING:
    from emlia3d.scenario.importing import ImportedField

TURNS = 8

BELOW = '# Two armies to begin with: remove "# " at the beginning of every line below.'
"""The line above the commented part of a scenario."""

# Space for an example unit: metres, and the minimum in GSU.
_UNIT_M, _UNIT_GSU = (40.0, 10.0), (16.0, 8.0)

# Distance between the centres of the two lines: the minimum in GSU, and in depths of a line.
_APART_GSU, _APART_DEPTHS = 60.0, 3.0

_MOST_PLACES = 4000

_OBJECTIVE = "middle ground"

AREAS = (_OBJECTIVE, "southern camp", "northern camp")
"""Names of the example's areas, which features cannot have."""

_LONGEST_SOURCE = 300


def text_of(found: ImportedField, ground: str, *, armies: bool) -> str:
    """Return the text of a scenario.

    ground : name of the file with the elevation
    armies : whether the two armies are part of the scenario; otherwise they are comments

    Raises
    ------
    Error
        The field has no free space for the armies.
    """
    lines = [*_heading(found), *_field(found, ground), *_terrain(found)]
    example = list(_armies(found.size, found.scale, found.features))
    if armies and not example:
        raise Error(
            "--armies: expected a free place for two lines, "
            f"{_APART_GSU:g} GSU apart, got none; choose a larger --size or a smaller --scale"
        )
    if armies:
        lines += ["", *example]
    elif example:
        lines += ["", BELOW, *(f"# {line}".rstrip() for line in example)]
    return "\n".join([*lines, ""])


def counted(kinds: Counter[str]) -> str:
    """Return numbers of features in words, the most frequent kinds first."""
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{number} {kind}" for kind, number in ordered)


def _heading(found: ImportedField) -> Iterator[str]:
    yield "format = 1"
    yield f"title = {_word(found.title)}"
    yield f"summary = {_word(f'The ground of {_plain(found.source)[:_LONGEST_SOURCE]}.')}"
    yield f'rules = "{SAMPLE.rules}"'
    yield f"turns = {TURNS}"


def _field(found: ImportedField, ground: str) -> Iterator[str]:
    x, y = found.cut.centre
    low, high = found.heights_m
    east_m, north_m = found.cut.size_m
    where = "" if found.crs is None else f" ({found.crs})"
    yield ""
    yield f"# {east_m:,.6g} x {north_m:,.6g} m of {_plain(found.source)}"
    yield f"# around {x:.10g}, {y:.10g}{where}."
    yield f"# Elevations from {low:,.1f} to {high:,.1f} m."
    yield "# Lengths are in GSU from the south-west corner."
    yield "[field]"
    yield f"size = [{_number(found.size[0])}, {_number(found.size[1])}]"
    yield f"metres_per_gsu = {_number(found.scale.metres_per_gsu)}"
    cell = "" if found.cut.georeference.crs else f", cell_m = {_number(found.cut.cell_m)}"
    yield f"ground = {{ file = {_word(ground)}{cell} }}"


def _terrain(found: ImportedField) -> Iterator[str]:
    yield ""
    kinds = Counter(feature.kind for feature in found.features)
    yield f"# Terrain: {counted(kinds)}." if kinds else "# Terrain: none."
    for layer in found.layers:
        yield f"# From {_plain(layer.name)}: {counted(layer.outlines) or 'nothing on the field'}."
    for feature in found.features:
        yield ""
        yield "[[terrain]]"
        yield f"name = {_word(feature.name)}"
        yield f'kind = "{feature.kind}"'
        if feature.height != feature.facts.height:
            yield f"height = {_number(round(feature.height, 4))}"
        yield f"outline = {_outline(feature.outline)}"


def _outline(outline: Polygon) -> str:
    # Reading rounds to 1/1024 GSU, so four decimals represent each corner exactly.
    corners = shapely.get_coordinates(outline)[:-1].round(4).tolist()
    return f"[{', '.join(f'[{_number(x)}, {_number(y)}]' for x, y in corners)}]"


def _armies(size: tuple[float, float], scale: Scale, features: Sequence[Feature]) -> Iterator[str]:
    """Yield two sides with two units each; nothing if the field is too small for them."""
    width, depth = (
        max(scale.gsu_of_metres(metres), gsu)
        for metres, gsu in zip(_UNIT_M, _UNIT_GSU, strict=True)
    )
    apart = max(_APART_GSU, _APART_DEPTHS * depth)
    place = _free_place(size, (2 * width, depth), apart, features)
    if place is None:
        return
    x, y = place
    sides = (("South", "south", y - apart / 2, 0), ("North", "north", y + apart / 2, 180))
    yield "[[area]]"
    yield f'name = "{_OBJECTIVE}"'
    yield f"circle = [{_place(x, y)}, {_number(round(apart / 4, 4))}]"
    yield ""
    for name, edge, north, _ in sides:
        west, south = x - width, north - depth / 2
        corners = _outline(box(west, south, west + 2 * width, south + depth))
        yield "[[area]]"
        yield f'name = "{edge}ern camp"'
        yield f"outline = {corners}"
        yield ""
        yield "[[side]]"
        yield f'name = "{name}"'
        yield f'lines = "{edge}"'
        yield f'objective = "{_OBJECTIVE}"'
        yield f'deploys = "{edge}ern camp"'
        yield ""
        other = next(one for one, *_ in sides if one != name)
        yield "[[victory]]"
        yield f'side = "{name}"'
        yield f'level = "{SAMPLE.wipe_out}"'
        yield f'gone = "{other}"'
        yield "ends = true"
        yield ""
        yield "[[victory]]"
        yield f'side = "{name}"'
        yield f'level = "{SAMPLE.objective}"'
        yield f'controls = "{_OBJECTIVE}"'
        yield ""
    for name, edge, north, facing in sides:
        for step, entry in zip((-0.5, 0.5), SAMPLE.troops, strict=True):
            yield "[[unit]]"
            yield f'name = "{edge}ern {entry.partition("/")[2]}"'
            yield f'side = "{name}"'
            yield f'type = "{entry}"'
            yield f"at = [{_place(x + step * width, north)}]"
            yield f"facing = {facing}"
            yield "members = 20"
            yield "files = 10"
            yield ""


def _free_place(
    size: tuple[float, float], line: tuple[float, float], apart: float, features: Sequence[Feature]
) -> tuple[float, float] | None:
    """Return the point nearest to the field's centre with room for lines south and north of it.

    line : width and depth of a line, GSU
    apart : distance between the centres of the two lines, GSU
    """
    half = line[0] / 2, (apart + line[1]) / 2
    room = size[0] / 2 - half[0], size[1] / 2 - half[1]
    if min(room) < 0:
        return None
    step = max(line[1], (4 * room[0] * room[1] / _MOST_PLACES) ** 0.5)
    across, along = (int(side // step) for side in room)
    places = sorted(
        ((column * step, row * step) for column in range(-across, across + 1)
         for row in range(-along, along + 1)),
        key=lambda place: (place[0] ** 2 + place[1] ** 2, place),
    )  # fmt: skip
    tree = shapely.STRtree([feature.outline for feature in features])
    for east, north in places:
        x, y = size[0] / 2 + east, size[1] / 2 + north
        lines = [
            box(x - half[0], middle - line[1] / 2, x + half[0], middle + line[1] / 2)
            for middle in (y - apart / 2, y + apart / 2)
        ]
        if not len(tree.query(lines, predicate="intersects")[0]):
            return x, y
    return None


def _place(x: float, y: float) -> str:
    return f"{_number(round(x, 4))}, {_number(round(y, 4))}"


def _word(text: str) -> str:
    """Return a TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _plain(text: str) -> str:
    """Return text for a comment, as one line."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _number(value: float) -> str:
    return f"{int(value)}" if value == int(value) else repr(float(value))
